// SPDX-License-Identifier: Apache-2.0
// What the watchdog takes for wrong inside of a longest step, where the energy is no more than an estimate.
#include "run/watchdog.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hornbeam/ics.h"

namespace hornbeam::run {
namespace {

Simulation small() {
  SimulationOptions options;
  options.dt = 0.1;
  options.threads = 1;
  options.gravity.eps = 0.1;
  return Simulation(ics::make("plummer", 20, ics::Seed{1}), options);
}

TEST(Watchdog, LooksLessStrictlyInsideOfAStep) {
  const Simulation simulation = small();
  const Watchdog watchdog(WatchdogPlan{.energy = 1e-3});
  EXPECT_THROW(watchdog.look(simulation, 1, 0.5), RunGoneWrong);
  EXPECT_NO_THROW(watchdog.look_inside(simulation, 0.05, 0.5));
  EXPECT_THROW(watchdog.look_inside(simulation, 0.05, 11.0), RunGoneWrong);
  EXPECT_THROW(watchdog.look_inside(simulation, 0.05, std::nan("")), RunGoneWrong);
  EXPECT_NO_THROW(Watchdog(WatchdogPlan{.energy = 100}).look_inside(simulation, 0.05, -900.0));
  EXPECT_NO_THROW(Watchdog(WatchdogPlan{.energy = 0}).look_inside(simulation, 0.05, 1e9));
  EXPECT_NO_THROW(Watchdog(WatchdogPlan{.every = 0}).look_inside(simulation, 0.05, std::nan("")));
}

TEST(Watchdog, NamesTheTimeInsideOfTheStep) {
  try {
    Watchdog(WatchdogPlan{}).look_at_rungs(small(), 0.0625, 3);
    FAIL() << "three particles ask for too short steps";
  } catch (const RunGoneWrong& error) {
    EXPECT_EQ(std::string(error.what()).find("t = 0.0625: 3 particles need steps"), 0u) << error.what();
  }
}

}  // namespace
}  // namespace hornbeam::run
