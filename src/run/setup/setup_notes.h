// SPDX-License-Identifier: Apache-2.0
// Set-ups that run, but that the method does not fit.
#pragma once

#include <string>
#include <vector>

#include "hornbeam/simulation.h"

namespace hornbeam::run {

/// Returns warnings about the start of a run, each with what goes wrong and what to do. They concern gas in a plane or
/// on a line, gas with neighbours of unequal mass, and gas with another temperature in the file. They also concern
/// gravity in a periodic box as a finite sum of images, and what galaxy_notes() looks at. Particles are in the units of
/// the run.
std::vector<std::string> setup_notes(const Snapshot& start, const SimulationOptions& options);

}  // namespace hornbeam::run
