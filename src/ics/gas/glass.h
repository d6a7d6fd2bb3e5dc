// SPDX-License-Identifier: Apache-2.0
// Glasses: places without order, of which each feels the same from all sides. Lattices repeat tiles of them.
#pragma once

#include <vector>

#include "ics/random.h"

namespace hornbeam::ics {

/// Below this rms |a| H / c^2 a glass is at rest.
inline constexpr double glass_at_rest = 1e-3;

/// Returns n positions in a periodic cube of edge 1 that begins at 0. They are random at first, and the
/// pressure of gas of one temperature moves them until they are at rest. Throws Error if they do not
/// converge.
std::vector<Vec3> glass_tile(std::int64_t n, Seed seed);

/// rms |a| H / c^2 of gas at such places in a periodic cube of edge 1, by the sums of gas (kernel wendland-c2).
double glass_unrest(const std::vector<Vec3>& places);

}  // namespace hornbeam::ics
