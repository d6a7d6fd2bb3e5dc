// SPDX-License-Identifier: Apache-2.0
// Targets on a device: the indices of those that are due, and for walks by groups these laid out side by side, in the
// order of the curve, with groups of their own, so that nothing is done for others. Compiled once a precision.
#pragma once

#include "tree/device/device_tree.h"
#include "tree/target_set.h"

HB_OPEN

class DeviceTargets final : public TargetSet {
 public:
  explicit DeviceTargets(Device& device);

  void take_all(const DeviceParticles& particles, const Tree& tree) override;
  void take_due(const DeviceParticles& particles, const Tree& tree, i32 least) override;
  [[nodiscard]] bool are_some() const override { return some_; }
  [[nodiscard]] Targets list() override { return {some_ ? &list_ : nullptr, count_}; }
  [[nodiscard]] const Groups& groups() const override { return *tree_groups_; }
  /// Of those that are due: positions, masses, softening, and |a| of the evaluation before.
  TargetLayout lay_out(const DeviceParticles& all, i32 group_size) override;

  void release() override;
  [[nodiscard]] std::uint64_t bytes() const override {
    return marks_.bytes() + list_.bytes() + begins_.bytes() + groups_.first.bytes() + picked_.bytes();
  }

 private:
  template <class Launch, class T>
  void gather(DeviceArray<T>& to, const DeviceArray<T>& from);

  Device& device_;
  bool some_ = false;
  DeviceArray<u32> marks_;
  DeviceArray<i32> list_;
  DeviceArray<u8> begins_;  ///< whether a group begins at each that is due
  i32 count_ = 0;
  const Groups* tree_groups_ = nullptr;
  DeviceParticles picked_;
  Groups groups_;
};

HB_CLOSE
