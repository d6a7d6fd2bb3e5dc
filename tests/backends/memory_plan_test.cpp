// SPDX-License-Identifier: Apache-2.0
// What the account of a device's memory says beside what an evaluation comes to hold, block steps and a copy included.
#include "interactions/gravity/memory_plan.h"

#include <gtest/gtest.h>

#include "hornbeam/error.h"
#include "interactions/gravity/evaluation.h"
#include "support/devices.h"
#include "support/forces.h"

namespace hornbeam {
namespace {

using mixed::fitting_leaf_size;
using mixed::memory_need;
using mixed::MemoryNeed;

constexpr std::size_t planned_for = 24000;  // so many that devices walk for those that are due
constexpr StepRule rule = {.longest = 0.25, .eta = 0.2, .eta_change = 0, .deepest = 6};

GravityOptions options(Walk walk) {
  GravityOptions o;
  o.eps = 0.02;
  o.theta = 1.2;  // memory is measured, not forces: a third of the interactions of 0.6
  o.walk = walk;
  o.leaf_size = 24;
  o.group_size = 64;
  o.expansion = 0;  // few particles have many lists of cells, which are nothing compared with what is kept free
  return o;
}

MemoryNeed planned(const GravityOptions& o, const Holding& holding) {
  return memory_need(o, mixed::evaluation_options(o, o.mac, holding.own_eps, 2), holding);
}

/// What one evaluation with all that `holding` asks for leaves held.
double held(const std::string& backend, const Particles& p, const GravityOptions& o, const Holding& holding) {
  ParticleSystem device = open_system(backend, 0, 0);
  device.load(p, o, holding);
  device.build_tree();
  device.evaluate();
  if (holding.rungs) {
    device.leapfrog().choose_rungs(rule, 0, 0);
    device.evaluate_due(0);
  }
  if (holding.copy) device.domain().remember();
  const Bytes bytes = device.bytes();
  return static_cast<double>(bytes.particles + bytes.tree + bytes.scratch);
}

TEST(MemoryPlan, CountsBlockStepsAndACopy) {
  if (device_backends().empty()) GTEST_SKIP() << no_device;
  const Particles p = drawn("plummer", planned_for);
  const GravityOptions o = options(Walk::group);
  constexpr double small_groups = 3e5;  // of those that are due, however many: rows of counts
  for (const std::string& backend : device_backends()) {
    const double plain = held(backend, p, o, {.velocities = true});
    for (const Holding& more :
         {Holding{.velocities = true, .copy = true}, Holding{.velocities = true, .rungs = true, .copy = true}}) {
      const double added = held(backend, p, o, more) - plain, steps = planned_for * planned(o, more).steps;
      EXPECT_LE(added, steps + (more.rungs ? small_groups : 0)) << backend << (more.rungs ? ", rungs" : "");
      EXPECT_GT(added, 0.95 * steps) << backend << (more.rungs ? ", rungs" : "");
    }
  }
}

TEST(MemoryPlan, RefusesWhatBlockStepsLackRoomFor) {
  const GravityOptions o = options(Walk::group);
  const Holding shared = {.velocities = true}, block = {.velocities = true, .rungs = true},
                both = {.velocities = true, .rungs = true, .copy = true};
  const mixed::WalkOptions w = mixed::evaluation_options(o, o.mac, false, 2);
  constexpr std::uint64_t many = 10'000'000;
  const auto room_for = [&](const Holding& holding) {
    return static_cast<std::uint64_t>((planned(o, holding).total() + 1) * many + 256e6);
  };
  EXPECT_EQ(fitting_leaf_size(many, o, w, shared, room_for(shared), "it"), o.leaf_size);
  EXPECT_THROW(fitting_leaf_size(many, o, w, block, room_for(shared), "it"), Error);
  EXPECT_EQ(fitting_leaf_size(many, o, w, block, room_for(block), "it"), o.leaf_size);
  EXPECT_THROW(fitting_leaf_size(many, o, w, both, room_for(block), "it"), Error);
  // a copy of block steps holds their rungs and accelerations, too
  EXPECT_GT(planned(o, both).steps - planned(o, block).steps, planned(o, block).particles);
}

}  // namespace
}  // namespace hornbeam
