// SPDX-License-Identifier: Apache-2.0
// Neighbour search on every device against all pairs and the CPU, exactly: the same sets, the same order, the same
// squared distances to the bit, as all measure by the same operations in fp64, none of them fused.
#include <gtest/gtest.h>

#include "../support/devices.h"
#include "../support/neighbours.h"
#include "hornbeam/error.h"

namespace hornbeam {
namespace {

NeighbourOptions on(const std::string& backend, double box_size = 0, int leaf_size = 16) {
  NeighbourOptions options = with(box_size, leaf_size);
  options.backend = backend;
  return options;
}

class DeviceNeighbours : public testing::Test {
 protected:
  void SetUp() override {
    if (device_backends().empty()) GTEST_SKIP() << no_device;
  }
};

TEST_F(DeviceNeighbours, RandomParticles) {
  const Positions x = uniform(1500, 1.0, 11);
  for (const std::string& backend : device_backends()) {
    expect_all_pairs(x, 0.1, 32, on(backend), backend + ", uniform");
    expect_all_pairs(uniform(500, 1.0, 12), 3.0, 1, on(backend, 0, 1),
                     backend + ", leaves of one, a radius that holds all");
  }
}

TEST_F(DeviceNeighbours, ClusteredParticles) {
  const Positions x = clustered(1500, 5);
  for (const std::string& backend : device_backends()) {
    for (const double radius : {1e-4, 0.5}) {
      expect_all_pairs(x, radius, 20, on(backend, 0, 40), backend + ", radius " + std::to_string(radius));
    }
  }
}

TEST_F(DeviceNeighbours, PeriodicCube) {
  const Positions x = uniform(700, 2.5, 17);
  for (const std::string& backend : device_backends()) {
    for (const double radius : {0.2, 1.25}) {
      expect_all_pairs(x, radius, 40, on(backend, 2.5), backend + ", radius " + std::to_string(radius));
    }
  }
}

// A particle at exactly the radius is a neighbour; ties in the k nearest go by index.
TEST_F(DeviceNeighbours, LatticeWithExactTies) {
  const Positions x = lattice(9);
  for (const std::string& backend : device_backends()) {
    expect_all_pairs(x, 1.0, 10, on(backend), backend + ", lattice");
    expect_all_pairs(x, 2.0, 17, on(backend, 9.0), backend + ", periodic lattice");
  }
}

TEST_F(DeviceNeighbours, CoincidentParticlesAndOneFarAway) {
  Positions x(300, Vec3{0.25, 0.5, 0.75});
  const Positions others = uniform(300, 1.0, 23);
  for (std::size_t i = 0; i < others.size(); ++i) x.insert(x.begin() + static_cast<std::ptrdiff_t>(2 * i), others[i]);
  for (const std::string& backend : device_backends()) {
    expect_all_pairs(x, 0.1, 30, on(backend, 1.0), backend + ", half at one point");
    expect_all_pairs(x, 0.1, 400, on(backend), backend + ", and more asked than stand there");
    Positions far = x;
    far[170] = {1e12, -1e12, 1e12};
    expect_all_pairs(far, 0.1, 32, on(backend), backend + ", one far away");
  }
}

TEST_F(DeviceNeighbours, FewParticles) {
  for (const std::string& backend : device_backends()) {
    EXPECT_TRUE(count_within({}, 1.0, on(backend)).empty());
    EXPECT_EQ(neighbours_within({}, 1.0, on(backend)).offset, std::vector<std::uint64_t>(1, 0));
    EXPECT_EQ(count_within({{1, 2, 3}}, 1.0, on(backend)), std::vector<std::uint32_t>(1, 0));
    EXPECT_EQ(neighbours_within({{1, 2, 3}}, 1.0, on(backend)).offset, std::vector<std::uint64_t>(2, 0));
    expect_all_pairs({{0, 0, 0}, {3, 4, 0}}, 5.0, 1, on(backend), "two");
    expect_all_pairs(uniform(40, 1.0, 37), 0.3, 39, on(backend), "all others are the k nearest");
  }
}

TEST_F(DeviceNeighbours, ManyParticlesAreTheCpus) {
  Positions x = clustered(4000, 53);
  for (Vec3& p : x) {
    for (double& c : p) c = std::clamp(c + 6.0, 0.0, 11.9);  // some on the faces, so also coincident coordinates
  }
  for (const std::string& backend : device_backends()) {
    for (const double box : {0.0, 12.0}) {
      EXPECT_EQ(count_within(x, 0.3, on(backend, box)), count_within(x, 0.3, with(box))) << backend;
      expect_same(neighbours_within(x, 1e-3, on(backend, box)), neighbours_within(x, 1e-3, with(box)), backend);
      expect_same(nearest_neighbours(x, 90, on(backend, box)), nearest_neighbours(x, 90, with(box)), backend);
    }
  }
}

/// Clumps within clumps: each particle but the first few is next to one before it, at a distance of any of 15 decades.
Positions nested(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> draw(-1.0, 1.0);
  Positions x = uniform(20, 1.0, seed);
  while (x.size() < n) {
    Vec3 p = x[engine() % x.size()];
    const double width = std::pow(10.0, -7.5 * (1 + draw(engine)));
    for (double& c : p) c += width * draw(engine);
    x.push_back(p);
  }
  return x;
}

// Warps note the nearest of groups in lists of limited length, which points equally far, or as good as, fill many
// times.
TEST_F(DeviceNeighbours, ShortlistsAreTheCpusRows) {
  Positions knots = uniform(400, 1.0, 71);  // 6 points, at which 150 particles are, and 400 others
  for (std::size_t i = 0; i < 900; ++i) knots.push_back(knots[i % 6]);
  Positions dust = uniform(400, 1.0, 73);  // 600 at distances that 32 bits do not tell from one another
  for (const Vec3& p : uniform(600, 1e-9, 79)) dust.push_back({0.5 + p[0], 0.5 + p[1], 0.5 + p[2]});
  const std::vector<std::pair<std::string, Positions>> models = {
      {"nested clumps", nested(1200, 83)}, {"knots", knots}, {"dust", dust}, {"lattice", lattice(10)}};
  for (const std::string& backend : device_backends()) {
    for (const auto& [name, x] : models) {
      const double edge = name == "lattice" ? 10 : name == "nested clumps" ? 0 : 1;
      for (const int k : {1, 8, 32}) {
        const std::string what = backend + ", " + name + ", k = " + std::to_string(k);
        expect_same(nearest_neighbours(x, k, on(backend)), nearest_neighbours(x, k), what);
        if (edge > 0)
          expect_same(nearest_neighbours(x, k, on(backend, edge)), nearest_neighbours(x, k, with(edge)), what);
        const Positions points = uniform(300, edge > 0 ? edge : 1.5, 89);
        expect_same(nearest_of_points(x, points, k, on(backend)), nearest_of_points(x, points, k),
                    what + ", of points");
        expect_same(nearest_of_points(x, x, k, on(backend)), nearest_of_points(x, x, k), what + ", of its points");
      }
    }
  }
}

/// Rows of targets, all that are within their radii, by the nearest images; own: targets are the particles.
NeighbourLists rows_within(const Positions& x, const Positions& points, const std::vector<double>& radius,
                           const Vec3& edges, bool own) {
  NeighbourLists lists;
  lists.offset.push_back(0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      double way[3];
      for (std::size_t k = 0; k < 3; ++k) {
        way[k] = std::abs(x[j][k] - points[i][k]);
        if (edges[k] > 0) way[k] = std::min(way[k], edges[k] - way[k]);
      }
      const double d2 = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
      if (d2 > radius[i] * radius[i] || (own && i == j)) continue;
      lists.index.push_back(static_cast<std::uint32_t>(j));
      lists.distance2.push_back(d2);
    }
    lists.offset.push_back(lists.index.size());
  }
  return lists;
}

// Boxes of unequal edges, some open, and radii of each target: 0, small, and beyond half of the box.
TEST(SearchRadii, OfEachTargetInAnyBox) {
  std::vector<std::string> backends = device_backends();
  backends.emplace_back("cpu");
  for (const Vec3& edges : {Vec3{}, Vec3{1, 1, 1}, Vec3{1, 0.4, 2.5}, Vec3{0, 0.5, 0}}) {
    Positions x = uniform(700, 1.0, 97), points = uniform(90, 1.0, 101);
    for (Positions* const all : {&x, &points}) {
      for (Vec3& p : *all) {
        for (std::size_t k = 0; k < 3; ++k) p[k] *= edges[k] > 0 ? edges[k] : 1;
      }
    }
    for (std::size_t i = 0; i < 30; ++i) points[i] = x[i];
    std::vector<double> radius(x.size());
    for (std::size_t i = 0; i < radius.size(); ++i) radius[i] = i % 7 == 0 ? 0 : 0.3 * uniform(1, 1.0, i)[0][0];
    radius[5] = 3;
    const std::vector<double> of_points(radius.begin(), radius.begin() + 90);
    for (const std::string& backend : backends) {
      for (const Walk walk : {Walk::group, Walk::stackless}) {
        const std::string what = backend + " " + std::string(name(walk)) + ", edge " + std::to_string(edges[0]);
        NeighbourOptions options = on(backend);
        options.box = edges;
        NeighbourTree tree(x, options, walk);
        const NeighbourLists own = rows_within(x, x, radius, edges, true);
        const NeighbourLists apart = rows_within(x, points, of_points, edges, false);
        expect_same(tree.within(radius), own, what);
        expect_same(tree.within(of_points, {&points}), apart, what + ", of points");
        EXPECT_EQ(tree.count_within(radius), counts_of(own)) << what;
        EXPECT_EQ(tree.count_within(of_points, {&points}), counts_of(apart)) << what;
        const NeighbourLists all = rows_within(x, x, std::vector<double>(x.size(), 1.1), edges, true);
        expect_same(tree.within(1.1), all, what + ", one radius");
        EXPECT_EQ(tree.count_within(1.1), counts_of(all)) << what;
      }
    }
  }
}

// 20,000 particles at one point have 4e8 pairs, which no search may visit one by one.
TEST_F(DeviceNeighbours, ManyCoincidentParticlesCostNothing) {
  const Positions x(20000, Vec3{0.1, 0.2, 0.3});
  for (const std::string& backend : device_backends()) {
    EXPECT_EQ(count_within(x, 1e-3, on(backend)), std::vector<std::uint32_t>(x.size(), 19999));
    expect_same(nearest_neighbours(x, 4, on(backend)), nearest_neighbours(x, 4), backend);
  }
}

TEST_F(DeviceNeighbours, LargestAndSmallestCoordinates) {
  for (const std::string& backend : device_backends()) {
    for (const double scale : {1e150, 1e-145}) {  // smaller squares vanish where a device has no denormals
      Positions x = uniform(500, 2.0, 61);
      for (Vec3& p : x) p = {(p[0] - 1) * scale, (p[1] - 1) * scale, (p[2] - 1) * scale};
      expect_same(neighbours_within(x, 0.3 * scale, on(backend)), neighbours_within(x, 0.3 * scale), backend);
      expect_same(nearest_neighbours(x, 8, on(backend)), nearest_neighbours(x, 8), backend);
    }
  }
}

// Rows come in as many pieces as the device's memory makes necessary, and may begin beyond 32 bits.
TEST_F(DeviceNeighbours, ListsLargerThanTheDevicesMemory) {
  const Positions x = uniform(700, 1.0, 67);
  const double radius = 0.15;
  const NeighbourLists within = all_pairs(x, radius, 0, 0), nearest = all_pairs(x, 2.0, 12, 0);
  const std::uint64_t longest = [&] {
    const std::vector<std::uint32_t> counts = counts_of(within);
    return *std::max_element(counts.begin(), counts.end());
  }();
  const auto expect_filled = [](NeighbourLists expected, const auto& fill, const std::string& what) {
    for (std::uint64_t& begin : expected.offset) begin += std::uint64_t{1} << 33;
    NeighbourLists lists{expected.offset, std::vector<std::uint32_t>(expected.index.size()),
                         std::vector<double>(expected.distance2.size())};
    fill(lists);
    expect_same(lists, expected, what);
  };
  for (const std::string& backend : device_backends()) {
    for (const Walk walk : {Walk::group, Walk::stackless}) {
      const std::string what = backend + " " + std::string(name(walk));
      const auto search = make_search(open_device(backend, 0), x, {}, walk, 20 * longest);
      expect_filled(
          within, [&](NeighbourLists& lists) { search->fill_within(radius, lists); }, what);
      expect_filled(
          nearest, [&](NeighbourLists& lists) { search->fill_nearest(12, lists); }, what);
      const auto smaller = make_search(open_device(backend, 0), x, {}, walk, longest - 1);
      NeighbourLists lists = within;
      EXPECT_THROW(smaller->fill_within(radius, lists), Error) << what;
    }
  }
}

TEST_F(DeviceNeighbours, WhatADeviceCannotDoIsSaid) {
  for (const std::string& backend : device_backends()) {
    NeighbourOptions options = on(backend);
    EXPECT_THROW(nearest_neighbours(uniform(10, 1.0, 1), 10, options), UsageError) << backend;
    options.device = 99;
    EXPECT_THROW(count_within(uniform(10, 1.0, 1), 0.1, options), NoDevice) << backend;
  }
}

}  // namespace
}  // namespace hornbeam
