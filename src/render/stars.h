// SPDX-License-Identifier: Apache-2.0
// Particles as points of light, over the surface density: what a telescope resolves.
#pragma once

#include <cstdint>
#include <vector>

#include "render/paint/colour.h"

namespace hornbeam::render {

/// Linear light of a picture, (height, width).
struct LightMap {
  int width, height;
  std::vector<Light> value;
};

struct Star {
  float x, y;        ///< pixels
  float crowd;       ///< how many there are in a square pixel about it
  float mass;        ///< over the mean of its family
  std::uint64_t id;  ///< gives each its own brightness and tint, the same in every picture of a movie
};

/// Adds the star with its glow, where it stands out: of a crowd only some are seen, up to one in a square of a
/// hundredth of the picture. `faintest`: the brightness of most, in parts of that of the brightest; tint: their light.
void add_star(LightMap& picture, const Star& star, float faintest, const Light& tint);

}  // namespace hornbeam::render
