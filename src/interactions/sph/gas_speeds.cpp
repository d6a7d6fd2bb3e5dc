// SPDX-License-Identifier: Apache-2.0
// The internal unit of gas's speeds, see gas_speeds.h. Compiled once a precision.
#include "interactions/sph/gas_speeds.h"

#include <algorithm>
#include <cmath>

HB_OPEN

double falling_speed(const Particles& particles, double G) {
  double mass = 0, edge = 0;
  for (const double m : particles.mass) mass += m;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto [low, high] = std::minmax_element(particles.position.begin(), particles.position.end(),
                                                 [axis](const Vec3& a, const Vec3& b) { return a[axis] < b[axis]; });
    edge = std::max(edge, (*high)[axis] - (*low)[axis]);
  }
  return edge > 0 ? std::sqrt(G * mass / edge) : 0;
}

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
