// SPDX-License-Identifier: Apache-2.0
// The internal units of an evaluation: chosen after `bound` so that what is computed stays far inside the range of
// fp32, where the particles are one point, softened by far more than they extend, or attracted from far away, too. All
// are powers of two, which change no digits. Compiled once a precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "stages/key.h"

HB_OPEN

/// Internal edge of the key cube. Near the middle of what 21 levels span (2^-11 to 2^10), so that the powers of
/// distance in fp32 expansions neither overflow nor vanish: (2^10)^13 < 2^128.
inline constexpr int internal_edge_exponent = 9;

/// The power of two nearest below 2^exponent / x, or the largest there is; 1 for x = 0.
inline double power_of_two_over(double x, int exponent) {
  constexpr int largest = std::numeric_limits<double>::max_exponent - 1;
  return x > 0 && std::isfinite(x) ? std::ldexp(1.0, std::min(exponent - std::ilogb(x) - 1, largest)) : 1.0;
}

/// Internal length per length: `length`, the key cube's edge unless that is nothing compared with what else there is,
/// is about 2^9.
inline double frame_unit(const KeyCube& cube, double length) {
  // squared distances of outliers must not leave the range
  constexpr int most_extent_exponent = sizeof(real) == 8 ? 500 : 60;
  const double unit = power_of_two_over(length, internal_edge_exponent);
  const auto extent = static_cast<double>(cube.extent);
  return extent > 0 ? std::min(unit, power_of_two_over(extent, most_extent_exponent)) : unit;
}

HB_CLOSE
