// SPDX-License-Identifier: Apache-2.0
// Pairs far closer than the groups, spans and blocks that hold them are wide, on every backend and walk: differences to
// one centre for many particles must not decide their acceleration. Every case was wrong once.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/devices.h"
#include "support/forces.h"

namespace hornbeam {
namespace {

GravityOptions options(Walk walk, double theta = 0.6) {
  GravityOptions o = by_angles();
  o.walk = walk, o.theta = theta, o.eps = 0;
  return o;
}

/// `clumps` clumps of `members` particles and about `size` at places of [-1, 1]^3.
Particles clumps(int clumps, int members, double size, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> place(-1, 1);
  Particles p;
  std::vector<Vec3> position;
  for (int c = 0; c < clumps; ++c) {
    const Vec3 centre = {place(engine), place(engine), place(engine)};
    for (int i = 0; i < members; ++i) {
      position.push_back(
          {centre[0] + size * place(engine), centre[1] + size * place(engine), centre[2] + size * place(engine)});
    }
  }
  return at_rest(position, std::vector<double>(position.size(), 1.0 / static_cast<double>(position.size())));
}

/// n^3 particles at distance 1, the one in the middle of each third row with a companion at `distance`.
Particles lattice_with_companions(int n, double distance) {
  std::vector<Vec3> position;
  for (int x = 0; x < n; ++x) {
    for (int y = 0; y < n; ++y) {
      for (int z = 0; z < n; ++z) {
        position.push_back({x - n / 2 + 0.0, y - n / 2 + 0.0, z - n / 2 + 0.0});
        if ((x + y + z) % 3 == 0)
          position.push_back({position.back()[0] - distance, position.back()[1], position.back()[2]});
      }
    }
  }
  return at_rest(position, std::vector<double>(position.size(), 1e-3));
}

// the rounding of pairs at the 128th part of a group's radius, 1e-5, and of sums
constexpr double pair_rounding = 4e-5;

TEST(ClosePairs, DirectSumsResolveClumps) {
  for (const double size : {1e-3, 1e-4, 1e-6, 1e-9}) {
    const Particles p = clumps(3, 300, size, 7);
    const Forces expected = exact(p, options(Walk::direct));
    for (const std::string& backend : every_backend()) {
      const Forces field = evaluate_on(backend, p, options(Walk::direct)).field;
      EXPECT_LT(worst_difference(field, expected), pair_rounding * 10) << backend << " " << size;  // where pulls cancel
      EXPECT_LT(rms_difference(field, expected), pair_rounding) << backend << " " << size;
      EXPECT_LT(worst_potential_difference(field, expected), pair_rounding) << backend << " " << size;
    }
  }
}

// The acceleration of a heavy neighbour inside of its softening goes as the way to it.
TEST(ClosePairs, SoftenedClumpsAboutAHeavyParticle) {
  Particles p = clumps(4, 25, 1e-7, 11);
  p.mass[30] = 1e3;
  GravityOptions o = options(Walk::direct, 0.1);
  o.eps = 0.005;
  const Forces expected = exact(p, o);
  for (const std::string& backend : every_backend()) {
    for (const Walk walk : {Walk::group, Walk::stackless, Walk::direct}) {
      o.walk = walk;
      const Forces field = evaluate_on(backend, p, o).field;
      for (std::size_t i = 25; i < 50; ++i) {  // the heavy one's clump
        if (i == 30) continue;
        EXPECT_LT(relative_difference(field[i], expected[i]), 2e-3) << backend << " " << name(walk) << " " << i;
      }
    }
  }
}

TEST(ClosePairs, CompanionsAreResolvedByEveryWalk) {
  for (const double distance : {1e-4, 1e-9, 2e-12}) {
    const Particles p = lattice_with_companions(8, distance);
    const Forces expected = exact(p, options(Walk::direct));
    for (const std::string& backend : every_backend()) {
      for (const Walk walk : {Walk::group, Walk::stackless, Walk::direct}) {
        const Forces field = evaluate_on(backend, p, options(walk)).field;
        // the pair outweighs all else, so that truncation does not show; the one without a companion is left to others
        EXPECT_LT(rms_difference(field, expected), pair_rounding) << backend << " " << name(walk) << " " << distance;
      }
    }
  }
}

/// `pairs` pairs at `distance` along x about 0, which the walls of cells and groups cut in two; corners hold the cube.
Particles pairs_across_a_wall(int pairs, double distance, int together) {
  std::mt19937_64 engine(5);
  std::uniform_real_distribution<double> place(-1, 1);
  std::vector<Vec3> position = {{-1, -1, -1}, {1, 1, 1}};
  for (int i = 0; i < pairs; ++i) {
    const double y = place(engine), z = place(engine);
    for (int k = 0; k < together; ++k) position.push_back({distance / 2, y, z});
    position.push_back({-distance / 2, y, z});
  }
  return at_rest(position, std::vector<double>(position.size(), 1e-3));
}

/// All but the two in the corners, or every nth of them.
std::vector<std::size_t> of_pairs(const Particles& p, std::size_t nth = 1) {
  std::vector<std::size_t> which;
  for (std::size_t i = 2; i < p.size(); i += nth) which.push_back(i);
  return which;
}
Forces at_pairs(const Forces& all, const std::vector<std::size_t>& which) {
  Forces some;
  for (const std::size_t i : which) some.push_back(all[i]);
  return some;
}

TEST(ClosePairs, InTwoGroups) {
  for (const double distance : {1e-5, 1e-7, 1e-10}) {
    for (const int together : {1, 3}) {  // one on the other side of the wall, or more at one place
      const Particles p = pairs_across_a_wall(500, distance, together);
      const std::vector<std::size_t> which = of_pairs(p);
      const Forces expected = exact_at(which, p, options(Walk::direct));
      for (const std::string& backend : every_backend()) {
        for (const Walk walk : {Walk::group, Walk::stackless}) {
          const Forces field = at_pairs(evaluate_on(backend, p, options(walk)).field, which);
          // a pair outweighs all else, so that truncation does not show
          EXPECT_LT(worst_difference(field, expected), pair_rounding)
              << backend << " " << name(walk) << " " << distance;
        }
      }
    }
  }
}

// One side of each wall is due alone, too many for direct sums on devices: their groups are laid out again, and their
// own leaves are sources like others, without what each has from itself.
TEST(ClosePairs, InTwoGroupsOfWhichOneIsDue) {
  GravityOptions o = options(Walk::group);
  o.eps = 3e-8;
  const Particles p = pairs_across_a_wall(16000, 1e-7, 1);
  const std::vector<std::size_t> which = of_pairs(p, 21);  // on both sides
  const Forces expected = exact_at(which, p, o);
  for (const std::string& backend : every_backend()) {
    ParticleSystem device = with_tree(backend, p, o);
    device.evaluate();
    Particles now = p;
    device.domain().save(now);
    now.rung.assign(p.size(), 0), now.rung_before.assign(p.size(), 0);
    now.acceleration_before.assign(p.size(), {});
    for (std::size_t i = 0; i < p.size(); ++i) {
      if (p.position[i][0] > 0) now.rung[i] = 3, now.acceleration[i] = {}, now.potential[i] = 0;
    }
    device.restore(now);
    device.evaluate_due(3);
    const Forces field = at_pairs(forces_of(device, now), which);
    EXPECT_LT(worst_difference(field, expected), pair_rounding) << backend;
    EXPECT_LT(worst_potential_difference(field, expected), 1e-3) << backend;
  }
}

// An outlier among few particles makes the key cube so large that pairs share its deepest cell, in no order.
TEST(ClosePairs, PairsInOneDeepestCell) {
  std::vector<Vec3> position = {{3e6, 1e6, -2e6}};
  for (int pair = 0; pair < 4; ++pair) {
    const Vec3 at = {0.31 * pair, 0.17 * pair * pair, -0.23 * pair};
    position.push_back(at);
  }
  for (int pair = 0; pair < 4; ++pair) {
    const Vec3 at = position[1 + pair];
    position.push_back({at[0] + std::pow(10.0, -3 * pair), at[1], at[2]});
  }
  const Particles p = at_rest(position, std::vector<double>(position.size(), 1.0));
  const Forces expected = exact(p, options(Walk::direct));
  for (const std::string& backend : every_backend()) {
    for (const Walk walk : {Walk::group, Walk::stackless, Walk::direct}) {
      const Forces field = evaluate_on(backend, p, options(walk, 0.1)).field;
      for (std::size_t i = 1; i < p.size(); ++i) {
        // walks leave pairs at more than the 1024th part of their group's radius to fp32: 1e-4
        EXPECT_LT(relative_difference(field[i], expected[i]), 2e-4) << backend << " " << name(walk) << " " << i;
      }
    }
  }
}

// The direct sum in fp64 itself, which everything is compared with: a pair at 1e-6 and one particle at 6e7.
TEST(ClosePairs, TheOracleTakesExactDifferences) {
  const double d = 1.2e-6;
  const Particles p = at_rest({{6e7, 0, 0}, {0.3, 0.1, 0}, {0.3 + d, 0.1, 0}}, {1, 1, 2});
  GravityOptions o = options(Walk::direct);
  o.precision = Precision::fp64;
  const double r = p.position[2][0] - p.position[1][0];
  EXPECT_NEAR(exact(p, o)[1][0] * r * r / 2, 1, 1e-14);
  EXPECT_NEAR(evaluate(p, o).field[1][0] * r * r / 2, 1, 1e-14);
}

// Odd lattices put a target at the very centre of groups, where sources without mass once stood: infinity times none.
TEST(ClosePairs, NoSourceStandsAtACentre) {
  for (const Softening softening : {Softening::plummer, Softening::spline}) {
    for (const std::size_t n : {2744UL, 10648UL}) {
      const Particles p = drawn("lattice", n);
      GravityOptions o = options(Walk::group);
      o.softening = softening;
      for (const std::string& backend : every_backend()) {
        std::size_t wrong = 0;
        for (const auto& f : evaluate_on(backend, p, o).field) {
          wrong += std::isfinite(f[0] + f[1] + f[2] + f[3]) ? 0U : 1U;
        }
        EXPECT_EQ(wrong, 0U) << backend << " " << n;
      }
    }
  }
}

// Particles at one place are a point mass only where they are softened alike.
TEST(ClosePairs, CoincidentParticlesOfUnequalSoftening) {
  Particles p = clumps(4, 1, 0, 3);
  Particles lump = clumps(1, 60, 0, 4);
  p.append(lump);
  for (std::size_t i = 0; i < p.size(); ++i) {
    p.id[i] = i;
    p.eps.push_back(i % 3 == 0 ? 0.5 : 0.001 * static_cast<double>(i % 5));
  }
  for (const double theta : {0.0, 0.6}) {
    GravityOptions o = options(Walk::direct);
    o.eps = -1;
    const Forces expected = exact(p, o);
    for (const std::string& backend : every_backend()) {
      for (const Walk walk : {Walk::group, Walk::stackless}) {
        o.walk = walk, o.theta = theta;
        const Forces field = evaluate_on(backend, p, o).field;
        const double bound = theta == 0 ? pair_rounding : 2e-3;  // of a lump's mean softening from theta on
        EXPECT_LT(rms_difference(field, expected), bound) << backend << " " << name(walk) << " " << theta;
        EXPECT_LT(worst_potential_difference(field, expected), bound) << backend << " " << name(walk) << " " << theta;
      }
    }
  }
}

}  // namespace
}  // namespace hornbeam
