// SPDX-License-Identifier: Apache-2.0
// Targets on the CPU: groups in their blocks, whole where one of their particles is due, and the particles themselves
// for walks of one at a time. Compiled once a precision.
#pragma once

#include <vector>

#include "tree/host/host_tree.h"
#include "tree/target_set.h"

HB_OPEN

class HostTargets final : public TargetSet {
 public:
  explicit HostTargets(HostDevice& device) : device_(device), numbers_(device) {}

  void take_all(const DeviceParticles& particles, Tree& tree) override;
  void take_due(const DeviceParticles& particles, Tree& tree, i32 least) override;
  [[nodiscard]] bool are_some() const override { return some_; }
  [[nodiscard]] Targets list() override;
  void release() override {}
  [[nodiscard]] std::uint64_t bytes() const override;

  /// Along the curve; empty where the tree has none.
  [[nodiscard]] const std::vector<GroupRange>& groups() const { return groups_; }
  /// First of each block of groups, and their number.
  [[nodiscard]] const std::vector<i32>& block_begin() const { return block_begin_; }
  /// Of a tree without groups, where only some are targets: their numbers, along the curve.
  [[nodiscard]] const Array<u32>& particles() const { return particles_; }
  /// How many, of a walk of one at a time.
  [[nodiscard]] i32 count() const { return some_ ? static_cast<i32>(particles_.size()) : all_; }

 private:
  HostDevice& device_;
  bool some_ = false;
  i32 all_ = 0;
  std::vector<GroupRange> groups_;
  std::vector<i32> block_begin_;
  Array<u32> particles_;
  std::vector<char> due_;  ///< whether each group of the tree is
  DeviceArray<i32> numbers_;
};

HB_CLOSE
