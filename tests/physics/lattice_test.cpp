// SPDX-License-Identifier: Apache-2.0
// Motion under the gravity of an infinite lattice: uniform matter stays at rest, waves grow or oscillate as the
// dispersion relation says, and the energy is conserved across the walls (docs/periodic.md).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "hornbeam/simulation.h"
#include "stages/wrap.h"
#include "support/devices.h"

namespace hornbeam {
namespace {

using std::numbers::pi;

/// A cubic lattice of n^3 particles in a box of edge 1 and mass 1 about the origin.
Snapshot lattice_of(int n) {
  Snapshot s;
  const auto count = static_cast<std::size_t>(n) * n * n;
  s.particles.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at[3] = {i / (static_cast<std::size_t>(n) * n), i / n % n, i % n};
    for (int k = 0; k < 3; ++k) s.particles.position[i][k] = (static_cast<double>(at[k]) + 0.5) / n - 0.5;
    s.particles.mass[i] = 1.0 / static_cast<double>(count);
  }
  return s;
}

SimulationOptions in_a_cube() {
  SimulationOptions o;
  o.backend = "cpu";
  o.boundary.kind = BoundaryKind::periodic;
  o.boundary.size = {1, 1, 1};
  o.gravity.eps = 0;
  return o;
}

/// Amplitude of displacements along x as sin(2 pi x) of the undisturbed positions.
double amplitude(const Particles& p, const Particles& undisturbed) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double x = undisturbed.position[i][0];
    sum += mixed::wrapped(p.position[i][0] - x, 1.0) * std::sin(2 * pi * x);
  }
  return 2 * sum / static_cast<double>(p.size());
}

// The rate is sqrt(4 pi G rho), here 3.545: a growing wave of 16 particles a wavelength, to 1 %.
TEST(PeriodicGravity, ColdMatterGrows) {
  const Snapshot rest = lattice_of(16);
  const double rate = std::sqrt(4 * pi), start = 0.004;
  Snapshot wave = rest;
  wave.particles.velocity.assign(wave.particles.size(), Vec3{});
  for (std::size_t i = 0; i < wave.particles.size(); ++i) {
    const double displacement = start * std::sin(2 * pi * rest.particles.position[i][0]);
    wave.particles.position[i][0] += displacement;
    wave.particles.velocity[i][0] = rate * displacement;
  }
  SimulationOptions o = in_a_cube();
  o.dt = 1.0 / 64;
  Simulation s(wave, o);
  s.run(0.5);
  const double found = std::log(amplitude(s.snapshot().particles, rest.particles) / start) / s.time();
  EXPECT_NEAR(found / rate, 1, 0.01);
}

// Without a background it would collapse within a time of 0.6.
TEST(PeriodicGravity, UniformMatterStays) {
  for (const std::string& backend : every_backend()) {
    SimulationOptions o = in_a_cube();
    o.backend = backend;
    o.dt = 1.0 / 32;
    Simulation s(lattice_of(8), o);
    s.run(0.5);
    double squares = 0;
    for (const Vec3& v : s.snapshot().particles.velocity) squares += v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    EXPECT_LT(std::sqrt(squares / 512), 5e-3) << backend;  // errors of theta, of which the rate 3.5 makes 2 e-folds
  }
}

/// A bound clump that drifts through a wall.
Snapshot clump() {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal(0, 1);
  Snapshot s;
  s.particles.resize(600);
  for (std::size_t i = 0; i < 600; ++i) {
    for (int k = 0; k < 3; ++k) {
      s.particles.position[i][k] = mixed::wrapped(0.45 + 0.06 * normal(random), 1.0);
      s.particles.velocity[i][k] = 1 + 1.2 * normal(random);
    }
    s.particles.mass[i] = 1.0 / 600;
  }
  return s;
}

TEST(PeriodicGravity, EnergyIsConservedAcrossTheWalls) {
  for (const Steps steps : {Steps::shared, Steps::block}) {
    SimulationOptions o = in_a_cube();
    o.dt = steps == Steps::shared ? 1.0 / 512 : 1.0 / 64;
    o.steps = steps;
    o.eta = 0.1;
    o.gravity.eps = 0.03;
    o.gravity.theta = 0.4;
    Simulation s(clump(), o);
    const double start = s.energies().total();
    s.run(0.25);
    // the 1e-3 of the energies that are exchanged, here the kinetic one
    EXPECT_NEAR(s.energies().total(), start, 1e-3 * s.energies().kinetic) << static_cast<int>(steps);
  }
}

}  // namespace
}  // namespace hornbeam
