// SPDX-License-Identifier: Apache-2.0
// What a simulation refuses, before anything is loaded.
#pragma once

#include <string>
#include <vector>

#include "hornbeam/simulation.h"

namespace hornbeam {

/// Throws UsageError for options out of range, or that do not go together or with these particles; Error for particles
/// that are not finite.
void validate(const Snapshot& start, const SimulationOptions& options);

/// Returns the names of the fields without which a run with these options cannot be resumed and that do not hold all
/// particles; in the order of the table of fields.
std::vector<std::string> missing_to_resume(const Particles& particles, const SimulationOptions& options);

}  // namespace hornbeam
