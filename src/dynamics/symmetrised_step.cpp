// SPDX-License-Identifier: Apache-2.0
// The length that a step agrees on with itself, see symmetrised_step.h.
#include "dynamics/symmetrised_step.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "hornbeam/error.h"

namespace hornbeam {

double SymmetrisedSteps::next_step(ParticleSystem& system) const {
  const double pull = system.leapfrog().largest_pull_over_eps();
  const double longest = std::min(options_.dt, system.step_limit().first);
  const double step = pull > 0 ? std::min(longest, options_.eta / std::sqrt(pull)) : longest;
  const double shortest = std::ldexp(options_.dt, -options_.max_rung);
  if (!(step >= shortest)) {
    throw Error("time.dt", "the step has shrunk to " + std::to_string(step / options_.dt) + " dt",
                "give the particles more softening, or raise time.max_rung or time.eta");
  }
  return step;
}

std::optional<double> SymmetrisedSteps::step(ParticleSystem& system, const StepContext& context) {
  context.pass(context.time, context.time + options_.dt, 0);
  system.domain().remember();
  const double at_start = next_step(system);
  return undo_if_it_fails(system, context, [&] { return agreed(system, context, at_start); });
}

double SymmetrisedSteps::agreed(ParticleSystem& system, const StepContext& context, double at_start) const {
  // Each trial brings the length nearer by a factor of the order of the step over the time in which it changes. What is
  // left decides how well time can be turned round, not how accurate a step is.
  constexpr int most_trials = 4;
  constexpr double near_enough = 1e-5;
  double length = at_start;
  for (int trial = 1;; ++trial) {
    static_cast<void>(kick_drift_kick(system, context, length));  // no module that refuses steps acts here
    const double symmetric = 0.5 * (at_start + next_step(system));
    if (trial == most_trials || std::abs(symmetric - length) <= near_enough * length) return length;
    system.domain().go_back();
    length = symmetric;
  }
}

}  // namespace hornbeam
