// SPDX-License-Identifier: Apache-2.0
// Free motion in a shearing sheet, and the sheet's images and wraps.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "hornbeam/error.h"
#include "tree/boundary.h"

namespace hornbeam {
namespace {

using std::numbers::pi;

Boundary sheet(double omega_z = 0) {
  Boundary b;
  b.kind = BoundaryKind::shear;
  b.size = {100, 60, 0};
  b.omega = 2;
  b.omega_z = omega_z;
  return b;
}

struct Body {
  std::vector<Vec3> x, v;
};

void drift(Body& body, const Boundary& b, double dt) {
  Particles p;
  p.position = body.x;
  p.velocity = body.v;
  drift_epicycles(p, b, dt);
  body = {p.position, p.velocity};
}

/// Hill's equations by a Runge-Kutta step of the fourth order, for comparison.
void runge_kutta(Vec3& x, Vec3& v, double omega, double omega_z, double dt) {
  const auto acceleration = [&](const Vec3& at, const Vec3& by) {
    return Vec3{2 * omega * by[1] + 3 * omega * omega * at[0], -2 * omega * by[0], -omega_z * omega_z * at[2]};
  };
  const auto add = [](const Vec3& a, const Vec3& b, double s) {
    return Vec3{a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
  };
  const Vec3 k1 = v, l1 = acceleration(x, v), k2 = add(v, l1, dt / 2), l2 = acceleration(add(x, k1, dt / 2), k2);
  const Vec3 k3 = add(v, l2, dt / 2), l3 = acceleration(add(x, k2, dt / 2), k3), k4 = add(v, l3, dt),
             l4 = acceleration(add(x, k3, dt), k4);
  for (int k = 0; k < 3; ++k) {
    x[k] += dt / 6 * (k1[k] + 2 * k2[k] + 2 * k3[k] + k4[k]);
    v[k] += dt / 6 * (l1[k] + 2 * l2[k] + 2 * l3[k] + l4[k]);
  }
}

/// Conserved by free motion: 1/2 v^2 - 3/2 omega^2 x^2 + 1/2 omega_z^2 z^2.
double energy(const Vec3& x, const Vec3& v, double omega, double omega_z) {
  return 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) - 1.5 * omega * omega * x[0] * x[0] +
         0.5 * omega_z * omega_z * x[2] * x[2];
}

TEST(Epicycle, IsTheSolutionOfHillsEquations) {
  for (const double omega_z : {0.0, 3.6}) {
    const Boundary b = sheet(omega_z);
    Body body{{{1, 2, 0.3}}, {{0.4, -2.5, 0.7}}};
    Vec3 x = body.x[0], v = body.v[0];
    drift(body, b, 0.37);
    for (int i = 0; i < 4000; ++i) runge_kutta(x, v, b.omega, omega_z > 0 ? omega_z : b.omega, 0.37 / 4000);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(body.x[0][k], x[k], 1e-12);
      EXPECT_NEAR(body.v[0][k], v[k], 1e-12);
    }
  }
}

TEST(Epicycle, ACircularOrbitDriftsWithTheShear) {
  const Boundary b = sheet();
  Body body{{{5, -7, 0}}, {{0, -1.5 * 2 * 5, 0}}};
  for (int i = 0; i < 1000; ++i) drift(body, b, 0.01);
  EXPECT_NEAR(body.x[0][0], 5, 1e-12);
  EXPECT_NEAR(body.x[0][1], -7 - 1.5 * 2 * 5 * 10, 1e-10);
  EXPECT_NEAR(body.v[0][0], 0, 1e-12);
}

// REBOUND's measure of its own integrator: no drift to rounding over 1e5 orbits (issue: 1e-9). Here 1e5 steps a tenth
// of an orbit each are on every run; the long form is LongEpicycle.
double worst_error(long orbits, int steps_of_an_orbit) {
  const Boundary b = sheet(2.9);
  Body body{{{0.5, 0, 0.2}}, {{0.3, -1.5 * 2 * 0.5 + 0.1, 0.15}}};
  const double start = energy(body.x[0], body.v[0], b.omega, b.omega_z), dt = 2 * pi / b.omega / steps_of_an_orbit;
  double worst = 0;
  for (long i = 0; i < orbits * steps_of_an_orbit; ++i) {
    drift(body, b, dt);
    wrap(body.x, body.v, sheet(2.9), 0);  // x stays within: the energy is that of where it is
    worst = std::max(worst, std::abs(energy(body.x[0], body.v[0], b.omega, b.omega_z) / start - 1));
  }
  return worst;
}

TEST(Epicycle, EnergyStaysOver1e5Orbits) { EXPECT_LT(worst_error(100000, 12), 1e-9); }

TEST(Sheet, NeighboursDriftWithTheShear) {
  const Boundary b = sheet();
  const double time = 1.37, far = 1.5 * 2 * 100 * time;  // 411: 51 beyond six boxes of 60
  const BoxNow box = periodic_box(b, time);
  EXPECT_NEAR(std::remainder(box.drift + far, 60), 0, 1e-12);
  EXPECT_LE(std::abs(box.drift), 30);
  EXPECT_DOUBLE_EQ(box.speed, -300);
  const std::vector<SourceImage> images = neighbouring_images(b, time);
  ASSERT_EQ(images.size(), 9U);
  for (const SourceImage& one : images) {  // each has its opposite, to the bit
    bool found = false;
    for (const SourceImage& other : images) {
      found = found || (other.shift == Vec3{-one.shift[0], -one.shift[1], -one.shift[2]} &&
                        other.velocity[1] == -one.velocity[1]);
    }
    EXPECT_TRUE(found);
    EXPECT_EQ(one.velocity[1], one.shift[0] / 100 * -300);
  }
}

// A body that leaves is where its image was, and as fast; so that way and back changes nothing but rounding.
TEST(Sheet, WrappedBodiesAreTheirImages) {
  const Boundary b = sheet();
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> place(-400, 400), clock(0, 1e4);
  for (int i = 0; i < 2000; ++i) {
    const double time = clock(random);
    const Vec3 x = {place(random), place(random), place(random)}, v = {1, 2, 3};
    Body body{{x}, {v}};
    wrap(body.x, body.v, b, time);
    const double boxes = std::round((x[0] - body.x[0][0]) / 100);
    ASSERT_LE(std::abs(body.x[0][0]), 50);
    ASSERT_LE(std::abs(body.x[0][1]), 30);
    ASSERT_EQ(body.x[0][2], x[2]);
    ASSERT_NEAR(body.x[0][0] + 100 * boxes, x[0], 1e-10);
    // the image `boxes` along x stands drifted by so much, but for whole boxes along y
    ASSERT_NEAR(std::remainder(body.x[0][1] + boxes * periodic_box(b, time).drift - x[1], 60), 0, 1e-9);
    ASSERT_NEAR(body.v[0][1] + boxes * -300, 2, 1e-10);
    // the velocity next to the shear does not know of the wrap
    ASSERT_NEAR(body.v[0][1] + 3 * body.x[0][0], 2 + 3 * x[0], 1e-9);
  }
}

TEST(Sheet, WhatCannotBeIsRefused) {
  const auto refused = [](const Boundary& b) {
    try {
      b.validate();
    } catch (const UsageError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  Boundary b = sheet();
  EXPECT_EQ(refused(b), "");
  b.omega = 0;
  EXPECT_NE(refused(b).find("boundary.omega"), std::string::npos);
  b = sheet(-1);
  EXPECT_NE(refused(b).find("boundary.omega_z"), std::string::npos);
  b = sheet();
  b.size[1] = 0;
  EXPECT_NE(refused(b).find("a shearing sheet is periodic"), std::string::npos);
}

}  // namespace
}  // namespace hornbeam
