// SPDX-License-Identifier: Apache-2.0
// A picture of spheres: bodies, what of them is seen, what light reaches it, colours. See spheres.h.
#include "render/bodies/spheres.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "hornbeam/error.h"
#include "memory/particles.h"
#include "render/bodies/shadows.h"
#include "render/paint/labels.h"
#include "tree/boundary.h"

namespace hornbeam::render {
namespace {

constexpr Light night{};

bool has_radii(const Particles& p, const Options& options) {
  for (std::size_t i = 0; i < p.radius.size(); ++i) {
    if (p.radius[i] > 0 && shows(options, p.family[i])) return true;
  }
  return false;
}

/// Those shown, put back into their box; colours by their radii between the least and the largest.
Bodies bodies_of(const Snapshot& snapshot, const Options& options) {
  const Particles& p = snapshot.particles;
  Bodies bodies;
  std::vector<Family> family;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (!(p.radius[i] > 0) || !shows(options, p.family[i])) continue;
    bodies.position.push_back(p.position[i]);
    bodies.radius.push_back(p.radius[i]);
    bodies.id.push_back(p.id[i]);
    family.push_back(p.family[i]);
  }
  std::vector<Vec3> no_velocities;
  wrap(bodies.position, no_velocities, snapshot.boundary, snapshot.time);
  const auto [least, largest] = std::minmax_element(bodies.radius.begin(), bodies.radius.end());
  bodies.largest = *largest;
  const double range = std::log(*largest / *least);
  bodies.low = bodies.high = bodies.position.front();
  for (std::size_t i = 0; i < bodies.position.size(); ++i) {
    const double size = range > 0 ? std::log(bodies.radius[i] / *least) / range : 0.6;
    bodies.surface.push_back(surface_of(family[i], static_cast<float>(size)));
    for (int k = 0; k < 3; ++k) {
      bodies.low[k] = std::min(bodies.low[k], bodies.position[i][k]);
      bodies.high[k] = std::max(bodies.high[k], bodies.position[i][k]);
    }
  }
  return bodies;
}

/// From the upper left; of a view from the side not from behind, where bodies would turn their dark sides to it.
Sun usual_sun(const Direction& from) {
  Sun sun;
  sun.azimuth += 70 * std::sin(from.tilt * std::numbers::pi / 180);
  return sun;
}

Vec3 direction_of(const Sun& sun, const Camera& camera) {
  const Screen base = screen(camera.axis, {camera.from.turn, 0});
  constexpr double degree = std::numbers::pi / 180;
  const double a = sun.azimuth * degree, h = sun.height * degree;
  Vec3 to{};
  for (int k = 0; k < 3; ++k) {
    to[k] = std::cos(h) * (std::cos(a) * base.right[k] + std::sin(a) * base.up[k]) + std::sin(h) * base.toward[k];
  }
  return to;
}

/// Of a box that has no open axis: the one that is seen most steeply, along which there are no images.
int depth_axis(const Boundary& boundary, const Vec3& toward) {
  if (boundary.size[0] == 0 || boundary.size[1] == 0 || boundary.size[2] == 0) return -1;
  int steepest = 0;
  for (int k = 1; k < 3; ++k) {
    if (std::abs(toward[k]) > std::abs(toward[steepest])) steepest = k;
  }
  return steepest;
}

/// Of a sphere that scatters as Lambert's law, over that seen full on from the light's side, which is 2/3.
float phase(float cosine) {
  const float angle = std::acos(std::clamp(cosine, -1.0f, 1.0f));
  constexpr float pi = std::numbers::pi_v<float>;
  return 2.0f / 3.0f * (std::sin(angle) + (pi - angle) * std::cos(angle)) / pi;
}

Light scaled(const Light& surface, float light) { return {light * surface[0], light * surface[1], light * surface[2]}; }

/// Gives the points of a tile their light, and pixels the mean of their points.
class Painter {
 public:
  Painter(const View& view, const Bodies& bodies, const std::vector<Ball>& balls, const Shadows& shadows, Image& image)
      : view_(view), bodies_(bodies), balls_(balls), shadows_(shadows), image_(image) {}

  void paint(const Tile& tile) const {
    std::vector<Light> colour;
    std::vector<float> through;
    for (int y = 0; y < tile.height; ++y) {
      for (int x = 0; x < tile.width; ++x) {
        colour.assign(1, Light{});
        through.assign(1, 1.0f);
        const auto pixel = static_cast<std::size_t>(y) * tile.width + x;
        for (std::uint32_t k = tile.first[pixel]; k < tile.first[pixel + 1]; ++k) {
          add_veil(tile.veils[k], colour, through);
        }
        const auto rgb = exposed(mean_of(tile, x, y, colour, through), tile.x + x, tile.y + y);
        const std::ptrdiff_t to = static_cast<std::ptrdiff_t>(tile.y + y) * image_.width + tile.x + x;
        std::copy(rgb.begin(), rgb.end(), image_.rgb.begin() + 3 * to);
      }
    }
  }

 private:
  [[nodiscard]] Light shade(const Ball& ball, const InView& at) const {
    const float one = 1 / ball.radius;
    const InView normal = {(at.x - ball.x) * one, (at.y - ball.y) * one, (at.z - ball.z) * one};
    const float cosine = dot(normal, shadows_.sun());
    const float direct = cosine > 0 ? cosine * shadows_.lit(at, ball) : 0.0f;
    return scaled(bodies_.surface[ball.body], shadow_light(dot(normal, view_.to_eye(at))) + sunlight * direct);
  }

  /// A ball seen as a whole: its mean, lit as its point next to the light is.
  [[nodiscard]] Light shade(const Ball& ball) const {
    const float angle = dot(view_.to_eye({ball.x, ball.y, ball.z}), shadows_.sun());
    const float direct = phase(angle) * shadows_.lit(lit_point(ball, shadows_.sun()), ball);
    return scaled(bodies_.surface[ball.body], shadow_light_of_ball + sunlight * direct);
  }

  /// What all veils up to this one add, and let through: bodies that stand anywhere in the pixel hide one another by
  /// chance.
  void add_veil(const Veil& veil, std::vector<Light>& colour, std::vector<float>& through) const {
    Light sum = colour.back();
    const Light own = shade(balls_[veil.ball]);
    for (int k = 0; k < 3; ++k) sum[k] += through.back() * veil.cover * own[k];
    colour.push_back(sum);
    through.push_back(through.back() * (1 - veil.cover));
  }

  [[nodiscard]] Light mean_of(const Tile& tile, int x, int y, const std::vector<Light>& colour,
                              const std::vector<float>& through) const {
    const auto pixel = static_cast<std::size_t>(y) * tile.width + x;
    const auto first = tile.veils.begin() + tile.first[pixel], end = tile.veils.begin() + tile.first[pixel + 1];
    Light sum{};
    for (int row = y * points_a_side; row < (y + 1) * points_a_side; ++row) {
      for (int column = x * points_a_side; column < (x + 1) * points_a_side; ++column) {
        const std::size_t at = tile.at(row, column);
        const float nearness = tile.nearness[at];
        const auto behind = std::partition_point(first, end, [=](const Veil& v) { return v.nearness > nearness; });
        const auto before = static_cast<std::size_t>(behind - first);
        const Light own = tile.ball[at] == no_ball ? night : light_at(tile, row, column);
        for (int k = 0; k < 3; ++k) sum[k] += colour[before][k] + through[before] * own[k];
      }
    }
    constexpr float one = 1.0f / (points_a_side * points_a_side);
    return scaled(sum, one);
  }

  [[nodiscard]] Light light_at(const Tile& tile, int row, int column) const {
    return shade(balls_[tile.ball[tile.at(row, column)]], tile.place(view_, row, column));
  }

  const View& view_;
  const Bodies& bodies_;
  const std::vector<Ball>& balls_;
  const Shadows& shadows_;
  Image& image_;
};

/// Seen from far away, a body in the picture must stand where single precision holds the squares of distances in
/// pixels.
void refuse_too_far(const View& view, const Bodies& bodies) {
  constexpr float farthest = 1e18f;
  if (view.eye() != 0) return;
  Bounds seen;
  for (std::uint32_t i = 0; i < bodies.position.size(); ++i) {
    const Vec3& x = bodies.position[i];
    const Ball ball = view.ball(x, bodies.radius[i], i);
    if (!view.bounds(ball, seen) || (std::abs(ball.z) < farthest && ball.radius < farthest)) continue;
    std::ostringstream where;
    where << "the body of id " << bodies.id[i] << " at (" << x[0] << ", " << x[1] << ", " << x[2] << ") of radius "
          << bodies.radius[i] << " is deeper or wider than " << farthest << " pixels";
    throw Error("spheres", where.str(), "leave it out, draw points, or give a larger extent");
  }
}

/// Bodies, balls with some images and their order in tiles, twice; the picture and what the light meets.
memory::Need spheres_need(const Options& options) {
  constexpr double images = 3, body = sizeof(Vec3) + 2 * sizeof(double) + sizeof(Light);
  constexpr double ball = 2 * sizeof(Ball) + 2 * sizeof(std::uint32_t);
  const double pixels = static_cast<double>(options.width) * options.height, maps = options.perspective > 0 ? 3 : 1;
  return {{"spheres", body + images * ball},
          {"the picture", 0, 4 * pixels},
          {"shadows", 0, maps * (sizeof(float) + sizeof(std::uint32_t)) * most_shadow_points}};
}

}  // namespace

bool as_spheres(const Snapshot& snapshot, const Options& options) {
  const bool has = options.style != Style::points && has_radii(snapshot.particles, options);
  if (options.style == Style::spheres && !has) {
    throw UsageError("spheres", "the bodies have no radii", "draw them as points");
  }
  const bool spheres = has && (options.style == Style::spheres || snapshot.boundary.kind != BoundaryKind::open);
  if (!spheres && (options.sun || options.perspective > 0)) {
    throw UsageError(options.sun ? "light" : "perspective", "applies only to bodies that are drawn as spheres",
                     "draw spheres, or leave it out");
  }
  return spheres;
}

Image draw_spheres(const Snapshot& snapshot, const Options& options, const Camera& camera) {
  validate(options);
  memory::demand_beside(snapshot.particles, spheres_need(options), "a smaller --width and --height");
  Image image{options.width, options.height, {}};
  image.rgb.resize(static_cast<std::size_t>(options.width) * options.height * 3);
  const Bodies bodies = bodies_of(snapshot, options);
  const Screen axes = screen(camera);
  constexpr double degree = std::numbers::pi / 180;
  const double eye = camera.perspective > 0 ? 0.5 * options.width / std::tan(0.5 * camera.perspective * degree) : 0;
  const View view(axes, camera.centre, options.width / camera.extent, options.width, options.height, eye);
  refuse_too_far(view, bodies);
  const int depth = depth_axis(snapshot.boundary, axes.toward);
  const std::vector<Vec3> shifts = shifts_in_view(view, bodies, snapshot.boundary, snapshot.time, depth);
  const std::vector<Ball> balls = balls_in_view(view, bodies, shifts, std::numeric_limits<float>::lowest());
  const Scene scene{bodies, snapshot.boundary, snapshot.time, depth,
                    direction_of(options.sun.value_or(usual_sun(camera.from)), camera)};
  const Shadows shadows(view, balls, scene);
  const Painter painter(view, bodies, balls, shadows, image);
  for_each_tile(view, balls, bodies, points_a_side, [&](const Tile& tile) { painter.paint(tile); });
  if (options.labels) {
    shade_labels(image);
    draw_labels(image, snapshot, camera);
  }
  return image;
}

}  // namespace hornbeam::render
