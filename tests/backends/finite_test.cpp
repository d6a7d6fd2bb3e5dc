// SPDX-License-Identifier: Apache-2.0
// The count of particles with numbers that are not finite, on the CPU and every device, and what a check makes of it.
#include <gtest/gtest.h>

#include <limits>

#include "gravity/check.h"
#include "hornbeam/error.h"
#include "support/devices.h"
#include "support/forces.h"

namespace hornbeam {
namespace {

constexpr std::size_t n = 1000;
constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

/// A backend after a walk over a Plummer sphere, and what it saved.
struct Walked {
  std::unique_ptr<Backend> backend;
  Particles saved;
};

Walked walked_on(const std::string& name, Precision precision, const Particles& particles) {
  GravityOptions o;
  o.precision = precision, o.eps = 0.01;
  Walked w{with_tree(name, particles, o), particles};
  w.backend->walk();
  w.backend->save(w.saved);
  return w;
}

template <class Test>
void on_every_backend(Test test) {
  if (device_backends().empty()) std::printf("[  SKIPPED ] on devices: %s\n", no_device);
  for (const std::string& name : every_backend()) {
    for (const Precision precision : {Precision::mixed, Precision::single, Precision::fp64}) {
      SCOPED_TRACE(name + " " + std::string(hornbeam::name(precision)));
      test(name, precision);
    }
  }
}

TEST(NotFinite, CountsEveryParticleOnce) {
  on_every_backend([](const std::string& name, Precision precision) {
    Walked w = walked_on(name, precision, drawn("plummer", n));
    EXPECT_EQ(w.backend->not_finite(), 0u);
    w.saved.acceleration[0][0] = nan, w.saved.acceleration[0][2] = nan;
    w.saved.acceleration[17][1] = inf;
    w.saved.acceleration[n - 1][2] = -inf;
    w.saved.potential[17] = nan;
    w.saved.potential[300] = -inf;
    w.backend->restore(w.saved);
    EXPECT_EQ(w.backend->not_finite(), 4u);
  });
}

TEST(NotFinite, CountsPositionsAndVelocities) {
  on_every_backend([](const std::string& name, Precision precision) {
    Particles p = drawn("plummer", n);
    p.velocity.assign(n, Vec3{});
    for (const std::size_t i : {5U, 6U, 700U}) p.velocity[i] = {0, 10, 0};
    Walked w = walked_on(name, precision, p);
    const bool single = precision == Precision::single;
    w.backend->drift(single ? 1e38 : 1e308);
    EXPECT_EQ(w.backend->not_finite(), 3u) << "positions";
    w = walked_on(name, precision, p);
    w.saved.acceleration.assign(n, Vec3{});
    w.saved.acceleration[9] = {0, 0, 1e30};
    w.backend->restore(w.saved);
    w.backend->kick(single ? 1e20 : 1e285);  // in internal units some thousand times as much, which must be finite
    EXPECT_EQ(w.backend->not_finite(), 1u) << "velocities";
  });
}

TEST(NotFinite, CountsWithoutVelocitiesAndWithoutParticles) {
  on_every_backend([](const std::string& name, Precision precision) {
    Particles p = drawn("plummer", n);
    p.velocity.clear();
    EXPECT_EQ(walked_on(name, precision, p).backend->not_finite(), 0u);
    EXPECT_EQ(walked_on(name, precision, Particles{}).backend->not_finite(), 0u);
  });
}

TEST(NotFinite, CountsWhatTheUsersUnitsMakeInfinite) {
  on_every_backend([](const std::string& name, Precision precision) {
    Particles p = at_rest({{0, 0, 0}, {1e-10, 0, 0}}, {1e300, 1e300});
    if (precision == Precision::single) p.position[1][0] = 1e-5, p.mass = {1e303, 1e303};
    EXPECT_EQ(walked_on(name, precision, p).backend->options().eps, 0.01);
    GravityOptions o;
    o.precision = precision;
    const auto backend = with_tree(name, p, o);
    backend->walk();
    EXPECT_EQ(backend->not_finite(), 2u);  // m / r^2 is beyond 1e308
  });
}

TEST(NotFinite, StopsChecksAndIsInTheCensus) {
  on_every_backend([](const std::string& name, Precision precision) {
    const Particles p = drawn("plummer", n);
    Walked w = walked_on(name, precision, p);
    EXPECT_NO_THROW(check_forces(*w.backend, p, 10));
    w.saved.acceleration[123][0] = nan;
    w.backend->restore(w.saved);
    try {
      check_forces(*w.backend, p, 10);  // most likely of others
      FAIL();
    } catch (const hornbeam::NotFinite& e) {
      EXPECT_NE(e.problem.find("the acceleration of particle 123"), std::string::npos) << e.problem;
    }
    const StepRule rule{.longest = 0.125, .eta = 0.2, .eta_change = 0, .deepest = 4};
    EXPECT_EQ(w.backend->choose_rungs(rule, 0).not_finite, 1u);
  });
}

}  // namespace
}  // namespace hornbeam
