// SPDX-License-Identifier: Apache-2.0
// The frames of the newest copy of a simulation: each colour is made once, and frames are made and sent only as often
// as the run can spare, whoever requests them. live_source.h hands the copies over.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "hornbeam/particles.h"
#include "memory/need.h"
#include "memory/particles.h"
#include "view/frame.h"

namespace hornbeam::view {

/// Work and rest: all that is spent takes at most a sixth of the time, but for a credit.
class Pace {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr int rest = 5;  ///< times as long as the work
  static constexpr auto credit = std::chrono::milliseconds(20);

  [[nodiscard]] bool is_free(Clock::time_point now) const { return free_ <= now + credit; }
  void spend(Clock::time_point now, Clock::duration work) { free_ = std::max(free_, now) + rest * work; }

 private:
  Clock::time_point free_;
};

/// Memory of a copy and of its frame, and as much again, which the next steps of the run may take.
memory::Need copy_need(const memory::Acting& acting);

class LiveFrames {
 public:
  /// most: as make_frame() takes it.
  explicit LiveFrames(std::size_t most) : most_(most) {}

  /// Returns the frame of a copy, of which `version` is the number; nothing if it is not the time for one yet. Callers
  /// request it again a little later.
  std::shared_ptr<const Frame> of(const Snapshot& copy, std::uint64_t version, const std::string& colour);

 private:
  using Clock = Pace::Clock;

  std::shared_ptr<const Frame> make(const Snapshot& copy, const std::string& colour);

  const std::size_t most_;
  std::mutex mutex_;  ///< of what follows; locked while a frame is made, one at a time
  Pace pace_;
  std::uint64_t version_ = 0;
  std::vector<std::shared_ptr<const Frame>> frames_;  ///< of that version
};

}  // namespace hornbeam::view
