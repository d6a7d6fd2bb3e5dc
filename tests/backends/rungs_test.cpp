// SPDX-License-Identifier: Apache-2.0
// What block steps ask of a backend: rungs, kicks by rung, walks for those that are due, trees that are refitted.
#include <gtest/gtest.h>

#include <cmath>

#include "support/devices.h"
#include "support/forces.h"

namespace hornbeam {
namespace {

GravityOptions in_small_groups() {
  GravityOptions o = by_angles();
  o.eps = 0.02;
  o.group_size = 32;
  return o;
}

constexpr StepRule rule = {.longest = 0.25, .eta = 0.2, .eta_change = 0, .deepest = 10};

ParticleSystem walked(const std::string& backend, const Particles& p, const GravityOptions& o) {
  ParticleSystem device = with_tree(backend, p, o);
  device.evaluate();
  return device;
}

TEST(Rungs, RefittedTreesAreAsGoodAsNewOnes) {
  Particles p = drawn("plummer", 4000);
  for (const std::string& backend : every_backend()) {
    Forces expected;  // where all drifts end
    for (const Mac mac : {Mac::offset, Mac::bh, Mac::min_distance, Mac::relative}) {
      GravityOptions o = in_small_groups();
      o.mac = mac;
      double errors[2];
      for (const bool refits : {false, true}) {
        ParticleSystem device = walked(backend, p, o);
        device.leapfrog().drift(0.1);  // a seventh of a half-mass radius: most particles leave their leaves
        if (refits) {
          device.refit();
        } else {
          device.build_tree();
        }
        device.evaluate();
        Particles now = p;
        const Forces field = forces_of(device, now);
        if (expected.empty()) expected = exact(now, o);
        errors[refits ? 1 : 0] = rms_difference(field, expected);
      }
      // cells are opened no later than those of a new tree; their shapes are worse
      EXPECT_LT(errors[1], 1.5 * errors[0]) << backend << " " << name(mac);
    }
  }
}

// Nothing is known of |a| before the first walk: these walks find it by `offset`, of which the refit must know.
TEST(Rungs, TreesRefittedBeforeAnyWalkAreAsGoodAsAfterOne) {
  Particles p = drawn("plummer", 4000);
  GravityOptions o = in_small_groups();
  o.mac = Mac::relative;
  o.walk = Walk::stackless;
  o.leaf_size = 16;
  Forces cpu;
  for (const std::string& backend : {std::string("cpu"), every_backend().front()}) {
    double errors[2];
    Forces field, expected;
    for (const bool walks : {true, false}) {
      ParticleSystem device = with_tree(backend, p, o);
      if (walks) device.evaluate();
      device.leapfrog().drift(0.1);
      device.refit();
      device.evaluate();
      Particles now = p;
      field = forces_of(device, now);
      if (expected.empty()) expected = exact(now, o);
      errors[walks ? 0 : 1] = rms_difference(field, expected);
    }
    EXPECT_NEAR(errors[1] / errors[0], 1, 0.1) << backend;  // the |a| they go by is another
    if (cpu.empty()) cpu = field;
    EXPECT_LT(rms_difference(field, cpu), 2e-5) << backend;  // fp32 sums, and cells at the edge of a criterion
  }
}

TEST(Rungs, OnlyParticlesThatAreDueWalk) {
  Particles p = drawn("hernquist", 4000);
  for (const std::string& backend : every_backend()) {
    for (const Walk walk : {Walk::group, Walk::stackless, Walk::direct}) {
      GravityOptions o = in_small_groups();
      o.walk = walk;
      ParticleSystem device = walked(backend, p, o);
      const RungCensus census = device.leapfrog().choose_rungs(rule, 0, 0);
      ASSERT_GT(census.deepest(), 1) << backend;
      Particles now = p;
      const Forces before = forces_of(device, now);
      device.leapfrog().drift(0.01), device.refit();
      const int least = census.deepest() - 1;
      device.evaluate_due(least);
      const Forces after = forces_of(device, now);
      const std::uint64_t of_due = device.interactions().particle;
      device.domain().save(now);
      device.evaluate();
      Particles then = p;
      const Forces whole = forces_of(device, then);
      std::size_t stayed = 0;
      for (std::size_t i = 0; i < p.size(); ++i) {
        const bool is_due = now.rung[i] >= least;
        // other groups, or direct sums for few: truncation, not rounding
        if (is_due) {
          EXPECT_LT(relative_difference(after[i], whole[i]), 2e-2) << backend << " " << name(walk) << " " << i;
        }
        if (after[i] == before[i]) {
          ++stayed;
          EXPECT_FALSE(is_due) << backend << " " << name(walk) << " " << i;
        }
      }
      EXPECT_GT(stayed, p.size() / 4) << backend << " " << name(walk);
      EXPECT_LT(of_due, device.interactions().particle) << backend << " " << name(walk);
    }
  }
}

constexpr StepRule most_on_1 = {.longest = 0.25, .eta = 0.1, .eta_change = 0, .deepest = 1};

// So many that devices do not sum for them directly: they lay them out and walk by groups of them.
TEST(Rungs, ManyThatAreDueWalkAsWellAsAll) {
  Particles p = drawn("hernquist", 25000);
  p.position[7] = {1e6, 0, 0};  // no group of due particles may reach to it
  for (const std::string& backend : every_backend()) {
    for (const Mac mac : {Mac::offset, Mac::relative}) {
      GravityOptions o = in_small_groups();
      o.mac = mac;
      ParticleSystem device = walked(backend, p, o);
      device.leapfrog().choose_rungs(most_on_1, 0, 0), device.leapfrog().drift(0.001), device.refit();
      device.evaluate_due(1);
      Particles now = p;
      const Forces after = forces_of(device, now);
      device.domain().save(now);
      device.evaluate();
      Particles then = p;
      const Forces whole = forces_of(device, then);
      double difference = 0, size = 0;
      std::size_t due = 0;
      for (std::size_t i = 0; i < p.size(); ++i) {
        if (now.rung[i] < 1) continue;
        const double d = relative_difference(after[i], whole[i]);
        difference += d * d, ++due;
        size = std::max(size, std::abs(after[i][3] - whole[i][3]));
      }
      ASSERT_GT(due, 20000u) << backend;  // times 25,000 pairs each
      ASSERT_LT(due, p.size()) << backend;
      // either differs from the exact field by its truncation, at theta = 0.6 about 3e-4
      EXPECT_LT(std::sqrt(difference / static_cast<double>(due)), 2e-3) << backend << " " << name(mac);
      EXPECT_LT(size, 5e-3) << backend << " " << name(mac);  // of potentials of about 1: none counts itself
    }
  }
}

TEST(Rungs, BackendsChooseTheSame) {
  Particles p = drawn("hernquist", 3000);
  ParticleSystem cpu = walked("cpu", p, in_small_groups());
  cpu.domain().save(p);
  for (const double change : {0.0, 0.05}) {
    StepRule both = rule;
    both.eta_change = change;
    Particles expected = p;
    for (const std::string& backend : every_backend()) {
      ParticleSystem device = open_system(backend, 0, 0);
      device.load(p, in_small_groups());
      device.build_tree();
      p.rung.clear();
      device.restore(p);
      const RungCensus census = device.leapfrog().choose_rungs(both, 0, 0);
      device.leapfrog().kick_rungs(both, 1);
      Particles now = p;
      device.domain().save(now);
      if (backend == every_backend().front()) expected = now;
      EXPECT_EQ(now.rung, expected.rung) << backend;
      EXPECT_EQ(census.from(0), p.size()) << backend;
      EXPECT_EQ(census.beyond, 0u) << backend;
      for (std::size_t i = 0; i < p.size(); ++i) {
        EXPECT_EQ(now.velocity[i] == p.velocity[i], now.rung[i] == 0) << backend << " " << i;
      }
    }
  }
}

TEST(Rungs, LargestPullIsFound) {
  Particles p = drawn("plummer", 3000);
  p.eps.assign(p.size(), 0.1);
  p.eps[17] = 0.001, p.eps[18] = 0;
  GravityOptions o = in_small_groups();
  o.eps = -1;
  for (const std::string& backend : every_backend()) {
    ParticleSystem device = walked(backend, p, o);
    Particles now = p;
    const Forces field = forces_of(device, now);
    double largest = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      if (p.eps[i] > 0) largest = std::max(largest, acceleration_size(field[i]) / p.eps[i]);
    }
    EXPECT_NEAR(device.leapfrog().largest_pull_over_eps() / largest, 1, 1e-6) << backend;  // eps^2 in fp32
  }
}

TEST(Rungs, GoingBackIsExact) {
  const Particles p = drawn("plummer", 1000);
  for (const std::string& backend : every_backend()) {
    ParticleSystem device = walked(backend, p, in_small_groups());
    Particles before = p, after = p;
    device.domain().save(before);
    device.domain().remember();
    device.leapfrog().kick(3), device.leapfrog().drift(50);  // so far that lengths get another unit
    device.build_tree(), device.evaluate();
    device.domain().go_back();
    device.domain().save(after);
    EXPECT_EQ(before.position, after.position) << backend;
    EXPECT_EQ(before.velocity, after.velocity) << backend;
    EXPECT_EQ(before.acceleration, after.acceleration) << backend;
  }
}

}  // namespace
}  // namespace hornbeam
