// SPDX-License-Identifier: Apache-2.0
// The last step of every model: the centre of mass at the origin, at rest.
#pragma once

#include <cstddef>
#include <vector>

#include "hornbeam/particles.h"

namespace hornbeam::ics {

/// Of particles [begin, end).
double total_mass(const Particles& particles, std::size_t begin, std::size_t end);
/// Subtracts the mean position and velocity, weighted by mass, of particles [begin, end); returns their mass. Leaves
/// massless sets alone.
double centre(Particles& particles, std::size_t begin, std::size_t end);
/// The same of all particles.
double centre(Particles& particles);

/// Turns vectors [begin, end) in x-y, each a little and at its length, until their sum is 0 there but for rounding,
/// where no shift of all is wanted. Leaves them where that cannot be: so few that one outweighs the others.
void balance_in_plane(std::vector<Vec3>& vectors, std::size_t begin, std::size_t end);

}  // namespace hornbeam::ics
