// SPDX-License-Identifier: Apache-2.0
// The last step of every model: the centre of mass at the origin, at rest.
#pragma once

#include "hornbeam/particles.h"

namespace hornbeam::ics {

/// Subtracts the mean position and velocity, weighted by mass, of particles [begin, end); returns their mass. Leaves
/// massless sets alone.
double centre(Particles& particles, std::size_t begin, std::size_t end);
/// The same of all particles.
double centre(Particles& particles);

}  // namespace hornbeam::ics
