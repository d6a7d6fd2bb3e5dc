// SPDX-License-Identifier: Apache-2.0
// The near images of a lattice, see images.h.
#include "tree/images.h"

#include <algorithm>
#include <cmath>

namespace hornbeam {
namespace {

/// Displacements of two points from the centres of their parts add up to a diagonal at most. The nearest image that is
/// none of the near ones is this many diagonals from where they would be 0, so that expansions converge.
constexpr double diagonals = 1.7;
/// Pairs of parts that take the time of one more image of some 1e5 particles.
constexpr double pairs_an_image = 240;
constexpr double rounding = 1e-9;

int rounded_up(double x) { return static_cast<int>(std::ceil(x - rounding)); }

/// Parts of at most that edge, and what layers they take.
NearImages with_edge(const Vec3& periods, double edge) {
  NearImages near{.parts = {1, 1, 1}, .edge = edge};
  double diagonal2 = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    if (periods[k] > 0) near.parts[k] = std::max(1, rounded_up(periods[k] / edge));
    const double length = periods[k] > 0 ? periods[k] / near.parts[k] : edge;
    diagonal2 += length * length;
  }
  // between centres of parts is at most a period less one part of it
  for (std::size_t k = 0; k < 3; ++k) {
    if (!(periods[k] > 0)) continue;
    const double reach = diagonals * std::sqrt(diagonal2) / periods[k];
    near.layers[k] = std::max(1, rounded_up(reach - 1.0 / near.parts[k]));
  }
  return near;
}

double cost_of(const NearImages& near) {
  double parts = 1, images = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    parts *= near.parts[k];
    images *= 2 * near.layers[k] + 1;
  }
  return parts * parts + pairs_an_image * images;
}

}  // namespace

double shortest_period(const Vec3& periods) {
  double shortest = 0;
  for (const double period : periods) shortest = period > 0 && !(shortest > 0 && shortest < period) ? period : shortest;
  return shortest;
}

NearImages near_images_of(const Vec3& periods) {
  const double least = shortest_period(periods);
  NearImages best = with_edge(periods, least / 2);
  for (int halves = 2; halves <= 8; ++halves) {
    const NearImages other = with_edge(periods, least / 2 * halves);
    if (cost_of(other) < cost_of(best)) best = other;
  }
  return best;
}

}  // namespace hornbeam
