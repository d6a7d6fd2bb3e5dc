// SPDX-License-Identifier: Apache-2.0
// What is likely wrong with the gas of a run that begins.
#pragma once

#include <string>
#include <vector>

#include "hornbeam/simulation.h"

namespace hornbeam::run {

/// Returns warnings about gas. They concern gas without an equation of state, or with materials that it does not use.
/// They also concern ideal gas with another gamma than in the particles, and gravity in a box periodic along all axes
/// without images. The last is about fewer particles than neighbours of a kernel.
std::vector<std::string> gas_start_notes(const Snapshot& start, const SimulationOptions& options);

}  // namespace hornbeam::run
