// SPDX-License-Identifier: Apache-2.0
// What is said of a run when it ends: run.json, and the lines that tell where the time went.
#pragma once

#include <string>
#include <vector>

#include "cli/config.h"
#include "hornbeam/simulation.h"

namespace hornbeam::cli {

/// What the loop knows beside the simulation.
struct RunTotals {
  bool finished = false;
  std::uint64_t steps = 0;
  double wall_seconds = 0.0, wall_seconds_here = 0.0;  ///< of all parts of the run, and of this one
  double output_seconds = 0.0;                         ///< of this one: writing files
  double initial_energy = 0.0, relative_error = 0.0;
  std::string softening;
};

Json summary_json(const Simulation& simulation, const Json& asked, const RunTotals& totals);

/// "where the time went: walk 71 %, ..." and, for block steps, a table by rung.
std::vector<std::string> summary_lines(const Simulation& simulation, const RunTotals& totals);

}  // namespace hornbeam::cli
