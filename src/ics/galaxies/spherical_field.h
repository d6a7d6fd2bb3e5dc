// SPDX-License-Identifier: Apache-2.0
// The field of a galaxy averaged over spheres: what its halo and bulge are brought into equilibrium with.
#pragma once

#include <vector>

#include "ics/galaxies/radial_grid.h"

namespace hornbeam::ics {

/// Mass within each radius of the grid of a spherical density given there, a power law between two radii and inside the
/// first.
std::vector<double> enclosed_mass(const RadialGrid& grid, const std::vector<double>& density);

/// G = 1. Arrays hold one entry for each radius of the grid.
struct SphericalField {
  RadialGrid grid;
  std::vector<double> pull;           ///< |acceleration| towards the centre
  std::vector<double> pull_gradient;  ///< d pull / dr
  std::vector<double> depth;          ///< -potential: 0 at infinity, descending

  /// The field of `density` (docs/models.md eq. 4) and of a point mass with Plummer softening eps at the centre.
  SphericalField(const RadialGrid& radii, const std::vector<double>& density, double point_mass, double eps);

  [[nodiscard]] double pull_at(double r) const { return grid.place(r)(pull); }
  [[nodiscard]] double depth_at(double r) const { return grid.place(r)(depth); }
};

}  // namespace hornbeam::ics
