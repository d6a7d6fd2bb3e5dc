// SPDX-License-Identifier: Apache-2.0
// Seconds by stage from stamps in the device's queue: nothing waits until someone asks.
#pragma once

#include <vector>

#include "device/device.h"

namespace hornbeam {

/// Seconds: a struct of doubles, one a stage.
template <class Seconds>
class SecondsTimer {
 public:
  using Stage = double Seconds::*;

  /// Adds to a stage what the queue does during its life.
  class Scope {
   public:
    Scope(SecondsTimer& timer, Stage stage) : timer_(timer), stage_(stage), from_(timer.device_.stamp()) {}
    ~Scope() { timer_.spans_.push_back({stage_, from_, timer_.device_.stamp()}); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    SecondsTimer& timer_;
    Stage stage_;
    int from_;
  };

  explicit SecondsTimer(Device& device) : device_(device) {}

  void clear() {
    spans_.clear();
    seconds_ = {};
  }

  /// Waits for what is under way.
  const Seconds& seconds() {
    for (const Span& span : spans_) seconds_.*span.stage += device_.seconds(span.from, span.to);
    spans_.clear();
    return seconds_;
  }

  /// Keeps the list within what the device remembers.
  void trim() {
    constexpr std::size_t most = 1024;
    if (spans_.size() > most) seconds();
  }

 private:
  struct Span {
    Stage stage;
    int from, to;
  };

  Device& device_;
  std::vector<Span> spans_;
  Seconds seconds_;
};

using StageTimer = SecondsTimer<StageSeconds>;

}  // namespace hornbeam
