// SPDX-License-Identifier: Apache-2.0
// Measures of a ring, see hornbeam/ring.h. Daisaka, Tanaka & Ida 2001 define the viscosities.
#include "hornbeam/ring.h"

#include <cmath>
#include <numbers>

#include "hornbeam/error.h"

namespace hornbeam {

void check_ring(const Particles& p, const Boundary& sheet) {
  if (sheet.kind != BoundaryKind::shear) throw UsageError("ring", "can be measured only in a shearing sheet");
  if (p.radius.size() != p.size()) throw Error("ring", "the particles have no radii", "measure a run with collisions");
}

RingState measure_ring(const Particles& p, const Boundary& sheet, double G) {
  check_ring(p, sheet);
  const double area = sheet.size[0] * sheet.size[1], omega = sheet.omega;
  RingState s;
  s.bodies = p.size();
  double covered = 0, cut = 0, carried = 0;
  Vec3 squares{};
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double r2 = p.radius[i] * p.radius[i], z2 = p.position[i][2] * p.position[i][2];
    const Vec3 v = {p.velocity[i][0], p.velocity[i][1] + 1.5 * omega * p.position[i][0], p.velocity[i][2]};
    covered += r2;
    if (z2 < r2) cut += r2 - z2;
    for (int k = 0; k < 3; ++k) squares[k] += v[k] * v[k];
    s.mass += p.mass[i];
    carried += p.mass[i] * v[0] * v[1];
  }
  if (s.bodies == 0) return s;
  s.optical_depth = std::numbers::pi * covered / area;
  s.filling_factor = std::numbers::pi * cut / area;
  for (int k = 0; k < 3; ++k) s.dispersion[k] = std::sqrt(squares[k] / static_cast<double>(s.bodies));
  if (!(s.mass > 0)) return s;
  s.translational_viscosity = 2.0 / 3.0 * carried / s.mass / omega;
  const double q = omega * s.dispersion[0] / (3.36 * G * s.mass / area);
  s.toomre_q = std::isfinite(q) ? q : 0;
  return s;
}

}  // namespace hornbeam
