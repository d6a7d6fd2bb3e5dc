// SPDX-License-Identifier: Apache-2.0
// What a simulation refuses, before anything is loaded.
#pragma once

#include "hornbeam/simulation.h"

namespace hornbeam {

/// Throws UsageError for options out of range, or that do not go together or with these particles; Error for particles
/// that are not finite.
void validate(const Snapshot& start, const SimulationOptions& options);

}  // namespace hornbeam
