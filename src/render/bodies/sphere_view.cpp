// SPDX-License-Identifier: Apache-2.0
// Projections of spheres, parallel and in perspective, see sphere_view.h.
#include "render/bodies/sphere_view.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tree/boundary.h"

namespace hornbeam::render {
namespace {

/// In perspective nothing nearer to the eye than this part of its distance is seen.
constexpr double nearest_part = 0.01;

/// Where the two tangents from the eye to a circle meet the picture; x, depth: of its middle, before the eye. False
/// where it is next to or behind the eye altogether.
bool tangents(double x, double depth, double radius, double eye, double& low, double& high) {
  constexpr double right_angle = std::numbers::pi / 2, widest = right_angle - 1e-3;
  const double distance = std::hypot(x, depth);
  if (distance <= radius) {
    low = -1e9, high = 1e9;
    return true;
  }
  const double middle = std::atan2(x, depth), half = std::asin(radius / distance);
  if (middle - half >= right_angle || middle + half <= -right_angle) return false;
  low = eye * std::tan(std::max(middle - half, -widest));
  high = eye * std::tan(std::min(middle + half, widest));
  return true;
}

}  // namespace

bool View::bounds(const Ball& ball, Bounds& to) const {
  const auto middle_x = static_cast<float>(0.5 * width_), middle_y = static_cast<float>(0.5 * height_);
  if (eye_ == 0) {
    to = {ball.x - ball.radius, ball.x + ball.radius, ball.y - ball.radius, ball.y + ball.radius};
  } else {
    const double depth = eye_ - ball.z;
    double left = 0, right = 0, top = 0, bottom = 0;
    if (depth + ball.radius < nearest_part * eye_ || !tangents(ball.x, depth, ball.radius, eye_, left, right) ||
        !tangents(ball.y, depth, ball.radius, eye_, top, bottom)) {
      return false;
    }
    to = {static_cast<float>(left), static_cast<float>(right), static_cast<float>(top), static_cast<float>(bottom)};
  }
  to = {to.left + middle_x, to.right + middle_x, to.top + middle_y, to.bottom + middle_y};
  return to.right > 0 && to.bottom > 0 && to.left < static_cast<float>(width_) && to.top < static_cast<float>(height_);
}

float View::area(const Ball& ball) const {
  const auto round = std::numbers::pi_v<float> * ball.radius * ball.radius;
  if (eye_ == 0) return round;
  const double depth = eye_ - ball.z, shrink = eye_ / depth;
  const double slant =
      std::sqrt(1 + (static_cast<double>(ball.x) * ball.x + static_cast<double>(ball.y) * ball.y) / (depth * depth));
  return static_cast<float>(round * shrink * shrink * slant);
}

float View::nearness(const Ball& ball) const {
  if (eye_ == 0) return ball.z;
  return static_cast<float>(-std::hypot(ball.x, ball.y, eye_ - ball.z));
}

InView View::place(float x, float y, float nearness) const {
  if (eye_ == 0) return {x, y, nearness};
  const double along = -nearness / std::hypot(x, y, eye_);
  return {static_cast<float>(x * along), static_cast<float>(y * along), static_cast<float>(eye_ * (1 - along))};
}

InView View::to_eye(const InView& from) const {
  if (eye_ == 0) return {0, 0, 1};
  const double z = eye_ - from.z, distance = std::hypot(from.x, from.y, z);
  return {static_cast<float>(-from.x / distance), static_cast<float>(-from.y / distance),
          static_cast<float>(z / distance)};
}

std::vector<Vec3> shifts_in_view(const View& view, const Bodies& bodies, const Boundary& boundary, double time,
                                 int depth) {
  if (boundary.kind == BoundaryKind::open) return {Vec3{}};
  constexpr int farthest = 16;
  Boundary around = boundary;
  for (int k = 0; k < 3; ++k) around.n_ghost[k] = boundary.size[k] > 0 && k != depth ? farthest : 0;
  Vec3 middle, half;
  for (int k = 0; k < 3; ++k) {
    middle[k] = 0.5 * (bodies.low[k] + bodies.high[k]);
    half[k] = 0.5 * (bodies.high[k] - bodies.low[k]);
  }
  const double reach = std::sqrt(dot(half, half)) + bodies.largest;
  std::vector<Vec3> shifts;
  Bounds seen;
  for (const SourceImage& image : images_of(around, time)) {
    const Vec3& s = image.shift;
    if (view.bounds(view.ball({middle[0] + s[0], middle[1] + s[1], middle[2] + s[2]}, reach, 0), seen)) {
      shifts.push_back(s);
    }
  }
  return shifts;
}

std::vector<Ball> balls_in_view(const View& view, const Bodies& bodies, const std::vector<Vec3>& shifts, float least) {
  constexpr std::size_t at_once = 1 << 14;
  const std::size_t n = bodies.position.size(), parts = (n + at_once - 1) / at_once;
  std::vector<std::vector<Ball>> found(parts);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t part = 0; part < parts; ++part) {
    Bounds seen;
    for (std::size_t i = part * at_once; i < std::min(n, (part + 1) * at_once); ++i) {
      const Vec3& x = bodies.position[i];
      for (const Vec3& s : shifts) {
        const Ball ball =
            view.ball({x[0] + s[0], x[1] + s[1], x[2] + s[2]}, bodies.radius[i], static_cast<std::uint32_t>(i));
        if (ball.z + ball.radius > least && view.bounds(ball, seen)) found[part].push_back(ball);
      }
    }
  }
  std::size_t total = 0;
  for (const auto& part : found) total += part.size();
  std::vector<Ball> all;
  all.reserve(total);
  for (auto& part : found) {
    all.insert(all.end(), part.begin(), part.end());
    std::vector<Ball>().swap(part);
  }
  return all;
}

}  // namespace hornbeam::render
