// SPDX-License-Identifier: Apache-2.0
// `hornbeam run --dry-run`: what a run would take, and whether its step is short enough. Nothing is written.
#pragma once

#include <filesystem>

#include "run/session/session.h"

namespace hornbeam::cli {

/// Draws or reads the particles, makes a step of shared steps in memory, and prints memory, time and steps. folder:
/// files that the configuration names are relative to it. Throws as run::prepare().
void dry_run(const run::RunConfig& config, const std::filesystem::path& folder, run::Observer& observer);

}  // namespace hornbeam::cli
