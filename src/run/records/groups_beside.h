// SPDX-License-Identifier: Apache-2.0
// Catalogues of groups next to the snapshots of a run, made of the same copy of the particles on the writer's thread.
#pragma once

#include <filesystem>

#include "run/config/config.h"

namespace hornbeam::run {

/// Whether snapshot number `index` has a catalogue.
bool has_groups(const OutputPlan& plan, std::size_t index);

/// The family of a name of `subject`, output.groups_types or another key; throws UsageError.
Family family_of(const std::string& name, const std::string& subject);

/// Throws UsageError for a search that could not be made in that boundary.
void check_groups(const OutputPlan& plan, const Boundary& boundary);

/// How a run's groups are found; box, eps, G, softening and threads are the run's.
GroupOptions options_of_groups(const OutputPlan& plan);

/// The warning that none of the particles is of output.groups_types or groups_primary_types; empty where some are.
std::string no_groups_note(const OutputPlan& plan, const Particles& particles);

/// Finds and writes them, by as many threads as the run has; where the snapshot has none of the families that are asked
/// for, there are no groups.
void write_groups_of(const std::filesystem::path& path, const Snapshot& snapshot, const OutputPlan& plan,
                     const SimulationOptions& simulation);

}  // namespace hornbeam::run
