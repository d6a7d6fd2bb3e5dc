// SPDX-License-Identifier: Apache-2.0
// What goes on record of merging, bouncing, meeting and leaving bodies: against closed forms, and the same on all
// backends.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <tuple>

#include "hornbeam/events.h"
#include "hornbeam/simulation.h"
#include "support/bodies.h"
#include "support/devices.h"
#include "support/meetings.h"

namespace hornbeam {
namespace {

/// Bodies of radius 0.5 on straight ways, the centres of which pass one another at 0.6: they touch 0.8 before.
Particles grazing_pair() {
  Particles p;
  p.resize(2);
  p.position = {{0, 0, 0}, {2, 0.6, 0}};
  p.velocity = {{0, 0, 0}, {-1, 0, 0}};
  p.id = {70, 50};
  p.mass = {1, 3};
  p.radius = {0.5, 0.5};
  return p;
}

SimulationOptions swept(CollisionLaw law) {
  SimulationOptions o;
  o.collisions.law = law;
  o.collisions.detection = Detection::swept;
  o.gravity.eps = 0.1;
  o.dt = 1;
  return o;
}

TEST(Events, TellHowTwoBodiesTouched) {
  const double angle = std::asin(0.6) * 180 / std::numbers::pi;
  for (const std::string& backend : every_backend()) {
    for (const CollisionLaw law : {CollisionLaw::merge, CollisionLaw::constant, CollisionLaw::halt}) {
      SimulationOptions o = swept(law);
      if (law == CollisionLaw::constant) o.collisions.record_above = 0.5;
      Simulation simulation = of_bodies(backend, grazing_pair(), o);
      simulation.step();
      EXPECT_TRUE(simulation.events().empty()) << backend;
      simulation.step();
      ASSERT_EQ(simulation.events().size(), 1U) << backend;
      const Event& e = simulation.events().front();
      const bool merges = law == CollisionLaw::merge;  // the heavier one remains
      EXPECT_EQ(name(e.kind), merges ? "merged" : law == CollisionLaw::halt ? "halted" : "bounced");
      EXPECT_EQ(e.ids, merges ? (IdPair{50, 70}) : (IdPair{70, 50})) << backend;
      EXPECT_EQ(e.mass, merges ? (std::array<double, 2>{3, 1}) : (std::array<double, 2>{1, 3})) << backend;
      EXPECT_EQ(e.speed, 1) << backend;
      EXPECT_NEAR(e.contact_time, 1.2, 1e-14) << backend;  // rounding of a root
      EXPECT_NEAR(e.angle, angle, 1e-12) << backend;
    }
  }
}

TEST(Events, BouncesBelowTheLimitAreNone) {
  for (const std::string& backend : every_backend()) {
    SimulationOptions o = swept(CollisionLaw::constant);
    for (const auto& limit : {std::optional<double>(1.0), std::optional<double>()}) {
      o.collisions.record_above = limit;
      Simulation simulation = of_bodies(backend, grazing_pair(), o);
      simulation.run(3);
      EXPECT_TRUE(simulation.events().empty()) << backend;
      EXPECT_EQ(simulation.collisions().number, 1U) << backend;
    }
  }
}

TEST(Events, LeavingIsToldWithTheSpeedAndTheDirection) {
  Particles p;
  p.resize(3);
  p.position = {{4.9, 0, 0}, {0, 0, 0}, {0, -4.9, 0}};
  p.velocity = {{3, 4, 0}, {0, 0, 0}, {0, -2, 0}};
  p.id = {9, 8, 7};
  p.mass = {1, 2, 3};
  SimulationOptions o;
  o.boundary.size = {10, 10, 10};
  o.self_gravity = false;
  o.gravity.eps = 0.1;
  o.dt = 0.1;
  for (const std::string& backend : every_backend()) {
    Simulation simulation = of_bodies(backend, p, o);
    simulation.step();
    ASSERT_EQ(simulation.events().size(), 2U) << backend;
    const Event &first = simulation.events()[0], &second = simulation.events()[1];
    EXPECT_EQ(name(first.kind), "left");
    EXPECT_EQ(first.ids, (IdPair{9, 9})) << backend;
    EXPECT_EQ(first.mass, (std::array<double, 2>{1, 0})) << backend;
    EXPECT_EQ(first.speed, 5) << backend;
    EXPECT_NEAR(first.angle, (std::atan2(4, 3) - std::atan2(0.4, 5.2)) * 180 / std::numbers::pi, 1e-12) << backend;
    EXPECT_EQ(first.contact_time, simulation.time()) << backend;
    EXPECT_EQ(second.ids, (IdPair{7, 7})) << backend;
    EXPECT_EQ(second.angle, 0) << backend;
    simulation.step();
    EXPECT_TRUE(simulation.events().empty()) << backend;
  }
}

auto values(const Event& e) { return std::tuple(e.kind, e.contact_time, e.ids, e.mass, e.speed, e.angle); }

/// All events of so many steps, and the particles at the end.
std::vector<Event> events_of(Simulation& simulation, int steps) {
  std::vector<Event> all;
  for (int k = 0; k < steps; ++k) {
    simulation.step();
    all.insert(all.end(), simulation.events().begin(), simulation.events().end());
  }
  return all;
}

void expect_equal(const std::vector<Event>& a, const std::vector<Event>& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_TRUE(values(a[k]) == values(b[k])) << what << ", event " << k;
}

/// A crowd, some of which leave.
SimulationOptions of_crowd(CollisionLaw law, Detection detection) {
  SimulationOptions o;
  o.boundary.size = {8, 8, 8};
  o.self_gravity = false;  // which is rounded in other ways on other backends
  o.collisions.law = law;
  o.collisions.detection = detection;
  if (law == CollisionLaw::constant) o.collisions.record_above = 0;
  o.gravity.eps = 0.1;
  o.dt = 1.0 / 16;  // v dt is exact, so that fused additions change no bits
  return o;
}

Particles crowd_with_ids() {
  Particles p = crowd(600, {7, 7, 7}, 0.1, 0.4, 11);
  for (std::size_t i = 0; i < p.size(); ++i) p.id[i] = 10000 - 7 * i;
  return p;
}

TEST(Events, OfACrowdAreTheSameOnAllBackendsAndAccountForAll) {
  const Particles start = crowd_with_ids();
  const double mass = std::accumulate(start.mass.begin(), start.mass.end(), 0.0);
  for (const Detection detection : {Detection::overlap, Detection::swept}) {
    for (const CollisionLaw law : {CollisionLaw::merge, CollisionLaw::constant}) {
      std::vector<Event> first;
      for (const std::string& backend : every_backend()) {
        const std::string what = backend + ", " + std::string(name(law)) + ", " + std::string(name(detection));
        Simulation simulation = of_bodies(backend, start, of_crowd(law, detection));
        const std::vector<Event> all = events_of(simulation, 40);
        std::size_t left = 0;
        double taken = 0;
        for (const Event& e : all) {
          left += e.kind == EventKind::left ? 1 : 0;
          taken += e.kind == EventKind::left ? e.mass[0] : 0;
        }
        const Particles end = simulation.snapshot().particles;
        EXPECT_GT(left, 50U) << what;
        EXPECT_EQ(all.size() - left, simulation.collisions().number) << what;
        EXPECT_EQ(end.size(), start.size() - left - (law == CollisionLaw::merge ? all.size() - left : 0)) << what;
        EXPECT_NEAR(std::accumulate(end.mass.begin(), end.mass.end(), taken), mass, 1e-12 * mass) << what;  // rounding
        if (first.empty()) first = all;
        expect_equal(all, first, what);
      }
    }
  }
}

TEST(Events, GoOnTheSameFromACheckpoint) {
  for (const std::string& backend : every_backend()) {
    SimulationOptions o = of_crowd(CollisionLaw::merge, Detection::swept);
    Simulation whole = of_bodies(backend, crowd_with_ids(), o);
    events_of(whole, 15);
    o.resumed = true;
    o.backend = backend;
    o.gravity.G = 1e-30;
    Simulation resumed(whole.checkpoint(), o);
    expect_equal(events_of(resumed, 25), events_of(whole, 25), backend);
  }
}

}  // namespace
}  // namespace hornbeam
