// SPDX-License-Identifier: Apache-2.0
// Output times and intervals.
#include "run/session/schedule.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hornbeam/error.h"

namespace hornbeam::run {
namespace {

/// Of steps of 0.1 and 0.01.
constexpr double same = 1e-4, same_of_shorter = 1e-5;

void expect_refused(double start, double end, double dt) {
  EXPECT_THROW(check_times(OutputPlan{}, start, end, dt, 1e-3 * dt), UsageError) << dt;
}

void expect_taken(double start, double end, double dt) {
  EXPECT_NO_THROW(check_times(OutputPlan{}, start, end, dt, 1e-3 * dt)) << dt;
}

TEST(Schedule, StartAndEndAlone) {
  EXPECT_EQ(output_times(OutputPlan{}, 1.0, 2.0, same), (std::vector<double>{1.0, 2.0}));
}

TEST(Schedule, EveryAndTimesAreMergedAndSorted) {
  OutputPlan plan;
  plan.every = 0.5;
  plan.times = {0.7, 0.5};
  EXPECT_EQ(output_times(plan, 0.0, 1.2, same), (std::vector<double>{0.0, 0.5, 0.7, 1.0, 1.2}));
}

TEST(Schedule, TimesWithinAThousandthOfAStepAreOne) {
  OutputPlan plan;
  plan.times = {0.99999};
  EXPECT_EQ(output_times(plan, 0.0, 1.0, same).size(), 2u);
}

/// Start, end and multiples are what they are.
TEST(Schedule, TimesGiveWayToThePlan) {
  OutputPlan plan;
  plan.every = 0.5;
  plan.times = {-0.00005, 0.49995, 0.7, 0.99995};
  EXPECT_EQ(output_times(plan, 0.0, 1.0, same), (std::vector<double>{0.0, 0.5, 0.7, 1.0}));
  plan.times.clear();
  EXPECT_EQ(output_times(plan, 0.0, 1.00005, same), (std::vector<double>{0.0, 0.5, 1.00005}));
}

TEST(Schedule, RefusesTimesThatWouldBeOne) {
  OutputPlan plan;
  const auto check = [&](double within) { check_times(plan, 0.0, 1.0, 0.1, within); };
  plan.every = 0.9 * same;
  EXPECT_THROW(check(same), UsageError);
  EXPECT_NO_THROW(check(1e-14));
  EXPECT_EQ(output_times(plan, 0.0, 0.0018, 1e-14).size(), 21u);
  plan.every.reset();
  plan.times = {0.5, 0.50001};
  EXPECT_THROW(check(same), UsageError);
  EXPECT_EQ(output_times(plan, 0.0, 1.0, 1e-14).size(), 4u);
  plan.times = {0.3, 0.1 + 0.2};
  EXPECT_NO_THROW(check(same));
  EXPECT_EQ(output_times(plan, 0.0, 1.0, same).size(), 3u);
}

/// Of gas, whose steps end on them: none is met twice, and none is missed, however coarsely times are rounded.
TEST(Schedule, MultiplesAreDueAtTheirOwnTimes) {
  for (const double start : {0.0, 1000.0, -7.3}) {
    for (const double every : {0.1, 0.05, 0.3, 1e-3, 1.0 / 3}) {
      Interval interval(every, start, start, 1e-16);
      for (std::uint64_t k = 1; k <= 1000; ++k) {
        const double time = nth_time(start, every, k);
        ASSERT_EQ(interval.next(), time) << start << " " << every;
        ASSERT_TRUE(interval.due(time)) << k;
        ASSERT_FALSE(interval.due(time)) << k;
        ASSERT_GT(interval.next(), time) << k;
      }
    }
  }
}

TEST(Schedule, TimesOfGasAreOneIfRoundingIsBetweenThem) {
  SimulationOptions options;
  options.dt = 20;
  EXPECT_EQ(same_time(options, 0, 100), 0.02);
  options.gas.eos = EquationOfState::ideal;
  EXPECT_EQ(same_time(options, 0, 100), 2e-12);
  EXPECT_GT(same_time(options, 1e6, 2e6), 1e-9);  // of which times are rounded by more
  options.steps = Steps::block;
  EXPECT_EQ(same_time(options, 0, 100), 0.02);
}

TEST(Schedule, MultiplesOfDecimalsAreDecimals) {
  OutputPlan plan;
  plan.every = 0.1;
  const std::vector<double> times = output_times(plan, 0.0, 1.0, same_of_shorter);
  EXPECT_EQ(times, (std::vector<double>{0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0}));
  EXPECT_EQ(nth_time(0.7, 0.1, 1), 0.8);  // their sum as doubles is 0.7999999999999999
  EXPECT_EQ(nth_time(-0.3, 0.1, 3), 0.0);
  EXPECT_EQ(nth_time(0.0, 1e-7, 3), 3e-7);
  EXPECT_EQ(nth_time(2.5e10, 0.1, 3), 25000000000.3);
  const double third = 1.0 / 3.0;  // no short decimal: the sum, as ever
  EXPECT_EQ(nth_time(third, third, 5), third + 5 * third);
  EXPECT_EQ(nth_time(1e300, 1e299, 2), 1e300 + 2 * 1e299);
}

TEST(Schedule, IntervalsKnowTheirOwnTimes) {
  const Interval interval(0.1, 0.0, 0.0, same);
  EXPECT_EQ(interval.same_as(0.1 + 0.1 + 0.1), 0.3);
  EXPECT_FALSE(interval.same_as(0.35));
  EXPECT_FALSE(Interval({}, 0.0, 0.0, same).same_as(0.3));
}

TEST(Schedule, EndAtTheStartWritesOnce) {
  EXPECT_EQ(output_times(OutputPlan{}, 3.0, 3.0, same), (std::vector<double>{3.0}));
}

TEST(Schedule, RefusesWhatCannotBe) {
  OutputPlan plan;
  EXPECT_THROW(output_times(plan, 1.0, 0.5, same), UsageError);
  plan.times = {5.0};
  EXPECT_THROW(output_times(plan, 0.0, 1.0, same), UsageError);
  plan.times.clear();
  plan.every = 1e-9;
  EXPECT_THROW(output_times(plan, 0.0, 1.0, same), UsageError);
}

TEST(Schedule, AtLeastOneStepIsMade) {
  expect_taken(0.0, 1.0, 1.0);
  expect_taken(0.0, 1.0 - 1e-12, 1.0);  // rounding of an end that was computed
  expect_taken(3.0, 3.0, 1.0);          // requested the start alone
  expect_refused(0.0, 1.0, 1.1);
  expect_refused(5.0, 5.5, 1.0);
  expect_refused(0.0, 1.0, 1e9);  // the whole run is no longer than times that are one
  expect_refused(5.0, 4.0, 0.1);
}

TEST(Schedule, TimeAdvances) {
  expect_taken(1e12, 1e12 + 10, 1.0);
  expect_refused(1e17, 1e17 + 1e4, 1.0);
  expect_refused(0.0, 1e17, 1.0);
  expect_refused(-1e17, 0.0, 1.0);
}

TEST(Schedule, IntervalIsDueOnceForEachMultiple) {
  Interval interval(0.25, 0.0, 0.0, same);
  EXPECT_FALSE(interval.due(0.1));
  EXPECT_FALSE(interval.due(0.2));
  EXPECT_TRUE(interval.due(0.3));
  EXPECT_FALSE(interval.due(0.4));
  EXPECT_TRUE(interval.due(0.5));
}

TEST(Schedule, IntervalForgivesRoundingOfSummedSteps) {
  double time = 0.0;
  for (int i = 0; i < 10; ++i) time += 0.1;  // a little below 1
  ASSERT_LT(time, 1.0);
  EXPECT_TRUE(Interval(1.0, 0.0, 0.0, same).due(time));
}

TEST(Schedule, ResumedIntervalWaitsForTheNextMultiple) {
  Interval interval(0.25, 0.0, 0.3, same);
  EXPECT_FALSE(interval.due(0.4));
  EXPECT_TRUE(interval.due(0.5));
}

/// Above the present time by more than rounding, so that a step that ends there is a step.
TEST(Schedule, TheNextMultipleIsLater) {
  Interval interval(0.1, 0.0, 0.3, same);
  EXPECT_EQ(interval.next(), 0.4);
  EXPECT_TRUE(interval.due(0.4));
  EXPECT_EQ(interval.next(), 0.5);
  EXPECT_FALSE(interval.due(0.45));
  EXPECT_EQ(interval.next(), 0.5);
  EXPECT_TRUE(std::isinf(Interval({}, 0.0, 0.0, same).next()));
}

TEST(Schedule, NoIntervalIsNeverDue) { EXPECT_FALSE(Interval({}, 0.0, 0.0, same).due(100.0)); }

}  // namespace
}  // namespace hornbeam::run
