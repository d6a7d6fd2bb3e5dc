// SPDX-License-Identifier: Apache-2.0
// Particles smoothed into a map of mass per pixel, finely where they crowd and widely where they are few. Between the
// projection onto the picture and the colours.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
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

/// How a point falls off from its place to its radius, whatever its height: tabulated over d^2 / radius^2.
class Hill {
 public:
  explicit Hill(const std::function<double(double)>& fall);

  [[nodiscard]] float at(float q2) const {
    const float step = q2 * steps;
    const auto k = static_cast<int>(step < steps ? step : steps);
    return value_[k] + (step - static_cast<float>(k)) * (value_[k + 1] - value_[k]);
  }
  [[nodiscard]] float variance() const { return variance_; }  ///< of one coordinate, over the radius squared
  [[nodiscard]] float volume() const { return volume_; }      ///< over the circle of radius 1

 private:
  static constexpr int steps = 256;
  std::array<float, steps + 2> value_{};
  float variance_ = 0, volume_ = 0;
};

/// Kernels below this radius in pixels are not round on a grid.
inline constexpr float narrowest = 2.5f;

/// The radius in pixels over which each point of a picture of that size is to be spread; all points lie on it.
std::vector<float> smoothing_radii(const std::vector<Point>& points, int width, int height, const Smoothing& smoothing);

/// Mass per pixel. Each point is spread over its radius r as (1 - d^2 / r^2)^4, a smooth round hill whose weights add
/// up to 1; what of it lies outside the picture is lost. The same bits for any number of threads.
Map surface_density(const std::vector<Point>& points, const std::vector<float>& radii, int width, int height);

/// The same with hills of other forms: point i has that of number `hill[i]`, the first where `hill` is empty. Points
/// may stand beyond the edges, and radii may be as large as they like.
Map surface_density(const std::vector<Point>& points, const std::vector<float>& radii, int width, int height,
                    const std::vector<Hill>& hills, const std::vector<std::uint8_t>& hill);

}  // namespace hornbeam::render
