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
  bool conserve = false;
  double accuracy = 0;

  [[nodiscard]] GravityOptions options() const {
    GravityOptions o;
    o.walk = walk, o.precision = precision, o.mac = mac, o.conserve = conserve;
    o.accuracy = accuracy;
    return o;
  }
  /// Rounding of one pair: a few units in the last place of `real` (2^-24 or 2^-53), and the fast reciprocal root's
  /// 2e-7.
  [[nodiscard]] double rounding() const { return precision == Precision::fp64 ? 1e-14 : 2e-6; }
  /// Rounding of a sum of n equal terms one after the other in sum_t.
  [[nodiscard]] double sum_rounding(std::size_t n) const {
    return static_cast<double>(n) * (precision == Precision::single ? 0x1p-24 : 0x1p-53);
  }
  /// rms truncation error of 500 to 3000 Plummer particles at theta = 0.6 with quadrupoles, as measured, times two;
  /// `relative` has a budget a cell, not an angle, and is coarser at so small N.
  [[nodiscard]] double truncation() const { return mac == Mac::relative ? 1e-2 : 2e-3; }
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class ExtremeInputs : public ::testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(
    All, ExtremeInputs,
    ::testing::Values(Case{"group_mixed"}, Case{"group_single", Walk::group, Precision::single},
                      Case{"group_double", Walk::group, Precision::fp64}, Case{"stackless_mixed", Walk::stackless},
                      Case{"stackless_double", Walk::stackless, Precision::fp64}, Case{"direct_mixed", Walk::direct},
                      Case{"group_relative", Walk::group, Precision::mixed, Mac::relative},
                      Case{"group_min_distance", Walk::group, Precision::mixed, Mac::min_distance},
                      Case{"group_conserve", Walk::group, Precision::mixed, Mac::offset, true},
                      Case{"group_offset_box", Walk::group, Precision::mixed, Mac::offset_box},
                      Case{.name = "by_default", .accuracy = -1},
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
    const Forces field = evaluate(p, o).field;
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
    const Particles p =
        at_rest(std::vector<Vec3>(n, {3, -1, 1e4}), std::vector<double>(n, 2.0 / static_cast<double>(n)));
    for (const Softening softening : {Softening::plummer, Softening::spline}) {
      for (const double eps : {0.0, 0.5}) {
        SCOPED_TRACE(std::to_string(n) + " particles, " + std::string(name(softening)) + ", eps " +
                     std::to_string(eps));
        GravityOptions o = GetParam().options();
        o.eps = eps, o.softening = softening;
        // without softening coincident particles do not attract; with it each sees the others at depth 1 / eps
        const double others = 2.0 - 2.0 / static_cast<double>(n), potential = eps > 0 ? -others / eps : 0.0;
        for (const auto& f : evaluate(p, o).field) {
          ASSERT_EQ(acceleration_size(f), 0);
          ASSERT_NEAR(f[3], potential, 4 * (GetParam().rounding() + GetParam().sum_rounding(n)));  // up to 4 in size
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
#if defined(__SANITIZE_ADDRESS__)
  constexpr double limit = 200;  // the sanitizers slow down tenfold
#else
  constexpr double limit = 20;
#endif
  EXPECT_LT(seconds, limit);  // all pairs would take 5e9 interactions a core: minutes on the machines of 2020
  EXPECT_LT(e.interactions.particle, 2000 * p.size());  // at most what 2000 others cost without a tree
  // one represents all: the exact field is that of 2000 particles and one of the lump's mass
  Particles few = drawn("plummer", 2000);
  few.append(at_rest({{0.3, 0.2, -0.1}}, {0.1}));
  const Forces expected = exact(few, o);
  const Forces others(e.field.begin(), e.field.begin() + 2000);
  EXPECT_LT(rms_difference(others, Forces(expected.begin(), expected.begin() + 2000)), GetParam().truncation());
  const auto& middle = e.field[2000 + coincident / 2];
  for (std::size_t i = 2001; i < p.size(); ++i) {
    // all of the lump feel the same, but for those at its ends, whose blocks of groups hold others and expand other
    // cells
    const bool end = i < 2000 + 2048 || i + 2048 > p.size();
    ASSERT_LT(relative_difference(e.field[i], middle), end ? 3 * GetParam().truncation() : 1e-6) << i;
  }
  // one particle's error is up to three times the rms; the lump's mass is a sum of 1e5
  EXPECT_LT(relative_difference(e.field[2000], expected[2000]), 3 * GetParam().truncation());
  const double self = 0.1 * 1e-5 / 0.01;  // each of the lump lacks its own share
  EXPECT_NEAR(e.field[2000][3], expected[2000][3] - 0.1 / 0.01 + self,
              GetParam().truncation() + 10 * GetParam().sum_rounding(256 + coincident / 256));  // the lump's own part
                                                                                                // is 10, summed in runs
}

TEST_P(ExtremeInputs, CoincidentPairsDoNotPullEachOther) {
  Particles p = drawn("plummer", 500);
  Particles twice = p;
  for (std::size_t i = 0; i < p.size(); ++i) twice.id[i] += p.size();
  p.append(twice);
  GravityOptions o = GetParam().options();
  o.theta = 0;
  const Forces field = evaluate(p, o).field, expected = exact(p, o);
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
  const Forces field = evaluate(p, o).field, expected = exact(p, o), alone = exact(massive, o);
  EXPECT_LT(rms_difference(field, expected), 10 * GetParam().rounding());
  EXPECT_LT(rms_difference(Forces(field.begin(), field.begin() + 1000), alone), 10 * GetParam().rounding());
  EXPECT_GT(acceleration_size(field[1500]), 0);
  o.theta = 0.6;
  EXPECT_LT(rms_difference(evaluate(p, o).field, expected), GetParam().truncation());
}

TEST_P(ExtremeInputs, TracersAloneFeelNothing) {
  Particles p = drawn("plummer", 300);
  p.mass.assign(300, 0);
  for (const auto& f : evaluate(p, GetParam().options()).field) {
    for (int k = 0; k < 4; ++k) ASSERT_EQ(f[k], 0);
  }
}

/// n particles of a Plummer sphere of size 1, then outliers of the same mass.
Particles with_outliers(std::size_t n, const std::vector<Vec3>& outliers) {
  Particles p = drawn("plummer", n);
  const double m = p.mass[0];
  p.append(at_rest(outliers, std::vector<double>(outliers.size(), m)));
  for (std::size_t i = n; i < p.size(); ++i) p.id[i] = i;
  return p;
}

/// The inner particles feel as if the outliers were not there (their pull is 1e-24); the outliers fall to the rest.
void expect_outliers_harmless(const Particles& p, std::size_t inner, const Case& c) {
  GravityOptions o = c.options();
  o.eps = 0.01;
  std::vector<std::size_t> which;  // of the inner ones some thousand
  for (std::size_t i = 0; i < inner; i += 1 + inner / 1500) which.push_back(i);
  const auto n = static_cast<std::ptrdiff_t>(which.size());
  for (std::size_t i = inner; i < p.size(); ++i) which.push_back(i);
  const Forces all = evaluate(p, o).field, expected = exact_at(which, p, o);
  Forces field;
  for (const std::size_t i : which) field.push_back(all[i]);
  EXPECT_LT(rms_difference(Forces(field.begin(), field.begin() + n), Forces(expected.begin(), expected.begin() + n)),
            c.truncation());
  for (std::size_t s = static_cast<std::size_t>(n); s < which.size(); ++s) {
    // 1 / d^3 stands below fp32's smallest normal number at this distance: two to three of its digits are left
    EXPECT_LT(relative_difference(field[s], expected[s]), c.precision == Precision::fp64 ? 1e-6 : 1e-2) << which[s];
  }
}

TEST_P(ExtremeInputs, OneFarAmongMany) {
  if (GetParam().precision == Precision::single) {
    GTEST_SKIP() << "SKIPPED: where nothing is clamped, fp32 coordinates hold not both the outlier and the rest";
  }
  for (const std::size_t n : {3000UL, 200UL, 60UL, 40UL, 20UL, 3UL}) {
    SCOPED_TRACE(std::to_string(n) + " particles and an outlier");
    expect_outliers_harmless(with_outliers(n, {{1e12, 2e11, -3e11}}), n, GetParam());
  }
}

TEST_P(ExtremeInputs, OutliersTogether) {
  if (GetParam().precision == Precision::single) GTEST_SKIP() << "SKIPPED: fp32 coordinates cannot tell them apart";
  for (const std::size_t n : {10000UL, 3000UL, 100UL}) {
    SCOPED_TRACE(std::to_string(n) + " particles and three outliers");
    // 1e12 is known to 1e-4, so that distances of 1 keep four digits
    const Particles p = with_outliers(n, {{1e12, 0, 0}, {1e12, 1, 0}, {1e12, 0, 1}});
    expect_outliers_harmless(p, n, GetParam());
  }
}

TEST_P(ExtremeInputs, CloseBinariesFarApart) {
  if (GetParam().precision == Precision::single) GTEST_SKIP() << "SKIPPED: fp32 coordinates do not hold such pairs";
  // Two pairs of separation 1e-6 at distance 1: fp64 coordinates hold the separation to 1e-10 of itself.
  const Particles p = at_rest({{0, 0, 0}, {1e-6, 0, 0}, {1, 1, 0}, {1, 1, 1e-6}}, {1, 1, 1, 1});
  const GravityOptions o = GetParam().options();
  EXPECT_LT(worst_difference(evaluate(p, o).field, exact(p, o)), std::max(1e-9, GetParam().rounding()));
}

TEST_P(ExtremeInputs, HierarchicalSystem) {
  if (GetParam().precision == Precision::single) GTEST_SKIP() << "SKIPPED: fp32 coordinates do not hold such distances";
  // Each particle is a hundred times nearer to the origin than the last, down to 1e-8, so that no step stands out.
  std::vector<Vec3> position;
  for (int i = 0; i < 5; ++i) {
    const double r = std::pow(100.0, -i);
    position.push_back({r, 0.3 * r, 0}), position.push_back({-0.5 * r, 0.1 * r, 0.8 * r});
  }
  const Particles p = at_rest(position, std::vector<double>(position.size(), 1.0));
  GravityOptions o = GetParam().options();
  o.theta = 0;
  // Relative to a common centre at distance 1 fp64 knows the innermost steps to 1e-8 of themselves (the direct sum,
  // too). Groups end before they span so much that fp32 knows their steps to less than 1e-3.
  EXPECT_LT(worst_difference(evaluate(p, o).field, exact(p, o)), GetParam().precision == Precision::fp64 ? 1e-7 : 1e-3);
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
        const Forces field = evaluate(p, o).field, expected = exact(p, o);
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

/// m / eps^3 of a pair at one place left the range of fp32 before eps^2 did.
TEST_P(ExtremeInputs, TinySofteningOfAPairAtOnePlaceGivesNumbers) {
  Particles p = drawn("plummer", 300);
  p.position[1] = p.position[0];
  for (const double eps : {1e-10, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17, 1e-18}) {
    GravityOptions o = GetParam().options();
    o.eps = eps;
    for (const std::array<double, 4>& one : evaluate(p, o).field) {
      for (const double number : one) ASSERT_TRUE(std::isfinite(number)) << "eps " << eps;
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
