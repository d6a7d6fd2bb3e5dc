// SPDX-License-Identifier: Apache-2.0
// The far images of a periodic box in fp64 on the host: what checks add to direct sums over the near ones.
#pragma once

#include <array>
#include <vector>

#include "hornbeam/particles.h"
#include "hornbeam/vec3.h"

namespace hornbeam::fp64 {

/// Order of expansions whose errors, 1e-12 G m / L^2 of a pair, are as good as none.
inline constexpr int reference_order = 26;

/// Adds accelerations and potentials (which.size(), 4) of particles `which` by the far images of all. Positions may be
/// outside of the box. order 0: Ewald's sums pair by pair, some 5 microseconds each. Otherwise expansions of that
/// order.
void add_far_images(const Particles& all, const std::vector<std::size_t>& which, double G, const Vec3& periods,
                    int order, std::vector<std::array<double, 4>>& forces);

/// The order that takes seconds at most: 0 for few pairs.
int reference_order_for(std::size_t n, std::size_t count);

}  // namespace hornbeam::fp64
