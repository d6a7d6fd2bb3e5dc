// SPDX-License-Identifier: Apache-2.0
// What a particle adds to sums over all, and what these say.
#define HB_PRECISION HB_DOUBLE
#include "stages/sums.h"

#include <gtest/gtest.h>

#include "stages/units.h"
#include "tree/energies.h"

HB_OPEN
namespace {

TEST(EnergySums, OfABodyOnACircleAndOneThatPassesBy) {
  EnergySums e{};
  add_motion<double>(2, 3, 0, 0, 0, 5, 0, e.data());  // v = 5 at r = 3: L = m r v along z
  add_motion<double>(4, 0, 0, 7, 1, 0, 2, e.data());  // (0, 0, 7) x (1, 0, 2) = (0, 7, 0)
  add_potential<double>(2, -8, 1, e.data());
  add_potential<double>(4, -1, 3, e.data());
  const Energies found = energies_of(e, 10);
  EXPECT_EQ(found.kinetic, (2 * 25 + 4 * 5) / 2.0);
  EXPECT_EQ(found.potential, -(2 * 8 + 4 * 1 * 3) / 2.0 * 10);
  EXPECT_EQ(found.momentum, (Vec3{4, 10, 8}));
  EXPECT_EQ(found.angular_momentum, (Vec3{0, 28, 30}));
}

TEST(PullSums, AreTheErrorOfMomentum) {
  PullSums sums{};
  EXPECT_EQ(momentum_error_of(sums), 0);
  add_pull<double>(2, 0, 3, 4, sums.data());
  EXPECT_EQ(momentum_error_of(sums), 1);  // one pull without another that answers it
  add_pull<double>(1, 0, -6, -8, sums.data());
  EXPECT_EQ(momentum_error_of(sums), 0);
  add_pull<double>(5, 1, 0, 0, sums.data());
  EXPECT_EQ(sums, (PullSums{5, 0, 0, 25}));
  EXPECT_EQ(momentum_error_of(sums), 5.0 / 25);
}

TEST(HalfSquaredEps, IsOfEachParticleOrOfAll) {
  const real eps[2] = {3, 0};
  EXPECT_EQ(soft2_of_particle(0, eps, 7, 2), 18);         // (3 * 2)^2 / 2
  EXPECT_EQ(soft2_of_particle(1, eps, 7, 2), 0);          // not that of all
  EXPECT_EQ(soft2_of_particle(1, nullptr, 5, 2), 50);     // (5 * 2)^2 / 2
  EXPECT_EQ(soft2_of_particle(1, nullptr, 1e-91, 1), 0);  // below HB_LEAST_EPS
}

}  // namespace
HB_CLOSE
