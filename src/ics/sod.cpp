// SPDX-License-Identifier: Apache-2.0
// Sod's shock tube (Sod 1978) in a periodic box: dense hot gas on the left of a membrane, thin gas on its right, of
// particles of one mass on body-centred lattices, the right one of twice the spacing.
#include <cmath>

#include "hornbeam/error.h"
#include "ics/gas.h"

namespace hornbeam::ics {
namespace {

/// Cells along the left half for each across the tube.
constexpr std::int64_t slenderness = 8;

/// Of so many cells along the left half, a multiple of 16.
std::size_t particles_of_tube(std::int64_t cells) {
  const std::int64_t across = cells / slenderness;
  return static_cast<std::size_t>(2 * cells * across * across + cells * (across / 2) * (across / 2));
}

std::int64_t cells_of_tube(std::size_t n) {
  const double cells = std::cbrt(static_cast<double>(n) * slenderness * slenderness / 2.25);
  const std::int64_t nearest = std::max<std::int64_t>(1, std::llround(cells / 16)) * 16;
  if (particles_of_tube(nearest) == n) return nearest;
  const std::int64_t other = static_cast<double>(nearest) < cells || nearest == 16 ? nearest + 16 : nearest - 16;
  throw UsageError("sod", "n = " + std::to_string(n) + " fills no tube",
                   "the nearest are " + std::to_string(particles_of_tube(std::min(nearest, other))) + " and " +
                       std::to_string(particles_of_tube(std::max(nearest, other))));
}

/// One half of the tube, `cells` along it and `across`, from particle `first` on; returns the particle behind its last.
std::size_t fill_half(Particles& p, std::size_t first, std::int64_t cells, std::int64_t across, double middle,
                      double u) {
  const double width = 1.0 / slenderness;
  std::size_t at = first;
  for (std::int64_t i = 0; i < cells * across * across; ++i) {
    for (const double part : {0.25, 0.75}) {
      p.position[at] = {middle + lattice_place(i / (across * across), cells, 1, part),
                        lattice_place(i / across % across, across, width, part),
                        lattice_place(i % across, across, width, part)};
      p.internal_energy[at++] = u;
    }
  }
  return at;
}

Snapshot draw_sod(const Request& request) {
  const Settings& s = request.settings;
  const std::int64_t cells = cells_of_tube(request.n), across = cells / slenderness;
  const double gamma = index_of(s), density = s.positive("density"), thin = density / 8;
  const double volume = 1.0 / (slenderness * slenderness);
  const double mass = density * volume / static_cast<double>(2 * cells * across * across);
  Snapshot snapshot = gas_at_rest(request.n, mass);
  const std::size_t half =
      fill_half(snapshot.particles, 0, cells, across, -0.5, s.positive("pressure") / ((gamma - 1) * density));
  fill_half(snapshot.particles, half, cells / 2, across / 2, 0.5,
            s.non_negative("pressure-right") / ((gamma - 1) * thin));
  snapshot.notes = {"it fills a periodic box: [boundary] kind = \"periodic\", size = [2, 0.125, 0.125]"};
  return snapshot;
}

}  // namespace

Entry sod() {
  return {{"sod",
           "Sod's shock tube along x from -1 to 1, in a box of 2 x 1/8 x 1/8: gas 8 times as dense on the left",
           {{"density", "1", "on the left; an eighth of it on the right"},
            {"pressure", "1", "on the left"},
            {"pressure-right", "0.1", "on the right"},
            {"gamma", "1.6666666666666667", "adiabatic index, as gas.gamma"},
            eps_option()}},
          draw_sod,
          [](const Settings&, std::size_t n) { return eps_of_uniform(0.5, n); },
          true};
}

}  // namespace hornbeam::ics
