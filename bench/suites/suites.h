// SPDX-License-Identifier: Apache-2.0
// The benchmark suites of `hornbeam-bench`: each measures what a paper did and puts its figures compared with ours.
#pragma once

#include <string>
#include <vector>

#include "bench/suites/report.h"
#include "bench/suites/runner.h"
#include "cli/exit_status.h"

namespace hornbeam::cli {

void bench_nakasato(Runner& runner, Report& report);
void bench_gasphia(Runner& runner, Report& report);
void bench_bonsai(Runner& runner, Report& report);
void bench_scaling(Runner& runner, Report& report);
void bench_peers(Runner& runner, Report& report);
void bench_occlude(Runner& runner, Report& report);
void bench_merger(Runner& runner, Report& report);
void bench_friends(Runner& runner, Report& report);
void bench_sph(Runner& runner, Report& report);

struct Suite {
  std::string name;
  std::string summary;
  std::string source;  ///< of the figures next to ours, with the device they were measured on
  void (*run)(Runner&, Report&);
};

/// Does what the program's command line asks. Throws as parse_and_run().
Exit run_bench(int argc, char** argv);

/// All suites, in the order help lists them.
const std::vector<Suite>& suites();

}  // namespace hornbeam::cli
