// SPDX-License-Identifier: Apache-2.0
// Who asks a run to stop before its end: its observer, a file named `stop`, the clock. loop.cpp looks between steps
// and, of block steps, inside them.
#pragma once

#include <chrono>
#include <optional>

#include "run/folder/run_directory.h"
#include "run/session/observer.h"

namespace hornbeam::run {

class Stopping {
 public:
  /// Both must outlive this.
  Stopping(const RunDirectory& directory, Observer& observer, std::optional<double> wall_limit);

  /// Looks again, at files a few times a second; one request is enough.
  bool asked();
  /// The run itself asks.
  void ask(const char* by) { by_ = by; }
  /// "a signal"; null before.
  [[nodiscard]] const char* by() const { return by_; }
  /// Whether that is output.wall_limit.
  [[nodiscard]] bool is_by_clock() const { return by_clock_; }
  /// Whether a step is to be given up, of which `share` (0 to 1) has taken `seconds`: its end is too far from the
  /// moment at which someone asked.
  [[nodiscard]] bool gives_up(double share, double seconds) const;

 private:
  using Clock = std::chrono::steady_clock;

  const RunDirectory& directory_;
  Observer& observer_;
  std::optional<double> wall_limit_;
  Clock::time_point began_ = Clock::now(), asked_at_;
  std::optional<Clock::time_point> looked_at_;
  const char* by_ = nullptr;
  bool by_clock_ = false;
};

}  // namespace hornbeam::run
