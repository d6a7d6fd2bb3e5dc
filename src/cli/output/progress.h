// SPDX-License-Identifier: Apache-2.0
// What a run shows while it goes: a bar that renews itself on a terminal, elsewhere a line for each output and, in
// between, one every so often.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hornbeam::cli {

/// A part of a line that is shown whole or not at all.
struct LineField {
  std::string text;
  int rank;  ///< where there is no room for all, those of the highest rank go first
};

/// Returns the fields that fit into `width` columns, in their order with two blanks between them. A line that wraps
/// could not be drawn again, and a truncated number would be a wrong one.
std::string fitted(std::vector<LineField> fields, std::size_t width);

/// Columns for a line on this terminal: all but the last, in which some terminals begin the next line.
std::size_t line_width();
/// Whether standard output is a terminal.
bool is_terminal();

/// Seconds from one line to the next without a terminal, in a run that has taken so many: what a log of hours still
/// has room for.
double plain_interval(double elapsed);

class Progress {
 public:
  /// A run from `start`, after `first_step` steps, to `end`; rates count from now on.
  Progress(double start, double end, std::uint64_t first_step);
  /// terminal: whether standard output is a terminal.
  Progress(double start, double end, std::uint64_t first_step, bool terminal);

  /// Whether the bar is old enough to be drawn again, or the last line to be followed by another one.
  [[nodiscard]] bool wants_update() const;
  /// Redraws the bar; without a terminal it is a line.
  void update(double time, std::uint64_t step, double relative_error);
  /// A line that stays, above the bar.
  void line(const std::string& text);
  /// A line about an output, with time, step, rate, time to go and energy error.
  void output(const std::string& what, double time, std::uint64_t step, double relative_error);
  /// Ends the bar.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  struct At {
    double time;
    std::uint64_t step;
    double relative_error;
  };
  /// `first` and `more`, then time, step, rate, time to go and energy error: what the terminal has room for.
  [[nodiscard]] std::string fields(LineField first, const At& at, std::vector<LineField> more) const;

  bool terminal_;
  double start_, end_;
  std::uint64_t first_step_;
  Clock::time_point began_ = Clock::now(), drawn_ = began_;
  bool bar_ = false;
};

}  // namespace hornbeam::cli
