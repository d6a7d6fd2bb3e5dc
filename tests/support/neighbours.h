// SPDX-License-Identifier: Apache-2.0
// Neighbour search for tests: positions of many kinds, and the answer of all pairs.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "interactions/neighbours/search.h"

namespace hornbeam {

using Positions = std::vector<Vec3>;

inline double distance2(const Vec3& a, const Vec3& b, double box) {
  double d[3];
  for (int k = 0; k < 3; ++k) {
    d[k] = std::abs(a[k] - b[k]);
    if (box > 0) d[k] = std::min(d[k], box - d[k]);
  }
  return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

/// The other particles of each, by index or (for the k nearest) by distance, cut by radius and k.
inline NeighbourLists all_pairs(const Positions& x, double radius, int k, double box) {
  NeighbourLists lists;
  lists.offset.push_back(0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::vector<std::pair<double, std::uint32_t>> row;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double d2 = distance2(x[i], x[j], box);
      if (j != i && d2 <= radius * radius) row.emplace_back(d2, static_cast<std::uint32_t>(j));
    }
    if (k > 0) {
      const auto end = row.begin() + std::min<std::ptrdiff_t>(k, static_cast<std::ptrdiff_t>(row.size()));
      std::partial_sort(row.begin(), end, row.end());
      row.erase(end, row.end());
    }
    for (const auto& [d2, j] : row) {
      lists.index.push_back(j);
      lists.distance2.push_back(d2);
    }
    lists.offset.push_back(lists.index.size());
  }
  return lists;
}

inline void expect_same(const NeighbourLists& found, const NeighbourLists& expected, const std::string& what) {
  EXPECT_EQ(found.offset, expected.offset) << what;
  EXPECT_EQ(found.index, expected.index) << what;
  EXPECT_EQ(found.distance2, expected.distance2) << what;
}

inline Positions uniform(std::size_t n, double edge, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> draw(0.0, edge);
  Positions x(n);
  for (Vec3& p : x) p = {draw(engine), draw(engine), draw(engine)};
  return x;
}

/// Clumps whose widths span four decades.
inline Positions clustered(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> draw;
  Positions x(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double clump = static_cast<double>(i % 5), width = std::pow(10.0, -clump);
    x[i] = {clump + width * draw(engine), width * draw(engine), width * draw(engine)};
  }
  return x;
}

inline Positions lattice(int side) {
  Positions x;
  for (int i = 0; i < side * side * side; ++i) {
    x.push_back(
        {static_cast<double>(i % side), static_cast<double>(i / side % side), static_cast<double>(i / side / side)});
  }
  std::shuffle(x.begin(), x.end(), std::mt19937_64(3));
  return x;
}

inline NeighbourOptions with(double box_size, int leaf_size = 16) {
  NeighbourOptions options;
  options.box_size = box_size;
  options.leaf_size = leaf_size;
  return options;
}

inline std::vector<std::uint32_t> counts_of(const NeighbourLists& lists) {
  std::vector<std::uint32_t> counts;
  for (std::size_t i = 0; i + 1 < lists.offset.size(); ++i) {
    counts.push_back(static_cast<std::uint32_t>(lists.offset[i + 1] - lists.offset[i]));
  }
  return counts;
}

/// Counts, lists and the k nearest of both walks, on options.backend, compared with all pairs.
inline void expect_all_pairs(const Positions& x, double radius, int k, const NeighbourOptions& options,
                             const std::string& what) {
  const NeighbourLists within = all_pairs(x, radius, 0, options.box_size);
  const NeighbourLists nearest = all_pairs(x, std::numeric_limits<double>::infinity(), k, options.box_size);
  for (const Walk walk : {Walk::group, Walk::stackless}) {
    const std::string which = what + ", " + std::string(name(walk));
    NeighbourTree tree(x, options, walk);
    EXPECT_EQ(tree.backend(), options.backend);
    EXPECT_EQ(tree.count_within(radius), counts_of(within)) << which;
    expect_same(tree.within(radius), within, which);
    expect_same(tree.nearest(k), nearest, which + ", k nearest");
  }
}

}  // namespace hornbeam
