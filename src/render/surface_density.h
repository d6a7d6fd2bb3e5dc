// SPDX-License-Identifier: Apache-2.0
// Particles smoothed into a map of mass per pixel, finely where they crowd and widely where they are few. Between the
// projection onto the picture and the colours.
#pragma once

#include <vector>

namespace hornbeam::render {

/// A particle on the picture; pixel coordinates.
struct Point {
  float x, y, mass;
};

struct Map {
  int width = 0, height = 0;
  std::vector<float> value;  ///< (height, width)

  Map() = default;
  Map(int w, int h) : width(w), height(h), value(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}
  float& at(int x, int y) { return value[static_cast<std::size_t>(y) * width + x]; }
  [[nodiscard]] float at(int x, int y) const { return value[static_cast<std::size_t>(y) * width + x]; }
};

struct Smoothing {
  double neighbours;  ///< a point is spread over the square around it that holds about so many points
  double sparkle;     ///< the part of its mass that stays a dot: where points are few, each can be seen
};

/// Mass per pixel of the points on a picture of that size; all points lie on it.
Map surface_density(const std::vector<Point>& points, int width, int height, const Smoothing& smoothing);

}  // namespace hornbeam::render
