// SPDX-License-Identifier: Apache-2.0
// Forces to an accuracy by particles and their images, in periodic boxes and shearing sheets, against fp64 direct sums.
#include <gtest/gtest.h>

#include "support/hierarchy_models.h"
#include "tree/boundary.h"

namespace hornbeam {
namespace {

using namespace accuracy_models;

/// The errors of the first evaluation and of the next, which knows |a|.
void expect_kept(const std::string& what, const Particles& p, const GravityOptions& o, const Boundary& boundary,
                 double time = 0) {
  ParticleSystem system = open_system("cpu", 0, 2);
  system.set_boundary(boundary, time);
  system.load(p, o);
  system.build_tree();
  std::vector<std::array<double, 4>> direct;
  for (const char* const turn : {"first", "next"}) {
    SCOPED_TRACE(what + ", accuracy " + std::to_string(o.accuracy) + ", " + turn);
    system.evaluate();
    expect_promise(sample_errors(system, p, 500, 2, direct).summary, o.accuracy);
  }
}

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
  for (const double accuracy : {1e-2, 1e-3, 1e-4}) {
    expect_kept("cube", drawn("uniform-cube", 6000), options(accuracy), periodic({1.1, 1.1, 1.1}, {1, 1, 1}));
    Particles centred = lattice(16);
    for (Vec3& x : centred.position) {
      for (double& c : x) c -= 8;
    }
    expect_kept("lattice", centred, options(accuracy), periodic({16, 16, 16}, {1, 1, 1}));
    expect_kept("clumps", clumps(7200), options(accuracy), periodic({3, 3, 3}, {1, 1, 1}));
    expect_kept("column", drawn("plummer", 6000), options(accuracy), periodic({60, 60, 60}, {0, 0, 3}));
  }
  expect_kept("double", drawn("uniform-cube", 4000), options(1e-6, Precision::fp64),
              periodic({1.1, 1.1, 1.1}, {1, 1, 1}));
}

TEST(HierarchyImages, KeepAccuracyOfRings) {
  Boundary boundary;
  boundary.kind = BoundaryKind::shear;
  boundary.size = {2, 3, 0};
  boundary.n_ghost = {2, 1, 0};
  boundary.omega = 1;
  for (const double accuracy : {1e-2, 1e-3, 1e-4, 3e-5}) {
    for (const double time : {0.0, 0.7}) {
      expect_kept("ring", sheet(10000, boundary.size), options(accuracy, Precision::mixed, 1e-3), boundary, time);
    }
  }
}

TEST(HierarchyImages, KeepAccuracyWithTheSpline) {
  GravityOptions o = options(1e-3, Precision::mixed, 0.1);
  o.softening = Softening::spline;  // its reach spans the wall
  expect_kept("cube", drawn("uniform-cube", 4000), o, periodic({1.1, 1.1, 1.1}, {1, 1, 1}));
}

}  // namespace
}  // namespace hornbeam
