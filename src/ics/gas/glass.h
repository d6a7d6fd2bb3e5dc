// SPDX-License-Identifier: Apache-2.0
// Glasses: places without order, of which each feels the same from all sides. Lattices repeat tiles of them.
#pragma once

#include <vector>

#include "ics/random.h"

namespace hornbeam::ics {

/// Below this rms |a| H / c^2 a glass is at rest.
inline constexpr double glass_at_rest = 1e-3;

/// n places in a periodic cube of edge 1 that begins at 0: n random ones, moved by the pressure of gas of one
/// temperature until it no longer moves them. Throws Error where they
/// do not come to rest.
std::vector<Vec3> glass_tile(std::int64_t n, Seed seed);

/// rms |a| H / c^2 of gas at such places in a periodic cube of edge 1, by the sums of gas (kernel wendland-c2).
double glass_unrest(const std::vector<Vec3>& places);

}  // namespace hornbeam::ics
