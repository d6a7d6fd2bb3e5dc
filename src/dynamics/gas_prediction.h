// SPDX-License-Identifier: Apache-2.0
// Gas between its steps: what a copy of it holds at a time for which nothing was evaluated.
#pragma once

#include <cmath>
#include <cstddef>

#include "hornbeam/particles.h"

namespace hornbeam {

/// Brings particle i, where it is gas, to a later or earlier time by the rates that it has: its internal energy over
/// `since`, never to below 0; its density and H over `step`, the time since they were found, as its flow goes apart.
inline void predict_gas(Particles& p, std::size_t i, double since, double step) {
  if (p.family[i] != Family::gas) return;
  const double change = p.internal_energy_rate[i] * since;
  double& u = p.internal_energy[i];
  u = change < 0 && u > 0 ? u * (u / (u - change)) : u + change;
  const double grown = std::exp(p.velocity_divergence[i] * step / 3);
  p.smoothing_length[i] *= grown;
  p.density[i] /= grown * grown * grown;
}

}  // namespace hornbeam
