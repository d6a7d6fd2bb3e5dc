// SPDX-License-Identifier: Apache-2.0
// What a device whose handles are pointers offers to those who have memory on it, too: their arrays are read where they
// lie, and what they get stays there. Before bound, and after walk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace hornbeam {

class Lending {
 public:
  virtual ~Lending() = default;

  /// The device's queue as the driver names it: a CUDA stream; 0 on the CPU, which has none.
  [[nodiscard]] virtual std::uintptr_t queue() const = 0;
  /// What is requested from now on comes after all that a caller's queue holds now. The driver's names for queues that
  /// it has by itself (CUDA: 1 and 2) are allowed.
  virtual void wait_for(std::uintptr_t queue) = 0;
  /// Calls work() with this device as the one that libraries of the driver's maker use.
  virtual void as_current(const std::function<void()>& work) { work(); }
  /// Returns when all work is done.
  virtual void finish() = 0;
  /// Memory that may outlive the device. It goes back once all that anybody has requested of the hardware before is
  /// done: a caller's queue may still read it when its last owner lets it go. Throws as Device::allocate().
  virtual std::shared_ptr<void> lend(std::size_t bytes) = 0;
};

}  // namespace hornbeam
