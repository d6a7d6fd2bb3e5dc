// SPDX-License-Identifier: Apache-2.0
// Balls of a lattice stretched along their radii so that the mass within each is that of a model.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "ics/gas/lattice.h"

namespace hornbeam::ics {

/// The n points nearest to the origin of a body-centred lattice, none of which lies there, each moved to
/// radius_of(fraction of the mass within it).
template <class RadiusOf>
std::vector<Vec3> stretched_ball(std::size_t n, const RadiusOf& radius_of) {
  LatticeBall ball = lattice_ball(LatticeCell(Lattice::bcc, Seed{0}), n);
  const double most = 1 - 0.5 / static_cast<double>(n);
  stretch_radially(ball.places, [&](double r) { return radius_of(std::min(most, std::pow(r / ball.radius, 3))); });
  return ball.places;
}

}  // namespace hornbeam::ics
