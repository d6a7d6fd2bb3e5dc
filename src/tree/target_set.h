// SPDX-License-Identifier: Apache-2.0
// The particles that the next evaluation is for: all, or those whose steps end. Compiled once a precision.
#pragma once

#include <memory>

#include "tree/tree.h"

HB_OPEN

/// Where a walk by groups finds its targets.
struct TargetLayout {
  const DeviceParticles* particles;
  const Groups* groups;
  i32 group_size;
};

class TargetSet {
 public:
  virtual ~TargetSet() = default;

  virtual void take_all(const DeviceParticles& particles, const Tree& tree) = 0;
  /// Those on rung `least` or deeper.
  virtual void take_due(const DeviceParticles& particles, const Tree& tree, i32 least) = 0;
  /// Whether they are only some of the particles, and those.
  [[nodiscard]] virtual bool are_some() const = 0;
  [[nodiscard]] virtual Targets list() = 0;
  /// Whether the list is to hold them alone, ascending: on the CPU it has all of their groups, since walks by groups
  /// write those. What adds to forces must add where the walk has written.
  void list_alone(bool alone) { alone_ = alone; }
  /// The tree's groups that hold some; on devices all of its groups, whose kernels see what is due.
  [[nodiscard]] virtual const Groups& groups() const = 0;
  /// In groups of at most group_size. Devices lay those that are some out side by side, so that nothing is done for
  /// others, in smaller groups where they are so few that the device would want for groups; elsewhere they stay.
  virtual TargetLayout lay_out(const DeviceParticles& all, i32 group_size) = 0;

  virtual void release() = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;

 protected:
  bool alone_ = false;
};

/// The one that fits a device.
std::unique_ptr<TargetSet> make_target_set(Device& device);

HB_CLOSE
