// SPDX-License-Identifier: Apache-2.0
// Bodies that halt the run where they meet, that meet within a step, and particles that leave an open box: the other
// half of meetings_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hornbeam/error.h"
#include "hornbeam/simulation.h"
#include "support/bodies.h"
#include "support/devices.h"
#include "support/meetings.h"

namespace hornbeam {
namespace {

// ------------------------------------------------------------------------------------------------------------ halt

TEST(Meetings, HaltKeepsWhoMetThoughTheyLeave) {
  Particles p;
  p.resize(4);
  p.position = {{4.99, 0, 0}, {4.6, 3, 0}, {4.95, 3, 0}, {0, 0, 0}};
  p.velocity = {{1, 0, 0}, {3, 0, 0}, {1, 0, 0}, {0, 0, 0}};
  p.id = {100, 11, 12, 77};
  p.radius.assign(4, 0.2);
  p.mass.assign(4, 1);
  SimulationOptions o;
  o.boundary.size = {10, 10, 10};
  o.collisions.law = CollisionLaw::halt;
  o.gravity.eps = 0.1;
  o.dt = 0.1;
  for (const std::string& backend : every_backend()) {
    Simulation simulation = of_bodies(backend, p, o);
    simulation.step();
    EXPECT_EQ(simulation.halted(), (std::vector<IdPair>{{11, 12}})) << backend;
    EXPECT_EQ(simulation.snapshot().particles.size(), 4U) << backend;
  }
}

TEST(Meetings, HaltTellsWhoMet) {
  Particles p = two({2.55, 0, 0}, {1, 0, 0}, {0, 0, 0}, 1, 1);
  p.id = {30, 20};
  for (const std::string& backend : every_backend()) {
    SimulationOptions o;
    o.backend = backend;
    o.collisions.law = CollisionLaw::halt;
    o.gravity.G = 1e-30;
    o.gravity.eps = 0.1;
    o.dt = 0.125;
    Snapshot start;
    start.particles = p;
    Simulation simulation(start, o);
    simulation.run(0.49);
    EXPECT_TRUE(simulation.halted().empty()) << backend;
    simulation.run(0.6);
    EXPECT_EQ(simulation.halted(), (std::vector<IdPair>{{30, 20}})) << backend;
    EXPECT_EQ(simulation.snapshot().particles.velocity[0][0], 1) << "nothing happened to it";
  }
}

/// Three pairs that come together in one step at t = 0.25, and another that follows at t = 1.5.
Snapshot four_pairs() {
  Snapshot start;
  Particles& p = start.particles;
  p.resize(8);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double apart = i < 6 ? 0.8 : 3.2, side = i % 2 == 0 ? -0.5 : 0.5;
    p.position[i] = {static_cast<double>(i / 2) * 100 + side * apart, 0, 0};
    p.velocity[i] = {-2 * side, 0, 0};
    p.id[i] = 40 - i;
  }
  p.radius.assign(p.size(), 0.2);
  p.mass.assign(p.size(), 1);
  return start;
}

TEST(Meetings, AllPairsOfAStepHaltTheRunAndEachOnce) {
  const std::vector<IdPair> first = {{40, 39}, {38, 37}, {36, 35}}, second = {{34, 33}};
  for (const std::string& backend : every_backend()) {
    for (const Detection detection : {Detection::overlap, Detection::swept}) {
      SimulationOptions o;
      o.backend = backend;
      o.collisions.law = CollisionLaw::halt;
      o.collisions.detection = detection;
      o.gravity.G = 1e-30;
      o.gravity.eps = 0.1;
      o.dt = 1.0 / 32;
      Simulation simulation(four_pairs(), o);
      simulation.run(2);
      EXPECT_EQ(simulation.halted(), first) << backend;
      EXPECT_NEAR(simulation.time(), 0.2, o.dt) << backend;
      SimulationOptions resumed = o;
      resumed.collided = simulation.collisions();
      Simulation again(simulation.snapshot(), resumed);
      for (Simulation* run : {&simulation, &again}) {  // the three pairs touch for many steps more
        run->run(2);
        EXPECT_EQ(run->halted(), second) << backend;
        EXPECT_NEAR(run->time(), 1.4, o.dt) << backend;
        EXPECT_EQ(run->collisions().number, 4U) << backend;
        run->run(2);
        EXPECT_TRUE(run->halted().empty()) << backend;
        EXPECT_GE(run->time(), 2) << backend;
      }
    }
  }
}

// ------------------------------------------------------------------------------------------------------------ swept

TEST(Meetings, AFastBodyBouncesWithinTheStep) {
  // 10 to the left of its target at the begin of a step in which it comes 30 far
  Particles p = two({-20, 0, 0}, {0, 0, 0}, {30, 0, 0}, 1, 1);
  std::swap(p.velocity[0], p.velocity[1]);
  p.position = {{20, 0.6, 0}, {0, 0, 0}};
  p.velocity = {{30, 0, 0}, {0, 0, 0}};
  CollisionOptions swept = constant(1);
  swept.detection = Detection::swept;
  // it touched at x = -sqrt(4 - 0.36), at an angle
  const double touch = -1.9078784028338913, ago = (20 - touch) / 30, along = -touch / 2, across = 0.6 / 2;
  const double push = 30 * along;  // elastic, equal masses: the speed along the line of centres goes over
  for (const std::string& backend : every_backend()) {
    EXPECT_EQ(collided(backend, p, Boundary{}, constant(1), nullptr, 1).velocity, p.velocity) << backend;
    const Particles after = collided(backend, p, Boundary{}, swept, nullptr, 1);
    EXPECT_NEAR(after.velocity[1][0], push * along, 1e-13) << backend;
    EXPECT_NEAR(after.velocity[1][1], -push * across, 1e-13) << backend;
    EXPECT_NEAR(after.position[1][0], push * along * ago, 1e-12) << backend;
    EXPECT_NEAR(after.position[0][0], 20 - push * along * ago, 1e-12) << backend;
    EXPECT_NEAR(after.position[0][1], 0.6 + push * across * ago, 1e-12) << backend;
    // not within the last third of the step, when it had passed
    EXPECT_EQ(collided(backend, p, Boundary{}, swept, nullptr, 0.3).velocity, p.velocity) << backend;
  }
}

/// Whether spheres on straight ways touched and approached within the last dt.
bool have_met(const Vec3& way, const Vec3& v, double reach, double dt) {
  const double along = dot(way, v), v2 = dot(v, v), closest = along / v2;
  const double miss2 = dot(way, way) - along * closest;
  if (miss2 >= reach * reach) return false;
  const double entry = closest + std::sqrt((reach * reach - miss2) / v2);
  return entry >= 0 && closest < std::min(entry, dt);
}

TEST(Meetings, NoneIsMissedWithinTheStep) {
  for (const BoundaryKind kind : {BoundaryKind::open, BoundaryKind::periodic, BoundaryKind::shear}) {
    for (unsigned seed = 1; seed <= 4; ++seed) {
      const Vec3 size = {9, 8, kind == BoundaryKind::shear ? 2.0 : 7.0};
      const double dt = seed % 2 == 1 ? 0.3 : 0.05;
      Particles p = crowd(300, size, 0.002, 0.4, seed);
      const Boundary boundary = box(kind, size);
      if (kind == BoundaryKind::shear) {
        for (std::size_t i = 0; i < p.size(); ++i) p.velocity[i][1] -= 1.5 * 0.7 * p.position[i][0];
      }
      std::uint64_t expected = 0;
      for (std::size_t a = 0; a < p.size(); ++a) {
        for (std::size_t b = a + 1; b < p.size(); ++b) {
          for (const SourceImage& image : neighbouring_images(boundary, 0.3)) {
            Vec3 way, v;
            for (int k = 0; k < 3; ++k) {
              way[k] = p.position[b][k] - p.position[a][k] + image.shift[k];
              v[k] = p.velocity[b][k] - p.velocity[a][k] + image.velocity[k];
            }
            if (have_met(way, v, p.radius[a] + p.radius[b], dt)) ++expected;
          }
        }
      }
      CollisionOptions count;
      count.law = CollisionLaw::halt;
      count.detection = Detection::swept;
      CollisionOptions bounce = constant(0.5);
      bounce.detection = Detection::swept;
      const Particles on_cpu = collided("cpu", p, boundary, bounce, nullptr, dt);
      for (const std::string& backend : every_backend()) {
        CollisionTotals totals;
        collided(backend, p, boundary, count, &totals, dt);
        EXPECT_EQ(totals.number, expected) << backend << seed;
        const Particles after = collided(backend, p, boundary, bounce, nullptr, dt);
        expect_same(after, on_cpu, backend);
        if (kind == BoundaryKind::open) {
          for (int k = 0; k < 3; ++k) EXPECT_NEAR(momentum(after)[k], momentum(p)[k], 1e-12) << backend;
        }
      }
    }
  }
}

Vec3 orbital_turning(const Particles& p) {
  Vec3 sum{};
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3 &x = p.position[i], &v = p.velocity[i];
    for (int k = 0; k < 3; ++k) {
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      sum[k] += p.mass[i] * (x[a] * v[b] - x[b] * v[a]);
    }
  }
  return sum;
}

// Bodies bounce where they touched and go on from there: the next kick is by the accelerations at their new places.
TEST(Meetings, ThoseThatBounceWithinAStepKeepTheirAngularMomentum) {
  SimulationOptions o;
  o.collisions = constant(0.5);
  o.collisions.detection = Detection::swept;
  o.gravity.theta = 0;
  o.gravity.eps = 0.05;
  o.dt = 0.1;
  Particles p = crowd(300, {1, 1, 1}, 0.03, 0.03, 5);
  p.mass.assign(p.size(), 1.0 / 300);
  const Vec3 before = orbital_turning(p);
  for (const std::string& backend : every_backend()) {
    Simulation simulation = of_bodies(backend, p, o);
    for (int step = 0; step < 5; ++step) simulation.step();
    EXPECT_GT(simulation.collisions().number, 50U) << backend;
    const Vec3 after = orbital_turning(simulation.snapshot().particles);
    // rounding of accelerations in mixed; by those from before they bounced it would be 1e-4
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(after[k], before[k], 1e-6) << backend;
  }
}

TEST(Meetings, ABodyThatCrossesTheBoxIsRefused) {
  Particles p = two({5, 0, 0}, {900, 0, 0}, {}, 1, 1);
  CollisionOptions swept = constant(1);
  swept.detection = Detection::swept;
  EXPECT_THROW(collided("cpu", p, box(BoundaryKind::periodic, {9, 8, 7}), swept, nullptr, 0.01), Error);
}

// ------------------------------------------------------------------------------------------------------- open boxes

TEST(Meetings, WhatLeavesAnOpenBoxIsGone) {
  Particles p;
  constexpr std::size_t n = 400;
  p.resize(n);
  for (std::size_t i = 0; i < n; ++i) {  // on rays, so that each leaves at a time of its own
    const double angle = 0.1 * static_cast<double>(i);
    p.position[i] = {0.01 * static_cast<double>(i) - 2, 0.001 * static_cast<double>(i), 0};
    p.velocity[i] = {std::cos(angle), std::sin(angle), 0.3 * std::sin(7 * angle)};
    p.mass[i] = 1;
    p.id[i] = 1000 + i;
  }
  SimulationOptions o;
  o.boundary.size = {6, 4, 0};
  o.gravity.G = 1e-30;
  o.gravity.eps = 0.1;
  o.dt = 0.1;
  for (const std::string& backend : every_backend()) {
    o.backend = backend;
    Snapshot start;
    start.particles = p;
    Simulation simulation(start, o);
    std::vector<std::uint64_t> expected;
    for (std::size_t i = 0; i < n; ++i) {
      bool inside = true;
      for (int k = 1; k <= 15; ++k) {
        for (int axis = 0; axis < 2; ++axis) {
          inside = inside && std::abs(p.position[i][axis] + 0.1 * k * p.velocity[i][axis]) <= o.boundary.size[axis] / 2;
        }
      }
      if (inside) expected.push_back(p.id[i]);
    }
    for (int k = 0; k < 15; ++k) simulation.step();
    const Snapshot there = simulation.snapshot();
    EXPECT_EQ(there.particles.id, expected) << backend;
    EXPECT_EQ(simulation.size(), expected.size()) << backend;
    const std::size_t i = expected.size() / 2;
    const std::size_t was = expected[i] - 1000;
    EXPECT_NEAR(there.particles.position[i][0], p.position[was][0] + 1.5 * p.velocity[was][0], 1e-12) << backend;
    simulation.run(100);  // all leave: the box is empty, and steps go on
    EXPECT_EQ(simulation.size(), 0U) << backend;
    EXPECT_EQ(simulation.snapshot().particles.size(), 0U) << backend;
    EXPECT_EQ(simulation.energies().total(), 0) << backend;
  }
}

TEST(Meetings, WhatDoesNotGoTogetherIsRefused) {
  Snapshot start;
  start.particles = two({5, 0, 0}, {}, {}, 1, 1);
  start.particles.eps = {0.1, 0.1};
  SimulationOptions o;
  o.boundary.size = {20, 20, 20};
  o.steps = Steps::block;
  EXPECT_THROW(Simulation(start, o), UsageError);
  SimulationOptions sheet;
  sheet.boundary = box(BoundaryKind::shear, {20, 20, 0});
  sheet.collisions = merging();
  sheet.collisions.detection = Detection::swept;
  sheet.dt = 0.5 / 0.7;
  EXPECT_THROW(Simulation(start, sheet), UsageError);
  CollisionOptions smooth = constant(0.5);
  smooth.friction = 0.1;
  EXPECT_THROW(smooth.validate(), UsageError);
  EXPECT_THROW(rough(0.5, 1.5).validate(), UsageError);
  EXPECT_THROW(rough(0.5, NAN).validate(), UsageError);
}

}  // namespace
}  // namespace hornbeam
