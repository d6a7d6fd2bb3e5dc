// SPDX-License-Identifier: Apache-2.0
// Colours of numbers: the maps that matplotlib has by these names.
#pragma once

#include <array>
#include <cstdint>

#include "hornbeam/render.h"

namespace hornbeam::render {

/// sRGB of t, from 0 (the least) to 1; beyond, of the nearer end.
std::array<float, 3> colour_of(ColourMap map, double t);

}  // namespace hornbeam::render
