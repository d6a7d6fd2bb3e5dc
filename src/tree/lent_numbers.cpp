// SPDX-License-Identifier: Apache-2.0
// A look at a caller's numbers, see lent_numbers.h. Compiled with HB_PRECISION = HB_DOUBLE.
#include "tree/lent_numbers.h"

#include <algorithm>

HB_OPEN

namespace {

Survey survey_on_host(const ArrayOnDevice& array, i64 axis) {
  double sum = 0, least = HUGE_VAL, largest = -HUGE_VAL;
  std::uint64_t not_finite = 0;
  const double* const values = host_numbers(array) + axis;
#pragma omp parallel for schedule(static) reduction(+ : sum, not_finite) reduction(min : least) reduction(max : largest)
  for (std::size_t i = 0; i < array.rows; ++i) {
    const double value = values[i * static_cast<std::size_t>(array.row_stride)];
    const bool finite = std::isfinite(value);
    not_finite += finite ? 0 : 1;
    sum += finite ? value : 0;
    least = finite ? std::min(least, value) : least;
    largest = finite ? std::max(largest, value) : largest;
  }
  return {sum, least, largest, not_finite};
}

}  // namespace

Survey survey_axis(Device& device, const ArrayOnDevice& array, i64 axis) {
  if (array.on_host) return survey_on_host(array, axis);
  constexpr i32 most_parts = 1 << 13;  // enough to fill a device
  const i32 n = static_cast<i32>(array.rows), parts = std::min(n, most_parts);
  Survey sum;
  if (n == 0) return sum;
  std::vector<pos_t> rows(static_cast<std::size_t>(parts) * HB_SURVEY_VALUES);
  DeviceArray<pos_t> found(device);
  found.reserve(rows.size() * sizeof(pos_t));
  device.launch(
      kernels::survey_numbers{
          .memory = memory_of(array), .column = column_of(array, axis), .n = n, .parts = parts, .found = found},
      plain_variant, parts);
  device.download(rows.data(), found, 0, rows.size() * sizeof(pos_t));
  for (std::size_t at = 0; at < rows.size(); at += HB_SURVEY_VALUES) {
    sum.sum += rows[at];
    sum.least = std::min(sum.least, rows[at + 1]);
    sum.largest = std::max(sum.largest, rows[at + 2]);
    sum.not_finite += static_cast<std::uint64_t>(rows[at + 3]);
  }
  return sum;
}

Survey survey(Device& device, i64 axes, const std::optional<ArrayOnDevice>& array,
              const std::optional<ArrayOnDevice>& more) {
  Survey sum;
  for (const std::optional<ArrayOnDevice>& one : {array, more}) {
    for (i64 axis = 0; one && axis < axes; ++axis) {
      const Survey found = survey_axis(device, *one, axis);
      sum.sum += found.sum;
      sum.least = std::min(sum.least, found.least);
      sum.largest = std::max(sum.largest, found.largest);
      sum.not_finite += found.not_finite;
    }
  }
  return sum;
}

std::vector<double> fetched(Device& device, const ArrayOnDevice& array, i64 axis) {
  std::vector<double> values(array.rows);
  const auto n = static_cast<i32>(array.rows);
  if (n == 0) return values;
  if (array.on_host) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = host_numbers(array)[i * static_cast<std::size_t>(array.row_stride) + static_cast<std::size_t>(axis)];
    }
    return values;
  }
  DeviceArray<pos_t> column(device);
  column.reserve(values.size() * sizeof(pos_t));
  take_places(device, {array}, axis, nullptr, n, column);
  device.download(values.data(), column, 0, values.size() * sizeof(double));
  return values;
}

std::vector<Vec3> fetched_vectors(Device& device, const ArrayOnDevice& array) {
  std::vector<Vec3> rows(array.rows);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::vector<double> values = fetched(device, array, static_cast<i64>(axis));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i][axis] = values[i];
  }
  return rows;
}

HB_CLOSE
