// SPDX-License-Identifier: Apache-2.0
// The particles of a walk that is not for all: which are due, and for walks by groups these laid out side by side, in
// the order of the curve, with groups of their own, so that nothing is done for others. Compiled once a precision.
#pragma once

#include "tree/device_tree.h"

HB_OPEN

/// The particles that a walk is for: those on rung `least` or deeper.
struct DueRungs {
  const DeviceArray<u32>& rungs;
  i32 least;
};

class DueTargets {
 public:
  DueTargets(Device& device, Precision precision);

  /// Finds those of n particles that are due; how many there are.
  i32 find(const DueRungs& due, i32 n);
  /// Lays them out in groups of at most group_size, smaller where they are so few that the device would want for
  /// groups; the size.
  i32 lay_out(const DeviceParticles& all, const DeviceTree& tree, i32 group_size);

  /// Their numbers, in order; count() of them.
  [[nodiscard]] const DeviceArray<i32>& list() const { return list_; }
  [[nodiscard]] i32 count() const { return count_; }
  /// What lay_out() made of them: positions, masses, softening, and |a| of the evaluation before.
  [[nodiscard]] const DeviceParticles& particles() const { return picked_; }
  [[nodiscard]] const DeviceGroups& groups() const { return groups_; }

  void release();
  [[nodiscard]] std::uint64_t bytes() const {
    return marks_.bytes() + list_.bytes() + begins_.bytes() + groups_.first.bytes() + picked_.bytes();
  }

 private:
  i32 list_marks(i32 n, DeviceArray<i32>& list);
  template <class Launch, class T>
  void gather(DeviceArray<T>& to, const DeviceArray<T>& from);

  Device& device_;
  KernelVariant variant_;
  DeviceArray<u32> marks_;
  DeviceArray<i32> list_;
  DeviceArray<u8> begins_;  ///< whether a group begins at each that is due
  i32 count_ = 0;
  DeviceParticles picked_;
  DeviceGroups groups_;
};

HB_CLOSE
