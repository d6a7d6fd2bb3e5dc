// SPDX-License-Identifier: Apache-2.0
// Lattices, glasses, stretching, and the models of gas that are made of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "hornbeam/error.h"
#include "hornbeam/exact.h"
#include "hornbeam/ics.h"
#include "ics/gas/glass.h"
#include "ics/gas/lattice.h"

namespace hornbeam::ics {
namespace {

double distance(const Vec3& a, const Vec3& b, double edge) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double d = a[k] - b[k], near = d - edge * std::round(d / edge);
    sum += near * near;
  }
  return std::sqrt(sum);
}

/// Neighbours at the least distance in a periodic cube, the same of all places.
std::size_t nearest_of_all(const std::vector<Vec3>& places, double edge) {
  double least = edge;
  for (std::size_t j = 1; j < places.size(); ++j) least = std::min(least, distance(places[0], places[j], edge));
  std::size_t first = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::size_t count = 0;
    for (std::size_t j = 0; j < places.size(); ++j) {
      if (i != j && distance(places[i], places[j], edge) < 1.03 * least) ++count;
    }
    if (i == 0) first = count;
    EXPECT_EQ(count, first) << i;
  }
  return first;
}

TEST(Lattices, HaveTheirNeighbours) {
  const Block cube = {{-2, -2, -2}, {4, 4, 4}};
  for (const auto& [lattice, neighbours] :
       {std::pair(Lattice::cubic, 6u), std::pair(Lattice::bcc, 8u), std::pair(Lattice::hcp, 12u)}) {
    const LatticeCell cell(lattice, Seed{1});
    Block block = cube;
    if (lattice == Lattice::hcp) {  // a box of whole cells
      const Cells cells = cell.fitted(cube.size, 1);
      EXPECT_EQ(cells, (Cells{4, 3, 3}));
      continue;
    }
    const std::vector<Vec3> places = cell.fill(block, cell.fitted(block.size, 1));
    EXPECT_EQ(static_cast<double>(places.size()), 64 * cell.density());
    EXPECT_EQ(nearest_of_all(places, 4), neighbours);
    Vec3 sum{};
    for (const Vec3& x : places) {
      for (std::size_t k = 0; k < 3; ++k) sum[k] += x[k];
    }
    EXPECT_EQ(sum, Vec3{});  // symmetric to the last bit
  }
}

/// Twelve at one distance, in a ball, whose middle has all of its neighbours.
TEST(Lattices, ClosePackingHasTwelveNeighbours) {
  const LatticeCell cell(Lattice::hcp, Seed{1});
  EXPECT_NEAR(cell.density(), 2, 1e-12);
  const LatticeBall ball = lattice_ball(cell, 600);
  EXPECT_NEAR(4 * std::numbers::pi / 3 * std::pow(ball.radius, 3) * 2, 600, 1e-9);
  std::vector<double> ways;
  for (std::size_t j = 1; j < ball.places.size(); ++j) ways.push_back(distance(ball.places[0], ball.places[j], 1e9));
  std::sort(ways.begin(), ways.end());
  EXPECT_LT(ways[11], (1 + 1e-12) * ways[0]);
  EXPECT_GT(ways[12], 1.25 * ways[0]);
}

/// Damped to rms |a| H / c^2 < 1e-3.
TEST(LatticesLong, GlassIsAtRestAndHasNoOrder) {
  const std::vector<Vec3> tile = glass_tile(512, Seed{3});
  ASSERT_EQ(tile.size(), 512u);
  EXPECT_LT(glass_unrest(tile), 1.001 * glass_at_rest);  // the tree may stand otherwise: rounding
  double least = 1;
  for (std::size_t i = 0; i < tile.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) least = std::min(least, distance(tile[i], tile[j], 1));
  }
  EXPECT_GT(least, 0.5 * std::cbrt(1.0 / 512));  // random places: 0.1 of it
  Random random(Seed{3}, 0);
  std::vector<Vec3> thrown(512);
  for (Vec3& x : thrown) x = {random.uniform(), random.uniform(), random.uniform()};
  EXPECT_GT(glass_unrest(thrown), 0.1);
}

TEST(Lattices, AreStretchedToDensities) {
  std::vector<Vec3> places = LatticeCell(Lattice::cubic, Seed{1}).fill({{0, 0, 0}, {1, 0.05, 0.05}}, {40, 2, 2});
  stretch_along(places, 0, 0, 1, [](double x) { return x * x; });  // density 2 x
  for (const Vec3& x : places) {
    const double before = x[0] * x[0];
    EXPECT_NEAR(before * 40 - std::floor(before * 40), 0.5, 1e-9);
  }
  stretch_radially(places, [](double r) { return 2 * r; });
  EXPECT_NEAR(places.back()[1], 0.075, 1e-12);
}

TEST(Lattices, RefuseWhatDoesNotFill) {
  EXPECT_THROW(make("gresho", 4097, Seed{1}), UsageError);
  EXPECT_THROW(make("sedov", 1000, Seed{1}, {{"lattice", "diamond"}}), UsageError);
  EXPECT_THROW(make("sod", 1153, Seed{1}), UsageError);
  EXPECT_THROW(make("gresho", 4096, Seed{1}, {{"layers", "2.5"}}), UsageError);
  EXPECT_EQ(make("sedov", 3328, Seed{1}, {{"lattice", "hcp"}}).particles.size(), 3328u);
  EXPECT_EQ(make("sedov", 4096, Seed{1}).particles.size(), 4096u);
}

/// Numbers that a refusal names are taken, whatever was asked for; where there are none that is said.
TEST(Lattices, RefusalsNameNumbersThatFit) {
  for (const char* const model : {"kelvin-helmholtz", "sod", "sedov", "gresho", "sound-wave", "square", "blob"}) {
    for (const char* const lattice : {"cubic", "bcc", "hcp"}) {
      for (const std::size_t n : {1u, 7u, 92u, 1000u}) {
        try {
          make(model, n, Seed{1}, {{"lattice", lattice}});
        } catch (const UsageError& refusal) {
          const std::string said = refusal.what();
          std::size_t fits[2] = {0, 0};
          const std::size_t at = said.find("the nearest are ");
          if (at == std::string::npos) {
            EXPECT_NE(said.find("no n does"), std::string::npos) << model << " " << lattice << " " << said;
            continue;
          }
          ASSERT_EQ(std::sscanf(said.c_str() + at, "the nearest are %zu and %zu", &fits[0], &fits[1]), 2) << said;
          for (const std::size_t fit : fits) {
            EXPECT_NO_THROW(make(model, fit, Seed{1}, {{"lattice", lattice}})) << model << " " << lattice << " " << fit;
          }
        }
      }
    }
  }
  for (const std::size_t n : {1u, 2u, 7u}) EXPECT_EQ(make("noh", n, Seed{1}, {{"lattice", "hcp"}}).particles.size(), n);
}

double mass_of(const Particles& p) {
  double sum = 0;
  for (const double m : p.mass) sum += m;
  return sum;
}

TEST(GasModels, SlidingGasesHaveTheirRamp) {
  const Snapshot s = make("kelvin-helmholtz", 6048, Seed{1});
  const Particles& p = s.particles;
  const double thickness = 0.5;  // 8 of 16 cells
  EXPECT_NEAR(mass_of(p), 1.5 * thickness, 1e-12);
  double within = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double y = p.position[i][1], h = std::abs(y) - 0.25;
    const double part = 0.5 * std::exp(-std::abs(h) / 0.025), density = h > 0 ? 1 + part : 2 - part;
    EXPECT_NEAR(p.internal_energy[i] * density * 2 / 3, 2.5, 1e-9);
    EXPECT_NEAR(p.velocity[i][0], h > 0 ? 0.5 - part : -0.5 + part, 1e-12);
    if (std::abs(y) < 0.2) within += p.mass[i];
    EXPECT_LE(std::abs(y), 0.5);
  }
  // 2 (0.4) less what the ramp takes: 0.5 width (e^-2 - e^-10) on both sides; to within a layer
  EXPECT_NEAR(within / thickness, 2 * (0.4 - 0.0125 * std::exp(-2.0)), 0.06);
}

TEST(GasModels, WavesAndVorticesBeginAsTheyShould) {
  Snapshot wave = make("sound-wave", 1152, Seed{1}, {{"lattice", "cubic"}, {"across", "6"}, {"amplitude", "0.01"}});
  wave.particles.density.assign(1152, 1);
  const analysis::WaveState w = analysis::wave_state(wave, 0.01, 1);
  EXPECT_NEAR(w.amplitude, 1, 1e-4);  // A^2
  EXPECT_NEAR(w.phase, 0, 1e-9);
  EXPECT_NEAR(w.error, 0, 1e-12);
  Snapshot vortex = make("gresho", 16384, Seed{1});
  vortex.particles.density.assign(16384, 1);
  const analysis::VortexState v = analysis::vortex_state(vortex, {1, 5});
  EXPECT_NEAR(v.velocity_error, 0, 1e-12);
  EXPECT_NEAR(v.kinetic, 1, 0.03);
  EXPECT_NEAR(v.angular_momentum, 1, 0.03);
  EXPECT_LT(v.binned_error, 0.02);
}

TEST(GasModels, CloudsSquaresAndBallsHaveTheirMasses) {
  const Particles noh = make("noh", 500, Seed{1}).particles;
  EXPECT_NEAR(mass_of(noh), 4 * std::numbers::pi / 3, 1e-12);
  for (std::size_t i = 0; i < noh.size(); ++i) {
    const Vec3 &x = noh.position[i], &v = noh.velocity[i];
    EXPECT_NEAR(x[0] * v[0] + x[1] * v[1] + x[2] * v[2], -std::hypot(x[0], x[1], x[2]), 1e-12);
  }
  Snapshot square = make("square", 7466, Seed{1});
  EXPECT_NEAR(mass_of(square.particles), (0.75 + 1) * 8 / 16, 1e-12);
  square.particles.density.assign(7466, 1);
  const analysis::SquareState q = analysis::square_state(square, 2, 0.25, 1);
  EXPECT_GT(q.corner, 0.93);  // half a spacing of 0.25 / 12 short of the corner
  EXPECT_LE(q.corner, 1);
  EXPECT_EQ(q.rms_speed, 0);
  Snapshot blob = make("blob", 13948, Seed{1});
  EXPECT_TRUE(blob.notes.empty());
  const auto said = make("blob", 1740, Seed{1}).notes;
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said[0].find("the cloud has 14 particles, fewer than"), std::string::npos) << said[0];
  double cloud = 0;
  for (std::size_t i = 0; i < blob.particles.size(); ++i) {
    const bool is_cloud = blob.particles.internal_energy[i] < 1;
    EXPECT_NEAR(blob.particles.velocity[i][0], is_cloud ? 0 : 2.7 * std::sqrt(5.0 / 3), 1e-12);
    if (is_cloud) cloud += blob.particles.mass[i];
  }
  EXPECT_NEAR(cloud, 40 * std::numbers::pi / 3 * 1e-3, 1e-12);
  blob.particles.density.assign(13948, 10);
  EXPECT_NEAR(analysis::cloud_share(blob, 40 * std::numbers::pi / 3 * 1e-3, 10, 1.5), 1, 1e-9);
}

}  // namespace
}  // namespace hornbeam::ics
