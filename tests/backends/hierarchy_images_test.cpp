// SPDX-License-Identifier: Apache-2.0
// Forces to an accuracy by particles and their images, in periodic boxes and shearing sheets, against fp64 direct sums.
#include <gtest/gtest.h>

#include "support/hierarchy_models.h"
#include "tree/boundary.h"

namespace hornbeam {
namespace {

using namespace accuracy_models;

Boundary periodic(Vec3 size, std::array<int, 3> n_ghost) {
  return {.kind = BoundaryKind::periodic, .size = size, .n_ghost = n_ghost};
}

/// A piece of a ring, much thinner than wide.
Particles sheet(std::size_t n, const Vec3& size) {
  return placed(n, [&](auto& e, std::size_t) {
    return Vec3{uniform(e) * size[0] / 2, uniform(e) * size[1] / 2, 0.01 * normal(e)};
  });
}

TEST(HierarchyImages, KeepAccuracyOfBoxes) {
  const std::vector<double> accuracies = {1e-2, 1e-3, 1e-4};
  expect_each_kept_in("cube", drawn("uniform-cube", 3000), options(0), accuracies, 300,
                      periodic({1.1, 1.1, 1.1}, {1, 1, 1}));
  Particles centred = lattice(12);
  for (Vec3& x : centred.position) {
    for (double& c : x) c -= 6;
  }
  expect_each_kept_in("lattice", centred, options(0), accuracies, 300, periodic({12, 12, 12}, {1, 1, 1}));
  expect_each_kept_in("clumps", clumps(7200), options(0), accuracies, 300, periodic({3, 3, 3}, {1, 1, 1}));
  expect_each_kept_in("column", drawn("plummer", 6000), options(0), accuracies, 300, periodic({60, 60, 60}, {0, 0, 3}));
  expect_kept_in("double", drawn("uniform-cube", 3000), options(1e-6, Precision::fp64), 300,
                 periodic({1.1, 1.1, 1.1}, {1, 1, 1}));
}

TEST(HierarchyImages, KeepAccuracyOfRings) {
  Boundary boundary;
  boundary.kind = BoundaryKind::shear;
  boundary.size = {2, 3, 0};
  boundary.n_ghost = {2, 1, 0};
  boundary.omega = 1;
  for (const double time : {0.0, 0.7}) {
    expect_each_kept_in("ring", sheet(5000, boundary.size), options(0, Precision::mixed, 1e-3),
                        {1e-2, 1e-3, 1e-4, 3e-5}, 500, boundary, time);
  }
}

TEST(HierarchyImages, KeepAccuracyWithTheSpline) {
  GravityOptions o = options(1e-3, Precision::mixed, 0.1);
  o.softening = Softening::spline;  // its reach spans the wall
  expect_kept_in("cube", drawn("uniform-cube", 4000), o, 500, periodic({1.1, 1.1, 1.1}, {1, 1, 1}));
}

}  // namespace
}  // namespace hornbeam
