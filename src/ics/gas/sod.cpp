// SPDX-License-Identifier: Apache-2.0
// Sod's shock tube (Sod 1978) in a periodic box: dense hot gas on the left of a membrane, thin gas on its right, of
// particles of one mass, those on the right of twice the spacing.
#include "ics/gas/gas.h"
#include "ics/gas/lattice.h"

namespace hornbeam::ics {
namespace {

/// The left half, from -1 to 0, is N times as long as it is wide.
constexpr double slenderness = 8;

/// The two halves of a tube of so many cells along the left one: the right ones are twice as long.
std::array<FilledBlock, 2> halves_of_tube(const LatticeCell& cell, std::int64_t cells) {
  const double width = 1 / slenderness, edge = 1 / static_cast<double>(cells);
  const Vec3 size = {1, width, width};
  return {FilledBlock{{{-1, -width / 2, -width / 2}, size}, cell.fitted(size, edge)},
          FilledBlock{{{0, -width / 2, -width / 2}, size}, cell.fitted(size, 2 * edge)}};
}

Snapshot draw_sod(const Request& request) {
  const Settings& s = request.settings;
  const LatticeCell cell(lattice_of(s), request.seed);
  const std::int64_t cells =
      cells_for("sod", request.n, 16 * cell.step(), cell, [&](std::int64_t k) { return halves_of_tube(cell, k); });
  const double gamma = index_of(s), density = s.positive("density"), thin = density / 8;
  const double volume = 1 / (slenderness * slenderness);
  const auto halves = halves_of_tube(cell, cells);
  const double energies[] = {s.positive("pressure") / ((gamma - 1) * density),
                             s.non_negative("pressure-right") / ((gamma - 1) * thin)};
  Snapshot snapshot;
  for (std::size_t k = 0; k < 2; ++k) {
    const double mass = (k == 0 ? density : thin) * volume / static_cast<double>(cell.count(halves[k].cells));
    add_gas(snapshot, cell.fill(halves[k].block, halves[k].cells), mass, energies[k]);
  }
  fill_box(snapshot, {2, 1 / slenderness, 1 / slenderness});
  return snapshot;
}

}  // namespace

Entry sod() {
  return {{"sod",
           "Sod's shock tube along x from -1 to 1, in a box of 2 x 1/8 x 1/8: gas 8 times as dense on the left",
           {measured(a_density, {"density", "1", "density on the left; it is an eighth on the right"}),
            measured(a_pressure, {"pressure", "1", "pressure on the left"}),
            measured(a_pressure, {"pressure-right", "0.1", "pressure on the right"}),
            {"gamma", "1.6666666666666667", "adiabatic index, as gas.gamma"},
            lattice_option("bcc"),
            eps_option()}},
          draw_sod,
          [](const Settings&, std::size_t n) { return eps_of_uniform(0.5, n); },
          true};
}

}  // namespace hornbeam::ics
