// SPDX-License-Identifier: Apache-2.0
// Balls of a body-centred lattice, see stretched_ball.h.
#include "ics/stretched_ball.h"

#include "ics/gas.h"

namespace hornbeam::ics {

double ball_radius(std::size_t n) { return std::cbrt(3.0 * static_cast<double>(n) / (8 * std::acos(-1.0))); }

std::vector<Vec3> lattice_ball(std::size_t n) {
  const double radius = ball_radius(n) + 1.5;
  const auto cells = static_cast<std::int64_t>(2 * std::ceil(radius));
  const auto edge = static_cast<double>(cells);
  std::vector<Vec3> points;
  for (std::int64_t i = 0; i < cells * cells * cells; ++i) {
    for (const double part : {0.25, 0.75}) {
      const Vec3 x = {lattice_place(i / (cells * cells), cells, edge, part),
                      lattice_place(i / cells % cells, cells, edge, part), lattice_place(i % cells, cells, edge, part)};
      if (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] <= radius * radius) points.push_back(x);
    }
  }
  const auto distance2 = [](const Vec3& x) { return x[0] * x[0] + x[1] * x[1] + x[2] * x[2]; };
  std::stable_sort(points.begin(), points.end(),
                   [&](const Vec3& a, const Vec3& b) { return distance2(a) < distance2(b); });
  points.resize(n);
  return points;
}

}  // namespace hornbeam::ics
