// SPDX-License-Identifier: Apache-2.0
// What the sums over all particles say (stages/sums.h), from those of every backend.
#pragma once

#include <array>
#include <cmath>

#include "hornbeam/gravity.h"
#include "stages/sums.h"

namespace hornbeam {

using EnergySums = std::array<double, HB_ENERGY_SUMS>;
using PullSums = std::array<double, HB_PULL_SUMS>;
using NetSums = std::array<double, HB_NET_SUMS>;

/// p_unit: user's potential per that of the sums.
inline Energies energies_of(const EnergySums& sums, double p_unit) {
  return {sums[0] / 2, sums[1] / 2 * p_unit, {sums[2], sums[3], sums[4]}, {sums[5], sums[6], sums[7]}, sums[8]};
}

/// |sum m a| / sum m |a|; 0 where nothing attracts.
inline double momentum_error_of(const PullSums& sums) {
  const double total = std::sqrt(sums[0] * sums[0] + sums[1] * sums[1] + sums[2] * sums[2]);
  return sums[3] > 0 ? total / sums[3] : 0.0;
}

}  // namespace hornbeam
