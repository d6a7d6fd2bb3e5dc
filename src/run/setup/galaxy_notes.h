// SPDX-License-Identifier: Apache-2.0
// Set-ups of galaxies that run and do not last, or do not show what they are meant to show.
#pragma once

#include <string>
#include <vector>

#include "hornbeam/simulation.h"

namespace hornbeam::run {

/// Returns warnings about bodies that should sink in a rigid potential, discs that a potential would draw together,
/// particles too heavy for the disc or the black hole among them, softening lengths that are larger than what they
/// soften, and discs of galaxies that rotate at speeds of other bodies. Particles are in the units of the run.
std::vector<std::string> galaxy_notes(const Snapshot& start, const SimulationOptions& options);

}  // namespace hornbeam::run
