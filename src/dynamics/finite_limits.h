// SPDX-License-Identifier: Apache-2.0
// Which internal sizes are finite in the user's units. Compiled once a precision.
#pragma once

#include <algorithm>
#include <limits>

#include "stages/finite.h"

HB_OPEN

/// The largest internal size that is finite in units of `unit`, and of `exact` as checkpoints have it.
inline real largest_finite(double unit, double exact) {
  constexpr double most = std::numeric_limits<double>::max();
  if (!(unit <= most && exact <= most)) return -1;
  return static_cast<real>(std::min<double>(std::numeric_limits<real>::max(), most / std::max(unit, exact)));
}

/// User's units of accelerations and potentials per internal ones, with G and without.
inline FiniteLimits finite_limits(double a_unit, double exact_a_unit, double p_unit, double exact_p_unit) {
  return {std::numeric_limits<pos_t>::max(), largest_finite(a_unit, exact_a_unit),
          largest_finite(p_unit, exact_p_unit)};
}

HB_CLOSE
