// SPDX-License-Identifier: Apache-2.0
// The loop of a run: steps, outputs on time, checkpoints, progress. Before it: run.cpp, which finds the start.
#pragma once

#include <cstdint>
#include <optional>

#include "cli/config.h"
#include "cli/run_directory.h"
#include "cli/saved_run.h"

namespace hornbeam::cli {

/// Where a run begins: at its first step, or at a checkpoint.
struct RunStart {
  Snapshot snapshot;
  double time = 0.0;                     ///< of the run's first step
  std::uint64_t step = 0;                ///< steps made before `snapshot`
  std::optional<double> initial_energy;  ///< absent: that of `snapshot`
  double usual_speed = 0.0;              ///< Watchdog::usual_speed(), where resumed
  SoFar so_far;                          ///< where resumed
  bool changed = false;                  ///< resumed with another configuration: forces and rungs are found anew
};

/// Runs to config.end, or until SIGINT, SIGTERM, a file named `stop` in the output directory or output.wall_limit: then
/// a checkpoint is written and the run ends in peace; a long block step is given up for the state at its beginning.
/// Throws RunGoneWrong or NotFinite, leaving the last good checkpoint. `asked` is the configuration as understood, kept
/// in the checkpoint and run.json.
void run_to_the_end(const RunConfig& config, const Json& asked, RunStart start, RunDirectory& directory);

}  // namespace hornbeam::cli
