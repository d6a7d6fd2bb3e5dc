// SPDX-License-Identifier: Apache-2.0
// A run that is stopped and goes on from its checkpoint has the bits of one that was not: all kinds of steps,
// softenings, walks, opening criteria and precisions, on the CPU and every device.
#include <gtest/gtest.h>

#include <tuple>

#include "hornbeam/error.h"
#include "hornbeam/ics.h"
#include "hornbeam/simulation.h"
#include "support/devices.h"

namespace hornbeam {
namespace {

constexpr std::size_t count = 300;

/// A cuspy model whose particles spread over three rungs.
SimulationOptions stepping(Steps steps) {
  SimulationOptions o;
  o.dt = 1.0 / 16;
  o.steps = steps;
  o.eta = 0.25;
  o.gravity.eps = 0.02;
  o.threads = 2;
  return o;
}

const Snapshot& start() {
  static const Snapshot drawn = ics::make("hernquist", count, ics::Seed{11});
  return drawn;
}

/// Whether two simulations hold the same bits.
void expect_equal(const Simulation& one, const Simulation& other, const std::string& what) {
  const Snapshot a = one.checkpoint(), b = other.checkpoint();
  EXPECT_EQ(a.particles.position, b.particles.position) << what;
  EXPECT_EQ(a.particles.velocity, b.particles.velocity) << what;
  EXPECT_EQ(a.particles.acceleration, b.particles.acceleration) << what;
  EXPECT_EQ(a.particles.potential, b.particles.potential) << what;
  EXPECT_EQ(a.particles.rung, b.particles.rung) << what;
  EXPECT_EQ(a.particles.rung_before, b.particles.rung_before) << what;
  EXPECT_EQ(a.particles.acceleration_before, b.particles.acceleration_before) << what;
  EXPECT_EQ(one.time(), other.time()) << what;
  EXPECT_EQ(one.energies().total(), other.energies().total()) << what;
}

/// Whether a checkpoint after `steps`, and as many more from it, give the bits of all of them; what these cost.
BlockReport expect_the_same_bits(SimulationOptions options, const Snapshot& from, const std::string& what,
                                 int steps = 2) {
  Simulation whole(from, options);
  for (int i = 0; i < steps; ++i) whole.step();
  const Snapshot checkpoint = whole.checkpoint();
  options.resumed = true;
  options.costs = whole.costs();
  Simulation rest(checkpoint, options);
  EXPECT_EQ(rest.energies().total(), whole.energies().total()) << what;
  for (int i = 0; i < steps; ++i) {
    whole.step();
    rest.step();
  }
  expect_equal(whole, rest, what);
  return whole.block_report();
}

class Restart : public testing::TestWithParam<std::tuple<Steps, Walk, Softening>> {};

TEST_P(Restart, GivesTheSameBits) {
  const auto [steps, walk, softening] = GetParam();
  for (const std::string& backend : every_backend()) {
    if (backend == "cpu" && walk == Walk::vote) continue;  // for GPUs
    for (const Mac mac : {Mac::offset, Mac::relative}) {
      SimulationOptions o = stepping(steps);
      o.backend = backend;
      o.gravity.walk = walk, o.gravity.softening = softening, o.gravity.mac = mac;
      expect_the_same_bits(o, start(), backend + " " + std::string(name(mac)));
      const bool has_usual_accuracy =
          walk == Walk::group && softening == Softening::plummer && mac == GravityOptions{}.mac;
      if (!has_usual_accuracy) continue;  // angles decide there in any case: resolved()
      o.gravity.accuracy = 0;
      expect_the_same_bits(o, start(), backend + " by angles, " + std::string(name(mac)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Matrix, Restart,
                         testing::Combine(testing::Values(Steps::shared, Steps::block, Steps::symmetrised),
                                          testing::Values(Walk::group, Walk::stackless, Walk::vote, Walk::direct),
                                          testing::Values(Softening::plummer, Softening::spline)),
                         [](const auto& info) {
                           return std::string(name(std::get<0>(info.param))) + "_" +
                                  std::string(name(std::get<1>(info.param))) + "_" +
                                  std::string(name(std::get<2>(info.param)));
                         });

// Of the few particles of the other tests none walks for block steps on a device: few pairs are summed directly, on a
// processor 500 times fewer than on a GPU.
TEST(RestartOf, BlockStepsThatWalk) {
  for (const std::string& backend : device_backends()) {
    const double many = open_device(backend, 0)->shares_host_memory() ? 4000 : 25000;
    const Snapshot from = ics::make("hernquist", static_cast<std::size_t>(many), ics::Seed{12});
    SimulationOptions o = stepping(Steps::block);
    o.backend = backend;
    o.gravity.theta = 1.2;  // bits are compared, not forces: a third of the interactions of 0.6
    o.eta = 0.025;
    o.max_rung = 1;  // nine tenths are on it
    const BlockReport made = expect_the_same_bits(o, from, backend, 1);
    EXPECT_GT(static_cast<double>(made.rungs[0].particles), 0.02 * many) << backend << ": not all were due";
    const RungCost& some = made.rungs[1];
    EXPECT_LT(static_cast<double>(some.interactions.particle), 0.5 * many * static_cast<double>(some.due))
        << backend << ": no direct sums";
  }
}

TEST(RestartOf, OtherCriteriaAndCurves) {
  for (const std::string& backend : every_backend()) {
    for (const Mac mac : {Mac::bh, Mac::offset_box, Mac::min_distance}) {
      SimulationOptions o = stepping(Steps::block);
      o.backend = backend;
      o.gravity.mac = mac;
      expect_the_same_bits(o, start(), backend + " " + std::string(name(mac)));
    }
    for (const Curve curve : {Curve::morton, Curve::none}) {
      SimulationOptions o = stepping(Steps::block);
      o.backend = backend;
      o.gravity.curve = curve, o.gravity.walk = Walk::stackless;
      expect_the_same_bits(o, start(), backend + " " + std::string(name(curve)));
    }
  }
}

TEST(RestartOf, EveryPrecisionWithAnOddConstantOfGravity) {
  for (const std::string& backend : every_backend()) {
    for (const Precision precision : {Precision::mixed, Precision::single, Precision::fp64}) {
      SimulationOptions o = stepping(Steps::block);
      o.backend = backend;
      o.gravity.precision = precision, o.gravity.mac = Mac::relative;
      o.gravity.G = 43007.1;  // accelerations in the user's units are not those held
      o.dt /= 256;
      expect_the_same_bits(o, start(), backend + " " + std::string(name(precision)));
    }
  }
}

TEST(RestartOf, RungsByTheChangeOfAccelerationOwnSofteningAndPotentials) {
  Snapshot from = start();
  from.particles.eps.resize(count);
  for (std::size_t i = 0; i < count; ++i) from.particles.eps[i] = 0.01 * static_cast<double>(1 + i % 3);
  for (const std::string& backend : every_backend()) {
    SimulationOptions o = stepping(Steps::block);
    o.backend = backend;
    o.gravity.eps = -1;
    o.eta_change = 0.1;
    ExternalPotential halo;
    halo.kind = PotentialKind::nfw;
    halo.mass = 3, halo.scale = 2, halo.velocity = {0.1, 0, 0};
    o.potentials = {halo};
    expect_the_same_bits(o, from, backend);
  }
}

TEST(RestartOf, TreesThatAgeFast) {
  for (const std::string& backend : every_backend()) {
    SimulationOptions o = stepping(Steps::block);
    o.backend = backend;
    o.eta = 0.1;
    o.costs = {.cell = 1, .expansion = 1, .build = 1e-3};  // a new tree wherever there is the least reason
    expect_the_same_bits(o, start(), backend);
  }
}

/// Whether a longest step that is given up after its first sub-step, and before its last, and then made, leaves no
/// trace; two such steps.
void expect_no_trace(const SimulationOptions& options, const Snapshot& from, const std::string& what) {
  Simulation whole(from, options), tried(from, options);
  for (int step = 0; step < 2; ++step) {
    for (const int last : {1, 3}) {
      int made = 0;
      Simulation::Passing passing;
      passing.go_on = [&](double time) {
        EXPECT_GT(time, tried.time());
        return ++made < last;
      };
      EXPECT_FALSE(tried.step(passing)) << what;
      EXPECT_EQ(made, last) << what;
      expect_equal(tried, whole, what);
      EXPECT_EQ(tried.block_report().builds, whole.block_report().builds) << what;
    }
    EXPECT_TRUE(tried.can_give_up()) << what;
    EXPECT_TRUE(tried.step()) << what;
    whole.step();
    expect_equal(tried, whole, what);
    EXPECT_EQ(tried.block_report().builds, whole.block_report().builds) << what;
  }
}

TEST(GivenUpSteps, LeaveNoTrace) {
  ExternalPotential halo;
  halo.kind = PotentialKind::nfw;
  halo.mass = 3, halo.scale = 2, halo.velocity = {0.1, 0, 0};
  for (const std::string& backend : every_backend()) {
    for (const Walk walk : {Walk::group, Walk::stackless, Walk::direct}) {
      SimulationOptions o = stepping(Steps::block);
      o.backend = backend;
      o.gravity.walk = walk;
      expect_no_trace(o, start(), backend + " " + std::string(name(walk)));
    }
    SimulationOptions o = stepping(Steps::block);
    o.backend = backend;
    o.gravity.mac = Mac::relative;
    o.potentials = {halo};
    expect_no_trace(o, start(), backend + " relative");
  }
}

TEST(RestartOf, NeedsWhatTheStepsNeed) {
  Simulation shared(start(), stepping(Steps::shared));
  SimulationOptions block = stepping(Steps::block);
  block.resumed = true;
  EXPECT_THROW(Simulation(shared.checkpoint(), block), UsageError);  // no rungs
}

}  // namespace
}  // namespace hornbeam
