// SPDX-License-Identifier: Apache-2.0
// The centre that Lagrangian radii and profiles are measured from.
#include <algorithm>
#include <array>

#include "analysis/compensated_sum.h"
#include "analysis/radial_order.h"
#include "hornbeam/analysis.h"
#include "hornbeam/error.h"

namespace hornbeam::analysis {
namespace {

struct Body {
  Vec3 position;
  double mass;
};

/// The middle of each coordinate's distribution: a start that no distant particle moves.
Vec3 median(const std::vector<Body>& bodies) {
  Vec3 middle;
  std::vector<double> coordinate(bodies.size());
  for (int k = 0; k < 3; ++k) {
    std::transform(bodies.begin(), bodies.end(), coordinate.begin(), [k](const Body& b) { return b.position[k]; });
    const auto half = coordinate.begin() + static_cast<std::ptrdiff_t>(coordinate.size() / 2);
    std::nth_element(coordinate.begin(), half, coordinate.end());
    middle[k] = *half;
  }
  return middle;
}

Vec3 centre_of_mass(const std::vector<Body>& bodies) {
  std::array<CompensatedSum, 3> moment;
  CompensatedSum mass;
  for (const Body& b : bodies) {
    for (int k = 0; k < 3; ++k) moment[k].add(b.mass * b.position[k]);
    mass.add(b.mass);
  }
  return {moment[0].value() / mass.value(), moment[1].value() / mass.value(), moment[2].value() / mass.value()};
}

}  // namespace

Vec3 centre_of_density(const Particles& particles) {
  particles.validate("centre of density");
  std::vector<Body> bodies;
  bodies.reserve(particles.size());
  for (std::size_t i = 0; i < particles.size(); ++i) {
    if (particles.mass[i] > 0.0) bodies.push_back({particles.position[i], particles.mass[i]});
  }
  if (bodies.empty()) throw Error("centre of density", "no particle has mass");
  // Enough bodies for a steady centre, few enough to lie in the core.
  const std::size_t fewest = std::max<std::size_t>(100, bodies.size() / 100);
  Vec3 centre = median(bodies);
  while (bodies.size() > fewest) {
    const std::size_t kept = std::max(fewest, bodies.size() * 4 / 5);
    const auto nearer = [&](const Body& a, const Body& b) {
      return distance_squared(a.position, centre) < distance_squared(b.position, centre);
    };
    std::nth_element(bodies.begin(), bodies.begin() + static_cast<std::ptrdiff_t>(kept), bodies.end(), nearer);
    bodies.resize(kept);
    centre = centre_of_mass(bodies);
  }
  return centre_of_mass(bodies);
}

}  // namespace hornbeam::analysis
