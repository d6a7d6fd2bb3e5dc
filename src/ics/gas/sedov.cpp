// SPDX-License-Identifier: Apache-2.0
// Sedov's blast (Sedov 1946): energy within one smoothing kernel at the centre of cold gas.
#include "hornbeam/error.h"
#include "ics/gas/gas.h"
#include "ics/gas/lattice.h"
#include "physics/sph_kernel.h"

namespace hornbeam::ics {
namespace {

Snapshot draw_sedov(const Request& request) {
  const Settings& s = request.settings;
  const LatticeCell cell(lattice_of(s), request.seed);
  const double edge = s.positive("edge");
  const Block block = {{-edge / 2, -edge / 2, -edge / 2}, {edge, edge, edge}};
  const auto fitted = [&](std::int64_t k) { return cell.fitted(block.size, edge / static_cast<double>(k)); };
  const std::int64_t cells = cells_for("sedov", request.n, cell.step(), cell, [&](std::int64_t k) {
    return std::array{FilledBlock{block, fitted(k)}};
  });
  const auto n = static_cast<double>(request.n);
  const double mass = s.positive("density") * block.volume() / n;
  const double reach =
      s.positive("kernels") * std::cbrt(3 * s.positive("neighbours") / (4 * std::acos(-1.0) * n)) * edge;
  Snapshot snapshot;
  add_gas(snapshot, cell.fill(block, fitted(cells)), mass, 0);
  Particles& p = snapshot.particles;
  double weights = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3& x = p.position[i];
    p.internal_energy[i] = mixed::kernel_value(HB_WENDLAND_C2, std::hypot(x[0], x[1], x[2]) / reach);
    weights += p.internal_energy[i];
  }
  if (!(weights > 0)) {
    throw UsageError(s.subject("kernels"),
                     "would spread the energy within " + shown(reach) + " of the centre, where no particle is",
                     "give more kernels or neighbours");
  }
  const double scale = s.positive("energy") / (mass * weights), cold = s.non_negative("background");
  for (double& u : p.internal_energy) u = u * scale + cold;
  fill_box(snapshot, block.size);
  return snapshot;
}

}  // namespace

Entry sedov() {
  return {{"sedov",
           "Sedov's blast in a periodic cube about the origin (edge 1, density 1, energy 1)",
           {measured(a_length, {"edge", "1", "edge length of the cube"}),
            measured(a_density, {"density", "1", "density of the gas"}),
            measured(an_energy, {"energy", "1", "energy of the blast"}),
            {"kernels", "1", "radius of the blast's energy at the start, in support radii of the kernel"},
            {"neighbours", "100", "number of neighbours within a support radius, as gas.neighbours"},
            measured(an_energy_per_mass, {"background", "1e-6", "internal energy per mass elsewhere"}),
            lattice_option("cubic"),
            eps_option()}},
          draw_sedov,
          [](const Settings& s, std::size_t n) { return eps_of_uniform(0.5 * s.positive("edge"), n); },
          true};
}

}  // namespace hornbeam::ics
