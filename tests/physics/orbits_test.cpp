// SPDX-License-Identifier: Apache-2.0
// Two bodies on an orbit whose motion is known: order of the integrator, what it conserves, reversal of time.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "hornbeam/simulation.h"

namespace hornbeam {
namespace {

/// Masses 1 and 0.5 on an orbit of eccentricity 0.5 and semi-major axis 1 about their centre of mass, at pericentre.
constexpr double mass1 = 1.0, mass2 = 0.5, total_mass = mass1 + mass2, eccentricity = 0.5;
const double period = 2 * std::numbers::pi / std::sqrt(total_mass);

Snapshot binary() {
  Snapshot s;
  s.particles.resize(2);
  const double r = 1 - eccentricity, v = std::sqrt(total_mass * (1 + eccentricity) / (1 - eccentricity));
  s.particles.mass = {mass1, mass2};
  s.particles.position = {{-r * mass2 / total_mass, 0, 0}, {r * mass1 / total_mass, 0, 0}};
  s.particles.velocity = {{0, -v * mass2 / total_mass, 0}, {0, v * mass1 / total_mass, 0}};
  return s;
}

Simulation start(int steps_per_period, Precision precision = Precision::fp64) {
  SimulationOptions o;
  o.dt = period / steps_per_period;
  o.gravity.precision = precision;
  o.threads = 1;
  return {binary(), o};
}

void advance(Simulation& simulation, int steps) {
  for (int i = 0; i < steps; ++i) simulation.step();
}

/// Distance of the first body from where it began, after one period.
double closing_error(int steps) {
  Simulation simulation = start(steps);
  advance(simulation, steps);
  const Vec3 now = simulation.snapshot().particles.position[0], then = binary().particles.position[0];
  return std::hypot(now[0] - then[0], now[1] - then[1], now[2] - then[2]);
}

TEST(Orbit, ErrorFallsWithTheSquareOfTheStep) {
  const double coarse = closing_error(1000), middle = closing_error(2000), fine = closing_error(4000);
  // the next order is (dt / t_pericentre)^4: below 3 % here
  EXPECT_NEAR(std::log2(coarse / middle), 2, 0.05);
  EXPECT_NEAR(std::log2(middle / fine), 2, 0.02);
  EXPECT_LT(fine, 1e-3);
}

TEST(Orbit, EnergyErrorDoesNotDrift) {
  Simulation simulation = start(400);
  const double e0 = simulation.energies().total();
  EXPECT_NEAR(e0, -mass1 * mass2 / 2, 1e-14);  // -G m1 m2 / 2a
  double early = 0, late = 0;
  for (int orbit = 0; orbit < 100; ++orbit) {
    advance(simulation, 400);
    double& worst = orbit < 50 ? early : late;
    worst = std::max(worst, std::abs(simulation.energies().total() / e0 - 1));
  }
  // A symplectic step returns to its energy every orbit, but for the phase at which the orbit has precessed to.
  EXPECT_LT(early, 1e-3);
  EXPECT_LT(late, 1.5 * early);
}

TEST(Orbit, MomentaAreConservedToRounding) {
  Simulation simulation = start(200);
  const Energies before = simulation.energies();
  EXPECT_NEAR(before.angular_momentum[2],
              mass1 * mass2 / total_mass * std::sqrt(total_mass * (1 - eccentricity * eccentricity)), 1e-14);
  advance(simulation, 2000);
  const Energies after = simulation.energies();
  for (int k = 0; k < 3; ++k) {
    // equal and opposite pulls along the line between the bodies: only the rounding of 2000 steps of 1e-16 is left
    EXPECT_NEAR(after.momentum[k], before.momentum[k], 1e-13);
    EXPECT_NEAR(after.angular_momentum[k], before.angular_momentum[k], 1e-13);
  }
}

TEST(Orbit, MixedPrecisionFollowsTheSameOrbit) {
  Simulation exact = start(500), mixed = start(500, Precision::mixed);
  advance(exact, 500), advance(mixed, 500);
  const Vec3 a = exact.snapshot().particles.position[1], b = mixed.snapshot().particles.position[1];
  // pulls are known to 3e-7; over one orbit of this eccentricity errors grow tenfold
  EXPECT_LT(std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), 1e-5);
}

}  // namespace
}  // namespace hornbeam
