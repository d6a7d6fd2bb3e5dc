// SPDX-License-Identifier: Apache-2.0
// Trials of a step's length, see symmetrised_step.h.
#include "dynamics/symmetrised_step.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "hornbeam/error.h"

namespace hornbeam {

double allowed_step(Backend& device, const SimulationOptions& options) {
  const double pull = device.largest_pull_over_eps();
  const double step = pull > 0 ? std::min(options.dt, options.eta / std::sqrt(pull)) : options.dt;
  const double shortest = std::ldexp(options.dt, -options.max_rung);
  if (!(step >= shortest)) {
    throw Error("time.dt", "the step has collapsed to " + std::to_string(step / options.dt) + " dt",
                "give the particles more softening, or raise time.max_rung or time.eta");
  }
  return step;
}

double symmetrised_step(Backend& device, const SimulationOptions& options, const std::function<void(double)>& make) {
  // Each trial brings the length nearer by a factor of the order of the step over the time in which it changes. What is
  // left decides how well time can be turned round, not how accurate a step is.
  constexpr int most_trials = 4;
  constexpr double near_enough = 1e-5;
  device.remember();
  const double at_start = allowed_step(device, options);
  double length = at_start;
  for (int trial = 1;; ++trial) {
    make(length);
    const double symmetric = 0.5 * (at_start + allowed_step(device, options));
    if (trial == most_trials || std::abs(symmetric - length) <= near_enough * length) return length;
    device.go_back();
    length = symmetric;
  }
}

}  // namespace hornbeam
