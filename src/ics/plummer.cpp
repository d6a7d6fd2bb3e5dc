// SPDX-License-Identifier: Apache-2.0
// Plummer's (1911) sphere with isotropic velocities, drawn as Aarseth, Hénon & Wielen (1974) did.
#include <cmath>

#include "ics/model.h"

namespace hornbeam::ics {
namespace {

constexpr double plummer_kept = 0.999;  // of the infinite model's mass

// Speed over escape speed, from the density q^2 (1 - q^2)^(7/2) by von Neumann's rejection.
double draw_speed(Random& random) {
  constexpr double bound = 0.0923;  // the density's maximum, at q^2 = 2/9, is 0.09220
  while (true) {
    const double q = random.uniform();
    const double p = 1.0 - q * q;
    if (random.uniform() * bound < q * q * p * p * p * std::sqrt(p)) return q;
  }
}

Snapshot draw_plummer(const Request& request) {
  const double scale = request.settings.positive("scale");
  const double mass = request.settings.positive("mass");
  // The infinite model of which the drawn mass is the kept part sets the potential, and so the velocities.
  const double speed_unit = std::sqrt(mass / plummer_kept / scale);
  return draw_particles(request, mass, [=](std::int64_t, Random& random) {
    const double enclosed = plummer_kept * (1.0 - random.uniform());  // never 0
    const double r = 1.0 / std::sqrt(1.0 / std::cbrt(enclosed * enclosed) - 1.0);
    const double escape_speed = std::sqrt(2.0 / std::sqrt(1.0 + r * r));
    PhasePoint point;
    point.position = random.direction(scale * r);
    point.velocity = random.direction(speed_unit * escape_speed * draw_speed(random));
    return point;
  });
}

}  // namespace

Entry plummer() {
  return {{"plummer",
           "Plummer sphere in equilibrium, Henon units (G = M = 1, E = -1/4), cut at mass fraction 0.999",
           {measured(a_length, {"scale", "0.5890486225480862", "scale length; the default is 3 pi / 16"}),
            measured(a_mass, {"mass", "1", "total mass"}), eps_option()}},
          draw_plummer,
          [](const Settings& s, std::size_t n) { return eps_of_core(s.positive("scale"), n); }};
}

}  // namespace hornbeam::ics
