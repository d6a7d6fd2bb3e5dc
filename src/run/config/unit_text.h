// SPDX-License-Identifier: Apache-2.0
// What measures are in, for tables and axes of plots.
#pragma once

#include <string>
#include <string_view>

#include "core/fields.h"

namespace hornbeam::run {

/// "kpc", "1e10 Msun/kpc^3", "km/s"; empty for pure numbers and where units are not physical.
std::string unit_text(const Units& units, const Dimension& dimension);

/// The powers of units in what a measure calls `key`: "density", "angular_momentum". Pure numbers have none.
Dimension dimension_of(std::string_view key);

/// The unit of what a measure calls `key`: that of its dimension, "deg", or of time that of the numbers, "0.977792
/// Gyr".
std::string unit_of(std::string_view key, const Units& units);
/// The same where times are shown in a round unit, "Gyr" (shown_time()).
std::string shown_unit_of(std::string_view key, const Units& units);

}  // namespace hornbeam::run
