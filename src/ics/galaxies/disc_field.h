// SPDX-License-Identifier: Apache-2.0
// The field of a thick disc by Hankel transforms: what the motions of its stars are computed from.
#pragma once

#include <vector>

#include "ics/galaxies/disc.h"

namespace hornbeam::ics {

/// A table over cylindrical radius and height, 0 <= z. Radii stand closer near the centre: R = edge (i / radii)^2.
class MeridionalTable {
 public:
  static constexpr int radii = 160, heights = 64;  ///< steps; entries are one more

  MeridionalTable(double edge, double top) : edge_(edge), top_(top), value_((radii + 1) * (heights + 1)) {}

  [[nodiscard]] double radius(int i) const { return edge_ * i * i / (double{radii} * radii); }
  [[nodiscard]] double height(int j) const { return top_ * j / heights; }
  double& at(int i, int j) { return value_[static_cast<std::size_t>(i) * (heights + 1) + j]; }
  [[nodiscard]] double at(int i, int j) const { return value_[static_cast<std::size_t>(i) * (heights + 1) + j]; }
  /// Bilinear interpolation; beyond the ends: at them.
  [[nodiscard]] double operator()(double R, double z) const;
  [[nodiscard]] double top() const { return top_; }

 private:
  double edge_, top_;
  std::vector<double> value_;
};

/// Accelerations of the disc alone, G = 1, with Plummer softening eps, up to its edge and to 10 heights above the plane
/// (docs/models.md eq. 7).
struct DiscField {
  MeridionalTable inward;  ///< d phi / dR
  MeridionalTable down;    ///< d phi / dz

  explicit DiscField(const Disc& disc, double eps = 0.0);
  /// And that of another disc, which reaches to `edge`: beyond, it attracts as a point.
  void add(const DiscField& other, double edge);
};

}  // namespace hornbeam::ics
