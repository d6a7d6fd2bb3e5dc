// SPDX-License-Identifier: Apache-2.0
// Balls to the tiles that they touch, then each tile by itself, see sphere_tiles.h.
#include "render/bodies/sphere_tiles.h"

#include <algorithm>
#include <cmath>

namespace hornbeam::render {
namespace {

/// Balls of less radius than this, in pixels, are veils: too small for points half as far apart to find them surely.
constexpr float least_radius = 0.5f;

bool is_veil(float area) { return area < 3.14159265f * least_radius * least_radius; }

/// Balls by the tiles that they touch.
class TileLists {
 public:
  TileLists(const View& view, const std::vector<Ball>& balls)
      : columns_((view.width() + tile_side - 1) / tile_side), rows_((view.height() + tile_side - 1) / tile_side) {
    begin_.resize(static_cast<std::size_t>(columns_) * rows_ + 1);
    const auto each = [&](const auto& act) {
      Bounds seen;
      for (std::uint32_t i = 0; i < balls.size(); ++i) {
        if (!view.bounds(balls[i], seen)) continue;
        const int x0 = tile_of(seen.left, columns_), x1 = tile_of(seen.right, columns_);
        const int y0 = tile_of(seen.top, rows_), y1 = tile_of(seen.bottom, rows_);
        for (int y = y0; y <= y1; ++y) {
          for (int x = x0; x <= x1; ++x) act(static_cast<std::size_t>(y) * columns_ + x, i);
        }
      }
    };
    each([&](std::size_t tile, std::uint32_t) { ++begin_[tile + 1]; });
    for (std::size_t t = 1; t < begin_.size(); ++t) begin_[t] += begin_[t - 1];
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    list_.resize(begin_.back());
    each([&](std::size_t tile, std::uint32_t i) { list_[next[tile]++] = i; });
  }

  [[nodiscard]] int count() const { return columns_ * rows_; }
  [[nodiscard]] int columns() const { return columns_; }
  template <class Act>
  void each_in(int tile, const Act& act) const {
    for (std::size_t k = begin_[tile]; k < begin_[tile + 1]; ++k) act(list_[k]);
  }

 private:
  static int tile_of(float pixel, int tiles) {
    return static_cast<int>(std::clamp(std::floor(pixel / tile_side), 0.0f, static_cast<float>(tiles - 1)));
  }

  int columns_, rows_;
  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> list_;
};

/// Fills one tile after another, in room that stays.
class TileFiller {
 public:
  TileFiller(const View& view, const std::vector<Ball>& balls, const Bodies& bodies, int samples)
      : view_(view), balls_(balls), bodies_(bodies) {
    tile_.samples = samples;
  }

  const Tile& fill(const TileLists& lists, int number) {
    begin(tile_side * (number % lists.columns()), tile_side * (number / lists.columns()));
    lists.each_in(number, [&](std::uint32_t i) {
      const Ball& ball = balls_[i];
      Bounds seen;
      if (!view_.bounds(ball, seen)) return;
      const float area = view_.area(ball);
      if (is_veil(area)) {
        add_veil(i, seen, area);
      } else {
        cover(i, seen);
      }
    });
    sort_veils();
    return tile_;
  }

 private:
  void begin(int x, int y) {
    tile_.x = x, tile_.y = y;
    tile_.width = std::min(tile_side, view_.width() - x);
    tile_.height = std::min(tile_side, view_.height() - y);
    const std::size_t points = std::size_t{1} * tile_.width * tile_.height * tile_.samples * tile_.samples;
    tile_.nearness.assign(points, std::numeric_limits<float>::lowest());
    tile_.ball.assign(points, no_ball);
    tile_.veils.clear();
  }

  void put(std::size_t at, float nearness, std::uint32_t i) {
    if (nearness < tile_.nearness[at]) return;
    if (nearness == tile_.nearness[at] && tile_.ball[at] != no_ball && id(tile_.ball[at]) <= id(i)) return;
    tile_.nearness[at] = nearness;
    tile_.ball[at] = i;
  }
  [[nodiscard]] std::uint64_t id(std::uint32_t ball) const { return bodies_.id[balls_[ball].body]; }

  /// First and end of the points between two places on the picture along one axis of the tile.
  struct Points {
    int first, end;
  };
  [[nodiscard]] Points points(float low, float high, int begin, int count) const {
    const auto s = static_cast<float>(tile_.samples), most = static_cast<float>(count * tile_.samples);
    const auto from = static_cast<float>(begin);
    return {static_cast<int>(std::clamp(std::ceil((low - from) * s - 0.5f), 0.0f, most)),
            static_cast<int>(std::clamp(std::floor((high - from) * s - 0.5f) + 1, 0.0f, most))};
  }
  void cover(std::uint32_t i, const Bounds& seen) {
    const Points rows = points(seen.top, seen.bottom, tile_.y, tile_.height);
    const Points columns = points(seen.left, seen.right, tile_.x, tile_.width);
    const Ball& ball = balls_[i];
    for (int row = rows.first; row < rows.end; ++row) {
      const float y = tile_.place(tile_.y, row, view_.height());
      for (int column = columns.first; column < columns.end; ++column) {
        float nearness = 0;
        const float x = tile_.place(tile_.x, column, view_.width());
        if (view_.eye() == 0 ? meets(ball, x - ball.x, y - ball.y, nearness) : meets_ray(ball, x, y, nearness)) {
          put(tile_.at(row, column), nearness, i);
        }
      }
    }
  }

  static bool meets(const Ball& ball, float dx, float dy, float& nearness) {
    const float left = ball.radius * ball.radius - dx * dx - dy * dy;
    if (!(left > 0)) return false;
    nearness = ball.z + std::sqrt(left);
    return true;
  }
  /// In double precision: spheres far from the eye are seen under small angles.
  [[nodiscard]] bool meets_ray(const Ball& ball, double x, double y, float& nearness) const {
    const double eye = view_.eye(), one = 1 / std::sqrt(x * x + y * y + eye * eye), depth = eye - ball.z;
    const double along = (x * ball.x + y * ball.y + eye * depth) * one;
    const double ox = ball.x - along * x * one, oy = ball.y - along * y * one, oz = depth - along * eye * one;
    const double left = static_cast<double>(ball.radius) * ball.radius - ox * ox - oy * oy - oz * oz;
    if (!(left > 0) || !(along - std::sqrt(left) > 0)) return false;
    nearness = static_cast<float>(std::sqrt(left) - along);
    return true;
  }

  /// As a square of its area, whose parts in pixels are exact.
  void add_veil(std::uint32_t i, const Bounds& seen, float area) {
    const float side = std::sqrt(area), x = 0.5f * (seen.left + seen.right) - 0.5f * side,
                y = 0.5f * (seen.top + seen.bottom) - 0.5f * side;
    const float nearness = view_.nearness(balls_[i]);
    for (int row = static_cast<int>(std::floor(y)); static_cast<float>(row) < y + side; ++row) {
      for (int column = static_cast<int>(std::floor(x)); static_cast<float>(column) < x + side; ++column) {
        if (column < tile_.x || row < tile_.y || column >= tile_.x + tile_.width || row >= tile_.y + tile_.height) {
          continue;
        }
        const auto px = static_cast<float>(column), py = static_cast<float>(row);
        const float part =
            (std::min(px + 1, x + side) - std::max(px, x)) * (std::min(py + 1, y + side) - std::max(py, y));
        if (!(part > 0)) continue;
        tile_.veils.push_back(
            {static_cast<std::uint32_t>((row - tile_.y) * tile_.width + column - tile_.x), nearness, part, i});
      }
    }
  }

  void sort_veils() {
    std::sort(tile_.veils.begin(), tile_.veils.end(), [this](const Veil& a, const Veil& b) {
      if (a.pixel != b.pixel) return a.pixel < b.pixel;
      if (a.nearness != b.nearness) return a.nearness > b.nearness;
      return id(a.ball) < id(b.ball);
    });
    tile_.first.assign(static_cast<std::size_t>(tile_.width * tile_.height) + 1, 0);
    for (const Veil& veil : tile_.veils) ++tile_.first[veil.pixel + 1];
    for (std::size_t p = 1; p < tile_.first.size(); ++p) tile_.first[p] += tile_.first[p - 1];
  }

  const View& view_;
  const std::vector<Ball>& balls_;
  const Bodies& bodies_;
  Tile tile_{};
};

}  // namespace

void for_each_tile(const View& view, const std::vector<Ball>& balls, const Bodies& bodies, int samples,
                   const std::function<void(const Tile&)>& done) {
  const TileLists lists(view, balls);
#pragma omp parallel
  {
    TileFiller filler(view, balls, bodies, samples);
#pragma omp for schedule(dynamic)
    for (int t = 0; t < lists.count(); ++t) done(filler.fill(lists, t));
  }
}

}  // namespace hornbeam::render
