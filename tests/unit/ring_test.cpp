// SPDX-License-Identifier: Apache-2.0
// Measures of rings on patterns whose answer is known.
#include "hornbeam/ring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include "hornbeam/error.h"
#include "run/records/ring_measure.h"
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
  EXPECT_NEAR(s.translational_viscosity, 2.0 / 3 * (0.1 * 0.2 + 0.1 * 0.4) / 2 / 0.5, 1e-12);
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
    const WakePitch found = wake_pitch(bodies(position, 0.5), sheet(), 0);
    EXPECT_NEAR(found.angle, angle, 6) << angle;  // the box does not hold a whole number of them
    EXPECT_GT(found.contrast, 0.3) << angle;
  }
}

/// Clumps that lie steeply, one behind the other along flat wakes.
TEST(Ring, PitchIsThatOfWakesNotOfClumps) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  std::vector<Vec3> position;
  const Boundary b = sheet();
  for (int wake = 0; wake < 2; ++wake) {
    for (int clump = 0; clump < 10; ++clump) {
      const double y = 5 * clump - 50,
                   x = -0.5 * y + 50 * wake - 25;  // 27 degrees: across the box half of it is passed
      for (int k = 0; k < 100; ++k) {
        const double along = 2.5 * normal(random), across = 0.3 * normal(random);
        position.push_back({mixed::wrapped(x + (along + across) * std::sqrt(0.5), 100.0),
                            mixed::wrapped(y + (across - along) * std::sqrt(0.5), 100.0), 0});
      }
    }
  }
  const Particles p = bodies(position, 0.5);
  const double sigma = 2.0 * static_cast<double>(position.size()) / 1e4;
  EXPECT_NEAR(wake_pitch(p, b, 40 * 0.25 / (4 * pi * pi * sigma)).angle, 26.6, 3);  // a critical wavelength of 40
  EXPECT_GT(wake_pitch(p, b, 4 * 0.25 / (4 * pi * pi * sigma)).angle, 35);          // of 4: within clumps
}

TEST(Ring, TwoBodiesCarryMomentumByGravity) {
  Boundary b = sheet();
  b.n_ghost = {1, 1, 0};
  const double G = 3000, time = 0.4;  // a critical wavelength that lets pairs count as far as 1.5 boxes
  const Particles trailing = bodies({{5, -4, 0}, {-5, 4, 3}}, 0.5);
  const double d = std::sqrt(100 + 64 + 9);
  // the force on the outer one along y times how much further out it is; images across each wall pull as well
  double flux = G * 2 * 2 * 8 * 10 / (d * d * d);
  const double drift = -30;
  for (int i = -2; i <= 2; ++i) {
    for (int j = -4; j <= 4; ++j) {
      if (i == 0 && j == 0) continue;
      for (const auto& [dx, dy, dz, pairs] :
           {std::array{0.0, 0.0, 0.0, 2.0}, std::array{10.0, -8.0, 3.0, 1.0}, std::array{-10.0, 8.0, 3.0, 1.0}}) {
        const double x = dx + 100 * i, y = dy + drift * i + 100 * j, plane = std::hypot(x, y);
        const double t = std::clamp(2 - 2 * plane / 150, 0.0, 1.0);
        flux -= 0.5 * pairs * G * 4 * x * y / std::pow(x * x + y * y + dz * dz, 1.5) * t * t * (3 - 2 * t);
      }
    }
  }
  const double expected = 2.0 / 3 * flux / (0.5 * 4);
  EXPECT_NEAR(gravitational_viscosity(trailing, b, G, time), expected, 1e-12 * std::abs(expected));
  EXPECT_GT(expected, 0);
  EXPECT_EQ(gravitational_viscosity(trailing, b, 0, time), 0);
}

/// A wave of surface density carries pi G Sigma^2 a^2 k_x k_y / (2 k^3) across each length (Lynden-Bell & Kalnajs
/// 1972).
TEST(Ring, WavesCarryMomentumByGravity) {
  Boundary b = sheet();
  b.n_ghost = {2, 2, 0};
  std::vector<Vec3> position;
  constexpr int edge = 80;
  const double kx = 2 * pi / 50, ky = 2 * pi / 100, k = std::hypot(kx, ky), amplitude = 0.3;
  for (int i = 0; i < edge; ++i) {
    for (int j = 0; j < edge; ++j) {
      Vec3 at = {(i + 0.5) * 100 / edge - 50, (j + 0.5) * 100 / edge - 50, 0};
      for (int turn = 0; turn < 8; ++turn)
        at[0] = (i + 0.5) * 100 / edge - 50 - amplitude * std::sin(kx * at[0] + ky * at[1]) / kx;
      position.push_back(at);
    }
  }
  for (const double way : {1.0, -1.0}) {  // trailing, leading
    Particles p = bodies(position, 0.01);
    for (Vec3& at : p.position) at[1] *= way;
    const double sigma = 2.0 * edge * edge / 1e4, G = 0.25 / (4 * pi * pi) * 100 / sigma;  // pairs as far as 250
    const double flux = pi * G * sigma * amplitude * amplitude * kx * ky / (2 * k * k * k);
    // pairs between 125 and 250 fade out, the wave is not quite a sine, and 512 bodies represent all
    EXPECT_NEAR(gravitational_viscosity(p, b, G, 0), way * 2.0 / 3 * flux / 0.5, 0.1 * flux);
  }
}

TEST(Ring, ASampleOfManyBodiesAndAnEvenSheet) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> place(-50, 50);
  std::vector<Vec3> stripes, even;
  constexpr std::size_t many = 20000;
  while (stripes.size() < many) {
    const Vec3 at = {place(random), place(random), 0.1 * place(random)};
    if (even.size() < many) even.push_back(at);
    if (std::cos(2 * pi * (2 * at[0] + at[1]) / 100) > 0.5) stripes.push_back(at);
  }
  Boundary b = sheet();
  b.n_ghost = {2, 2, 0};
  const double sampled = gravitational_viscosity(bodies(stripes, 0.1), b, 1, 0);  // those beyond 31 in lumps
  stripes.resize(1000);
  Particles few = bodies(stripes, 0.1);
  few.mass.assign(1000, 2.0 * many / 1000);
  EXPECT_NEAR(gravitational_viscosity(few, b, 1, 0), sampled, 0.15 * sampled);  // the scatter of 1,000 places
  EXPECT_LT(std::abs(gravitational_viscosity(bodies(even, 0.1), b, 1, 0.3)), 0.1 * sampled);
}

TEST(Ring, Overlaps) {
  Particles p =
      bodies({{0, 0, 0}, {1.5, 0, 0}, {49.9, 20, 0}, {-49.9, 20 + 30 - 100.0, 0.5}, {20, 20, 0}, {20, 20, 3}}, 1);
  p.position[3][1] = 50;  // the box beyond stands 30 back
  p.radius[5] = 2.5;
  const RingOverlap found = ring_overlap(p, sheet(), 0.4);
  EXPECT_EQ(found.pairs, 3U);
  const double beyond = 2 - std::sqrt(0.04 + 0.25);
  EXPECT_NEAR(found.largest, beyond, 1e-12);
  EXPECT_NEAR(found.mean, (0.5 + beyond + 0.5) / 3, 1e-12);
  EXPECT_EQ(ring_overlap(bodies({}, 1), sheet(), 0).pairs, 0U);
}

/// Against all pairs: radii from 1 to 20, bodies at walls.
TEST(Ring, OverlapsAreThoseOfAllPairs) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> place(-50, 50), size(0, 3);
  std::vector<Vec3> position(400);
  for (Vec3& at : position) at = {place(random), place(random), 0.2 * place(random)};
  Particles p = bodies(position, 1);
  for (double& r : p.radius) r = std::exp(size(random));
  const double time = 0.77, drift = -1.5 * 0.5 * 100 * time;
  RingOverlap all;
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      for (int a = -1; a <= 1; ++a) {
        for (int c = -3; c <= 3; ++c) {
          const double d =
              std::hypot(position[j][0] + 100 * a - position[i][0],
                         position[j][1] + drift * a + 100 * c - position[i][1], position[j][2] - position[i][2]);
          const double depth = (p.radius[i] + p.radius[j] - d) / std::min(p.radius[i], p.radius[j]);
          if (depth <= 0) continue;
          ++all.pairs;
          sum += depth;
          all.largest = std::max(all.largest, depth);
        }
      }
    }
  }
  const RingOverlap found = ring_overlap(p, sheet(), time);
  EXPECT_GT(all.pairs, 1000U);
  EXPECT_EQ(found.pairs, all.pairs);
  EXPECT_NEAR(found.mean, sum / static_cast<double>(all.pairs), 1e-12 * all.largest);
  EXPECT_NEAR(found.largest, all.largest, 1e-12 * all.largest);
}

TEST(Ring, MeasuresOfAnyMassAreFinite) {
  for (const double mass : {0.0, 1e-310, 1e-307, 1e-300, 1e-150, 1e150}) {
    Particles p = bodies({{10, 0, 0}, {-4, 3, 1}, {-4, 3, 2}}, 2);
    p.velocity = {{0.1, -7.3, 0.3}, {-0.1, 2.6, 0.1}, {0.1, 3, 0.1}};
    p.mass.assign(3, mass);
    const RingState s = measure_ring(p, sheet(), 0.25);
    EXPECT_TRUE(std::isfinite(s.toomre_q)) << mass;
    EXPECT_TRUE(std::isfinite(s.translational_viscosity)) << mass;
    EXPECT_TRUE(std::isfinite(gravitational_viscosity(p, sheet(), 0.25, 0.4))) << mass;
    EXPECT_TRUE(std::isfinite(wake_pitch(p, sheet(), 0.25).contrast)) << mass;
    const double q = 0.5 * 0.1 / (3.36 * 0.25 * (3 * mass / 1e4));
    if (!std::isfinite(q)) {
      EXPECT_EQ(s.toomre_q, 0) << mass;  // as without masses
    } else {
      EXPECT_NEAR(s.toomre_q / q, 1, 1e-3) << mass;  // below 1e-308 numbers have fewer digits
    }
  }
}

TEST(Ring, PointsWithinBodiesDoNotOverlap) {
  Particles p = bodies({{10, 0, 0}, {10.5, 0, 0}, {10, 0, 1}, {10, 0, 1}}, 2);
  p.radius[2] = p.radius[3] = 0;
  const RingOverlap found = ring_overlap(p, sheet(), 0);
  EXPECT_EQ(found.pairs, 1U);
  EXPECT_DOUBLE_EQ(found.largest, 3.5 / 2);
  EXPECT_DOUBLE_EQ(found.mean, 3.5 / 2);
}

TEST(Ring, DepthThatNoLightComesThroughIsNoNumberInJson) {
  Snapshot s;
  s.particles = bodies({{0, 0, 0}, {30, 30, 0}}, 8);
  EXPECT_TRUE(run::ring_measure(s, sheet(), true)["photometric_depth"].is_number());
  std::vector<Vec3> position;
  for (int i = -4; i < 4; ++i) {
    for (int j = -4; j < 4; ++j) position.push_back({12.5 * i, 12.5 * j, 0});
  }
  s.particles = bodies(position, 20);
  const Json found = run::ring_measure(s, sheet(), true);
  EXPECT_TRUE(found["photometric_depth"].is_null());
  EXPECT_EQ(found.dump().find("inf"), std::string::npos);
}

TEST(Ring, WhatCannotBeMeasured) {
  Particles p = bodies({{0, 0, 0}}, 1);
  EXPECT_THROW(measure_ring(p, Boundary{}, 1), UsageError);
  EXPECT_EQ(measure_ring(bodies({}, 1), sheet(), 1).bodies, 0U);
  p.radius.clear();
  EXPECT_THROW(photometric_depth(p, sheet(), 0), Error);
  EXPECT_THROW(wake_pitch(p, sheet(), 1), Error);
}

}  // namespace
}  // namespace hornbeam
