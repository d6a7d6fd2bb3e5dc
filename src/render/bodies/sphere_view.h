// SPDX-License-Identifier: Apache-2.0
// Where spheres are on a picture, or on the map of what the light meets first. Between bodies with their images and
// the pixels that they cover.
#pragma once

#include <cstdint>
#include <vector>

#include "hornbeam/boundary.h"
#include "render/camera.h"
#include "render/paint/colour.h"

namespace hornbeam::render {

/// Those that are shown.
struct Bodies {
  std::vector<Vec3> position;
  std::vector<double> radius;
  std::vector<std::uint64_t> id;  ///< by which what is equally near is distinguished
  std::vector<Light> surface;
  Vec3 low{}, high{};  ///< of their centres
  double largest = 0;  ///< radius
};

/// A place in pixels from the middle of the picture: to the right, down, and towards the viewer.
struct InView {
  float x, y, z;
};

inline float dot(const InView& a, const InView& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// A sphere there.
struct Ball {
  float x, y, z, radius;
  std::uint32_t body;
};

/// What of the picture a ball covers, pixels from its upper left corner.
struct Bounds {
  float left, right, top, bottom;
};

class View {
 public:
  /// scale: pixels a length at the centre; eye: its distance from there in pixels, 0 for parallel rays.
  View(const Screen& axes, const Vec3& centre, double scale, int width, int height, double eye = 0)
      : axes_(axes), centre_(centre), scale_(scale), width_(width), height_(height), eye_(eye) {}

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] double eye() const { return eye_; }
  [[nodiscard]] const Screen& axes() const { return axes_; }
  [[nodiscard]] const Vec3& centre() const { return centre_; }

  [[nodiscard]] Ball ball(const Vec3& position, double radius, std::uint32_t body) const {
    const Vec3 d = {position[0] - centre_[0], position[1] - centre_[1], position[2] - centre_[2]};
    return {static_cast<float>(scale_ * dot(d, axes_.right)), static_cast<float>(-scale_ * dot(d, axes_.up)),
            static_cast<float>(scale_ * dot(d, axes_.toward)), static_cast<float>(scale_ * radius), body};
  }
  /// Whether something of it may be on the picture, and where.
  bool bounds(const Ball& ball, Bounds& to) const;
  /// Pixels that it covers by itself.
  [[nodiscard]] float area(const Ball& ball) const;
  /// How near its centre is: larger is nearer, along the ray from the eye.
  [[nodiscard]] float nearness(const Ball& ball) const;
  /// Of a point on the picture, from its middle, that is so near.
  [[nodiscard]] InView place(float x, float y, float nearness) const;
  /// Unit vector from a place to the eye.
  [[nodiscard]] InView to_eye(const InView& from) const;

 private:
  Screen axes_;
  Vec3 centre_;
  double scale_;
  int width_, height_;
  double eye_;
};

/// Shifts of the box and of those of its images that may be seen, at most 16 on either side along an axis. Along
/// `depth`, an axis of the box, there are none; -1: along all.
std::vector<Vec3> shifts_in_view(const View& view, const Bodies& bodies, const Boundary& boundary, double time,
                                 int depth);

/// Bodies and images of them on the picture that are nearer than `least`.
std::vector<Ball> balls_in_view(const View& view, const Bodies& bodies, const std::vector<Vec3>& shifts, float least);

}  // namespace hornbeam::render
