// SPDX-License-Identifier: Apache-2.0
// What a run of Bonsai's merger left in its folder, as a row of `hornbeam-bench merger`.
#pragma once

#include <filesystem>

#include "cli/names.h"

namespace hornbeam::cli {

/// The object in a file; null where there is none.
Json read_json(const std::filesystem::path& path);

/// The run's figures: its settings, seconds, largest energy error, the black holes' passages; over time the energy
/// error and the black holes' distance; the profiles of its snapshots.
Json merger_row(const std::filesystem::path& folder);

/// By how much `row` differs from `reference`, until its third passage and at the last time both have profiles of.
Json merger_agreement(const Json& row, const Json& reference);

/// The stars of the run's snapshots side by side.
void draw_merger(const std::filesystem::path& folder, const std::filesystem::path& png);

}  // namespace hornbeam::cli
