// SPDX-License-Identifier: Apache-2.0
// How kernels are told of a caller's arrays on the device. Compiled once a precision.
#pragma once

#include "device/launches.h"
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
                                     .period = static_cast<pos_t>(places.period),
                                     .to = to},
                plain_variant, n);
}

/// Values times `factor`.
inline void take_reals(Device& device, const ArrayOnDevice& from, double factor, const DeviceArray<real>& to) {
  const auto n = static_cast<i32>(from.rows);
  device.launch(
      kernels::take_reals{.memory = memory_of(from), .column = column_of(from, 0), .factor = factor, .n = n, .to = to},
      plain_variant, n);
}

HB_CLOSE
