// SPDX-License-Identifier: Apache-2.0
// Maps of surface density: that mass is where it belongs, round and smooth, finely where there is much of it.
#include "render/surface_density.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace hornbeam {
namespace {

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

}  // namespace
}  // namespace hornbeam
