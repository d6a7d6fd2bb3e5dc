// SPDX-License-Identifier: Apache-2.0
// Fields of gas: that mass, means and cuts are those of its kernels, over the walls of boxes, too.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hornbeam/error.h"
#include "hornbeam/render.h"
#include "render/kernel_hills.h"
#include "render/paint/colour_map.h"

namespace hornbeam {
namespace {

using render::Field;
using render::FieldMap;
using render::GasQuantity;
using render::Options;

/// A cube of edge 1 about the origin of n^3 gas particles, mass and density 1, H as of 100 neighbours.
Snapshot cube(int n) {
  Snapshot snapshot;
  Particles& p = snapshot.particles;
  p.resize(static_cast<std::size_t>(n) * n * n);
  p.family.assign(p.size(), Family::gas);
  p.mass.assign(p.size(), 1.0 / static_cast<double>(p.size()));
  p.density.assign(p.size(), 1.0);
  p.smoothing_length.assign(p.size(), 2.8759 / n);
  for (int i = 0; i < static_cast<int>(p.size()); ++i) {
    p.position[i] = {(i % n + 0.5) / n - 0.5, (i / n % n + 0.5) / n - 0.5, (i / n / n + 0.5) / n - 0.5};
    p.internal_energy.push_back(2 + p.position[i][0]);
  }
  return snapshot;
}

Snapshot one_particle(const Vec3& at, double H) {
  Snapshot snapshot = cube(1);
  snapshot.particles.position[0] = at;
  snapshot.particles.smoothing_length[0] = H;
  return snapshot;
}

Options square(double extent, const Field& field = {}) {
  Options options;
  options.width = options.height = 200;
  options.centre = Vec3{};
  options.extent = extent;
  options.field = field;
  return options;
}

FieldMap map_of(const Snapshot& snapshot, const Options& options) {
  return field_map(snapshot, options, frame(snapshot, options));
}

double mass_in(const FieldMap& map, double extent) {
  const double pixel = extent / map.width;
  return std::accumulate(map.value.begin(), map.value.end(), 0.0) * pixel * pixel;
}

/// At a place of the picture, whose middle is the origin.
double at(const FieldMap& map, double extent, double x, double y) {
  const auto column = static_cast<int>((x / extent + 0.5) * map.width);
  const auto row = static_cast<int>((0.5 - y / extent) * map.height);
  return map.value[static_cast<std::size_t>(row) * map.width + column];
}

Field cut(double z, GasQuantity quantity = GasQuantity::density) {
  Field field;
  field.slice = z;
  field.quantity = quantity;
  return field;
}

TEST(KernelHills, ProjectedAndCutKernelsHoldWhatTheKernelDoes) {
  for (const SphKernel kernel :
       {SphKernel::wendland_c2, SphKernel::wendland_c4, SphKernel::wendland_c6, SphKernel::cubic}) {
    const double per_sigma = std::array{1.936492, 2.207940, 2.449490, 1.825742}[static_cast<std::size_t>(kernel)];
    // A projection keeps the variance of a coordinate, (H / 2 sigma)^-2 H^2 / 4 (Dehnen & Aly 2012, table 1).
    EXPECT_NEAR(render::projected(kernel).variance(), 0.25 / (per_sigma * per_sigma), 2e-5);
    const render::KernelSections sections(kernel);
    double sum = 0;
    constexpr int planes = 2000;
    for (int k = 0; k < planes; ++k) {
      const double height = (k + 0.5) / planes;
      sum += 2 * sections.share(height * height) / planes;
    }
    EXPECT_NEAR(sum, 1, 1e-4);  // of 2,000 planes, linear between 1,024
  }
}

TEST(GasField, PictureHoldsAllMass) {
  Snapshot snapshot = cube(12);
  auto& H = snapshot.particles.smoothing_length;
  for (std::size_t i = 0; i < H.size(); ++i) H[i] *= std::array{1e-3, 0.1, 1.0, 2.5}[i % 4];
  Options options = square(6);
  for (const render::Direction from : {render::Direction{}, render::Direction{30, 60}}) {
    options.from = from;
    EXPECT_NEAR(mass_in(map_of(snapshot, options), 6), 1, 1e-3);
  }
}

TEST(GasField, UniformCubeHasTheColumnOfItsDepth) {
  EXPECT_NEAR(at(map_of(cube(16), square(2)), 2, 0, 0), 1, 0.02);
  EXPECT_NEAR(at(map_of(cube(16), square(0.05)), 0.05, 0, 0), 1, 0.02) << "kernels far wider than the picture";
}

TEST(GasField, KernelsKeepTheirFormAtEveryWidth) {
  constexpr double pi = 3.141592653589793;
  // Of C2: 21 / 2 pi int 2 (1 - z)^4 (1 + 4 z) dz / H^2 = 7 / pi H^2; on a plane through it 21 / 2 pi H^3.
  for (double H = 0.2; H < 300; H *= 1.9) {  // from 10 pixels on
    const Snapshot snapshot = one_particle({}, H);
    const double column = at(map_of(snapshot, square(4)), 4, 0, 0);
    EXPECT_NEAR(column * H * H * pi / 7, 1, 0.04) << H;  // splines on coarse cells
    const double density = at(map_of(snapshot, square(4, cut(0))), 4, 0, 0);
    EXPECT_NEAR(density * H * H * H * 2 * pi / 21, 1, 0.08) << H;  // sharper in the middle
    EXPECT_GT(at(map_of(one_particle({2.5, 0, 0}, 1), square(4)), 4, 1.9, 0), 0) << "from beyond the edge";
  }
}

TEST(GasField, MeansAreByMassAlongTheLineOfSight) {
  Snapshot snapshot = one_particle({0, 0, -3}, 1);
  snapshot.particles.append(one_particle({0, 0, 3}, 1).particles);
  snapshot.particles.mass = {3, 1};
  snapshot.particles.internal_energy = {1, 5};
  Field field;
  field.quantity = GasQuantity::internal_energy;
  const FieldMap map = map_of(snapshot, square(4, field));
  EXPECT_NEAR(at(map, 4, 0, 0), 2, 1e-5);
  EXPECT_NEAR(at(map, 4, 0.5, 0.5), 2, 1e-5);
  EXPECT_TRUE(std::isnan(at(map, 4, 1.9, 1.9))) << "there is no gas";
}

TEST(GasField, SliceOfALinearFieldIsLinear) {
  const FieldMap map = map_of(cube(16), square(1, cut(0.1, GasQuantity::internal_energy)));
  for (const double x : {-0.2, -0.1, 0.0, 0.13, 0.25}) {
    const double centre = (std::floor((x + 0.5) * 200) + 0.5) / 200 - 0.5;
    EXPECT_NEAR(at(map, 1, x, 0.07), 2 + centre, 0.002) << x;  // a hundredth of its range in half a box
  }
  const FieldMap density = map_of(cube(16), square(1, cut(0.1)));
  EXPECT_NEAR(at(density, 1, 0.1, 0.2), 1, 0.02);
}

TEST(GasField, SlicesAcrossEachAxisShowTheOtherTwo) {
  Snapshot snapshot = one_particle({0.1, 0.2, 0.3}, 0.05);
  const std::array<render::Axis, 3> axes{render::Axis::x, render::Axis::y, render::Axis::z};
  const std::array<std::array<double, 2>, 3> seen{{{0.2, 0.3}, {0.1, 0.3}, {0.1, 0.2}}};
  for (int k = 0; k < 3; ++k) {
    Options options = square(1, cut(snapshot.particles.position[0][k]));
    options.axis = axes[k];
    const FieldMap map = map_of(snapshot, options);
    EXPECT_EQ(at(map, 1, seen[k][0], seen[k][1]), *std::max_element(map.value.begin(), map.value.end()));
    options.field->slice = 0.36;
    EXPECT_EQ(mass_in(map_of(snapshot, options), 1), 0) << "the plane passes it by";
  }
}

/// A plane next to the gas is a slip of whoever asks; in a movie gas may well leave it.
TEST(GasField, PlanesWithoutGasAreRefused) {
  Snapshot snapshot = one_particle({0.1, 0.2, 0.3}, 0.05);
  Options options = square(1, cut(0.36));
  EXPECT_EQ(render::draw(snapshot, options, render::frame(snapshot, options), {}).width, options.width);
  try {
    render::draw(snapshot, options);
    ADD_FAILURE() << "a picture without gas";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("no gas is at z = 0.36"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("from 0.25 to 0.35"), std::string::npos) << error.what();
  }
  options.field->slice = 0.34;
  EXPECT_NO_THROW(render::draw(snapshot, options));
  Boundary box;
  box.kind = BoundaryKind::periodic;
  box.size = {1, 1, 1};
  snapshot.set_boundary(box);
  options.field->slice = -0.7;
  EXPECT_NO_THROW(render::draw(snapshot, options)) << "its image";
  options.field->slice = -0.6;
  EXPECT_THROW(render::draw(snapshot, options), UsageError);
}

TEST(GasField, ImagesReachOverTheWallsOfABox) {
  Boundary box;
  box.kind = BoundaryKind::periodic;
  box.size = {1, 1, 1};
  Snapshot corner = one_particle({0.49, 0.49, 0.49}, 0.2);
  corner.set_boundary(box);
  const FieldMap map = map_of(corner, square(1));
  EXPECT_NEAR(mass_in(map, 1), 1, 1e-3);
  EXPECT_NEAR(at(map, 1, -0.46, -0.47) / at(map, 1, 0.44, 0.45), 1, 1e-3) << "as far on either side";
  const FieldMap two = map_of(corner, square(2));
  EXPECT_NEAR(mass_in(two, 2), 4, 4e-3) << "four boxes fill it, each seen through once";
  Snapshot lattice = cube(12);
  lattice.set_boundary(box);
  for (const double z : {0.0, 0.5}) {
    const FieldMap slice = map_of(lattice, square(1.5, cut(z)));
    const auto [least, most] = std::minmax_element(slice.value.begin(), slice.value.end());
    EXPECT_NEAR(*least, 1, 0.02);
    EXPECT_NEAR(*most, 1, 0.02);
  }
  Options framed;
  framed.field.emplace();
  EXPECT_EQ(render::frame(lattice, framed).centre, (Vec3{}));
}

TEST(GasField, SaysWhatIsAbsent) {
  const auto said = [](Snapshot snapshot, const Options& options) {
    try {
      map_of(snapshot, options);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  Snapshot stars = cube(2);
  stars.particles.family.assign(8, Family::star);
  EXPECT_NE(said(stars, square(1)).find("there is no gas"), std::string::npos);
  Snapshot drawn = cube(2);
  drawn.particles.smoothing_length.clear();
  EXPECT_NE(said(drawn, square(1)).find("no smoothing lengths"), std::string::npos);
  Snapshot cold = cube(2);
  cold.particles.internal_energy.clear();
  EXPECT_NE(said(cold, square(1, cut(0, GasQuantity::pressure))).find("no internal energies"), std::string::npos);
  EXPECT_NE(said(cube(2), square(1, cut(0, GasQuantity::temperature))).find("G = 1"), std::string::npos);
  Options tilted = square(1, cut(0));
  tilted.from.tilt = 20;
  EXPECT_NE(said(cube(2), tilted).find("tilt"), std::string::npos);
  Options reversed = square(1);
  reversed.field->low = 2, reversed.field->high = 1;
  EXPECT_NE(said(cube(2), reversed).find("vmin"), std::string::npos);
  EXPECT_EQ(said(cube(2), square(1)), "");
}

TEST(GasField, ColoursRunFromTheLeastToTheLargest) {
  Field field;
  field.quantity = GasQuantity::internal_energy;
  field.scale = render::Scale::linear;
  field.low = 1.5, field.high = 2.5;
  Options options = square(1, field);
  options.labels = false;
  const render::Image image = render::draw(cube(10), options);
  const auto colour = [&](int x) { return &image.rgb[static_cast<std::size_t>(100 * 200 + x) * 3]; };
  for (const int x : {40, 100, 160}) {  // the mean of what is within a kernel: not at the edges
    const auto expected = render::colour_of(render::ColourMap::inferno, (x + 0.5) / 200);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(colour(x)[c], 255 * expected[c], 4) << x;
  }
  const auto first = render::colour_of(render::ColourMap::viridis, -1),
             last = render::colour_of(render::ColourMap::viridis, 2);
  EXPECT_NEAR(first[0] * 255, 68, 1e-3);
  EXPECT_NEAR(last[0] * 255, 253, 1e-3);
}

TEST(GasField, IsWhatASnapshotOfGasAloneShows) {
  EXPECT_TRUE(render::settled(Options{}, cube(2)).field);
  Snapshot mixed = cube(2);
  mixed.particles.family[3] = Family::star;
  EXPECT_FALSE(render::settled(Options{}, mixed).field);
  Options points;
  points.style = render::Style::points;
  EXPECT_FALSE(render::settled(points, cube(2)).field);
}

}  // namespace
}  // namespace hornbeam
