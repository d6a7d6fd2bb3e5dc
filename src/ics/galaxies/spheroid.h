// SPDX-License-Identifier: Apache-2.0
// The density of a galaxy's halo or bulge. Before it: the options; after it: the distribution function of its speeds.
#pragma once

#include <vector>

#include "ics/galaxies/radial_grid.h"

namespace hornbeam::ics {

struct SpheroidShape {
  double mass = 0.0;         ///< in all; 0: there is none
  double scale = 1.0;        ///< a: where the slope turns from inner to outer
  double truncation = 10.0;  ///< r_t: beyond it the density falls as exp(-r / r_t)
  double inner_slope = 1.0;  ///< gamma, [0, 2)
  double outer_slope = 4.0;  ///< beta, > gamma
};

/// rho = C x^-gamma (1 + x)^(gamma - beta) sech(r / r_t), x = r / a (McMillan & Dehnen 2007; docs/models.md eq. 1).
class Spheroid {
 public:
  Spheroid(const SpheroidShape& shape, const RadialGrid& grid);

  [[nodiscard]] double density(double r) const;
  [[nodiscard]] double log_slope(double r) const;       ///< d ln rho / d ln r
  [[nodiscard]] double log_bending(double r) const;     ///< d log_slope / d ln r
  [[nodiscard]] std::vector<double> densities() const;  ///< at the grid's radii
  /// The radius that holds the given fraction of the mass, in [0, 1].
  [[nodiscard]] double radius_of(double mass_fraction) const;
  [[nodiscard]] const SpheroidShape& shape() const { return shape_; }

 private:
  SpheroidShape shape_;
  const RadialGrid& grid_;
  double constant_ = 1.0;
  std::vector<double> enclosed_;  // mass fractions
};

}  // namespace hornbeam::ics
