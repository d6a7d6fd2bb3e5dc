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
  explicit HostTargets(HostDevice& device) : device_(device), due_groups_(device), numbers_(device) {}

  void take_all(const DeviceParticles& particles, const Tree& tree) override;
  void take_due(const DeviceParticles& particles, const Tree& tree, i32 least) override;
  [[nodiscard]] bool are_some() const override { return some_; }
  [[nodiscard]] Targets list() override;
  [[nodiscard]] const Groups& groups() const override { return some_ ? due_groups_ : *tree_groups_; }
  TargetLayout lay_out(const DeviceParticles& all, i32 group_size) override { return {&all, &groups(), group_size}; }
  void release() override {}
  [[nodiscard]] std::uint64_t bytes() const override;

 private:
  void take_due_groups(const Groups& of_tree);
  [[nodiscard]] Targets due();

  HostDevice& device_;
  bool some_ = false;
  i32 all_ = 0, least_ = 0;
  const DeviceArray<u32>* rungs_ = nullptr;
  const Groups* tree_groups_ = nullptr;
  Groups due_groups_;
  Array<u32> particles_;   ///< of a tree without groups, where only some are targets: their numbers, along the curve
  std::vector<char> due_;  ///< whether each group of the tree is
  DeviceArray<i32> numbers_;
};

HB_CLOSE
