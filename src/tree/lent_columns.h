// SPDX-License-Identifier: Apache-2.0
// A caller's columns into a device's arrays, and forces back: by kernels where they lie on the device, else through the
// host. Compiled once a precision.
#pragma once

#include <vector>

#include "device/launches.h"
#include "device/transfer.h"
#include "tree/device/device_particles.h"
#include "tree/lent_particles.h"

HB_OPEN

/// Of one axis of an array.
inline LentColumn column_of(const ArrayOnDevice& array, i64 axis) {
  return {axis * array.column_stride, array.row_stride, array.value, array.is_double ? 1 : 0};
}
inline LentVectors vectors_of(const ArrayOnDevice& array) {
  return {column_of(array, 0), column_of(array, 1), column_of(array, 2)};
}
inline ArrayArgument<const u8> memory_of(const ArrayOnDevice& array) {
  return ArrayArgument<const u8>::lent(array.data);
}

/// Values of a column of the host.
inline const double* host_numbers(const ArrayOnDevice& array) { return static_cast<const double*>(array.data); }

/// One axis of n places of the host, in the order that `input` says, where it is given.
inline void take_host_places(Device& device, const ArrayOnDevice& places, i64 axis, const DeviceArray<u32>* input,
                             i32 n, const DeviceArray<pos_t>& to) {
  const auto count = static_cast<std::size_t>(n);
  std::vector<u32> order(input != nullptr ? count : 0);
  if (!order.empty()) device.download(order.data(), *input, 0, count * sizeof(u32));
  const double* const values = host_numbers(places) + axis;
  const auto stride = static_cast<std::size_t>(places.row_stride);
  upload_values<pos_t>(device, to, count,
                       [&](std::size_t i) { return values[stride * (order.empty() ? i : order[i])]; });
}

/// One axis of n places, in the order that `input` says, where it is given.
inline void take_places(Device& device, const LentPlaces& places, i64 axis, const DeviceArray<u32>* input, i32 n,
                        const ArrayArgument<pos_t>& to) {
  const ArrayOnDevice velocity = places.velocity.value_or(ArrayOnDevice{});
  device.launch(kernels::take_places{.memory = memory_of(places.position),
                                     .column = column_of(places.position, axis),
                                     .speeds = memory_of(velocity),
                                     .speed = column_of(velocity, axis),
                                     .time = places.time,
                                     .input = input,
                                     .n = n,
                                     .period = static_cast<pos_t>(places.period[static_cast<std::size_t>(axis)]),
                                     .to = to},
                plain_variant, n);
}

/// The same of places anywhere.
inline void take_axis(Device& device, const LentPlaces& places, i64 axis, const DeviceArray<u32>* input, i32 n,
                      const DeviceArray<pos_t>& to) {
  if (places.position.on_host) return take_host_places(device, places.position, axis, input, n, to);
  take_places(device, places, axis, input, n, to);
}

/// Values times `factor`.
inline void take_reals(Device& device, const ArrayOnDevice& from, double factor, const DeviceArray<real>& to) {
  const auto n = static_cast<i32>(from.rows);
  if (from.on_host) {
    return upload_values<real>(device, to, from.rows,
                               [values = host_numbers(from), factor](std::size_t i) { return values[i] * factor; });
  }
  device.launch(
      kernels::take_reals{.memory = memory_of(from), .column = column_of(from, 0), .factor = factor, .n = n, .to = to},
      plain_variant, n);
}

/// User's units per internal one.
struct ForceUnits {
  double acceleration, potential;
};

/// Accelerations and potentials of all particles, by their indices on input.
inline void give_forces(Device& device, const DeviceParticles& p, const ForceUnits& unit, const ForcesOnDevice& to) {
  if (to.on_host) {
    const auto n = static_cast<std::size_t>(p.n);
    std::vector<u32> input(n);
    device.download(input.data(), p.input, 0, n * sizeof(u32));
    auto* const acceleration = static_cast<double*>(to.acceleration);
    auto* const potential = static_cast<double*>(to.potential);
    for (std::size_t k = 0; k < 3; ++k) {
      download_values<real>(device, p.acc[k], n, [&](std::size_t i, real v) {
        acceleration[3 * std::size_t{input[i]} + k] = static_cast<double>(v) * unit.acceleration;
      });
    }
    return download_values<real>(device, p.acc[3], n, [&](std::size_t i, real v) {
      potential[input[i]] = static_cast<double>(v) * unit.potential;
    });
  }
  device.launch(kernels::give_forces{.input = p.input,
                                     .acc = p.acc,
                                     .n = p.n,
                                     .acceleration_unit = unit.acceleration,
                                     .potential_unit = unit.potential,
                                     .wide = to.is_double ? 1 : 0,
                                     .accelerations = ArrayArgument<u8>::lent(to.acceleration),
                                     .potentials = ArrayArgument<u8>::lent(to.potential)},
                plain_variant, p.n);
}

HB_CLOSE
