// SPDX-License-Identifier: Apache-2.0
// What a boundary does to particles: where their images stand, and where they come back.
#pragma once

#include <vector>

#include "hornbeam/boundary.h"
#include "tree/images.h"

namespace hornbeam {

/// The images that pull, the particles themselves first, the others by their distance in boxes, so that what is added
/// last is least.
std::vector<SourceImage> images_of(const Boundary& boundary);

/// The period along each axis: 0 where it is open.
Vec3 periods_of(const Boundary& boundary);

/// Puts positions back into the box, as Leapfrog::wrap() does.
void wrap(std::vector<Vec3>& positions, const Boundary& boundary);

}  // namespace hornbeam
