// SPDX-License-Identifier: Apache-2.0
// How two black holes stand to one another, the track of a merger, or one to its galaxy.
#include <cmath>
#include <string>

#include "analysis/radial_order.h"
#include "core/fields.h"
#include "hornbeam/analysis.h"
#include "hornbeam/error.h"

namespace hornbeam::analysis {
namespace {

/// Where the galaxy is, without black holes, and how its innermost tenth moves.
Motion centre_without(const Particles& particles, const std::vector<std::size_t>& others) {
  if (others.empty())
    throw Error("black holes", "the file has one black hole and no other particles",
                "the measure needs a second black hole, or the particles of a galaxy");
  const Particles galaxy = hornbeam::selected(particles, others);
  const RadialOrder order(galaxy);
  return {order.centre, mean_velocity(galaxy, order.centre, order.radius_with(0.1))};
}

}  // namespace

BlackHolePair black_holes(const Particles& particles) {
  std::vector<std::size_t> holes, others;
  for (std::size_t i = 0; i < particles.size(); ++i) {
    (particles.family[i] == Family::black_hole ? holes : others).push_back(i);
  }
  if (holes.empty() || holes.size() > 2) {
    throw Error("black holes", "the file has " + std::to_string(holes.size()), "the measure needs one or two");
  }
  const std::size_t first = holes[0], last = holes.back();
  const Motion from = holes.size() == 2 ? Motion{particles.position[first], particles.velocity[first]}
                                        : centre_without(particles, others);
  return {static_cast<int>(holes.size()), std::sqrt(distance_squared(particles.position[last], from.position)),
          std::sqrt(distance_squared(particles.velocity[last], from.velocity))};
}

}  // namespace hornbeam::analysis
