// SPDX-License-Identifier: Apache-2.0
// What the watchdog takes for wrong inside of a longest step, where the energy is no more than an estimate.
#include "run/session/watchdog.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hornbeam/ics.h"
#include "run/session/alarms.h"

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

/// What asks for the short step says what to change: of gas its own criteria, and no softening where nothing attracts.
TEST(Watchdog, RemediesFitTheirCause) {
  Particles p;
  p.resize(2);
  p.family = {Family::gas, Family::halo};
  p.acceleration = {{1, 0, 0}, {1, 0, 0}};
  p.eps = {0.01, 0.01};
  p.smoothing_length = {0.1, 0};
  p.signal_speed = {5, 0};
  p.internal_energy = {1, 0};
  p.internal_energy_rate = {0, 0};
  SimulationOptions o;
  o.gas.eos = EquationOfState::ideal;
  const StepsWanted gas = steps_wanted(p, 0, o), star = steps_wanted(p, 1, o);
  EXPECT_NEAR(gas.by_gas, 5 / (o.gas.courant * 0.05), 1e-9);
  EXPECT_NEAR(star.by_softening, 10 / o.eta, 1e-9);
  EXPECT_EQ(star.by_gas, 0);
  const std::string of_gas = short_rung_remedy(gas, o), of_star = short_rung_remedy(star, o);
  EXPECT_NE(of_gas.find("gas.courant = 0.3"), std::string::npos);
  EXPECT_EQ(of_gas.find("eta"), std::string::npos);
  EXPECT_EQ(of_gas.find("eps"), std::string::npos);
  EXPECT_NE(of_star.find("time.eta or gravity.eps"), std::string::npos);
  o.self_gravity = false;
  EXPECT_EQ(steps_wanted(p, 1, o).by_softening, 0);
  for (const std::string& words : {short_rung_remedy(steps_wanted(p, 1, o), o), runaway_remedy(Family::gas, o),
                                   runaway_remedy(Family::halo, o), likely_remedy(p, o, {})}) {
    EXPECT_EQ(words.find(" eps"), std::string::npos) << words;
    EXPECT_EQ(words.find("gravity"), std::string::npos) << words;
    EXPECT_EQ(words.find("softening"), std::string::npos) << words;
  }
}

}  // namespace
}  // namespace hornbeam::run
