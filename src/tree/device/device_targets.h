// SPDX-License-Identifier: Apache-2.0
// Targets on a device: the numbers of those that are due, and for walks by groups these laid out side by side, in the
// order of the curve, with groups of their own, so that nothing is done for others. Compiled once a precision.
#pragma once

#include "tree/device/device_tree.h"
#include "tree/target_set.h"

HB_OPEN

class DeviceTargets final : public TargetSet {
 public:
  explicit DeviceTargets(Device& device);

  void take_all(const DeviceParticles& particles, Tree& tree) override;
  void take_due(const DeviceParticles& particles, Tree& tree, i32 least) override;
  [[nodiscard]] bool are_some() const override { return some_; }
  [[nodiscard]] Targets list() override { return {some_ ? &list_ : nullptr, count_}; }
  /// Lays those that are due out in groups of at most group_size, smaller where they are so few that the device would
  /// want for groups: of group_size() then.
  void lay_out(const DeviceParticles& all, const DeviceTree& tree, i32 group_size);
  [[nodiscard]] i32 group_size() const { return group_size_; }

  [[nodiscard]] i32 count() const { return count_; }
  /// The numbers of those that are due, in order.
  [[nodiscard]] const DeviceArray<i32>& due() const { return list_; }
  /// What lay_out() made of them: positions, masses, softening, and |a| of the evaluation before.
  [[nodiscard]] const DeviceParticles& particles() const { return picked_; }
  [[nodiscard]] const DeviceGroups& groups() const { return groups_; }

  void release() override;
  [[nodiscard]] std::uint64_t bytes() const override {
    return marks_.bytes() + list_.bytes() + begins_.bytes() + groups_.first.bytes() + picked_.bytes();
  }

 private:
  i32 list_marks(i32 n, DeviceArray<i32>& list);
  template <class Launch, class T>
  void gather(DeviceArray<T>& to, const DeviceArray<T>& from);

  Device& device_;
  bool some_ = false;
  DeviceArray<u32> marks_;
  DeviceArray<i32> list_;
  DeviceArray<u8> begins_;  ///< whether a group begins at each that is due
  i32 count_ = 0, group_size_ = 0;
  DeviceParticles picked_;
  DeviceGroups groups_;
};

HB_CLOSE
