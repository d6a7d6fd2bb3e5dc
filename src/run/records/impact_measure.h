// SPDX-License-Identifier: Apache-2.0
// The measure --disc-mass of `hornbeam analyze`, hornbeam.analysis.disc_mass() in Python.
#pragma once

#include "hornbeam/particles.h"
#include "io/json.h"

namespace hornbeam::run {

/// Planet, disc and what escapes after an impact (docs/analysis.md): an object of numbers and arrays. planet_density:
/// the planet's mean; 0: its own.
Json disc_mass(const Snapshot& snapshot, double planet_density);

}  // namespace hornbeam::run
