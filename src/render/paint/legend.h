// SPDX-License-Identifier: Apache-2.0
// The legend of a picture: which family shines in which colours at which surface density.
#pragma once

#include "render/layers.h"

namespace hornbeam::render {

/// From 0 where the surface density is negligible to 1 at full brightness and a little beyond, logarithmic over the
/// decades between.
float stretched(double relative_density, const Options& options);

/// Draws it into the lower right corner: a bar for each family over one axis of surface density, in Msun/pc^2 or g/cm^2
/// where the snapshot's units are physical. Pictures that are too small for it stay as they are.
void draw_legend(Image& image, const Layers& layers, const Snapshot& snapshot, const Options& options,
                 const Camera& camera, const Brightness& brightness);

}  // namespace hornbeam::render
