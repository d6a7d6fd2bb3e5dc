// SPDX-License-Identifier: Apache-2.0
// Colours as light: what each family shines in, and how light becomes the bytes of a picture.
#pragma once

#include <array>
#include <cstdint>

#include "hornbeam/particles.h"

namespace hornbeam::render {

/// Linear light, red green blue.
using Light = std::array<float, 3>;

/// How a family is shown: as itself, or as a halo that nothing visible outshines.
enum class Look { gas, halo, disc, bulge, stars, black_holes, lone_halo };

/// The light of a family at brightness t: 0 none, 1 full, a little more in the densest cores.
Light light_of(Look look, float t);
/// The powers of brightness that its red, green and blue fall with.
Light powers_of(Look look);
/// The light of one of its stars.
Light tint_of(Look look);

/// Returns the bytes of pixel (x, y). Light is exposed as on film, so that it adds without clipping, and encoded as
/// sRGB. A pattern over the pixels rounds up or down, because plain rounding draws contours into dim gradients.
std::array<std::uint8_t, 3> developed(const Light& light, int x, int y);
/// The same of light as it is, cut at 1: twice the light is twice the light.
std::array<std::uint8_t, 3> exposed(const Light& light, int x, int y);

/// What bodies of a family reflect, from the smallest (0) to the largest (1).
Light surface_of(Family family, float size);

}  // namespace hornbeam::render
