// SPDX-License-Identifier: Apache-2.0
// The centre that Lagrangian radii and profiles are measured from.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

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
Vec3 median(std::span<const Body> bodies) {
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

Vec3 centre_of_mass(std::span<const Body> bodies) {
  std::array<CompensatedSum, 3> moment;
  CompensatedSum mass;
  for (const Body& b : bodies) {
    for (int k = 0; k < 3; ++k) moment[k].add(b.mass * b.position[k]);
    mass.add(b.mass);
  }
  return {moment[0].value() / mass.value(), moment[1].value() / mass.value(), moment[2].value() / mass.value()};
}

/// By shrinking spheres: of the `fewest` that are left, which lie in the core, but are too few for a steady centre.
Vec3 densest_place(std::span<Body> bodies, std::size_t fewest) {
  Vec3 centre = median(bodies);
  while (bodies.size() > fewest) {
    const std::size_t kept = std::max(fewest, bodies.size() * 4 / 5);
    const auto nearer = [&](const Body& a, const Body& b) {
      return distance_squared(a.position, centre) < distance_squared(b.position, centre);
    };
    std::nth_element(bodies.begin(), bodies.begin() + static_cast<std::ptrdiff_t>(kept), bodies.end(), nearer);
    bodies = bodies.first(kept);
    centre = centre_of_mass(bodies);
  }
  return centre_of_mass(bodies);
}

/// How far out from the innermost `fewest` the mass within r grows faster than r^(3/2), in shells that make half as
/// many bodies again: a core's edge, that of a uniform ball or disc, and of a cusp a radius within its bend. Sorts them
/// by distance.
double reach_of_core(std::span<Body> bodies, const Vec3& centre, std::size_t fewest) {
  constexpr double least_slope = 1.5;
  const auto square = [&](const Body& b) { return distance_squared(b.position, centre); };
  std::sort(bodies.begin(), bodies.end(), [&](const Body& a, const Body& b) { return square(a) < square(b); });
  const auto mass_of = [&](std::size_t begin, std::size_t end) {
    CompensatedSum mass;
    for (const Body& b : bodies.subspan(begin, end - begin)) mass.add(b.mass);
    return mass.value();
  };
  std::size_t inside = fewest;
  double mass = mass_of(0, inside);
  while (inside < bodies.size()) {
    const std::size_t shell = inside + (inside + 1) / 2, next = std::min(shell, bodies.size());
    const double more = mass + mass_of(inside, next), here = square(bodies[inside - 1]);
    // the last few count as a whole shell: too few to find a slope, yet one of them may be far out
    const double growth = next < shell ? 1.5 : more / mass;
    if (std::log(growth) < least_slope * 0.5 * std::log(square(bodies[next - 1]) / here)) return std::sqrt(here);
    inside = next;
    mass = more;
  }
  return std::sqrt(square(bodies.back()));
}

/// The centre whose surroundings, weighted by (1 + (r / scale)^2)^(-5/2), balance. Steadier than a mean over a sphere:
/// what is at the edge counts little, and no particle more than the others in the core.
Vec3 balance(std::span<const Body> bodies, Vec3 centre, double scale) {
  constexpr int most_rounds = 100;
  constexpr double enough = 1e-6;
  for (int round = 0; round < most_rounds; ++round) {
    std::array<CompensatedSum, 3> moment;
    CompensatedSum weight;
    for (const Body& b : bodies) {
      const double q = 1 + distance_squared(b.position, centre) / (scale * scale), w = b.mass / (q * q * std::sqrt(q));
      for (int k = 0; k < 3; ++k) moment[k].add(w * (b.position[k] - centre[k]));
      weight.add(w);
    }
    double most = 0;
    for (int k = 0; k < 3; ++k) {
      const double way = moment[k].value() / weight.value();
      centre[k] += way;
      most = std::max(most, std::abs(way));
    }
    if (most <= enough * scale) break;
  }
  return centre;
}

/// From the densest place on: the core's reach, then the balance of what is near, once more about what that has found.
Vec3 centre_about(std::span<Body> bodies, Vec3 centre, std::size_t fewest) {
  constexpr double near = 8;  // in reaches of the core: what is beyond weighs less than 3e-5
  for (int round = 0; round < 2; ++round) {
    const double scale = reach_of_core(bodies, centre, fewest);
    if (!(scale > 0)) return centre;
    const auto is_near = [&](const Body& b) {
      return distance_squared(b.position, centre) < near * near * scale * scale;
    };
    const auto around = std::partition_point(bodies.begin(), bodies.end(), is_near);
    centre = balance({bodies.begin(), around}, centre, scale);
  }
  return centre;
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
  // Few enough to lie in the core.
  const std::size_t fewest = std::max<std::size_t>(100, bodies.size() / 100);
  const Vec3 densest = densest_place(bodies, fewest);
  return bodies.size() > fewest ? centre_about(bodies, densest, fewest) : densest;
}

}  // namespace hornbeam::analysis
