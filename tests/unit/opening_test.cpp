// SPDX-License-Identifier: Apache-2.0
// Opening criteria: the radius a cell gets from each, and the decisions made with it.
#define HB_PRECISION HB_DOUBLE
#include "physics/opening.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

HB_OPEN
namespace {

// a cell of edge 2 whose centre of mass lies 0.3 off, with a tight box of edge 1.5 whose middle lies 0.1 off
constexpr real edge = 2, delta = 0.3, box_edge = 1.5, box_delta = 0.1, theta = 0.5;

real size2(i32 mac, real angle = theta) { return opening_size2(mac, angle, edge, delta, box_edge, box_delta); }

TEST(OpeningSize, OfEveryCriterion) {
  EXPECT_DOUBLE_EQ(size2(HB_MAC_BH), 16);                 // (2 / 0.5)^2
  EXPECT_DOUBLE_EQ(size2(HB_MAC_OFFSET), 4.3 * 4.3);      // l / theta + delta
  EXPECT_DOUBLE_EQ(size2(HB_MAC_OFFSET_BOX), 3.1 * 3.1);  // of the box
  EXPECT_DOUBLE_EQ(size2(HB_MAC_MIN_DISTANCE), 16);       // compared with the distance to the box
  EXPECT_DOUBLE_EQ(size2(HB_MAC_RELATIVE), 4);            // l^2
}

TEST(OpeningSize, AngleZeroOpensEverything) {
  for (const i32 mac : {HB_MAC_BH, HB_MAC_OFFSET, HB_MAC_OFFSET_BOX, HB_MAC_MIN_DISTANCE}) {
    EXPECT_GT(size2(mac, 0), 1e36) << mac;
    EXPECT_FALSE(far_enough<real>(mac, 2, 1e30, 1, 1e30, size2(mac, 0), 1, 0)) << mac;
  }
  EXPECT_FALSE(far_enough<real>(HB_MAC_RELATIVE, 2, 1e30, 1, 1e30, size2(HB_MAC_RELATIVE, 0), 1,
                                relative_tolerance(2, 0) * 100));
}

TEST(OpeningSize, CellsWithoutExtentAreExactAtAnyDistance) {
  for (const i32 mac : {HB_MAC_BH, HB_MAC_OFFSET, HB_MAC_OFFSET_BOX, HB_MAC_MIN_DISTANCE, HB_MAC_RELATIVE}) {
    for (const real angle : {0.0, 0.5}) {
      const real none = opening_size2(mac, angle, edge, delta, 0, 0);
      EXPECT_EQ(none, 0) << mac;
      EXPECT_TRUE(far_enough<real>(mac, 2, 1e-20, 0, 1e-20, none, 1, 1e-9)) << mac;
    }
  }
}

TEST(FarEnough, IsStrictAtTheRadius) {
  for (const i32 mac : {HB_MAC_BH, HB_MAC_OFFSET, HB_MAC_OFFSET_BOX}) {
    EXPECT_FALSE(far_enough<real>(mac, 0, size2(mac), 0, 0, size2(mac), 1, 0)) << mac;
    EXPECT_TRUE(far_enough<real>(mac, 0, size2(mac) * 1.0001, 0, 0, size2(mac), 1, 0)) << mac;
  }
  // min-distance looks at the box, whatever the centre of mass
  EXPECT_FALSE(far_enough<real>(HB_MAC_MIN_DISTANCE, 0, 1e6, 1, 15.9, size2(HB_MAC_MIN_DISTANCE), 1, 0));
  EXPECT_TRUE(far_enough<real>(HB_MAC_MIN_DISTANCE, 0, 1, 9, 16.1, size2(HB_MAC_MIN_DISTANCE), 1, 0));
}

TEST(FarEnough, RelativeIsGadgetsFormula) {
  // M / d^2 (l / d)^n < alpha |a|, n = 2 for monopoles and 4 for quadrupoles; with M = 3, l = 2, d = 10:
  const real monopole = 3.0 / 100 * 0.04, quadrupole = 3.0 / 100 * 0.0016;
  const real d2 = 100, b2 = 3, box2 = 64, l2 = size2(HB_MAC_RELATIVE);
  EXPECT_TRUE(far_enough<real>(HB_MAC_RELATIVE, 0, d2, b2, box2, l2, 3, monopole * 1.0001));
  EXPECT_FALSE(far_enough<real>(HB_MAC_RELATIVE, 0, d2, b2, box2, l2, 3, monopole * 0.9999));
  EXPECT_TRUE(far_enough<real>(HB_MAC_RELATIVE, 2, d2, b2, box2, l2, 3, quadrupole * 1.0001));
  EXPECT_FALSE(far_enough<real>(HB_MAC_RELATIVE, 2, d2, b2, box2, l2, 3, quadrupole * 0.9999));
  EXPECT_FALSE(far_enough<real>(HB_MAC_RELATIVE, 2, d2, d2 * 0.99999, box2, l2, 3, 1e9))
      << "never from among its particles, rounding or not";
}

TEST(DemandingPull, IsTheLeastUnlessOneCancels) {
  const auto of = [](const std::vector<real>& pulls) {
    real roots = 0;
    for (const real a : pulls) roots += eighth_root(a);
    return demanding_pull(*std::min_element(pulls.begin(), pulls.end()),
                          typical_pull(roots / static_cast<real>(pulls.size())));
  };
  EXPECT_DOUBLE_EQ(of({2, 3, 5}), 2);
  std::vector<real> pulls(64, 1);
  pulls[7] = 1e6;  // a star beside a black hole does not let the others off
  EXPECT_DOUBLE_EQ(of(pulls), 1);
  pulls[7] = 0;  // the black hole itself, held by all sides: (63 / 64)^8 / 8 of the others' pull
  EXPECT_NEAR(of(pulls), std::pow(63.0 / 64, 8) / 8, 1e-12);
  EXPECT_EQ(of({0, 0}), 0);
}

TEST(Expandable, ReachAgainstDistance) {
  const real weak = 1e-30, strong_bound = 1e30;
  EXPECT_TRUE(expandable<real>(100, 4.99, 0.25, weak, strong_bound));  // reach < theta_c d = 5
  EXPECT_FALSE(expandable<real>(100, 5.0, 0.25, weak, strong_bound));
  // M / d^2 (reach / d)^4 < bound: 7 / 100 * (1 / 10)^4
  const real error = 7e-6;
  EXPECT_TRUE(expandable<real>(100, 1, 0.25, 7, error * 1.0001));
  EXPECT_FALSE(expandable<real>(100, 1, 0.25, 7, error * 0.9999));
}

TEST(IsWeak, IsTheOctopolesShare) {
  // M / d^2 (b / d)^3 < bound: 7 / 100 * (2 / 10)^3
  const real error = 7.0 / 100 * 0.008;
  EXPECT_TRUE(is_weak<real>(100, 2, 7, error * 1.0001));
  EXPECT_FALSE(is_weak<real>(100, 2, 7, error * 0.9999));
}

}  // namespace
HB_CLOSE
