// SPDX-License-Identifier: Apache-2.0
// Pictures: what they cover, that mass is where it belongs, the colours of families, PNG files and sheets.
#include <gtest/gtest.h>
#include <png.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "hornbeam/error.h"
#include "hornbeam/ics.h"
#include "hornbeam/render.h"
#include "render/labels.h"
#include "render/surface_density.h"

namespace hornbeam {
namespace {

namespace fs = std::filesystem;
using render::Options;

Options small() {
  Options options;
  options.width = 160;
  options.height = 120;
  options.labels = false;
  return options;
}

Snapshot ball(Family family, const Vec3& centre, std::size_t n = 2000) {
  Snapshot snapshot = ics::make("uniform-sphere", n, ics::Seed{31});
  for (Vec3& x : snapshot.particles.position) {
    for (int k = 0; k < 3; ++k) x[k] += centre[k];
  }
  snapshot.particles.family.assign(n, family);
  return snapshot;
}

// Gas on the left, stars on the right, a halo behind both.
Snapshot mixed() {
  Snapshot snapshot = ball(Family::gas, {-2.0, 0.0, 0.0});
  snapshot.particles.append(ball(Family::star, {2.0, 0.0, 0.0}).particles);
  snapshot.particles.append(ball(Family::halo, {0.0, 0.0, 0.0}).particles);
  return snapshot;
}

struct Rgb {
  int red, green, blue;
};
Rgb pixel(const render::Image& image, int x, int y) {
  const std::uint8_t* p = &image.rgb[static_cast<std::size_t>(y * image.width + x) * 3];
  return {p[0], p[1], p[2]};
}

constexpr render::Smoothing smoothing{16.0, 20.0};

render::Map density_of(const std::vector<render::Point>& points) {
  return render::surface_density(points, render::smoothing_radii(points, 160, 120, smoothing), 160, 120);
}

TEST(SurfaceDensity, KeepsMassAndPlace) {
  std::vector<render::Point> points;
  for (int i = 0; i < 400; ++i) {  // a clump in a corner and a few stragglers
    const auto f = static_cast<float>(i);
    points.push_back(i % 10 == 0 ? render::Point{60.0f + f / 10.0f, 50.0f + f / 20.0f, 3.0f}
                                 : render::Point{40.0f + std::sin(f), 40.0f + std::cos(1.7f * f), 1.0f});
  }
  double mass = 0.0, x = 0.0, y = 0.0;
  for (const auto& p : points) mass += p.mass, x += p.mass * p.x, y += p.mass * p.y;
  const render::Map map = density_of(points);
  double map_mass = 0.0, map_x = 0.0, map_y = 0.0;
  for (int j = 0; j < 120; ++j) {
    for (int i = 0; i < 160; ++i) {
      map_mass += map.at(i, j), map_x += map.at(i, j) * (i + 0.5), map_y += map.at(i, j) * (j + 0.5);
    }
  }
  EXPECT_NEAR(map_mass / mass, 1.0, 1e-5);        // single precision: weights add up to 1
  EXPECT_NEAR(map_x / map_mass, x / mass, 0.02);  // kernels on cells of 4 pixels
  EXPECT_NEAR(map_y / map_mass, y / mass, 0.02);
}

TEST(SurfaceDensity, IsSharpWhereManyAndSmoothWhereFew) {
  std::vector<render::Point> few{{80.3f, 60.2f, 1.0f}}, many(5000, few[0]);
  const auto peak_share = [](const std::vector<render::Point>& points) {
    return density_of(points).at(80, 60) / static_cast<float>(points.size());
  };
  EXPECT_GT(peak_share(many), 0.2f);   // on a few pixels
  EXPECT_LT(peak_share(few), 0.006f);  // spread over hundreds
}

TEST(SurfaceDensity, IsFlatForAnEvenSheet) {
  std::vector<render::Point> points;
  for (int j = 0; j < 240; ++j) {
    for (int i = 0; i < 320; ++i) {
      points.push_back({0.25f + 0.5f * static_cast<float>(i), 0.25f + 0.5f * static_cast<float>(j), 1.0f});
    }
  }
  const render::Map map = density_of(points);
  for (int j = 20; j < 100; ++j) {
    for (int i = 20; i < 140; ++i) ASSERT_NEAR(map.at(i, j), 4.0, 0.01) << i << ' ' << j;  // single precision sums
  }
}

TEST(SurfaceDensity, KernelsAreRoundAndSmoothAtEveryWidth) {
  const render::Point point{400.4f, 399.7f, 1.0f};
  for (float radius = 4.0f; radius < 300.0f; radius *= 1.37f) {
    const render::Map map = render::surface_density({point}, {radius}, 800, 800);
    double sum = 0.0;
    for (const float value : map.value) sum += value;
    EXPECT_NEAR(sum, 1.0, 1e-4) << radius;
    const float peak = map.at(400, 399);
    for (int y = 0; y < 800; ++y) {
      for (int x = 0; x < 800; ++x) {
        const float q = std::hypot(x + 0.5f - point.x, y + 0.5f - point.y) / radius;
        const float formula = 5.0f / (3.1415927f * radius * radius) * std::pow(std::max(0.0f, 1.0f - q * q), 4.0f);
        // Splines on cells of a quarter to an eighth of the radius are of the kernel's variance, not quite of its form.
        ASSERT_NEAR(map.at(x, y), formula, 0.07f * peak) << radius << ' ' << x << ' ' << y;
      }
    }
    // As far out on the diagonal as on the axis, where it is faint: squares would differ by far.
    const auto at = [&](float dx, float dy) {
      return map.at(static_cast<int>(point.x + dx * radius), static_cast<int>(point.y + dy * radius));
    };
    if (radius < 30.0f) continue;
    EXPECT_NEAR(at(0.7f, 0.0f) / at(0.495f, 0.495f), 1.0f, 0.2f) << radius;
  }
}

TEST(SurfaceDensity, StaysNarrowAlongAFilamentAndWidensOnAPlain) {
  std::vector<render::Point> filament, plain;
  for (int i = 0; i < 1600; ++i) {
    const auto f = static_cast<float>(i);
    filament.push_back({0.1f * f, 60.0f + 0.01f * std::sin(f), 1.0f});
    plain.push_back({2.0f + 4.0f * static_cast<float>(i % 40), 1.5f + 3.0f * static_cast<float>(i / 40), 1.0f});
  }
  const float along = render::smoothing_radii(filament, 160, 120, smoothing)[800];
  EXPECT_LT(along, 3.0f);  // 16 of them are 1.6 pixels: no kernel is narrower than 2.5
  const float across = render::smoothing_radii(plain, 160, 120, {16.0, 100.0})[820];
  // The circle that holds 16 where each has 12 pixels, and up to twice that.
  EXPECT_GT(across, 1.5f * std::sqrt(16.0f * 12.0f / 3.14159f));
  EXPECT_LT(across, 2.2f * std::sqrt(16.0f * 12.0f / 3.14159f));
}

TEST(SurfaceDensity, RingHasARoundHole) {
  std::vector<render::Point> points;
  for (int i = 0; i < 2000; ++i) {
    const double angle = i * 2.399963, radius = 40.0 + 1.5 * std::sin(i * 0.7);
    points.push_back({static_cast<float>(80.0 + radius * std::cos(angle)),
                      static_cast<float>(60.0 + radius * std::sin(angle)), 1.0f});
  }
  const render::Map map = density_of(points);
  const float ring = map.at(120, 60);
  // Half way to the middle there is nothing, in whichever direction.
  for (int k = 0; k < 64; ++k) {
    const double angle = k * 0.0981748;
    EXPECT_LT(map.at(static_cast<int>(80 + 28 * std::cos(angle)), static_cast<int>(60 + 28 * std::sin(angle))),
              1e-3f * ring)
        << k;
  }
}

TEST(Frame, CoversTheVisibleMatterAndIgnoresOutliers) {
  Snapshot snapshot = ball(Family::star, {5.0, -3.0, 1.0});
  snapshot.particles.append(ball(Family::halo, {500.0, 0.0, 0.0}).particles);
  snapshot.particles.position[3] = {1e12, 0.0, 0.0};
  const render::Camera camera = render::frame(snapshot.particles, small());
  EXPECT_NEAR(camera.centre[0], 5.0, 0.1);  // a ball of radius 1, its outermost 1 % left out
  EXPECT_NEAR(camera.centre[1], -3.0, 0.1);
  // Margin 1.4, the height is the narrow side, and the outermost 1 % of a ball in one coordinate begin at 0.92.
  EXPECT_NEAR(camera.extent, 1.4 * 2.0 * 0.92 * 4.0 / 3.0, 0.1);
  Options halo_only = small();
  halo_only.families = {Family::halo};
  EXPECT_NEAR(render::frame(snapshot.particles, halo_only).centre[0], 500.0, 0.1);
}

TEST(Frame, DoesAsTheOptionsSay) {
  Options options = small();
  options.centre = Vec3{1.0, 2.0, 3.0};
  options.extent = 7.0;
  options.axis = render::Axis::y;
  const render::Camera camera = render::frame(mixed().particles, options);
  EXPECT_EQ(camera.centre, (Vec3{1.0, 2.0, 3.0}));
  EXPECT_EQ(camera.extent, 7.0);
  EXPECT_EQ(camera.axis, render::Axis::y);
}

TEST(Draw, ShowsFamiliesInTheirColoursAtTheirPlaces) {
  const render::Image image = render::draw(mixed(), small());
  // The frame spans about -3.6 to 3.6, so that the balls stand at a quarter and at three quarters.
  const Rgb gas = pixel(image, 36, 60), star = pixel(image, 124, 60), halo = pixel(image, 80, 60);
  EXPECT_GT(gas.green, gas.red + 30);
  EXPECT_GT(star.red, star.blue + 30);
  EXPECT_GT(halo.blue, halo.green);
  EXPECT_LT(halo.blue, 130) << "a halo behind visible matter is dim";
  const Rgb sky = pixel(image, 3, 3);
  EXPECT_LT(sky.red + sky.green + sky.blue, 60);
}

TEST(Draw, LeavesOutFamiliesNotAskedFor) {
  Options options = small();
  options.families = {Family::star};
  options.centre = Vec3{};
  options.extent = 7.2;
  const render::Image image = render::draw(mixed(), options);
  const Rgb gas = pixel(image, 36, 60), star = pixel(image, 124, 60);
  EXPECT_LT(gas.green, 20);
  EXPECT_GT(star.red, 100);
}

TEST(Draw, LooksAlongTheAxisAskedFor) {
  Options options = small();
  options.centre = Vec3{};
  options.extent = 8.0;
  const Snapshot above = ball(Family::star, {0.0, 0.0, 2.0});
  EXPECT_GT(pixel(render::draw(above, options), 80, 60).red, 100);  // z towards the viewer: in the middle
  for (const render::Axis axis : {render::Axis::x, render::Axis::y}) {
    options.axis = axis;
    const render::Image image = render::draw(above, options);
    EXPECT_GT(pixel(image, 80, 20).red, 100);  // z upwards: 2 of 6 lengths above the middle, 40 pixels
    EXPECT_LT(pixel(image, 80, 100).red, 30);
  }
}

TEST(Draw, IsTheSameForAnyNumberOfThreads) {
#ifdef _OPENMP
  const Snapshot many = ball(Family::star, {}, 40000);  // so many that threads share them
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const render::Image one = render::draw(many, small());
  omp_set_num_threads(3);
  const render::Image three = render::draw(many, small());
  omp_set_num_threads(before);
  EXPECT_EQ(one.rgb, three.rgb);
#else
  GTEST_SKIP() << "built without OpenMP";
#endif
}

TEST(Draw, TakesNoneOneAndCoincidentParticles) {
  for (const std::size_t n : {0u, 1u, 500u}) {
    Snapshot snapshot = ball(Family::star, {}, n);
    for (Vec3& x : snapshot.particles.position) x = {1.0, 1.0, 1.0};
    const render::Image image = render::draw(snapshot, small());
    ASSERT_EQ(image.rgb.size(), 160u * 120u * 3u);
    EXPECT_EQ(pixel(image, 80, 60).red > 100, n > 0) << n << " particles";
  }
}

TEST(Draw, ShowsTracersAndMassesInAnyUnits) {
  const render::Image unit = render::draw(ball(Family::star, {}), small());
  Snapshot snapshot = ball(Family::star, {});
  for (const double mass : {0.0, 1e45}) {  // tracers; grams
    snapshot.particles.mass.assign(snapshot.particles.size(), mass);
    const render::Image image = render::draw(snapshot, small());
    EXPECT_EQ(image.rgb, unit.rgb) << "only relative masses matter; these are all equal";
  }
}

TEST(Draw, RefusesCoordinatesThatAreNoNumbers) {
  Snapshot snapshot = ball(Family::star, {});
  snapshot.particles.position[17][1] = std::nan("");
  EXPECT_THROW(render::draw(snapshot, small()), Error);
}

TEST(Draw, LabelsChangeOnlyTheirCorners) {
  Options options = small();
  const render::Image plain = render::draw(mixed(), options);
  options.labels = true;
  const render::Image labelled = render::draw(mixed(), options);
  int changed = 0;
  for (int y = 0; y < 120; ++y) {
    for (int x = 0; x < 160; ++x) {
      const Rgb a = pixel(plain, x, y), b = pixel(labelled, x, y);
      if (a.red == b.red && a.green == b.green && a.blue == b.blue) continue;
      ++changed;
      EXPECT_TRUE(x < 80 && (y < 35 || y > 80)) << x << ' ' << y;
    }
  }
  EXPECT_GT(changed, 50);
}

TEST(Draw, LegendNamesTheFamiliesInTheirColours) {
  Options options = small();
  options.width = 640, options.height = 480;
  const auto rows_changed = [&](const Snapshot& snapshot) {  // in the lower right quarter
    options.labels = false;
    const render::Image before = render::draw(snapshot, options);
    options.labels = true;
    const render::Image after = render::draw(snapshot, options);
    int rows = 0;
    for (int y = 240; y < 480; ++y) {
      const auto at = [y](const render::Image& image) {
        return image.rgb.begin() + static_cast<std::ptrdiff_t>(y * image.width + 320) * 3;
      };
      rows += std::equal(at(before), at(before) + 320 * 3, at(after)) ? 0 : 1;
    }
    return rows;
  };
  EXPECT_GT(rows_changed(mixed()), rows_changed(ball(Family::star, {})) + 20) << "three families, one";
  // The uppermost bar is that of gas, teal; it brightens to the right.
  const render::Image image = render::draw(mixed(), options);
  int brightest = 0, bar = 0;
  for (int y = 380; y < 420; ++y) {
    const Rgb p = pixel(image, 600, y);
    if (p.green - p.red > brightest) brightest = p.green - p.red, bar = y;
  }
  ASSERT_GT(brightest, 20);
  EXPECT_LT(pixel(image, 500, bar).green, pixel(image, 560, bar).green);
  EXPECT_LT(pixel(image, 560, bar).green, pixel(image, 600, bar).green);
}

TEST(Draw, StarsAreDotsOfTheirOwnBrightnessThatStayInEveryPicture) {
  Options options = small();
  options.width = options.height = 400;
  options.centre = Vec3{};
  options.extent = 4.0;
  Snapshot snapshot = ball(Family::star, {}, 3);
  snapshot.particles.position = {{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
  const render::Image image = render::draw(snapshot, options);
  for (const auto& [x, y] : {std::pair{100, 200}, {300, 200}, {200, 100}}) {
    const Rgb dot = pixel(image, x, y), beside = pixel(image, x + 12, y);
    EXPECT_GT(dot.green, 200);
    EXPECT_LT(beside.green, dot.green / 2) << "a point, not a cloud";
  }
  // Turned by its order in the file, a star keeps what is its own: all goes by ids.
  Snapshot turned = snapshot;
  std::reverse(turned.particles.position.begin(), turned.particles.position.end());
  std::reverse(turned.particles.id.begin(), turned.particles.id.end());
  EXPECT_EQ(render::draw(turned, options).rgb, image.rgb);
}

TEST(Draw, HaloAloneIsAsBrightAsStars) {
  const render::Image image = render::draw(ball(Family::halo, {}), small());
  const Rgb middle = pixel(image, 80, 60);
  EXPECT_GT(middle.red + middle.green + middle.blue, 350);
}

TEST(Draw, SaysWhichFamiliesThereAreWhereNoneIsThatWasAskedFor) {
  Options options = small();
  options.families = {Family::disc, Family::black_hole};
  try {
    render::refuse_absent_families(mixed().particles, options, "a.hdf5");
    FAIL() << "nothing was thrown";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "a.hdf5: holds no particles of disc or black-hole (there are: gas, halo, star)");
  }
  options.families.push_back(Family::gas);  // one of those asked for is enough
  EXPECT_NO_THROW(render::refuse_absent_families(mixed().particles, options, "a.hdf5"));
}

TEST(Draw, RefusesOptionsOutOfRange) {
  const auto refused = [](auto change) {
    Options options = small();
    change(options);
    EXPECT_THROW(render::draw(mixed(), options), UsageError);
  };
  refused([](Options& o) { o.width = 0; });
  refused([](Options& o) { o.height = 100000; });
  refused([](Options& o) { o.extent = -1.0; });
  refused([](Options& o) { o.centre = Vec3{0.0, std::nan(""), 0.0}; });
  refused([](Options& o) { o.decades = 0.0; });
  refused([](Options& o) { o.gamma = std::nan(""); });
}

TEST(Labels, RoundTheScaleBarDown) {
  EXPECT_DOUBLE_EQ(render::round_length(1.0), 1.0);
  EXPECT_DOUBLE_EQ(render::round_length(19.0), 10.0);
  EXPECT_DOUBLE_EQ(render::round_length(0.049), 0.02);
  EXPECT_DOUBLE_EQ(render::round_length(777.0), 500.0);
}

TEST(ContactSheet, PlacesPicturesInRows) {
  const auto plain = [](std::uint8_t value) { return render::Image{20, 10, std::vector<std::uint8_t>(600, value)}; };
  const render::Image sheet = render::contact_sheet({plain(50), plain(100), plain(150)}, 2);
  EXPECT_EQ(sheet.width, 44);
  EXPECT_EQ(sheet.height, 24);
  EXPECT_EQ(pixel(sheet, 0, 0).red, 50);
  EXPECT_EQ(pixel(sheet, 43, 9).red, 100);
  EXPECT_EQ(pixel(sheet, 19, 23).red, 150);
  EXPECT_EQ(pixel(sheet, 43, 23).red, 0);
  EXPECT_THROW(render::contact_sheet({}, 2), UsageError);
  EXPECT_THROW(render::contact_sheet({plain(1), render::Image{10, 20, std::vector<std::uint8_t>(600)}}, 2), UsageError);
}

TEST(Png, HoldsThePictureAndLeavesNothingElse) {
  const fs::path folder = fs::path(testing::TempDir()) / ("hornbeam_png_" + std::to_string(::getpid()));
  fs::remove_all(folder);
  fs::create_directories(folder);
  const render::Image image = render::draw(mixed(), small());
  render::write_png(folder / "picture.png", image);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);

  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_file(&header, (folder / "picture.png").c_str()), 0) << header.message;
  EXPECT_EQ(header.width, 160u);
  EXPECT_EQ(header.height, 120u);
  header.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> rgb(PNG_IMAGE_SIZE(header));
  ASSERT_NE(png_image_finish_read(&header, nullptr, rgb.data(), 0, nullptr), 0) << header.message;
  EXPECT_EQ(rgb, image.rgb);

  EXPECT_THROW(render::write_png(folder / "absent" / "picture.png", image), Error);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace hornbeam
