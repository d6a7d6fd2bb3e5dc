// SPDX-License-Identifier: Apache-2.0
// Which ball is seen at each point of a picture: exact spheres against one another at several points of each pixel, and
// those smaller than a pixel by the area that they cover. After the projection, before light.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "render/bodies/sphere_view.h"

namespace hornbeam::render {

inline constexpr std::uint32_t no_ball = std::numeric_limits<std::uint32_t>::max();
inline constexpr int tile_side = 32;  ///< pixels; what is kept of a tile stays in a core's cache

/// Points of a pixel of a picture along either side.
inline constexpr int points_a_side = 4;

/// A ball so small that it is a veil over part of a pixel.
struct Veil {
  std::uint32_t pixel;  ///< of the tile
  float nearness;
  float cover;  ///< part of the pixel
  std::uint32_t ball;
};

/// A square of the picture.
struct Tile {
  int x, y, width, height;           ///< pixels; the first ones and how many
  int samples;                       ///< points of a pixel along either side
  std::vector<float> nearness;       ///< (height * samples, width * samples); lowest() where nothing is
  std::vector<std::uint32_t> ball;   ///< next to it
  std::vector<Veil> veils;           ///< by pixel, the nearest first
  std::vector<std::uint32_t> first;  ///< (width * height + 1), of each pixel in veils

  /// Where a point of it stands from the middle of a picture that is so many pixels wide or high; first: x or y.
  [[nodiscard]] float place(int first_pixel, int point, int pixels) const {
    return static_cast<float>(first_pixel) + (static_cast<float>(point) + 0.5f) / static_cast<float>(samples) -
           0.5f * static_cast<float>(pixels);
  }
  [[nodiscard]] InView place(const View& view, int row, int column) const {
    return view.place(place(x, column, view.width()), place(y, row, view.height()), nearness[at(row, column)]);
  }
  [[nodiscard]] std::size_t at(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(width * samples) + static_cast<std::size_t>(column);
  }
};

/// Calls `done` for each tile of the picture, several at a time. Of what is equally near the lower id is seen, so that
/// nothing depends on the order of bodies.
void for_each_tile(const View& view, const std::vector<Ball>& balls, const Bodies& bodies, int samples,
                   const std::function<void(const Tile&)>& done);

}  // namespace hornbeam::render
