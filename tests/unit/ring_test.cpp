// SPDX-License-Identifier: Apache-2.0
// Measures of rings on patterns whose answer is known.
#include "hornbeam/ring.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "hornbeam/error.h"
#include "stages/wrap.h"

namespace hornbeam {
namespace {

constexpr double pi = std::numbers::pi;

Boundary sheet() {
  Boundary b;
  b.kind = BoundaryKind::shear;
  b.size = {100, 100, 0};
  b.omega = 0.5;
  return b;
}

Particles bodies(const std::vector<Vec3>& position, double radius) {
  Particles p;
  p.resize(position.size());
  p.position = position;
  p.radius.assign(position.size(), radius);
  p.mass.assign(position.size(), 2);
  return p;
}

TEST(Ring, StateOfTwoBodies) {
  Particles p = bodies({{10, 0, 0}, {-4, 3, 1}}, 2);
  p.velocity = {{0.1, -7.5 + 0.2, 0.3}, {-0.1, 3 - 0.4, 0.1}};  // the shear is -0.75 x
  const RingState s = measure_ring(p, sheet(), 0.25);
  EXPECT_EQ(s.bodies, 2U);
  EXPECT_DOUBLE_EQ(s.mass, 4);
  EXPECT_DOUBLE_EQ(s.optical_depth, 2 * pi * 4 / 1e4);
  EXPECT_DOUBLE_EQ(s.filling_factor, pi * (4 + 3) / 1e4);
  EXPECT_NEAR(s.dispersion[0], 0.1, 1e-15);
  EXPECT_NEAR(s.dispersion[1], std::sqrt((0.04 + 0.16) / 2), 1e-12);
  EXPECT_NEAR(s.shear_viscosity, 2.0 / 3 * (0.1 * 0.2 + 0.1 * 0.4) / 2 / 0.5, 1e-12);
  EXPECT_NEAR(s.toomre_q, 0.5 * 0.1 / (3.36 * 0.25 * 4e-4), 1e-9);
}

TEST(Ring, LightThroughBodiesAnywhere) {
  const double one = -std::log(1 - pi * 64 / 1e4);
  for (const Vec3& at : {Vec3{0, 0, 0}, Vec3{-49, 20, 3}, Vec3{49.9, -49.9, 0}, Vec3{3, 49, 0}}) {
    EXPECT_NEAR(photometric_depth(bodies({at}, 8), sheet(), 12.3), one, 2e-3 * one);  // of the net of rays
  }
  // one behind the other shade as one; a body and its neighbour beyond the wall do as well, wherever that has drifted
  EXPECT_NEAR(photometric_depth(bodies({{5, 5, 0}, {5, 5, 9}}, 8), sheet(), 0), one, 2e-3 * one);
  const double time = 0.4, drift = 1.5 * 0.5 * 100 * time;  // the box beyond lies 30 back
  const Particles met = bodies({{49.999, 0, 0}, {-50, mixed::wrapped(drift, 100.0), 4}}, 8);
  EXPECT_NEAR(photometric_depth(met, sheet(), time), one, 2e-3 * one);
}

TEST(Ring, PitchOfStripes) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> place(-50, 50);
  for (const double angle : {20.0, 45.0, -30.0}) {
    const double sine = std::sin(angle * pi / 180), cosine = std::cos(angle * pi / 180);
    std::vector<Vec3> position;
    while (position.size() < 4000) {
      const Vec3 at = {place(random), place(random), 0};
      const double across = at[0] * cosine + at[1] * sine;  // stripes go outwards where they go back
      if (std::cos(2 * pi * across / 25) > 0.5) position.push_back(at);
    }
    const WakePitch found = wake_pitch(bodies(position, 0.5), sheet());
    EXPECT_NEAR(found.angle, angle, 6) << angle;  // the box does not hold a whole number of them
    EXPECT_GT(found.contrast, 0.3) << angle;
  }
}

TEST(Ring, WhatCannotBeMeasured) {
  Particles p = bodies({{0, 0, 0}}, 1);
  EXPECT_THROW(measure_ring(p, Boundary{}, 1), UsageError);
  EXPECT_EQ(measure_ring(bodies({}, 1), sheet(), 1).bodies, 0U);
  p.radius.clear();
  EXPECT_THROW(photometric_depth(p, sheet(), 0), Error);
  EXPECT_THROW(wake_pitch(p, sheet()), Error);
}

}  // namespace
}  // namespace hornbeam
