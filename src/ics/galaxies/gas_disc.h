// SPDX-License-Identifier: Apache-2.0
// A galaxy's disc of gas of one temperature, in hydrostatic balance across its plane and turning against its own
// pressure: what `galaxy` draws besides its stars.
#pragma once

#include <cstdint>
#include <vector>

#include "ics/galaxies/disc_field.h"
#include "ics/galaxies/spherical_field.h"
#include "ics/model.h"

namespace hornbeam::ics {

struct GasDiscShape {
  DiscShape disc;      ///< its height is that with which its acceleration along the radius is taken
  double sound = 0.0;  ///< (P / rho)^1/2
  double gamma = 5.0 / 3.0;
};

/// Returns the height of gas with that sound speed at two scale lengths: z_d of a sech^2 profile in its own field and
/// that of the rest (`pull`: of spheres). From 0.02 to 0.5 scale lengths.
double gas_height(const DiscShape& gas, double sound, const DiscField& stars, const SphericalField& spheres);

/// G = 1.
class GasDisc {
 public:
  /// stars, own: the fields of the disc of stars and of the gas.
  GasDisc(const GasDiscShape& shape, const Disc& disc, const DiscField& stars, const DiscField& own,
          const SphericalField& spheres);

  /// Of the mean rotation, the same at all heights (docs/models.md eq. 14).
  [[nodiscard]] double rotation(double R) const { return place_in(radius_, R)(rotation_); }
  /// Below which lies that fraction, in (0, 1), of the column at R (eq. 13).
  [[nodiscard]] double height_of(double R, double fraction) const;
  [[nodiscard]] double midplane_density(double R) const { return place_in(radius_, R)(density_); }
  /// The i-th of n particles: even in mass along the radius, along a spiral of golden angles, even in the column.
  [[nodiscard]] PhasePoint particle(std::int64_t i, std::size_t n, double height_shift) const;
  [[nodiscard]] double internal_energy() const { return shape_.sound * shape_.sound / (shape_.gamma - 1); }

 private:
  void fill_column(double R, const DiscField& stars, const SphericalField& spheres);

  GasDiscShape shape_;
  const Disc& disc_;
  std::vector<double> radius_, density_, rotation_;
  std::vector<std::vector<double>> height_;  ///< at each radius: heights of equal parts of the upper half of its column
};

}  // namespace hornbeam::ics
