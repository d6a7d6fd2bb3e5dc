// SPDX-License-Identifier: Apache-2.0
// Whether a run has the box and the gas that its model was drawn for.
#pragma once

#include <string>
#include <vector>

#include "hornbeam/simulation.h"

namespace hornbeam::run {

/// Notes of a start without that of a model on its box, which tells nothing where the run has that box; where it has
/// not, or has gravity between the particles of such a model, or gas of another gamma, warnings.
std::vector<std::string> with_model_gas(const Snapshot& start, const SimulationOptions& options);

}  // namespace hornbeam::run
