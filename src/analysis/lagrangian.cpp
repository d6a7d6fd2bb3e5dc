// SPDX-License-Identifier: Apache-2.0
// Radii that hold given fractions of the mass.
#include <algorithm>
#include <string>

#include "analysis/radial_order.h"
#include "hornbeam/analysis.h"
#include "hornbeam/error.h"

namespace hornbeam::analysis {

std::vector<double> lagrangian_radii(const Particles& particles, const std::vector<double>& fractions) {
  for (const double fraction : fractions) {
    if (!(fraction > 0.0 && fraction <= 1.0)) {
      throw UsageError("lagrangian fraction", "received " + std::to_string(fraction), "must be in (0, 1]");
    }
  }
  const RadialOrder order(particles);
  const std::vector<double>& enclosed = order.enclosed_mass;
  std::vector<double> radii;
  for (const double fraction : fractions) {
    const auto reached = std::lower_bound(enclosed.begin(), enclosed.end(), fraction * enclosed.back());
    radii.push_back(order.radius[static_cast<std::size_t>(reached - enclosed.begin())]);
  }
  return radii;
}

}  // namespace hornbeam::analysis
