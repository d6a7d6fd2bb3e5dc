// SPDX-License-Identifier: Apache-2.0
// Sorting by distance and summing the mass outwards, see radial_order.h.
#include "analysis/radial_order.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/compensated_sum.h"
#include "hornbeam/analysis.h"

namespace hornbeam::analysis {

RadialOrder::RadialOrder(const Particles& particles) : centre(centre_of_density(particles)) {
  std::vector<std::pair<double, double>> radius_and_mass;
  radius_and_mass.reserve(particles.size());
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const double r = std::sqrt(distance_squared(particles.position[i], centre));
    radius_and_mass.emplace_back(r, particles.mass[i]);
  }
  std::sort(radius_and_mass.begin(), radius_and_mass.end());
  radius.reserve(particles.size());
  enclosed_mass.reserve(particles.size());
  CompensatedSum sum;
  for (const auto& [r, mass] : radius_and_mass) {
    sum.add(mass);
    radius.push_back(r);
    enclosed_mass.push_back(sum.value());
  }
}

double RadialOrder::mass_within(double r) const {
  const auto count = std::upper_bound(radius.begin(), radius.end(), r) - radius.begin();
  return count == 0 ? 0.0 : enclosed_mass[static_cast<std::size_t>(count) - 1];
}

double RadialOrder::radius_with(double fraction) const {
  const auto reached = std::lower_bound(enclosed_mass.begin(), enclosed_mass.end(), fraction * enclosed_mass.back());
  return radius[static_cast<std::size_t>(reached - enclosed_mass.begin())];
}

Vec3 mean_velocity(const Particles& particles, const Vec3& centre, double radius) {
  Vec3 momentum{};
  double mass = 0.0;
  for (std::size_t i = 0; i < particles.size(); ++i) {
    if (std::sqrt(distance_squared(particles.position[i], centre)) > radius) continue;  // as radii are counted
    for (int k = 0; k < 3; ++k) momentum[k] += particles.mass[i] * particles.velocity[i][k];
    mass += particles.mass[i];
  }
  return {momentum[0] / mass, momentum[1] / mass, momentum[2] / mass};
}

}  // namespace hornbeam::analysis
