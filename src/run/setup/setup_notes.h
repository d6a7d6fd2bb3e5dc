// SPDX-License-Identifier: Apache-2.0
// Set-ups that run, but that the method does not fit.
#pragma once

#include <string>
#include <vector>

#include "hornbeam/simulation.h"

namespace hornbeam::run {

/// Returns warnings of gas in a plane or on a line, of gas particles of unlike masses next to one another, of gas whose
/// temperature in the file is not that of the run, of gravity in a periodic box as a finite sum of images, of bodies
/// that would sink in the matter behind a rigid potential, and of a halo whose particles are much heavier than the
/// disc's. Each says what goes wrong and what to do. Particles at the start of the run, in its units.
std::vector<std::string> setup_notes(const Snapshot& start, const SimulationOptions& options);

}  // namespace hornbeam::run
