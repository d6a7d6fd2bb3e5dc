// SPDX-License-Identifier: Apache-2.0
// Forces to an accuracy in an infinite lattice, per particle against Ewald's sums: of all shapes of box, from 1e-2 to
// what a precision reaches.
#include <gtest/gtest.h>

#include "hornbeam/forces.h"
#include "interactions/gravity/lattice/scales.h"
#include "support/hierarchy_models.h"
#include "support/lattice_models.h"

namespace hornbeam {
namespace {

using namespace accuracy_models;
using lattice_models::scattered;

/// Of so few pairs far images are Ewald's sums pair by pair (reference_order_for()), which take most of the time: of a
/// small sample, whose largest error is its p99.
void expect_kept_in_lattice(const Particles& p, const Vec3& size, const std::vector<double>& accuracies,
                            Precision precision, double eps, std::size_t sample) {
  const std::string what = "edges " + std::to_string(size[0]) + ", " + std::to_string(size[1]) + ", " +
                           std::to_string(size[2]) + ", N " + std::to_string(p.size());
  expect_each_kept_in(what, p, options(accuracies[0], precision, eps), accuracies, sample,
                      lattice_models::lattice(size));
}

/// Accuracies of each order of the far images, which take most of the time: 6, 8 and 10, from 1e-4 on.
void expect_kept_in_shape(const Vec3& size) {
  const auto expect_kept_of = [&](bool clumps, const std::vector<double>& accuracies) {
    expect_kept_in_lattice(scattered(1600, size, clumps, 21), size, accuracies, Precision::mixed, 1e-3, 16);
  };
  expect_kept_of(false, {1e-2, 1e-4});
  expect_kept_of(true, {1e-2, 1e-3, 3e-5});
}

TEST(HierarchyLattice, KeepsAccuracyInACube) { expect_kept_in_shape({1, 1, 1}); }
TEST(HierarchyLattice, KeepsAccuracyInALongBox) { expect_kept_in_shape({1, 2, 4}); }
// Ewald's sums take ten times as long there.
TEST(HierarchyLatticeLong, KeepsAccuracyInALongerBox) { expect_kept_in_shape({1, 1, 10}); }
TEST(HierarchyLattice, KeepsAccuracyInASlab) { expect_kept_in_shape({1, 1.5, 0}); }
TEST(HierarchyLattice, KeepsAccuracyInAFilament) { expect_kept_in_shape({0, 0, 1}); }

// The order of the far images follows from the accuracy: 10 of 1e-4 to 22 of 1e-9.
void expect_kept_in_double(const Vec3& size, const std::vector<double>& accuracies = {1e-4, 1e-6, 1e-8, 1e-9}) {
  expect_kept_in_lattice(scattered(1000, size, true, 23), size, accuracies, Precision::fp64, 1e-4, 20);
}
TEST(HierarchyLattice, KeepsAccuracyInDoublePrecision) { expect_kept_in_double({1, 1, 1}); }
TEST(HierarchyLattice, KeepsAccuracyInASlabInDoublePrecision) { expect_kept_in_double({1, 1.5, 0}, {1e-4, 1e-9}); }
TEST(HierarchyLatticeLong, KeepsAccuracyInDoublePrecision) { expect_kept_in_double({1, 1, 10}); }

TEST(HierarchyLattice, KeepsAccuracyOfFew) {
  for (const std::size_t n : {1U, 2U, 3U, 40U}) {
    // the least accuracies of each order of the far images
    expect_kept_in_lattice(scattered(n, {1, 1, 1}, false, 24), {1, 1, 1}, {3e-3, 7e-4, 1e-4}, Precision::mixed, 0, n);
    expect_kept_in_lattice(scattered(n, {1, 1, 0}, false, 25), {1, 1, 0}, {1e-6}, Precision::fp64, 0, n);
  }
}

// In equilibrium |a| is 0: errors count against the least acceleration.
TEST(HierarchyLattice, KeepsAccuracyOfParticlesAtRest) {
  Particles p = lattice(12);
  for (Vec3& x : p.position) {
    for (double& c : x) c -= 6;
  }
  expect_kept_in_lattice(p, {12, 12, 12}, {1e-2, 1e-3, 1e-4}, Precision::mixed, 0, 16);
}

// Far images take cells as points, and targets the expansions of cubes. Cells of sheets are flat, all in one direction.
TEST(HierarchyLattice, KeepsAccuracyOfManyInSheets) {
  for (const Vec3& size : {Vec3{1, 1, 1}, Vec3{1, 1.5, 0}}) {
    const Particles p = placed(20000, [&](auto& e, std::size_t i) {
      const double along = size[1] / 2 * uniform(e), sheet = (static_cast<double>(i % 8) - 3.5) / 8;
      return size[2] > 0 ? Vec3{uniform(e) / 2, along, sheet} : Vec3{sheet, along, uniform(e) / 4};
    });
    expect_kept_in_lattice(p, size, {1e-2, 1e-3}, Precision::mixed, 1e-3, 30);
  }
}

TEST(HierarchyLattice, KeepsAccuracyWithTheSpline) {
  GravityOptions o = options(1e-2, Precision::mixed, 0.05);
  o.softening = Softening::spline;  // its reach spans the wall
  expect_kept_in("spline", scattered(3000, {1, 1, 1}, true, 26), o, 12, lattice_models::lattice({1, 1, 1}));
}

// Target points and the particles active in a block keep it, too.
TEST(HierarchyLattice, KeepsAccuracyAtTargetPoints) {
  for (const Vec3& size : {Vec3{1, 1, 1}, Vec3{1, 1.5, 0}}) {
    const Particles p = scattered(1100, size, true, 27);
    Particles with = p;
    const Particles points = scattered(80, size, false, 28);
    for (const Vec3& x : points.position) {
      with.resize(with.size() + 1);
      with.position.back() = x;
      with.mass.back() = 0;
    }
    std::vector<std::size_t> which(points.size());
    std::iota(which.begin(), which.end(), p.size());
    GravityOptions exactly;
    exactly.walk = Walk::direct;
    exactly.precision = Precision::fp64;
    exactly.eps = 1e-3;
    const Forces all = evaluate_in("cpu", with, exactly, lattice_models::lattice(size)).field;
    for (const double accuracy : {1e-2, 1e-4}) {
      ForceEvaluator evaluator("cpu");
      const ForceField found = evaluator.evaluate_at(p, points.position, {}, options(accuracy, Precision::mixed, 1e-3),
                                                     lattice_models::lattice(size));
      Forces walked, expected;
      for (std::size_t i = 0; i < points.size(); ++i) {
        walked.push_back(
            {found.acceleration[i][0], found.acceleration[i][1], found.acceleration[i][2], found.potential[i]});
        expected.push_back(all[which[i]]);
      }
      expect_promise(promised_errors(walked, expected, mass_of(p), lattice_scales(size)), accuracy);
    }
  }
}

TEST(HierarchyLattice, KeepsAccuracyOfThoseThatAreActive) {
  const Vec3 size = {1, 1, 1};
  Particles p = scattered(4000, size, true, 29);
  p.velocity.assign(p.size(), Vec3{});
  ParticleSystem system = open_system("cpu", 0, 2);
  system.set_boundary(lattice_models::lattice(size), 0);
  system.load(p, options(1e-3, Precision::mixed, 1e-3), {.rungs = true});
  system.build_tree();
  system.evaluate();
  const std::uint64_t active = lattice_models::activate_strong(system, 0.5);
  EXPECT_GT(active, 0U);
  EXPECT_LT(active, p.size());
  system.evaluate_due(1);
  std::vector<std::array<double, 4>> direct;
  expect_promise(sample_errors(system, p, 100, 2, direct).summary, 1e-3);
}

}  // namespace
}  // namespace hornbeam
