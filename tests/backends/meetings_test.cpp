// SPDX-License-Identifier: Apache-2.0
// What bodies that meet may do beside bouncing smoothly: rub and spin, and merge. Against what mechanics says, and the
// same bits on every backend. meetings_swept_test.cpp goes on.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hornbeam/error.h"
#include "hornbeam/simulation.h"
#include "support/bodies.h"
#include "support/devices.h"
#include "support/meetings.h"

namespace hornbeam {
namespace {

Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// About the origin, spins included.
Vec3 angular_momentum(const Particles& p) {
  Vec3 sum{};
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3 orbit = cross(p.position[i], p.velocity[i]);
    for (int k = 0; k < 3; ++k) {
      sum[k] += p.mass[i] * (orbit[k] + 0.4 * p.radius[i] * p.radius[i] * p.spin[i][k]);
    }
  }
  return sum;
}

/// Spins included.
double energy(const Particles& p) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    sum += 0.5 * p.mass[i] *
           (dot(p.velocity[i], p.velocity[i]) + 0.4 * p.radius[i] * p.radius[i] * dot(p.spin[i], p.spin[i]));
  }
  return sum;
}

Particles spinning_crowd(std::size_t n, const Vec3& size, unsigned seed) {
  Particles p = crowd(n, size, 0.1, 0.6, seed);
  std::mt19937_64 random(seed + 100);
  std::normal_distribution<double> normal;
  p.spin.resize(n);
  for (Vec3& spin : p.spin) spin = {normal(random), normal(random), normal(random)};
  return p;
}

// ------------------------------------------------------------------------------------------------ friction and spin

TEST(Meetings, FrictionOfTwoIsThatOfSolidSpheres) {
  Particles p = two({2, 0, 0}, {1, 0.7, 0}, {0, 0, 0}, 1, 1);
  p.spin = {{0, 0, 0}, {0, 0, 0}};
  for (const std::string& backend : every_backend()) {
    // the surfaces slip at 0.7; stuck, 2/7 of that is taken from the centres' speeds, and 5/7 go into the spins
    Particles after = collided(backend, p, Boundary{}, rough(0.5, 0));
    EXPECT_NEAR(after.velocity[1][1] - after.velocity[0][1], -0.7 * 5 / 7, 1e-15) << backend;
    EXPECT_NEAR(after.spin[0][2], -2.5 * 0.5 * (2.0 / 7) * 0.7, 1e-15) << backend;
    EXPECT_EQ(after.spin[0][2], after.spin[1][2]) << backend;
    // what is left of the slip is what was requested, whatever spins there were
    p.spin = {{0.3, -0.2, 1.1}, {-0.5, 0.9, 0.4}};
    const auto slip = [](const Particles& q) {
      const Vec3 turn = {q.spin[0][0] + q.spin[1][0], q.spin[0][1] + q.spin[1][1], q.spin[0][2] + q.spin[1][2]};
      return Vec3{0, q.velocity[1][1] - q.velocity[0][1] - turn[2], q.velocity[1][2] - q.velocity[0][2] + turn[1]};
    };
    for (const double left : {-1.0, -0.3, 0.6}) {
      after = collided(backend, p, Boundary{}, rough(0.2, left));
      for (int k = 1; k < 3; ++k) EXPECT_NEAR(slip(after)[k], left * slip(p)[k], 1e-14) << backend << left;
    }
    // Coulomb: no more than friction times what presses
    CollisionOptions limited = rough(0.5, 0);
    limited.friction = 0.05;
    p.spin.assign(2, Vec3{});
    after = collided(backend, p, Boundary{}, limited);
    EXPECT_NEAR(after.velocity[0][1] - 0.7, -0.05 * (1.5 / 2), 1e-15) << backend;
    p.spin.assign(2, Vec3{});
  }
}

TEST(Meetings, FrictionKeepsMomentaAndRoughElasticSpheresTheEnergy) {
  const Particles start = spinning_crowd(600, {8, 8, 7}, 3);
  const double mass = std::accumulate(start.mass.begin(), start.mass.end(), 0.0);
  const Particles on_cpu = collided("cpu", start, Boundary{}, rough(0.3, 0));
  for (const std::string& backend : every_backend()) {
    for (const double left : {0.0, -1.0}) {
      CollisionTotals totals;
      const Particles after = collided(backend, start, Boundary{}, rough(left < 0 ? 1 : 0.3, left), &totals);
      EXPECT_GT(totals.number, 100U);
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(momentum(after)[k], momentum(start)[k], 1e-13 * mass) << backend;
        EXPECT_NEAR(angular_momentum(after)[k], angular_momentum(start)[k], 2e-12 * mass) << backend;
      }
      EXPECT_NEAR(energy(after) / energy(start), left < 0 ? 1 : 0.5, left < 0 ? 1e-13 : 0.48) << backend;
      if (left == 0) expect_same(after, on_cpu, backend);
    }
  }
}

// A free spin is a vector at rest, which the sheet turns under.
TEST(Meetings, SpinsTurnInASheet) {
  Particles p = two({20, 0, 0}, {}, {}, 1, 1);
  p.position = {{0, 0, 0}, {30, 0, 0}};
  p.spin = {{1, 0, 0.5}, {0, 0, 0}};
  SimulationOptions o;
  o.boundary = box(BoundaryKind::shear, {100, 100, 0});
  o.collisions = rough(0.5, 0.5);
  o.self_gravity = false;
  o.dt = 0.01;
  for (const std::string& backend : every_backend()) {
    o.backend = backend;
    Snapshot start;
    start.particles = p;
    Simulation simulation(start, o);
    simulation.run(1);
    const auto expect_turned = [&](const Vec3& spin, double time) {
      EXPECT_NEAR(spin[0], std::cos(0.7 * time), 1e-12) << backend;
      EXPECT_NEAR(spin[1], -std::sin(0.7 * time), 1e-12) << backend;
      EXPECT_EQ(spin[2], 0.5) << backend;
    };
    expect_turned(simulation.snapshot().particles.spin[0], 1);
    expect_turned(simulation.snapshot_at(1.004).particles.spin[0], 1.004);
  }
}

// ---------------------------------------------------------------------------------------------------------- merging

TEST(Meetings, TwoBecomeOne) {
  Particles p = two({1.5, 0.5, 0}, {1, 0, 0.2}, {-0.5, 0.3, 0}, 1, 3);
  p.radius = {0.9, 1.2};
  p.id = {7, 5};
  p.spin = {{0, 0, 1}, {0.5, 0, 0}};
  for (const std::string& backend : every_backend()) {
    SimulationOptions o;
    o.backend = backend;
    o.collisions = merging();
    o.gravity.G = 1e-30;
    o.gravity.eps = 0.1;
    o.dt = 1e-9;
    Snapshot start;
    start.particles = p;
    Simulation simulation(start, o);
    simulation.step();
    const Particles after = simulation.snapshot().particles;
    ASSERT_EQ(after.size(), 1U) << backend;
    EXPECT_EQ(simulation.size(), 1U);
    EXPECT_EQ(after.id[0], 5U) << "the heavier one";
    EXPECT_EQ(after.mass[0], 4) << backend;
    EXPECT_NEAR(after.radius[0], std::cbrt(0.9 * 0.9 * 0.9 + 1.2 * 1.2 * 1.2), 4e-16) << backend;
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(after.velocity[0][k], momentum(p)[k] / 4, 1e-15) << backend;
      EXPECT_NEAR(after.position[0][k], (p.position[0][k] + 3 * p.position[1][k]) / 4, 2e-9) << backend;
      EXPECT_NEAR(angular_momentum(after)[k], angular_momentum(p)[k], 1e-8) << backend;
    }
    simulation.run(5e-9);  // and on
    EXPECT_EQ(simulation.size(), 1U) << backend;
  }
}

/// Merging for some steps, in a box.
Particles merged(const std::string& backend, const Particles& start, BoundaryKind kind, int steps,
                 int resumed_after = -1) {
  SimulationOptions o;
  o.backend = backend;
  o.boundary = box(kind, {9, 8, 7});
  o.collisions = merging();
  o.gravity.G = 1e-30;
  o.gravity.eps = 0.1;
  o.self_gravity = kind != BoundaryKind::shear;
  o.dt = 0.01;
  Snapshot snapshot;
  snapshot.particles = start;
  Simulation simulation(snapshot, o);
  for (int k = 0; k < steps; ++k) {
    if (k == resumed_after) {
      SimulationOptions on = o;
      on.resumed = true;
      simulation = Simulation(simulation.checkpoint(), on);
    }
    simulation.step();
  }
  EXPECT_EQ(simulation.energies().kinetic >= 0, true);
  return simulation.snapshot().particles;
}

TEST(Meetings, CrowdsMergeAlikeOnEveryBackendAndAfterARestart) {
  const Particles start = spinning_crowd(500, {9, 8, 7}, 11);
  for (const BoundaryKind kind : {BoundaryKind::open, BoundaryKind::periodic, BoundaryKind::shear}) {
    const Particles expected = merged("cpu", start, kind, 6);
    EXPECT_LT(expected.size(), 400U);
    EXPECT_GT(expected.size(), 10U);
    EXPECT_NEAR(std::accumulate(expected.mass.begin(), expected.mass.end(), 0.0),
                std::accumulate(start.mass.begin(), start.mass.end(), 0.0), 1e-10);
    for (const std::string& backend : every_backend()) {
      const Particles found = merged(backend, start, kind, 6);
      expect_same(merged(backend, start, kind, 6, 2), found, backend + " resumed");
      EXPECT_EQ(found.id, expected.id) << backend;
      EXPECT_TRUE(found.velocity == expected.velocity) << backend;  // drifts are fused on devices, positions are not
    }
    if (kind != BoundaryKind::open) continue;
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(momentum(expected)[k], momentum(start)[k], 1e-11);
      EXPECT_NEAR(angular_momentum(expected)[k], angular_momentum(start)[k], 1e-10);
    }
  }
}

// What has merged did not exist before, so it is not traced back beyond that.
TEST(Meetings, AMergedBodyMeetsOthersOnItsOwnWayAlone) {
  Particles p;
  p.resize(3);
  p.position = {{0, 0, 0}, {9, 0.19, 0}, {4.1922, -0.1, 0}};  // before a step of 1
  p.velocity = {{0, 0, 0}, {-10, 0, 0}, {-4.2305, 0, 0}};
  p.mass = {1e-12, 1e-12, 1e-13};
  p.radius.assign(3, 0.1);
  SimulationOptions o;
  o.collisions = merging();
  o.collisions.detection = Detection::swept;
  o.gravity.eps = 0.1;
  for (const std::string& backend : every_backend()) {
    std::vector<Particles> found;
    for (const double dt : {1.0, 1.0 / 64}) {
      o.dt = dt;
      Simulation simulation = of_bodies(backend, p, o);
      simulation.run(1);
      found.push_back(simulation.snapshot().particles);
    }
    ASSERT_EQ(found[0].size(), 2U) << backend;
    EXPECT_NEAR(found[0].spin[0][2] / found[1].spin[0][2], 1, 1e-9) << backend;
  }
}

TEST(Meetings, MergingInASheetCountsItsTurningAndEndsInTheBox) {
  Particles p = two({0.599, 0.01, 0.1}, {0.1, 0.3, 0}, {-0.2, -0.6, -0.3}, 1, 2);
  p.position = {{4.9, 0, 0.02}, {-4.501, 0.01, 0.12}};  // across the wall
  p.radius = {0.3, 0.4};
  p.spin = {{0.1, 0.2, 0.3}, {0, -0.1, 0.2}};
  SimulationOptions o;
  o.boundary = box(BoundaryKind::shear, {10, 10, 0});
  o.boundary.omega = 1;
  o.collisions = merging();
  o.self_gravity = false;
  o.dt = 1e-7;
  for (const std::string& backend : every_backend()) {
    Simulation simulation = of_bodies(backend, p, o);
    simulation.step();
    const Particles after = simulation.snapshot().particles;
    ASSERT_EQ(after.size(), 1U) << backend;
    EXPECT_LE(std::abs(after.position[0][0]), 5) << backend;
    // inertial: velocities next to one another with the turning, spins with it
    const Vec3 d = {0.599, 0.01, 0.1};
    const Vec3 beside = {-0.3 - d[1], -0.9 - 15 + d[0], -0.3};  // the image beyond the wall drifts by -3/2 omega size
    const Vec3 orbit = cross(d, beside);
    const double r2 = std::pow(std::cbrt(0.027 + 0.064), 2), mu = 2.0 / 3, i1 = 0.4 * 0.09, i2 = 0.4 * 2 * 0.16;
    for (int k = 0; k < 3; ++k) {
      const double turning = k == 2 ? 1 : 0;
      const double whole = mu * orbit[k] + i1 * (p.spin[0][k] + turning) + i2 * (p.spin[1][k] + turning);
      EXPECT_NEAR(after.spin[0][k], whole / (0.4 * 3 * r2) - turning, 1e-4) << backend << k;
    }
  }
}

TEST(Meetings, ResumedWhereOneEpsIsLeftAndBodiesAreLarge) {
  Particles p = spinning_crowd(120, {2, 2, 2}, 7);
  p.eps.assign(p.size(), 0.05);
  p.eps[3] = 0.2;
  p.position[3] = {2.4, 0, 0};
  p.velocity[3] = {30, 0, 0};  // leaves at once
  SimulationOptions o;
  o.boundary.size = {5, 5, 5};
  o.collisions = merging();
  o.dt = 0.01;
  for (const std::string& backend : every_backend()) {
    o.backend = backend;
    Snapshot start;
    start.particles = p;
    Simulation whole(start, o), first(start, o);
    whole.run(0.2);
    first.run(0.1);
    SimulationOptions on = o;
    on.resumed = true;
    Simulation second(first.checkpoint(), on);
    second.run(0.2);
    expect_same(second.snapshot().particles, whole.snapshot().particles, backend);
  }
}

TEST(Meetings, SpinsOfBodiesThatDoNotCollideTurn) {
  Particles p = two({20, 0, 0}, {}, {}, 1, 1);
  p.spin = {{1, 0, 0}, {0, 0, 0}};
  SimulationOptions o;
  o.boundary = box(BoundaryKind::shear, {100, 100, 0});
  o.self_gravity = false;
  o.dt = 0.1;
  Simulation simulation = of_bodies("cpu", p, o);
  simulation.run(1);
  EXPECT_NEAR(simulation.snapshot().particles.spin[0][1], -std::sin(0.7), 1e-12);
}

}  // namespace
}  // namespace hornbeam
