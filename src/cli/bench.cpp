// SPDX-License-Identifier: Apache-2.0
// `hornbeam bench`: the papers' tables. Suites come with the issues that need them.
#include <memory>

#include "cli/common.h"
#include "hornbeam/error.h"

namespace hornbeam::cli {

void add_bench(CLI::App& program) {
  CLI::App* command = program.add_subcommand("bench", "Benchmark suites");
  const auto suite = std::make_shared<std::string>();
  command->add_option("SUITE", *suite, "name of the suite")->required();
  command->callback([suite] {
    throw UsageError("bench " + *suite, "no suite is built into this version",
                     "make bench measures forces on this CPU");
  });
}

}  // namespace hornbeam::cli
