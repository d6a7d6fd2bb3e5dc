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
  std::vector<double> radii;
  radii.reserve(fractions.size());
  for (const double fraction : fractions) radii.push_back(order.radius_with(fraction));
  return radii;
}

}  // namespace hornbeam::analysis
