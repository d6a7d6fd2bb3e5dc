// SPDX-License-Identifier: Apache-2.0
// Where the sources of a walk stand: where they are, and in images that a boundary gives.
#pragma once

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

}  // namespace hornbeam
