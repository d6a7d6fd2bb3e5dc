// SPDX-License-Identifier: Apache-2.0
// Balls of a lattice, and balls stretched along their radii so that the mass within each is that of a model.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "hornbeam/particles.h"

namespace hornbeam::ics {

/// The n points nearest to the origin of a body-centred lattice of cells of edge 1, by distance, ties by place in the
/// lattice: none lies at the origin. They fill a ball of radius ball_radius(n).
std::vector<Vec3> lattice_ball(std::size_t n);
double ball_radius(std::size_t n);

/// The same, each moved to radius_of(fraction of the mass within it).
template <class RadiusOf>
std::vector<Vec3> stretched_ball(std::size_t n, const RadiusOf& radius_of) {
  std::vector<Vec3> points = lattice_ball(n);
  const double most = 1 - 0.5 / static_cast<double>(n);
  for (Vec3& x : points) {
    const double r = std::hypot(x[0], x[1], x[2]);
    const double to = radius_of(std::min(most, std::pow(r / ball_radius(n), 3)));
    for (double& along : x) along *= to / r;
  }
  return points;
}

}  // namespace hornbeam::ics
