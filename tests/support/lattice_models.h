// SPDX-License-Identifier: Apache-2.0
// Periodic boxes with gravity, and particles that fill them, of tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "hornbeam/boundary.h"
#include "stages/wrap.h"
#include "support/forces.h"

// A name of its own: other tests have lattices, too.
namespace hornbeam::lattice_models {

inline Boundary lattice(const Vec3& size) {
  Boundary boundary;
  boundary.kind = BoundaryKind::periodic;
  boundary.size = size;
  return boundary;
}

/// Uniform, or with half of the mass in two clumps; along open axes within half of the longest period.
inline Particles scattered(std::size_t n, const Vec3& size, bool clumps, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  std::normal_distribution<double> normal(0, 0.03);
  const double longest = *std::max_element(size.begin(), size.end());
  std::vector<Vec3> position(n);
  std::vector<double> mass(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) {
      const double edge = size[k] > 0 ? size[k] : longest / 2;
      position[i][k] = edge * uniform(random);
      if (clumps && i % 2 == 0) position[i][k] = edge * ((i % 4 == 0 ? 0.48 : -0.1) + normal(random));
      if (size[k] > 0) position[i][k] = mixed::wrapped(position[i][k], size[k]);
    }
    mass[i] = (1 + uniform(random)) / static_cast<double>(n);
  }
  return at_rest(position, mass);
}

/// Rungs that make those active from rung 1 on whose acceleration over eps is above f^2 of the largest; their number.
inline std::uint64_t activate_strong(ParticleSystem& system, double f) {
  const double eta = f * std::sqrt(system.leapfrog().largest_pull_over_eps());
  return system.leapfrog().choose_rungs({.longest = 1, .eta = eta, .eta_change = 0, .deepest = 6}, 0, 0).from(1);
}

}  // namespace hornbeam::lattice_models
