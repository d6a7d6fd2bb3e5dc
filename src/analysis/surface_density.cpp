// SPDX-License-Identifier: Apache-2.0
// Mass per area as seen along an axis.
#include <algorithm>
#include <cmath>

#include "hornbeam/analysis.h"
#include "hornbeam/error.h"

namespace hornbeam::analysis {
namespace {

/// The width of a picture that holds 95 % of the particles.
double width_of_most(const Particles& particles, const Vec3& centre) {
  std::vector<double> radius(particles.size());
  std::transform(particles.position.begin(), particles.position.end(), radius.begin(),
                 [&](const Vec3& x) { return std::hypot(x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]); });
  const auto most = radius.begin() + static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(radius.size() - 1));
  std::nth_element(radius.begin(), most, radius.end());
  return *most > 0.0 ? 2.1 * *most : 2.0;
}

/// So that a square holds some 10 particles on average: finer ones show where single particles are.
int usual_bins(std::size_t n) {
  return std::clamp(static_cast<int>(std::sqrt(static_cast<double>(n) / 10.0)), 16, 256);
}

}  // namespace

SurfaceDensity surface_density(const Particles& particles, int axis, const std::vector<Family>& families,
                               std::optional<int> bins, std::optional<double> width) {
  if (bins && (*bins < 1 || *bins > 8192)) {
    throw UsageError("surface density", "received " + std::to_string(*bins) + " bins", "give 1 to 8192");
  }
  if (width && !(*width > 0.0 && std::isfinite(*width))) {
    throw UsageError("extent", "received " + std::to_string(*width), "must be above 0");
  }
  SurfaceDensity map{.centre = centre_of_density(particles), .value = {}};
  const Particles shown = selected(particles, families);
  if (shown.size() == 0) throw UsageError("surface density", "there are no particles of the requested families");
  const int count = map.bins = bins.value_or(usual_bins(shown.size()));
  map.width = width ? *width : width_of_most(shown, map.centre);
  const auto across = static_cast<std::size_t>(axis == 0 ? 1 : 0), up = static_cast<std::size_t>(axis == 2 ? 1 : 2);
  const auto n = static_cast<std::size_t>(count);
  map.value.assign(n * n, 0.0);
  const double cell = map.width / count, half = map.width / 2.0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const Vec3& x = shown.position[i];
    const double column = (x[across] - map.centre[across] + half) / cell, row = (x[up] - map.centre[up] + half) / cell;
    if (!(column >= 0.0 && column < count && row >= 0.0 && row < count)) continue;
    map.value[static_cast<std::size_t>(row) * n + static_cast<std::size_t>(column)] += shown.mass[i] / (cell * cell);
  }
  return map;
}

}  // namespace hornbeam::analysis
