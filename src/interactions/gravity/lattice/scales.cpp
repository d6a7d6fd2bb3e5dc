// SPDX-License-Identifier: Apache-2.0
// Scales of a lattice, see scales.h.
#include "interactions/gravity/lattice/scales.h"

#include <algorithm>
#include <numbers>

#include "interactions/gravity/lattice/pair_potential.h"

namespace hornbeam {

LatticeScales lattice_scales(const Vec3& periods) {
  Vec3 ascending = periods;
  std::sort(ascending.begin(), ascending.end());
  const auto [shortest, middle, longest] = ascending;
  if (!(longest > 0)) return {};
  const double zero = -PairPotential(periods).of_own_images();
  if (!(middle > 0)) return {zero, 0.5 / (longest * longest)};
  return {zero, 2 * std::numbers::pi / (middle * longest)};
}

}  // namespace hornbeam
