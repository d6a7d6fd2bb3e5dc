// SPDX-License-Identifier: Apache-2.0
// The catalogue of groups: its sums are the particles', walls do not matter, unbinding beside a plain one, and what is
// refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "../support/friends.h"
#include "core/fields.h"
#include "hornbeam/error.h"
#include "hornbeam/groups.h"
#include "hornbeam/ics.h"

namespace hornbeam {
namespace {

GroupOptions linking(double length, std::int64_t least = 1) {
  GroupOptions options;
  options.linking_length = length;
  options.min_members = least;
  return options;
}

/// Particles of all families and unequal masses at these places.
Particles mixed_particles(const Positions& x, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> draw(0.5, 2);
  Particles p;
  p.resize(x.size());
  p.position = x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    p.id[i] = 1000 + i;
    p.mass[i] = draw(engine);
    p.family[i] = static_cast<Family>(engine() % family_count);
    for (double& v : p.velocity[i]) v = draw(engine) - 1;
  }
  return p;
}

TEST(GroupCatalogueTest, SumsAreThoseOfTheParticles) {
  const Particles p = mixed_particles(clustered(3000, 111), 112);
  const GroupCatalogue found = find_groups(p, linking(0.02, 5));
  const auto label = by_all_pairs(p.position, 0.02, 0);
  ASSERT_GT(found.groups.size(), 3U);
  std::vector<std::uint64_t> sizes(p.size(), 0);
  for (const std::uint32_t of : label) ++sizes[of];
  EXPECT_EQ(found.groups.size(),
            static_cast<std::size_t>(std::count_if(sizes.begin(), sizes.end(), [](auto s) { return s >= 5; })));
  std::uint64_t next = 0;
  for (std::size_t g = 0; g < found.groups.size(); ++g) {
    const Group& group = found.groups[g];
    EXPECT_EQ(group.first, next);
    next += group.size;
    double mass = 0;
    Vec3 at{}, speed{};
    std::array<std::uint64_t, family_count> size_of{};
    for (std::uint64_t k = group.first; k < next; ++k) {
      const std::uint32_t i = found.members[k];
      EXPECT_EQ(label[i], label[found.members[group.first]]);
      mass += p.mass[i];
      ++size_of[static_cast<std::size_t>(p.family[i])];
      for (int a = 0; a < 3; ++a) {
        at[a] += p.mass[i] * p.position[i][a];
        speed[a] += p.mass[i] * p.velocity[i][a];
      }
      if (k > group.first) {
        EXPECT_LE(p.family[found.members[k - 1]], p.family[i]);
      }
    }
    EXPECT_EQ(sizes[label[found.members[group.first]]], group.size);
    EXPECT_EQ(size_of, group.size_of);
    EXPECT_NEAR(group.mass, mass, 1e-12 * mass);  // rounding of sums in another order
    for (int a = 0; a < 3; ++a) {
      EXPECT_NEAR(group.position[a], at[a] / mass, 1e-12);
      EXPECT_NEAR(group.velocity[a], speed[a] / mass, 1e-12);
    }
    if (g > 0) {
      EXPECT_LE(group.size, found.groups[g - 1].size);
    }
  }
  EXPECT_EQ(next, found.members.size());
  const auto of = found.group_of(p.size());
  EXPECT_EQ(static_cast<std::size_t>(std::count(of.begin(), of.end(), -1)), p.size() - next);
}

// A clump in the middle of a box, and the same one moved across a corner.
TEST(GroupCatalogueTest, WallsDoNotMatter) {
  Particles p = mixed_particles(uniform(500, 1.0, 113), 114);
  for (Vec3& x : p.position) x = {x[0] + 4.5, x[1] + 4.5, x[2] + 4.5};
  GroupOptions options = linking(0.4);
  options.box_size = 10;
  const GroupCatalogue inside = find_groups(p, options);
  ASSERT_EQ(inside.groups.size(), 1U);
  for (Vec3& x : p.position) x = {x[0] - 5, x[1] - 5, x[2] + 5};
  p.position = wrapped(p.position, 10);
  const GroupCatalogue across = find_groups(p, options);
  ASSERT_EQ(across.groups.size(), 1U);
  const Group &a = inside.groups[0], &b = across.groups[0];
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(std::remainder(b.position[k] - a.position[k] - 5, 10), 0, 1e-12);
    EXPECT_TRUE(b.position[k] >= 0 && b.position[k] < 10);
  }
  EXPECT_NEAR(a.half_mass_radius, b.half_mass_radius, 1e-12);
  EXPECT_NEAR(a.radius_200, b.radius_200, 1e-12);
  EXPECT_GT(a.radius_200, 0);
  // a box about the origin, as runs write them
  for (Vec3& x : p.position) {
    for (double& at : x) at = at >= 5 ? at - 10 : at;
  }
  const GroupCatalogue about = find_groups(p, options);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(about.groups[0].position[k], std::remainder(b.position[k], 10), 1e-12);
}

// The same in a box of unequal edges, and in a sheet whose next box along x has drifted and moves.
TEST(GroupCatalogueTest, WallsOfOtherBoxesDoNotMatter) {
  for (const BoundaryKind kind : {BoundaryKind::periodic, BoundaryKind::shear}) {
    Particles p = mixed_particles(uniform(500, 1.0, 115), 116);
    for (Vec3& x : p.position) x = {x[0] - 0.5, x[1] - 0.5, x[2] - 0.5};
    GroupOptions options = linking(0.4);
    options.boundary.kind = kind;
    options.boundary.size = {10, 8, 6};
    if (kind == BoundaryKind::shear) options.boundary.omega = 0.3, options.time = 3;
    const GroupCatalogue inside = find_groups(p, options);
    ASSERT_EQ(inside.groups.size(), 1U);
    for (Vec3& x : p.position) x = {x[0] + 5, x[1] + 4, x[2] + 3};
    wrap(p.position, p.velocity, options.boundary, options.time);
    const GroupCatalogue across = find_groups(p, options);
    ASSERT_EQ(across.groups.size(), 1U) << name(kind);
    const Group &a = inside.groups[0], &b = across.groups[0];
    Positions moved{{a.position[0] + 5, a.position[1] + 4, a.position[2] + 3}}, speed{a.velocity};
    wrap(moved, speed, options.boundary, options.time);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(b.position[k], moved[0][k], 1e-12);
      EXPECT_NEAR(b.velocity[k], speed[0][k], 1e-12);
    }
    EXPECT_NEAR(a.half_mass_radius, b.half_mass_radius, 1e-12);
    EXPECT_NEAR(a.dispersion, b.dispersion, 1e-12);
    EXPECT_NEAR(a.radius_200, b.radius_200, 1e-12);
    EXPECT_GT(a.radius_200, 0);
    EXPECT_THROW(find_groups(p,
                             [&] {
                               GroupOptions far = options;
                               far.linking_length = 3.01;
                               return far;
                             }()),
                 UsageError);
  }
}

// Members of a bound Plummer sphere stay; passers-by do not.
TEST(GroupCatalogueTest, UnbindingTakesOutPassersBy) {
  Particles p = ics::make("plummer", 2000, ics::Seed{115}).particles;
  const std::size_t bound = p.size();
  p.append(mixed_particles(uniform(100, 1.0, 116), 117));
  for (std::size_t i = 0; i < p.size(); ++i) p.id[i] = i;
  for (std::size_t i = bound; i < p.size(); ++i) {
    p.mass[i] = 1e-6;
    p.velocity[i] = {5, 0, 0};
  }
  GroupOptions options = linking(0.8, 32);
  const GroupCatalogue linked = find_groups(p, options);
  options.unbind = true;
  options.eps = 0.001;
  const GroupCatalogue found = find_groups(p, options);
  ASSERT_EQ(found.groups.size(), 1U);
  EXPECT_GE(linked.groups[0].size, found.groups[0].size + 100);
  EXPECT_EQ(found.unbound + found.groups[0].size, linked.members.size());
  for (const std::uint32_t i : found.members) EXPECT_LT(i, bound);
  const Group& g = found.groups[0];
  EXPECT_GT(g.size, 1850U);              // the outermost are not linked
  EXPECT_NEAR(g.kinetic, 0.25, 0.03);    // a virial Plummer sphere of energy -1/4, less what is not linked
  EXPECT_NEAR(g.potential, -0.5, 0.05);  // noise of 2,000 particles
  EXPECT_NEAR(g.half_mass_radius, 0.77, 0.15);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(p.position[static_cast<std::size_t>(g.most_bound)][k], 0, 0.5);
}

// Passers-by spoil the frame in which members are first judged: those that went then come back, whoever summed them.
TEST(GroupCatalogueTest, UnbindingKeepsAllMembersOfAGroupThatMovesPastOthers) {
  for (const std::size_t drawn : {1000U, 6000U}) {  // by direct sums, and by the tree
    Particles sphere = ics::make("plummer", drawn, ics::Seed{3}).particles;
    std::vector<std::size_t> inner;
    for (std::size_t i = 0; i < sphere.size(); ++i) {
      const Vec3& x = sphere.position[i];
      if (std::hypot(x[0], x[1], x[2]) < 2) inner.push_back(i);
    }
    Particles p = selected(sphere, inner);
    const std::size_t own = p.size();
    for (Vec3& v : p.velocity) v[0] += 1000;
    p.append(mixed_particles(uniform(own / 10, 0.6, 116), 117));
    for (std::size_t i = 0; i < p.size(); ++i) {
      p.id[i] = i;
      p.mass[i] = p.mass[0];
      if (i >= own) p.velocity[i] = {0, 0, 0};
    }
    GroupOptions options = linking(2, 10);
    options.unbind = true;
    options.eps = 0.05;
    const GroupCatalogue found = find_groups(p, options);
    ASSERT_EQ(found.groups.size(), 1U);
    EXPECT_EQ(found.groups[0].size, own);
    for (const std::uint32_t i : found.members) EXPECT_LT(i, own);
  }
}

// Gas is bound with its heat: at u = 0 it stays, at u above the depth of the group it goes.
TEST(GroupCatalogueTest, UnbindingCountsTheHeatOfGas) {
  Particles p = ics::make("plummer", 500, ics::Seed{9}).particles;
  for (Vec3& x : p.position) x = {0.1 * x[0], 0.1 * x[1], 0.1 * x[2]};
  for (Vec3& v : p.velocity) v = {};
  for (std::size_t i = 0; i < 100; ++i) p.family[i] = Family::gas;
  p.internal_energy.assign(p.size(), 1e6);  // of what is no gas it means nothing
  std::fill_n(p.internal_energy.begin(), 50, 0.0);
  GroupOptions options = linking(2, 10);
  options.unbind = true;
  options.eps = 0.01;
  const GroupCatalogue found = find_groups(p, options);
  ASSERT_EQ(found.groups.size(), 1U);
  EXPECT_EQ(found.groups[0].size, 450U);
  for (const std::uint32_t i : found.members) EXPECT_TRUE(i < 50 || i >= 100) << i;
  EXPECT_EQ(found.groups[0].kinetic, 0);
}

// Two clumps that run apart bind nobody together; threads do not matter, and groups above the size of direct sums go
// by the tree.
TEST(GroupCatalogueTest, UnbindingOnAnyThreads) {
  Particles p = ics::make("plummer", 6000, ics::Seed{118}).particles;
  GroupOptions options = linking(0.5, 20);
  options.unbind = true;
  options.eps = 0.01;
  options.threads = 1;
  const GroupCatalogue one = find_groups(p, options);
  options.threads = 4;
  const GroupCatalogue four = find_groups(p, options);
  EXPECT_EQ(one.members, four.members);
  ASSERT_FALSE(one.groups.empty());
  EXPECT_EQ(one.groups[0].potential, four.groups[0].potential);
  EXPECT_GT(one.groups[0].size, 5000U);
  for (Vec3& v : p.velocity) v = {1e3 * v[0], 1e3 * v[1], 1e3 * v[2]};
  const GroupCatalogue none = find_groups(p, options);
  EXPECT_TRUE(none.groups.empty());
  EXPECT_GT(none.unbound, 5000U);
}

TEST(GroupCatalogueTest, LengthByFractionAndDensity) {
  Particles p = mixed_particles(uniform(1000, 2.0, 119), 120);
  GroupOptions options;
  options.box_size = 2;
  EXPECT_NEAR(find_groups(p, options).linking_length, 0.2 * 0.2, 1e-15);
  options.linking_fraction = 0.5;
  EXPECT_NEAR(find_groups(p, options).linking_length, 0.5 * 0.2, 1e-15);
  options.box_size = 0;  // an open cube is as dense in its middle
  EXPECT_NEAR(find_groups(p, options).linking_length, 0.5 * 0.2, 0.01);
  std::fill(p.mass.begin(), p.mass.end(), 2.0);
  options = {};
  options.linking_density = 3;
  EXPECT_NEAR(find_groups(p, options).linking_length, std::cbrt(1 / M_PI), 1e-15);
}

/// A chain across a periodic box has no middle; a clump across its corner has one.
TEST(GroupCatalogueTest, WhatSpansTheBoxIsMarked) {
  GroupOptions options;
  options.linking_length = 0.11;
  options.min_members = 2;
  Particles p;
  p.resize(200);
  p.mass.assign(200, 1);
  for (std::size_t i = 0; i < 100; ++i) p.position[i] = {0.1 * static_cast<double>(i), 5, 5};
  for (std::size_t i = 100; i < 200; ++i) {
    p.position[i] = {0.01 * static_cast<double>(i - 100) - 0.5, 0.01 * static_cast<double>(i % 7), 0};
  }
  options.box_size = 10;
  const GroupCatalogue found = find_groups(p, options);
  ASSERT_EQ(found.groups.size(), 2u);
  EXPECT_TRUE(found.groups[0].spans_box);
  EXPECT_FALSE(found.groups[1].spans_box);
  options.box_size = 12;  // with a gap
  EXPECT_FALSE(find_groups(p, options).groups[0].spans_box);
  options.box_size = 0;
  EXPECT_FALSE(find_groups(p, options).groups[0].spans_box);
}

// The mean angle of such a group is at its heavy end, half a period from which its tail goes on.
TEST(GroupCatalogueTest, AHeavyEndAndALongTailStayInOnePiece) {
  Particles p;
  p.resize(470);
  p.mass.assign(470, 1);
  for (std::size_t i = 0; i < 400; ++i) p.position[i] = {0.1, 0.001 * static_cast<double>(i % 7), 0};
  for (std::size_t i = 400; i < 470; ++i) p.position[i] = {0.1 * static_cast<double>(i - 398), 0, 0};
  GroupOptions options = linking(0.11);
  options.unbind = true;
  options.eps = 0.1;
  const Group open = find_groups(p, options).groups.at(0);
  EXPECT_EQ(open.size, 470u);
  options.box_size = 10;
  for (const double shift : {0.0, 1.7, 4.4, 5.0, 9.3}) {
    Particles moved = p;
    for (Vec3& at : moved.position) at[0] += shift;
    moved.position = wrapped(moved.position, 10);
    const Group found = find_groups(moved, options).groups.at(0);
    EXPECT_EQ(found.size, 470u);
    EXPECT_FALSE(found.spans_box);
    EXPECT_NEAR(std::remainder(found.position[0] - open.position[0] - shift, 10), 0, 1e-12);
    EXPECT_NEAR(found.half_mass_radius, open.half_mass_radius, 1e-12);
    EXPECT_NEAR(found.potential, open.potential, 1e-9 * std::abs(open.potential));
  }
}

TEST(GroupCatalogueTest, WhatIsRefused) {
  Particles p = mixed_particles(uniform(10, 1.0, 121), 122);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double length : {-1.0, 0.0, nan, 1e200}) EXPECT_THROW(find_groups(p, linking(length)), UsageError);
  EXPECT_THROW(find_groups({}, linking(1)), Error);
  EXPECT_THROW(find_groups(p, linking(1, 0)), UsageError);
  GroupOptions options = linking(0.51);
  options.box_size = 1;
  EXPECT_THROW(find_groups(p, options), UsageError);
  options = linking(0.1);
  options.linking_fraction = 0.2;
  EXPECT_THROW(find_groups(p, options), UsageError);
  options = {};
  options.linking_fraction = -0.2;
  EXPECT_THROW(find_groups(p, options), UsageError);
  options = {};
  options.backend = "abacus";
  EXPECT_THROW(find_groups(p, options), UsageError);
  EXPECT_THROW(link_friends(p.position, -1), UsageError);
  p.position.assign(10, {1, 1, 1});
  EXPECT_THROW(find_groups(p), Error) << "the mean separation is 0";
  p.position[3][1] = nan;
  EXPECT_THROW(find_groups(p, linking(1)), Error);
  p.position[3][1] = 0;
  p.mass.assign(10, 0.0);
  options = {};
  options.linking_density = 1;
  EXPECT_THROW(find_groups(p, options), Error) << "no mass";
  const GroupCatalogue tracers = find_groups(p, linking(2));
  EXPECT_EQ(tracers.groups[0].size, 10U);
  EXPECT_NEAR(tracers.groups[0].position[1], 0.9, 1e-15);
}

/// Gas about a chain of halo particles: it neither links nor counts in the linking length, and joins by nearness alone.
TEST(GroupCatalogueTest, PrimaryFamilies) {
  Particles p = mixed_particles(uniform(1000, 1.0, 141), 142);
  GroupOptions options;
  options.primary = {Family::halo};
  options.linking_fraction = 0.5;
  options.box_size = 1;
  const auto halo = static_cast<double>(std::count(p.family.begin(), p.family.end(), Family::halo));
  EXPECT_EQ(find_groups(p, options).linking_length, 0.5 * std::cbrt(1 / halo));
  options.primary = {Family::gas, Family::halo, Family::disc, Family::bulge, Family::star, Family::black_hole};
  const GroupCatalogue of_all = find_groups(p, options), plain = find_groups(p, [&] {
                                                           GroupOptions o = options;
                                                           o.primary.clear();
                                                           return o;
                                                         }());
  EXPECT_EQ(of_all.members, plain.members);
  EXPECT_EQ(of_all.attached, 0U);

  Positions x;
  for (int i = 0; i < 10; ++i) x.push_back({static_cast<double>(i < 5 ? i : i + 2), 0, 0});  // a gap of 3
  x.push_back({5.4, 0, 0});  // within it, nearest to the end of the first chain, at 1.4
  x.push_back({6.2, 0, 0});  // joins the second
  x.push_back({4.9, 0, 0});  // joins the first
  p = mixed_particles(x, 143);
  for (std::size_t i = 0; i < x.size(); ++i) p.family[i] = i < 10 ? Family::halo : Family::gas;
  options = linking(1.0, 5);
  options.primary = {Family::halo};
  const GroupCatalogue found = find_groups(p, options);
  ASSERT_EQ(found.groups.size(), 2U);
  EXPECT_EQ(found.groups[0].size, 6U);
  EXPECT_EQ(found.groups[1].size, 6U);
  EXPECT_EQ(found.attached, 2U);
  EXPECT_EQ(found.group_of(x.size())[10], -1);
  EXPECT_EQ(found.group_of(x.size())[11], 1);
  EXPECT_EQ(found.group_of(x.size())[12], 0);
  options.primary.clear();
  EXPECT_EQ(find_groups(p, options).groups.size(), 1U);  // the gas bridges the gap
  options.primary = {Family::star};
  EXPECT_THROW(find_groups(p, options), Error);
}

}  // namespace
}  // namespace hornbeam
