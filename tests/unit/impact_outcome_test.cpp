// SPDX-License-Identifier: Apache-2.0
// Planets, discs and debris whose masses and angular momenta can be written down.
#include "hornbeam/impact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "hornbeam/error.h"
#include "hornbeam/ics.h"

namespace hornbeam {
namespace {

using analysis::Fate;
using analysis::impact_outcome;
using analysis::ImpactOutcome;

constexpr std::size_t of_planet = 4000;

/// A planet of mass and radius 1 that turns as a rigid body about z.
Particles planet(double spin) {
  Particles p = ics::make("uniform-sphere", of_planet, ics::Seed{1}).particles;
  p.density.assign(of_planet, 3 / (4 * std::numbers::pi));
  for (std::size_t i = 0; i < of_planet; ++i) p.velocity[i] = {-spin * p.position[i][1], spin * p.position[i][0], 0};
  return p;
}

/// n bodies about a planet of mass 1 on orbits of that axis and eccentricity, half of them at the pericentre.
void add_orbits(Particles& p, std::size_t n, double axis, double eccentricity, double mass) {
  const double near = axis * (1 - eccentricity), far = axis * (1 + eccentricity);
  const double j = std::sqrt(axis * (1 - eccentricity * eccentricity));
  Particles ring;
  ring.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double r = i % 2 == 0 ? near : far,
                 angle = 2 * std::numbers::pi * static_cast<double>(i / 2) * 2 / static_cast<double>(n);
    ring.position[i] = {r * std::cos(angle), r * std::sin(angle), 0};
    ring.velocity[i] = {-j / r * std::sin(angle), j / r * std::cos(angle), 0};
    ring.mass[i] = mass / static_cast<double>(n);
  }
  ring.density.assign(n, 1e-3);
  p.append(ring);
}

void add_ejecta(Particles& p, double speed, double mass) {
  Particles gone;
  gone.resize(2);
  gone.position = {{4, 0, 0}, {-4, 0, 0}};
  gone.velocity = {{speed, 0, 0}, {-speed, 0, 0}};
  gone.mass = {mass / 2, mass / 2};
  gone.density.assign(2, 1e-6);
  p.append(gone);
}

double length_of(const Vec3& v) { return std::hypot(v[0], v[1], v[2]); }

TEST(ImpactOutcome, FindsPlanetDiscAndDebris) {
  Particles p = planet(0);
  add_orbits(p, 40, 3.0, 0.5, 0.01);    // a (1 - e^2) = 2.25: the disc
  add_orbits(p, 60, 1.6, 0.65, 0.005);  // 0.92: comes back into the planet
  add_ejecta(p, 0.8, 0.002);            // v^2 / 2 = 0.32 > 1.005 / 4
  const ImpactOutcome o = impact_outcome(p, 1);
  EXPECT_EQ(o.particles[0], of_planet + 60);
  EXPECT_EQ(o.particles[1], 40U);
  EXPECT_EQ(o.particles[2], 2U);
  EXPECT_NEAR(o.mass[0], 1.005, 1e-12);
  EXPECT_NEAR(o.mass[1], 0.01, 1e-14);
  EXPECT_NEAR(o.mass[2], 0.002, 1e-14);
  EXPECT_NEAR(length_of(o.angular_momentum[1]), 0.01 * std::sqrt(2.25), 1e-6);
  EXPECT_LT(length_of(o.angular_momentum[2]), 1e-10);
  EXPECT_EQ(o.change, 0);
  // what falls back is thin and counts in the mass alone
  EXPECT_NEAR(o.density, 3 / (4 * std::numbers::pi), 1e-12);
  EXPECT_NEAR(o.radius, std::cbrt(1.005), 1e-9);
}

TEST(ImpactOutcome, MovesWithThePlanet) {
  Particles p = planet(0.1);
  add_orbits(p, 40, 3.0, 0.5, 0.01);
  add_ejecta(p, 0.8, 0.002);
  const ImpactOutcome still = impact_outcome(p, 1);
  for (Vec3& x : p.position) x = {x[0] + 5, x[1] - 3, x[2]};
  for (Vec3& v : p.velocity) v = {v[0] - 7, v[1], v[2] + 2};
  const ImpactOutcome moved = impact_outcome(p, 1);
  EXPECT_EQ(moved.fate, still.fate);
  EXPECT_NEAR(length_of(moved.angular_momentum[1]), length_of(still.angular_momentum[1]), 1e-12);
  EXPECT_NEAR(moved.velocity[0] - still.velocity[0], -7, 1e-12);
  EXPECT_NEAR(moved.centre[1] - still.centre[1], -3, 1e-12);
}

/// A homogeneous body: K = 2/5, so f = (5/2) q / (1 + 1), q = omega^2 R^3 / G M; Maclaurin's 5/4 q.
TEST(ImpactOutcome, FlattensAPlanetThatTurns) {
  const double spin = 0.3;
  const ImpactOutcome o = impact_outcome(planet(spin), 1);
  EXPECT_NEAR(o.spin, spin, 1e-3);  // z components of 4,000 points: their plane's inertia
  EXPECT_NEAR(o.radius, 1, 1e-9);
  EXPECT_NEAR(o.equatorial_radius, 1 / std::cbrt(1 - 1.25 * spin * spin), 2e-3);
  EXPECT_NEAR(o.angular_momentum[0][2], 0.4 * spin, 0.02 * 0.4 * spin);
}

/// A flattened planet takes in what a round one would leave to the disc, and a given density decides, too.
TEST(ImpactOutcome, EquatorDecides) {
  Particles p = planet(0.45);
  add_orbits(p, 20, 1.08, 0, 1e-4);
  EXPECT_EQ(impact_outcome(p, 1).particles[1], 0U);
  EXPECT_EQ(impact_outcome(p, 1, 1.0).particles[1], 20U);
  Particles round = planet(0);
  add_orbits(round, 20, 1.08, 0, 1e-4);
  EXPECT_EQ(impact_outcome(round, 1).particles[1], 20U);
}

TEST(ImpactOutcome, CountsKinds) {
  Particles p = planet(0);
  add_orbits(p, 40, 3.0, 0.5, 0.01);
  std::vector<std::uint32_t> kinds(p.size(), 0);
  for (std::size_t i = 0; i < kinds.size(); i += 4) kinds[i] = 2;
  const ImpactOutcome o = impact_outcome(p, 1, 0, kinds);
  ASSERT_EQ(o.by_kind[1].size(), 3U);
  EXPECT_NEAR(o.by_kind[1][0], 0.0075, 1e-14);
  EXPECT_EQ(o.by_kind[1][1], 0);
  EXPECT_NEAR(o.by_kind[1][2], 0.0025, 1e-14);
  EXPECT_NEAR(o.by_kind[0][2], 0.25, 1e-12);
}

TEST(ImpactOutcome, NeedsADensityAndMass) {
  Particles p = planet(0);
  p.density.clear();
  EXPECT_THROW(impact_outcome(p, 1), Error);
  EXPECT_EQ(impact_outcome(p, 1, 0.24).particles[0], of_planet);
  Particles nothing;
  EXPECT_THROW(impact_outcome(nothing, 1, 1), Error);
}

}  // namespace
}  // namespace hornbeam
