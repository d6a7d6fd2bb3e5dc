// SPDX-License-Identifier: Apache-2.0
// Kelvin and Helmholtz's instability with the smooth start of McNally, Lyra & Passy 2012: two gases that slide along
// one another, whose densities and speeds go over into one another within some width.
#include <numbers>

#include "ics/gas/slab.h"

namespace hornbeam::ics {
namespace {

/// McNally et al.'s profile: `outer` beyond a quarter of the height, `inner` within, at half of the way between.
struct Ramp {
  double outer, inner, width;

  [[nodiscard]] double at(double y) const {
    const double from_edge = std::abs(y) - 0.25, part = 0.5 * (outer - inner) * std::exp(-std::abs(from_edge) / width);
    return from_edge > 0 ? outer - part : inner + part;
  }
  /// Integral from y = 0.
  [[nodiscard]] double mass(double y) const {
    const double h = std::abs(y), half = 0.5 * (outer - inner) * width;
    const double within = std::min(h, 0.25);
    double sum = inner * within + half * (std::exp((within - 0.25) / width) - std::exp(-0.25 / width));
    if (h > 0.25) sum += outer * (h - 0.25) - half * (1 - std::exp(-(h - 0.25) / width));
    return y < 0 ? -sum : sum;
  }
};

/// The band within a quarter of the height, or what lies beyond it, its cells finer by the cube root of the densities.
FilledBlock band(const Slab& slab, std::int64_t k, bool inner, double density) {
  FilledBlock b;
  const double thickness = slab.thickness(k);
  b.block = {{-0.5, inner ? -0.25 : 0.25, -0.5 * thickness}, {1, 0.5, thickness}};
  b.cells = slab.cell.fitted(b.block.size, 1 / (static_cast<double>(k) * std::cbrt(density)));
  return b;
}

void add_band(Snapshot& snapshot, const Slab& slab, const FilledBlock& b, const Ramp& density) {
  std::vector<Vec3> places = slab.cell.fill(b.block, b.cells);
  // beyond the borders of the box the outer gas goes on as it began
  const auto mass = [&](double y) { return y <= 0.5 ? density.mass(y) : 2 * density.mass(0.5) - density.mass(1 - y); };
  const double low = b.block.low[1], high = low + b.block.size[1];
  stretch_along(places, 1, low, high, mass);
  const double whole = (mass(high) - mass(low)) * b.block.size[2];
  for (Vec3& x : places) x[1] -= x[1] >= 0.5 ? 1 : 0;
  add_gas(snapshot, places, whole / static_cast<double>(places.size()), 0);
}

Snapshot draw_kelvin_helmholtz(const Request& request) {
  const Settings& s = request.settings;
  const Slab slab(s, request.seed);
  const double gamma = index_of(s), pressure = s.positive("pressure"), rho = s.positive("density");
  const double width = s.positive("width"), ratio = s.positive("ratio"), speed = s.number("speed");
  if (!(ratio >= 1)) throw UsageError(s.subject("ratio"), "is " + shown(ratio), "give 1 or more");
  const auto bands = [&](std::int64_t k) { return std::array{band(slab, k, false, 1), band(slab, k, true, ratio)}; };
  const std::int64_t cells =
      cells_for("kelvin-helmholtz", request.n, std::max<std::int64_t>(2, slab.cell.step()), slab.cell, bands);
  const Ramp density{rho, rho * ratio, width}, flow{speed, -speed, width};
  Snapshot snapshot;
  for (const FilledBlock& b : bands(cells)) add_band(snapshot, slab, b, density);
  Particles& p = snapshot.particles;
  const double waves = 2 * std::numbers::pi * static_cast<double>(whole_of(s, "waves"));
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3& x = p.position[i];
    p.velocity[i] = {flow.at(x[1]), s.number("amplitude") * std::sin(waves * (x[0] + 0.5)), 0};
    p.internal_energy[i] = pressure / ((gamma - 1) * density.at(x[1]));
  }
  fill_box(snapshot, slab.size(cells));
  return snapshot;
}

}  // namespace

Entry kelvin_helmholtz() {
  return {
      {"kelvin-helmholtz",
       "Kelvin-Helmholtz instability in a periodic slab of edge 1, with the smooth start of McNally et al. 2012",
       {{"ratio", "2", "density of the gas within |y| < 1/4 over that beyond"},
        measured(a_density, {"density", "1", "density of the gas beyond |y| = 1/4"}),
        measured(a_velocity, {"speed", "0.5", "speed along x beyond, and along -x within"}),
        measured(a_pressure, {"pressure", "2.5", "pressure everywhere"}),
        measured_apart(a_length,
                       {"width", "0.025", "width over which density and speed change from one gas to the other"}),
        measured_apart(a_velocity, {"amplitude", "0.01", "amplitude of the speed along y that starts the instability"}),
        {"waves", "2", "number of waves of that speed along x", "INT"},
        {"gamma", "1.6666666666666667", "adiabatic index, as gas.gamma"},
        layers_option(),
        lattice_option("bcc"),
        eps_option()}},
      draw_kelvin_helmholtz,
      [](const Settings&, std::size_t n) { return eps_of_uniform(0.5, n); },
      true};
}

}  // namespace hornbeam::ics
