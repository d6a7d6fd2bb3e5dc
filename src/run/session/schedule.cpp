// SPDX-License-Identifier: Apache-2.0
// Output times and intervals, see schedule.h.
#include "run/session/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/advance.h"
#include "hornbeam/error.h"
#include "interactions/modules.h"

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

/// A time of the plan with its unit, to more digits than ShownTime::text(): two of them may differ by a resolution.
std::string planned(const ShownTime& shown, double time) {
  return fmt::format("{:.12g}{}{}", time * shown.per_unit, shown.name.empty() ? "" : " ", shown.name);
}

/// Throws UsageError for two that would be one and do not differ by rounding alone.
void refuse_near_times(std::vector<double> times, double same, double rounding, const ShownTime& shown) {
  constexpr double by_conversion = 1e-6;
  std::sort(times.begin(), times.end());
  for (std::size_t k = 1; k < times.size(); ++k) {
    const double apart = times[k] - times[k - 1];
    if (apart > same || apart <= std::max(rounding, by_conversion * same)) continue;
    throw UsageError("output.times",
                     fmt::format("times {} and {} are closer than the time resolution {}", planned(shown, times[k - 1]),
                                 planned(shown, times[k]), shown.text(same)),
                     "leave one out, or make time.dt shorter");
  }
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

std::optional<double> same_of(const std::vector<double>& times, double time, double same) {
  const auto found = std::lower_bound(times.begin(), times.end(), time - same);
  return found != times.end() && *found <= time + same ? std::optional(*found) : std::nullopt;
}

double same_time(const SimulationOptions& options, double start, double end) {
  const bool ends_on_asked =
      traits_of(makers_of(options)).limits_steps && options.steps == Steps::shared;  // as Simulation::heeds_until()
  return std::max((ends_on_asked ? same_time_of_chosen_steps : least_step) * options.dt, rounding_between(start, end));
}

std::vector<double> output_times(const OutputPlan& plan, double start, double end, double same,
                                 const ShownTime& shown) {
  if (end < start - same) {
    throw UsageError("time.end",
                     fmt::format("is {}, before the start at {}", planned(shown, end), planned(shown, start)),
                     "must be at or after the start; time.start = 0 resets the time of a file");
  }
  std::vector<double> times = {start};
  if (plan.every) {
    constexpr double most = 1e6;
    const double count = std::floor((end - start + same) / *plan.every);
    if (count > most)
      throw UsageError("output.every", fmt::format("makes {} snapshots", count),
                       "must make at most 1e6; set a larger interval");
    const auto last = static_cast<std::uint64_t>(std::max(0.0, count));
    for (std::uint64_t k = 1; k <= last; ++k) times.push_back(nth_time(start, *plan.every, k));
  }
  while (times.size() > 1 && times.back() >= end - same) times.pop_back();
  if (end > start + same) times.push_back(end);
  std::vector<double> more = plan.times;  // those that are one with the others give way to them
  std::sort(more.begin(), more.end());
  more.erase(std::unique(more.begin(), more.end(), [=](double a, double b) { return b - a <= same; }), more.end());
  for (const double time : more) {
    if (time >= start - same && time <= end + same) continue;
    throw UsageError("output.times", "received " + planned(shown, time),
                     fmt::format("must lie between {} and {}", planned(shown, start), planned(shown, end)));
  }
  std::erase_if(more, [&](double time) { return same_of(times, time, same).has_value(); });
  times.insert(times.end(), more.begin(), more.end());
  std::sort(times.begin(), times.end());
  return times;
}

void check_times(const OutputPlan& plan, double start, double end, double dt, double same, const ShownTime& shown) {
  const double latest = std::max(std::abs(start), std::abs(end));
  if (latest + least_step * dt == latest) {  // before output_times(), whose tolerance would be lost
    throw UsageError("time.dt",
                     fmt::format("is {}, which is below the rounding error of times up to {}", planned(shown, dt),
                                 planned(shown, latest)),
                     "start nearer to time 0, or choose other units of time");
  }
  if (end > start + rounding_between(start, end) && dt > (1 + least_step) * (end - start)) {
    throw UsageError("time.dt",
                     fmt::format("is {}, longer than the whole run from {} to {}", planned(shown, dt),
                                 planned(shown, start), planned(shown, end)),
                     fmt::format("must be at most {}, unless time.end is later", planned(shown, end - start)));
  }
  refuse_near_times(plan.times, same, rounding_between(start, end), shown);
  if (plan.every && *plan.every <= same && *plan.every <= end - start) {
    throw UsageError(
        "output.every",
        fmt::format("is {}, not longer than the time resolution {}", planned(shown, *plan.every), shown.text(same)),
        "make it larger, or time.dt shorter");
  }
  output_times(plan, start, end, same, shown);
}

void check_times(const OutputPlan& plan, const SimulationOptions& steps, double start, double end,
                 const ShownTime& shown) {
  check_times(plan, start, end, steps.dt, same_time(steps, start, end), shown);
}

Interval::Interval(std::optional<double> interval, double start, double now, double same)
    : interval_(interval), start_(start), same_(same) {
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
  return std::abs(time - now) <= same_ ? std::optional(time) : std::nullopt;
}

/// The quotient carries rounding, which may be more than `same`: the multiples on either side of it are asked.
void Interval::pass(double now) {
  if (!interval_) return;
  double done = std::floor((now - start_ + same_) / *interval_);
  const auto is_passed = [&](double k) {
    return k < exact && nth_time(start_, *interval_, static_cast<std::uint64_t>(k)) <= now + same_;
  };
  if (done >= 0 && is_passed(done + 1)) ++done;
  if (done > 0 && done < exact && !is_passed(done)) --done;
  passed_ = std::max(passed_, done);
}

}  // namespace hornbeam::run
