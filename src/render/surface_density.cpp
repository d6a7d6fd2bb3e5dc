// SPDX-License-Identifier: Apache-2.0
// Adaptive smoothing on a pyramid of grids whose cells double from level to level. A point is written to the two
// levels around its own scale as a quadratic B-spline; the levels are then refined into one another by the spline's
// two-scale relation, so that wide kernels cost no more than narrow ones: O(points + pixels).
#include "render/surface_density.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace hornbeam::render {
namespace {

using Pyramid = std::vector<Map>;  // level 0: pixels

Pyramid empty_pyramid(int width, int height) {
  Pyramid levels{Map(width, height)};
  constexpr int fewest_cells = 6;  // across the coarsest level
  while (std::min(levels.back().width, levels.back().height) >= 2 * fewest_cells) {
    levels.emplace_back((levels.back().width + 1) / 2, (levels.back().height + 1) / 2);
  }
  return levels;
}

Pyramid count_points(const std::vector<Point>& points, int width, int height) {
  Pyramid counts = empty_pyramid(width, height);
  for (const Point& p : points) {
    counts[0].at(static_cast<int>(p.x), static_cast<int>(p.y)) += 1.0f;
  }
  for (std::size_t l = 1; l < counts.size(); ++l) {
    const Map& fine = counts[l - 1];
    for (int y = 0; y < fine.height; ++y) {
      for (int x = 0; x < fine.width; ++x) counts[l].at(x / 2, y / 2) += fine.at(x, y);
    }
  }
  return counts;
}

/// The map between its cell centres, linearly.
float sample(const Map& map, float x, float y) {
  const float left = std::floor(x - 0.5f), top = std::floor(y - 0.5f);
  const float fx = x - 0.5f - left, fy = y - 0.5f - top;
  const int x0 = std::clamp(static_cast<int>(left), 0, map.width - 1), x1 = std::min(x0 + 1, map.width - 1);
  const int y0 = std::clamp(static_cast<int>(top), 0, map.height - 1), y1 = std::min(y0 + 1, map.height - 1);
  return (1.0f - fy) * ((1.0f - fx) * map.at(x0, y0) + fx * map.at(x1, y0)) +
         fy * ((1.0f - fx) * map.at(x0, y1) + fx * map.at(x1, y1));
}

/// The level, between whole ones, whose cells are half as wide as a cell around the point that holds `wanted` points.
/// Counting in wider cells than are written to keeps the noise of the counts out of the scale.
float smoothing_level(const Point& p, const Pyramid& counts, float wanted) {
  float below = 0.0f, scale = 1.0f;
  for (std::size_t l = 0; l < counts.size(); ++l, scale *= 0.5f) {
    const float count = sample(counts[l], p.x * scale, p.y * scale);
    if (count >= wanted) {
      if (l == 0) return 0.0f;
      return std::max(0.0f, static_cast<float>(l) - 2.0f + std::log(wanted / below) / std::log(count / below));
    }
    below = std::max(count, 0.1f);
  }
  return static_cast<float>(counts.size() - 2);
}

/// Weights of a quadratic B-spline on the three cells around a place `offset` from the middle one's centre.
std::array<float, 3> spline_weights(float offset) {
  const float before = 0.5f - offset, after = 0.5f + offset;
  return {0.5f * before * before, 0.75f - offset * offset, 0.5f * after * after};
}

void deposit(Map& map, float x, float y, float amount) {
  const int cx = static_cast<int>(x), cy = static_cast<int>(y);
  const auto wx = spline_weights(x - static_cast<float>(cx) - 0.5f);
  const auto wy = spline_weights(y - static_cast<float>(cy) - 0.5f);
  for (int j = std::max(0, cy - 1); j <= std::min(map.height - 1, cy + 1); ++j) {
    for (int i = std::max(0, cx - 1); i <= std::min(map.width - 1, cx + 1); ++i) {
      map.at(i, j) += amount * wx[i - cx + 1] * wy[j - cy + 1];
    }
  }
}

void deposit_between_levels(Pyramid& levels, const Point& p, float level) {
  const auto lower = std::min(static_cast<std::size_t>(level), levels.size() - 1);
  const float upper_share = level - static_cast<float>(lower);
  for (std::size_t l = lower; l < std::min(lower + 2, levels.size()); ++l) {
    const float scale = std::ldexp(1.0f, -static_cast<int>(l));
    const float share = l == lower ? 1.0f - upper_share : upper_share;
    deposit(levels[l], p.x * scale, p.y * scale, p.mass * share * scale * scale);
  }
}

/// fine += coarse, refined: a fine cell takes 3/4 of the coarse cell it lies in and 1/4 of the one it lies next to.
void refine(const Map& coarse, Map& fine) {
#pragma omp parallel for schedule(static)
  for (int y = 0; y < fine.height; ++y) {
    const int y0 = y / 2, y1 = std::clamp(y0 + (y % 2 == 0 ? -1 : 1), 0, coarse.height - 1);
    for (int x = 0; x < fine.width; ++x) {
      const int x0 = x / 2, x1 = std::clamp(x0 + (x % 2 == 0 ? -1 : 1), 0, coarse.width - 1);
      fine.at(x, y) +=
          0.0625f * (9.0f * coarse.at(x0, y0) + 3.0f * (coarse.at(x1, y0) + coarse.at(x0, y1)) + coarse.at(x1, y1));
    }
  }
}

}  // namespace

Map surface_density(const std::vector<Point>& points, int width, int height, const Smoothing& smoothing) {
  // A dot about 1/250 of the picture high, whatever its resolution.
  const float sparkle_level = std::max(0.0f, std::log2(static_cast<float>(height) / 600.0f));
  const auto sparkle = static_cast<float>(smoothing.sparkle);
  const Pyramid counts = count_points(points, width, height);
  std::vector<float> level(points.size());
  const auto n = static_cast<std::int64_t>(points.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    level[i] = smoothing_level(points[i], counts, static_cast<float>(smoothing.neighbours));
  }
  Pyramid levels = empty_pyramid(width, height);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& p = points[i];
    deposit_between_levels(levels, {p.x, p.y, (1.0f - sparkle) * p.mass}, level[i]);
    deposit_between_levels(levels, {p.x, p.y, sparkle * p.mass}, std::min(level[i], sparkle_level));
  }
  for (std::size_t l = levels.size() - 1; l > 0; --l) refine(levels[l], levels[l - 1]);
  return std::move(levels[0]);
}

}  // namespace hornbeam::render
