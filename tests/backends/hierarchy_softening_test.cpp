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

/// Two clumps of that width, a length apart.
Particles two_clumps(std::size_t n, double width) {
  return placed(n, [&](auto& e, std::size_t i) {
    return Vec3{(i % 3 == 0 ? 0.5 : -0.5) + width * normal(e), width * normal(e), width * normal(e)};
  });
}

/// Masses of six decades in 20 clumps of 1e-4 to 1e-2, and softenings as their cube roots.
Particles clumps_of_masses(std::size_t n) {
  Particles p = placed(n, [](auto& e, std::size_t i) {
    std::mt19937_64 clump(i % 20 + 1);
    const double width = 1e-3 * std::pow(10, uniform(e));
    Vec3 x;
    for (double& c : x) c = 0.5 * uniform(clump) + width * normal(e);
    return x;
  });
  std::mt19937_64 engine(5);
  p.eps.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    p.mass[i] = std::pow(10, 3 * uniform(engine));
    p.eps[i] = 0.0045 * std::cbrt(p.mass[i]);
  }
  return p;
}

constexpr std::size_t count = 4000, sample = 500;

TEST(HierarchySoftening, KeepsAccuracyOfUnequalParticles) {
  const auto expect_each = [](const std::string& what, const Particles& p) {
    expect_each_kept_in(what, p, own_softenings(0, Softening::plummer), {1e-2, 1e-3, 1e-4}, sample);
  };
  expect_each("mixed", softened(drawn("plummer", count), 0.02, 0.2, is_odd));
  expect_each("small and none", softened(drawn("hernquist", count), 0, 0.01, is_odd));
  // a star of each hundred: the mean of a cell says nothing of it
  expect_each("few large", softened(drawn("plummer", count), 1e-3, 0.5, [](auto i) { return i % 100 == 0; }));
  const Particles p = disc(count);
  expect_each("by side", softened(p, 0.01, 0.3, [&](auto i) { return p.position[i][0] > 0; }));
  expect_each("clumps", softened(clumps(7200), 1e-6, 1e-3, is_odd));
  expect_each("coincident", softened(coincident(2000), 0.01, 0.1, is_odd));
}

// What is softened most is attracted far less than others at its place, by which its unit's demand has to go.
TEST(HierarchySoftening, KeepsAccuracyOfSofteningsFarLargerThanClumps) {
  const GravityOptions o = own_softenings(0, Softening::plummer);
  const Particles p = two_clumps(2000, 1e-4);
  expect_each_kept_in("half", softened(p, 1e-3, 0.3, is_odd), o, {1e-2, 1e-3}, 2000);
  expect_each_kept_in("one", softened(p, 1e-3, 10, [](auto i) { return i == 3; }), o, {1e-2, 1e-3}, 2000);
}

TEST(HierarchySoftening, KeepsAccuracyWithTheSpline) {
  const auto expect_each = [](const std::string& what, const Particles& p, const GravityOptions& o) {
    expect_each_kept_in(what, p, o, {1e-2, 1e-3, 1e-4}, sample);
  };
  for (const double eps : {1e-3, 0.05, 0.5}) {
    GravityOptions o = options(0, Precision::mixed, eps);
    o.softening = Softening::spline;
    expect_each("eps " + std::to_string(eps), drawn("plummer", count), o);
  }
  const GravityOptions own = own_softenings(0, Softening::spline);
  expect_each("mixed", softened(drawn("plummer", count), 0.02, 0.2, is_odd), own);
  expect_each("coincident", softened(coincident(2000), 0.01, 0.1, is_odd), own);
}

TEST(HierarchySoftening, KeepsAccuracyInDouble) {
  for (const Softening kind : {Softening::plummer, Softening::spline}) {
    expect_kept_in("mixed", softened(drawn("plummer", 4000), 0.02, 0.2, is_odd),
                   own_softenings(1e-6, kind, Precision::fp64), 1000);
  }
  // the mean eps^2 of a cell over its mass is nearly that of its heaviest, whatever the others have
  expect_kept_in("by mass", clumps_of_masses(4000), own_softenings(1e-8, Softening::plummer, Precision::fp64), 4000);
}

}  // namespace
}  // namespace hornbeam
