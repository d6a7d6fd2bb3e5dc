// SPDX-License-Identifier: Apache-2.0
// Output times and intervals, see schedule.h.
#include "run/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "hornbeam/error.h"

namespace hornbeam::run {

namespace {

/// digits 10^-places, as a person writes the number.
struct Decimal {
  double digits = 0.0;
  int places = 0;
};

constexpr double exact = 9007199254740992.0;  // 2^53: whole numbers up to it are doubles
constexpr int most_places = 22;               // 10^22 is the last power of ten that is a double

double power_of_ten(int n) {
  double power = 1.0;
  for (int i = 0; i < n; ++i) power *= 10.0;  // exact up to most_places
  return power;
}

/// The shortest decimal that is this double; none where it has too many digits to reckon with.
std::optional<Decimal> decimal(double value) {
  for (int places = 0; places <= most_places; ++places) {
    const double digits = std::round(value * power_of_ten(places));
    if (std::abs(digits) > exact) return {};
    if (digits / power_of_ten(places) == value) return Decimal{digits, places};
  }
  return {};
}

}  // namespace

double nth_time(double start, double interval, std::uint64_t k) {
  const auto count = static_cast<double>(k);
  const std::optional<Decimal> a = decimal(start), b = decimal(interval);
  if (a && b) {
    const int places = std::max(a->places, b->places);
    const double begin = a->digits * power_of_ten(places - a->places);
    const double way = b->digits * power_of_ten(places - b->places) * count;
    const bool is_exact = std::max(std::abs(begin), std::abs(way)) < exact / 2;
    if (is_exact) return (begin + way) / power_of_ten(places);
  }
  return start + count * interval;
}

std::vector<double> output_times(const OutputPlan& plan, double start, double end, double dt) {
  const double tolerance = same_time_in_steps * dt;
  if (end < start - tolerance) {
    throw UsageError("time.end", fmt::format("is {}, before the start at {}", end, start),
                     "must be at or after it; time.start = 0 sets the clock of a file's particles back");
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
    const auto last = static_cast<std::uint64_t>(std::max(0.0, count));
    for (std::uint64_t k = 1; k <= last; ++k) times.push_back(nth_time(start, *plan.every, k));
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

double Interval::next() const {
  if (!interval_) return std::numeric_limits<double>::infinity();
  return nth_time(start_, *interval_, static_cast<std::uint64_t>(passed_) + 1);
}

std::optional<double> Interval::same_as(double now) const {
  if (!interval_) return {};
  const double k = std::round((now - start_) / *interval_);
  if (!(k >= 0 && k < exact)) return {};
  const double time = nth_time(start_, *interval_, static_cast<std::uint64_t>(k));
  return std::abs(time - now) <= tolerance_ ? std::optional(time) : std::nullopt;
}

void Interval::pass(double now) {
  if (interval_) passed_ = std::max(passed_, std::floor((now - start_ + tolerance_) / *interval_));
}

}  // namespace hornbeam::run
