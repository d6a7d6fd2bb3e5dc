// SPDX-License-Identifier: Apache-2.0
// The rigid acceleration that has a given net force and torque.
#define HB_PRECISION HB_DOUBLE
#include "interactions/gravity/net_force.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

HB_OPEN
namespace {

struct Body {
  double mass;
  Vec3 at, acceleration;
};

NetSums sums_of(const std::vector<Body>& bodies) {
  NetSums e{};
  for (const Body& b : bodies) {
    add_net_force<double>(b.mass, b.at[0], b.at[1], b.at[2], b.acceleration[0], b.acceleration[1], b.acceleration[2],
                          e.data());
  }
  return e;
}

/// What is left of the sums once the motion, times |a|^2, is taken from the accelerations.
NetSums balanced(std::vector<Body> bodies) {
  const RigidMotion rigid = balancing_motion(sums_of(bodies));
  for (Body& b : bodies) {
    const RigidVector change = rigid_motion_at(rigid, b.at[0], b.at[1], b.at[2]);
    const Vec3 a = b.acceleration;
    const double weight = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    b.acceleration = {a[0] - weight * change.x, a[1] - weight * change.y, a[2] - weight * change.z};
  }
  return sums_of(bodies);
}

TEST(NetForce, IsTakenOut) {
  const std::vector<Body> bodies = {{1, {1, 0, 2}, {0.3, 0.1, -0.2}},
                                    {2, {-3, 1, 0.5}, {0.1, -0.5, 0.2}},
                                    {3, {0, 2, -1}, {0.2, 0.2, 0.2}},
                                    {4, {4, 4, 4}, {-0.1, 0, 0.4}}};
  const NetSums left = balanced(bodies);
  // of torques of 10, times the rounding below which a moment of inertia is none: 32 times that of the sums
  for (int k = 10; k < HB_NET_SUMS; ++k) EXPECT_NEAR(left[k], 0, 1e-12) << k;
}

/// The least change: any other that leaves neither force nor torque is larger. Of two bodies that are pushed alike, one
/// with ten times the acceleration takes a hundred times the change.
TEST(NetForce, IsTakenFromTheStrongestPulls) {
  const RigidMotion rigid = balancing_motion(sums_of({{1, {1, 0, 0}, {-1, 0, 0}}, {1, {-1, 0, 0}, {10, 0, 0}}}));
  EXPECT_NEAR(rigid.push.x, 9.0 / 101, 1e-15);
  EXPECT_NEAR(rigid.push.x * 100 + rigid.push.x, 9, 1e-13);
}

TEST(NetForce, IsNothingOfPullsThatAnswerOneAnother) {
  const RigidMotion rigid = balancing_motion(sums_of({{2, {1, 0, 0}, {-3, 0, 0}}, {6, {-1, 0, 0}, {1, 0, 0}}}));
  EXPECT_EQ(rigid.push.x, 0);
  EXPECT_EQ(rigid.turn.x, 0);
  EXPECT_EQ(rigid.turn.y, 0);
  EXPECT_EQ(rigid.turn.z, 0);
}

TEST(NetForce, OfOneBodyIsAllOfIt) {
  const NetSums left = balanced({{3, {5, 6, 7}, {1, 2, 4}}});
  for (int k = 10; k < HB_NET_SUMS; ++k) EXPECT_NEAR(left[k], 0, 1e-12) << k;
}

TEST(NetForce, IsLeftWhereThereIsNoMassOrNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const RigidMotion& rigid :
       {balancing_motion(sums_of({})), balancing_motion(sums_of({{0, {1, 2, 3}, {4, 5, 6}}})),
        balancing_motion(sums_of({{1, {1, 2, 3}, {nan, 5, 6}}}))}) {
    const RigidVector a = rigid_motion_at(rigid, 1, 2, 3);
    EXPECT_EQ(std::abs(a.x) + std::abs(a.y) + std::abs(a.z), 0);
  }
}

}  // namespace
HB_CLOSE
