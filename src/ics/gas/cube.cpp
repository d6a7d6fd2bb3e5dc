// SPDX-License-Identifier: Apache-2.0
// Even periodic cubes, see cube.h, and the model `glass`.
#include "ics/gas/cube.h"

#include <cmath>

#include "ics/gas/glass.h"

namespace hornbeam::ics {
namespace {

Block cube_about_origin(double edge) { return {{-0.5 * edge, -0.5 * edge, -0.5 * edge}, {edge, edge, edge}}; }

/// Tiles of a glass have as many places as LatticeCell's; any other number is made as one.
std::vector<Vec3> glass_in_cube(const Request& request, const std::string& model, double edge) {
  const std::size_t n = request.n;
  const auto tiles = static_cast<std::int64_t>(std::llround(std::cbrt(static_cast<double>(n) / tile_particles)));
  if (static_cast<std::size_t>(tile_particles * tiles * tiles * tiles) == n && n > 0) {
    return LatticeCell(Lattice::glass, request.seed).fill(cube_about_origin(edge), {tiles, tiles, tiles});
  }
  if (n < fewest_in_glass) {
    throw UsageError(model, "a glass of n = " + std::to_string(n) + " has fewer particles than a kernel",
                     "give at least " + std::to_string(fewest_in_glass) + ", or another lattice");
  }
  std::vector<Vec3> places = glass_tile(static_cast<std::int64_t>(n), request.seed);
  for (Vec3& x : places) {
    for (double& along : x) along = edge * (along - 0.5);
  }
  return places;
}

Snapshot draw_glass(const Request& request) {
  const Settings& s = request.settings;
  const double edge = s.positive("edge"), mass = s.positive("mass");
  Snapshot snapshot = particles_at(glass_in_cube(request, "glass", edge), mass);
  snapshot.particles.velocity = maxwell_velocities(request.n, s.non_negative("dispersion"), request.seed);
  fill_box(snapshot, {edge, edge, edge});
  return snapshot;
}

}  // namespace

std::vector<Vec3> places_in_cube(const Request& request, const std::string& model, double edge) {
  const Lattice lattice = lattice_of(request.settings);
  if (lattice == Lattice::glass) return glass_in_cube(request, model, edge);
  const LatticeCell cell(lattice, request.seed);
  const Block cube = cube_about_origin(edge);
  const auto filled = [&](std::int64_t k) {
    return std::array{FilledBlock{cube, cell.fitted(cube.size, edge / static_cast<double>(k))}};
  };
  const std::int64_t cells = cells_for(model, request.n, cell.step(), cell, filled);
  return cell.fill(cube, filled(cells).front().cells);
}

std::vector<Vec3> maxwell_velocities(std::size_t n, double dispersion, Seed seed) {
  std::vector<Vec3> velocity(n);
  if (dispersion == 0) return velocity;
  // powers of the root of g^4 = g + 1: Roberts' sequence in three dimensions
  constexpr double root = 1.22074408460575947536, step[3] = {1 / root, 1 / (root * root), 1 / (root * root * root)};
  Random random(seed, 0);
  const Vec3 first = {random.uniform(), random.uniform(), random.uniform()};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double at = first[k] + static_cast<double>(i) * step[k];
      velocity[i][k] = dispersion * normal_quantile(at - std::floor(at));
    }
  }
  take_mean_out(velocity);
  return velocity;
}

void take_mean_out(std::vector<Vec3>& velocity) {
  Vec3 mean{};
  for (const Vec3& v : velocity) {
    for (std::size_t k = 0; k < 3; ++k) mean[k] += v[k] / static_cast<double>(velocity.size());
  }
  for (Vec3& v : velocity) {
    for (std::size_t k = 0; k < 3; ++k) v[k] -= mean[k];
  }
}

Snapshot particles_at(const std::vector<Vec3>& places, double mass) {
  Snapshot snapshot;
  snapshot.particles = room_for(places.size());
  snapshot.particles.position = places;
  snapshot.particles.mass.assign(places.size(), mass / static_cast<double>(places.size()));
  return snapshot;
}

Entry glass() {
  return {
      {"glass",
       "Glass in a periodic cube (edge 1, M = 1): particles without order, at rest under pressure; any n from 128 on",
       {measured(a_length, {"edge", "1", "edge length of the cube"}), measured(a_mass, {"mass", "1", "total mass"}),
        measured_apart(a_velocity, {"dispersion", "0", "velocity dispersion along an axis; 0: at rest"}),
        eps_option()}},
      draw_glass,
      [](const Settings& s, std::size_t n) { return eps_of_uniform(0.5 * s.positive("edge"), n); }};
}

}  // namespace hornbeam::ics
