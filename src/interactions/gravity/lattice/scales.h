// SPDX-License-Identifier: Apache-2.0
// What accelerations and potentials of an infinite lattice are measured by where an accuracy is requested.
#pragma once

#include "hornbeam/vec3.h"

namespace hornbeam {

/// Per G and mass of the box; both 0 where there is no lattice (docs/hierarchy.md eq. 1).
struct LatticeScales {
  double zero = 0;   ///< the potential of one particle's images at its place: a compact system's own counts from here
  double least = 0;  ///< the acceleration by a sheet of all mass across the shortest period, or 4 L from a line
};

/// periods: of each axis, 0 where it is open; all 0: no lattice.
LatticeScales lattice_scales(const Vec3& periods);

}  // namespace hornbeam
