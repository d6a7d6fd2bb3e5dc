// SPDX-License-Identifier: Apache-2.0
// Dense gas within thin gas of the same pressure: a square or cube at rest (Saitoh & Makino 2013), which should stay as
// it is, and a cloud in a wind (the blob of Agertz et al. 2007).
#include <numbers>

#include "hornbeam/gas.h"
#include "ics/gas/slab.h"

namespace hornbeam::ics {
namespace {

/// Thin gas that fills a block but for a body, and the dense gas of the body, which fills a box about the origin.
struct TwoMedia {
  FilledBlock around, within;
  bool (*is_body)(const Vec3& x, double half) = nullptr;
  double half = 0;  ///< of the body: half an edge or a radius

  [[nodiscard]] std::vector<Vec3> places(const LatticeCell& cell, bool body) const {
    std::vector<Vec3> all = cell.places(body ? within : around);
    std::erase_if(all, [&](const Vec3& x) { return is_body(x, half) != body; });
    return all;
  }
  [[nodiscard]] bool fits(const LatticeCell& cell) const { return cell.fits(around) && cell.fits(within); }
  [[nodiscard]] std::size_t count(const LatticeCell& cell) const {
    return places(cell, false).size() + places(cell, true).size();
  }
};

bool in_square(const Vec3& x, double half) { return std::abs(x[0]) < half && std::abs(x[1]) < half; }
bool in_cube(const Vec3& x, double half) { return in_square(x, half) && std::abs(x[2]) < half; }
bool in_ball(const Vec3& x, double half) { return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] < half * half; }

/// Both gases, at rest, of the volumes that they have.
struct BodyGas {
  double density, ratio, pressure, gamma, body_volume;
};
Snapshot filled(const LatticeCell& cell, const TwoMedia& media, const BodyGas& gas) {
  Snapshot snapshot;
  for (const bool body : {false, true}) {
    const std::vector<Vec3> places = media.places(cell, body);
    const double rho = gas.density * (body ? gas.ratio : 1);
    const double volume = body ? gas.body_volume : media.around.block.volume() - gas.body_volume;
    add_gas(snapshot, places, rho * volume / static_cast<double>(std::max<std::size_t>(1, places.size())),
            gas.pressure / ((gas.gamma - 1) * rho));
  }
  fill_box(snapshot, media.around.block.size);
  return snapshot;
}

double ratio_of(const Settings& s) {
  const double ratio = s.positive("ratio");
  if (!(ratio >= 1)) throw UsageError(s.subject("ratio"), "is " + shown(ratio), "give 1 or more");
  return ratio;
}

Snapshot draw_square(const Request& request) {
  const Settings& s = request.settings;
  const std::string shape = s.text("shape");
  if (shape != "square" && shape != "cube") {
    throw UsageError(s.subject("shape"), "received " + shape, "must be square or cube");
  }
  const bool flat = shape == "square";
  const LatticeCell cell(lattice_of(s), request.seed);
  const std::int64_t layers = whole_of(s, "layers");
  const double ratio = ratio_of(s);
  const auto media = [&](std::int64_t k) {
    const double depth = flat ? static_cast<double>(layers) / static_cast<double>(k) : 1;
    const double body = flat ? depth : 0.5, edge = 1 / static_cast<double>(k);
    TwoMedia m{.around = {{{-0.5, -0.5, -depth / 2}, {1, 1, depth}}},
               .within = {{{-0.25, -0.25, -body / 2}, {0.5, 0.5, body}}},
               .is_body = flat ? in_square : in_cube,
               .half = 0.25};
    m.around.cells = cell.fitted(m.around.block.size, edge);
    m.within.cells = cell.fitted(m.within.block.size, edge / std::cbrt(ratio));
    return m;
  };
  const std::int64_t cells = cells_for(
      "square", request.n, std::max<std::int64_t>(4, 2 * cell.step()),
      [&](std::int64_t k) { return media(k).count(cell); }, [&](std::int64_t k) { return media(k).fits(cell); });
  const TwoMedia found = media(cells);
  return filled(cell, found,
                {s.positive("density"), ratio, s.positive("pressure"), index_of(s), found.within.block.volume()});
}

Snapshot draw_blob(const Request& request) {
  const Settings& s = request.settings;
  const LatticeCell cell(lattice_of(s), request.seed);
  const double radius = s.positive("radius"), length = s.positive("length"), ratio = ratio_of(s);
  if (!(radius < 0.5)) throw UsageError(s.subject("radius"), "is " + shown(radius), "give less than 1/2");
  const auto media = [&](std::int64_t k) {
    const double edge = 1 / static_cast<double>(k), fine = cell.step() > 1 ? 8 : 1;
    const double inner = edge / std::cbrt(ratio) * fine;  // whole cells around the ball
    const double side = 2 * inner * std::ceil(radius / inner);
    TwoMedia m{.around = {{{-length / 2, -0.5, -0.5}, {length, 1, 1}}},
               .within = {{{-side / 2, -side / 2, -side / 2}, {side, side, side}}},
               .is_body = in_ball,
               .half = radius};
    m.around.cells = cell.fitted(m.around.block.size, edge);
    m.within.cells = cell.fitted(m.within.block.size, edge / std::cbrt(ratio));
    return m;
  };
  const std::int64_t cells = cells_for(
      "blob", request.n, cell.step(), [&](std::int64_t k) { return media(k).count(cell); },
      [&](std::int64_t k) { return media(k).fits(cell); });
  const double density = s.positive("density"), pressure = s.positive("pressure"), gamma = index_of(s);
  Snapshot snapshot =
      filled(cell, media(cells), {density, ratio, pressure, gamma, 4 * std::numbers::pi / 3 * std::pow(radius, 3)});
  const double wind = s.non_negative("mach") * std::sqrt(gamma * pressure / density);
  Particles& p = snapshot.particles;
  std::size_t in_cloud = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const bool is_cloud = in_ball(p.position[i], radius);
    in_cloud += is_cloud ? 1 : 0;
    if (!is_cloud) p.velocity[i] = {wind, 0, 0};
  }
  if (static_cast<double>(in_cloud) < GasOptions{}.effective_neighbours()) {
    snapshot.notes.push_back("WARNING: the cloud has " + std::to_string(in_cloud) +
                             " particles, fewer than the neighbours of one: it is not resolved (give a larger n)");
  }
  return snapshot;
}

}  // namespace

Entry square() {
  return {{"square",
           "A square of dense gas at rest in thin gas of its pressure, in a periodic slab of edge 1: it should stay",
           {{"shape", "square", "shape of the dense gas: a square through the slab, or a cube in a periodic cube",
             "{square,cube}"},
            {"ratio", "4", "density of the dense gas over that of the thin gas"},
            measured(a_density, {"density", "1", "density of the thin gas"}),
            measured(a_pressure, {"pressure", "2.5", "pressure of both gases"}),
            {"gamma", "1.6666666666666667", "adiabatic index, as gas.gamma"},
            layers_option(),
            lattice_option("bcc"),
            eps_option()}},
          draw_square,
          [](const Settings&, std::size_t n) { return eps_of_uniform(0.5, n); },
          true};
}

Entry blob() {
  return {{"blob",
           "A cloud in a wind of Mach 2.7 along x, in a periodic box 4 x 1 x 1: the blob of Agertz et al. 2007",
           {measured_apart(a_length, {"radius", "0.1", "radius of the cloud"}),
            {"ratio", "10", "density of the cloud over that of the wind"},
            measured(a_density, {"density", "1", "density of the wind"}),
            measured(a_pressure, {"pressure", "1", "pressure of both gases"}),
            {"mach", "2.7", "Mach number of the wind: its speed over its sound speed"},
            measured_apart(a_length, {"length", "4", "length of the box along the wind"}),
            {"gamma", "1.6666666666666667", "adiabatic index, as gas.gamma"},
            lattice_option("bcc"),
            eps_option()}},
          draw_blob,
          [](const Settings&, std::size_t n) { return eps_of_uniform(0.5, n); },
          true};
}

}  // namespace hornbeam::ics
