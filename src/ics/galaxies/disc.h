// SPDX-License-Identifier: Apache-2.0
// The density of a galaxy's stellar disc. Before it: the options; after it: its field and the motions of its stars.
#pragma once

#include <algorithm>
#include <vector>

#include "ics/galaxies/radial_grid.h"

namespace hornbeam::ics {

struct DiscShape {
  double mass = 0.0;        ///< in all; 0: there is none
  double scale = 1.0;       ///< R_d: scale length of the surface density
  double height = 0.1;      ///< z_d: of the vertical profile sech^2(z / z_d)
  double truncation = 6.0;  ///< where the cut halves the surface density
  double taper = 0.5;       ///< width of the cut

  /// Where the surface density has ended: 5 widths of the cut beyond it, or where the exponential has nothing left. All
  /// tables reach to here, so that a cut far out costs no more than none.
  [[nodiscard]] double edge() const { return std::min(truncation + 5.0 * taper, last_scale_length * scale); }
  /// Less than 2e-16 of the mass is left beyond so many scale lengths.
  static constexpr double last_scale_length = 40.0;
};

/// rho = Sigma(R) sech^2(z / z_d) / (2 z_d), Sigma = C exp(-R / R_d) erfc((R - R_t) / (sqrt(2) w)) / 2
/// (docs/models.md eq. 2, 3).
class Disc {
 public:
  explicit Disc(const DiscShape& shape);

  [[nodiscard]] double surface_density(double R) const;
  [[nodiscard]] double log_slope(double R) const;  ///< d ln Sigma / d ln R
  /// Averaged over the sphere of radius r: of its field the part that spheres feel.
  [[nodiscard]] double mean_density(double r) const;
  /// The radius that holds the given fraction of the mass, in [0, 1].
  [[nodiscard]] double radius_of(double mass_fraction) const { return place_in(enclosed_, mass_fraction)(radius_); }
  [[nodiscard]] double edge() const { return shape_.edge(); }
  /// Integral of Sigma(R) J_0(k R) R dR.
  [[nodiscard]] double transform(double k) const;
  [[nodiscard]] const DiscShape& shape() const { return shape_; }

 private:
  DiscShape shape_;
  double constant_ = 1.0;         // C
  std::vector<double> radius_;    // in equal steps from 0 to the edge
  std::vector<double> enclosed_;  // mass fractions at radius_
};

}  // namespace hornbeam::ics
