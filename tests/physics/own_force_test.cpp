// SPDX-License-Identifier: Apache-2.0
// Forces of one's own: closed forms, the same force as an external potential, and what a failing function leaves.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <stdexcept>

#include "hornbeam/error.h"
#include "hornbeam/ics.h"
#include "hornbeam/simulation.h"
#include "support/devices.h"

namespace hornbeam {
namespace {

constexpr double tau = 0.7;

OwnForce drag() {
  return {.name = "drag",
          .acceleration =
              [](const ForceTargets& t) {
                std::vector<Vec3> a(t.velocity.size());
                for (std::size_t i = 0; i < a.size(); ++i) {
                  for (int k = 0; k < 3; ++k) a[i][k] = -t.velocity[i][k] / tau;
                }
                return a;
              },
          .potential = {},
          .step = {}};
}

/// Of a Plummer sphere of mass 0.5 and scale 0.6, with its potential.
OwnForce plummer() {
  const auto squared = [](const Vec3& x) { return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + 0.36; };
  return {.name = "plummer",
          .acceleration =
              [squared](const ForceTargets& t) {
                std::vector<Vec3> a(t.position.size());
                for (std::size_t i = 0; i < a.size(); ++i) {
                  for (int k = 0; k < 3; ++k)
                    a[i][k] = -0.5 * t.position[i][k] * std::pow(squared(t.position[i]), -1.5);
                }
                return a;
              },
          .potential =
              [squared](const ForceTargets& t) {
                std::vector<double> potential;
                for (const Vec3& x : t.position) potential.push_back(-0.5 / std::sqrt(squared(x)));
                return potential;
              },
          .step = {}};
}

Snapshot tracer() {
  Snapshot start;
  start.particles.resize(1);
  start.particles.velocity = {{1, -0.5, 0.25}};
  start.particles.id = {7};
  return start;
}

SimulationOptions options(const std::string& backend, Steps steps, double dt) {
  SimulationOptions o;
  o.backend = backend;
  o.steps = steps;
  o.dt = dt;
  o.gravity.eps = 0.05;
  o.gravity.precision = Precision::fp64;
  o.max_rung = 6;
  return o;
}

Simulation with(Snapshot start, SimulationOptions o, const OwnForce& force) {
  o.forces = {std::make_shared<OwnForce>(force)};
  return {std::move(start), o};
}

TEST(OwnForce, DragIsOfSecondOrder) {
  for (const std::string& backend : every_backend()) {
    for (const Steps steps : {Steps::shared, Steps::block, Steps::symmetrised}) {
      double before = 0;
      for (const double dt : {0.1, 0.05}) {
        SimulationOptions o = options(backend, steps, dt);
        o.gravity.eps = 100;  // nothing but dt limits steps
        Simulation s = with(tracer(), o, drag());
        s.run(0.5);
        const double error = std::abs(s.snapshot().particles.velocity[0][0] - std::exp(-s.time() / tau));
        EXPECT_LT(error, 0.5 * dt * dt) << backend << name(steps);
        if (before > 0) {
          EXPECT_NEAR(before / error, 4, 0.5) << backend << name(steps);
        }
        before = error;
      }
    }
  }
}

TEST(OwnForce, AddsWhatAnExternalPotentialAdds) {
  const Snapshot start = ics::make("plummer", 300, {}, {});
  for (const std::string& backend : every_backend()) {
    for (const Steps steps : {Steps::shared, Steps::block}) {
      SimulationOptions o = options(backend, steps, 0.05);
      o.gravity.accuracy = 0;  // angles take the same cells, whatever the rounding of accelerations
      Simulation own = with(start, o, plummer());
      o.potentials = {{.kind = PotentialKind::plummer, .mass = 0.5, .scale = 0.6}};
      Simulation external(start, o);
      EXPECT_NEAR(own.energies().total(), external.energies().total(), 1e-12) << backend;
      for (Simulation* s : {&own, &external}) s->run(0.5);
      const Particles a = own.snapshot().particles, b = external.snapshot().particles;
      for (std::size_t i = 0; i < a.size(); ++i) {
        for (int k = 0; k < 3; ++k) ASSERT_NEAR(a.position[i][k], b.position[i][k], 1e-9) << backend;
      }
      EXPECT_NEAR(own.energies().total(), external.energies().total(), 1e-9) << backend;
    }
  }
}

TEST(OwnForce, IsAskedForActiveParticlesAlone) {
  const Snapshot start = ics::make("plummer", 300, {}, {});
  std::size_t least = 300, rows = 0;
  OwnForce force = plummer();
  force.acceleration = [&, given = force.acceleration](const ForceTargets& t) {
    least = std::min(least, t.id.size());
    rows += t.id.size();
    for (std::size_t i = 1; i < t.id.size(); ++i) EXPECT_LT(t.id[i - 1], t.id[i]);
    return given(t);
  };
  SimulationOptions o = options("cpu", Steps::block, 0.5);
  o.gravity.eps = 0.005;
  Simulation s = with(start, o, force);
  s.step();
  EXPECT_LT(least, 300U);
  EXPECT_GT(least, 0U);
  EXPECT_GT(rows, 600U);
}

TEST(OwnForce, LimitsSteps) {
  OwnForce force = drag();
  force.step = [](const ForceTargets& t) { return std::vector<double>(t.id.size(), 0.011); };
  Simulation shared = with(tracer(), options("cpu", Steps::shared, 0.1), force);
  EXPECT_EQ(shared.next_step(), 0.011);
  shared.run(0.1);
  EXPECT_EQ(shared.time(), 0.1);
  EXPECT_EQ(shared.steps(), 10U);
  Simulation block = with(tracer(), options("cpu", Steps::block, 0.1), force);
  block.step();
  EXPECT_EQ(block.block_report().rungs.size(), 5U);  // 0.1 / 2^4 is below 0.011
  EXPECT_EQ(block.block_report().rungs[4].particles, 1U);
}

TEST(OwnForce, LeavesTheSimulationAsItWasWhereItFails) {
  const Snapshot start = ics::make("plummer", 200, {}, {});
  for (const std::string& backend : every_backend()) {
    for (const Steps steps : {Steps::shared, Steps::block, Steps::symmetrised}) {
      int failure = 0;
      OwnForce force = plummer();
      force.acceleration = [&failure, given = force.acceleration](const ForceTargets& t) {
        std::vector<Vec3> a = given(t);
        if (failure == 1) throw std::runtime_error("no table there");
        if (failure == 2) a.pop_back();
        if (failure == 3) a[0][1] = std::nan("");
        return a;
      };
      Simulation s = with(start, options(backend, steps, 0.05), force),
                 undisturbed = with(start, options(backend, steps, 0.05), plummer());
      s.step();
      failure = 1;
      EXPECT_THROW(s.step(), std::runtime_error);
      failure = 2;
      EXPECT_THROW(s.step(), UsageError);
      failure = 3;
      EXPECT_THROW(s.step(), Error);
      failure = 0;
      s.step();
      undisturbed.step();
      undisturbed.step();
      EXPECT_EQ(s.time(), undisturbed.time());
      EXPECT_EQ(s.snapshot().particles.position, undisturbed.snapshot().particles.position) << backend << name(steps);
    }
  }
}

TEST(OwnForce, IsAskedForAgainByAResumedRun) {
  const Snapshot start = ics::make("plummer", 200, {}, {});
  for (const Steps steps : {Steps::shared, Steps::block}) {
    SimulationOptions o = options("cpu", steps, 0.05);
    Simulation whole = with(start, o, drag());
    whole.step();
    const Snapshot checkpoint = whole.checkpoint();
    o.resumed = true;
    Simulation resumed = with(checkpoint, o, {.name = "drag", .acceleration = {}, .potential = {}, .step = {}});
    EXPECT_THROW(resumed.step(), UsageError);
    resumed.add_force(drag());
    for (Simulation* s : {&whole, &resumed}) s->step();
    EXPECT_EQ(whole.snapshot().particles.position, resumed.snapshot().particles.position);
    EXPECT_EQ(whole.snapshot().particles.velocity, resumed.snapshot().particles.velocity);
  }
}

TEST(OwnForce, ComesToASimulationUnderWay) {
  Simulation s(tracer(), options("cpu", Steps::shared, 0.01));
  s.run(0.5);
  s.add_force(drag());
  EXPECT_EQ(s.steps(), 50U);
  s.run(1.0);
  EXPECT_NEAR(s.snapshot().particles.velocity[0][0], std::exp(-0.5 / tau), 1e-4);
}

TEST(OwnForce, RefusesWhatDoesNotGoTogether) {
  OwnForce force = drag();
  force.step = [](const ForceTargets& t) { return std::vector<double>(t.id.size(), 0.01); };
  SimulationOptions o = options("cpu", Steps::shared, 0.01);
  o.boundary.kind = BoundaryKind::shear;
  o.boundary.size = {1, 1, 0};
  o.boundary.omega = 1;
  EXPECT_THROW(with(tracer(), o, force), UsageError);
  force.step = [](const ForceTargets& t) { return std::vector<double>(t.id.size(), -1); };
  Simulation s = with(tracer(), options("cpu", Steps::shared, 0.01), force);
  EXPECT_THROW(s.step(), Error);
}

}  // namespace
}  // namespace hornbeam
