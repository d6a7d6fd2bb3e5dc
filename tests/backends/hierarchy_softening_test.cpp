// SPDX-License-Identifier: Apache-2.0
// Forces to an accuracy where particles differ in softening, with the spline, and by images of the sources, against
// fp64 direct sums.
#include <gtest/gtest.h>

#include "support/hierarchy_models.h"
#include "tree/boundary.h"

namespace hornbeam {
namespace {

using namespace accuracy_models;

GravityOptions own_softenings(double accuracy, Softening kind, Precision precision = Precision::mixed) {
  GravityOptions o = options(accuracy, precision, -1);
  o.softening = kind;
  return o;
}

/// Softens by the one length or the other, as `is_large` says.
Particles softened(Particles p, double small, double large, const std::function<bool(std::size_t)>& is_large) {
  p.eps.resize(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) p.eps[i] = is_large(i) ? large : small;
  return p;
}

bool is_odd(std::size_t i) { return i % 2 == 1; }

TEST(HierarchySoftening, KeepsAccuracyOfUnequalParticles) {
  for (const double accuracy : {1e-2, 1e-3, 1e-4}) {
    const GravityOptions o = own_softenings(accuracy, Softening::plummer);
    expect_kept_in("mixed", softened(drawn("plummer", 10000), 0.02, 0.2, is_odd), o, 1000);
    expect_kept_in("small and none", softened(drawn("hernquist", 10000), 0, 0.01, is_odd), o, 1000);
    // a star of each hundred: the mean of a cell says nothing of it
    expect_kept_in("few large", softened(drawn("plummer", 10000), 1e-3, 0.5, [](auto i) { return i % 100 == 0; }), o,
                   1000);
    const Particles p = disc(10000);
    expect_kept_in("by side", softened(p, 0.01, 0.3, [&](auto i) { return p.position[i][0] > 0; }), o, 1000);
    expect_kept_in("clumps", softened(clumps(7200), 1e-6, 1e-3, is_odd), o, 1000);
    expect_kept_in("coincident", softened(coincident(2000), 0.01, 0.1, is_odd), o, 1000);
  }
}

TEST(HierarchySoftening, KeepsAccuracyWithTheSpline) {
  for (const double accuracy : {1e-2, 1e-3, 1e-4}) {
    for (const double eps : {1e-3, 0.05, 0.5}) {
      GravityOptions o = options(accuracy, Precision::mixed, eps);
      o.softening = Softening::spline;
      expect_kept_in("eps " + std::to_string(eps), drawn("plummer", 10000), o, 1000);
    }
    const GravityOptions o = own_softenings(accuracy, Softening::spline);
    expect_kept_in("mixed", softened(drawn("plummer", 10000), 0.02, 0.2, is_odd), o, 1000);
    expect_kept_in("coincident", softened(coincident(2000), 0.01, 0.1, is_odd), o, 1000);
  }
}

TEST(HierarchySoftening, KeepsAccuracyInDouble) {
  for (const Softening kind : {Softening::plummer, Softening::spline}) {
    expect_kept_in("mixed", softened(drawn("plummer", 4000), 0.02, 0.2, is_odd),
                   own_softenings(1e-6, kind, Precision::fp64), 1000);
  }
}

}  // namespace
}  // namespace hornbeam
