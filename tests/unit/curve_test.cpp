// SPDX-License-Identifier: Apache-2.0
// Space-filling curves: every grid cell has a key of its own, neighbours along the Hilbert curve are neighbours in
// space, and the cells of the tree are runs of keys.
#define HB_PRECISION HB_DOUBLE
#include "physics/curve.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

HB_OPEN
namespace {

using Point = std::array<u32, 3>;
constexpr u32 grid_end = 1U << HB_LEVELS;

/// Keys of a block of 2^bits cells an axis at the origin of the grid, with their cells.
std::map<u64, Point> block(i32 curve, int bits) {
  std::map<u64, Point> cells;
  const u32 edge = 1U << bits;
  for (u32 x = 0; x < edge; ++x) {
    for (u32 y = 0; y < edge; ++y) {
      for (u32 z = 0; z < edge; ++z) cells[curve_key(curve, x, y, z)] = {x, y, z};
    }
  }
  return cells;
}

u32 distance(const Point& a, const Point& b) {
  u32 sum = 0;
  for (int k = 0; k < 3; ++k) sum += a[k] > b[k] ? a[k] - b[k] : b[k] - a[k];
  return sum;
}

class Curves : public ::testing::TestWithParam<i32> {};
INSTANTIATE_TEST_SUITE_P(All, Curves, ::testing::Values(HB_CURVE_HILBERT, HB_CURVE_MORTON),
                         [](const auto& info) { return info.param == HB_CURVE_HILBERT ? "Hilbert" : "Morton"; });

TEST_P(Curves, KeysOfABlockAreItsFirstNumbers) {
  for (int bits = 1; bits <= 5; ++bits) {
    const auto cells = block(GetParam(), bits);
    // as many different keys as cells, without a gap: a bijection
    ASSERT_EQ(cells.size(), 1ULL << (3 * bits));
    EXPECT_EQ(cells.begin()->first, 0U);
    EXPECT_EQ(cells.rbegin()->first, (1ULL << (3 * bits)) - 1);
  }
}

TEST_P(Curves, StepsLeadToTheKeys) {
  const auto steps = curve_steps(GetParam());
  std::mt19937_64 engine(3);
  for (int trial = 0; trial < 1000; ++trial) {
    const auto random = [&] { return static_cast<u32>(engine() % grid_end); };
    const Point p = {random(), random(), random()};
    u64 key = 0;
    u32 step = 0;
    for (int level = HB_LEVELS - 1; level >= 0; --level) {
      const auto bit = [&](int axis) { return (p[axis] >> level) & 1U; };
      step = steps.at(curve_place(step, 4 * bit(0) + 2 * bit(1) + bit(2)));
      key = 8 * key + step % 8;
    }
    ASSERT_EQ(key, curve_key(GetParam(), p[0], p[1], p[2]));
  }
}

TEST_P(Curves, CellsOfTheTreeAreRunsOfKeys) {
  // all cells of the grid whose coordinates agree above `level` bits agree in the key's bits above 3 * level
  std::mt19937_64 engine(1);
  for (int trial = 0; trial < 200; ++trial) {
    const auto random = [&] { return static_cast<u32>(engine() % grid_end); };
    const Point corner = {random(), random(), random()};
    for (int level = 1; level < HB_LEVELS; ++level) {
      const u32 low = (1U << level) - 1;
      std::set<u64> prefixes;
      for (int k = 0; k < 8; ++k) {
        const auto inside = [&](u32 v) { return (v & ~low) | (static_cast<u32>(engine()) & low); };
        prefixes.insert(curve_key(GetParam(), inside(corner[0]), inside(corner[1]), inside(corner[2])) >> (3 * level));
      }
      ASSERT_EQ(prefixes.size(), 1U) << "level " << level;
    }
  }
}

TEST_P(Curves, TheEightChildrenOfACellFollowOneAnother) {
  std::mt19937_64 engine(2);
  for (int level = 0; level < HB_LEVELS; ++level) {
    const u32 child_edge = 1U << (HB_LEVELS - 1 - level), cells = 1U << level;
    const auto random = [&] { return static_cast<u32>(engine() % cells) * 2 * child_edge; };
    const Point corner = {random(), random(), random()};
    std::set<i32> octants;
    std::set<u64> parents;
    for (u32 k = 0; k < 8; ++k) {
      const u64 key = curve_key(GetParam(), corner[0] + (k & 1) * child_edge, corner[1] + ((k >> 1) & 1) * child_edge,
                                corner[2] + ((k >> 2) & 1) * child_edge);
      octants.insert(key_octant(key, level));
      parents.insert(level == 0 ? 0 : key >> (3 * (HB_LEVELS - level)));
    }
    EXPECT_EQ(octants.size(), 8U) << "level " << level;
    EXPECT_EQ(parents.size(), 1U) << "level " << level;
  }
}

TEST(Hilbert, ConsecutiveKeysAreNeighbouringCells) {
  const auto cells = block(HB_CURVE_HILBERT, 5);
  for (auto here = cells.begin(), next = std::next(here); next != cells.end(); here = next++) {
    ASSERT_EQ(distance(here->second, next->second), 1U) << "after key " << here->first;
  }
}

TEST(Hilbert, NeighboursAlongTheCurveAcrossTheWholeGrid) {
  // the same at the finest level far from the origin: of the 8 cells of a block of two, in order, each touches the next
  std::mt19937_64 engine(3);
  for (int trial = 0; trial < 1000; ++trial) {
    const auto random = [&] { return static_cast<u32>(engine() % (grid_end / 2)) * 2; };
    const Point corner = {random(), random(), random()};
    std::map<u64, Point> cells;
    for (u32 k = 0; k < 8; ++k) {
      const Point p = {corner[0] + (k & 1), corner[1] + ((k >> 1) & 1), corner[2] + ((k >> 2) & 1)};
      cells[hilbert_key(p[0], p[1], p[2])] = p;
    }
    ASSERT_EQ(cells.rbegin()->first - cells.begin()->first, 7U);
    for (auto here = cells.begin(), next = std::next(here); next != cells.end(); here = next++) {
      ASSERT_EQ(distance(here->second, next->second), 1U);
    }
  }
}

TEST(Morton, IsTheInterleavedBits) {
  EXPECT_EQ(curve_key(HB_CURVE_MORTON, 1, 0, 0), 4U);
  EXPECT_EQ(curve_key(HB_CURVE_MORTON, 0, 1, 0), 2U);
  EXPECT_EQ(curve_key(HB_CURVE_MORTON, 0, 0, 1), 1U);
  EXPECT_EQ(curve_key(HB_CURVE_MORTON, grid_end - 1, grid_end - 1, grid_end - 1), (1ULL << 63) - 1);
  EXPECT_EQ(spread_bits((1U << 11) - 1), 0x49249249U);
}

TEST(GridCoordinate, CoversTheCubeAndClampsWhatIsOutside) {
  const pos_t low = -3, edge = 8, per_length = grid_end / edge;
  EXPECT_EQ(grid_coordinate(low, low, per_length), 0U);
  EXPECT_EQ(grid_coordinate(low + edge / 2, low, per_length), grid_end / 2);
  EXPECT_EQ(grid_coordinate(low + edge * (1 - 1e-9), low, per_length), grid_end - 1);
  EXPECT_EQ(grid_coordinate(low + edge, low, per_length), grid_end - 1);
  EXPECT_EQ(grid_coordinate(1e300, low, per_length), grid_end - 1);
  EXPECT_EQ(grid_coordinate(-1e300, low, per_length), 0U);
}

}  // namespace
HB_CLOSE
