// SPDX-License-Identifier: Apache-2.0
// The child process, its limits, and the pipe between it and the program, see read_apart.h.
#include "io/files/read_apart.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>
#include <optional>
#include <string>

#include "core/forking.h"
#include "hornbeam/error.h"
#include "io/checkpoint_fields.h"
#include "io/files/file.h"
#include "io/gadget/hdf5_layout.h"
#include "io/hdf5/hdf5.h"
#include "memory/room.h"

namespace hornbeam::io {
namespace {

// AddressSanitizer reserves terabytes of addresses, and what it finds in the child must be seen.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

std::uint64_t address_space_in_use() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t pages = 0;
  file >> pages;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

enum class Answer : std::uint64_t { result = 1, error = 2 };

/// The child's end: writes fields to the pipe and gives their memory back.
class Sender {
 public:
  explicit Sender(int pipe) : pipe_(pipe) {}

  template <class T>
  void number(const char*, T& value) {
    put(&value, sizeof value);
  }
  template <class Array>
  void field(const FieldRow& row, Array& values) {
    array(row.name, values);
  }
  void flag(const char*, bool& value) {
    std::uint64_t number = value ? 1 : 0;
    put(&number, sizeof number);
  }
  template <class Array>
  void array(const char*, Array& values) {
    const std::uint64_t count = values.size();
    put(&count, sizeof count);
    put(values.data(), count * sizeof(typename Array::value_type));
    Array().swap(values);
  }

 private:
  void put(const void* from, std::size_t size) const {
    const auto* bytes = static_cast<const char*>(from);
    while (size > 0) {
      const ssize_t written = ::write(pipe_, bytes, size);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) ::_exit(1);
      bytes += written;
      size -= static_cast<std::size_t>(written);
    }
  }

  int pipe_;
};

/// The child has ended before it had said everything.
struct Ended {};

/// The program's end of the pipe.
class Receiver {
 public:
  /// `most`: bytes that no array of the child can exceed, whatever it says.
  Receiver(int pipe, std::uint64_t most) : pipe_(pipe), most_(most) {}

  template <class T>
  void number(const char*, T& value) const {
    get(&value, sizeof value);
  }
  template <class Array>
  void field(const FieldRow& row, Array& values) const {
    array(row.name, values);
  }
  void flag(const char*, bool& value) const {
    std::uint64_t number = 0;
    get(&number, sizeof number);
    value = number != 0;
  }
  template <class Array>
  void array(const char*, Array& values) const {
    std::uint64_t count = 0;
    get(&count, sizeof count);
    if (count > most_ / sizeof(typename Array::value_type)) throw Ended();
    values.resize(count);
    get(values.data(), count * sizeof(typename Array::value_type));
  }

 private:
  void get(void* to, std::size_t size) const {
    auto* bytes = static_cast<char*>(to);
    while (size > 0) {
      const ssize_t got = ::read(pipe_, bytes, size);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) throw Ended();
      bytes += got;
      size -= static_cast<std::size_t>(got);
    }
  }

  int pipe_;
  std::uint64_t most_;
};

template <class Port>
void pass_sentences(Port& port, std::vector<std::string>& sentences) {
  std::uint64_t count = sentences.size();
  port.number("count", count);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i == sentences.size()) sentences.emplace_back();
    port.array("sentence", sentences[i]);
  }
}

void limit(int resource, rlim_t soft, rlim_t hard) {
  rlimit now{};
  if (::getrlimit(resource, &now) != 0) return;
  now.rlim_cur = std::min(now.rlim_max, soft);
  now.rlim_max = std::min(now.rlim_max, hard);
  ::setrlimit(resource, &now);
}

/// In the child: crashes are its own, silent and without core files; it ends with the program and not before it.
void settle_in_child(const ReadLimits& limits, std::uint64_t in_use, pid_t program) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != program) ::_exit(1);
  for (const int crash : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU, SIGPIPE}) {
    if (!sanitized || crash == SIGXCPU || crash == SIGPIPE) std::signal(crash, SIG_DFL);
  }
  for (const int request : {SIGINT, SIGTERM}) std::signal(request, SIG_IGN);  // for the program to answer
  limit(RLIMIT_CORE, 0, 0);
  limit(RLIMIT_CPU, limits.seconds, limits.seconds + 1);
  if (sanitized) return;
  if (in_use > 0) limit(RLIMIT_AS, in_use + limits.memory, in_use + limits.memory);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
}

/// What is no part of a checkpoint.
template <class Visitor>
void pass_what_files_say(Visitor& visitor, Snapshot& snapshot) {
  auto has_units = static_cast<std::uint64_t>(snapshot.has_units);
  visitor.number("has_units", has_units);
  snapshot.has_units = has_units != 0;
  visitor.number("boundary", snapshot.boundary);
  auto has_gas = static_cast<std::uint64_t>(snapshot.gas.has_value());
  visitor.number("has_gas", has_gas);
  if (has_gas != 0) {
    if (!snapshot.gas) snapshot.gas.emplace();
    gadget_hdf5::for_each_gas_parameter(
        *snapshot.gas, [&](const char* name, std::string& text) { visitor.array(name, text); },
        [&](const char* name, double& number) { visitor.number(name, number); });
  }
  pass_sentences(visitor, snapshot.notes);
}

constexpr const char* beyond_its_size =
    "needs more memory than is plausible for its size: it is damaged, or extremely compressed";

[[noreturn]] void serve(int pipe, const ReadLimits& limits, const std::function<Checkpoint()>& read) {
  Sender sender(pipe);
  std::string error;
  try {
    Checkpoint found = read();
    auto answer = static_cast<std::uint64_t>(Answer::result);
    sender.number("answer", answer);
    visit(found, sender);
    pass_what_files_say(sender, found.snapshot);
    ::_exit(0);
  } catch (const std::bad_alloc&) {
    error = beyond_its_size;
  } catch (const memory::NoRoom& caught) {
    error = caught.bytes > static_cast<double>(limits.memory) ? beyond_its_size : caught.what();
  } catch (const std::exception& caught) {
    error = caught.what();
  }
  auto answer = static_cast<std::uint64_t>(Answer::error);
  sender.number("answer", answer);
  sender.array("error", error);
  ::_exit(0);
}

/// The child process; it ends with this.
class Child {
 public:
  Child(const std::string& subject, const ReadLimits& limits, const std::function<Checkpoint()>& read)
      : subject_(subject) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) refuse_to_start();
    pipe_ = ends[0];
    ::fcntl(pipe_, F_SETPIPE_SZ, 1 << 20);  // fewer changes between the two; smaller where that is not allowed
    const std::uint64_t in_use = address_space_in_use();
    const pid_t program = ::getpid();
    hdf5_mutex().lock();  // no other thread is in the midst of HDF5 when the child takes over its state
    pid_ = ::fork();
    hdf5_mutex().unlock();  // in both processes
    if (pid_ == 0) {
      ::close(ends[0]);
      settle_in_child(limits, in_use, program);
      serve(ends[1], limits, read);
    }
    ::close(ends[1]);
    if (pid_ < 0) {
      ::close(pipe_);
      refuse_to_start();
    }
  }
  ~Child() {
    ::close(pipe_);
    if (pid_ > 0) ::kill(pid_, SIGKILL), wait();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] int pipe() const { return pipe_; }

  /// Says how the child ended.
  [[noreturn]] void explain(const ReadLimits& limits) {
    const std::optional<int> status = wait();
    std::string what = "the process that reads it ended too early";
    if (status && WIFSIGNALED(*status)) {
      const int signal = WTERMSIG(*status);
      what = "the HDF5 library crashes on it (" + std::string(::strsignal(signal)) + ")";
      if (signal == SIGXCPU) what = "the HDF5 library takes more than " + std::to_string(limits.seconds) + " s on it";
      if (signal == SIGKILL) {
        throw Error(subject_, "the process that reads it was killed", "check whether there is enough memory");
      }
    }
    throw Error(subject_, "is damaged: " + what, "take another copy");
  }

 private:
  [[noreturn]] void refuse_to_start() const {
    throw Error(subject_, std::string("cannot start a process to read it in: ") + std::strerror(errno));
  }
  /// Waits for the end; nothing where the system does not show how it was.
  std::optional<int> wait() {
    int status = 0;
    pid_t ended = 0;
    do {
      ended = ::waitpid(pid_, &status, 0);
    } while (ended < 0 && errno == EINTR);
    pid_ = -1;
    return ended < 0 ? std::nullopt : std::optional(status);
  }

  const std::string& subject_;
  int pipe_ = -1;
  pid_t pid_ = -1;
};

/// Throws what the child has caught; its words mostly begin with a subject already.
[[noreturn]] void throw_again(const std::string& subject, const std::string& words) {
  for (const std::string& said : {subject, std::string(memory::subject)}) {
    if (words.starts_with(said + ": ")) throw Error(said, words.substr(said.size() + 2));
  }
  throw Error(subject, words);
}

}  // namespace

Checkpoint read_apart(const std::filesystem::path& path, const std::function<Checkpoint()>& read,
                      const std::optional<ReadLimits>& limits) {
  if (!may_fork()) return read();
  const std::string subject = path.string();
  const ReadLimits used = limits.value_or(ReadLimits(regular_file_size(path)));
  Child child(subject, used, read);
  const Receiver receiver(child.pipe(), used.memory);
  Checkpoint found;
  try {
    std::uint64_t answer = 0;
    receiver.number("answer", answer);
    if (answer == static_cast<std::uint64_t>(Answer::result)) {
      visit(found, receiver);
      pass_what_files_say(receiver, found.snapshot);
      return found;
    }
    std::string error;
    receiver.array("error", error);
    throw_again(subject, error);
  } catch (const Ended&) {
    child.explain(used);
  }
}

}  // namespace hornbeam::io
