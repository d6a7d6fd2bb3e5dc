// SPDX-License-Identifier: Apache-2.0
// Running a program of ours, see program.h.
#include "cli/program.h"

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <system_error>

#include "device/processes/team.h"
#include "hornbeam/error.h"
#include "memory/room.h"
#include "run/session/watchdog.h"

namespace hornbeam::cli {
namespace {

int complain(const std::string& name, Exit status, const std::string& message) {
  fmt::print(stderr, "{}: error: {}\n", name, one_line(message));
  return static_cast<int>(status);
}

/// What is still to be printed is, or an error: a full disk must not swallow it. A reader that has ended, as `head`
/// does, ends the program as SIGPIPE would, without a word, also where that signal is ignored.
int finish(const std::string& name, Exit status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return static_cast<int>(status);
  if (errno == EPIPE) return static_cast<int>(Exit::nobody_reads);
  return complain(name, Exit::failed, fmt::format("standard output: cannot be written: {}", std::strerror(errno)));
}

/// Threads that spin while they wait for one another hold the cores that the others need: next to other programs a
/// force evaluation of 4,096 particles took 0.54 s with the runtime's default and 0.006 s with this count; alone on the
/// machine both take 0.0015 s (and 0.0037 s with threads that sleep at once). The OpenMP runtime of g++ asks the
/// environment before main() and offers no call, so the program starts itself again; where that fails it goes on as it
/// is.
void limit_spinning(char** argv) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  setenv("GOMP_SPINCOUNT", "1000", 1);
  execv("/proc/self/exe", argv);
}

/// A thread that allocates gets a heap of its own, for which glibc reserves 64 MB of address space. Where address space
/// is limited all threads share one.
void share_heap() {
  if (!memory::address_space_limit().empty()) mallopt(M_ARENA_MAX, 1);
}

std::string words_of_no_memory() {
  try {
    const memory::Room room = memory::room();
    if (!room.where.empty()) {
      return fmt::format("memory: there is not enough left of {} (use fewer particles, or {})", room.where,
                         room.remedy);
    }
  } catch (const std::bad_alloc&) {  // not even for that
  }
  return "memory: there is not enough (use fewer particles, or close other programs)";
}

/// What run() returns, or the exit status for what it throws, which is printed.
template <class Run>
int in_words(const std::string& name, const Run& run) {
  try {
    return run();
  } catch (const std::system_error& error) {  // of printing
    if (error.code().value() == EPIPE) return static_cast<int>(Exit::nobody_reads);
    return complain(name, Exit::failed, error.what());
  } catch (const run::RunGoneWrong& error) {
    return complain(name, Exit::gone_wrong, error.what());
  } catch (const UsageError& error) {
    return complain(name, Exit::wrong_usage, error.what());
  } catch (const Error& error) {
    return complain(name, Exit::failed, error.what());
  } catch (const std::bad_alloc&) {
    return complain(name, Exit::failed, words_of_no_memory());
  } catch (const std::exception& error) {
    return complain(name, Exit::failed, error.what());
  }
}

}  // namespace

int run_program(const std::string& name, int argc, char** argv, Exit (*command)(int argc, char** argv)) {
  limit_spinning(argv);
  share_heap();
  // A file that hits its size limit is then reported as an error, like a full disk, and not by a signal.
  std::signal(SIGXFSZ, SIG_IGN);
  return in_words(name, [&] {
    // where a launcher has started several, the others work for the first one
    return processes::run_in_team([&] { return in_words(name, [&] { return finish(name, command(argc, argv)); }); });
  });
}

}  // namespace hornbeam::cli
