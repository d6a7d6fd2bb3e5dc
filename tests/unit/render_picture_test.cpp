// SPDX-License-Identifier: Apache-2.0
// Pictures: what they cover, the colours of families, PNG files and sheets.
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
#include "render/camera.h"
#include "render/paint/labels.h"

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

TEST(Frame, CoversTheVisibleMatterAndIgnoresOutliers) {
  Snapshot snapshot = ball(Family::star, {5.0, -3.0, 1.0});
  snapshot.particles.append(ball(Family::halo, {500.0, 0.0, 0.0}).particles);
  snapshot.particles.position[3] = {1e12, 0.0, 0.0};
  const render::Camera camera = render::frame(snapshot, small());
  EXPECT_NEAR(camera.centre[0], 5.0, 0.1);  // a ball of radius 1, its outermost 1 % left out
  EXPECT_NEAR(camera.centre[1], -3.0, 0.1);
  // Margin 1.4, the height is the narrow side, and the outermost 1 % of a ball in one coordinate begin at 0.92.
  EXPECT_NEAR(camera.extent, 1.4 * 2.0 * 0.92 * 4.0 / 3.0, 0.1);
  Options halo_only = small();
  halo_only.families = {Family::halo};
  EXPECT_NEAR(render::frame(snapshot, halo_only).centre[0], 500.0, 0.1);
}

TEST(Frame, DoesAsTheOptionsSay) {
  Options options = small();
  options.centre = Vec3{1.0, 2.0, 3.0};
  options.extent = 7.0;
  options.axis = render::Axis::y;
  const render::Camera camera = render::frame(mixed(), options);
  EXPECT_EQ(camera.centre, (Vec3{1.0, 2.0, 3.0}));
  EXPECT_EQ(camera.extent, 7.0);
  EXPECT_EQ(camera.axis, render::Axis::y);
}

TEST(Draw, ShowsFamiliesInTheirColoursAtTheirPlaces) {
  const render::Image image = render::draw(mixed(), small());
  // The frame spans about -3.6 to 3.6, so that the balls are at a quarter and at three quarters.
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
  options.axis = render::Axis::z;
  options.from = {70, 30};  // half as high by the sine
  EXPECT_GT(pixel(render::draw(above, options), 80, 40).red, 100);
}

TEST(Directions, TiltedByARightAngleAreThoseOfTheSide) {
  const render::Screen side = render::screen(render::Axis::y, {}), tilted = render::screen(render::Axis::z, {0, 90});
  const render::Screen other = render::screen(render::Axis::x, {}), turned = render::screen(render::Axis::z, {90, 90});
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(side.right[k], tilted.right[k], 1e-15);
    EXPECT_NEAR(side.up[k], tilted.up[k], 1e-15);
    EXPECT_NEAR(side.toward[k], tilted.toward[k], 1e-15);
    EXPECT_NEAR(other.right[k], turned.right[k], 1e-15);
    EXPECT_NEAR(other.toward[k], turned.toward[k], 1e-15);
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

/// Those of a contact sheet of many: words are as small as they must be to end within the picture.
TEST(Draw, LabelsOfSmallPicturesAreWhole) {
  Options options = small();
  options.width = 60, options.height = 46;
  Snapshot snapshot = mixed();
  snapshot.time = 0.1234;
  const render::Image plain = render::draw(snapshot, options);
  options.labels = true;
  const render::Image labelled = render::draw(snapshot, options);
  int changed = 0;
  for (int y = 0; y < 23; ++y) {  // of the time
    for (int x = 0; x < 60; ++x) {
      const Rgb a = pixel(plain, x, y), b = pixel(labelled, x, y);
      if (a.red == b.red && a.green == b.green && a.blue == b.blue) continue;
      ++changed;
      EXPECT_LT(x, 58) << y;
    }
  }
  EXPECT_GT(changed, 30);
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
    EXPECT_STREQ(error.what(), "a.hdf5: has no particles of the family disc or black-hole (it has gas, halo, star)");
  }
  options.families.push_back(Family::gas);  // one of those requested is enough
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
