// SPDX-License-Identifier: Apache-2.0
// Isotropic distribution functions by Eddington's inversion: the speeds of a galaxy's halo and bulge.
#pragma once

#include <string>
#include <vector>

#include "ics/galaxies/spherical_field.h"
#include "ics/galaxies/spheroid.h"
#include "ics/random.h"

namespace hornbeam::ics {

/// f(E) of a spherical density in a spherical field that need not be its own (Eddington 1916; docs/models.md eq. 5).
class IsotropicDistribution {
 public:
  /// Throws UsageError(component, ...) where f would have to be negative: no isotropic equilibrium exists.
  IsotropicDistribution(const std::string& component, const Spheroid& spheroid, const SphericalField& field);

  /// f at the binding energy `depth` = -E per unit mass: mass per volume of phase space.
  [[nodiscard]] double operator()(double depth) const;
  /// A speed at radius r, by rejection; below the escape speed.
  [[nodiscard]] double draw_speed(double r, Random& random) const;

 private:
  void refuse_negative(const std::string& component, const Spheroid& spheroid, const std::vector<double>& f) const;

  const SphericalField& field_;
  std::vector<double> depth_;  // ascending: from the outermost radius inwards
  std::vector<double> log_f_;  // at depth_
  std::vector<double> bound_;  // of v^2 f at each radius of the field's grid
};

}  // namespace hornbeam::ics
