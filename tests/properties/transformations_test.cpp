// SPDX-License-Identifier: Apache-2.0
// Forces under changes of the input whose effect is known: order, origin, scale, number of threads, repetition.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <string>

#include "support/forces.h"

namespace hornbeam {
namespace {

constexpr std::size_t particle_count = 5000;

/// Walks and precisions that every property here is requested of.
struct MovedCase {
  std::string name;
  Walk walk = Walk::group;
  Precision precision = Precision::mixed;
  Mac mac = Mac::offset;
  Softening softening = Softening::plummer;
  double accuracy = 0;

  [[nodiscard]] GravityOptions options() const {
    GravityOptions o;
    o.walk = walk, o.precision = precision, o.mac = mac, o.softening = softening;
    o.eps = 0.01, o.accuracy = accuracy;
    return o;
  }
};

class Transformations : public ::testing::TestWithParam<MovedCase> {};

INSTANTIATE_TEST_SUITE_P(
    All, Transformations,
    ::testing::Values(MovedCase{"group_mixed"}, MovedCase{"group_single", Walk::group, Precision::single},
                      MovedCase{"group_double", Walk::group, Precision::fp64},
                      MovedCase{"stackless_mixed", Walk::stackless}, MovedCase{"direct_mixed", Walk::direct},
                      MovedCase{"group_relative", Walk::group, Precision::mixed, Mac::relative},
                      MovedCase{"group_min_distance", Walk::group, Precision::mixed, Mac::min_distance},
                      MovedCase{"group_spline", Walk::group, Precision::mixed, Mac::offset, Softening::spline},
                      MovedCase{.name = "by_default", .accuracy = -1}),
    [](const auto& info) { return info.param.name; });

/// The same particles in another order; to[i] is where particle i went.
Particles permuted(const Particles& p, const std::vector<std::size_t>& to) {
  Particles q = p;
  for (std::size_t i = 0; i < p.size(); ++i) {
    q.position[to[i]] = p.position[i], q.velocity[to[i]] = p.velocity[i];
    q.mass[to[i]] = p.mass[i], q.id[to[i]] = p.id[i];
  }
  return q;
}

TEST_P(Transformations, OrderOfInputDoesNotMatter) {
  const Particles p = drawn("plummer", particle_count);
  std::vector<std::size_t> to(p.size());
  std::iota(to.begin(), to.end(), std::size_t{0});
  std::mt19937_64 engine(3);
  for (std::size_t i = to.size() - 1; i > 0; --i) std::swap(to[i], to[engine() % (i + 1)]);
  const Forces before = evaluate(p, GetParam().options()).field,
               after = evaluate(permuted(p, to), GetParam().options()).field;
  // Guaranteed for particles whose keys differ: the sort restores one order, so every later sum has the same order.
  // (Particles of equal keys are in the order of the input: their neighbours' sums may differ in rounding.)
  for (std::size_t i = 0; i < p.size(); ++i) ASSERT_EQ(after[to[i]], before[i]) << "particle " << i;
}

TEST_P(Transformations, RunsAndThreadsGiveTheSameBits) {
  const Particles p = drawn("plummer", particle_count);
  const Forces one = evaluate(p, GetParam().options(), 1).field;
  EXPECT_EQ(evaluate(p, GetParam().options(), 1).field, one);
  EXPECT_EQ(evaluate(p, GetParam().options(), 2).field, one);
  EXPECT_EQ(evaluate(p, GetParam().options(), 5).field, one);
}

/// Lengths times `length`, masses times `mass`, softening with the lengths.
struct Scaling {
  double length, mass;
};

Particles scaled(Particles p, Scaling s) {
  for (Vec3& x : p.position) x = {x[0] * s.length, x[1] * s.length, x[2] * s.length};
  for (double& m : p.mass) m *= s.mass;
  return p;
}

/// The field that the scaled particles should have.
Forces scaled(Forces field, Scaling s) {
  for (auto& f : field) {
    for (int k = 0; k < 3; ++k) f[k] *= s.mass / (s.length * s.length);
    f[3] *= s.mass / s.length;
  }
  return field;
}

TEST_P(Transformations, PowersOfTwoScaleEveryBit) {
  const Particles p = drawn("plummer", particle_count);
  GravityOptions o = GetParam().options();
  const Forces before = evaluate(p, o).field;
  for (const Scaling s : {Scaling{0x1p20, 1.0}, Scaling{0x1p-30, 0x1p-7}, Scaling{0x1p70, 0x1p110}}) {
    SCOPED_TRACE(s.length);
    o.eps = GetParam().options().eps * s.length;
    const Forces after = evaluate(scaled(p, s), o).field;
    const Forces expected = scaled(before, s);
    for (std::size_t i = 0; i < p.size(); ++i) ASSERT_EQ(after[i], expected[i]) << "particle " << i;
  }
}

TEST_P(Transformations, AnyUnitsWillDo) {
  const Particles p = drawn("plummer", particle_count);
  GravityOptions o = GetParam().options();
  const Forces before = evaluate(p, o).field;
  // kiloparsecs and galaxies in cm and g; atoms; 1e12 of one thing at a time
  for (const Scaling s :
       {Scaling{3.1e21, 2e45}, Scaling{1e22, 1e43}, Scaling{1e-10, 1e-27}, Scaling{1e12, 1}, Scaling{1, 1e12}}) {
    SCOPED_TRACE(s.length);
    o.eps = GetParam().options().eps * s.length;
    const Forces after = evaluate(scaled(p, s), o).field;
    // Rounding of coordinates moves a few particles across borders of cells, so some interactions differ: as large as
    // the truncation error of the walk at theta = 0.6 (8e-4), not as rounding.
    EXPECT_LT(rms_difference(after, scaled(before, s)), o.walk == Walk::direct ? 1e-6 : 1e-3);
    EXPECT_LT(worst_potential_difference(after, scaled(before, s)), o.walk == Walk::direct ? 1e-5 : 1e-2);
  }
}

TEST_P(Transformations, OriginDoesNotMatter) {
  const Particles p = drawn("plummer", particle_count);
  const GravityOptions o = GetParam().options();
  Particles moved = p;
  for (Vec3& x : moved.position) x = {x[0] + 100, x[1] - 1000, x[2] + 31};
  const Forces before = evaluate(p, o).field, after = evaluate(moved, o).field;
  // fp64 coordinates lose 1e-13 by the move: what differs is which cells are opened (truncation, as above). fp32
  // coordinates (`single`) lose 1000 * 6e-8, which against the softening of 0.01 is a force error of a few per mille.
  EXPECT_LT(rms_difference(after, before), o.precision == Precision::single ? 1e-2 : 1e-3);
}

TEST_P(Transformations, GravitationalConstantIsAFactor) {
  const Particles p = drawn("plummer", particle_count);
  GravityOptions o = GetParam().options();
  const Forces before = evaluate(p, o).field;
  o.G = 43.0071;
  const Forces after = evaluate(p, o).field;
  for (std::size_t i = 0; i < p.size(); ++i) {
    // applied once at the end, in fp64
    for (int k = 0; k < 4; ++k) ASSERT_NEAR(after[i][k], 43.0071 * before[i][k], 1e-15 * std::abs(after[i][k]));
  }
}

}  // namespace
}  // namespace hornbeam
