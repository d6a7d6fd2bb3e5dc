// SPDX-License-Identifier: Apache-2.0
// Cells and groups of a tree in a device's memory: what its stages make and its walks read. Compiled once a precision.
#pragma once

#include <cstdint>

#include "device/device.h"
#include "device/launches.h"
#include "stages/build.h"
#include "stages/views.h"

HB_OPEN

/// Cells level by level: an array of each of HB_CELL_FIELDS.
struct Cells {
  explicit Cells(Device& device);

  [[nodiscard]] i32 size() const { return levels.begin[HB_LEVELS + 1]; }
  /// What kernels see as HB_CELLS.
  [[nodiscard]] CellArrays arrays() const;
  [[nodiscard]] std::uint64_t bytes() const;
  void release();

  LevelTable levels{};
#define HB_CELL_ARRAY(type, field) DeviceArray<type> field;
  HB_CELL_FIELDS(HB_CELL_ARRAY)
#undef HB_CELL_ARRAY
};

/// Ranges of neighbouring particles that share one traversal, as the walks of their device read them.
struct Groups {
  explicit Groups(Device& device) : first(device), block_first(device) {}
  [[nodiscard]] std::uint64_t bytes() const { return first.bytes() + block_first.bytes(); }

  DeviceArray<i32> first;  ///< where each begins, and the end of the last; on the CPU a GroupRange for each
  i32 count = 0;
  DeviceArray<i32> block_first;  ///< of the CPU: the first group of each block of consecutive ones, and their number
  i32 blocks = 0;
};

HB_CLOSE
