// SPDX-License-Identifier: Apache-2.0
// Gravity of an infinite lattice on every backend and walk, per particle against Ewald's sums pair by pair.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "hornbeam/error.h"
#include "hornbeam/forces.h"
#include "interactions/gravity/lattice/pair_potential.h"
#include "simulation/check.h"
#include "stages/wrap.h"
#include "support/devices.h"
#include "support/forces.h"
#include "support/lattice_models.h"
#include "tree/images.h"

namespace hornbeam {
namespace {

using lattice_models::lattice;
using lattice_models::scattered;

/// Some of n particles, in [first, n), every nth: for sums pair by pair, which take most of the time.
std::vector<std::size_t> some_of(std::size_t n, std::size_t nth = 1, std::size_t first = 0) {
  std::vector<std::size_t> which;
  for (std::size_t i = first; i < n; i += nth) which.push_back(i);
  return which;
}

Forces at_some(const Forces& all, const std::vector<std::size_t>& which) {
  Forces some;
  for (const std::size_t i : which) some.push_back(all[i]);
  return some;
}

/// The forces on those of `which`: Plummer softening of near images; all other images in fp64, nothing of hornbeam's
/// but PairPotential.
Forces summed(const Particles& p, double eps, const Vec3& size, const std::vector<std::size_t>& which) {
  const PairPotential pair(size);
  const std::array<int, 3> near = near_images_of(size).layers;
  Forces sums(which.size(), {0, 0, 0, 0});
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t s = 0; s < which.size(); ++s) {
    const std::size_t i = which[s];
    std::array<double, 4>& sum = sums[s];
    for (std::size_t j = 0; j < p.size(); ++j) {
      Vec3 r{};
      for (int k = 0; k < 3; ++k) r[k] = p.position[i][k] - p.position[j][k];
      const PairField far = pair.far(r);
      for (int k = 0; k < 3; ++k) sum[k] += p.mass[j] * far.gradient[k];
      sum[3] -= p.mass[j] * far.value;
      for (int a = -near[0]; a <= near[0]; ++a) {
        for (int b = -near[1]; b <= near[1]; ++b) {
          for (int c = -near[2]; c <= near[2]; ++c) {
            if (i == j && a == 0 && b == 0 && c == 0) continue;
            const double x = r[0] + a * size[0], y = r[1] + b * size[1], z = r[2] + c * size[2];
            const double s2 = x * x + y * y + z * z + eps * eps, length = std::sqrt(s2);
            sum[0] -= p.mass[j] * x / (s2 * length);
            sum[1] -= p.mass[j] * y / (s2 * length);
            sum[2] -= p.mass[j] * z / (s2 * length);
            sum[3] -= p.mass[j] / length;
          }
        }
      }
    }
  }
  return sums;
}
Forces summed(const Particles& p, double eps, const Vec3& size) { return summed(p, eps, size, some_of(p.size())); }

/// Every pair by its near images, so that the far ones' errors alone are left.
GravityOptions every_pair(Precision precision) {
  GravityOptions o;
  o.walk = Walk::direct;
  o.eps = 0.02;
  o.precision = precision;
  return o;
}

double worst_potential(const Forces& found, const Forces& expected) {
  double worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i) worst = std::max(worst, std::abs(found[i][3] - expected[i][3]));
  return worst;
}

// The shapes of a box: a cube, long boxes, slabs and filaments; the mass is 1, so that forces are of order 1.
TEST(Lattice, ForcesAreThoseOfEwaldsSums) {
  const std::vector<Vec3> shapes = {{1, 1, 1}, {1, 2, 4}, {1, 1.5, 0}, {0, 0, 1}};
  for (const Vec3& size : shapes) {
    for (const bool clumps : {false, true}) {
      const Particles p = scattered(120, size, clumps, 1);
      const std::vector<std::size_t> which = some_of(p.size(), 5);  // of the clumps and of the rest
      const Forces expected = summed(p, 0.02, size, which);
      const std::string told = clumps ? " clumps of " : " uniform in ";
      for (const std::string& backend : every_backend()) {
        const Forces found = at_some(evaluate_in(backend, p, every_pair(Precision::mixed), lattice(size)).field, which);
        // the 1e-5: expansions of order 10, and fp32 sums of near images that nearly cancel
        EXPECT_LT(rms_difference(found, expected), 1e-5) << backend << told << size[1];
        // and potentials of order 20 that 27 images add to in fp32
        EXPECT_LT(worst_potential(found, expected), 3e-5) << backend << told << size[1];
      }
    }
  }
}

TEST(Lattice, DoublePrecision) {
  for (const Vec3& size : {Vec3{1, 1, 1}, Vec3{1, 1.5, 0}}) {
    const Particles p = scattered(120, size, true, 1);
    const std::vector<std::size_t> which = some_of(p.size(), 3);
    const Forces expected = summed(p, 0.02, size, which);
    const Forces found = at_some(evaluate_in("cpu", p, every_pair(Precision::fp64), lattice(size)).field, which);
    EXPECT_LT(rms_difference(found, expected), 1e-10) << size[2];  // the issue's; expansions of order 22
    EXPECT_LT(worst_potential(found, expected), 1e-10) << size[2];
  }
}

// The last two have more near images along their short axes (tree/images.h).
TEST(Lattice, LongBoxes) {
  for (const Vec3& size : {Vec3{1, 1, 10}, Vec3{8, 1, 8}, Vec3{1, 0, 10}}) {
    const Particles p = scattered(150, size, true, 2);
    const std::vector<std::size_t> which = some_of(p.size(), 3);
    const Forces found = evaluate_in("cpu", p, every_pair(Precision::mixed), lattice(size)).field;
    EXPECT_LT(rms_difference(at_some(found, which), summed(p, 0.02, size, which)), 1e-5);
  }
}

// All walks have the near images as sums of images have them, and the far ones by the same expansions.
TEST(Lattice, AllWalks) {
  const Vec3 size = {1, 1, 1};
  const Particles p = scattered(400, size, true, 3);
  const std::vector<std::size_t> which = some_of(p.size(), 5);
  const Forces expected = summed(p, 0.02, size, which);
  for (const std::string& backend : every_backend()) {
    for (const Walk walk : {Walk::group, Walk::stackless, Walk::vote}) {
      if (walk == Walk::vote && backend == "cpu") continue;
      for (const Mac mac : {Mac::offset, Mac::relative}) {
        GravityOptions o = every_pair(Precision::mixed);
        o.walk = walk;
        o.mac = mac;
        o.theta = mac == Mac::offset ? 0.4 : 0.3;
        // truncation at that angle, as of images (images_test.cpp)
        EXPECT_LT(rms_difference(at_some(evaluate_in(backend, p, o, lattice(size)).field, which), expected), 1e-3)
            << backend << name(walk);
      }
    }
  }
}

// -2.837297 G m / L of the images, which have the other sign in phi; no acceleration.
TEST(Lattice, OneTwoAndThree) {
  const Vec3 size = {2, 2, 2};
  for (const std::string& backend : every_backend()) {
    GravityOptions o = by_angles();
    o.eps = 0;
    const Forces one = evaluate_in(backend, at_rest({{0.3, 0.7, -0.9}}, {3}), o, lattice(size)).field;
    EXPECT_NEAR(one[0][3], 2.837297479 * 3 / 2, 3e-6) << backend;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(one[0][k], 0, 3e-5) << backend;
    const Particles two = at_rest({{-0.9, 0.1, 0.2}, {0.8, -0.3, 0.95}}, {1, 2});
    EXPECT_LT(rms_difference(evaluate_in(backend, two, o, lattice(size)).field, summed(two, 0, size)), 2e-5) << backend;
    const Particles three = at_rest({{-0.9, 0.1, 0.2}, {0.8, -0.3, 0.95}, {0.1, 0.99, -0.4}}, {1, 2, 0.5});
    EXPECT_LT(rms_difference(evaluate_in(backend, three, o, lattice(size)).field, summed(three, 0, size)), 2e-5)
        << backend;
  }
}

// A lattice has no edge: shifted by any vector, its particles have the same forces.
TEST(Lattice, ShiftsChangeNothing) {
  const Vec3 size = {1, 1, 2}, shift = {0.31, -0.77, 1.3};
  const Particles p = scattered(500, size, true, 4);
  Particles shifted = p;
  for (Vec3& x : shifted.position) {
    for (int k = 0; k < 3; ++k) x[k] = mixed::wrapped(x[k] + shift[k], size[k]);
  }
  GravityOptions mixed = every_pair(Precision::mixed), wide = every_pair(Precision::fp64);
  mixed.eps = wide.eps = 0;  // Plummer's softening of near images alone would be 1e-5 of the forces
  const Boundary box = lattice(size);
  // two times what expansions of order 10 and 22 leave out where half of the mass is near a corner of its part
  EXPECT_LT(rms_difference(evaluate_in("cpu", shifted, mixed, box).field, evaluate_in("cpu", p, mixed, box).field),
            4e-5);
  EXPECT_LT(rms_difference(evaluate_in("cpu", shifted, wide, box).field, evaluate_in("cpu", p, wide, box).field), 1e-9);
}

TEST(Lattice, ThreadsChangeNoBits) {
  const Particles p = scattered(5000, {1, 1, 1}, true, 5);
  GravityOptions o;
  o.eps = 0.01;
  EXPECT_EQ(evaluate_in("cpu", p, o, lattice({1, 1, 1}), 1).field,
            evaluate_in("cpu", p, o, lattice({1, 1, 1}), 2).field);
}

// Target points, also far above a slab, have the field of the same lattice.
TEST(Lattice, TargetPoints) {
  for (const Vec3& size : {Vec3{1, 1, 1}, Vec3{1, 1, 0}}) {
    Particles p = scattered(200, size, true, 6);
    const std::vector<Vec3> points = {{0.1, 0.2, 0.3}, {-0.4, 0.45, size[2] > 0 ? -0.49 : 5}};
    Particles with = p;
    with.resize(p.size() + 2);
    for (std::size_t i = 0; i < 2; ++i) {
      with.position[p.size() + i] = points[i];
      with.mass[p.size() + i] = 0;
    }
    const Forces expected = summed(with, 0.02, size, some_of(with.size(), 1, p.size()));
    for (const std::string& backend : every_backend()) {
      ForceEvaluator evaluator(backend);
      const ForceField found = evaluator.evaluate_at(p, points, {}, every_pair(Precision::mixed), lattice(size));
      for (std::size_t i = 0; i < 2; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
          EXPECT_NEAR(found.acceleration[i][k], expected[i][k], 3e-5) << backend << i << k;
        }
        EXPECT_NEAR(found.potential[i], expected[i][3], 3e-5) << backend << i;
      }
    }
  }
}

// `--check` and its like compare with the lattice, by pair sums of few and by expansions of high order of many: of more
// than few_pairs pairs (interactions/gravity/lattice/reference.cpp).
TEST(Lattice, ChecksAreOfTheLattice) {
  for (const std::size_t n : {300U, 700U}) {
    const Particles p = scattered(n, {1, 1, 1}, false, 7);
    for (const std::string& backend : every_backend()) {
      if (n > 300 && backend != "cpu") continue;  // those expansions are the CPU's for all
      ParticleSystem system = open_system(backend, 0, 0);
      system.set_boundary(lattice({1, 1, 1}), 0);
      system.load(p, every_pair(Precision::mixed));
      system.build_tree();
      system.evaluate();
      EXPECT_LT(check_forces(system, p, n == 300 ? 40 : 300, 0).acc_rms, 1e-5) << backend << n;
    }
  }
}

// Block steps: what is active has the far images, too.
TEST(Lattice, OfThoseThatAreActive) {
  const Particles start = scattered(1200, {2, 2, 2}, true, 8);
  for (const std::string& backend : every_backend()) {
    Particles p = start;
    GravityOptions o;
    o.eps = 0.01;
    o.theta = 0.4;
    ParticleSystem system = open_system(backend, 0, 0);
    system.set_boundary(lattice({2, 2, 2}), 0);
    Particles moving = p;
    moving.velocity.assign(p.size(), Vec3{});
    system.load(moving, o, {.rungs = true});
    system.build_tree();
    system.evaluate();
    const Forces all = forces_of(system, p);
    const std::uint64_t active = lattice_models::activate_strong(system, 0.5);
    EXPECT_GT(active, 0U);
    EXPECT_LT(active, p.size());
    system.evaluate_due(1);
    EXPECT_LT(rms_difference(forces_of(system, p), all), 5e-4) << backend;  // other groups, errors of the same size
  }
}

}  // namespace
}  // namespace hornbeam
