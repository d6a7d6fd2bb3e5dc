// SPDX-License-Identifier: Apache-2.0
// The count of particles with numbers that are non-finite, on the CPU and every device, and what a check makes of it.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "hornbeam/error.h"
#include "simulation/check.h"
#include "support/devices.h"
#include "support/forces.h"

namespace hornbeam {
namespace {

constexpr std::size_t n = 1000;
constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

/// Evaluates `particles` on a backend, whose kernels take longer to load than all that is done with them here.
void walk_over(ParticleSystem& backend, Precision precision, const Particles& particles, double eps = 0.01) {
  GravityOptions o = by_angles();
  o.precision = precision, o.eps = eps;
  backend.load(particles, o);
  backend.build_tree();
  backend.evaluate();
}

/// The count after what walk_over() has left was changed.
std::uint64_t count_after(ParticleSystem& backend, Particles saved, const std::function<void(Particles&)>& change) {
  backend.domain().save(saved);
  change(saved);
  backend.restore(saved);
  return backend.leapfrog().not_finite();
}

void expect_forces_counted(ParticleSystem& backend, Precision precision) {
  const Particles p = drawn("plummer", n);
  walk_over(backend, precision, p);
  EXPECT_EQ(backend.leapfrog().not_finite(), 0u);
  const auto lose = [](Particles& saved) {
    saved.acceleration[0][0] = nan, saved.acceleration[0][2] = nan;
    saved.acceleration[17][1] = inf;
    saved.acceleration[n - 1][2] = -inf;
    saved.potential[17] = nan;
    saved.potential[300] = -inf;
  };
  EXPECT_EQ(count_after(backend, p, lose), 4u) << "every particle once";
}

void expect_motions_counted(ParticleSystem& backend, Precision precision) {
  const bool single = precision == Precision::single;
  Particles p = drawn("plummer", n);
  p.velocity.assign(n, Vec3{});
  for (const std::size_t i : {5U, 6U, 700U}) p.velocity[i] = {0, 10, 0};
  walk_over(backend, precision, p);
  backend.leapfrog().drift(single ? 1e38 : 1e308);
  EXPECT_EQ(backend.leapfrog().not_finite(), 3u) << "positions";
  walk_over(backend, precision, p);
  const auto pull_one = [](Particles& saved) {
    saved.acceleration.assign(n, Vec3{});
    saved.acceleration[9] = {0, 0, 1e30};
  };
  EXPECT_EQ(count_after(backend, p, pull_one), 0u);
  backend.leapfrog().kick(single ? 1e20
                                 : 1e285);  // in internal units some thousand times as much, which must be finite
  EXPECT_EQ(backend.leapfrog().not_finite(), 1u) << "velocities";
}

/// Without velocities, without particles, and where the user's units alone make forces infinite.
void expect_edges_counted(ParticleSystem& backend, Precision precision) {
  Particles p = drawn("plummer", n);
  p.velocity.clear();
  walk_over(backend, precision, p);
  EXPECT_EQ(backend.leapfrog().not_finite(), 0u);
  walk_over(backend, precision, Particles{});
  EXPECT_EQ(backend.leapfrog().not_finite(), 0u);
  walk_over(backend, precision, at_rest({{0, 0, 0}, {1e-10, 0, 0}}, {1e300, 1e300}), 0);
  EXPECT_EQ(backend.leapfrog().not_finite(), 2u) << "m / r^2 is beyond 1e308";
}

void expect_checks_and_rungs_to_tell(ParticleSystem& backend, Precision precision) {
  const Particles p = drawn("plummer", n);
  walk_over(backend, precision, p);
  EXPECT_NO_THROW(check_forces(backend, p, 10));
  EXPECT_EQ(count_after(backend, p, [](Particles& saved) { saved.acceleration[123][0] = nan; }), 1u);
  try {
    check_forces(backend, p, 10);  // of others
    FAIL();
  } catch (const NotFinite& e) {
    EXPECT_NE(e.problem.find("the acceleration of particle 123"), std::string::npos) << e.problem;
  }
  const StepRule rule{.longest = 0.125, .eta = 0.2, .eta_change = 0, .deepest = 4};
  EXPECT_EQ(backend.leapfrog().choose_rungs(rule, 0, 0).not_finite, 1u);
}

TEST(NumbersNotFinite, AreCountedOnEveryBackend) {
  for (const std::string& name : every_backend()) {
    ParticleSystem backend = open_system(name, 0, 0);
    for (const Precision precision : {Precision::mixed, Precision::single, Precision::fp64}) {
      SCOPED_TRACE(name + " " + std::string(hornbeam::name(precision)));
      expect_forces_counted(backend, precision);
      expect_motions_counted(backend, precision);
      expect_edges_counted(backend, precision);
      expect_checks_and_rungs_to_tell(backend, precision);
    }
  }
}

}  // namespace
}  // namespace hornbeam
