// SPDX-License-Identifier: Apache-2.0
// What a run shows while it goes: a bar that renews itself on a terminal, one line per output elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace hornbeam::cli {

class Progress {
 public:
  /// A run from `start` to `end` in steps of dt; rates count from now on.
  Progress(double start, double end, double dt);

  /// Whether the bar is old enough to be drawn anew; always false where there is no terminal.
  [[nodiscard]] bool wants_update() const;
  /// Redraws the bar.
  void update(double time, std::uint64_t step, double relative_error);
  /// A line that stays, above the bar.
  void line(const std::string& text);
  /// A line about an output, with time, step, rate, time to go and energy error.
  void output(const std::string& what, double time, std::uint64_t step, double relative_error);
  /// Ends the bar.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] std::string status(double time, std::uint64_t step, double relative_error) const;

  bool terminal_;
  double start_, end_, dt_;
  Clock::time_point began_ = Clock::now(), drawn_ = began_;
  bool bar_ = false;
};

}  // namespace hornbeam::cli
