// SPDX-License-Identifier: Apache-2.0
// What the light meets first: a picture as the light sees it, asked by what is lit. Beside sphere_tiles.h, which fills
// it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "render/sphere_tiles.h"

namespace hornbeam::render {

/// Points of the map at most; more would be finer shadows of pictures larger than 2000 x 2000 alone.
inline constexpr double most_shadow_points = 16e6;

class Shadows {
 public:
  /// Of the light from `sun`, a unit vector, on the balls of a picture.
  Shadows(const View& picture, const std::vector<Ball>& seen, const Bodies& bodies, const Boundary& boundary,
          double time, int depth, const Vec3& sun);

  /// Towards the light, in the picture's directions.
  [[nodiscard]] const InView& sun() const { return sun_; }
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

  InView sun_{};
  std::array<InView, 3> turn_{};  ///< the map's right, down and towards the light, in the picture's directions
  float scale_ = 1;               ///< points a pixel
  InView middle_{};               ///< of the map, points from the middle of the picture
  int width_ = 0, height_ = 0;
  std::vector<float> nearness_;
  std::vector<std::uint32_t> body_;  ///< beside it; no_ball where nothing is
  int columns_ = 0;                  ///< of tiles
  std::vector<Veils> veils_;
};

}  // namespace hornbeam::render
