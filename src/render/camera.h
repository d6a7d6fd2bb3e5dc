// SPDX-License-Identifier: Apache-2.0
// From space to pixels: which two coordinates a picture shows, and where a position falls on it.
#pragma once

#include "hornbeam/render.h"

namespace hornbeam::render {

struct Pixel {
  double x, y;  ///< from the upper left corner; pixel (i, j) covers [i, i + 1) x [j, j + 1)
};

inline double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Unit vectors: to the right, up, and out of the picture.
struct Screen {
  Vec3 right, up, toward;
};
Screen screen(Axis axis, const Direction& from);
inline Screen screen(const Camera& camera) { return screen(camera.axis, camera.from); }

/// Maps positions to a picture of the given size in pixels.
class Projection {
 public:
  Projection(const Camera& camera, int width, int height)
      : screen_(screen(camera)),
        scale_(width / camera.extent),
        left_(dot(camera.centre, screen_.right) - 0.5 * camera.extent),
        top_(dot(camera.centre, screen_.up) + 0.5 * height / scale_) {}

  [[nodiscard]] Pixel operator()(const Vec3& position) const {
    return {(dot(position, screen_.right) - left_) * scale_, (top_ - dot(position, screen_.up)) * scale_};
  }
  [[nodiscard]] double pixels_per_length() const { return scale_; }

 private:
  Screen screen_;
  double scale_, left_, top_;
};

/// Whether bodies are drawn as spheres. Throws UsageError where that is requested and they have no radii.
bool as_spheres(const Snapshot& snapshot, const Options& options);

/// Whether the options ask for this family.
bool shows(const Options& options, Family family);

/// Whether there are particles that the options ask for.
bool shows_any(const Particles& particles, const Options& options);

/// The smallest camera with the options' axis and shape that covers both.
Camera covering(const Camera& a, const Camera& b, const Options& options);

/// Throws UsageError for options out of range.
void validate(const Options& options);

}  // namespace hornbeam::render
