// SPDX-License-Identifier: Apache-2.0
// Numbers in arrays of a caller that lie on a device: a look at them there, and copies on the host for messages. Before
// load. Compiled with HB_PRECISION = HB_DOUBLE.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "hornbeam/vec3.h"
#include "tree/lent_columns.h"

HB_OPEN

/// What a look at some columns has found; least and largest, beyond all numbers where there are none.
struct Survey {
  double sum = 0, least = HUGE_VAL, largest = -HUGE_VAL;
  std::uint64_t not_finite = 0;

  /// The largest amount.
  [[nodiscard]] double extent() const { return std::max({0.0, -least, largest}); }
};

/// Looks at one axis.
Survey survey_axis(Device& device, const ArrayOnDevice& array, i64 axis);
/// At the first `axes` of them, of both arrays.
Survey survey(Device& device, i64 axes, const std::optional<ArrayOnDevice>& array,
              const std::optional<ArrayOnDevice>& more = {});
/// One axis of an array, on the host.
std::vector<double> fetched(Device& device, const ArrayOnDevice& array, i64 axis = 0);
std::vector<Vec3> fetched_vectors(Device& device, const ArrayOnDevice& array);

HB_CLOSE
