// SPDX-License-Identifier: Apache-2.0
// When a run writes. Times come from the plan alone, never from the clock, so a resumed run meets the same ones.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hornbeam/units.h"
#include "run/config/config.h"

namespace hornbeam::run {

/// The difference below which two times of a run coincide. Sums of steps carry rounding: 1e-3 of a step. Shared
/// steps of gas, which may be far shorter than dt, end on times that were requested exactly: 1e-13 of dt. No less than
/// what times themselves are rounded by.
double same_time(const SimulationOptions& options, double start, double end);

/// Returns the one of ascending times that coincides with `time`, if any.
std::optional<double> same_of(const std::vector<double>& times, double time, double same);

/// Times of all snapshots, ascending: `start`, every multiple of plan.every after it, plan.times, `end`; one of those
/// within `same`. Throws UsageError for times outside [start, end] and for more than a million snapshots. shown: the
/// unit of times in messages, here and below.
std::vector<double> output_times(const OutputPlan& plan, double start, double end, double same,
                                 const ShownTime& shown = {});

/// start + k interval, correctly rounded where both are short decimals: three times 0.1 is 0.3.
double nth_time(double start, double interval, std::uint64_t k);

/// Throws UsageError if dt is longer than a run from `start` to `end` or below the rounding of its time, if plan.every
/// or two of plan.times are within the time resolution, and as output_times() does.
void check_times(const OutputPlan& plan, double start, double end, double dt, double same, const ShownTime& shown = {});

/// The same of a simulation's steps, with their same_time().
void check_times(const OutputPlan& plan, const SimulationOptions& steps, double start, double end,
                 const ShownTime& shown = {});

/// Shows when something that happens every `interval` is due; without interval, never by itself.
class Interval {
 public:
  /// Counts from `start`; what fell due up to `now` is taken as done. Times within `same` are one.
  Interval(std::optional<double> interval, double start, double now, double same);
  /// Whether a multiple of the interval was reached; then the next one is waited for.
  bool due(double now);
  /// The next multiple; infinite without interval.
  [[nodiscard]] double next() const;
  /// The multiple that is the same time as `now`, where one is.
  [[nodiscard]] std::optional<double> same_as(double now) const;

 private:
  void pass(double now);

  std::optional<double> interval_;
  double start_, same_;
  double passed_ = 0.0;  ///< multiples done
};

}  // namespace hornbeam::run
