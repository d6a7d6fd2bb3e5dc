// SPDX-License-Identifier: Apache-2.0
// The time loop: order of the integrator, reversibility, copies between steps, restarts, and what is refused.
#include "hornbeam/simulation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "dynamics/particle_system.h"
#include "hornbeam/error.h"
#include "hornbeam/ics.h"

namespace hornbeam {
namespace {

/// Two unit masses on a circle of diameter 1: the separation's period is 2 pi / sqrt(2).
Snapshot circle() {
  Snapshot snapshot;
  Particles& p = snapshot.particles;
  p.resize(2);
  const double v = std::sqrt(0.5);
  p.position = {{0.5, 0, 0}, {-0.5, 0, 0}};
  p.velocity = {{0, v, 0}, {0, -v, 0}};
  p.mass = {1, 1};
  return snapshot;
}
constexpr double period = 2.0 * std::numbers::pi / std::numbers::sqrt2;

SimulationOptions options(double dt) {
  SimulationOptions chosen;
  chosen.backend = "cpu";  // wherever a GPU is, too: tests/backends has the devices
  chosen.dt = dt;
  chosen.gravity.precision = Precision::fp64;
  chosen.threads = 1;
  return chosen;
}

double distance_after_one_period(int steps) {
  Simulation simulation(circle(), options(period / steps));
  for (int i = 0; i < steps; ++i) simulation.step();
  const Vec3 end = simulation.snapshot().particles.position[0];
  return std::hypot(end[0] - 0.5, end[1], end[2]);
}

TEST(Simulation, LeapfrogIsOfSecondOrder) {
  // Halving the step divides the error by four, and by a little else from the next order.
  EXPECT_NEAR(distance_after_one_period(200) / distance_after_one_period(400), 4.0, 0.1);
}

TEST(Simulation, TurnedBackItReturns) {
  Simulation there(circle(), options(0.01));
  for (int i = 0; i < 100; ++i) there.step();
  Snapshot turned = there.snapshot();
  for (Vec3& v : turned.particles.velocity) v = {-v[0], -v[1], -v[2]};
  Simulation back(turned, options(0.01));
  for (int i = 0; i < 100; ++i) back.step();
  // Kick-drift-kick is reversible: only rounding of 100 steps is left.
  EXPECT_NEAR(back.snapshot().particles.position[0][0], 0.5, 1e-12);
}

TEST(Simulation, RunReachesTheEndDespiteRounding) {
  Simulation simulation(circle(), options(0.1));
  simulation.run(1.0);
  EXPECT_EQ(simulation.steps(), 10u);
  EXPECT_NEAR(simulation.time(), 1.0, 1e-14);
}

TEST(Simulation, RunStopsWhenAsked) {
  Simulation simulation(circle(), options(0.1));
  simulation.run(1.0, [](const Simulation& s) { return s.steps() < 3; });
  EXPECT_EQ(simulation.steps(), 3u);
}

TEST(Simulation, CopyBetweenStepsIsOfSecondOrderAndLeavesTheRunAlone) {
  Simulation simulation(circle(), options(0.01)), untouched(circle(), options(0.01));
  simulation.step();
  untouched.step();
  const Snapshot copy = simulation.snapshot_at(0.0137);
  EXPECT_EQ(copy.time, 0.0137);
  EXPECT_TRUE(copy.particles.potential.empty());
  const double angle = 2.0 * std::numbers::pi / period * 0.0137;
  // Leapfrog's own phase error over a step and the Taylor series' third order are both below 1e-6 here.
  EXPECT_NEAR(copy.particles.position[0][0], 0.5 * std::cos(angle), 1e-6);
  EXPECT_NEAR(copy.particles.position[0][1], 0.5 * std::sin(angle), 1e-6);
  simulation.step();
  untouched.step();
  EXPECT_EQ(simulation.snapshot().particles.position, untouched.snapshot().particles.position);
}

class ResumedSimulation : public testing::TestWithParam<Mac> {};

TEST_P(ResumedSimulation, GivesTheSameBits) {
  const Snapshot start = ics::make("plummer", 500, ics::Seed{3});
  SimulationOptions mixed = options(0.01);
  mixed.gravity.precision = Precision::mixed;
  mixed.gravity.eps = 0.05;
  mixed.gravity.mac = GetParam();
  Simulation whole(start, mixed);
  for (int i = 0; i < 5; ++i) whole.step();
  mixed.resumed = true;
  Simulation rest(whole.checkpoint(), mixed);
  for (int i = 0; i < 5; ++i) {
    whole.step();
    rest.step();
  }
  EXPECT_EQ(whole.snapshot().particles.position, rest.snapshot().particles.position);
  EXPECT_EQ(whole.snapshot().particles.velocity, rest.snapshot().particles.velocity);
  EXPECT_EQ(whole.time(), rest.time());
}

INSTANTIATE_TEST_SUITE_P(OpeningCriteria, ResumedSimulation,
                         testing::Values(Mac::bh, Mac::offset, Mac::offset_box, Mac::min_distance, Mac::relative));

TEST(Simulation, ResumedNeedsForces) {
  SimulationOptions resumed = options(0.1);
  resumed.resumed = true;
  EXPECT_THROW(Simulation(circle(), resumed), UsageError);
  resumed.steps = Steps::block;
  resumed.gravity.eps = 0.1;
  Snapshot state = circle();
  Particles& p = state.particles;
  p.acceleration = p.acceleration_before = {Vec3{}, Vec3{}};
  p.potential = {0, 0};
  p.rung = p.rung_before = {0, 3};
  resumed.max_rung = 3;
  EXPECT_NO_THROW(Simulation(state, resumed));
  resumed.max_rung = 2;  // rungs beyond it would be counted outside of their table
  EXPECT_THROW(Simulation(state, resumed), UsageError);
}

TEST(Simulation, ThreadsDoNotChangeBits) {
  const Snapshot start = ics::make("plummer", 3000, ics::Seed{3});
  SimulationOptions one = options(0.01);
  one.gravity.precision = Precision::mixed;
  SimulationOptions two = one;
  two.threads = 2;
  Simulation a(start, one), b(start, two);
  for (Simulation* simulation : {&a, &b}) simulation->step();
  EXPECT_EQ(a.system().threads(), 1);
  EXPECT_EQ(b.system().threads(), 2);
  EXPECT_EQ(a.snapshot().particles.position, b.snapshot().particles.position);
  EXPECT_EQ(a.energies().total(), b.energies().total());
}

TEST(Simulation, SeveralLiveSideBySide) {
  Simulation a(circle(), options(0.01)), b(circle(), options(0.02));
  a.step();
  b.step();
  a.step();
  EXPECT_EQ(a.steps(), 2u);
  EXPECT_EQ(b.steps(), 1u);
  EXPECT_EQ(a.time(), b.time());
}

TEST(Simulation, SnapshotsCarryTheSofteningInUse) {
  Snapshot start = circle();
  start.particles.eps = {0.3, 0.3};
  EXPECT_EQ(Simulation(start, options(0.1)).snapshot().particles.eps, start.particles.eps);
  SimulationOptions softer = options(0.1);
  softer.gravity.eps = 0.5;
  EXPECT_EQ(Simulation(start, softer).snapshot().particles.eps, (std::vector<double>{0.5, 0.5}));
}

TEST(Simulation, NothingAtAllCanBeSimulated) {
  Simulation simulation(Snapshot{}, options(0.1));
  simulation.step();
  EXPECT_EQ(simulation.size(), 0u);
  EXPECT_EQ(simulation.energies().total(), 0.0);
}

/// A circle and a third particle, so fast that it leaves the range of single precision at t = 3.4.
Snapshot with_a_runaway() {
  Snapshot start = circle();
  Particles third;
  third.resize(1);
  third.id = {7}, third.mass = {1}, third.velocity = {{1e38, 0, 0}};
  start.particles.append(third);
  return start;
}

SimulationOptions in_single_precision(Steps steps) {
  SimulationOptions o = options(0.5);
  o.steps = steps, o.gravity.precision = Precision::single, o.gravity.eps = 0.1;
  return o;
}

TEST(Simulation, ReturnsNothingThatIsNotFinite) {
  for (const Steps steps : {Steps::shared, Steps::symmetrised}) {
    Simulation simulation(with_a_runaway(), in_single_precision(steps));
    for (int i = 0; i < 6; ++i) simulation.step();
    EXPECT_NO_THROW((void)simulation.snapshot());
    EXPECT_NO_THROW((void)simulation.energies());
    for (int i = 0; i < 2; ++i) simulation.step();
    EXPECT_THROW((void)simulation.energies(), NotFinite);
    EXPECT_THROW((void)simulation.snapshot(), NotFinite);
    EXPECT_THROW((void)simulation.snapshot_at(simulation.time()), NotFinite);
    EXPECT_THROW((void)simulation.checkpoint(), NotFinite);
    EXPECT_THROW((void)simulation.motions({0}), NotFinite);
    EXPECT_THROW(simulation.run(100), NotFinite) << "without being asked";
    EXPECT_LE(simulation.steps(), 64u);
  }
}

TEST(Simulation, EndsBlockStepsAtAccelerationsThatAreNotFinite) {
  Simulation simulation(with_a_runaway(), in_single_precision(Steps::block));
  for (int i = 0; i < 6; ++i) simulation.step();
  try {
    for (int i = 0; i < 2; ++i) simulation.step();  // which would go on with 2^16 steps each
    FAIL();
  } catch (const NotFinite& e) {
    EXPECT_EQ(std::string(e.what()).rfind("t = 3: the position of particle 2 (id 7)", 0), 0u) << e.what();
  }
}

TEST(Simulation, RefusesAStartWhoseForcesAreNotFinite) {
  Snapshot heavy = circle();
  heavy.particles.mass = {1e308, 1e308};
  SimulationOptions strong = options(0.1);
  strong.gravity.G = 10;
  EXPECT_THROW(Simulation(heavy, strong), NotFinite);
  SimulationOptions resumed = options(0.1);
  Snapshot checkpoint = Simulation(circle(), resumed).checkpoint();
  resumed.resumed = true;
  EXPECT_NO_THROW(Simulation(checkpoint, resumed));
  checkpoint.particles.acceleration[1][0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(Simulation(checkpoint, resumed), Error) << "as any other field that is not finite";
}

TEST(Simulation, ConservingNeedsPullsOfAllAtOneTimeAndNoImages) {
  SimulationOptions o = options(1.0);
  o.gravity.eps = 0.1;
  o.gravity.conserve = true;
  EXPECT_NO_THROW(Simulation(circle(), o));
  o.steps = Steps::block;
  EXPECT_THROW(Simulation(circle(), o), UsageError);
  o.steps = Steps::shared;
  o.boundary.kind = BoundaryKind::periodic;
  o.boundary.size = {10, 10, 10};
  EXPECT_THROW(Simulation(circle(), o), UsageError);
}

TEST(Simulation, TimeThatNoLongerAdvancesIsAnError) {
  Snapshot late = circle();
  late.time = 1e17;
  for (const Steps steps : {Steps::shared, Steps::block, Steps::symmetrised}) {
    SimulationOptions o = options(1.0);
    o.gravity.eps = 0.1;
    o.steps = steps;
    EXPECT_THROW(Simulation(late, o), Error) << name(steps);
    late.time = 1e12;  // where fp64 shows 1e-4 apart
    EXPECT_TRUE(Simulation(late, o).step()) << name(steps);
    late.time = 1e17;
  }
}

TEST(Simulation, SubStepsThatNoLongerAdvanceTimeAreAnError) {
  Snapshot late = circle();
  late.time = 1e12;
  SimulationOptions o = options(1.0);
  o.gravity.eps = 0.1;
  o.steps = Steps::block;
  o.eta = 1e-5, o.max_rung = 20;
  Simulation simulation(late, o);
  try {
    simulation.step();
    FAIL() << "sub-steps of 2^-17 at t = 1e12";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no longer advances"), std::string::npos) << error.what();
  }
}

TEST(Simulation, TimeThatComesToAStandLaterIsAnError) {
  Snapshot late = circle();
  late.time = 0x1p44 - 5;  // from 2^44 on a thousandth of a step is below half of what fp64 distinguishes
  Simulation simulation(late, options(1.0));
  EXPECT_THROW(simulation.run(0x1p45, [](const Simulation& s) { return s.steps() < 1000; }), Error);
  EXPECT_EQ(simulation.steps(), 5u);
}

TEST(Simulation, RefusesStepsThatAreNone) {
  for (const double dt :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(Simulation(circle(), options(dt)), UsageError);
  }
}

TEST(Simulation, RefusesBadParticlesAndOptions) {
  Snapshot bad = circle();
  bad.particles.position[1][2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(Simulation(bad, options(0.1)), Error);
  SimulationOptions wide = options(0.1);
  wide.gravity.theta = 2.5;
  EXPECT_THROW(Simulation(circle(), wide), UsageError);
  SimulationOptions elsewhere = options(0.1);
  elsewhere.backend = "cuda";
  elsewhere.device = 99;  // more than any machine has
  EXPECT_THROW(Simulation(circle(), elsewhere), NoDevice);
}

}  // namespace
}  // namespace hornbeam
