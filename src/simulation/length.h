// SPDX-License-Identifier: Apache-2.0
// The length of a vector, for whoever compares forces.
#pragma once

#include <cmath>

#include "hornbeam/particles.h"

namespace hornbeam {

inline double length(const Vec3& v) { return std::hypot(v[0], v[1], v[2]); }

}  // namespace hornbeam
