// SPDX-License-Identifier: Apache-2.0
// Evrard's collapse (Evrard 1988): a cold sphere of gas of density M / (2 pi R^2 r), from a lattice stretched along its
// radii so that the mass within each is right.
#include <cmath>

#include "ics/gas.h"
#include "ics/stretched_ball.h"

namespace hornbeam::ics {
namespace {

Snapshot draw_evrard(const Request& request) {
  const Settings& s = request.settings;
  const double radius = s.positive("radius"), mass = s.positive("mass");
  Snapshot snapshot = gas_at_rest(request.n, mass / static_cast<double>(request.n));
  Particles& p = snapshot.particles;
  p.position = lattice_ball(request.n);
  const double ball = ball_radius(request.n);
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
