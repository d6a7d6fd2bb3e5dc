// SPDX-License-Identifier: Apache-2.0
// Where the sources of a walk stand: where they are, and in images that a boundary gives. Of an infinite lattice the
// walk visits the near images one by one, and the moments of parts attract as all others (docs/periodic.md).
#pragma once

#include <array>
#include <vector>

#include "hornbeam/particles.h"

namespace hornbeam {

/// An image of the sources: shift, and what it adds to their velocities.
struct SourceImage {
  Vec3 shift{}, velocity{};
};

/// The list of open space, and of a cube whose nearest images are met. In every list the first is where the sources
/// are.
inline const std::vector<SourceImage> one_image(1);

/// The shortest period; 0 where there is none. periods: of each axis, 0 where it is open.
double shortest_period(const Vec3& periods);

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
