// SPDX-License-Identifier: Apache-2.0
// The census as the host reads it. Compiled once a precision (HB_PRECISION).
#include "tree/particle_sums.h"

#include <algorithm>

HB_OPEN

RungCensus census_of(const u32* counts) {
  RungCensus census;
  std::copy_n(counts, census.particles.size(), census.particles.begin());
  census.beyond = counts[HB_CENSUS_BEYOND];
  census.not_finite = counts[HB_CENSUS_NOT_FINITE];
  return census;
}

HB_CLOSE
