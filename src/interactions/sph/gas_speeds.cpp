// SPDX-License-Identifier: Apache-2.0
// The internal unit of gas's speeds, see gas_speeds.h. Compiled once a precision.
#include "interactions/sph/gas_speeds.h"

#include <algorithm>
#include <cmath>

HB_OPEN

pos_t speed_unit_of(const Particles& particles, double most) {
  for (std::size_t i = 0; i < particles.size(); ++i) {
    if (particles.family[i] != Family::gas) continue;
    for (const double v : particles.velocity[i]) most = std::max(most, std::abs(v));
    if (particles.internal_energy.empty()) continue;
    most = std::max(most, std::sqrt(std::max(particles.internal_energy[i], 0.0)));
  }
  return most > 0 && std::isfinite(most) ? static_cast<pos_t>(std::ldexp(1.0, -std::ilogb(most))) : pos_t{1};
}

HB_CLOSE
