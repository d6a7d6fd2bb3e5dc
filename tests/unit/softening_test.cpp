// SPDX-License-Identifier: Apache-2.0
// The acceleration of one softened point mass against closed forms.
#define HB_PRECISION HB_DOUBLE
#include "physics/softening.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

HB_OPEN
namespace {

using Pull = std::array<double, 4>;
constexpr double mass = 3.0;

Pull pull_of(i32 softening, double x, double y, double z, double eps, Field<double> before = {}) {
  // both sides have eps: eps_i^2 / 2 + eps_j^2 / 2
  const Field<double> field = pull(softening, x, y, z, mass, eps * eps, before);
  return {field.x, field.y, field.z, field.w};
}

class Softenings : public ::testing::TestWithParam<i32> {};
INSTANTIATE_TEST_SUITE_P(All, Softenings, ::testing::Values(HB_PLUMMER, HB_SPLINE),
                         [](const auto& info) { return info.param == HB_PLUMMER ? "Plummer" : "Spline"; });

TEST_P(Softenings, AccelerationIsMinusTheGradientOfThePotential) {
  const double eps = 0.7, h = 1e-5;
  // inside the spline's inner and outer parts, across its joints and outside (reach 1.96)
  for (const double r : {0.05, 0.3, 0.9, 0.98, 1.2, 1.9, 1.96, 2.5, 30.0}) {
    const double x = r * 0.48, y = r * 0.6, z = -r * 0.64;
    const Pull acc = pull_of(GetParam(), x, y, z, eps);
    // the displacement points from the target to the source: moving the target by +h shortens it by h
    const double ax = (pull_of(GetParam(), x + h, y, z, eps)[3] - pull_of(GetParam(), x - h, y, z, eps)[3]) / (2 * h);
    const double ay = (pull_of(GetParam(), x, y + h, z, eps)[3] - pull_of(GetParam(), x, y - h, z, eps)[3]) / (2 * h);
    const double az = (pull_of(GetParam(), x, y, z + h, eps)[3] - pull_of(GetParam(), x, y, z - h, eps)[3]) / (2 * h);
    // central differences: h^2 phi''' (1e-10 times a few) and rounding 1e-16 / h
    EXPECT_NEAR(acc[0], ax, 1e-9) << r;
    EXPECT_NEAR(acc[1], ay, 1e-9) << r;
    EXPECT_NEAR(acc[2], az, 1e-9) << r;
  }
}

TEST_P(Softenings, PotentialAtTheCentreIsThatOfPlummer) {
  for (const double eps : {1e-3, 0.5, 40.0}) {
    const Pull acc = pull_of(GetParam(), 0, 0, 0, eps);
    EXPECT_NEAR(acc[3] * eps / mass, -1.0, 1e-15);
    EXPECT_EQ(acc[0], 0);
    EXPECT_EQ(acc[1], 0);
    EXPECT_EQ(acc[2], 0);
  }
}

TEST_P(Softenings, WithoutSofteningItIsNewtons) {
  const Pull acc = pull_of(GetParam(), 2, -3, 6, 0);  // r = 7
  EXPECT_NEAR(acc[0], 2 * mass / 343, 1e-16);
  EXPECT_NEAR(acc[1], -3 * mass / 343, 1e-16);
  EXPECT_NEAR(acc[2], 6 * mass / 343, 1e-16);
  EXPECT_NEAR(acc[3], -mass / 7, 1e-15);
}

TEST_P(Softenings, CoincidentPointsWithoutSofteningDoNotPull) { EXPECT_EQ(pull_of(GetParam(), 0, 0, 0, 0), Pull{}); }

TEST_P(Softenings, AddsToWhatIsThere) {
  const Pull acc = pull_of(GetParam(), 2, -3, 6, 0, {1, 2, 3, 4});
  const Pull alone = pull_of(GetParam(), 2, -3, 6, 0);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(acc[k], k + 1 + alone[k], 1e-15);
}

TEST(Plummer, ClosedForm) {
  const Pull acc = pull_of(HB_PLUMMER, 1, 2, 2, 4);  // r^2 + eps^2 = 25
  EXPECT_NEAR(acc[0], mass / 125, 1e-16);
  EXPECT_NEAR(acc[1], 2 * mass / 125, 1e-16);
  EXPECT_NEAR(acc[2], 2 * mass / 125, 1e-16);
  EXPECT_NEAR(acc[3], -mass / 5, 1e-15);
}

/// Gadget's spline (Springel, Yoshida & White 2001, eqs. A1 to A2), written from its density: force by the mass within
/// r, potential by integration, both with Simpson's rule.
double enclosed(double u) {
  const auto density = [](double v) {  // W(v) of reach 1, total mass 1
    const double w = v < 0.5 ? 1 - 6 * v * v + 6 * v * v * v : v < 1 ? 2 * std::pow(1 - v, 3) : 0;
    return 8 / M_PI * w;
  };
  const int steps = 2000;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    const double a = u * i / steps, b = u * (i + 1) / steps, m = (a + b) / 2;
    sum += (b - a) / 6 * (a * a * density(a) + 4 * m * m * density(m) + b * b * density(b));
  }
  return 4 * M_PI * sum;
}

TEST(Spline, ForceIsThatOfTheMassWithinItsDensity) {
  const double eps = 1 / 2.8;  // reach 1
  for (const double u : {0.05, 0.2, 0.45, 0.55, 0.8, 0.99}) {
    // Simpson with 2000 steps: 1e-12; the joint at 0.5 lies within one step: 1e-10
    EXPECT_NEAR(pull_of(HB_SPLINE, u, 0, 0, eps)[0], mass * enclosed(u) / (u * u), 1e-8) << u;
  }
}

TEST(Spline, IsContinuousAtItsJoints) {
  const double eps = 1 / 2.8, d = 1e-9;
  for (const double u : {0.5, 1.0}) {
    const Pull below = pull_of(HB_SPLINE, u - d, 0, 0, eps), above = pull_of(HB_SPLINE, u + d, 0, 0, eps);
    EXPECT_NEAR(below[0], above[0], 1e-7) << u;  // slope of the force (40) times 2e-9
    EXPECT_NEAR(below[3], above[3], 1e-7) << u;
  }
}

TEST(Spline, IsNewtonsBeyondItsReach) {
  const double eps = 0.3, reach = HB_SPLINE_REACH * eps;
  for (const double r : {reach * 1.000001, reach * 1.5, 100.0}) {
    const Pull acc = pull_of(HB_SPLINE, r, 0, 0, eps);
    EXPECT_NEAR(acc[0] * r * r / mass, 1.0, 1e-15) << r;
    EXPECT_NEAR(acc[3] * r / mass, -1.0, 1e-15) << r;
  }
}

}  // namespace
HB_CLOSE
