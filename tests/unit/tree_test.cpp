// SPDX-License-Identifier: Apache-2.0
// The tree over particles of every awkward kind: who lies in which cell, how cells are linked, what they know.
#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "device/host/room.h"
#include "hornbeam/error.h"
#include "support/built_tree.h"
#include "support/forces.h"

HB_OPEN
namespace {

/// Made by the test that takes it, not when the program starts: every one of the folder's tests starts the program
/// again.
struct Input {
  std::string name;
  Particles (*particles)();
};
void PrintTo(const Input& input, std::ostream* out) { *out << input.name; }

Particles one() { return at_rest({{3, -1, 2}}, {5}); }
Particles two() { return at_rest({{3, -1, 2}, {3, -1, 4}}, {5, 1}); }
Particles all_at_one_point() { return at_rest(std::vector<Vec3>(100, {1, 2, 3}), std::vector<double>(100, 0.5)); }

Particles far_from_the_origin() {
  Particles p = drawn("hernquist", 2000);
  for (Vec3& x : p.position) x = {x[0] + 1e6, x[1] - 1e6, x[2]};
  return p;
}

Particles outlier() {
  Particles p = drawn("plummer", 3000);
  p.position[77] = {1e12, 0, -1e12};
  return p;
}

Particles coincident_lumps() {
  Particles p = drawn("plummer", 1000);
  for (std::size_t i = 0; i < 300; ++i) p.position[i] = {0.1, 0.2, 0.3};
  for (std::size_t i = 300; i < 320; ++i) p.position[i] = {-0.1, 0.2, 0.3};
  return p;
}

Particles one_large_leaf() {
  Particles p = drawn("plummer", 1500);  // 700 in one cell of the deepest level, and not at one place
  for (std::size_t i = 0; i < 700; ++i) {
    const double k = static_cast<double>(i);
    p.position[i] = {0.1 + 1e-7 * std::sin(k), 0.2 + 1e-7 * std::sin(2 * k), 0.3 + 1e-7 * std::sin(3 * k)};
  }
  return p;
}

Particles plane() {
  Particles p = drawn("plummer", 1000);
  for (Vec3& x : p.position) x[2] = 0;
  return p;
}

Particles mostly_tracers() {
  Particles p = drawn("plummer", 1000);
  for (std::size_t i = 0; i < 1000; ++i) p.mass[i] = i % 10 == 0 ? 1 : 0;
  return p;
}

Particles softened() {
  Particles p = drawn("plummer", 1000);
  for (std::size_t i = 0; i < 1000; ++i) p.eps.push_back(0.001 * static_cast<double>(i % 7));
  return p;
}

const Input inputs[] = {
    {"none", [] { return Particles{}; }},
    {"one", one},
    {"two", two},
    {"plummer", [] { return drawn("plummer", 5000); }},
    {"cube", [] { return drawn("uniform-cube", 3000); }},
    {"lattice", [] { return drawn("lattice", 4096); }},
    {"far_from_the_origin", far_from_the_origin},
    {"outlier", outlier},
    {"coincident_lumps", coincident_lumps},
    {"one_large_leaf", one_large_leaf},
    {"all_at_one_point", all_at_one_point},
    {"plane", plane},
    {"mostly_tracers", mostly_tracers},
    {"softened", softened},
};

class Trees : public ::testing::TestWithParam<Input> {
 protected:
  static constexpr i32 leaf_size = 16;

  Trees()
      : particles_(GetParam().particles()),
        built_(build_tree(particles_, GravityOptions{})),
        cells_(built_.tree.view()) {
    levels_.assign(static_cast<std::size_t>(cells()), 0);
    for (i32 c = 0; c < cells(); ++c) {
      for (i32 k = cells_.child[c]; k < cells_.child[c] + cells_.children[c]; ++k) levels_[k] = levels_[c] + 1;
    }
  }

  [[nodiscard]] i32 cells() const { return built_.tree.size(); }
  [[nodiscard]] i32 n() const { return built_.options.particles; }
  [[nodiscard]] Vec3 position(i32 i) const { return {built_.x[i], built_.y[i], built_.z[i]}; }
  [[nodiscard]] Vec3 com(i32 c) const { return {cells_.com_x[c], cells_.com_y[c], cells_.com_z[c]}; }
  [[nodiscard]] double extent(i32 c) const {
    return std::max(
        {cells_.high_x[c] - cells_.low_x[c], cells_.high_y[c] - cells_.low_y[c], cells_.high_z[c] - cells_.low_z[c]});
  }
  [[nodiscard]] double unit() const { return built_.options.unit; }
  /// Rounding of a position of this size in fp64, a few times over.
  [[nodiscard]] double grain(i32 c) const {
    return 4e-16 * std::max({std::abs(cells_.high_x[c]), std::abs(cells_.low_x[c]), std::abs(cells_.high_y[c]),
                             std::abs(cells_.low_y[c]), std::abs(cells_.high_z[c]), std::abs(cells_.low_z[c])});
  }

  Particles particles_;
  BuiltTree built_;
  CellsView cells_;
  std::vector<int> levels_;
};
INSTANTIATE_TEST_SUITE_P(All, Trees, ::testing::ValuesIn(inputs), [](const auto& info) { return info.param.name; });

TEST_P(Trees, ParticlesStandAlongTheCurve) {
  EXPECT_EQ(std::set<u32>(built_.input.begin(), built_.input.end()).size(), particles_.size());
  for (i32 i = 0; i < n(); ++i) {
    EXPECT_EQ(position(i), particles_.position[built_.input[i]]);
    EXPECT_EQ(built_.keys[i], particle_key(built_.x[i], built_.y[i], built_.z[i], built_.cube, HB_CURVE_HILBERT));
    if (i == 0) continue;
    ASSERT_LE(built_.keys[i - 1], built_.keys[i]);
    if (built_.keys[i - 1] == built_.keys[i]) {
      ASSERT_LT(built_.input[i - 1], built_.input[i]);
    }
  }
}

TEST_P(Trees, EveryParticleIsInOneLeaf) {
  std::vector<int> owners(static_cast<std::size_t>(n()), 0);
  for (i32 c = 0; c < cells(); ++c) {
    EXPECT_GT(cells_.count[c], 0);
    if (cells_.children[c] > 0) continue;
    for (i32 i = cells_.first[c]; i < cells_.first[c] + cells_.count[c]; ++i) ++owners.at(static_cast<std::size_t>(i));
  }
  for (const int o : owners) ASSERT_EQ(o, 1);
  if (n() > 0) {
    EXPECT_EQ(cells_.first[0], 0);
    EXPECT_EQ(cells_.count[0], n());
  } else {
    EXPECT_EQ(cells(), 0);
  }
}

TEST_P(Trees, LeavesAreSmallAboveTheDeepestLevel) {
  for (i32 c = 0; c < cells(); ++c) {
    ASSERT_LE(levels_[c], HB_LEVELS);
    if (cells_.children[c] > 0) {
      ASSERT_GT(cells_.count[c], leaf_size);
    } else if (levels_[c] < HB_LEVELS) {
      ASSERT_LE(cells_.count[c], leaf_size);
    }
  }
}

TEST_P(Trees, ChildrenStandSideBySideInTheOrderOfTheCurve) {
  for (i32 c = 0; c < cells(); ++c) {
    ASSERT_LE(cells_.children[c], 8);
    if (cells_.children[c] == 0) {
      ASSERT_EQ(cells_.child[c], 0);
      continue;
    }
    ASSERT_GT(cells_.child[c], c);
    i32 begin = cells_.first[c], octant = -1;
    for (i32 k = cells_.child[c]; k < cells_.child[c] + cells_.children[c]; ++k) {
      ASSERT_EQ(cells_.first[k], begin);
      begin += cells_.count[k];
      const i32 here = key_octant(built_.keys[cells_.first[k]], levels_[c]);
      ASSERT_GT(here, octant);
      octant = here;
      for (i32 i = cells_.first[k]; i < begin; ++i) {  // one octant of one cell
        ASSERT_EQ(key_octant(built_.keys[i], levels_[c]), here);
        const int shift = 3 * (HB_LEVELS - levels_[c]);
        ASSERT_EQ(shift == 63 ? 0 : built_.keys[i] >> shift, shift == 63 ? 0 : built_.keys[cells_.first[c]] >> shift);
      }
    }
    ASSERT_EQ(begin, cells_.first[c] + cells_.count[c]);
  }
}

TEST_P(Trees, LinksVisitEveryCellOnceAndLeavesInOrder) {
  i32 visited = 0, next_particle = 0;
  for (i32 c = cells() > 0 ? 0 : -1; c >= 0; c = cells_.children[c] > 0 ? cells_.child[c] : cells_.next[c]) {
    ASSERT_LT(visited++, cells());
    if (cells_.children[c] > 0) continue;
    ASSERT_EQ(cells_.first[c], next_particle);
    next_particle += cells_.count[c];
  }
  EXPECT_EQ(visited, cells());
  EXPECT_EQ(next_particle, n());
}

TEST_P(Trees, NextLeavesACellBehindItsParticles) {
  for (i32 c = 0; c < cells(); ++c) {
    const i32 end = cells_.first[c] + cells_.count[c];
    if (cells_.next[c] < 0) {
      ASSERT_EQ(end, n());
    } else {
      ASSERT_EQ(cells_.first[cells_.next[c]], end);
    }
  }
}

TEST_P(Trees, BoxesAreTight) {
  for (i32 c = 0; c < cells(); ++c) {
    Vec3 low = position(cells_.first[c]), high = low;
    for (i32 i = cells_.first[c]; i < cells_.first[c] + cells_.count[c]; ++i) {
      for (int k = 0; k < 3; ++k)
        low[k] = std::min(low[k], position(i)[k]), high[k] = std::max(high[k], position(i)[k]);
    }
    ASSERT_EQ((Vec3{cells_.low_x[c], cells_.low_y[c], cells_.low_z[c]}), low);
    ASSERT_EQ((Vec3{cells_.high_x[c], cells_.high_y[c], cells_.high_z[c]}), high);
  }
}

TEST_P(Trees, MassAndCentreAreThoseOfTheParticles) {
  for (i32 c = 0; c < cells(); ++c) {
    double mass = 0;
    Vec3 sum{};
    const Vec3 origin = com(c);
    for (i32 i = cells_.first[c]; i < cells_.first[c] + cells_.count[c]; ++i) {
      mass += built_.mass[i];
      for (int k = 0; k < 3; ++k) sum[k] += built_.mass[i] * (position(i)[k] - origin[k]);
    }
    // a level adds half a unit of fp32's last place: 2^-24 times at most 21 levels
    ASSERT_NEAR(cells_.cell_mass[c], mass, 21 * 0x1p-24 * mass);
    for (int k = 0; k < 3 && mass > 0; ++k) ASSERT_NEAR(sum[k] / mass, 0, 21 * 0x1p-24 * extent(c) + grain(c));
    for (int k = 0; k < 3; ++k) ASSERT_TRUE(std::isfinite(origin[k]));
  }
}

TEST_P(Trees, EveryDistanceIsBounded) {
  for (i32 c = 0; c < cells(); ++c) {
    double farthest = 0;
    for (i32 i = cells_.first[c]; i < cells_.first[c] + cells_.count[c]; ++i) {
      const Vec3 x = position(i), o = com(c);
      farthest = std::max(farthest, std::hypot(x[0] - o[0], x[1] - o[1], x[2] - o[2]) * unit());
    }
    ASSERT_GE(cells_.b[c] * (1 + 1e-6), farthest);  // stored in fp32
    // never larger than the box allows: its diagonal
    ASSERT_LE(cells_.b[c], (std::sqrt(3.0) * extent(c) + grain(c)) * unit() * (1 + 1e-6));
    if (extent(c) == 0) {
      ASSERT_EQ(cells_.b[c], 0);  // an exact point mass
    }
  }
}

TEST_P(Trees, QuadrupolesAreThoseOfTheParticles) {
  for (i32 c = 0; c < cells(); ++c) {
    double M[6] = {0, 0, 0, 0, 0, 0}, size = 0;
    const Vec3 o = com(c);
    for (i32 i = cells_.first[c]; i < cells_.first[c] + cells_.count[c]; ++i) {
      const Vec3 x = position(i);
      p2m_2<double>(built_.mass[i], (x[0] - o[0]) * unit(), (x[1] - o[1]) * unit(), (x[2] - o[2]) * unit(), M);
    }
    for (const double m : M) size = std::max(size, std::abs(m));
    // fp32 moments, and fp32 masses and centres of the children on up to 21 levels
    const double tolerance = 21 * 0x1p-23 * size + 4 * cells_.cell_mass[c] * std::pow(grain(c) * unit(), 2);
    for (int k = 0; k < 6; ++k)
      ASSERT_NEAR(cells_.moments[c * static_cast<u64>(built_.options.moment_stride) + k], M[k], tolerance);
  }
}

TEST_P(Trees, SofteningIsTheMassWeightedMeanAndReachTheLargest) {
  for (i32 c = 0; c < cells(); ++c) {
    double mass = 0, weighted = 0, plain = 0, largest = 0;
    for (i32 i = cells_.first[c]; i < cells_.first[c] + cells_.count[c]; ++i) {
      mass += built_.mass[i];
      weighted += built_.mass[i] * static_cast<double>(built_.soft2[i]);
      plain += built_.soft2[i];
      largest = std::max(largest, static_cast<double>(built_.soft2[i]));
    }
    const double mean = mass > 0 ? weighted / mass : plain / cells_.count[c];
    // a child without mass has the plain mean of its particles, which then weighs nothing
    ASSERT_NEAR(cells_.cell_soft2[c], mean, 42 * 0x1p-24 * std::max(mean, largest));
    ASSERT_NEAR(cells_.reach[c], 2.8 * std::sqrt(2 * largest), 1e-6 * std::sqrt(largest));
  }
}

TEST_P(Trees, OpeningRadiusIsEdgeOverThetaPlusOffset) {
  for (i32 c = 0; c < cells(); ++c) {
    if (extent(c) == 0) {
      ASSERT_EQ(cells_.size2[c], 0);
      continue;
    }
    const double edge = built_.cube.edge / static_cast<double>(1 << levels_[c]);
    if (extent(c) > edge) continue;  // holds clamped outliers: see the next test
    const i32 p = cells_.first[c];
    const Vec3 corner = {cell_low(built_.x[p], built_.cube.x, built_.cube, levels_[c]),
                         cell_low(built_.y[p], built_.cube.y, built_.cube, levels_[c]),
                         cell_low(built_.z[p], built_.cube.z, built_.cube, levels_[c])};
    const Vec3 o = com(c);
    const double delta =
        std::hypot(o[0] - corner[0] - edge / 2, o[1] - corner[1] - edge / 2, o[2] - corner[2] - edge / 2);
    const double radius = (edge / 0.6 + delta) * unit();
    // fp32, and positions' own grain where the cell is far from the origin
    ASSERT_NEAR(std::sqrt(cells_.size2[c]), radius, 1e-6 * radius + 4 * grain(c) * unit());
  }
}

TEST(Tree, AnOutlierDoesNotCostResolution) {
  Particles p = drawn("plummer", 3000);
  const i32 before = build_tree(p, GravityOptions{}).tree.size();
  p.position[77] = {1e12, 0, -1e12};
  BuiltTree built = build_tree(p, GravityOptions{});
  EXPECT_LT(built.cube.edge, 1e3);
  EXPECT_NEAR(built.tree.size(), before, 0.1 * before);  // nearly the same cells
  // cells that hold it are opened by all who are not as far away as it is
  EXPECT_GT(std::sqrt(built.tree.view().size2[0]), 1e12 * built.options.unit);
}

TEST(Tree, LeafSizeIsKept) {
  for (const int leaf : {1, 2, 5, 100}) {
    GravityOptions o;
    o.leaf_size = leaf;
    BuiltTree built = build_tree(drawn("plummer", 2000), o);
    const CellsView cells = built.tree.view();
    for (i32 c = 0; c < built.tree.size(); ++c) {
      if (cells.children[c] == 0) {
        ASSERT_LE(cells.count[c], leaf);
      }
    }
  }
}

/// Sorted by any number of threads, entries whose keys differ in the bits from `bit` on stand as std::sort puts them.
void expect_sorted(int bit) {
  Array<SortEntry> entries;
  for (u32 i = 0; i < 50000; ++i) entries.push_back({(i * 2654435761ULL) % 1000 << bit, i, 50000 - i});
  Array<SortEntry> expected = entries, scratch;
  std::sort(expected.begin(), expected.end());
  for (const int threads : {1, 2, 3, 7}) {
    Array<SortEntry> sorted = entries;
    omp_set_num_threads(threads);
    sort_entries(sorted, scratch);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      ASSERT_EQ(sorted[i].key, expected[i].key);
      ASSERT_EQ(sorted[i].input, expected[i].input);
      ASSERT_EQ(sorted[i].place, expected[i].place);
    }
  }
}

TEST(Sort, GivesOneOrderForAnyNumberOfThreads) { expect_sorted(53); }
TEST(Sort, TellsApartInItsLowerHalfWhatIsOneCellInTheUpper) { expect_sorted(3); }
TEST(Sort, TellsApartInBothHalves) { expect_sorted(27); }

TEST(Room, WithoutMemoryGivesAnErrorThatParallelRegionsSurvive) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "SKIPPED: AddressSanitizer ends the program instead";
#endif
  Rescue rescue;
  int done = 0;
#pragma omp parallel for num_threads(2) reduction(+ : done)
  for (int i = 0; i < 100; ++i) {
    rescue.run([&] {
      Room<double> room;
      room.reserve(i < 40 ? 1000 : i64{1} << 50);  // more than any machine's addresses
      room[999] = 1;
      ++done;
    });
  }
  EXPECT_LE(done, 40);
  try {
    rescue.check();
    FAIL() << "no Error";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("memory: 13510798882111488 more bytes"), 0u) << error.what();
  }
}

}  // namespace
HB_CLOSE
