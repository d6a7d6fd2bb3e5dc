// SPDX-License-Identifier: Apache-2.0
// One step of gas, see gas_steps.h.
#include "dynamics/gas_steps.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "dynamics/advance.h"
#include "hornbeam/error.h"

namespace hornbeam {
namespace {

/// A step below this part of dt would take for ever.
constexpr double least_part_of_dt = 0x1p-40;
constexpr const char* too_much =
    "look for gas particles at one place, or for masses, velocities or energies that are too large";

/// Kick, drift, kick; whether all internal energies are 0 or above in the end.
bool kick_drift_kick_gas(ParticleSystem& system, const StepContext& context, double dt) {
  demand_advance(context.time, dt);
  Gas& gas = *system.gas();
  system.leapfrog().kick(0.5 * dt);
  const std::uint64_t below_before = gas.kick(0.5 * dt);
  system.leapfrog().drift(dt);
  context.place(context.time + dt);
  system.build_tree();
  gas.set_moment({.since = 0.5 * dt, .step = dt, .block = {}});
  system.evaluate();
  system.leapfrog().kick(0.5 * dt);
  return gas.kick(0.5 * dt) == 0 && below_before == 0;
}

/// `step`, or what is left of the way: all of it, or the first half where the second would be short.
double shortened(double step, double left) {
  constexpr double rounding = 1 + 1e-9;  // of a way that was to be so many steps
  if (left <= step * rounding) return left;
  return std::min(step, left / 2);
}

}  // namespace

double GasSteps::next_step(ParticleSystem& system) const {
  const double step = std::min(options_.dt, system.gas()->longest_step());
  if (!(step >= least_part_of_dt * options_.dt)) {
    std::ostringstream asked;
    asked << "gas asks for steps of " << step / options_.dt << " dt";
    throw Error("time.dt", asked.str(), too_much);
  }
  return step;
}

std::optional<double> GasSteps::step(ParticleSystem& system, const StepContext& context) {
  context.pass(context.time, context.time + options_.dt, 0);
  double dt = shortened(next_step(system), context.until - context.time);
  system.domain().remember();
  while (!kick_drift_kick_gas(system, context, dt)) {
    system.domain().go_back();
    dt /= 2;
    if (dt >= least_part_of_dt * options_.dt) continue;
    std::ostringstream lost;
    lost << "gas loses more internal energy than it has in every step, down to " << least_part_of_dt << " dt";
    throw Error("time.dt", lost.str(), too_much);
  }
  return dt;
}

}  // namespace hornbeam
