// SPDX-License-Identifier: Apache-2.0
// The particles that the next evaluation is for: all, or those whose steps end. Compiled once a precision.
#pragma once

#include <memory>

#include "tree/tree.h"

HB_OPEN

class TargetSet {
 public:
  virtual ~TargetSet() = default;

  virtual void take_all(const DeviceParticles& particles, Tree& tree) = 0;
  /// Those on rung `least` or deeper.
  virtual void take_due(const DeviceParticles& particles, Tree& tree, i32 least) = 0;
  /// Whether they are only some of the particles, and those.
  [[nodiscard]] virtual bool are_some() const = 0;
  [[nodiscard]] virtual Targets list() = 0;

  virtual void release() = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// The one that fits a device.
std::unique_ptr<TargetSet> make_target_set(Device& device);

HB_CLOSE
