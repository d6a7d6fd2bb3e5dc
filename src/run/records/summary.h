// SPDX-License-Identifier: Apache-2.0
// What is kept of a run when it ends: run.json.
#pragma once

#include <cstdint>
#include <string>

#include "hornbeam/simulation.h"
#include "run/config/config.h"

namespace hornbeam::run {

/// What the loop knows next to the simulation.
struct RunTotals {
  bool finished = false;
  double time = 0.0;
  std::uint64_t steps = 0;
  double wall_seconds = 0.0, wall_seconds_here = 0.0;  ///< of all parts of the run, and of this one
  double output_seconds = 0.0;                         ///< of this one: that steps waited for files
  double writing_seconds = 0.0;                        ///< of this one: writing files, most of it next to the steps
  double initial_energy = 0.0, relative_error = 0.0;
  bool keeps_energy = true;    ///< whether the change of the energy is an error
  double largest_error = 0.0;  ///< of |relative_error|, in all parts of the run
  std::string softening;
  std::uint64_t collisions = 0;  ///< in all parts of the run
};

Json summary_json(const Simulation& simulation, const Json& asked, const RunTotals& totals);

}  // namespace hornbeam::run
