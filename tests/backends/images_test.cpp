// SPDX-License-Identifier: Apache-2.0
// Gravity between particles and all their images, on every backend and walk, against a sum of their own.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "support/devices.h"
#include "support/forces.h"
#include "support/lattice_models.h"
#include "tree/boundary.h"

namespace hornbeam {
namespace {

Boundary box(Vec3 size, std::array<int, 3> n_ghost) {
  Boundary boundary;
  boundary.kind = BoundaryKind::periodic;
  boundary.size = size;
  boundary.n_ghost = n_ghost;
  return boundary;
}

Particles scattered(std::size_t n, const Vec3& size, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Vec3> position(n);
  std::vector<double> mass(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) position[i][k] = (uniform(random) - 0.5) * size[k];
    mass[i] = 0.1 + uniform(random);
  }
  return at_rest(position, mass);
}

/// Plummer softening, every pair and image in fp64, nothing of hornbeam's but the list of boxes written out again.
Forces summed(const Particles& p, double eps, const Boundary& boundary) {
  Forces sum(p.size(), {0, 0, 0, 0});
  const auto& n = boundary.n_ghost;
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (int a = -n[0]; a <= n[0]; ++a) {
      for (int b = -n[1]; b <= n[1]; ++b) {
        for (int c = -n[2]; c <= n[2]; ++c) {
          for (std::size_t j = 0; j < p.size(); ++j) {
            if (i == j && a == 0 && b == 0 && c == 0) continue;
            const double x = p.position[j][0] + a * boundary.size[0] - p.position[i][0];
            const double y = p.position[j][1] + b * boundary.size[1] - p.position[i][1];
            const double z = p.position[j][2] + c * boundary.size[2] - p.position[i][2];
            const double r2 = x * x + y * y + z * z + eps * eps, r = std::sqrt(r2), pull = p.mass[j] / (r2 * r);
            sum[i][0] += pull * x;
            sum[i][1] += pull * y;
            sum[i][2] += pull * z;
            sum[i][3] -= p.mass[j] / r;
          }
        }
      }
    }
  }
  return sum;
}

struct Case {
  Walk walk;
  Mac mac;
  double theta;
  double most;  ///< rms error: of quadrupoles at that angle, or of fp32 sums of accelerations that nearly cancel
};

GravityOptions options_of(const Case& c) {
  GravityOptions o;
  o.walk = c.walk;
  o.mac = c.mac;
  o.theta = c.theta;
  o.eps = 0.01;
  return o;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {Walk::direct, Mac::offset, 0.5, 3e-6},      {Walk::stackless, Mac::offset, 0.4, 1e-3},
      {Walk::stackless, Mac::relative, 0.3, 1e-3}, {Walk::group, Mac::offset, 0.4, 1e-3},
      {Walk::group, Mac::min_distance, 0.4, 1e-3}, {Walk::group, Mac::relative, 0.3, 1e-3},
      {Walk::group, Mac::offset, 0.0, 3e-6}};
  return all;
}

std::string told(const std::string& backend, const Case& c) {
  return backend + " " + std::string(name(c.walk)) + " " + std::string(name(c.mac)) + " " + std::to_string(c.theta);
}

TEST(Images, ForcesAreThoseOfTheSum) {
  const Boundary boundary = box({2, 1.5, 0}, {2, 1, 0});
  const Particles p = scattered(400, {2, 1.5, 0.2}, 1);
  const Forces expected = summed(p, 0.01, boundary);
  for (const std::string& backend : every_backend()) {
    for (const Case& c : cases()) {
      EXPECT_LT(rms_difference(evaluate_in(backend, p, options_of(c), boundary).field, expected), c.most)
          << told(backend, c);
    }
  }
}

TEST(Images, VoteAndSpline) {
  const Boundary boundary = box({1, 1, 1}, {1, 1, 1});
  const Particles p = scattered(400, {1, 1, 1}, 2);
  GravityOptions o = options_of({Walk::group, Mac::offset, 0.4, 0});
  o.softening = Softening::spline;
  o.eps = 0.3;  // its reach spans the wall
  std::vector<std::size_t> which(p.size());
  std::iota(which.begin(), which.end(), std::size_t{0});
  Forces expected;
  fp64::sum_directly(detect_instruction_set(), 2, p, which, o, expected, images_of(boundary, 0));
  for (const std::string& backend : every_backend()) {
    for (const Walk walk : {Walk::group, Walk::stackless, Walk::vote, Walk::direct}) {
      if (walk == Walk::vote && backend == "cpu") continue;
      o.walk = walk;
      EXPECT_LT(rms_difference(evaluate_in(backend, p, o, boundary).field, expected), 1e-3) << backend << name(walk);
    }
  }
}

// The oracle of the checks is that of this file.
TEST(Images, OracleSumsThem) {
  const Boundary boundary = box({2, 1.5, 3}, {1, 2, 1});
  const Particles p = scattered(300, {2, 1.5, 3}, 3);
  std::vector<std::size_t> which = {0, 7, 299};
  GravityOptions o = options_of(cases().front());
  Forces found;
  fp64::sum_directly(detect_instruction_set(), 1, p, which, o, found, images_of(boundary, 0));
  const Forces expected = summed(p, 0.01, boundary);
  for (std::size_t s = 0; s < which.size(); ++s) {
    EXPECT_LT(relative_difference(found[s], expected[which[s]]), 1e-13);
    EXPECT_NEAR(found[s][3], expected[which[s]][3], 1e-12 * std::abs(found[s][3]));
  }
}

// A particle feels its own images, not itself: two at a distance of 2, of which nothing is left but the potential.
TEST(Images, OneAlone) {
  for (const std::string& backend : every_backend()) {
    for (const Walk walk : {Walk::group, Walk::stackless, Walk::direct}) {
      GravityOptions o;
      o.walk = walk;
      o.eps = 0;
      const Forces found = evaluate_in(backend, at_rest({{0.3, 0.1, -5}}, {3}), o, box({2, 2, 0}, {1, 0, 0})).field;
      EXPECT_EQ(found[0][0], 0) << backend << name(walk);
      EXPECT_NEAR(found[0][3], -3, 1e-6) << backend << name(walk);
    }
  }
}

// Neighbours across a wall, a billionth of the box apart: as exact as neighbours within it.
TEST(Images, ClosePairsAcrossTheWall) {
  const double d = 1e-9;
  const Boundary boundary = box({4, 4, 4}, {1, 1, 1});
  Particles p = scattered(500, {4, 4, 4}, 4);
  p.position[0] = {2 - d, 0.3, 0.2};
  p.position[1] = {-2 + d, 0.3, 0.2};
  for (std::size_t i = 2; i < 60; ++i) p.position[i] = {2 - 1e-3 * static_cast<double>(i), 0.3, 0.2};  // its group
  const Forces expected = summed(p, 0, boundary);
  for (const std::string& backend : every_backend()) {
    for (const Walk walk : {Walk::group, Walk::stackless, Walk::direct}) {
      GravityOptions o;
      o.walk = walk;
      o.eps = 0;
      const Forces found = evaluate_in(backend, p, o, boundary).field;
      for (std::size_t i : {0U, 1U}) {
        // the wall's place has 1e-16 of the box, 1e-7 of the pair's distance
        EXPECT_LT(relative_difference(found[i], expected[i]), 1e-6) << backend << name(walk) << i;
      }
    }
  }
}

// Neighbours across a corner: eight that are a billionth of the box apart, each in another image than the rest, whose
// pulls are summed together.
TEST(Images, ClosePairsAcrossACorner) {
  const Boundary boundary = box({4, 4, 4}, {1, 1, 1});
  Particles p = scattered(500, {4, 4, 4}, 8);
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double inward = 1e-9 * (1 + static_cast<double>(k) + static_cast<double>(i * i));
      p.position[i][k] = (i >> k & 1U) != 0 ? 2 - inward : inward - 2;
    }
  }
  const Forces expected = summed(p, 0, boundary);
  for (const std::string& backend : every_backend()) {
    GravityOptions o;
    o.eps = 0;
    const Forces found = evaluate_in(backend, p, o, boundary).field;
    for (std::size_t i = 0; i < 8; ++i) {
      // the wall's place has 1e-16 of the box, 2e-7 of the pairs' distances
      EXPECT_LT(relative_difference(found[i], expected[i]), 1e-6) << backend << i;
    }
  }
}

// A sheet of several blocks: what stands far off in any image is expanded for a block of groups at once on the CPU, so
// that more images cost next to nothing; and threads change no bits.
TEST(Images, FarOnesAreSharedByBlocks) {
  const Particles p = scattered(6000, {20, 20, 0.3}, 9);
  const Boundary near = box({20, 20, 0}, {1, 1, 0}), far = box({20, 20, 0}, {3, 3, 0});
  GravityOptions o;
  o.eps = 0.01;
  o.theta = 0.7;
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < p.size(); i += 20) which.push_back(i);
  for (const Boundary& boundary : {near, far}) {
    const Forces found = evaluate_in("cpu", p, o, boundary).field;
    Forces expected, sampled;
    fp64::sum_directly(detect_instruction_set(), 2, p, which, o, expected, images_of(boundary, 0));
    for (const std::size_t i : which) sampled.push_back(found[i]);
    EXPECT_LT(rms_difference(sampled, expected), 1e-3) << boundary.n_ghost[0];  // as of open space at that angle
  }
  const Interactions some = evaluate_in("cpu", p, o, near).interactions,
                     many = evaluate_in("cpu", p, o, far).interactions;
  EXPECT_LT(many.expansion, 2 * some.expansion);  // 49 images, 9 images
  EXPECT_LT(many.particle + many.cell, 1.1 * static_cast<double>(some.particle + some.cell));
  EXPECT_EQ(evaluate_in("cpu", p, o, far, 1).field, evaluate_in("cpu", p, o, far, 2).field);
}

// Many at one place: they attract one another's images as a point, and nothing within.
TEST(Images, Coincident) {
  const Boundary boundary = box({4, 4, 0}, {1, 1, 0});
  Particles p = scattered(400, {4, 4, 1}, 5);
  for (std::size_t i = 100; i < 300; ++i) p.position[i] = {1.9, -0.4, 0.1};
  const Forces expected = summed(p, 0.05, boundary);
  for (const std::string& backend : every_backend()) {
    for (const Walk walk : {Walk::group, Walk::stackless, Walk::direct}) {
      GravityOptions o = options_of({walk, Mac::offset, 0.3, 0});
      o.eps = 0.05;
      const Forces found = evaluate_in(backend, p, o, boundary).field;
      EXPECT_LT(rms_difference(found, expected), 1e-3) << backend << name(walk);
      for (std::size_t i = 0; i < p.size(); ++i) {
        ASSERT_NEAR(found[i][3], expected[i][3], 2e-4 * std::abs(expected[i][3])) << backend << name(walk) << i;
      }
    }
  }
}

TEST(Images, InteractionsAreCounted) {
  const std::uint64_t n = 300;
  const Boundary boundary = box({4, 4, 4}, {1, 1, 1});
  const Particles p = scattered(n, {4, 4, 4}, 6);
  for (const std::string& backend : every_backend()) {
    for (const Walk walk : {Walk::group, Walk::stackless, Walk::direct}) {
      const GravityOptions o = options_of({walk, Mac::offset, 0.0, 0});  // every pair
      const Interactions met = evaluate_in(backend, p, o, boundary).interactions;
      EXPECT_EQ(met.particle + met.cell, n * (27 * n - 1)) << backend << name(walk);
    }
  }
}

// Block steps: what is due meets images, too, few of them by direct sums and many by the walk.
TEST(Images, OfThoseThatAreDue) {
  const Boundary boundary = box({2, 2, 2}, {1, 0, 0});
  for (const std::size_t n : {500U, 24000U}) {
    const Particles start = scattered(n, {2, 2, 2}, 7);
    for (const std::string& backend : every_backend()) {
      Particles p = start;
      GravityOptions o = options_of({Walk::group, Mac::offset, 0.4, 0});
      ParticleSystem system = open_system(backend, 0, 0);
      system.set_boundary(boundary, 0);
      Particles moving = p;
      moving.velocity.assign(n, Vec3{});
      system.load(moving, o, {.rungs = true});
      system.build_tree();
      system.evaluate();
      const Forces all = forces_of(system, p);
      const auto active = static_cast<double>(lattice_models::activate_strong(system, 0.5));
      EXPECT_LT(active, static_cast<double>(n)) << backend;
      EXPECT_EQ(active * static_cast<double>(n) > 5e8, n > 500) << backend << active;  // few_pairs (device_direct.cpp)
      system.evaluate_due(1);
      const Forces due = forces_of(system, p);
      EXPECT_LT(rms_difference(due, all), 2e-4) << backend << n;  // other groups, errors of the same size
    }
  }
}

}  // namespace
}  // namespace hornbeam
