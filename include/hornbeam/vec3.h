// SPDX-License-Identifier: Apache-2.0
// A place, velocity or acceleration.
#pragma once

#include <array>

namespace hornbeam {

using Vec3 = std::array<double, 3>;
/// Rows of a 3 x 3 matrix.
using Tensor = std::array<Vec3, 3>;

}  // namespace hornbeam
