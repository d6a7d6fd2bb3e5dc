// SPDX-License-Identifier: Apache-2.0
// What a simulation refuses, before anything is loaded.
#pragma once

#include <string>
#include <vector>

#include "hornbeam/simulation.h"

namespace hornbeam {

/// Throws UsageError for options out of range, or that do not go together or with these particles; Error for particles
/// that are non-finite.
void validate(const Snapshot& start, const SimulationOptions& options);

/// Returns the fields that a run with these options needs to be resumed, and that are missing for some particles. They
/// are in the order of the table of fields.
std::vector<std::string> missing_to_resume(const Particles& particles, const SimulationOptions& options);

}  // namespace hornbeam
