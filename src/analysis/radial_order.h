// SPDX-License-Identifier: Apache-2.0
// Particles ordered by distance from the centre of density: what Lagrangian radii and profiles are read from.
#pragma once

#include <vector>

#include "hornbeam/particles.h"

namespace hornbeam::analysis {

inline double distance_squared(const Vec3& a, const Vec3& b) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return x * x + y * y + z * z;
}

struct RadialOrder {
  Vec3 centre;                        ///< of density
  std::vector<double> radius;         ///< ascending
  std::vector<double> enclosed_mass;  ///< with the particle itself

  explicit RadialOrder(const Particles& particles);
  /// Mass of the particles at or within r.
  [[nodiscard]] double mass_within(double r) const;
  /// The radius that holds this fraction of the mass.
  [[nodiscard]] double radius_with(double fraction) const;
};

/// Of the particles within that radius about the centre.
Vec3 mean_velocity(const Particles& particles, const Vec3& centre, double radius);

}  // namespace hornbeam::analysis
