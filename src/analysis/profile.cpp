// SPDX-License-Identifier: Apache-2.0
// Spherical profiles in logarithmic shells.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "analysis/radial_order.h"
#include "hornbeam/analysis.h"
#include "hornbeam/error.h"

namespace hornbeam::analysis {

Profile profile(const Particles& particles, double G, int bins) {
  if (bins < 1) throw UsageError("profile bins", "received " + std::to_string(bins), "must be at least 1");
  const RadialOrder order(particles);
  const std::size_t n = order.radius.size();
  const double innermost = order.radius[std::min(n - 1, std::max<std::size_t>(10, n / 1000))];
  const double outermost = order.radius[n - 1 - n / 1000];
  if (!(innermost > 0.0 && innermost < outermost)) {
    throw Error("profile", std::to_string(n) + " particles span no range of radii",
                "it needs more than 11 at different distances");
  }
  Profile result;
  const double step = std::log(outermost / innermost) / bins;
  double inner = innermost;
  for (int bin = 0; bin < bins; ++bin) {
    const double outer = bin + 1 == bins ? outermost : innermost * std::exp(step * (bin + 1));
    const double volume = 4.0 * std::numbers::pi / 3.0 * (outer * outer * outer - inner * inner * inner);
    const double radius = std::sqrt(inner * outer);
    const double mass = order.mass_within(radius);
    result.radius.push_back(radius);
    result.density.push_back((order.mass_within(outer) - order.mass_within(inner)) / volume);
    result.mass.push_back(mass);
    result.circular_velocity.push_back(std::sqrt(G * mass / radius));
    inner = outer;
  }
  return result;
}

}  // namespace hornbeam::analysis
