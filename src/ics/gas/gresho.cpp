// SPDX-License-Identifier: Apache-2.0
// The vortex of Gresho & Chan 1990: a ring of gas that turns, held by its pressure, so that nothing should ever change.
#include "hornbeam/exact.h"
#include "ics/gas/slab.h"

namespace hornbeam::ics {
namespace {

Snapshot draw_gresho(const Request& request) {
  const Settings& s = request.settings;
  const Slab slab(s, request.seed);
  const auto fitted = [&](std::int64_t k) { return slab.cell.fitted(slab.size(k), 1 / static_cast<double>(k)); };
  const std::int64_t cells = cells_for("gresho", request.n, slab.cell.step(), slab.cell, [&](std::int64_t k) {
    return std::array{FilledBlock{slab.block(k), fitted(k)}};
  });
  const double gamma = index_of(s), density = s.positive("density");
  const analysis::GreshoVortex vortex(density, s.positive("pressure"));
  Snapshot snapshot;
  add_gas(snapshot, slab.cell.fill(slab.block(cells), fitted(cells)),
          density * slab.thickness(cells) / static_cast<double>(request.n), 0);
  Particles& p = snapshot.particles;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3& x = p.position[i];
    const double r = std::hypot(x[0], x[1]);
    const analysis::GasPoint at = vortex.at(r);
    p.internal_energy[i] = at.pressure / ((gamma - 1) * density);
    if (r > 0) p.velocity[i] = {-at.velocity * x[1] / r, at.velocity * x[0] / r, 0};
  }
  fill_box(snapshot, slab.size(cells));
  return snapshot;
}

}  // namespace

Entry gresho() {
  return {
      {"gresho",
       "The vortex of Gresho and Chan in a periodic slab of edge 1: a ring of gas that turns and should not change",
       {measured(a_density, {"density", "1", "density of the gas"}),
        measured(
            a_pressure,
            {"pressure", "5",
             "pressure at the centre; 5 is Mach 0.35 where the gas turns fastest: larger is closer to incompressible"}),
        {"gamma", "1.6666666666666667", "adiabatic index, as gas.gamma"},
        layers_option(),
        lattice_option("bcc"),
        eps_option()}},
      draw_gresho,
      [](const Settings&, std::size_t n) { return eps_of_uniform(0.5, n); },
      true};
}

}  // namespace hornbeam::ics
