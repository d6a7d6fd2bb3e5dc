// SPDX-License-Identifier: Apache-2.0
// Spherical profiles: density, mass and circular velocity in shells.
#include <cmath>
#include <numbers>

#include "analysis/edges.h"
#include "analysis/radial_order.h"
#include "hornbeam/analysis.h"

namespace hornbeam::analysis {

Profile profile(const Particles& particles, double G, int bins, const std::vector<double>& edges) {
  const RadialOrder order(particles);
  const std::vector<double> shells = shell_edges(order, bins, edges);
  Profile result;
  for (std::size_t i = 0; i + 1 < shells.size(); ++i) {
    const double inner = shells[i], outer = shells[i + 1];
    const double volume = 4.0 * std::numbers::pi / 3.0 * (outer * outer * outer - inner * inner * inner);
    const double radius = std::sqrt(inner * outer);
    const double mass = order.mass_within(radius);
    result.radius.push_back(radius);
    result.density.push_back((order.mass_within(outer) - order.mass_within(inner)) / volume);
    result.mass.push_back(mass);
    result.circular_velocity.push_back(std::sqrt(G * mass / radius));
  }
  return result;
}

}  // namespace hornbeam::analysis
