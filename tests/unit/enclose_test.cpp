// SPDX-License-Identifier: Apache-2.0
// Boxes, and what a group demands of cells.
#define HB_PRECISION HB_DOUBLE
#include "stages/enclose.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "stages/box.h"

HB_OPEN
namespace {

struct Places {
  std::vector<pos_t> x, y, z;
};

Places random_places(std::size_t n) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<pos_t> coordinate(-3, 5);
  Places p;
  for (std::vector<pos_t>* axis : {&p.x, &p.y, &p.z}) {
    for (std::size_t i = 0; i < n; ++i) axis->push_back(coordinate(random));
  }
  return p;
}

TEST(PlaceBox, OfEveryParticleIsTheirExtent) {
  const Places p = random_places(50);
  const PlaceBox all = box_of_every(p.x.data(), p.y.data(), p.z.data(), 0, 50, 1);
  EXPECT_EQ(all.low_x, *std::min_element(p.x.begin(), p.x.end()));
  EXPECT_EQ(all.high_z, *std::max_element(p.z.begin(), p.z.end()));
  pos_t low = 0, high = 0;
  extent_along(p.y.data(), 50, &low, &high);
  EXPECT_EQ(all.low_y, low);
  EXPECT_EQ(all.high_y, high);
  PlaceBox joined = box_of_every(p.x.data(), p.y.data(), p.z.data(), 31, 50, 32);
  for (i32 lane = 0; lane < 31; ++lane) {
    joined = join_place_boxes(joined, box_of_every(p.x.data(), p.y.data(), p.z.data(), lane, 50, 32));
  }
  EXPECT_EQ(joined.low_x, all.low_x);
  EXPECT_EQ(joined.low_z, all.low_z);
  EXPECT_EQ(joined.high_y, all.high_y);
  const PlaceBox last = box_of_every(p.x.data(), p.y.data(), p.z.data(), 70, 50, 32);  // behind the end: the last one
  EXPECT_EQ(last.low_x, p.x[49]);
  EXPECT_EQ(last.high_x, p.x[49]);
  EXPECT_EQ(longest_edge_of({0, 1, 2, 3, 6, 5}), 5);
}

TEST(GapBetween, IsTheDistanceOfIntervalsAndNegativeByTheirOverlap) {
  EXPECT_EQ(gap_between(5, 6, 1, 3, 10), 20);
  EXPECT_EQ(gap_between(1, 3, 5, 6, 10), 20);
  EXPECT_EQ(gap_between(1, 4, 3, 9, 1), -1);
  EXPECT_EQ(gap_between(1, 4, 7, 7, 1), 3);  // a point
}

TEST(BoxesOfCells, HaveTheLargestGapAndTheDistanceOfTheirFaces) {
  const PlaceBox box = {0, 0, 0, 1, 1, 1};
  pos_t low[3] = {4, -6, 0.5}, high[3] = {5, -4, 0.75};  // 3 and 4 away, and next to it
  CellsView cells{};
  cells.low_x = low;
  cells.low_y = low + 1;
  cells.low_z = low + 2;
  cells.high_x = high;
  cells.high_y = high + 1;
  cells.high_z = high + 2;
  EXPECT_EQ(distance2_to_box_of_cell(box, cells, 0, 1), 25);
  EXPECT_EQ(distance2_to_box_of_cell(box, cells, 0, 2), 100);
  EXPECT_EQ(largest_gap(box, cells, 0, 2), 8);
}

TEST(HalfEdge, ReachesBothFaces) {
  EXPECT_EQ(middle_of(2, 5), 3.5);
  EXPECT_EQ(half_edge(2, 3.5, 5, 4), 6);
  EXPECT_EQ(half_edge(2, 3, 5, 1), 2);
}

TEST(GroupDemands, AreThoseOfTheTargets) {
  WalkOptions options{};
  options.softening = HB_SPLINE;
  options.order = 2;
  options.theta = 0.5;
  const real last[3] = {256, 256, 1};
  TargetSums sums = no_targets(0, last);
  sums = add_target(sums, 0, 3, 0, 4, 2, last);
  sums = add_target(sums, 1, -1, 1, 0, 4, last);
  sums = add_target(sums, 2, 0, 0, 0, 0, last);
  const GroupDemands g = demands_of(sums, 3, options);
  EXPECT_EQ(g.radius, 5);
  EXPECT_EQ(g.soft2, 2);
  EXPECT_DOUBLE_EQ(g.reach, (real)HB_SPLINE_REACH * std::sqrt(8.0));
  const real typical = std::pow(5.0 / 3, 8);  // the eighth roots are 2, 2 and 1
  EXPECT_DOUBLE_EQ(g.pull, typical);
  EXPECT_DOUBLE_EQ(g.accuracy, relative_tolerance(2, 0.5) * typical / 8);  // above the least, 1
  options.softening = HB_PLUMMER;
  EXPECT_GT(demands_of(sums, 3, options).reach, 0);  // of unequal eps
}

TEST(GroupDemands, KnowNoPullWithoutAnEvaluationBefore) {
  const TargetSums sums = add_target(no_targets(0, nullptr), 0, 1, 0, 0, 0, nullptr);
  const GroupDemands g = demands_of(sums, 1, WalkOptions{});
  EXPECT_EQ(g.pull, 0);
  EXPECT_EQ(g.accuracy, 0);
}

TEST(ClosePairs, AreWatchedForUnlessAllAreSofter) {
  const real close = close_in_walk(1024);
  EXPECT_EQ(close, 1);
  EXPECT_TRUE(watches_close(0, 0.49, close));
  EXPECT_FALSE(watches_close(0, 0.51, close));
  EXPECT_TRUE(watches_close(1, 0.51, close));
}

TEST(Bounds, GoAsPowersOfTheAngle) {
  EXPECT_DOUBLE_EQ(expansion_bound(0.5, 8), 0.001 / 16 * 8);
  EXPECT_DOUBLE_EQ(multipole_bound(0, 0.5, 0.25, 8), 0.02 / 8 * 8);
  EXPECT_DOUBLE_EQ(multipole_bound(4, 0.5, 0.25, 8), 0.02 / 64 * 8);  // the smaller angle
}

TEST(CoarsePull, IsThatOfAPointSpreadOut) {
  EXPECT_DOUBLE_EQ(coarse_pull_over_d<real>(3, 9, 16), 3.0 / 125);
  EXPECT_EQ(coarse_pull_over_d<real>(3, 0, 0), 0);
  EXPECT_TRUE(lies_clear<real>(9.1, 1, 2));
  EXPECT_FALSE(lies_clear<real>(9, 1, 2));
}

}  // namespace
HB_CLOSE
