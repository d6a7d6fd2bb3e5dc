// SPDX-License-Identifier: Apache-2.0
// Whether a run has the space that its model was drawn for: models of gas say which periodic box they fill.
#pragma once

#include <string>
#include <vector>

#include "hornbeam/simulation.h"

namespace hornbeam::run {

/// Notes of a start without that of a model on its box, which tells nothing where the run has that box; where it has
/// not, or has gravity between the particles of such a model, warnings in its place.
std::vector<std::string> with_model_box(const std::vector<std::string>& notes, const SimulationOptions& options);

}  // namespace hornbeam::run
