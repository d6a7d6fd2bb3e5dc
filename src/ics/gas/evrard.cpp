// SPDX-License-Identifier: Apache-2.0
// Evrard's collapse (Evrard 1988): a cold sphere of gas of density M / (2 pi R^2 r), from a lattice stretched along its
// radii so that the mass within each is right.
#include "ics/gas/gas.h"
#include "ics/gas/lattice.h"

namespace hornbeam::ics {
namespace {

Snapshot draw_evrard(const Request& request) {
  const Settings& s = request.settings;
  const double radius = s.positive("radius"), mass = s.positive("mass");
  LatticeBall ball = lattice_ball(LatticeCell(lattice_of(s), request.seed), request.n);
  // M(r) = r^3 before, and r^2 after
  stretch_radially(ball.places, [&](double r) { return radius * std::pow(r / ball.radius, 1.5); });
  Snapshot snapshot;
  add_gas(snapshot, ball.places, mass / static_cast<double>(request.n), s.positive("energy") * mass / radius);
  centre(snapshot.particles);
  return snapshot;
}

}  // namespace

Entry evrard() {
  return {{"evrard",
           "Evrard's collapse: a cold sphere of gas of density M / (2 pi R^2 r), at rest (R = M = 1)",
           {measured(a_length, {"radius", "1", "radius of the sphere"}),
            measured(a_mass, {"mass", "1", "total mass"}),
            {"energy", "0.05", "internal energy per mass, in units of G M / R"},
            lattice_option("bcc"),
            eps_option()}},
          draw_evrard,
          [](const Settings& s, std::size_t n) { return eps_of_cusp(0.4 * s.positive("radius"), n); }};
}

}  // namespace hornbeam::ics
