// SPDX-License-Identifier: Apache-2.0
// Which cells a group takes whole: against the rules written out one by one, and on packs as on single cells.
#define HB_PRECISION HB_DOUBLE
#include "device/host/simd.h"  // ahead of the formulas, which must know its masks

#include "stages/accept.h"

#include <gtest/gtest.h>

#include <random>

HB_OPEN
namespace {

constexpr i32 criteria[] = {HB_MAC_BH, HB_MAC_OFFSET, HB_MAC_OFFSET_BOX, HB_MAC_MIN_DISTANCE, HB_MAC_RELATIVE};

struct Cell {
  real dx, dy, dz, b, mass, size2, box2, reach;
};

/// About a group of half edge 1, from inside of it to 30 away; some are points, some have no softening that reaches.
class RandomCells {
 public:
  Cell operator()() {
    const auto from = [&](real low, real high) { return std::uniform_real_distribution<real>(low, high)(random_); };
    const real scale = std::pow(30, from(-1, 1)), edge = from(0.1, 4);
    Cell c = {from(-1, 1) * scale, from(-1, 1) * scale, from(-1, 1) * scale, from(0, 1) * edge,
              from(0, 1),          4 * edge * edge,     from(0, 900),        from(0, 3)};
    if (from(0, 1) < 0.2) c.b = c.size2 = 0;
    if (from(0, 1) < 0.3) c.reach = 0;
    return c;
  }

 private:
  std::mt19937_64 random_{5};
};

GroupTests group_tests() {
  WalkOptions o{};
  o.order = 2;
  o.expansion = 4;
  o.theta = 0.8;
  o.theta_c = 0.6;
  GroupTests t =
      tests_from({.radius = 1.5, .soft2 = 0, .reach = 0, .expansion_reach = 0, .pull = 0, .accuracy = 0}, o, 0, 5);
  t.half_x = 1;
  t.half_y = 0.5;
  t.half_z = 0.25;
  t.close2 = 0.01;
  return t;
}

WalkOptions walk_options(i32 mac) {
  WalkOptions o{};
  o.mac = mac;
  o.order = 2;
  o.theta_c = 0.6;
  return o;
}

TEST(TestsFromAGroup, EstimateTheAccuracyWhereNoneIsKnown) {
  WalkOptions o{};
  o.order = 2;
  o.theta = 0.5;
  const GroupDemands demands{.radius = 1, .soft2 = 0, .reach = 3, .expansion_reach = 5, .pull = 0, .accuracy = 7};
  EXPECT_EQ(tests_from(demands, o, 1, 2).accuracy, 7);
  EXPECT_EQ(tests_from(demands, o, 0, 2).accuracy, relative_tolerance(2, 0.5) * 2);
  EXPECT_EQ(tests_from(demands, o, 1, 2).reach, 3);
  EXPECT_EQ(tests_from(demands, o, 1, 2).expansion_reach, 5);
}

TEST(TakenCells, FollowEveryRule) {
  const GroupTests t = group_tests();
  int expanded = 0, far = 0, opened = 0;
  for (const i32 mac : criteria) {
    const WalkOptions o = walk_options(mac);
    RandomCells random;
    for (int i = 0; i < 2000; ++i) {
      const Cell c = random();
      const i32 weighs = i % 2;
      const Taken<real> taken = take_cell(&o, &t, weighs, c.dx, c.dy, c.dz, c.b, c.mass, c.size2, c.box2);
      const real ox = std::max(std::abs(c.dx) - t.half_x, 0.0), oy = std::max(std::abs(c.dy) - t.half_y, 0.0),
                 oz = std::max(std::abs(c.dz) - t.half_z, 0.0);
      const real d2 = hb_fma(ox, ox, hb_fma(oy, oy, oz * oz));
      const real centre2 = hb_fma(c.dx, c.dx, hb_fma(c.dy, c.dy, c.dz * c.dz));
      const bool weak = is_weak(d2, c.b, c.mass, t.multipole_bound);
      EXPECT_EQ(taken.d2, d2);
      EXPECT_EQ(taken.expand, expandable(centre2, c.b + t.radius, o.theta_c * o.theta_c, c.mass, t.expansion_bound));
      EXPECT_EQ(taken.far, far_enough(mac, 2, d2, c.b * c.b, c.box2, c.size2, c.mass, t.accuracy) && d2 > t.close2 &&
                               (weighs == 0 || weak || c.b == 0));
      expanded += taken.expand;
      far += taken.far && !taken.expand;
      opened += !taken.far && !taken.expand;
    }
  }
  EXPECT_GT(expanded, 500);
  EXPECT_GT(far, 500);
  EXPECT_GT(opened, 500);
}

TEST(TakenCells, AreTheSameOnPacks) {
  constexpr int lanes = 2;
  using P = Pack<real, lanes>;
  const GroupTests t = group_tests();
  for (const i32 mac : criteria) {
    const WalkOptions o = walk_options(mac);
    RandomCells random;
    for (int round = 0; round < 400; ++round) {
      Cell c[lanes];
      P value[8];
      for (int i = 0; i < lanes; ++i) {
        c[i] = random();
        const real row[8] = {c[i].dx, c[i].dy, c[i].dz, c[i].b, c[i].mass, c[i].size2, c[i].box2, c[i].reach};
        for (int k = 0; k < 8; ++k) value[k].v[i] = row[k];
      }
      const Taken<P> all = take_cell(&o, &t, 1, value[0], value[1], value[2], value[3], value[4], value[5], value[6]);
      const auto plain = is_plain(all.d2, value[3], value[7]);
      const auto far = far_where_plain(all.far, plain, value[3]);
      const auto for_all = is_plain_for_all(value[0], P(2), value[3], value[7]);
      const auto suits = suits_a_group(&o, value[0], all.d2, value[3], value[3], value[4], value[5], P(0.1));
      for (int i = 0; i < lanes; ++i) {
        const Taken<real> one =
            take_cell(&o, &t, 1, c[i].dx, c[i].dy, c[i].dz, c[i].b, c[i].mass, c[i].size2, c[i].box2);
        EXPECT_EQ(all.expand[i] != 0, one.expand);
        EXPECT_EQ(all.far[i] != 0, one.far);
        EXPECT_EQ(plain[i] != 0, is_plain(one.d2, c[i].b, c[i].reach));
        EXPECT_EQ(far[i] != 0, far_where_plain(one.far, is_plain(one.d2, c[i].b, c[i].reach), c[i].b));
        EXPECT_EQ(for_all[i] != 0, is_plain_for_all(c[i].dx, 2.0, c[i].b, c[i].reach));
        EXPECT_EQ(suits[i] != 0, suits_a_group(&o, c[i].dx, one.d2, c[i].b, c[i].b, c[i].mass, c[i].size2, 0.1));
      }
    }
  }
}

TEST(Softening, LeavesMultipolesPlainBeyondItsReach) {
  EXPECT_TRUE(is_plain<real>(9.1, 1, 2));
  EXPECT_FALSE(is_plain<real>(8.9, 1, 2));
  EXPECT_TRUE(is_plain<real>(0, 1, 0));  // nothing reaches
  EXPECT_TRUE(is_plain_for_all<real>(5.1, 2, 1, 2));
  EXPECT_FALSE(is_plain_for_all<real>(4.9, 2, 1, 2));
  EXPECT_TRUE(far_where_plain<real>(true, false, 0));  // a point mass
  EXPECT_FALSE(far_where_plain<real>(true, false, 1));
  EXPECT_FALSE(far_where_plain<real>(false, true, 1));
  EXPECT_EQ(mutual_reach<real>(HB_SPLINE, 1, 3, 2), 3);
  EXPECT_EQ(mutual_reach<real>(HB_SPLINE, 1, 1, 2), 2);
}

}  // namespace
HB_CLOSE
