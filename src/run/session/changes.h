// SPDX-License-Identifier: Apache-2.0
// What a run that is resumed may change, and whether anything is left to do. start.cpp and the commands that run ask.
#pragma once

#include <string>
#include <vector>

#include "io/json.h"
#include "run/config/config.h"
#include "run/session/observer.h"

namespace hornbeam::run {

/// Returns what `now` has otherwise than `then`, the configuration that wrote the checkpoint: "time/dt: was 0.1, is
/// 0.2". Outputs, start and end, the watchdog, and which threads and device do the same work may change freely.
std::vector<std::string> changes(const Json& then, const Json& now);

/// Returns the accuracy by which the forces of a recorded run went; 0: by opening angles.
double recorded_accuracy(const Json& then);
/// Where `config` gives no accuracy, a run by opening angles goes on by them, and one by the usual accuracy by that
/// unless another key of `config` excludes it.
void keep_exactness(const Json& then, RunConfig& config);

/// Returns whether the same particles may have another energy after that change.
bool changes_energy(const std::string& change);

/// Throws UsageError for changes that were not allowed; notes them otherwise. Returns whether there are any.
bool settle_changes(const std::vector<std::string>& found, bool allowed, Observer& observer);

/// Returns whether the run in output.directory has reached time.end by its run.json and has its newest checkpoint,
/// which is noted then. Touches nothing there. Throws as settle_changes() and newest_checkpoint().
bool is_finished(const RunConfig& config, bool allow_changes, Observer& observer);

}  // namespace hornbeam::run
