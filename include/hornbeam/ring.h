// SPDX-License-Identifier: Apache-2.0
// Measures of a patch of a planetary ring (docs/collisions.md).
#pragma once

#include <string_view>

#include "hornbeam/boundary.h"
#include "hornbeam/particles.h"

namespace hornbeam {

/// Velocities are taken from the shear: v_y + 3/2 omega x along the orbit.
struct RingState {
  std::size_t bodies = 0;
  double mass = 0;
  double optical_depth = 0;    ///< dynamical: sum of pi r^2 over the area
  Vec3 dispersion{};           ///< root mean squares of the velocities, each body counting once
  double filling_factor = 0;   ///< of the mid-plane: sum of pi (r^2 - z^2) over the bodies that cut it, over the area
  double shear_viscosity = 0;  ///< translational: 2/3 <v_x v_y> / omega, by mass
  double toomre_q = 0;         ///< omega c_x / (3.36 G surface density); 0 without masses
};

/// Throws Error for particles without radii, UsageError for a boundary that is no sheet.
RingState measure_ring(const Particles& particles, const Boundary& sheet, double G);

}  // namespace hornbeam
