// SPDX-License-Identifier: Apache-2.0
// Motion in a periodic box.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "hornbeam/simulation.h"
#include "stages/wrap.h"
#include "support/devices.h"
#include "tree/boundary.h"

namespace hornbeam {
namespace {

Boundary cube(double size, int n_ghost) {
  Boundary boundary;
  boundary.kind = BoundaryKind::periodic;
  boundary.size = {size, size, size};
  boundary.n_ghost = {n_ghost, n_ghost, 0};
  return boundary;
}

/// Equal masses on a circle of radius 1/2 about `centre`, period 2 pi.
Snapshot binary(const Vec3& centre) {
  Snapshot s;
  s.particles.resize(2);
  s.particles.mass = {0.5, 0.5};
  for (int k = 0; k < 3; ++k) s.particles.position[0][k] = s.particles.position[1][k] = centre[k];
  s.particles.position[0][0] += 0.5;
  s.particles.position[1][0] -= 0.5;
  s.particles.velocity = {{0, 0.5, 0}, {0, -0.5, 0}};
  return s;
}

constexpr int steps_of_a_period = 100;
constexpr double edge = 1e5;

Snapshot after_a_period(const Vec3& centre, const std::string& backend, Steps steps) {
  SimulationOptions o;
  o.backend = backend;
  o.boundary = cube(edge, 1);
  o.dt = 2 * std::numbers::pi / steps_of_a_period;
  o.gravity.eps = 1e-3;
  o.gravity.precision = Precision::fp64;
  o.steps = steps;
  o.eta = 0.4;  // rung 2
  Simulation simulation(binary(centre), o);
  for (int i = 0; i < steps_of_a_period; ++i) simulation.step();
  return simulation.snapshot();
}

// The edge of the box is a place like any other: the orbit about it is that about the middle.
TEST(Periodic, BinaryOnTheEdge) {
  for (const std::string& backend : every_backend()) {
    for (const Steps steps : {Steps::block, Steps::shared}) {
      if (steps == Steps::shared && backend != "cpu") continue;  // their blocks have all that shared steps have
      const Snapshot inside = after_a_period({0, 0, 0}, backend, steps);
      const Snapshot across = after_a_period({edge / 2, -edge / 2, edge / 2}, backend, steps);
      for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 3; ++k) {
          const double x = across.particles.position[i][k];
          const double centre = k == 1 ? -edge / 2 : edge / 2;
          EXPECT_GE(x, -edge / 2);
          EXPECT_LT(x, edge / 2);
          // images stand about the box, not about the binary: their acceleration on it is 1e-9 of its own
          EXPECT_NEAR(mixed::wrapped(x - centre, edge), inside.particles.position[i][k], 1e-7) << backend << i << k;
        }
      }
    }
  }
}

TEST(Periodic, FreeParticlesComeBack) {
  Snapshot s;
  s.particles.resize(3);
  s.particles.position = {{0, 0, 0}, {0.9, -0.9, 0.5}, {5.25, 0, -17}};
  s.particles.velocity = {{1, 0.5, -0.25}, {3, -3, 8}, {0, 0, 0}};
  s.particles.mass = {0, 0, 0};
  SimulationOptions o;
  o.boundary = cube(2, 0);
  o.dt = 0.125;
  for (const std::string& backend : every_backend()) {
    o.backend = backend;
    Simulation simulation(s, o);
    simulation.run(5);
    const Particles now = simulation.snapshot().particles, between = simulation.snapshot_at(5.0625).particles;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {  // these numbers have no rounding
        const double x = s.particles.position[i][k], v = s.particles.velocity[i][k];
        EXPECT_NEAR(now.position[i][k], mixed::wrapped(x + 5 * v, 2.0), 1e-14) << backend << i << k;
        EXPECT_NEAR(between.position[i][k], mixed::wrapped(x + 5.0625 * v, 2.0), 1e-14) << backend << i << k;
      }
    }
  }
}

}  // namespace
}  // namespace hornbeam
