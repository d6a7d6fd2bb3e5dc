// SPDX-License-Identifier: Apache-2.0
// Sedov's blast (Sedov 1946): energy within one smoothing kernel at the centre of cold gas on a cubic lattice.
#include <cmath>

#include "hornbeam/error.h"
#include "ics/gas.h"
#include "physics/sph_kernel.h"

namespace hornbeam::ics {
namespace {

Snapshot draw_sedov(const Request& request) {
  const Settings& s = request.settings;
  const auto side = std::llround(std::cbrt(static_cast<double>(request.n)));
  if (static_cast<std::size_t>(side * side * side) != request.n || side < 4) {
    const auto below = std::max(4LL, static_cast<long long>(std::cbrt(static_cast<double>(request.n))));
    throw UsageError("sedov", "n = " + std::to_string(request.n) + " is not the cube of 4 or more",
                     "the nearest are " + std::to_string(below * below * below) + " and " +
                         std::to_string((below + 1) * (below + 1) * (below + 1)));
  }
  const double edge = s.positive("edge"),
               mass = s.positive("density") * edge * edge * edge / static_cast<double>(request.n);
  const double reach = s.positive("kernels") * std::cbrt(3 * s.positive("neighbours") / (4 * std::acos(-1.0))) * edge /
                       static_cast<double>(side);
  Snapshot snapshot = gas_at_rest(request.n, mass);
  Particles& p = snapshot.particles;
  double weights = 0;
  for (std::int64_t i = 0; i < side * side * side; ++i) {
    Vec3& x = p.position[static_cast<std::size_t>(i)];
    x = {lattice_place(i / (side * side), side, edge), lattice_place(i / side % side, side, edge),
         lattice_place(i % side, side, edge)};
    const double q = std::hypot(x[0], x[1], x[2]) / reach;
    double& weight = p.internal_energy[static_cast<std::size_t>(i)];
    weight = mixed::kernel_value(HB_WENDLAND_C2, q);
    weights += weight;
  }
  const double scale = s.positive("energy") / (mass * weights), cold = s.non_negative("background");
  for (double& u : p.internal_energy) u = u * scale + cold;
  snapshot.notes = {"it fills a periodic box: [boundary] kind = \"periodic\", size = [" + shown(edge) + ", " +
                    shown(edge) + ", " + shown(edge) + "]"};
  return snapshot;
}

}  // namespace

Entry sedov() {
  return {{"sedov",
           "Sedov's blast in a periodic cube about the origin (edge 1, density 1, energy 1); n must be a cube",
           {{"edge", "1", "edge of the cube"},
            {"density", "1", "of the gas"},
            {"energy", "1", "of the blast"},
            {"kernels", "1", "support radii of the kernel that the energy is laid over"},
            {"neighbours", "100", "within a support radius, as gas.neighbours"},
            {"background", "1e-6", "internal energy elsewhere"},
            eps_option()}},
          draw_sedov,
          [](const Settings& s, std::size_t n) { return eps_of_uniform(0.5 * s.positive("edge"), n); },
          true};
}

}  // namespace hornbeam::ics
