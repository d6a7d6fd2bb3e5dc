// SPDX-License-Identifier: Apache-2.0
// Polytropes: spheres of gas in balance with their own gravity, from a lattice stretched along its radii, settled and
// set pulsing if wanted.
#include "hornbeam/polytrope.h"

#include <cmath>

#include "hornbeam/error.h"
#include "ics/gas/gas.h"
#include "ics/gas/settle.h"
#include "ics/gas/stretched_ball.h"

namespace hornbeam::ics {
namespace {

/// Half of the distance between particles at the centre: gas has no close encounters, and less would not be seen.
double eps_of_polytrope(const Settings& s, std::size_t n) {
  const analysis::Polytrope sphere(s.number("index"), 1, s.positive("radius"));
  return n < 2 ? 0.0 : 0.5 / std::cbrt(static_cast<double>(n) * sphere.central_density());
}

std::string settle_note(const Settled& done) {
  return "relaxed in " + std::to_string(done.turns) + " iterations: K / |W| = " + shown(done.kinetic_over_potential);
}

Snapshot draw_polytrope(const Request& request) {
  const Settings& s = request.settings;
  const double index = s.number("index"), radius = s.positive("radius"), mass = s.positive("mass");
  const double gamma = index_of(s), pulse = s.number("pulse");
  const analysis::Polytrope sphere(index, mass, radius);
  Snapshot snapshot = gas_at_rest(request.n, mass / static_cast<double>(request.n));
  Particles& p = snapshot.particles;
  p.position = stretched_ball(request.n, [&](double fraction) { return sphere.radius_of(fraction); });
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3& x = p.position[i];
    const analysis::GasPoint at = sphere.at(std::hypot(x[0], x[1], x[2]));
    p.internal_energy[i] = at.pressure / ((gamma - 1) * at.density);
  }
  centre(p);
  const auto turns = static_cast<int>(s.non_negative("settle"));
  if (turns > 0) {
    if (index == 0) throw UsageError(s.subject("settle"), "does not work with index 0", "give an index above 0");
    Settling settling{.turns = turns, .gas = {}, .energy = {}};
    settling.gas.eos = EquationOfState::polytrope;
    settling.gas.gamma = 1 + 1 / index;
    settling.gas.constant = sphere.constant();
    // points without any softening would fall on one another before they are in balance
    const double rule = eps_of_polytrope(s, request.n), asked = eps_asked(s, rule);
    p.eps.assign(p.size(), asked > 0 ? asked : rule);
    snapshot.notes.push_back(settle_note(settle(p, settling)));
    p.eps.clear();
    for (std::size_t i = 0; i < p.size(); ++i) {
      p.internal_energy[i] = sphere.constant() * std::pow(p.density[i], 1 / index) / (gamma - 1);
    }
  }
  const double rate = pulse * std::sqrt(mass / radius) / radius;
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) p.velocity[i][k] = rate * p.position[i][k];
  }
  return snapshot;
}

}  // namespace

Entry polytrope() {
  return {{"polytrope",
           "Sphere of gas with P = K rho^(1 + 1/n) in balance with its own gravity (R = M = 1)",
           {{"index", "1.5", "polytropic index n, from 0 to 4.99: larger is more concentrated"},
            measured(a_length, {"radius", "1", "radius of the sphere"}),
            measured(a_mass, {"mass", "1", "total mass"}),
            {"gamma", "1.6666666666666667",
             "adiabatic index, as gas.gamma; for index n the sphere is isentropic at 1 + 1/n"},
            {"pulse", "0", "radial velocity at the surface in units of (G M / R)^1/2, proportional to r within"},
            {"settle", "0", "largest number of damped iterations that relax the particles; 0: none", "INT"},
            eps_option()}},
          draw_polytrope,
          eps_of_polytrope};
}

}  // namespace hornbeam::ics
