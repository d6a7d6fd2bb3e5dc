// SPDX-License-Identifier: Apache-2.0
// Friends of friends compared with a union over all pairs, exactly, on the CPU: the partition is unique.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "../support/friends.h"

namespace hornbeam {
namespace {

TEST(Friends, ThousandsOfConfigurations) {
  std::mt19937_64 engine(101);
  for (int k = 0; k < 2500; ++k) {
    const Configuration c = any_configuration(engine);
    const Walk walk = k % 3 == 0 ? Walk::stackless : Walk::group;
    const Friends found = find_friends(c.position, c.length, with(c.box, c.leaf_size), walk);
    ASSERT_EQ(found.label, by_all_pairs(c.position, c.length, c.box))
        << k << ": " << c.what << ", " << c.position.size() << " particles, " << name(walk);
  }
}

TEST(Friends, BoxesThatAreNoCubes) {
  std::mt19937_64 engine(106);
  std::uniform_real_distribution<double> draw(0, 1);
  for (int k = 0; k < 200; ++k) {
    const GroupOptions options = any_box(engine);
    Positions x = k % 2 == 0 ? uniform(120, 1.0, engine()) : clustered(120, engine()), none;
    wrap(x, none, options.boundary, options.time);
    double length = 0.15;  // half the least edge there can be
    length *= std::pow(10.0, -1.5 * draw(engine));
    ASSERT_EQ(link_friends(x, length, options), by_all_images(x, length, options.boundary, options.time))
        << k << ": " << name(options.boundary.kind) << ", length " << length;
  }
}

TEST(Friends, CubesAsBoxesAndAsImagesAreTheSame) {
  const Positions x = wrapped(clustered(3000, 107), 8);
  GroupOptions cube, images;
  cube.box_size = 8;
  images.boundary.kind = BoundaryKind::periodic;
  images.boundary.size = {8, 8, 8};
  for (const double length : {0.02, 0.1, 0.5})
    EXPECT_EQ(link_friends(x, length, cube), link_friends(x, length, images));
}

TEST(Friends, OrderOfTheInputDoesNotMatter) {
  std::mt19937_64 engine(102);
  for (int k = 0; k < 50; ++k) {
    const Configuration c = any_configuration(engine);
    std::vector<std::uint32_t> order(c.position.size());
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), engine);
    Positions shuffled;
    for (const std::uint32_t i : order) shuffled.push_back(c.position[i]);
    const auto label = find_friends(c.position, c.length, with(c.box)).label;
    const auto again = find_friends(shuffled, c.length, with(c.box)).label;
    for (std::size_t i = 0; i < order.size(); ++i) {
      EXPECT_EQ(label[order[again[i]]], label[order[i]]) << c.what;
    }
    EXPECT_EQ(groups_in(label), groups_in(again)) << c.what;
  }
}

TEST(Friends, ThreadsAndRepetitionsGiveTheSame) {
  const Positions x = clustered(60000, 103);
  NeighbourOptions options = with(0);
  options.threads = 1;
  const Friends one = find_friends(x, 0.003, options);
  EXPECT_LT(one.units, 50000) << "no cell is linked as a whole";
  for (const int threads : {2, 5, 16}) {
    options.threads = threads;
    EXPECT_EQ(find_friends(x, 0.003, options).label, one.label) << threads;
  }
}

// At exactly the linking length two are friends, one rounding farther they are not.
TEST(Friends, ChainJustUnderAndOver) {
  constexpr double spacing = 0.75;
  Positions chain;
  for (int k = 0; k < 1000; ++k) chain.push_back({spacing * ((k * 7) % 1000), 0, 0});
  EXPECT_EQ(groups_in(find_friends(chain, spacing, with(0)).label), 1U);
  EXPECT_EQ(groups_in(find_friends(chain, std::nextafter(spacing, 0), with(0)).label), 1000U);
  EXPECT_EQ(groups_in(find_friends(chain, spacing * (1 - 1e-6), with(0)).label), 1000U);
  EXPECT_EQ(groups_in(find_friends(chain, spacing * (1 + 1e-6), with(0)).label), 1U);
  for (Vec3& x : chain) x = {x[0], x[0], 0};  // the same along a diagonal
  EXPECT_EQ(groups_in(find_friends(chain, spacing * std::sqrt(2) * (1 + 1e-9), with(0)).label), 1U);
  EXPECT_EQ(groups_in(find_friends(chain, spacing * std::sqrt(2) * (1 - 1e-9), with(0)).label), 1000U);
}

// Two dense balls whose units come within reach of one another everywhere, without a friend between them: each has
// millions of pairs that nobody may look at.
TEST(Friends, DenseUnitsThatAreNoFriends) {
  Positions x;
  for (const double at : {0.0, 1.0001}) {
    for (const Vec3& p : uniform(30000, 1e-5, 104)) x.push_back({at + p[0], p[1], p[2]});
  }
  EXPECT_EQ(groups_in(find_friends(x, 1.0, with(0)).label), 2U);
  EXPECT_EQ(groups_in(find_friends(x, 1.0002, with(0)).label), 1U);
}

TEST(Friends, NoneOneAndTwo) {
  using Labels = std::vector<std::uint32_t>;
  EXPECT_TRUE(find_friends({}, 1.0, with(0)).label.empty());
  EXPECT_EQ(find_friends({{1, 2, 3}}, 1.0, with(0)).label, Labels{0});
  EXPECT_EQ(find_friends({{0, 0, 0}, {1, 0, 0}}, 1.0, with(0)).label, (Labels{0, 0}));
  EXPECT_EQ(find_friends({{0, 0, 0}, {1, 0, 0}}, 0.99, with(0)).label, (Labels{0, 1}));
  EXPECT_EQ(find_friends({{0.1, 0, 0}, {3.9, 0, 0}}, 0.25, with(4)).label, (Labels{0, 0})) << "through the wall";
}

// A thousand Plummer spheres of a thousand, cut at 4.9 scale radii and 11 apart or more, in a box of unequal edges that
// some of them stand across, are a thousand groups whose members are of one sphere each.
TEST(Friends, ThousandPlummerSpheres) {
  constexpr std::uint32_t spheres = 1000, each = 1000;
  std::mt19937_64 engine(108);
  std::uniform_real_distribution<double> draw(0, 1);
  Particles p;
  p.resize(std::size_t{spheres} * each);
  std::vector<std::uint32_t> place(p.size());
  std::iota(place.begin(), place.end(), 0U);
  std::shuffle(place.begin(), place.end(), engine);
  GroupOptions options;       // 0.2 mean separations: 0.24 scale radii
  options.min_members = 100;  // a core has hundreds; splinters of its rim have some dozens at most
  options.boundary.kind = BoundaryKind::periodic;
  options.boundary.size = {110, 120, 130};
  for (std::uint32_t k = 0; k < p.size(); ++k) {
    const std::uint32_t s = k / each;
    const double r = 1 / std::sqrt(std::pow(0.94 * draw(engine), -2.0 / 3.0) - 1), z = 2 * draw(engine) - 1;
    const double angle = 6.283185307179586 * draw(engine), across = std::sqrt(1 - z * z);
    p.position[place[k]] = {11.0 * (s % 10) + r * across * std::cos(angle),
                            12.0 * (s / 10 % 10) + r * across * std::sin(angle), 13.0 * (s / 100) + r * z};
    p.id[place[k]] = s;
  }
  const GroupCatalogue found = find_groups(p, options);
  ASSERT_EQ(found.groups.size(), spheres);
  for (const Group& group : found.groups) {
    for (std::uint64_t k = 0; k < group.size; ++k) {
      ASSERT_EQ(p.id[found.members[group.first + k]], p.id[found.members[group.first]]);
    }
  }
}

TEST(Friends, ManyClumps) {
  std::mt19937_64 engine(105);
  std::uniform_real_distribution<double> draw(-1, 1);
  Positions x;
  for (int k = 0; k < 1000; ++k) {
    for (int p = 0; p < 60; ++p) {
      x.push_back(
          {10.0 * (k % 10) + draw(engine), 10.0 * (k / 10 % 10) + draw(engine), 10.0 * (k / 100) + draw(engine)});
    }
  }
  std::shuffle(x.begin(), x.end(), engine);
  EXPECT_EQ(groups_in(find_friends(x, 2.0, with(0)).label), 1000U);
}

}  // namespace
}  // namespace hornbeam
