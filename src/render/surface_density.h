// SPDX-License-Identifier: Apache-2.0
// Particles smoothed into a map of mass per pixel, finely where they crowd and widely where they are few. Between the
// projection onto the picture and the colours.
#pragma once

#include <cstdint>
#include <vector>

namespace hornbeam::render {

/// A particle on the picture; pixel coordinates.
struct Point {
  float x, y, mass;
  std::uint32_t index = 0;  ///< of the particle
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
  double neighbours;  ///< a point is spread over the circle around it that holds about so many points,
  double widest;      ///< of at most this radius, pixels
};

/// The radius in pixels over which each point of a picture of that size is to be spread; all points lie on it.
std::vector<float> smoothing_radii(const std::vector<Point>& points, int width, int height, const Smoothing& smoothing);

/// Mass per pixel. Each point is spread over its radius r as (1 - d^2 / r^2)^4, a smooth round hill whose weights add
/// up to 1; what of it lies outside the picture is lost. The same bits for any number of threads.
Map surface_density(const std::vector<Point>& points, const std::vector<float>& radii, int width, int height);

}  // namespace hornbeam::render
