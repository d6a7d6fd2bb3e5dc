// SPDX-License-Identifier: Apache-2.0
// Output times and intervals, see schedule.h.
#include "run/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hornbeam/error.h"

namespace hornbeam::run {

std::vector<double> output_times(const OutputPlan& plan, double start, double end, double dt) {
  const double tolerance = same_time_in_steps * dt;
  if (end < start - tolerance) {
    throw UsageError("time.end", fmt::format("is {}, before the start at {}", end, start), "must be at or after it");
  }
  std::vector<double> times = {start, std::max(start, end)};
  for (const double time : plan.times) {
    if (time < start - tolerance || time > end + tolerance) {
      throw UsageError("output.times", fmt::format("received {}", time),
                       fmt::format("must lie between {} and {}", start, end));
    }
    times.push_back(time);
  }
  if (plan.every) {
    constexpr double most = 1e6;
    const double count = std::floor((end - start + tolerance) / *plan.every);
    if (count > most) throw UsageError("output.every", fmt::format("asks for {} snapshots", count), "make it larger");
    for (int k = 1; k <= static_cast<int>(count); ++k) times.push_back(start + k * *plan.every);
  }
  std::sort(times.begin(), times.end());
  const auto same = [=](double a, double b) { return b - a <= tolerance; };
  times.erase(std::unique(times.begin(), times.end(), same), times.end());
  return times;
}

void check_times(const OutputPlan& plan, double start, double end, double dt) {
  const double latest = std::max(std::abs(start), std::abs(end));
  if (latest + same_time_in_steps * dt == latest) {  // before output_times(), whose tolerance would be lost
    throw UsageError("time.dt", fmt::format("is {}, which is lost in the rounding of times up to {}", dt, latest),
                     "let time begin nearer to 0, or choose other units of time");
  }
  output_times(plan, start, end, dt);
  const double tolerance = same_time_in_steps * dt;
  if (end > start + tolerance && dt > end - start + tolerance) {
    throw UsageError("time.dt", fmt::format("is {}, longer than the whole run from {} to {}", dt, start, end),
                     fmt::format("must be at most {}, or time.end later", end - start));
  }
}

Interval::Interval(std::optional<double> interval, double start, double now, double dt)
    : interval_(interval), start_(start), tolerance_(same_time_in_steps * dt) {
  pass(now);
}

bool Interval::due(double now) {
  const double before = passed_;
  pass(now);
  return passed_ > before;
}

void Interval::pass(double now) {
  if (interval_) passed_ = std::max(passed_, std::floor((now - start_ + tolerance_) / *interval_));
}

}  // namespace hornbeam::run
