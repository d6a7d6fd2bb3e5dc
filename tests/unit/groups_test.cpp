// SPDX-License-Identifier: Apache-2.0
// Groups of particles that share a traversal: all particles once, none too many, none stretched across gaps.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/built_tree.h"
#include "support/forces.h"

HB_OPEN
namespace {

struct Grouped {
  BuiltTree built;
  std::vector<GroupRange> groups;
};

Grouped group(const Particles& p, int group_size, int leaf_size = 16) {
  GravityOptions o;
  o.group_size = group_size, o.leaf_size = leaf_size;
  BuiltTree built = build_tree(p, o);
  const auto made = built.tree.groups();
  std::vector<GroupRange> groups(made.begin(), made.end());
  return {std::move(built), std::move(groups)};
}

void expect_cover(const Grouped& g, i32 n, int group_size) {
  std::vector<int> owners(static_cast<std::size_t>(n), 0);
  for (const GroupRange& range : g.groups) {
    ASSERT_GT(range.count, 0);
    ASSERT_LE(range.count, group_size);
    for (i32 i = range.first; i < range.first + range.count; ++i) ++owners.at(static_cast<std::size_t>(i));
  }
  for (i32 i = 0; i < n; ++i) ASSERT_EQ(owners[i], 1) << "particle " << i;
}

TEST(Groups, CoverAllParticlesOnce) {
  for (const std::size_t n : {0UL, 1UL, 2UL, 63UL, 64UL, 65UL, 129UL, 5000UL}) {
    for (const int group_size : {1, 7, 64, 1024}) {
      for (const int leaf_size : {1, 16, 300}) {
        SCOPED_TRACE(std::to_string(n) + " particles, groups of " + std::to_string(group_size) + ", leaves of " +
                     std::to_string(leaf_size));
        expect_cover(group(drawn("plummer", n), group_size, leaf_size), static_cast<i32>(n), group_size);
      }
    }
  }
}

TEST(Groups, AreMostlyFull) {
  // a traversal a group: many small groups would cost time, not accuracy
  const Grouped g = group(drawn("uniform-cube", 20000), 64);
  EXPECT_LT(g.groups.size(), 20000 / 20);
}

TEST(Groups, CoincidentParticlesAreCutIntoGroups) {
  Particles p = drawn("plummer", 500);
  for (std::size_t i = 0; i < 300; ++i) p.position[i] = {0.1, 0.2, 0.3};
  expect_cover(group(p, 64), 500, 64);
  expect_cover(group(at_rest(std::vector<Vec3>(1000, {1, 1, 1}), std::vector<double>(1000, 1)), 64), 1000, 64);
}

/// Largest extent of a group that holds particle `input` (index on input).
double extent_of_group_with(const Grouped& g, u32 input) {
  const auto place =
      static_cast<i32>(std::find(g.built.input.begin(), g.built.input.end(), input) - g.built.input.begin());
  for (const GroupRange& range : g.groups) {
    if (place < range.first || place >= range.first + range.count) continue;
    double extent = 0;
    for (const auto* axis : {&g.built.x, &g.built.y, &g.built.z}) {
      const auto [low, high] =
          std::minmax_element(axis->begin() + range.first, axis->begin() + range.first + range.count);
      extent = std::max(extent, static_cast<double>(*high - *low));
    }
    return extent;
  }
  ADD_FAILURE() << "no group holds particle " << input;
  return 0;
}

TEST(Groups, AnOutlierStretchesNone) {
  for (const std::size_t n : {3UL, 20UL, 60UL, 3000UL}) {
    SCOPED_TRACE(n);
    Particles p = drawn("plummer", n);
    p.append(at_rest({{1e12, 2e11, -3e11}}, {1}));
    const Grouped g = group(p, 64);
    expect_cover(g, static_cast<i32>(n) + 1, 64);
    EXPECT_EQ(extent_of_group_with(g, static_cast<u32>(n)), 0);  // alone
    for (u32 i = 0; i < n; ++i) ASSERT_LT(extent_of_group_with(g, i), 100);
  }
}

TEST(Groups, DoNotJoinDistantClumps) {
  Particles p = drawn("plummer", 20), q = drawn("plummer", 20, 2);
  for (Vec3& x : q.position) x[1] += 1e7;
  p.append(q);
  const Grouped g = group(p, 64);
  expect_cover(g, 40, 64);
  for (u32 i = 0; i < 40; ++i) EXPECT_LT(extent_of_group_with(g, i), 100);
}

}  // namespace
HB_CLOSE
