// SPDX-License-Identifier: Apache-2.0
// A cloud that collapses and breaks in two: a uniform sphere of cold gas in rigid rotation, denser on two sides (Boss &
// Bodenheimer 1979; Burkert & Bodenheimer 1993).
#include <cmath>
#include <numbers>

#include "hornbeam/error.h"
#include "ics/gas/gas.h"
#include "ics/gas/stretched_ball.h"

namespace hornbeam::ics {
namespace {

/// The angle up to which density 1 + amplitude cos 2 phi holds as much as a uniform one up to `uniform`: the root of
/// phi + (amplitude / 2) sin 2 phi = uniform, by Newton's method in a bracket.
double angle_of(double uniform, double amplitude) {
  double low = uniform - 0.5 * amplitude, high = uniform + 0.5 * amplitude, phi = uniform;
  for (int turn = 0; turn < 60; ++turn) {
    const double excess = phi + 0.5 * amplitude * std::sin(2 * phi) - uniform;
    (excess > 0 ? high : low) = phi;
    const double slope = 1 + amplitude * std::cos(2 * phi);
    const double next = slope > 0 ? phi - excess / slope : low;
    phi = next > low && next < high ? next : 0.5 * (low + high);
  }
  return phi;
}

/// Squared, of |W| = 3/5 G M^2 / R and thermal energy 3/2 M c^2, with G = 1.
double sound2_of(const Settings& s) { return 0.4 * s.positive("alpha") * s.positive("mass") / s.positive("radius"); }

SoundSpeed sound_of(const Settings& s, const Units& units) {
  return {"alpha", s.is_given("alpha"), std::sqrt(sound2_of(s) * units.G), s.positive("alpha"), 2};
}

Snapshot draw_collapse(const Request& request) {
  const Settings& s = request.settings;
  const double radius = s.positive("radius"), mass = s.positive("mass"), amplitude = s.non_negative("amplitude");
  const double alpha = s.positive("alpha"), beta = s.non_negative("beta");
  if (amplitude > 1) throw UsageError(s.subject("amplitude"), "is " + shown(amplitude), "give at most 1");
  Snapshot snapshot = gas_at_rest(request.n, mass / static_cast<double>(request.n));
  Particles& p = snapshot.particles;
  p.position = stretched_ball(request.n, [&](double fraction) { return radius * std::cbrt(fraction); });
  // rotation 1/5 M R^2 omega^2 of |W|
  const double sound2 = sound2_of(s), omega = std::sqrt(3 * beta * mass / (radius * radius * radius));
  for (Vec3& x : p.position) {
    const double across = std::hypot(x[0], x[1]), phi = angle_of(std::atan2(x[1], x[0]), amplitude);
    x = {across * std::cos(phi), across * std::sin(phi), x[2]};
  }
  centre(p);
  for (std::size_t i = 0; i < p.size(); ++i) p.velocity[i] = {-omega * p.position[i][1], omega * p.position[i][0], 0};
  p.internal_energy.assign(p.size(), 1.5 * sound2);
  const double density = 3 * mass / (4 * std::numbers::pi * radius * radius * radius);
  const Units& u = request.units;
  // virial theorem: 2 (thermal + rotation) = |W| in balance
  const std::string fate =
      alpha + beta < 0.5
          ? "its free-fall time is " + shown(std::sqrt(3 * std::numbers::pi / (32 * density * u.G))) + " units of time"
          : "WARNING: it does not collapse: alpha + beta is " + shown(alpha + beta) + ", and must be below 1/2";
  snapshot.notes = {"[gas] eos = \"barotropic\", sound_speed = " + shown(std::sqrt(sound2 * u.G)) +
                        ", critical_density = " + shown(density * s.positive("critical")) + ", gamma = 1.4",
                    fate};
  return snapshot;
}

}  // namespace

Entry collapse() {
  return {{"collapse",
           "Boss and Bodenheimer's cloud: a uniform sphere of cold gas that turns, denser on two sides, and breaks up",
           {measured(a_length, {"radius", "1", "radius of the cloud"}),
            measured(a_mass, {"mass", "1", "total mass"}),
            {"alpha", "0.25", "thermal energy over |W|, which sets the sound speed"},
            {"beta", "0.2", "energy of rotation over |W|"},
            {"amplitude", "0.5", "amplitude A of the density 1 + A cos 2 phi, at most 1"},
            {"critical", "1000",
             "density above which the gas no longer cools, in mean densities; it appears in the note only"},
            eps_option()}},
          draw_collapse,
          [](const Settings& s, std::size_t n) {
            return n < 2 ? 0.0 : 0.5 * s.positive("radius") * std::cbrt(4.18879 / static_cast<double>(n));
          },
          false,
          nullptr,
          sound_of};
}

}  // namespace hornbeam::ics
