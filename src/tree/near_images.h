// SPDX-License-Identifier: Apache-2.0
// Which images of an infinite lattice the walk visits one by one, and how large the parts are whose moments attract as
// all others: both by the shape of the box alone (docs/periodic.md).
#pragma once

#include <array>

#include "hornbeam/vec3.h"

namespace hornbeam {

/// The near images of a lattice, and the parts of its box.
struct NearImages {
  std::array<int, 3> layers{};  ///< images on either side along each axis; 0 along open ones
  std::array<int, 3> parts{};   ///< along each axis with a period; 1 along open ones
  double edge = 0;              ///< of a part along open axes, and the longest along the others
};

/// The quickest. Two parts along the shortest period, and one layer, but where near-cubes of that size would be many:
/// then they are larger, and short axes have more layers. periods: of each axis, 0 where it is open, and not all 0.
NearImages near_images_of(const Vec3& periods);

}  // namespace hornbeam
