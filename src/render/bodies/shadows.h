// SPDX-License-Identifier: Apache-2.0
// What the light meets first: a picture as the light sees it, asked by what is lit. Next to sphere_tiles.h, which fills
// it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "render/bodies/sphere_tiles.h"

namespace hornbeam::render {

/// What is lit, and where from.
struct Scene {
  const Bodies& bodies;
  const Boundary& boundary;
  double time;
  int depth;  ///< as in shifts_in_view()
  Vec3 sun;   ///< unit vector towards it
};

/// Points of a map at most; more would be finer shadows of pictures larger than 2000 x 2000 alone.
inline constexpr double most_shadow_points = 12e6;

/// The point of a ball next to the light, where the whole of it is held to be lit or not.
inline InView lit_point(const Ball& ball, const InView& sun) {
  return {ball.x + ball.radius * sun.x, ball.y + ball.radius * sun.y, ball.z + ball.radius * sun.z};
}

/// The light's right, down and direction towards it.
struct LightAxes {
  Screen in_space;
  std::array<InView, 3> in_picture;
};

/// What of the balls is seen, in the light's directions: pixels from the middle of the picture.
struct Region {
  float left = std::numeric_limits<float>::max(), right = -left, top = left, bottom = -left, farthest = left;
  double size = 0;  ///< of a length on the picture, over that at its centre; 0: nothing is seen

  void add(const InView& place, const LightAxes& axes, double size_there);
  void add(const Region& other);
};

/// A map for some of the balls of a picture.
class ShadowMap {
 public:
  ShadowMap(const View& picture, const Region& region, const LightAxes& light, const Scene& scene);

  /// The part of the light that reaches a place of the picture on the surface of a ball, from 0 to 1.
  [[nodiscard]] float lit(const InView& place, const Ball& on) const;

 private:
  /// Veils of a tile: where those of a point begin, and what each lets through with all before it.
  struct Veils {
    std::vector<std::uint32_t> first;
    std::vector<float> nearness, through;
  };

  void keep(const Tile& tile, const std::vector<Ball>& balls);
  [[nodiscard]] InView on_map(const InView& place) const;
  [[nodiscard]] bool blocked(int x, int y, float nearness, const Ball& on) const;
  [[nodiscard]] float through_veils(int x, int y, float nearness) const;

  std::array<InView, 3> turn_{};  ///< the map's right, down and towards the light, in the picture's directions
  float scale_ = 1;               ///< points a pixel
  InView middle_{};               ///< of the map, points from the middle of the picture
  int width_ = 0, height_ = 0;
  std::vector<float> nearness_;
  std::vector<std::uint32_t> body_;  ///< next to it; no_ball where nothing is
  int columns_ = 0;                  ///< of tiles
  std::vector<Veils> veils_;
};

/// One map for what is near, one for what is farther: in perspective a pixel is small and large.
class Shadows {
 public:
  Shadows(const View& picture, const std::vector<Ball>& seen, const Scene& scene);

  /// Towards the light, in the picture's directions.
  [[nodiscard]] const InView& sun() const { return axes_.in_picture[2]; }
  [[nodiscard]] float lit(const InView& place, const Ball& on) const { return maps_[map_of(on)]->lit(place, on); }

 private:
  static constexpr std::array<double, 3> least_size{1.0, 0.25, 0.0};  ///< of a length, over that at the centre
  [[nodiscard]] double size_at(const Ball& ball) const {
    return eye_ == 0 ? 1 : eye_ / std::max(eye_ - ball.z, 1e-6 * eye_);
  }
  [[nodiscard]] std::size_t map_of(const Ball& ball) const {
    std::size_t map = 0;
    while (size_at(ball) < least_size[map]) ++map;
    return map;
  }

  using Regions = std::array<Region, least_size.size()>;
  void add_seen(const View& picture, const Tile& tile, const std::vector<Ball>& balls, Regions& regions) const;

  double eye_;
  LightAxes axes_;
  std::array<std::optional<ShadowMap>, least_size.size()> maps_;
};

}  // namespace hornbeam::render
