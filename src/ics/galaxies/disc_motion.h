// SPDX-License-Identifier: Apache-2.0
// The motions of a disc's stars in the whole galaxy's field: moments of their velocities by Jeans' equations.
#pragma once

#include <vector>

#include "ics/galaxies/disc_field.h"
#include "ics/galaxies/spherical_field.h"

namespace hornbeam::ics {

/// Moments at cylindrical radius R and height z, G = 1. Dispersions are one-dimensional.
class DiscMotion {
 public:
  /// `spheres`: the field of all but the disc. toomre_q is Q at q_radius.
  DiscMotion(const Disc& disc, const DiscField& field, const SphericalField& spheres, double toomre_q, double q_radius);

  /// In the plane, of the disc's own field and the spheres': the model's true one.
  [[nodiscard]] double circular_velocity(double R) const;
  [[nodiscard]] double epicyclic_frequency(double R) const;      ///< kappa
  [[nodiscard]] double toomre_q(double R) const;                 ///< docs/models.md eq. 8
  [[nodiscard]] double radial_dispersion(double R) const;        ///< eq. 9
  [[nodiscard]] double azimuthal_dispersion(double R) const;     ///< eq. 10
  [[nodiscard]] double mean_rotation(double R, double z) const;  ///< eq. 11
  [[nodiscard]] double vertical_dispersion(double R, double z) const { return vertical_(R, z); }  ///< eq. 12

 private:
  [[nodiscard]] Place place(double R) const { return place_in(radius_, R); }
  void fill_plane(const DiscField& field, const SphericalField& spheres);
  void fill_azimuthal(const DiscField& field, const SphericalField& spheres);
  void fill_vertical(const DiscField& field, const SphericalField& spheres);

  const Disc& disc_;
  std::vector<double> radius_;           // of the tables, without 0
  std::vector<double> circular2_;        // circular velocity squared, in the plane
  std::vector<double> epicyclic_ratio_;  // kappa^2 / (4 Omega^2)
  MeridionalTable azimuthal_;            // <v_phi^2>
  MeridionalTable vertical_;             // sigma_z
  double central_dispersion_ = 0.0;      // of eq. 9
};

}  // namespace hornbeam::ics
