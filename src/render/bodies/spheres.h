// SPDX-License-Identifier: Apache-2.0
// Bodies as spheres, lit from one side, that hide and shade one another; images of a box fill the picture.
#pragma once

#include "hornbeam/render.h"

namespace hornbeam::render {

/// The part of full light that bodies have in the shadow: of a point whose normal has this cosine with the line of
/// sight.
inline float shadow_light(float cosine) { return 0.03f + 0.05f * (cosine > 0 ? cosine : 0); }
/// Of a whole ball: over its disc the mean of the cosine is 2/3.
inline constexpr float shadow_light_of_ball = 0.03f + 0.05f * 2 / 3;

/// What sunlight adds where it falls straight on.
inline constexpr float sunlight = 0.92f;

Image draw_spheres(const Snapshot& snapshot, const Options& options, const Camera& camera);

}  // namespace hornbeam::render
