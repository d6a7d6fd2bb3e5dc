// SPDX-License-Identifier: Apache-2.0
// Uniform density: a sphere (cold or with random motions), a cube, and a cubic lattice.
#include <cmath>

#include "hornbeam/error.h"
#include "ics/model.h"

namespace hornbeam::ics {
namespace {

Snapshot draw_sphere(const Request& request) {
  const double radius = request.settings.positive("radius");
  const double mass = request.settings.positive("mass");
  // |W| = 3 M / 5 R per unit mass, and 2 K = 3 sigma^2 per unit mass.
  const double sigma = std::sqrt(request.settings.non_negative("virial") * mass / (5.0 * radius));
  const double omega = request.settings.number("omega"), body = request.settings.non_negative("body-radius");
  Snapshot drawn = draw_particles(request, mass, [=](std::int64_t, Random& random) {
    PhasePoint point;
    point.position = random.direction(radius * std::cbrt(random.uniform()));
    if (sigma > 0.0) {
      for (double& v : point.velocity) v = sigma * random.normal();
    }
    point.velocity[0] -= omega * point.position[1];
    point.velocity[1] += omega * point.position[0];
    return point;
  });
  if (body > 0) drawn.particles.radius.assign(drawn.particles.size(), body);
  return drawn;
}

Snapshot draw_cube(const Request& request) {
  const double edge = request.settings.positive("edge");
  return draw_particles(request, request.settings.positive("mass"), [=](std::int64_t, Random& random) {
    PhasePoint point;
    for (double& x : point.position) x = edge * (random.uniform() - 0.5);
    return point;
  });
}

Snapshot draw_lattice(const Request& request) {
  const auto side = std::llround(std::cbrt(static_cast<double>(request.n)));
  if (static_cast<std::size_t>(side * side * side) != request.n) {
    const auto below = static_cast<long long>(std::cbrt(static_cast<double>(request.n)));
    throw UsageError("lattice", "n = " + std::to_string(request.n) + " is not a cube",
                     "the nearest are " + std::to_string(below * below * below) + " and " +
                         std::to_string((below + 1) * (below + 1) * (below + 1)));
  }
  const double edge = request.settings.positive("edge");
  return draw_particles(request, request.settings.positive("mass"), [=](std::int64_t i, Random&) {
    const auto place = [=](std::int64_t step) {  // symmetric about 0 to the last bit
      return edge * static_cast<double>(2 * step + 1 - side) / static_cast<double>(2 * side);
    };
    return PhasePoint{{place(i / (side * side)), place(i / side % side), place(i % side)}, {}};
  });
}

/// That of the sphere which fills the cube.
double eps_of_edge(const Settings& settings, std::size_t n) {
  return eps_of_uniform(0.5 * settings.positive("edge"), n);
}

}  // namespace

Entry uniform_sphere() {
  return {{"uniform-sphere",
           "Homogeneous sphere (R = 1, G = M = 1), cold unless virial is given",
           {measured(a_length, {"radius", "1", "radius of the sphere"}),
            measured(a_mass, {"mass", "1", "total mass"}),
            {"virial", "0", "virial ratio 2 K / |W| of isotropic normal velocities; 0: at rest"},
            measured(a_frequency, {"omega", "0", "angular velocity about z of solid rotation"}),
            measured(a_length, {"body-radius", "0", "radius of each body, for collisions; 0: points"}),
            eps_option()}},
          draw_sphere,
          [](const Settings& s, std::size_t n) { return eps_of_uniform(s.positive("radius"), n); }};
}

Entry uniform_cube() {
  return {
      {"uniform-cube",
       "Homogeneous cube about the origin (edge 1, M = 1), at rest",
       {measured(a_length, {"edge", "1", "edge length"}), measured(a_mass, {"mass", "1", "total mass"}), eps_option()}},
      draw_cube,
      eps_of_edge};
}

Entry lattice() {
  return {
      {"lattice",
       "Cubic lattice about the origin (edge 1, M = 1), at rest; n must be a cube",
       {measured(a_length, {"edge", "1", "edge length of the cube: its n cells have a particle in the middle of each"}),
        measured(a_mass, {"mass", "1", "total mass"}), eps_option()}},
      draw_lattice,
      eps_of_edge};
}

}  // namespace hornbeam::ics
