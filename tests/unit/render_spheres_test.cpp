// SPDX-License-Identifier: Apache-2.0
// Bodies as lit spheres, compared with closed forms: areas, Lambert's law, eclipses, images across a sheared wall.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "hornbeam/error.h"
#include "hornbeam/render.h"
#include "render/bodies/shadows.h"
#include "render/bodies/spheres.h"
#include "render/camera.h"

namespace hornbeam::of_spheres {
namespace {

using render::Options;
constexpr double pi = std::numbers::pi;

/// One length a pixel.
Options plain(int width = 100, int height = 80) {
  Options options;
  options.width = width;
  options.height = height;
  options.labels = false;
  options.style = render::Style::spheres;
  options.centre = Vec3{};
  options.extent = width;
  options.sun = render::Sun{0, 90};
  return options;
}

Snapshot bodies(const std::vector<Vec3>& position, const std::vector<double>& radius) {
  Snapshot snapshot;
  Particles& p = snapshot.particles;
  p.resize(position.size());
  p.position = position;
  p.radius = radius;
  p.mass.assign(position.size(), 1.0);
  p.family.assign(position.size(), Family::disc);
  return snapshot;
}

/// Linear light of a byte.
double light_of(std::uint8_t byte) {
  const double s = byte / 255.0;
  return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
}
double green(const render::Image& image, int x, int y) {
  return light_of(image.rgb[static_cast<std::size_t>(y * image.width + x) * 3 + 1]);
}
double sum_of_green(const render::Image& image) {
  double sum = 0;
  for (std::size_t i = 1; i < image.rgb.size(); i += 3) sum += light_of(image.rgb[i]);
  return sum;
}
/// Green of a body whose size is that of all.
const double surface = render::surface_of(Family::disc, 0.6f)[1];

/// Of a Lambert sphere, over one that is straight to viewer and light: 2/3 at angle 0.
double phase(double degrees) {
  const double a = degrees * pi / 180;
  return 2.0 / 3.0 * (std::sin(a) + (pi - a) * std::cos(a)) / pi;
}

/// Part of the picture that balls cover, in pixels.
double covered(const render::View& view, const std::vector<render::Ball>& balls) {
  render::Bodies bodies;
  bodies.id.resize(balls.size());
  std::iota(bodies.id.begin(), bodies.id.end(), std::uint64_t{0});
  std::vector<double> counts(10'000);
  render::for_each_tile(view, balls, bodies, 4, [&](const render::Tile& tile) {
    const auto hits = std::count_if(tile.ball.begin(), tile.ball.end(), [](auto b) { return b != render::no_ball; });
    counts[static_cast<std::size_t>(tile.y / render::tile_side * 100 + tile.x / render::tile_side)] =
        static_cast<double>(hits) / 16;
  });
  return std::accumulate(counts.begin(), counts.end(), 0.0);
}

render::View view_of(double eye) { return {render::screen(render::Axis::z, {}), {}, 1.0, 300, 200, eye}; }

TEST(Spheres, CoverTheirDiscs) {
  for (const double radius : {3.0, 17.3, 60.0}) {
    const render::View view = view_of(0);
    // Points a quarter of a pixel apart: as many fall in or out by chance as lie along the rim, to its square root.
    EXPECT_NEAR(covered(view, {view.ball({20.2, -11.7, 5}, radius, 0)}), pi * radius * radius,
                0.25 * std::sqrt(radius));
  }
}

TEST(Spheres, ShowTheConeOfTheirTangentsInPerspective) {
  const render::View view = view_of(400);
  const double depth = 400 - 100, radius = 60;  // nearer than the centre
  const double half = std::asin(radius / depth), rim = 400 * std::tan(half);
  EXPECT_NEAR(covered(view, {view.ball({0, 0, 100}, radius, 0)}), pi * rim * rim, 2.5);
  // Beside the axis the cone meets the picture in an ellipse of eccentricity sin(off) / cos(h).
  const double off = std::atan2(80.0, depth), small = 25, far = std::hypot(80.0, depth), h = std::asin(small / far);
  const double major = 200 * (std::tan(off + h) - std::tan(off - h));
  const double minor = 400 * std::sin(h) / std::sqrt(std::cos(off + h) * std::cos(off - h));
  EXPECT_NEAR(covered(view, {view.ball({80, 0, 100}, small, 0)}), pi * major * minor, 2.0);
  EXPECT_EQ(covered(view, {view.ball({0, 0, 500}, 60, 0)}), 0) << "behind the eye";
}

TEST(Spheres, ScatterAsLambertsLaw) {
  const double radius = 30;
  const Snapshot one = bodies({{2, 1, 0}}, {radius});
  for (const double height : {90.0, 60.0, 30.0, 5.0, -40.0}) {
    Options options = plain();
    options.sun = render::Sun{20, height};
    const render::Image image = render::draw(one, options);
    const double disc = pi * radius * radius;
    const double expected = surface * (render::shadow_light_of_ball + render::sunlight * phase(90 - height));
    EXPECT_NEAR(sum_of_green(image) / disc, expected, 0.006) << height;  // of 256 levels
    const double middle = std::max(0.0, std::sin(height * pi / 180));
    EXPECT_NEAR(green(image, 52, 39), surface * (render::shadow_light(1) + render::sunlight * middle), 0.01) << height;
  }
}

TEST(Spheres, TheNearerOneHidesWhatIsBehind) {
  const Snapshot both = bodies({{0, 0, 0}, {3, 0, 12}}, {10, 5});
  const Snapshot far = bodies({{0, 0, 0}}, {10});
  Options options = plain();
  const render::Image from_above = render::draw(both, options);
  EXPECT_NE(from_above.rgb, render::draw(far, options).rgb);
  options.from.tilt = 180;  // from below it is behind
  options.sun = render::Sun{0, -90};
  EXPECT_EQ(sum_of_green(render::draw(both, options)),
            sum_of_green(render::draw(bodies({{0, 0, 0}, {3, 0, 500}}, {10, 5}), options)));
}

TEST(Spheres, ShadeOneAnother) {
  // The light comes from the right at 45 degrees; the small one is in it, next to the line of sight.
  const double s = std::sqrt(0.5), large = 20, small = 5, away = 60;
  const std::vector<Vec3> places = {{0, 0, 0}, {away * s, 0, away * s}};
  Options options = plain(120, 80);
  options.sun = render::Sun{0, 45};
  options.width = 120;
  const render::Image shaded = render::draw(bodies(places, {large, small}), options);
  const render::Image apart = render::draw(bodies({{0, 0, 0}, {away * s, 0, -away * s}}, {large, small}), options);
  const int x = 60 + static_cast<int>(large * s), y = 40;
  const double warm = render::surface_of(Family::disc, 1)[1];  // the larger of two
  EXPECT_NEAR(green(shaded, x, y), warm * render::shadow_light(s), 0.01);
  EXPECT_NEAR(green(apart, x, y), warm * (render::shadow_light(s) + render::sunlight), 0.02);
  EXPECT_NEAR(green(shaded, x - 12, y), green(apart, x - 12, y), 0.01) << "beside its shadow";
  double lost = 0;
  for (int j = 0; j < 80; ++j) {
    for (int i = 0; i < 60 + 28; ++i) lost += green(apart, i, j) - green(shaded, i, j);
  }
  // The shadow is as wide as the small one; each part of it is seen at an angle whose cosine is z over the radius.
  const double q = small * small / (large * large), mean = 2.0 / (3 * q) * (1 - std::pow(1 - q, 1.5));
  const double expected = warm * render::sunlight * pi * small * small * s * mean;
  EXPECT_NEAR(lost / expected, 1, 0.03);  // edges of half a pixel
}

TEST(Spheres, VeilsOfManyShadeWhatIsBelow) {
  // A cloud of depth 0.7 above a body: of sunlight exp(-0.7) comes through.
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> at(-40, 40);
  const double radius = 0.05, depth = 0.7;
  std::vector<Vec3> places = {{0, 0, 0}};
  std::vector<double> radii = {15};
  const auto n = static_cast<int>(depth * 80 * 80 / (pi * radius * radius));
  for (int i = 0; i < n; ++i) {
    places.push_back({at(random), 300, at(random)});  // in the way of light along y
    radii.push_back(radius);
  }
  Options options = plain();
  options.sun = render::Sun{90, 0};
  const render::Image shaded = render::draw(bodies(places, radii), options);
  places.resize(2), radii.resize(2);
  const render::Image clear = render::draw(bodies(places, radii), options);
  options.sun = render::Sun{-90, 0};  // from the other side: what is dark alone
  double direct = 0, of_clear = 0;
  for (int y = 26; y < 39; ++y) {
    for (int x = 40; x < 60; ++x) {
      const double r = 15, dx = x + 0.5 - 50, dy = 40 - (y + 0.5),
                   nz = std::sqrt(std::max(0.0, r * r - dx * dx - dy * dy)) / r;
      const double dark = render::surface_of(Family::disc, 1)[1] * render::shadow_light(static_cast<float>(nz));
      if (dx * dx + dy * dy > 13 * 13) continue;
      direct += green(shaded, x, y) - dark;
      of_clear += green(clear, x, y) - dark;
    }
  }
  EXPECT_NEAR(direct / of_clear, std::exp(-depth), 0.015);  // of some 1e5 bodies in a hundred pixels' way
}

TEST(Spheres, ThoseBelowAPixelAreAsBrightAsTheirArea) {
  for (const double radius : {0.02, 0.2, 0.45, 0.55, 0.8}) {  // about the change from veils to spheres
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> jitter(-1, 1);
    std::vector<Vec3> places;
    for (int y = -35; y <= 35; y += 5) {
      for (int x = -45; x <= 45; x += 5) places.push_back({x + jitter(random), y + jitter(random), 0});
    }
    const Options options = plain();
    const double n = static_cast<double>(places.size());
    const double light =
        sum_of_green(render::draw(bodies(places, std::vector<double>(places.size(), radius)), options));
    const double each = pi * radius * radius;
    const double expected = surface * (render::shadow_light_of_ball + render::sunlight * phase(0));
    // Of 285 bodies with 8 to 32 points each; the faintest lie between two of 256 levels.
    EXPECT_NEAR(light / (n * each * expected), 1, radius < 0.1 ? 0.2 : 0.03) << radius;
  }
}

TEST(Spheres, ManyTinyOnesCoverAsTheirDepthSays) {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> at(-60, 60);
  const double radius = 0.1;
  for (const double depth : {0.2, 1.0, 3.0}) {
    std::vector<Vec3> places(static_cast<std::size_t>(depth * 120 * 120 / (pi * radius * radius)));
    for (Vec3& x : places) x = {at(random), at(random), 0};
    const Options options = plain();
    const double light =
        sum_of_green(render::draw(bodies(places, std::vector<double>(places.size(), radius)), options));
    const double own = surface * (render::shadow_light_of_ball + render::sunlight * phase(0));
    EXPECT_NEAR(light / (100 * 80) / own, 1 - std::exp(-depth), 0.006) << depth;
  }
}

Snapshot sheet(double time) {
  Snapshot snapshot = bodies({{48, 10, 0}, {-20, -30, 0}}, {4, 2});
  Boundary boundary;
  boundary.kind = BoundaryKind::shear;
  boundary.size = {100, 80, 0};
  boundary.omega = 0.01;
  snapshot.set_boundary(boundary);
  snapshot.time = time;
  return snapshot;
}

TEST(SphereImages, StandWhereTheSheetHasDrifted) {
  for (const double time : {0.0, 13.0, 1234.5}) {
    const Snapshot snapshot = sheet(time);
    Options options = plain(200, 80);
    options.centre = Vec3{-50, 0, 0};  // the wall in the middle
    options.extent = 200;
    const render::Image image = render::draw(snapshot, options);
    // The box within, at -100 along x, runs ahead by 3/2 omega size_x t.
    const double ahead = 10 + 1.5 * 0.01 * 100 * time, y = ahead - 80 * std::floor((ahead + 40) / 80);
    const int row = static_cast<int>(std::floor(40 - y)), column = 200 / 2 - 50 + 48 - 100 + 100;
    ASSERT_TRUE(row >= 0 && row < 80);
    EXPECT_GT(green(image, column, row), 0.5) << "the image of the first at its drift, time " << time;
    EXPECT_GT(green(image, column + 100, 30), 0.5) << "itself";
    int bright = 0;
    for (int j = 0; j < 80; ++j) bright += green(image, column, j) > 0.3 ? 1 : 0;
    EXPECT_LE(bright, 9) << "there is one in a column of the box's height";
  }
}

TEST(SphereImages, FillThePictureFromAnySide) {
  Snapshot snapshot = sheet(77);
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> at(-0.5, 0.5);
  Particles& p = snapshot.particles;
  p.resize(3000);
  for (Vec3& x : p.position) x = {100 * at(random), 80 * at(random), 2 * at(random)};
  for (std::size_t i = 0; i < p.size(); ++i) p.id[i] = i;
  p.radius.assign(3000, 1.2);
  p.mass.assign(3000, 1);
  p.family.assign(3000, Family::disc);
  for (const double tilt : {0.0, 40.0, 80.0}) {
    for (const double turn : {0.0, 33.0}) {
      Options options = plain(120, 120);
      options.style = render::Style::by_file;
      options.centre.reset();
      options.extent.reset();
      options.from = {turn, tilt};
      const render::Image image = render::draw(snapshot, options);
      for (const int x : {0, 100}) {  // corners of 20 pixels, for a depth above 1
        for (const int y : {0, 100}) {
          double sum = 0;
          for (int j = y; j < y + 20; ++j) {
            for (int i = x; i < x + 20; ++i) sum += green(image, i, j);
          }
          EXPECT_GT(sum / 400, 0.04) << tilt << ' ' << turn << ' ' << x << ' ' << y;
        }
      }
    }
  }
}

TEST(SphereImages, CastShadowsAcrossTheWall) {
  // A body beyond the wall shades one at the other side of the box.
  Snapshot snapshot = bodies({{-45, 0, 0}, {40, 0, 15}}, {10, 4});
  Boundary boundary;
  boundary.kind = BoundaryKind::periodic;
  boundary.size = {100, 100, 0};
  snapshot.set_boundary(boundary);
  Options options = plain();
  options.centre = Vec3{-50, 0, 0};
  options.sun = render::Sun{180, 45};  // from the left: the image at -60, 15 up, stands before the first
  const render::Image image = render::draw(snapshot, options);
  snapshot.set_boundary({});
  const render::Image open = render::draw(snapshot, options);
  double lost = 0;
  for (int y = 30; y < 50; ++y) {
    for (int x = 45; x < 60; ++x) lost += green(open, x, y) - green(image, x, y);
  }
  const double cone = pi * 4 * 4 * std::sqrt(0.5), own = render::surface_of(Family::disc, 1)[1] * render::sunlight;
  EXPECT_NEAR(lost / (cone * own), 0.97, 0.04);  // as in ShadeOneAnother
}

/// Radii from 0.05 to 50 pixels.
Snapshot mixture() {
  std::mt19937_64 random(21);
  std::uniform_real_distribution<double> at(-60, 60), power(-3, 0);
  std::vector<Vec3> places(20'000);
  std::vector<double> radii(places.size());
  for (Vec3& x : places) x = {at(random), at(random), 0.3 * at(random)};
  for (double& r : radii) r = std::min(50 * std::pow(10.0, power(random)), 0.4);
  radii[7] = 50, radii[8] = 12, radii[9] = 5;
  places[8] = {0, 0, 60};
  places[20] = places[21], radii[20] = radii[21];  // coincident
  return bodies(places, radii);
}

TEST(Spheres, DoNotDependOnTheirOrder) {
  const Snapshot snapshot = mixture();
  Options options = plain();
  options.from.tilt = 30;
  options.sun = render::Sun{120, 25};
  const render::Image image = render::draw(snapshot, options);
  Snapshot other = snapshot;
  std::vector<std::size_t> order(snapshot.particles.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937_64(4));
  for (std::size_t i = 0; i < order.size(); ++i) {
    other.particles.position[i] = snapshot.particles.position[order[i]];
    other.particles.radius[i] = snapshot.particles.radius[order[i]];
    other.particles.id[i] = snapshot.particles.id[order[i]];
  }
  EXPECT_EQ(render::draw(other, options).rgb, image.rgb);
}

TEST(Spheres, AreTheSameForAnyNumberOfThreads) {
#ifdef _OPENMP
  const Snapshot snapshot = mixture();
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const render::Image one = render::draw(snapshot, plain());
  omp_set_num_threads(3);
  const render::Image three = render::draw(snapshot, plain());
  omp_set_num_threads(before);
  EXPECT_EQ(one.rgb, three.rgb);
#else
  GTEST_SKIP() << "built without OpenMP";
#endif
}

TEST(Spheres, AreDrawnWhereThereAreRadiiAndABoxOrWhereAskedFor) {
  Options options = plain();
  options.style = render::Style::by_file;
  options.sun.reset();
  Snapshot snapshot = sheet(0);
  EXPECT_TRUE(render::as_spheres(snapshot, options));
  options.style = render::Style::points;
  EXPECT_FALSE(render::as_spheres(snapshot, options));
  options.style = render::Style::by_file;
  snapshot.set_boundary({});
  EXPECT_FALSE(render::as_spheres(snapshot, options));
  options.sun = render::Sun{};
  EXPECT_THROW(render::as_spheres(snapshot, options), UsageError) << "light on surface density";
  options.sun.reset();
  options.style = render::Style::spheres;
  EXPECT_TRUE(render::as_spheres(snapshot, options));
  snapshot.particles.radius.clear();
  EXPECT_THROW(render::as_spheres(snapshot, options), UsageError);
}

TEST(Spheres, RefuseOptionsOutOfRange) {
  const auto refused = [](auto change) {
    Options options = plain();
    change(options);
    EXPECT_THROW(render::draw(sheet(0), options), UsageError);
  };
  refused([](Options& o) { o.perspective = 160; });
  refused([](Options& o) { o.perspective = -1; });
  refused([](Options& o) { o.from.tilt = std::nan(""); });
  refused([](Options& o) { o.sun = render::Sun{0, 91}; });
}

/// Squares of distances in pixels are beyond single precision there.
TEST(Spheres, TooFarAlongTheLineOfSightAreRefused) {
  const auto error_of = [](const Vec3& at, double radius, Options options = plain()) {
    try {
      draw(bodies({{0, 0, 0}, at}, {3, radius}), options);
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  for (const double z : {1e19, 1e39, 1e100, 1e308}) {
    EXPECT_NE(error_of({0, 0, z}, 3).find("spheres: the body of id 1 at (0, 0, "), std::string::npos) << z;
    EXPECT_NE(error_of({0, 0, -z}, 3).find("spheres: the body of id 1 at (0, 0, -"), std::string::npos) << z;
    EXPECT_NE(error_of({0, 0, 0}, z).find("of radius"), std::string::npos) << z;
    EXPECT_EQ(error_of({z, 0, 0}, 3), "") << z;  // beside the picture
    EXPECT_EQ(error_of({z, z, z}, 3), "") << z;
    Options near = plain();
    near.perspective = 40;
    EXPECT_EQ(error_of({0, 0, -z}, 3, near), "") << z;  // too small to be seen
  }
  EXPECT_EQ(error_of({0, 0, 1e12}, 3), "");
}

}  // namespace
}  // namespace hornbeam::of_spheres
