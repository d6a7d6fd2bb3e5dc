// SPDX-License-Identifier: Apache-2.0
// Haloes of all groups of a catalogue against sums over all particles about each centre.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "hornbeam/halo.h"
#include "hornbeam/ics.h"

namespace hornbeam {
namespace {

/// Plummer spheres of different sizes and masses in a box of edge 1 from 0, some of them across its walls.
Particles clumps(std::size_t count, double box) {
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> draw(0, 1);
  Particles all;
  std::vector<Vec3> position;
  std::vector<double> mass;
  for (std::size_t c = 0; c < count; ++c) {
    const Vec3 at = {draw(engine), draw(engine), draw(engine)};
    const double size = 0.002 + 0.006 * draw(engine);
    const Particles one = ics::make("plummer", 150 + 40 * c, ics::Seed{c + 1}).particles;
    for (const Vec3& x : one.position) {
      Vec3 there{};
      for (int k = 0; k < 3; ++k) there[k] = at[k] + size * x[k] - (box > 0 ? std::floor(at[k] + size * x[k]) : 0);
      position.push_back(there);
      mass.push_back(1.0);
    }
  }
  all.resize(position.size());
  all.position = position;
  all.mass = mass;
  for (std::size_t i = 0; i < all.size(); ++i) all.id[i] = i;
  return all;
}

/// From the centre outwards, beyond the innermost `few`, the last particle before the first one within which the mean
/// density is below that; its mass within, and the radius where that mass has the density.
analysis::Sphere sphere(const std::vector<double>& radius, double density, std::size_t few) {
  const auto reach = [&](std::size_t i) {
    return std::cbrt((static_cast<double>(i) + 1) * 3 / (4 * std::numbers::pi * density));
  };
  std::size_t end = few;
  while (end < radius.size() && reach(end) >= radius[end]) ++end;
  for (std::size_t i = end; i-- > 0;) {
    if (reach(i) >= radius[i]) return {reach(i), static_cast<double>(i) + 1};
  }
  return {};
}

void compare(double box) {
  const Particles p = clumps(30, box);
  GroupOptions options;
  options.linking_length = 0.004;
  options.box_size = box;
  const GroupCatalogue found = find_groups(p, options);
  ASSERT_GE(found.groups.size(), 20U);
  const analysis::HaloOptions how{.G = 2, .critical = 1e5, .virial = 100, .period = options.period()};
  const std::vector<analysis::Halo> halos = analysis::halos_of_groups(p, found, how);
  ASSERT_EQ(halos.size(), found.groups.size());
  std::size_t with_mass = 0;
  for (std::size_t g = 0; g < halos.size(); ++g) {
    const Vec3 centre = analysis::centre_of_members(p, found, g, options.period());
    EXPECT_EQ(halos[g].centre, centre);
    std::vector<double> radius;
    for (const Vec3& x : p.position) {
      double r2 = 0;
      for (int k = 0; k < 3; ++k) {
        const double d = x[k] - centre[k], near = box > 0 ? d - box * std::round(d / box) : d;
        r2 += near * near;
      }
      radius.push_back(std::sqrt(r2));
    }
    std::sort(radius.begin(), radius.end());
    const std::size_t few = std::min<std::size_t>(100, found.groups[g].size / 100);
    for (const auto& [one, times] :
         {std::pair(halos[g].m200c, 200), std::pair(halos[g].m500c, 500), std::pair(halos[g].virial, 100)}) {
      const analysis::Sphere exact = sphere(radius, times * how.critical, few);
      EXPECT_EQ(one.mass, exact.mass) << g << " " << times;
      EXPECT_NEAR(one.radius, exact.radius, 1e-12) << g << " " << times;  // rounding of a cube root
      with_mass += exact.mass > 0 ? 1 : 0;
    }
    double reach = halos[g].virial.radius, fastest = 0;
    for (std::uint64_t k = 0; k < found.groups[g].size; ++k) {
      const Vec3& x = p.position[found.members[found.groups[g].first + k]];
      double r2 = 0;
      for (int a = 0; a < 3; ++a) {
        const double d = x[a] - centre[a], near = box > 0 ? d - box * std::round(d / box) : d;
        r2 += near * near;
      }
      reach = std::max(reach, std::sqrt(r2));
    }
    for (std::size_t i = few; i < radius.size() && radius[i] <= reach * (1 + 1e-12); ++i) {
      fastest = std::max(fastest, std::sqrt(2 * (static_cast<double>(i) + 1) / radius[i]));
    }
    EXPECT_NEAR(halos[g].v_max, fastest, 1e-9 * fastest) << g;
  }
  EXPECT_GT(with_mass, 2 * halos.size());
}

TEST(GroupHalos, AreThoseOfAllParticlesInOpenSpace) { compare(0); }
TEST(GroupHalos, AreThoseOfAllParticlesInABox) { compare(1); }

TEST(GroupHalos, OnlyTheLargestWhereSomeAreWanted) {
  const Particles p = clumps(12, 0);
  GroupOptions options;
  options.linking_length = 0.004;
  const GroupCatalogue found = find_groups(p, options);
  const auto all = analysis::halos_of_groups(p, found, {.critical = 1e5, .virial = 100});
  const auto some = analysis::halos_of_groups(p, found, {.critical = 1e5, .virial = 100, .most = 3});
  ASSERT_EQ(some.size(), 3U);
  for (std::size_t g = 0; g < 3; ++g) EXPECT_EQ(some[g].m200c.mass, all[g].m200c.mass);
  EXPECT_TRUE(analysis::halos_of_groups(p, {}, {}).empty());
}

TEST(GroupHalos, WithoutADensityThereIsTheFastestOrbitAlone) {
  const Particles p = clumps(3, 0);
  GroupOptions options;
  options.linking_length = 0.004;
  for (const analysis::Halo& halo : analysis::halos_of_groups(p, find_groups(p, options), {})) {
    EXPECT_EQ(halo.m200c.mass, 0);
    EXPECT_GT(halo.v_max, 0);
  }
}

}  // namespace
}  // namespace hornbeam
