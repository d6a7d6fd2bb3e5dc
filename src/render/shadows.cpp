// SPDX-License-Identifier: Apache-2.0
// The light's own picture, see shadows.h.
#include "render/shadows.h"

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

struct Box {
  float left = 0, right = 0, top = 0, bottom = 0, farthest = 0;
};

Box box_of(const std::vector<Ball>& balls, const std::array<InView, 3>& turn) {
  constexpr float far = std::numeric_limits<float>::max();
  Box box{far, -far, far, -far, far};
  for (const Ball& ball : balls) {
    const InView p = {ball.x, ball.y, ball.z};
    const float x = dot(p, turn[0]), y = dot(p, turn[1]), z = dot(p, turn[2]), r = ball.radius;
    box = {std::min(box.left, x - r), std::max(box.right, x + r), std::min(box.top, y - r), std::max(box.bottom, y + r),
           std::min(box.farthest, z - r)};
  }
  return balls.empty() ? Box{} : box;
}

}  // namespace

ShadowMap::ShadowMap(const View& picture, const std::vector<Ball>& seen, const Scene& scene, double finer) {
  const Screen axes = screen_across(scene.sun);
  const Vec3 down = {-axes.up[0], -axes.up[1], -axes.up[2]};
  turn_ = {in_picture(axes.right, picture.axes()), in_picture(down, picture.axes()),
           in_picture(scene.sun, picture.axes())};
  const Box box = box_of(seen, turn_);
  const double width = box.right - box.left, height = box.bottom - box.top;
  const double usual = 2 * finer;  // edges of shadows are as sharp as those of bodies
  const double fitting = std::sqrt(most_shadow_points / std::max(width * height, 1.0));
  scale_ = static_cast<float>(std::min(usual, fitting));
  width_ = std::max(1, static_cast<int>(std::ceil(width * scale_)));
  height_ = std::max(1, static_cast<int>(std::ceil(height * scale_)));
  middle_ = {0.5f * (box.left + box.right) * scale_, 0.5f * (box.top + box.bottom) * scale_, 0};
  const double points = picture.scale() * scale_;
  Vec3 centre = picture.centre();
  for (int k = 0; k < 3; ++k) centre[k] += (middle_.x * axes.right[k] - middle_.y * axes.up[k]) / points;
  const View map(axes, centre, points, width_, height_);

  nearness_.resize(static_cast<std::size_t>(width_) * height_);
  body_.resize(nearness_.size());
  columns_ = (width_ + tile_side - 1) / tile_side;
  veils_.resize(static_cast<std::size_t>(columns_) * ((height_ + tile_side - 1) / tile_side));
  const std::vector<Vec3> shifts = shifts_in_view(map, scene.bodies, scene.boundary, scene.time, scene.depth);
  const std::vector<Ball> balls = balls_in_view(map, scene.bodies, shifts, box.farthest * scale_);
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

Shadows::Shadows(const View& picture, const std::vector<Ball>& seen, const Scene& scene) : eye_(picture.eye()) {
  sun_ = in_picture(scene.sun, picture.axes());
  std::array<std::vector<Ball>, least_size.size()> balls;
  std::array<double, least_size.size()> largest{};
  for (const Ball& ball : seen) {
    const std::size_t map = map_of(ball);
    balls[map].push_back(ball);
    largest[map] = std::max(largest[map], size_at(ball));
  }
  constexpr double finest = 4;
  for (std::size_t m = 0; m < maps_.size(); ++m) {
    if (!balls[m].empty()) maps_[m].emplace(picture, balls[m], scene, std::min(largest[m], finest));
  }
}

}  // namespace hornbeam::render
