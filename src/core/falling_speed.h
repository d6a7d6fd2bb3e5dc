// SPDX-License-Identifier: Apache-2.0
// The speed that gravity would give: the scale compared with which speeds of gas are large or small.
#pragma once

#include "hornbeam/particles.h"

namespace hornbeam {

/// How fast particles fall together that attract with G, about: (G M / edge)^1/2 of the longest edge of their box; 0 of
/// none or of particles at one point.
double falling_speed(const Particles& particles, double G);

}  // namespace hornbeam
