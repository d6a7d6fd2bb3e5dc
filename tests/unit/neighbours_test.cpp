// SPDX-License-Identifier: Apache-2.0
// Neighbour search against all pairs, exactly: same sets, same squared distances, same order, for both walks and every
// instruction set. Both sides work in fp64 with the same operations, so no tolerance is needed.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <utility>

#include "../support/neighbours.h"
#include "hornbeam/error.h"
#include "interactions/neighbours/search.h"
#include "support/environment.h"

namespace hornbeam {
namespace {

TEST(Neighbours, RandomParticles) {
  const Positions x = uniform(1800, 1.0, 11);
  expect_all_pairs(x, 0.08, 32, {}, "uniform");
  expect_all_pairs(x, 0.08, 7, with(0, 1), "uniform, leaves of one");
  expect_all_pairs(uniform(600, 1.0, 12), 3.0, 1, {}, "a radius that holds all");
}

TEST(Neighbours, ClusteredParticles) {
  const Positions x = clustered(1500, 5);
  for (const double radius : {1e-4, 0.02, 0.5})
    expect_all_pairs(x, radius, 20, {}, "clumps, radius " + std::to_string(radius));
}

TEST(Neighbours, PeriodicCube) {
  const Positions x = uniform(1200, 2.5, 17);
  for (const double radius : {0.01, 0.2, 0.9, 1.25}) {
    expect_all_pairs(x, radius, 40, with(2.5), "radius " + std::to_string(radius));
  }
  Positions corner = clustered(1000, 6);  // wraps around every face
  for (Vec3& p : corner) {
    for (double& c : p) {
      c -= 8.0 * std::floor(c / 8.0);
      if (c >= 8.0) c = 0.0;
    }
  }
  expect_all_pairs(corner, 0.3, 25, with(8.0), "clumps at the corner");
}

// A particle at exactly the radius is a neighbour; ties in the k nearest go by index.
TEST(Neighbours, LatticeWithExactTies) {
  const Positions x = lattice(11);
  expect_all_pairs(x, 1.0, 6, {}, "lattice, 6");
  expect_all_pairs(x, 2.0, 10, {}, "lattice, 10");
  expect_all_pairs(x, 2.0, 17, with(11.0), "periodic lattice");
  expect_all_pairs(x, std::nextafter(1.0, 0.0), 5, {}, "just below the spacing");
  EXPECT_EQ(count_within(lattice(6), 1.0, with(6.0)), std::vector<std::uint32_t>(216, 6));
  EXPECT_EQ(count_within(lattice(6), std::nextafter(1.0, 0.0), with(6.0)), std::vector<std::uint32_t>(216, 0));
}

TEST(Neighbours, CoincidentParticles) {
  Positions x(600, Vec3{0.25, 0.5, 0.75});
  const Positions others = uniform(600, 1.0, 23);
  for (std::size_t i = 0; i < others.size(); ++i) x.insert(x.begin() + static_cast<std::ptrdiff_t>(2 * i), others[i]);
  expect_all_pairs(x, 0.1, 30, {}, "half at one point");
  expect_all_pairs(x, 0.1, 700, with(1.0), "half at one point, and more asked than stand there");
}

TEST(Neighbours, OneFarAway) {
  Positions x = uniform(1500, 1.0, 29);
  x[700] = {1e12, -1e12, 1e12};
  expect_all_pairs(x, 0.1, 32, {}, "one far away");
}

TEST(Neighbours, OnALine) {
  Positions x = uniform(1000, 1.0, 31);
  for (Vec3& p : x) p[1] = p[2] = 0.5;
  expect_all_pairs(x, 0.02, 12, {}, "line");
  expect_all_pairs(x, 0.02, 12, with(1.0), "periodic line");
}

TEST(Neighbours, FewParticles) {
  EXPECT_TRUE(count_within({}, 1.0).empty());
  EXPECT_EQ(neighbours_within({}, 1.0).offset, std::vector<std::uint64_t>(1, 0));
  EXPECT_EQ(count_within({{1, 2, 3}}, 1.0), std::vector<std::uint32_t>(1, 0));
  EXPECT_EQ(neighbours_within({{1, 2, 3}}, 1.0).offset, std::vector<std::uint64_t>(2, 0));
  expect_all_pairs({{0, 0, 0}, {3, 4, 0}}, 5.0, 1, {}, "two");
  expect_all_pairs(uniform(40, 1.0, 37), 0.3, 39, {}, "all others are the k nearest");
}

TEST(Neighbours, PublicFunctions) {
  const Positions x = uniform(500, 1.0, 59);
  const NeighbourLists within = all_pairs(x, 0.1, 0, 0);
  EXPECT_EQ(count_within(x, 0.1), counts_of(within));
  expect_same(neighbours_within(x, 0.1), within, "within");
  expect_same(nearest_neighbours(x, 5), all_pairs(x, 10.0, 5, 0), "nearest");
}

TEST(Neighbours, OfOtherPoints) {
  const Positions x = clustered(300, 12), points = {x[7], {0.1, 0.2, 0.3}, {50, 0, 0}};
  const double radius = 0.5;
  const NeighbourLists within = neighbours_of_points(x, points, radius), nearest = nearest_of_points(x, points, 300);
  EXPECT_EQ(count_of_points(x, points, radius), counts_of(within));
  EXPECT_EQ(nearest.index.size(), 900U);
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<double> right;
    for (const Vec3& at : x) {
      double d2 = 0;
      for (int k = 0; k < 3; ++k) d2 += (at[k] - points[i][k]) * (at[k] - points[i][k]);
      right.push_back(d2);
    }
    const auto inside = std::count_if(right.begin(), right.end(), [&](double d2) { return d2 <= radius * radius; });
    EXPECT_EQ(within.offset[i + 1] - within.offset[i], static_cast<std::uint64_t>(inside));
    std::sort(right.begin(), right.end());
    for (std::size_t k = 0; k < right.size(); ++k) EXPECT_DOUBLE_EQ(nearest.distance2[nearest.offset[i] + k], right[k]);
  }
  EXPECT_EQ(nearest.index[0], 7U) << "a particle at the same position counts";
  EXPECT_THROW(static_cast<void>(nearest_of_points(x, points, 301)), UsageError);
}

// More particles than all pairs are quick for: deep trees, hundreds of groups, k beyond a group's size.
TEST(Neighbours, BothWalksAgreeOnManyParticles) {
  Positions x = clustered(7000, 53);
  for (Vec3& p : x) {
    for (double& c : p) c = std::clamp(c + 6.0, 0.0, 11.9);  // some on the faces, so also coincident coordinates
  }
  for (const double box : {0.0, 12.0}) {
    const NeighbourOptions options = with(box);
    NeighbourTree group(x, options), stackless(x, options, Walk::stackless);
    EXPECT_EQ(group.count_within(1e-4), stackless.count_within(1e-4)) << box;
    expect_same(group.within(1e-4), stackless.within(1e-4), "radius, box " + std::to_string(box));
    for (const int k : {1, 80}) expect_same(group.nearest(k), stackless.nearest(k), "k nearest");
  }
}

TEST(Neighbours, EveryInstructionSetAndThreadCount) {
  const Positions x = clustered(1200, 41);
  int ran = 0;
  for (const char* isa : {"generic", "avx2", "avx512"}) {
    const AskedInstructionSet asked(isa);
    try {
      NeighbourOptions options;
      options.threads = 1 + ran;
      expect_all_pairs(x, 0.05, 24, options, isa);
      ++ran;
    } catch (const NoDevice&) {
      EXPECT_STRNE(isa, "generic") << "runs everywhere";
    }
  }
  EXPECT_GE(ran, 1);
}

// 1e6 particles at one point have 1e12 pairs, which no search may visit one by one.
TEST(Neighbours, ManyCoincidentParticlesCostNothing) {
  const Positions x(1000000, Vec3{0.1, 0.2, 0.3});
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(count_within(x, 1e-3), std::vector<std::uint32_t>(x.size(), 999999));
  const NeighbourLists nearest = nearest_neighbours(x, 4);
  EXPECT_EQ(std::vector<std::uint32_t>(nearest.index.begin(), nearest.index.begin() + 4),
            (std::vector<std::uint32_t>{1, 2, 3, 4}));
  EXPECT_EQ(std::vector<std::uint32_t>(nearest.index.end() - 4, nearest.index.end()),
            (std::vector<std::uint32_t>{0, 1, 2, 3}));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_LT(seconds, 60.0);  // all pairs take over two minutes; the search 1 s, several on a busy machine
}

template <class Call>
std::string usage_error(Call call) {
  try {
    call();
  } catch (const UsageError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Neighbours, RefusesWhatItCannotAnswer) {
  const Positions x = uniform(10, 1.0, 43);
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const double radius : {0.0, -1.0, nan, inf}) {
    EXPECT_THROW(count_within(x, radius), UsageError) << radius;
    EXPECT_THROW(neighbours_within(x, radius), UsageError) << radius;
  }
  EXPECT_EQ(usage_error([&] { count_within(x, std::vector<double>(9, 0.1)); }),
            "radius: 9 values for 10 targets (give one each, or one for all)");
  EXPECT_EQ(usage_error([&] {
              count_of_points(x, {{0, 0, 0}}, std::vector<double>{-1.0});
            }),
            "radius 0 = -1: must be positive, from 1e-150 to 1e150");
  EXPECT_EQ(usage_error([&] { nearest_neighbours(x, 10); }),
            "k = 10: must be at least 1 and less than the number of particles, 10");
  NeighbourOptions both = with(1.0);
  both.box = {1, 2, 3};
  EXPECT_EQ(usage_error([&] { count_within(x, 0.1, both); }),
            "box_size = 1: received edges of a box, too (give one or the other)");
  both.box_size = 0;
  EXPECT_NO_THROW(count_within(x, 0.1, both));
  both.box[1] = -2;
  EXPECT_EQ(usage_error([&] { count_within(x, 0.1, both); }),
            "box = -2: must be a positive length up to 1e150, or 0 for none");
  EXPECT_THROW(nearest_neighbours(x, 0), UsageError);
  EXPECT_THROW(nearest_neighbours({}, 1), UsageError);
  EXPECT_THROW(count_within(x, 0.1, with(-1.0)), UsageError);
  EXPECT_THROW(count_within(x, 0.1, with(nan)), UsageError);
  EXPECT_THROW(count_within(x, 0.1, with(0.0, 0)), UsageError);
  NeighbourOptions options;
  options.threads = -1;
  EXPECT_THROW(count_within(x, 0.1, options), UsageError);
  options = {};
  options.device = 1;  // the CPU is device 0
  EXPECT_THROW(count_within(x, 0.1, options), NoDevice);
  options.backend = "abacus";
  EXPECT_EQ(usage_error([&] { count_within(x, 0.1, options); }),
            "backend = abacus: is not a backend (use auto, cpu, cuda or opencl)");
}

TEST(Neighbours, NamesTheParticleThatIsNowhere) {
  const auto refusal = [](Vec3 bad, double box) {
    Positions x = uniform(10, 1.0, 47);
    x[7] = bad;
    try {
      count_within(x, 0.1, with(box));
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal({0, NAN, 0}, 0).rfind("particle 7: is at (0, nan, 0)", 0), 0u);
  EXPECT_EQ(refusal({0, 0, -INFINITY}, 0).rfind("particle 7: is at (0, 0, -inf)", 0), 0u);
  EXPECT_EQ(refusal({0, 1.0, 0}, 1.0), "particle 7: is at (0, 1, 0) (coordinates must be in [0, box_size = 1))");
  EXPECT_EQ(refusal({-0.1, 0, 0}, 1.0).rfind("particle 7: is at (-0.1, 0, 0)", 0), 0u);
}

}  // namespace
}  // namespace hornbeam
