// SPDX-License-Identifier: Apache-2.0
// Spheres that touch, or will within a time: the search of collisions without what becomes of them.
#pragma once

#include <cstdint>
#include <vector>

#include "hornbeam/neighbours.h"

namespace hornbeam {

struct Contact {
  std::uint32_t first, second;  ///< indices, first < second
  double overlap;               ///< sum of radii less the distance now: negative before they touch
  double time;                  ///< from now until they touch; 0 where they do
};

/// How spheres move, on straight lines from now on.
struct SphereMotion {
  const std::vector<Vec3>& velocity;
  double time = 0;  ///< how far ahead is looked; 0: at those that touch now and approach one another
};

// Pairs in order, by index, the same on every backend: r_ij <= R_i + R_j, in the nearest images of a periodic cube.
// Throw as searches of hornbeam/neighbours.h do, UsageError for radii, velocities or a time that are not possible, and
// for a cube below four times the largest radius, with the way there that a sphere makes relative to their mean motion.

std::vector<Contact> find_contacts(const std::vector<Vec3>& position, const std::vector<double>& radius,
                                   const NeighbourOptions& options = {});
/// Of these the pairs that approach one another; with a time also those that come to touch within it.
std::vector<Contact> find_contacts(const std::vector<Vec3>& position, const std::vector<double>& radius,
                                   const SphereMotion& motion, const NeighbourOptions& options = {});

}  // namespace hornbeam
