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

/// How many points there are about one, in cells of any width around it.
class Neighbourhood {
 public:
  Neighbourhood(const Point& point, const Pyramid& counts) : point_(point), counts_(counts) { known_.fill(-1.0f); }

  /// log2 of the number in a cell of width 2^level pixels, between whole levels by a power law.
  float log_count(float level) {
    const float lower = std::clamp(std::floor(level), 0.0f, static_cast<float>(last()));
    const auto l = static_cast<std::size_t>(lower);
    const float slope = l == last() ? 2.0f : std::log2(count(l + 1) / count(l));
    return std::log2(count(l)) + (level - lower) * slope;
  }

  /// The level, between whole ones, of a cell that would hold `wanted` points.
  float level_that_holds(float wanted) {
    std::size_t l = 0;
    while (l < last() && counts_[l].at(cell(point_.x, l), cell(point_.y, l)) < wanted) ++l;
    l = l > 2 ? l - 2 : 0;
    while (l < last() && count(l) < wanted) ++l;
    const auto level = static_cast<float>(l);
    const float slope = l == 0 || count(l) < wanted ? 2.0f : std::log2(count(l) / count(l - 1));
    return level + std::log2(wanted / count(l)) / std::max(slope, 0.1f);
  }

 private:
  static int cell(float x, std::size_t level) { return static_cast<int>(std::ldexp(x, -static_cast<int>(level))); }
  [[nodiscard]] std::size_t last() const { return counts_.size() - 1; }

  /// Points in a cell of that level around the point, weighted as a quadratic spline; at least a tenth of one.
  float count(std::size_t level) {
    float& known = known_[level];
    if (known < 0.0f) known = std::max(0.1f, level == 0 ? spline_sum<3>(0, 1.0f) : spline_sum<6>(level - 1, 0.5f));
    return known;
  }

  /// The sum over `taps` x `taps` cells of a level, each `step` of the spline's own wide: cells half as wide keep the
  /// places of the cells' edges out of the sum.
  template <int taps>
  [[nodiscard]] float spline_sum(std::size_t level, float step) const {
    const Map& map = counts_[level];
    const auto weights = [&](float at, int first) {
      std::array<float, taps> weight;
      for (int i = 0; i < taps; ++i) {
        const float u = std::abs(static_cast<float>(first + i) + 0.5f - at) * step, v = std::max(0.0f, 1.5f - u);
        weight[i] = u < 0.5f ? 0.75f - u * u : 0.5f * v * v;
      }
      return weight;
    };
    const float x = std::ldexp(point_.x, -static_cast<int>(level)), y = std::ldexp(point_.y, -static_cast<int>(level));
    const int x0 = static_cast<int>(std::floor(x + 0.5f * (1 - taps % 2))) - taps / 2;
    const int y0 = static_cast<int>(std::floor(y + 0.5f * (1 - taps % 2))) - taps / 2;
    const auto wx = weights(x, x0), wy = weights(y, y0);
    const int first = std::max(0, -x0), end = std::min(taps, map.width - x0);
    float sum = 0.0f;
    for (int j = std::max(0, -y0); j < std::min(taps, map.height - y0); ++j) {
      const float* const cells = map.value.data() + static_cast<std::ptrdiff_t>(y0 + j) * map.width + x0;
      float row = 0.0f;
      for (int i = first; i < end; ++i) row += wx[i] * cells[i];
      sum += wy[j] * row;
    }
    return sum;
  }

  Point point_;
  const Pyramid& counts_;
  std::array<float, 24> known_;
};

/// Octaves by which a kernel may be widened without blurring: up to one where a cell twice as wide holds four times as
/// many points, as on a plain of even density; none on a filament (twice as many) or next to a clump (more).
float widening(Neighbourhood& points, float level) {
  const float growth = points.log_count(level + 1.0f) - points.log_count(level);
  return std::max(0.0f, 1.0f - 1.4f * std::abs(growth - 2.0f));
}

/// (1 - d^2 / r^2)^4.
struct RoundHill {
  static float at(float q2) {
    const float t = std::max(0.0f, 1.0f - q2);
    return t * t * t * t;
  }
  static constexpr float variance() { return 1.0f / 12.0f; }
  static constexpr float volume() { return 3.1415927f / 5.0f; }
};

struct Spot {
  float x, y, radius;  ///< cells of the level
  std::size_t level;
};

/// The level on which a kernel of that radius is written, and what it is there. Refining widens it by a quadratic
/// spline, whose variance is 1/4 in cells; that of the kernel is `variance` times radius^2.
Spot spot_of(const Point& p, float radius, std::size_t levels, float variance) {
  std::size_t level = 0;
  float scale = 1.0f;
  while (radius * scale >= most_cells && level + 1 < levels) ++level, scale *= 0.5f;
  const float cells = radius * scale;
  return {p.x * scale, p.y * scale, level == 0 ? cells : std::sqrt(cells * cells - 0.25f / variance), level};
}

bool is_wide(const Spot& spot) { return spot.radius >= most_cells; }

template <class Shape>
void deposit(Map& map, const Spot& spot, const Shape& shape, float amount) {
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
      weight[j][i] = shape.at(std::min(1.0f, dx * dx + dy * dy));
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

/// A row of the coarsest level under a kernel that is wider than others there: its value at each cell.
template <class Shape>
void deposit_row(Map& map, int y, const Spot& spot, const Shape& shape, float amount) {
  const float inverse = 1.0f / spot.radius, height = amount * inverse * inverse / shape.volume();
  const float dy = (static_cast<float>(y) + 0.5f - spot.y) * inverse;
  for (int x = 0; x < map.width; ++x) {
    const float dx = (static_cast<float>(x) + 0.5f - spot.x) * inverse;
    map.at(x, y) += height * shape.at(std::min(1.0f, dx * dx + dy * dy));
  }
}

/// Points in the order of the tiles of the levels on which they are written; those beyond an edge belong to the tile
/// next to them. Kernels reach less than half a tile out of their own, so tiles of which both numbers have the same
/// parity can be written at the same time.
class Tiles {
 public:
  Tiles(const std::vector<Spot>& spots, const Pyramid& levels) {
    for (const Map& level : levels) {
      first_tile_.push_back(begin_.size());
      columns_.push_back((level.width + side - 1) / side);
      begin_.resize(begin_.size() + static_cast<std::size_t>(columns_.back()) * ((level.height + side - 1) / side));
    }
    begin_.push_back(0);
    const auto tile = [&](const Spot& spot) {
      const Map& level = levels[spot.level];
      const auto place = [](float at, int cells) {
        return static_cast<std::size_t>(std::clamp(at, 0.0f, static_cast<float>(cells - 1)) / side);
      };
      return first_tile_[spot.level] + place(spot.y, level.height) * columns_[spot.level] + place(spot.x, level.width);
    };
    for (const Spot& spot : spots) begin_[tile(spot) + 1] += is_wide(spot) ? 0 : 1;
    for (std::size_t t = 1; t < begin_.size(); ++t) begin_[t] += begin_[t - 1];
    std::vector<std::size_t> next(begin_);
    order_.resize(begin_.back());
    for (std::size_t i = 0; i < spots.size(); ++i) {
      if (!is_wide(spots[i])) order_[next[tile(spots[i])]++] = static_cast<std::uint32_t>(i);
    }
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

/// `shape_of(i)`: the form of point i.
template <class ShapeOf>
Map spread(const std::vector<Point>& points, const std::vector<float>& radii, int width, int height,
           const ShapeOf& shape_of) {
  Pyramid levels = empty_pyramid(width, height);
  std::vector<Spot> spots(points.size());
  std::vector<std::uint32_t> wide;
  for (std::size_t i = 0; i < points.size(); ++i) {
    spots[i] = spot_of(points[i], radii[i], levels.size(), shape_of(i).variance());
    if (is_wide(spots[i])) wide.push_back(static_cast<std::uint32_t>(i));
  }
  const auto amount = [&](std::uint32_t i) {
    return std::ldexp(points[i].mass, -2 * static_cast<int>(spots[i].level));
  };
  Tiles(spots, levels).for_each([&](std::size_t level, std::uint32_t i) {
    deposit(levels[level], spots[i], shape_of(i), amount(i));
  });
#pragma omp parallel for schedule(static) if (wide.size() > worth_threads)
  for (int y = 0; y < levels.back().height; ++y) {
    for (const std::uint32_t i : wide) {
      deposit_row(levels.back(), y, spots[i], shape_of(i), amount(i));
    }
  }
  for (std::size_t l = levels.size() - 1; l > 0; --l) refine(levels[l], levels[l - 1]);
  return std::move(levels[0]);
}

}  // namespace

Hill::Hill(const std::function<double(double)>& fall) {
  double volume = 0, variance = 0;
  for (int k = 0; k <= steps; ++k) value_[k] = static_cast<float>(fall(static_cast<double>(k) / steps));
  value_[steps + 1] = value_[steps];
  for (int k = 0; k < steps; ++k) {  // over q^2: dA = pi d(q^2), <x^2> = q^2 / 2
    const double low = value_[k], high = value_[k + 1], q2 = static_cast<double>(k) / steps, step = 1.0 / steps;
    volume += 0.5 * (low + high) * step;
    variance += 0.5 * step * (low * (0.5 * q2 + step / 6) + high * (0.5 * q2 + step / 3));
  }
  constexpr double pi = 3.141592653589793;
  volume_ = static_cast<float>(pi * volume);
  variance_ = static_cast<float>(variance / volume);
}

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
    Neighbourhood about(points[i], counts);
    const float level = about.level_that_holds(neighbours);
    const float width = std::exp2(level + widening(about, level));
    radii[i] = std::clamp(radius_of_square * width, narrowest, widest);
  }
  return radii;
}

Map surface_density(const std::vector<Point>& points, const std::vector<float>& radii, int width, int height) {
  return spread(points, radii, width, height, [](std::size_t) { return RoundHill{}; });
}

Map surface_density(const std::vector<Point>& points, const std::vector<float>& radii, int width, int height,
                    const std::vector<Hill>& hills, const std::vector<std::uint8_t>& hill) {
  return spread(points, radii, width, height,
                [&](std::size_t i) -> const Hill& { return hills[hill.empty() ? 0 : hill[i]]; });
}

}  // namespace hornbeam::render
