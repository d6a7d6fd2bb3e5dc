// SPDX-License-Identifier: Apache-2.0
// Noh's implosion (Noh 1987): a ball of cold gas that falls on its centre with one speed, and a shock that grows there.
// Until the shock is done the ball's own edge is all the inflow that it needs.
#include "ics/gas/gas.h"
#include "ics/gas/lattice.h"

namespace hornbeam::ics {
namespace {

Snapshot draw_noh(const Request& request) {
  const Settings& s = request.settings;
  const double radius = s.positive("radius"), density = s.positive("density"), speed = s.positive("speed");
  LatticeBall ball = lattice_ball(LatticeCell(lattice_of(s), request.seed), request.n);
  stretch_radially(ball.places, [&](double r) { return r * radius / ball.radius; });
  const double volume = 4 * std::acos(-1.0) / 3 * radius * radius * radius;
  Snapshot snapshot;
  add_gas(snapshot, ball.places, density * volume / static_cast<double>(request.n), s.non_negative("background"));
  Particles& p = snapshot.particles;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3& x = p.position[i];
    const double r = std::hypot(x[0], x[1], x[2]);
    for (std::size_t k = 0; k < 3 && r > 0; ++k) p.velocity[i][k] = -speed * x[k] / r;
  }
  snapshot.notes = {"its exact flow is known within radius - speed t of the centre"};
  return snapshot;
}

}  // namespace

Entry noh() {
  return {{"noh",
           "Noh's implosion: a ball of cold gas (radius 1, density 1) that falls on its centre with speed 1",
           {measured(a_length, {"radius", "1", "radius of the sphere"}),
            measured(a_density, {"density", "1", "density of the gas"}),
            measured(a_velocity, {"speed", "1", "speed towards the centre"}),
            measured(an_energy_per_mass, {"background", "1e-6", "internal energy per mass at the start"}),
            lattice_option("bcc"), eps_option()}},
          draw_noh,
          [](const Settings& s, std::size_t n) { return eps_of_uniform(s.positive("radius"), n); },
          true};
}

}  // namespace hornbeam::ics
