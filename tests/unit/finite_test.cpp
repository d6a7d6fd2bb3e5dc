// SPDX-License-Identifier: Apache-2.0
// Values of one particle that are non-finite, also where only the user's units make them so; and the rung they get.
#define HB_PRECISION HB_MIXED
#include "stages/finite.h"

#include <gtest/gtest.h>

#include <limits>

#include "dynamics/finite_limits.h"
#include "stages/rungs.h"

HB_OPEN
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
constexpr real largest = std::numeric_limits<real>::max();

TEST(FiniteNumbers, AreThoseWithinTheLimits) {
  const FiniteLimits most = finite_limits(1, 1, 1, 1);
  EXPECT_EQ(most.acceleration, largest);
  EXPECT_TRUE(is_finite_motion(most, 1e308, -1e308, 0));
  EXPECT_TRUE(is_finite_pull(most, largest, -largest, 0, -largest));
  for (const double bad : {nan, inf, -inf}) {
    const auto narrow = static_cast<real>(bad);
    EXPECT_FALSE(is_finite_motion(most, bad, 0, 0));
    EXPECT_FALSE(is_finite_motion(most, 0, bad, 0));
    EXPECT_FALSE(is_finite_motion(most, 0, 0, bad));
    EXPECT_FALSE(is_finite_pull(most, narrow, 0, 0, 0));
    EXPECT_FALSE(is_finite_pull(most, 0, narrow, 0, 0));
    EXPECT_FALSE(is_finite_pull(most, 0, 0, narrow, 0));
    EXPECT_FALSE(is_finite_pull(most, 0, 0, 0, narrow));
  }
}

TEST(FiniteNumbers, AreFiniteInTheUsersUnitsToo) {
  const FiniteLimits most = finite_limits(1e300, 1, 1, 1e290);
  EXPECT_TRUE(is_finite_pull(most, 1e8f, 0, 0, -1e18f));
  EXPECT_FALSE(is_finite_pull(most, 2e8f, 0, 0, 0));
  EXPECT_FALSE(is_finite_pull(most, 0, 0, 0, -2e18f));
  for (const double unit : {inf, nan}) {
    EXPECT_FALSE(is_finite_pull(finite_limits(unit, 1, 1, 1), 0, 0, 0, 0)) << "0 times " << unit << " is none";
    EXPECT_FALSE(is_finite_pull(finite_limits(1, 1, 1, unit), 0, 0, 0, 0)) << "0 times " << unit << " is none";
  }
  EXPECT_EQ(largest_finite(0, 1e-300), largest);
}

TEST(ChosenRung, TellsAccelerationsThatAreNotFinite) {
  const RungRule rule = {
      .by_softening = 1, .by_change = 0, .half_longest = 1, .deepest = 8, .longest = 2, .gas_adapts = 0};
  EXPECT_FALSE(choose_rung(rule, 0, 0, 1, {1e30, 1e30, 1e30, 0, 0, 0, 0, 0, 0}, 0.5, -1).not_finite);
  for (const double bad : {nan, inf, -inf}) {
    EXPECT_TRUE(choose_rung(rule, 0, 0, 1, {bad, 1, 1, 0, 0, 0, 0, 0, 0}, 0.5, -1).not_finite);
    EXPECT_TRUE(choose_rung(rule, 0, 0, 1, {1, bad, 1, 0, 0, 0, 0, 0, 0}, 0, -1).not_finite);
    EXPECT_TRUE(choose_rung(rule, 0, 0, 0, {1, 1, bad, 0, 0, 0, 0, 0, 0}, 0.5, -1).not_finite);
  }
}

}  // namespace
HB_CLOSE
