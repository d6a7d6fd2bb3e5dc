// SPDX-License-Identifier: Apache-2.0
// Where rows of a search begin, made on the device. After counts, before rows. Compiled once a precision.
#pragma once

#include "device/launches.h"
#include "tree/device/device_particles.h"

HB_OPEN

/// Where rows begin, on a device that sums in 32 bits.
class RowOffsets {
 public:
  /// Of rows that are all `alike` long, unless count() says how long each is.
  RowOffsets(Device& device, i32 rows, i32 alike)
      : device_(device), rows_(rows), alike_(alike), sums_(device), wraps_(device), begins_(device) {}

  /// For the counts of neighbours, one a row.
  DeviceArray<u32>& counts() {
    sums_.reserve((static_cast<std::size_t>(rows_) + 1) * sizeof(u32));
    device_.clear(sums_, (static_cast<std::size_t>(rows_) + 1) * sizeof(u32));
    return sums_;
  }
  /// Once these are there, if they are.
  void sum() {
    if (sums_.bytes() > 0) {
      device_.exclusive_scan(sums_, rows_ + 1);
      wraps_.reserve((static_cast<std::size_t>(rows_) + 1) * sizeof(u32));
      device_.launch(kernels::mark_wraps{.sums = sums_, .n = rows_, .marks = wraps_}, plain_variant, rows_ + 1);
      device_.exclusive_scan(wraps_, rows_ + 1);
    }
    begins_.reserve((static_cast<std::size_t>(rows_) + 1) * sizeof(u64));
    write(begins_);
  }
  void write(const ArrayArgument<u64>& to) const {
    device_.launch(kernels::give_offsets{.sums = sums_, .wraps = wraps_, .alike = alike_, .n = rows_ + 1, .to = to},
                   plain_variant, rows_ + 1);
  }
  [[nodiscard]] i32 rows() const { return rows_; }
  [[nodiscard]] const DeviceArray<u64>& begins() const { return begins_; }
  [[nodiscard]] std::uint64_t entries() const {
    std::uint64_t all = 0;
    device_.download(&all, begins_, static_cast<std::size_t>(rows_) * sizeof(u64), sizeof all);
    return all;
  }

 private:
  Device& device_;
  i32 rows_, alike_;
  DeviceArray<u32> sums_, wraps_;
  DeviceArray<u64> begins_;
};

HB_CLOSE
