// SPDX-License-Identifier: Apache-2.0
// Finds the command among all and runs it. Apart from main.cpp: CLI11 costs a file that includes it ten seconds.
#include "cli/commands.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>

#include "cli/common.h"
#include "cli/shell/arguments.h"
#include "cli/shell/help_format.h"
#include "device/threads.h"
#include "hornbeam/error.h"
#include "hornbeam/version.h"

namespace hornbeam::cli {
namespace {

void add_commands(CLI::App& program) {
  add_info(program);
  add_selftest(program);
  add_init(program);
  add_ic(program);
  add_run(program);
  add_force(program);
  add_neighbours(program);
  add_convert(program);
  add_analyze(program);
  add_render(program);
  add_movie(program);
  add_view(program);
  add_completion(program);
  add_man(program);
}

}  // namespace

Exit parse_and_run(CLI::App& program, int argc, char** argv) {
  check_threads(omp_get_max_threads(), fmt::format("OMP_NUM_THREADS = {}", omp_get_max_threads()));
  fit_threads_to_memory();
  program.set_version_flag("--version", fmt::format("{} {} ({})", program.get_name(), version, commit));
  if (argc < 2) {
    fmt::print(stderr, "{}", program.help());
    return Exit::wrong_usage;
  }
  const std::vector<std::string> arguments = with_lists_apart({argv + 1, argv + argc});
  try {
    std::vector<std::string> from_the_back(arguments.rbegin(), arguments.rend());  // as CLI11 takes them
    program.parse(std::move(from_the_back));
  } catch (const CLI::Success& asked) {  // --help, --version
    program.exit(asked);
  } catch (const CLI::RuntimeError& ended) {  // a command that neither failed nor did all that was requested
    return static_cast<Exit>(ended.get_exit_code());
  } catch (const CLI::ParseError& error) {
    throw explained(error, program, arguments);
  }
  return Exit::done;
}

Exit run_command(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "bench") {
    throw UsageError("bench", "is a separate program",
                     "run hornbeam-bench with the same arguments; see docs/benchmarks.md");
  }
  CLI::App program("Hornbeam: a gravitational N-body code on one parallel octree", "hornbeam");
  program.require_subcommand(1);
  fit_help(program);
  add_commands(program);
  return parse_and_run(program, argc, argv);
}

}  // namespace hornbeam::cli
