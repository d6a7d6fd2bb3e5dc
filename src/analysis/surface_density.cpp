// SPDX-License-Identifier: Apache-2.0
// Mass per area as seen along an axis.
#include <algorithm>
#include <cmath>

#include "hornbeam/analysis.h"
#include "hornbeam/error.h"

namespace hornbeam::analysis {
namespace {

/// Half the width of a picture that holds 95 % of the particles.
double width_of_most(const Particles& particles, const Vec3& centre) {
  std::vector<double> radius(particles.size());
  std::transform(particles.position.begin(), particles.position.end(), radius.begin(),
                 [&](const Vec3& x) { return std::hypot(x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]); });
  const auto most = radius.begin() + static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(radius.size() - 1));
  std::nth_element(radius.begin(), most, radius.end());
  return *most > 0.0 ? 1.05 * *most : 1.0;
}

}  // namespace

SurfaceDensity surface_density(const Particles& particles, int axis, const std::vector<Family>& families, int bins,
                               std::optional<double> half_width) {
  if (bins < 1 || bins > 8192) {
    throw UsageError("surface density", "received " + std::to_string(bins) + " bins", "give 1 to 8192");
  }
  if (half_width && !(*half_width > 0.0 && std::isfinite(*half_width))) {
    throw UsageError("extent", "received " + std::to_string(*half_width), "must be above 0");
  }
  SurfaceDensity map{.centre = centre_of_density(particles), .bins = bins, .value = {}};
  const Particles shown = selected(particles, families);
  if (shown.size() == 0) throw UsageError("surface density", "has no particles of the families asked for");
  map.half_width = half_width ? *half_width : width_of_most(shown, map.centre);
  const auto across = static_cast<std::size_t>(axis == 0 ? 1 : 0), up = static_cast<std::size_t>(axis == 2 ? 1 : 2);
  const auto n = static_cast<std::size_t>(bins);
  map.value.assign(n * n, 0.0);
  const double cell = 2.0 * map.half_width / bins;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const Vec3& x = shown.position[i];
    const double column = (x[across] - map.centre[across] + map.half_width) / cell,
                 row = (x[up] - map.centre[up] + map.half_width) / cell;
    if (!(column >= 0.0 && column < bins && row >= 0.0 && row < bins)) continue;
    map.value[static_cast<std::size_t>(row) * n + static_cast<std::size_t>(column)] += shown.mass[i] / (cell * cell);
  }
  return map;
}

}  // namespace hornbeam::analysis
