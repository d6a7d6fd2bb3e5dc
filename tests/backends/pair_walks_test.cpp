// SPDX-License-Identifier: Apache-2.0
// What walks over pairs offer every visitor, on every backend and walk, beside all pairs: targets that are not the
// sources, lists of images, walks that start from a list of cells, rows that stay on the device.
#define HB_PRECISION 0
#include <gtest/gtest.h>

#include <algorithm>

#include "../support/devices.h"
#include "../support/neighbours.h"
#include "interactions/neighbours/neighbour_search.h"
#include "support/pair_counts.h"

namespace hornbeam {
namespace {

using namespace mixed;

using Images = std::vector<SourceImage>;
using Row = std::vector<std::pair<double, std::uint32_t>>;

/// Rows of the targets, by index or (k > 0) the nearest by distance; self: targets are the sources.
NeighbourLists all_pairs_of(const Positions& targets, const Positions& sources, const Images& images, double radius,
                            int k, bool self) {
  NeighbourLists lists;
  lists.offset.push_back(0);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    Row row;
    for (std::size_t m = 0; m < images.size(); ++m) {
      for (std::uint32_t j = 0; j < sources.size(); ++j) {
        if (self && m == 0 && j == i) continue;
        double d2 = 0;
        for (int a = 0; a < 3; ++a) {
          const double d = (sources[j][a] - targets[i][a]) + images[m].shift[a];
          d2 += d * d;
        }
        if (k > 0 || d2 <= radius * radius) row.emplace_back(d2, j);
      }
    }
    if (k > 0) {
      std::partial_sort(row.begin(), row.begin() + k, row.end());
      row.resize(static_cast<std::size_t>(k));
    } else {
      std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) {
        return a.second < b.second || (a.second == b.second && a.first < b.first);
      });
    }
    for (const auto& [d2, j] : row) {
      lists.index.push_back(j);
      lists.distance2.push_back(d2);
    }
    lists.offset.push_back(lists.index.size());
  }
  return lists;
}

/// 27 cubes, sheared.
Images sheared_cubes(double edge, double slip) {
  Images images(1);
  for (int m = 0; m < 27; ++m) {
    const int i = m % 3 - 1, j = m / 3 % 3 - 1, k = m / 9 - 1;
    if (m != 13) images.push_back({{i * edge, j * edge + i * slip, k * edge}, {}});
  }
  return images;
}

/// Calls act(search, what) for every backend and walk.
template <class Act>
void on_every_walk(const Positions& sources, Act act) {
  for_each_pair_walk([&](const std::string& backend, bool groups) {
    const Walk walk = groups ? Walk::group : Walk::stackless;
    NeighbourOptions options;
    options.backend = backend;
    const auto search = make_search(open_device(backend, 0), sources, options, walk);
    act(*search, backend + ", " + std::string(name(walk)));
  });
}

TEST(PairWalks, TargetsApartFromSources) {
  const Positions sources = clustered(800, 91);
  Positions targets = uniform(300, 4.0, 92);
  targets[17] = sources[17];
  targets[18] = {1e6, 0, 0};
  const KeptTargets apart{&targets, one_image};
  const NeighbourLists within = all_pairs_of(targets, sources, one_image, 0.5, 0, false);
  const NeighbourLists nearest = all_pairs_of(targets, sources, one_image, 0, 12, false);
  on_every_walk(sources, [&](NeighbourSearch& search, const std::string& what) {
    expect_same(search.keep_within(0.5, apart)->lists(), within, what);
    expect_same(search.keep_nearest(12, apart)->lists(), nearest, what + ", nearest");
  });
}

TEST(PairWalks, ShearedImages) {
  const Positions x = uniform(250, 1.0, 93);
  const Images images = sheared_cubes(1.0, 0.3);
  const KeptTargets all{nullptr, images};
  const NeighbourLists within = all_pairs_of(x, x, images, 0.35, 0, true);
  const NeighbourLists nearest = all_pairs_of(x, x, images, 0, 20, true);
  on_every_walk(x, [&](NeighbourSearch& search, const std::string& what) {
    expect_same(search.keep_within(0.35, all)->lists(), within, what);
    expect_same(search.keep_nearest(20, all)->lists(), nearest, what + ", nearest");
  });
}

TEST(PairWalks, KeptRowsAreTheLists) {
  const Positions x = uniform(1000, 1.0, 94);
  on_every_walk(x, [&](NeighbourSearch& search, const std::string& what) {
    const auto kept = search.keep_within(0.1);
    const NeighbourLists within = all_pairs(x, 0.1, 0, 0);
    EXPECT_EQ(kept->entries(), within.index.size()) << what;
    expect_same(kept->lists(), within, what);
    expect_same(search.keep_nearest(8)->lists(), all_pairs(x, 10.0, 8, 0), what + ", nearest");
    EXPECT_EQ(search.keep_within(1e-6)->entries(), 0U) << what;
  });
}

/// The cells of a level of the tree that hold all particles: children of children of the root, and leaves above.
std::vector<i32> cells_below_root(const CellsView& cells) {
  std::vector<i32> found{0};
  for (int level = 0; level < 2; ++level) {
    std::vector<i32> next;
    for (const i32 c : found) {
      if (cells.children[c] == 0) next.push_back(c);
      for (i32 k = 0; k < cells.children[c]; ++k) next.push_back(cells.child[c] + k);
    }
    found = next;
  }
  return found;
}

TEST(PairWalks, StartFromAListOfCells) {
  const Positions x = uniform(1500, 1.0, 95);
  const std::vector<std::uint32_t> expected = counts_of(all_pairs(x, 0.12, 0, 0));
  const auto start = [](const CellsView& cells) { return cells_below_root(cells); };
  const std::unique_ptr<Device> cpu = open_device("cpu", 0);
  EXPECT_GT(start(host_view(PairPoints(*cpu, places_of(x), 8, false).tree().cells())).size(), 32U);
  for_each_pair_walk([&](const std::string& backend, bool groups) {
    EXPECT_EQ(counts_from(backend, groups, x, 0.12, start), expected) << backend << groups;
  });
}

}  // namespace
}  // namespace hornbeam
