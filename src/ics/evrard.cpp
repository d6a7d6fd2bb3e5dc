// SPDX-License-Identifier: Apache-2.0
// Evrard's collapse (Evrard 1988): a cold sphere of gas of density M / (2 pi R^2 r), from a lattice stretched along its
// radii so that the mass within each is right.
#include <algorithm>
#include <cmath>
#include <vector>

#include "ics/gas.h"

namespace hornbeam::ics {
namespace {

/// The n points nearest to the origin of a body-centred lattice of cells of edge 1, by distance, ties by place in the
/// lattice: none lies at the origin.
std::vector<Vec3> lattice_ball(std::size_t n) {
  const double radius = std::cbrt(3.0 * static_cast<double>(n) / (8 * std::acos(-1.0))) + 1.5;
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

Snapshot draw_evrard(const Request& request) {
  const Settings& s = request.settings;
  const double radius = s.positive("radius"), mass = s.positive("mass");
  Snapshot snapshot = gas_at_rest(request.n, mass / static_cast<double>(request.n));
  Particles& p = snapshot.particles;
  p.position = lattice_ball(request.n);
  const double ball = std::cbrt(3.0 * static_cast<double>(request.n) / (8 * std::acos(-1.0)));
  for (Vec3& x : p.position) {
    const double r = std::hypot(x[0], x[1], x[2]) / ball;  // M(r) = r^3 before, and r^2 after: r' = r^(3/2)
    for (double& along : x) along *= radius * std::sqrt(r) / ball;
  }
  p.internal_energy.assign(request.n, s.positive("energy") * mass / radius);
  centre(p);
  return snapshot;
}

}  // namespace

Entry evrard() {
  return {{"evrard",
           "Evrard's collapse: a cold sphere of gas of density M / (2 pi R^2 r), at rest (R = M = 1)",
           {{"radius", "1", "radius"},
            {"mass", "1", "total mass"},
            {"energy", "0.05", "internal energy in units of G M / R"},
            eps_option()}},
          draw_evrard,
          [](const Settings& s, std::size_t n) { return eps_of_cusp(0.4 * s.positive("radius"), n); }};
}

}  // namespace hornbeam::ics
