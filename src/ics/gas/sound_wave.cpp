// SPDX-License-Identifier: Apache-2.0
// A sound wave that runs along x through a periodic box of its own length.
#include <numbers>

#include "ics/gas/gas.h"
#include "ics/gas/lattice.h"
#include "ics/gas/wave.h"

namespace hornbeam::ics {
namespace {

constexpr double turn = 2 * std::numbers::pi;

Snapshot draw_wave(const Request& request) {
  const Settings& s = request.settings;
  const LatticeCell cell(lattice_of(s), request.seed);
  const std::int64_t across = whole_of(s, "across");
  const auto size = [&](std::int64_t k) {
    const double width = static_cast<double>(across) / static_cast<double>(k);
    return Vec3{1, width, width};
  };
  const auto filled = [&](std::int64_t k) {
    const Vec3 box = size(k);
    return std::array{
        FilledBlock{{{-0.5, -box[1] / 2, -box[2] / 2}, box}, cell.fitted(box, 1 / static_cast<double>(k))}};
  };
  const std::int64_t cells = cells_for("sound-wave", request.n, cell.step(), cell, filled);
  const double gamma = index_of(s), density = s.positive("density"), sound = s.positive("sound-speed");
  const double amplitude = s.non_negative("amplitude");
  if (!(amplitude < 1)) throw UsageError(s.subject("amplitude"), "is " + shown(amplitude), "give less than 1");
  const Vec3 box = size(cells);
  const FilledBlock found = filled(cells).front();
  std::vector<Vec3> places = cell.fill(found.block, found.cells);
  const GasWave wave{amplitude, turn, -0.5, 0.5};
  wave.compress(places);
  Snapshot snapshot;
  add_gas(snapshot, places, density * box[1] * box[2] / static_cast<double>(request.n), 0);
  Particles& p = snapshot.particles;
  for (std::size_t i = 0; i < p.size(); ++i) p.velocity[i] = {sound * wave.excess(p.position[i][0]), 0, 0};
  wave.heat(p, sound, gamma);
  fill_box(snapshot, box);
  return snapshot;
}

}  // namespace

Entry sound_wave() {
  return {{"sound-wave",
           "A sound wave along x in a periodic box of its length 1: density 1 + A sin 2 pi x, speed A c sin 2 pi x",
           {{"amplitude", "1e-4", "relative amplitude A of the density"},
            measured(a_density, {"density", "1", "mean density of the gas"}),
            measured(a_velocity, {"sound-speed", "1", "sound speed c of the gas"}),
            {"gamma", "1.6666666666666667", "adiabatic index, as gas.gamma"},
            {"across", "12", "number of cells across the box; a glass takes multiples of 8", "INT"},
            lattice_option("bcc"),
            eps_option()}},
          draw_wave,
          [](const Settings&, std::size_t n) { return eps_of_uniform(0.5, n); },
          true};
}

}  // namespace hornbeam::ics
