// SPDX-License-Identifier: Apache-2.0
// A halo from the distances and masses of the particles about its centre, for one halo (halo.cpp) and for those of a
// catalogue (groups/group_halos.cpp).
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "hornbeam/halo.h"

namespace hornbeam::analysis {

/// Distance and mass of each particle, by distance.
using Shells = std::vector<std::pair<double, double>>;

struct HaloMeasure {
  Vec3 centre{};
  double G = 1, critical = 0, virial = 0;  ///< as halo() has them
  std::size_t few = 0;                     ///< innermost particles whose chance decides nothing
  double reach = 0;                        ///< v_max is looked for within this radius and the virial one
};

/// Of nearest images; period: edges of a periodic box, 0 along open axes.
double distance_between(const Vec3& a, const Vec3& b, const Vec3& period);
/// HaloMeasure::few of a halo with so many particles.
std::size_t few_of(std::size_t count);
Halo measured_halo(const Shells& order, const HaloMeasure& measure);

}  // namespace hornbeam::analysis
