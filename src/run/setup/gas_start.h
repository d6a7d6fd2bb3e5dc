// SPDX-License-Identifier: Apache-2.0
// What is likely wrong with the gas of a run that begins.
#pragma once

#include <string>
#include <vector>

#include "hornbeam/simulation.h"

namespace hornbeam::run {

/// Warnings: of gas without an equation of state, or with materials and one that knows none; of ideal gas with another
/// gamma than that with which the particles were made; of gravity in a box that repeats along all axes, whose images do
/// not pull; of fewer particles than a kernel takes.
std::vector<std::string> gas_start_notes(const Snapshot& start, const SimulationOptions& options);

}  // namespace hornbeam::run
