// SPDX-License-Identifier: Apache-2.0
// The edit distance and the suggestions made of it.
#include "run/config/suggest.h"

#include <gtest/gtest.h>

namespace hornbeam::run {
namespace {

TEST(Suggest, EditDistanceCountsInsertionsDeletionsAndReplacements) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("theta", "theta"), 0u);
  EXPECT_EQ(edit_distance("", "eps"), 3u);
  EXPECT_EQ(edit_distance("theta", "thta"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("sitting", "kitten"), 3u);
}

TEST(Suggest, EditDistanceCountsNeighboursThatAreSwappedOnce) {
  EXPECT_EQ(edit_distance("rnu", "run"), 1u);
  EXPECT_EQ(edit_distance("esp", "eps"), 1u);
  EXPECT_EQ(edit_distance("teh_tap", "the_tap"), 1u);
  EXPECT_EQ(edit_distance("ab", "ba"), 1u);
  EXPECT_EQ(edit_distance("abc", "cba"), 2u);
}

TEST(Suggest, NamesTheNearest) {
  EXPECT_EQ(suggestion("rnu", {"info", "run", "force"}), "did you mean run?");
  EXPECT_EQ(suggestion("thetta", {"order", "theta", "theta_c"}), "did you mean theta?");
  EXPECT_EQ(suggestion("epsilon", {"expansion", "eps"}), "did you mean eps?");
  EXPECT_EQ(suggestion("soft", {"sort", "softening"}), "did you mean sort?");
  EXPECT_EQ(suggestion("relax", {"relaxation", "release"}), "did you mean relaxation?");
}

TEST(Suggest, ListsAllWhereNoneIsNear) { EXPECT_EQ(suggestion("viscosity", {"eps", "mac"}), "known: eps, mac"); }

}  // namespace
}  // namespace hornbeam::run
