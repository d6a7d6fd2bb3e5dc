// SPDX-License-Identifier: Apache-2.0
// The light's own picture, see shadows.h.
#include "render/bodies/shadows.h"

#include <algorithm>
#include <cmath>

namespace hornbeam::render {
namespace {

/// Any two directions across.
Screen screen_across(const Vec3& toward) {
  const int least = std::abs(toward[0]) < 0.6 ? 0 : 1;  // an axis that is far from parallel
  Vec3 up{};
  up[least] = 1;
  const double part = dot(up, toward);
  for (int k = 0; k < 3; ++k) up[k] -= part * toward[k];
  const double length = std::sqrt(dot(up, up));
  for (double& x : up) x /= length;
  const Vec3 right = {up[1] * toward[2] - up[2] * toward[1], up[2] * toward[0] - up[0] * toward[2],
                      up[0] * toward[1] - up[1] * toward[0]};
  return {right, up, toward};
}

/// A direction in those of a picture: right, down, towards the viewer.
InView in_picture(const Vec3& direction, const Screen& axes) {
  return {static_cast<float>(dot(direction, axes.right)), static_cast<float>(-dot(direction, axes.up)),
          static_cast<float>(dot(direction, axes.toward))};
}

LightAxes axes_of(const Vec3& sun, const Screen& picture) {
  const Screen axes = screen_across(sun);
  const Vec3 down = {-axes.up[0], -axes.up[1], -axes.up[2]};
  return {axes, {in_picture(axes.right, picture), in_picture(down, picture), in_picture(sun, picture)}};
}

}  // namespace

void Region::add(const InView& place, const LightAxes& axes, double size_there) {
  const float x = dot(place, axes.in_picture[0]), y = dot(place, axes.in_picture[1]),
              z = dot(place, axes.in_picture[2]);
  left = std::min(left, x), right = std::max(right, x);
  top = std::min(top, y), bottom = std::max(bottom, y);
  farthest = std::min(farthest, z);
  size = std::max(size, size_there);
}

void Region::add(const Region& other) {
  left = std::min(left, other.left), right = std::max(right, other.right);
  top = std::min(top, other.top), bottom = std::max(bottom, other.bottom);
  farthest = std::min(farthest, other.farthest);
  size = std::max(size, other.size);
}

ShadowMap::ShadowMap(const View& picture, const Region& region, const LightAxes& light, const Scene& scene)
    : turn_(light.in_picture) {
  constexpr double finest = 4, margin = 2;
  const Screen& axes = light.in_space;
  const double width = region.right - region.left, height = region.bottom - region.top;
  const double usual = 2 * std::min(region.size, finest);  // edges of shadows are as sharp as those of bodies
  const double fitting = std::sqrt(most_shadow_points / std::max(width * height, 1.0));
  scale_ = static_cast<float>(std::min(usual, fitting));
  width_ = static_cast<int>(std::ceil(width * scale_ + 2 * margin));
  height_ = static_cast<int>(std::ceil(height * scale_ + 2 * margin));
  middle_ = {0.5f * (region.left + region.right) * scale_, 0.5f * (region.top + region.bottom) * scale_, 0};
  const double points = picture.scale() * scale_;
  Vec3 centre = picture.centre();
  for (int k = 0; k < 3; ++k) centre[k] += (middle_.x * axes.right[k] - middle_.y * axes.up[k]) / points;
  const View map(axes, centre, points, width_, height_);

  nearness_.resize(static_cast<std::size_t>(width_) * height_);
  body_.resize(nearness_.size());
  columns_ = (width_ + tile_side - 1) / tile_side;
  veils_.resize(static_cast<std::size_t>(columns_) * ((height_ + tile_side - 1) / tile_side));
  const std::vector<Vec3> shifts = shifts_in_view(map, scene.bodies, scene.boundary, scene.time, scene.depth);
  const std::vector<Ball> balls = balls_in_view(map, scene.bodies, shifts, region.farthest * scale_);
  for_each_tile(map, balls, scene.bodies, 1, [&](const Tile& tile) { keep(tile, balls); });
}

void ShadowMap::keep(const Tile& tile, const std::vector<Ball>& balls) {
  for (int y = 0; y < tile.height; ++y) {
    for (int x = 0; x < tile.width; ++x) {
      const std::size_t from = tile.at(y, x), to = static_cast<std::size_t>(tile.y + y) * width_ + tile.x + x;
      nearness_[to] = tile.nearness[from];
      body_[to] = tile.ball[from] == no_ball ? no_ball : balls[tile.ball[from]].body;
    }
  }
  if (tile.veils.empty()) return;
  Veils& kept = veils_[static_cast<std::size_t>(tile.y / tile_side) * columns_ + tile.x / tile_side];
  kept.first = tile.first;
  for (std::size_t p = 0; p + 1 < tile.first.size(); ++p) {
    float through = 1;
    for (std::uint32_t k = tile.first[p]; k < tile.first[p + 1]; ++k) {
      through *= 1 - tile.veils[k].cover;
      kept.nearness.push_back(tile.veils[k].nearness);
      kept.through.push_back(through);
    }
  }
}

InView ShadowMap::on_map(const InView& place) const {
  return {dot(place, turn_[0]) * scale_ - middle_.x + 0.5f * static_cast<float>(width_),
          dot(place, turn_[1]) * scale_ - middle_.y + 0.5f * static_cast<float>(height_),
          dot(place, turn_[2]) * scale_};
}

/// Whether another ball is nearer to the light. What lies on a body is lit as far as it is concerned: its own shadow is
/// in the angle to the light. Its images are other balls, more than its own width away.
bool ShadowMap::blocked(int x, int y, float nearness, const Ball& on) const {
  if (x < 0 || y < 0 || x >= width_ || y >= height_) return false;
  const std::size_t at = static_cast<std::size_t>(y) * width_ + x;
  constexpr float rounding = 0.25f;
  if (body_[at] == no_ball || nearness_[at] <= nearness + rounding) return false;
  return body_[at] != on.body || nearness_[at] - nearness > 2 * on.radius * scale_ + rounding;
}

float ShadowMap::through_veils(int x, int y, float nearness) const {
  if (x < 0 || y < 0 || x >= width_ || y >= height_) return 1;
  const Veils& veils = veils_[static_cast<std::size_t>(y / tile_side) * columns_ + x / tile_side];
  if (veils.first.empty()) return 1;
  const int left = x / tile_side * tile_side, tile_width = std::min(tile_side, width_ - left);
  const std::size_t point = static_cast<std::size_t>(y % tile_side) * tile_width + (x - left);
  const auto begin = veils.nearness.begin() + veils.first[point], end = veils.nearness.begin() + veils.first[point + 1];
  const auto behind = std::partition_point(begin, end, [=](float of_veil) { return of_veil > nearness; });
  return behind == begin ? 1 : veils.through[static_cast<std::size_t>(behind - veils.nearness.begin()) - 1];
}

float ShadowMap::lit(const InView& place, const Ball& on) const {
  const InView p = on_map(place);
  const float u = p.x - 0.5f, v = p.y - 0.5f;
  const int x = static_cast<int>(std::floor(u)), y = static_cast<int>(std::floor(v));
  const float right = u - static_cast<float>(x), down = v - static_cast<float>(y);
  float dark = 0;
  if (blocked(x, y, p.z, on)) dark += (1 - right) * (1 - down);
  if (blocked(x + 1, y, p.z, on)) dark += right * (1 - down);
  if (blocked(x, y + 1, p.z, on)) dark += (1 - right) * down;
  if (blocked(x + 1, y + 1, p.z, on)) dark += right * down;
  if (dark >= 1) return 0;
  constexpr float rounding = 0.25f;
  const float veiled =
      through_veils(static_cast<int>(std::floor(p.x)), static_cast<int>(std::floor(p.y)), p.z + rounding);
  return (1 - dark) * veiled;
}

Shadows::Shadows(const View& picture, const std::vector<Ball>& seen, const Scene& scene)
    : eye_(picture.eye()), axes_(axes_of(scene.sun, picture.axes())) {
  Regions regions;
  for_each_tile(picture, seen, scene.bodies, points_a_side, [&](const Tile& tile) {
    Regions of_tile;
    add_seen(picture, tile, seen, of_tile);
#pragma omp critical(hornbeam_lit_regions)
    for (std::size_t m = 0; m < regions.size(); ++m) regions[m].add(of_tile[m]);
  });
  for (std::size_t m = 0; m < maps_.size(); ++m) {
    if (regions[m].size > 0) maps_[m].emplace(picture, regions[m], axes_, scene);
  }
}

/// At the very points that will ask for light.
void Shadows::add_seen(const View& picture, const Tile& tile, const std::vector<Ball>& balls, Regions& regions) const {
  for (int row = 0; row < tile.height * tile.samples; ++row) {
    for (int column = 0; column < tile.width * tile.samples; ++column) {
      const std::uint32_t i = tile.ball[tile.at(row, column)];
      if (i == no_ball) continue;
      regions[map_of(balls[i])].add(tile.place(picture, row, column), axes_, size_at(balls[i]));
    }
  }
  for (const Veil& veil : tile.veils) {
    const Ball& ball = balls[veil.ball];
    regions[map_of(ball)].add(lit_point(ball, sun()), axes_, size_at(ball));
  }
}

}  // namespace hornbeam::render
