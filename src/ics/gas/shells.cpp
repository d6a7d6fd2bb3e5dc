// SPDX-License-Identifier: Apache-2.0
// Shells of a layer and points on them, see shells.h.
#include "ics/gas/shells.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hornbeam::ics {

std::vector<Vec3> sphere_points(std::size_t n, Random& random) {
  // a random turn: its z axis goes to `pole`, about which it is turned by a random angle
  const Vec3 pole = random.direction(1);
  const double angle = 2 * std::numbers::pi * random.uniform();
  const double across = std::hypot(pole[0], pole[1]);
  const Vec3 e1 = across > 0 ? Vec3{-pole[1] / across, pole[0] / across, 0} : Vec3{1, 0, 0};
  const Vec3 e2 = {pole[1] * e1[2] - pole[2] * e1[1], pole[2] * e1[0] - pole[0] * e1[2],
                   pole[0] * e1[1] - pole[1] * e1[0]};
  const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
  std::vector<Vec3> points(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double z = 1 - (2 * static_cast<double>(i) + 1) / static_cast<double>(n), R = std::sqrt(1 - z * z);
    const double phi = golden * static_cast<double>(i) + angle, x = R * std::cos(phi), y = R * std::sin(phi);
    for (std::size_t k = 0; k < 3; ++k) points[i][k] = x * e1[k] + y * e2[k] + z * pole[k];
  }
  return points;
}

std::vector<Shell> shells_of(std::size_t n, double layer_mass, const std::function<LayerPlace(double)>& at) {
  constexpr int pieces = 2000;
  const double one = layer_mass / static_cast<double>(n);
  std::vector<double> distances = {0};  // in spacings between particles, by part of the mass
  LayerPlace last = at(0);
  for (int i = 1; i <= pieces; ++i) {
    const LayerPlace next = at(static_cast<double>(i) / pieces);
    const double density = 0.5 * (last.density + next.density);
    distances.push_back(distances.back() + (next.radius - last.radius) * std::cbrt(density / one));
    last = next;
  }
  const auto count = std::max<std::int64_t>(1, std::llround(distances.back()));
  std::vector<Shell> shells;
  std::size_t before = 0;
  for (std::int64_t k = 1; k <= count; ++k) {
    const double distance = distances.back() * static_cast<double>(k) / static_cast<double>(count);
    const auto above = std::upper_bound(distances.begin() + 1, distances.end() - 1, distance);
    const double a = *(above - 1), b = *above;
    const double part =
        (static_cast<double>(above - distances.begin() - 1) + std::clamp((distance - a) / (b - a), 0.0, 1.0)) / pieces;
    const std::size_t within = k == count ? n : static_cast<std::size_t>(std::llround(part * static_cast<double>(n)));
    if (within <= before) continue;
    const double middle = 0.5 * static_cast<double>(before + within) / static_cast<double>(n);
    shells.push_back({within - before, at(middle).radius, middle});
    before = within;
  }
  return shells;
}

}  // namespace hornbeam::ics
