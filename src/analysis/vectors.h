// SPDX-License-Identifier: Apache-2.0
// Products and sums of vectors.
#pragma once

#include <cmath>

#include "hornbeam/particles.h"

namespace hornbeam::analysis {

inline double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vec3 minus(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Vec3 scaled(const Vec3& a, double f) { return {f * a[0], f * a[1], f * a[2]}; }
inline Vec3 unit(const Vec3& a) { return scaled(a, 1.0 / std::sqrt(dot(a, a))); }

}  // namespace hornbeam::analysis
