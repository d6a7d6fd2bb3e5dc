// SPDX-License-Identifier: Apache-2.0
// Internal units where the particles do not set a scale: a single one, all at one point, softening or outliers far
// beyond their extent, coordinates near the least number; alone and in external potentials. Every case was wrong once.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

#include "hornbeam/simulation.h"
#include "support/devices.h"
#include "support/forces.h"

namespace hornbeam {
namespace {

/// A start of tracers or particles at (r, 0, 0) on circular orbits of speed v.
Snapshot on_circle(std::size_t n, double r, double v, double mass) {
  Snapshot s;
  s.particles = at_rest(std::vector<Vec3>(n, {r, 0, 0}), std::vector<double>(n, mass));
  s.particles.velocity.assign(n, {0, v, 0});
  for (std::size_t i = 0; i < n; ++i) s.particles.id[i] = i;
  return s;
}

/// The largest distance from the circle's radius, relative, over one orbit of 100 steps.
double wander(const std::string& backend, const Snapshot& start, SimulationOptions o, double r, double v) {
  o.backend = backend;
  o.dt = 2 * std::numbers::pi * r / v / 100;
  Simulation simulation(start, o);
  double worst = 0;
  for (int step = 0; step < 100; ++step) {
    simulation.step();
    const Vec3 x = simulation.motions({0}).at(0).position;
    const double off = std::abs(std::hypot(x[0], x[1], x[2]) / r - 1);
    worst = std::isfinite(off) ? std::max(worst, off) : INFINITY;
  }
  const Vec3 x = simulation.motions({0}).at(0).position;  // back where it began
  return std::max(worst, std::hypot(x[0] - r, x[1]) / r);
}

/// Of 100 steps an orbit: 2 pi (2 pi / 100)^2 / 3.
constexpr double leapfrog = 1e-2;

TEST(Frame, OneParticleCirclesAPointOfAnyMass) {
  for (const std::string& backend : every_backend()) {
    for (const double mass : {1e-10, 1e-2, 1e10}) {
      for (const std::size_t n : mass < 1e-9 ? std::vector<std::size_t>{1, 7} : std::vector<std::size_t>{1}) {
        SimulationOptions o;
        o.gravity.eps = 0;
        o.potentials = {{.kind = PotentialKind::point, .mass = mass}};
        const double v = std::sqrt(mass);
        EXPECT_LT(wander(backend, on_circle(n, 1, v, 1), o, 1, v), leapfrog) << backend << " " << mass << " " << n;
      }
    }
  }
}

// All at one point but one: nothing else sets a scale.
TEST(Frame, OneApartFromAllOthers) {
  for (const double distance : {1e-9, 1.0, 1e8}) {
    std::vector<Vec3> position(1000, {0.3, 0.2, 0.1});
    position.push_back({0.3 + distance, 0.2, 0.1});
    const Particles p = at_rest(position, std::vector<double>(position.size(), 1e-3));
    const double d = position.back()[0] - position.front()[0];
    GravityOptions o = by_angles();
    o.eps = 0;
    for (const std::string& backend : every_backend()) {
      for (const Walk walk : {Walk::group, Walk::stackless, Walk::direct}) {
        o.walk = walk;
        const Forces field = evaluate_on(backend, p, o).field;
        EXPECT_NEAR(field[1000][0] * d * d, -1, 1e-5) << backend << " " << name(walk) << " " << distance;
        EXPECT_NEAR(field[0][0] * d * d, 1e-3, 1e-8) << backend << " " << name(walk) << " " << distance;
      }
    }
  }
}

// Masses whose total has no reciprocal.
TEST(Frame, LeastMasses) {
  const Particles p = at_rest({{-1, 0, 0}, {1, 0, 0}, {0, 3, 0}}, {4e-310, 4e-310, 4e-310});
  GravityOptions o = by_angles();
  o.eps = 0;
  for (const std::string& backend : every_backend()) {
    for (const Walk walk : {Walk::group, Walk::direct}) {
      o.walk = walk;
      const Forces field = evaluate_on(backend, p, o).field;
      // 2 m y / d^3 with d^2 = 10; 4e-310 has 13 digits
      EXPECT_NEAR(field[2][1] / (-2 * 4e-310 * 3 / std::pow(10, 1.5)), 1, 1e-6) << backend << " " << name(walk);
    }
  }
}

TEST(Frame, TracersInCgsCircleAGalaxy) {
  constexpr double G = 6.674e-8, M = 2e43, a = 3e21, r = 2.5e22;
  const double v = std::sqrt(G * M * r) / (r + a);
  for (const std::string& backend : every_backend()) {
    for (const Precision precision : {Precision::mixed, Precision::single, Precision::fp64}) {
      if (backend != "cpu" && precision != Precision::mixed) continue;  // PoCL compiles each for half a minute
      SimulationOptions o;
      o.gravity.G = G, o.gravity.eps = 0, o.gravity.precision = precision;
      o.potentials = {{.kind = PotentialKind::hernquist, .mass = M, .scale = a}};
      EXPECT_LT(wander(backend, on_circle(3, r, v, 0), o, r, v), leapfrog) << backend << " " << name(precision);
    }
  }
}

TEST(Frame, SofteningFarAboveTheExtent) {
  for (const std::string& backend : every_backend()) {
    for (const double eps : {40.0, 1e12}) {
      for (const Softening softening : {Softening::plummer, Softening::spline}) {
        SimulationOptions o;
        o.gravity.eps = eps, o.gravity.softening = softening;
        o.potentials = {{.kind = PotentialKind::point, .mass = 1}};
        EXPECT_LT(wander(backend, on_circle(1, 1, 1, 1), o, 1, 1), leapfrog) << backend << " " << eps;
      }
      Particles p = at_rest({{0, 0, 0}, {1, 0, 0}, {0, 2, 0}}, {1, 1, 3});
      GravityOptions g = by_angles();
      g.eps = eps;
      EXPECT_LT(worst_difference(evaluate_on(backend, p, g).field, exact(p, g)), 1e-5) << backend << " " << eps;
    }
  }
}

// Squared distances of an outlier so far out would leave the range of fp32, had the inner particles alone set the unit.
TEST(Frame, OutliersSoFarThatTheirSquaresOverflow) {
  Particles p = drawn("plummer", 3000);
  p.position[1234] = {1e19, -2e19, 1e18};
  GravityOptions o = by_angles();
  o.eps = 0.01;
  const Forces expected = exact(p, o);
  for (const std::string& backend : every_backend()) {
    for (const Walk walk : {Walk::group, Walk::stackless, Walk::direct}) {
      o.walk = walk;
      EXPECT_LT(rms_difference(evaluate_on(backend, p, o).field, expected), 2e-3) << backend << " " << name(walk);
    }
  }
}

// Forces of these would be 0, or of digits that are none.
TEST(Frame, ParticlesThatSpanLessThanIsTold) {
  for (const auto& [precision, told, lost] : {std::tuple{Precision::fp64, 1e-149, 1e-200},
                                              {Precision::mixed, 1e-149, 1e-200},
                                              {Precision::single, 1e-31, 1e-40}}) {
    GravityOptions o;
    o.precision = precision;
    o.theta = 0;
    o.walk = Walk::stackless;  // frames are the same for all walks, and its kernels are compiled for other tests
    const Particles whole = drawn("uniform-sphere", 100);
    const Forces expected = exact(whole, o);
    for (const std::string& backend : every_backend()) {
      Particles p = whole;
      for (Vec3& x : p.position) {
        for (double& k : x) k *= told;
      }
      Forces found = evaluate_on(backend, p, o).field;
      for (auto& f : found) {
        for (int k = 0; k < 3; ++k) f[k] = f[k] * told * told;
      }
      EXPECT_LT(rms_difference(found, expected), 1e-3) << backend << " " << name(precision);
      for (Vec3& x : p.position) {
        for (double& k : x) k *= lost / told;
      }
      EXPECT_THROW(evaluate_on(backend, p, o), Error) << backend << " " << name(precision);
      for (Vec3& x : p.position) x = {lost > 1e-50 ? told : lost, 0, 0};
      EXPECT_NO_THROW(evaluate_on(backend, p, o)) << backend << ": all at one point";
    }
  }
}

// 1024 bins of a width below the least normal number: the inverse of their width is no number.
TEST(Frame, CoordinatesNearTheLeastNumber) {
  Particles p = drawn("uniform-cube", 40);
  for (std::size_t i = 0; i < p.size(); ++i) p.position[i][0] = 1e-320 * static_cast<double>(i);
  Particles line = p;
  for (auto& x : line.position) x[1] = x[2] = 0;
  GravityOptions o = by_angles();
  o.eps = 0.01;
  const Forces expected = exact(p, o);
  for (const std::string& backend : every_backend()) {
    EXPECT_LT(rms_difference(evaluate_on(backend, p, o).field, expected), 2e-3) << backend;
    for (const auto& f : evaluate_on(backend, line, o).field) EXPECT_TRUE(std::isfinite(f[0] + f[3])) << backend;
  }
}

}  // namespace
}  // namespace hornbeam
