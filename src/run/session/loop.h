// SPDX-License-Identifier: Apache-2.0
// The loop of a run: steps, outputs on time, checkpoints. Before it: start.cpp, which finds the start.
#pragma once

#include <string>

#include "run/session/observer.h"
#include "run/session/start.h"

namespace hornbeam::run {

/// Runs to config.end, or until the observer, a file named `stop` in the output directory or output.wall_limit stops
/// it. Then it writes a checkpoint and returns normally. A long block step is given up for the state at its start.
/// Returns whether it was stopped before its end. Throws RunGoneWrong or NotFinite, and leaves the last good
/// checkpoint.
bool run_to_the_end(ReadyRun run, Observer& observer);

/// Why a run that was stopped cannot be resumed, in a sentence; empty where it can.
std::string nothing_to_resume(const Ending& end);

}  // namespace hornbeam::run
