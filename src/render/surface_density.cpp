// SPDX-License-Identifier: Apache-2.0
// Adaptive smoothing on a pyramid of grids whose cells double from level to level. A point's round kernel is written to
// the level on which it is a few cells wide; the levels are then refined into one another as quadratic splines, so that
// wide kernels cost no more than narrow ones: O(points + pixels).
#include "render/surface_density.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace hornbeam::render {
namespace {

using Pyramid = std::vector<Map>;  // level 0: pixels

/// A kernel's radius in cells of its level is at least half of this, but for the narrowest, and less than it.
constexpr float most_cells = 8.0f;
/// Threads that wait for one another cost more than fewer points or cells.
constexpr std::size_t worth_threads = 10'000;
constexpr float narrowest = 2.5f;  // pixels: narrower kernels are not round on a grid

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

/// Weights of a quadratic B-spline on the three cells around a place `offset` from the middle one's centre.
std::array<float, 3> spline_weights(float offset) {
  const float before = 0.5f - offset, after = 0.5f + offset;
  return {0.5f * before * before, 0.75f - offset * offset, 0.5f * after * after};
}

/// The map about a place, smoothed as a quadratic spline.
float sample(const Map& map, float x, float y) {
  const int cx = std::min(static_cast<int>(x), map.width - 1), cy = std::min(static_cast<int>(y), map.height - 1);
  const auto wx = spline_weights(x - static_cast<float>(cx) - 0.5f);
  const auto wy = spline_weights(y - static_cast<float>(cy) - 0.5f);
  float sum = 0.0f;
  for (int j = std::max(0, cy - 1); j <= std::min(map.height - 1, cy + 1); ++j) {
    for (int i = std::max(0, cx - 1); i <= std::min(map.width - 1, cx + 1); ++i) {
      sum += wx[i - cx + 1] * wy[j - cy + 1] * map.at(i, j);
    }
  }
  return sum;
}

/// log2 of the number of points in a cell of width 2^level pixels about the point, between the levels by a power law.
float log_count(const Point& p, const Pyramid& counts, float level) {
  const auto lower = static_cast<std::size_t>(std::clamp(level, 0.0f, static_cast<float>(counts.size() - 1)));
  const auto at = [&](std::size_t l) {
    const float scale = std::ldexp(1.0f, -static_cast<int>(l));
    return std::log2(std::max(0.1f, sample(counts[l], p.x * scale, p.y * scale)));
  };
  const float below = at(lower);
  if (lower + 1 == counts.size()) return below + 2.0f * (level - static_cast<float>(lower));
  return below + (level - static_cast<float>(lower)) * (at(lower + 1) - below);
}

/// The level, between whole ones, of a cell around the point that would hold `wanted` points.
float level_that_holds(const Point& p, const Pyramid& counts, float wanted) {
  float below = 0.0f, scale = 1.0f;
  for (std::size_t l = 0; l < counts.size(); ++l, scale *= 0.5f) {
    const float count = sample(counts[l], p.x * scale, p.y * scale);
    if (count >= wanted && l == 0) return 0.5f * std::log2(wanted / count);
    if (count >= wanted) return static_cast<float>(l) - std::log(count / wanted) / std::log(count / below);
    below = std::max(count, 0.1f);
  }
  return static_cast<float>(counts.size());
}

/// Octaves by which a kernel may be widened without blurring: up to one where a cell twice as wide holds four times as
/// many points, as on a plain of even density; none on a filament (twice as many) or beside a clump (more).
float widening(const Point& p, const Pyramid& counts, float level) {
  if (level < 0.0f) return 0.0f;
  const float growth = log_count(p, counts, level + 1.0f) - log_count(p, counts, level);
  return std::max(0.0f, 1.0f - 1.4f * std::abs(growth - 2.0f));
}

struct Spot {
  float x, y, radius;  ///< cells of the level
  std::size_t level;
};

/// The level on which a kernel of that radius is written, and what it is there. Refining widens it by a quadratic
/// spline, whose variance is 1/4 in cells; that of the kernel is radius^2 / 12.
Spot spot_of(const Point& p, float radius, std::size_t levels) {
  std::size_t level = 0;
  float scale = 1.0f;
  while (radius * scale >= most_cells && level + 1 < levels) ++level, scale *= 0.5f;
  const float cells = std::min(radius * scale, 0.99f * most_cells);
  return {p.x * scale, p.y * scale, level == 0 ? cells : std::sqrt(cells * cells - 3.0f), level};
}

void deposit(Map& map, const Spot& spot, float amount) {
  constexpr int widest = 2 * static_cast<int>(most_cells) + 1;
  std::array<std::array<float, widest>, widest> weight;
  const int x0 = static_cast<int>(std::floor(spot.x - spot.radius)),
            y0 = static_cast<int>(std::floor(spot.y - spot.radius));
  const int nx = static_cast<int>(std::floor(spot.x + spot.radius)) - x0 + 1;
  const int ny = static_cast<int>(std::floor(spot.y + spot.radius)) - y0 + 1;
  const float inverse = 1.0f / spot.radius;
  float sum = 0.0f;
  for (int j = 0; j < ny; ++j) {
    const float dy = (static_cast<float>(y0 + j) + 0.5f - spot.y) * inverse;
    float row = 0.0f;
    for (int i = 0; i < nx; ++i) {
      const float dx = (static_cast<float>(x0 + i) + 0.5f - spot.x) * inverse;
      const float t = std::max(0.0f, 1.0f - dx * dx - dy * dy);
      weight[j][i] = t * t * t * t;
      row += weight[j][i];
    }
    sum += row;
  }
  const float share = amount / sum;
  const int first = std::max(0, -x0), last = std::min(nx, map.width - x0);
  for (int j = std::max(0, -y0); j < std::min(ny, map.height - y0); ++j) {
    float* const cells = &map.at(0, y0 + j) + x0;
    for (int i = first; i < last; ++i) cells[i] += share * weight[j][i];
  }
}

/// Points in the order of the tiles of the levels on which they are written. Kernels reach less than half a tile out of
/// their own, so tiles of which both numbers have the same parity can be written at the same time.
class Tiles {
 public:
  Tiles(const std::vector<Point>& points, const std::vector<float>& radii, const Pyramid& levels) {
    for (const Map& level : levels) {
      first_tile_.push_back(begin_.size());
      columns_.push_back((level.width + side - 1) / side);
      begin_.resize(begin_.size() + static_cast<std::size_t>(columns_.back()) * ((level.height + side - 1) / side));
    }
    begin_.push_back(0);
    const auto tile = [&](std::size_t i) {
      const Spot spot = spot_of(points[i], radii[i], levels.size());
      return first_tile_[spot.level] + static_cast<std::size_t>(spot.y / side) * columns_[spot.level] +
             static_cast<std::size_t>(spot.x / side);
    };
    for (std::size_t i = 0; i < points.size(); ++i) ++begin_[tile(i) + 1];
    for (std::size_t t = 1; t < begin_.size(); ++t) begin_[t] += begin_[t - 1];
    std::vector<std::size_t> next(begin_);
    order_.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) order_[next[tile(i)]++] = static_cast<std::uint32_t>(i);
  }

  /// Calls visit(level, point) for all points; at most one thread writes near a place at a time, in the points' order.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t level = 0; level < first_tile_.size(); ++level) {
      const std::size_t last = level + 1 < first_tile_.size() ? first_tile_[level + 1] : begin_.size() - 1;
      const bool threads = begin_[last] - begin_[first_tile_[level]] > worth_threads;
      const int columns = columns_[level], rows = static_cast<int>(last - first_tile_[level]) / columns;
      for (int colour = 0; colour < 4; ++colour) {
        const int across = (columns + 1 - colour % 2) / 2, down = (rows + 1 - colour / 2) / 2;
#pragma omp parallel for schedule(dynamic) if (threads)
        for (int t = 0; t < across * down; ++t) {
          const std::size_t tile = first_tile_[level] +
                                   static_cast<std::size_t>(2 * (t / across) + colour / 2) * columns +
                                   2 * (t % across) + colour % 2;
          for (std::size_t k = begin_[tile]; k < begin_[tile + 1]; ++k) visit(level, order_[k]);
        }
      }
    }
  }

 private:
  static constexpr int side = 32;
  std::vector<std::size_t> first_tile_, begin_;  ///< of each level, of each tile
  std::vector<int> columns_;
  std::vector<std::uint32_t> order_;
};

/// fine += coarse, refined: a fine cell takes 3/4 of the coarse cell it lies in and 1/4 of the one it lies next to.
void refine(const Map& coarse, Map& fine) {
#pragma omp parallel for schedule(static) if (fine.value.size() > worth_threads)
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

std::vector<float> smoothing_radii(const std::vector<Point>& points, int width, int height,
                                   const Smoothing& smoothing) {
  const Pyramid counts = count_points(points, width, height);
  std::vector<float> radii(points.size());
  const auto n = static_cast<std::int64_t>(points.size());
  const auto neighbours = static_cast<float>(smoothing.neighbours);
  const float widest = std::max(narrowest, static_cast<float>(smoothing.widest));
#pragma omp parallel for schedule(static) if (points.size() > worth_threads)
  for (std::int64_t i = 0; i < n; ++i) {
    constexpr float radius_of_square = 0.5641896f;  // of the circle with the area of a square of width 1
    const float level = level_that_holds(points[i], counts, neighbours);
    const float width = std::exp2(level + widening(points[i], counts, level));
    radii[i] = std::clamp(radius_of_square * width, narrowest, widest);
  }
  return radii;
}

Map surface_density(const std::vector<Point>& points, const std::vector<float>& radii, int width, int height) {
  Pyramid levels = empty_pyramid(width, height);
  Tiles(points, radii, levels).for_each([&](std::size_t level, std::uint32_t i) {
    const float area = std::ldexp(1.0f, -2 * static_cast<int>(level));
    deposit(levels[level], spot_of(points[i], radii[i], levels.size()), points[i].mass * area);
  });
  for (std::size_t l = levels.size() - 1; l > 0; --l) refine(levels[l], levels[l - 1]);
  return std::move(levels[0]);
}

}  // namespace hornbeam::render
