// SPDX-License-Identifier: Apache-2.0
// Inputs at the edge: none and few particles, coincident ones, outliers, tracers, close pairs, odd softenings.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <string>

#include "hornbeam/error.h"
#include "support/forces.h"

namespace hornbeam {
namespace {

struct Case {
  std::string name;
  Walk walk = Walk::group;
  Precision precision = Precision::mixed;
  Mac mac = Mac::offset;

  [[nodiscard]] GravityOptions options() const {
    GravityOptions o;
    o.walk = walk, o.precision = precision, o.mac = mac;
    return o;
  }
  /// Rounding of one pair: a few units in the last place of `real` (2^-24 or 2^-53), and the fast reciprocal root's 2e-7.
  [[nodiscard]] double rounding() const { return precision == Precision::fp64 ? 1e-14 : 2e-6; }
};

class ExtremeInputs : public ::testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(
    All, ExtremeInputs,
    ::testing::Values(Case{"group_mixed"}, Case{"group_single", Walk::group, Precision::single},
                      Case{"group_double", Walk::group, Precision::fp64}, Case{"stackless_mixed", Walk::stackless},
                      Case{"stackless_double", Walk::stackless, Precision::fp64}, Case{"direct_mixed", Walk::direct},
                      Case{"group_relative", Walk::group, Precision::mixed, Mac::relative},
                      Case{"group_min_distance", Walk::group, Precision::mixed, Mac::min_distance},
                      Case{"group_offset_box", Walk::group, Precision::mixed, Mac::offset_box},
                      Case{"stackless_relative", Walk::stackless, Precision::mixed, Mac::relative}),
    [](const auto& info) { return info.param.name; });

TEST_P(ExtremeInputs, NoParticles) {
  const Evaluation e = evaluate(Particles{}, GetParam().options());
  EXPECT_TRUE(e.field.empty());
  EXPECT_EQ(e.interactions.particle + e.interactions.cell + e.interactions.expansion, 0U);
}

TEST_P(ExtremeInputs, OneParticleFeelsNothing) {
  for (const double eps : {0.0, 0.1}) {
    GravityOptions o = GetParam().options();
    o.eps = eps;
    const std::array<double, 4> none{};
    EXPECT_EQ(evaluate(at_rest({{1, -2, 3e5}}, {4}), o).field.at(0), none);
  }
}

TEST_P(ExtremeInputs, TwoParticlesAreExact) {
  const Particles p = at_rest({{0.25, 0, 0}, {0.25, 3, 4}}, {2, 7});
  for (const double eps : {0.0, 12.0}) {
    GravityOptions o = GetParam().options();
    o.eps = eps;
    const Field field = evaluate(p, o).field;
    const double r = std::hypot(5.0, eps);
    for (int i = 0; i < 2; ++i) {
      const double m = p.mass[1 - i], side = i == 0 ? 1 : -1;
      EXPECT_NEAR(field[i][0], 0, 1e-300);
      EXPECT_NEAR(field[i][1], side * 3 * m / (r * r * r), GetParam().rounding() * m / (r * r));
      EXPECT_NEAR(field[i][2], side * 4 * m / (r * r * r), GetParam().rounding() * m / (r * r));
      EXPECT_NEAR(field[i][3], -m / r, GetParam().rounding() * m / r);
    }
  }
}

TEST_P(ExtremeInputs, AllAtOnePoint) {
  for (const std::size_t n : {2UL, 40UL, 5000UL}) {
    const Particles p = at_rest(std::vector<Vec3>(n, {3, -1, 1e4}), std::vector<double>(n, 2.0 / static_cast<double>(n)));
    for (const Softening softening : {Softening::plummer, Softening::spline}) {
      for (const double eps : {0.0, 0.5}) {
        SCOPED_TRACE(std::to_string(n) + " particles, " + std::string(name(softening)) + ", eps " + std::to_string(eps));
        GravityOptions o = GetParam().options();
        o.eps = eps, o.softening = softening;
        // without softening coincident particles do not pull; with it each sees the others at depth 1 / eps
        const double others = 2.0 - 2.0 / static_cast<double>(n), potential = eps > 0 ? -others / eps : 0.0;
        for (const auto& f : evaluate(p, o).field) {
          ASSERT_EQ(acceleration_size(f), 0);
          ASSERT_NEAR(f[3], potential, 4 * GetParam().rounding());  // sums of n terms, up to 4 in size
        }
      }
    }
  }
}

TEST_P(ExtremeInputs, ManyCoincidentAmongOthersCostNothing) {
  if (GetParam().walk == Walk::direct) GTEST_SKIP() << "SKIPPED: direct summation costs N^2 by definition";
  Particles p = drawn("plummer", 2000);
  const std::size_t coincident = 100000;
  Particles lump = at_rest(std::vector<Vec3>(coincident, {0.3, 0.2, -0.1}), std::vector<double>(coincident, 1e-6));
  for (std::size_t i = 0; i < coincident; ++i) lump.id[i] = 2000 + i;
  p.append(lump);
  GravityOptions o = GetParam().options();
  o.eps = 0.01;
  const auto start = std::chrono::steady_clock::now();
  const Evaluation e = evaluate(p, o);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_LT(seconds, 20);  // all pairs would take 5e9 interactions a core: minutes on the machines of 2020
  EXPECT_LT(e.interactions.particle, 200 * p.size());
  // one stands for all: the exact field is that of 2000 particles and one of the lump's mass
  Particles few = drawn("plummer", 2000);
  few.append(at_rest({{0.3, 0.2, -0.1}}, {0.1}));
  const Field expected = exact(few, o);
  const Field others(e.field.begin(), e.field.begin() + 2000);
  EXPECT_LT(rms_difference(others, Field(expected.begin(), expected.begin() + 2000)), 2e-3);  // truncation, theta 0.6
  for (std::size_t i = 2001; i < p.size(); ++i) {
    // all of the lump feel the same: a difference can only come from groups that end inside the lump
    ASSERT_LT(relative_difference(e.field[i], e.field[2000]), 1e-3) << i;
  }
  EXPECT_LT(relative_difference(e.field[2000], expected[2000]), 5e-3);  // one particle's truncation error
  const double self = 0.1 * 1e-5 / 0.01;  // each of the lump lacks its own share
  EXPECT_NEAR(e.field[2000][3], expected[2000][3] - 0.1 / 0.01 + self, 1e-3 * std::abs(expected[2000][3]));
}

TEST_P(ExtremeInputs, CoincidentPairsDoNotPullEachOther) {
  Particles p = drawn("plummer", 500);
  Particles twice = p;
  for (std::size_t i = 0; i < p.size(); ++i) twice.id[i] += p.size();
  p.append(twice);
  GravityOptions o = GetParam().options();
  o.theta = 0;
  const Field field = evaluate(p, o).field, expected = exact(p, o);
  EXPECT_LT(rms_difference(field, expected), 10 * GetParam().rounding());  // sums of 1000 terms
  for (std::size_t i = 0; i < 500; ++i) ASSERT_LT(relative_difference(field[i], field[i + 500]), 1e-4) << i;
}

TEST_P(ExtremeInputs, TracersFeelButDoNotPull) {
  Particles massive = drawn("plummer", 1000);
  Particles p = massive, tracers = drawn("plummer", 1000, 2);
  for (std::size_t i = 0; i < 1000; ++i) tracers.mass[i] = 0, tracers.id[i] += 1000;
  p.append(tracers);
  GravityOptions o = GetParam().options();
  o.eps = 0.01;
  o.theta = 0;  // direct summation: what is left is rounding
  const Field field = evaluate(p, o).field, expected = exact(p, o), alone = exact(massive, o);
  EXPECT_LT(rms_difference(field, expected), 10 * GetParam().rounding());
  EXPECT_LT(rms_difference(Field(field.begin(), field.begin() + 1000), alone), 10 * GetParam().rounding());
  EXPECT_GT(acceleration_size(field[1500]), 0);
  o.theta = 0.6;
  EXPECT_LT(rms_difference(evaluate(p, o).field, expected), 2e-3);  // truncation
}

TEST_P(ExtremeInputs, TracersAloneFeelNothing) {
  Particles p = drawn("plummer", 300);
  p.mass.assign(300, 0);
  for (const auto& f : evaluate(p, GetParam().options()).field) {
    for (int k = 0; k < 4; ++k) ASSERT_EQ(f[k], 0);
  }
}

/// Forces of all but the outliers (the last `count`) must be those without them; the outliers fall freely to the rest.
void expect_outliers_harmless(const Particles& p, std::size_t count, const GravityOptions& o, double tolerance) {
  const Field field = evaluate(p, o).field, expected = exact(p, o);
  const std::size_t inner = p.size() - count;
  EXPECT_LT(rms_difference(Field(field.begin(), field.begin() + static_cast<std::ptrdiff_t>(inner)),
                           Field(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(inner))),
            tolerance);
  for (std::size_t i = inner; i < p.size(); ++i) {
    // 1 / d^3 is near fp32's smallest number at this distance: 1e-4 of the size is left of its digits
    EXPECT_LT(relative_difference(field[i], expected[i]), 1e-3) << "outlier " << i;
  }
}

class Outliers : public ExtremeInputs {
 protected:
  /// fp32 coordinates cannot hold the inner particles and the outlier in one cube; truncation otherwise.
  static constexpr double tolerance_ = 2e-3;
};

INSTANTIATE_TEST_SUITE_P(
    All, Outliers,
    ::testing::Values(Case{"group_mixed"}, Case{"group_single", Walk::group, Precision::single},
                      Case{"group_double", Walk::group, Precision::fp64}, Case{"stackless_mixed", Walk::stackless},
                      Case{"direct_mixed", Walk::direct},
                      Case{"group_relative", Walk::group, Precision::mixed, Mac::relative},
                      Case{"group_min_distance", Walk::group, Precision::mixed, Mac::min_distance},
                      Case{"group_offset_box", Walk::group, Precision::mixed, Mac::offset_box}),
    [](const auto& info) { return info.param.name; });

Particles with_outliers(std::size_t n, const std::vector<Vec3>& outliers) {
  Particles p = drawn("plummer", n);
  const double m = p.mass[0];
  p.append(at_rest(outliers, std::vector<double>(outliers.size(), m)));
  return p;
}

TEST_P(Outliers, OneFarAmongMany) {
  GravityOptions o = GetParam().options();
  o.eps = 0.01;
  for (const std::size_t n : {3000UL, 200UL, 60UL, 40UL, 20UL, 3UL}) {
    SCOPED_TRACE(std::to_string(n) + " particles and an outlier");
    expect_outliers_harmless(with_outliers(n, {{1e12, 2e11, -3e11}}), 1, o, tolerance_);
  }
}

TEST_P(Outliers, SomeFarTogether) {
  GravityOptions o = GetParam().options();
  o.eps = 0.01;
  const double step = 1;  // 1e12 is known to 1e-4
  for (const std::size_t n : {10000UL, 3000UL, 100UL}) {
    SCOPED_TRACE(std::to_string(n) + " particles and three outliers");
    const Particles p = with_outliers(n, {{1e12, 0, 0}, {1e12, step, 0}, {1e12, 0, step}});
    const Field field = evaluate(p, o).field, expected = exact(p, o);
    const auto inner = static_cast<std::ptrdiff_t>(n);
    EXPECT_LT(rms_difference(Field(field.begin(), field.begin() + inner), Field(expected.begin(), expected.begin() + inner)),
              tolerance_);
    if (o.precision != Precision::single) {  // whose coordinates cannot tell the three apart
      for (std::size_t i = n; i < p.size(); ++i) EXPECT_LT(relative_difference(field[i], expected[i]), 1e-3) << i;
    }
  }
}

TEST_P(ExtremeInputs, CloseBinariesFarApart) {
  if (GetParam().precision == Precision::single) GTEST_SKIP() << "SKIPPED: fp32 coordinates do not hold such pairs";
  // Two pairs of separation 1e-6 at distance 1: fp64 coordinates hold the separation to 1e-10 of itself.
  const Particles p = at_rest({{0, 0, 0}, {1e-6, 0, 0}, {1, 1, 0}, {1, 1, 1e-6}}, {1, 1, 1, 1});
  const GravityOptions o = GetParam().options();
  EXPECT_LT(worst_difference(evaluate(p, o).field, exact(p, o)), std::max(1e-9, GetParam().rounding()));
}

TEST_P(ExtremeInputs, OddSofteningsGiveNumbers) {
  const Particles p = drawn("plummer", 300);
  for (const char* isa : {"generic", "avx2", "avx512"}) {
    const AskedInstructionSet asked(isa);
    try {
      (void)detect_instruction_set();
    } catch (const NoDevice&) {
      std::printf("SKIPPED: %s does not run here\n", isa);
      continue;
    }
    for (const Softening softening : {Softening::plummer, Softening::spline}) {
      // from far above the system's size to far below what squares in fp32 can hold
      for (const double eps : {1e15, 1e6, 1e-12, 1e-18, 1e-20, 3e-21, 1e-21, 3e-22, 1e-22, 1e-25, 1e-60, 1e-300}) {
        SCOPED_TRACE(std::string(isa) + " " + std::string(name(softening)) + " eps " + std::to_string(eps));
        GravityOptions o = GetParam().options();
        o.eps = eps, o.softening = softening;
        const Field field = evaluate(p, o).field, expected = exact(p, o);
        for (std::size_t i = 0; i < p.size(); ++i) {
          for (int k = 0; k < 4; ++k) ASSERT_TRUE(std::isfinite(field[i][k])) << "eps " << eps << ", particle " << i;
        }
        if (eps < 1) {
          EXPECT_LT(rms_difference(field, expected), 5e-3) << eps;  // truncation; unsoftened close pairs
        } else {
          // all at one depth, whatever the distances
          EXPECT_LT(worst_potential_difference(field, expected), 1e-5) << eps;
        }
      }
    }
  }
}

TEST(ExtremeInput, NegativeMassIsRefused) {
  Particles p = drawn("plummer", 10);
  p.mass[7] = -1e-3;
  try {
    accelerations(p, GravityOptions{});
    FAIL() << "accepted";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("7"), std::string::npos) << e.what();
  }
}

TEST(ExtremeInput, NumbersThatAreNoneAreRefused) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Particles p = drawn("plummer", 10);
    p.position[3][1] = bad;
    EXPECT_THROW(accelerations(p, GravityOptions{}), Error);
    p = drawn("plummer", 10);
    p.mass[3] = bad;
    EXPECT_THROW(accelerations(p, GravityOptions{}), Error);
    p = drawn("plummer", 10);
    p.eps.assign(10, 0.1);
    p.eps[3] = bad;
    EXPECT_THROW(accelerations(p, GravityOptions{}), Error);
  }
}

}  // namespace
}  // namespace hornbeam
