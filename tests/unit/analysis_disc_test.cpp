// SPDX-License-Identifier: Apache-2.0
// Measures of discs, bars, dispersions and black holes against sets of particles whose answer is known.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "hornbeam/analysis.h"
#include "hornbeam/error.h"
#include "hornbeam/ics.h"

namespace hornbeam {
namespace {

using std::numbers::pi;

/// A cold disc of constant surface density, radius 2 and mass 1: spirals of 20,000 stars, at heights of quantiles of
/// sech^2(z / 0.1), with velocity dispersions of 0.3, 0.2 and 0.1 by signs, circling at speed 1 in a harmonic field.
Snapshot made_disc(double bar = 0.0) {
  constexpr int n = 20000;
  Snapshot snapshot;
  Particles& p = snapshot.particles;
  p.resize(n);
  p.acceleration.resize(n);
  for (int i = 0; i < n; ++i) {
    const double R = 2 * std::sqrt((i + 0.5) / n);
    const double even = 2 * pi * std::fmod(i * 0.6180339887498949, 1.0);  // golden ratio: even over the circle
    const double angle = even - 0.5 * bar * std::sin(2 * even);           // density 1 + bar cos(2 angle) to first order
    const double z = 0.1 * std::atanh(std::fmod(i * 0.41421356237309515, 1.0) * 1.9998 - 0.9999);
    const auto sign = [i](int bit) { return (i >> bit) % 2 == 0 ? 1.0 : -1.0; };
    const double c = std::cos(angle), s = std::sin(angle);
    const double radial = 0.3 * sign(0), azimuthal = 1 + 0.2 * sign(1);
    p.position[i] = {R * c, R * s, z};
    p.velocity[i] = {radial * c - azimuthal * s, radial * s + azimuthal * c, 0.1 * sign(2)};
    p.mass[i] = 1.0 / n;
    p.family[i] = Family::disc;
    p.acceleration[i] = {-4 * R * c, -4 * R * s, 0};  // v_circ = 2 R, kappa = 4
  }
  return snapshot;
}

/// Turns the disc's axis from z to x, and moves and pushes it.
Snapshot turned(Snapshot snapshot) {
  const auto turn = [](Vec3& v) { v = {v[2], v[0], v[1]}; };
  for (Vec3& v : snapshot.particles.position) turn(v), v[0] += 5;
  for (Vec3& v : snapshot.particles.velocity) turn(v), v[1] += 7;
  for (Vec3& v : snapshot.particles.acceleration) turn(v);
  return snapshot;
}

const std::vector<double> rings = {0.4, 0.8, 1.2, 1.6, 1.9};

void expect_made_disc(const analysis::DiscProfile& disc) {
  ASSERT_EQ(disc.radius.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    const double R = disc.radius[i];
    SCOPED_TRACE(R);
    EXPECT_NEAR(disc.surface_density[i], 1 / (4 * pi), 0.003);  // one star more or less at the rims, and the centre
    EXPECT_NEAR(disc.scale_height[i], 0.1, 0.002);
    EXPECT_NEAR(disc.rotation[i], 1.0, 0.01);
    EXPECT_NEAR(disc.radial_dispersion[i], 0.3, 0.01);
    EXPECT_NEAR(disc.azimuthal_dispersion[i], 0.2, 0.01);
    EXPECT_NEAR(disc.vertical_dispersion[i], 0.1, 1e-3);
    // v^2 = 4 R^2 averaged over the ring's area: (inner^2 + outer^2) / 2 in place of R^2
    const double square = 0.5 * (rings[i] * rings[i] + rings[i + 1] * rings[i + 1]);
    EXPECT_NEAR(disc.circular_velocity[i] / (2 * std::sqrt(square)), 1.0, 0.002);
    const double q = 0.3 * 4 * (4 * pi) / 3.36;
    // the same averages, in the slope of the curve between neighbours, too
    EXPECT_NEAR(disc.toomre_q[i] / q, 1.0, 0.05);
  }
}

TEST(DiscProfile, OfAMadeDiscIsWhatItWasMadeOf) {
  expect_made_disc(analysis::disc_profile(made_disc(), -1, 20, rings));
}

TEST(DiscProfile, FollowsTheDiscsAxisCentreAndMotion) {
  expect_made_disc(analysis::disc_profile(turned(made_disc()), -1, 20, rings));
}

TEST(DiscProfile, ComputesAccelerationsWhereThereAreNone) {
  Snapshot snapshot = made_disc();
  snapshot.particles.acceleration.clear();
  const analysis::DiscProfile disc = analysis::disc_profile(snapshot, 0.02, 20, {0.4, 0.6});
  // Of a uniform disc of radius a at R << a: g = Sigma pi R / a (1 + 3/8 (R/a)^2 ...), a = 2 (Mestel's series).
  const double R = 0.5, g = pi * (1 / (4 * pi)) * (R / 2) * (1 + 3.0 / 8 * R * R / 4);
  EXPECT_NEAR(std::pow(disc.circular_velocity[0], 2) / (R * g), 1.0, 0.1);  // its thickness of 0.1 and 600 stars
}

TEST(DiscProfile, TakesStarsWhereThereIsNoDiscAndRefusesNeither) {
  Snapshot snapshot = made_disc();
  for (Family& family : snapshot.particles.family) family = Family::star;
  EXPECT_EQ(analysis::disc_profile(snapshot).radius.size(), 20u);
  for (Family& family : snapshot.particles.family) family = Family::halo;
  EXPECT_THROW(analysis::disc_profile(snapshot), Error);
  EXPECT_THROW(analysis::disc_profile(made_disc(), -1, 20, {1.0, 1.0}), UsageError);
  EXPECT_THROW(analysis::disc_profile(made_disc(), -1, 0), UsageError);
}

TEST(Bar, HasTheAmplitudeAndAngleItWasGiven) {
  const analysis::Bar none = analysis::bar(made_disc().particles, 20, rings);
  EXPECT_LT(none.strength, 0.01);  // evenly placed stars: below the noise of random ones, 0.015
  Snapshot snapshot = made_disc(0.3);
  const analysis::Bar barred = analysis::bar(snapshot.particles, 20, rings);
  // density 1 + 0.3 cos(2 phi) has A_2 / A_0 = 0.15; the second order of the displacement adds below 0.3^2 / 8
  EXPECT_NEAR(barred.strength, 0.15, 0.012);
  for (const double amplitude : barred.amplitude) EXPECT_NEAR(amplitude, 0.15, 0.015);
  EXPECT_TRUE(barred.angle < 2 || barred.angle > 178) << barred.angle;
  for (Vec3& x : snapshot.particles.position)
    x = {0.5 * x[0] - std::sqrt(0.75) * x[1], std::sqrt(0.75) * x[0] + 0.5 * x[1], x[2]};
  for (Vec3& v : snapshot.particles.velocity)
    v = {0.5 * v[0] - std::sqrt(0.75) * v[1], std::sqrt(0.75) * v[0] + 0.5 * v[1], v[2]};
  EXPECT_NEAR(analysis::bar(snapshot.particles, 20, rings).angle, 60, 2);
}

TEST(Anisotropy, IsNoneInAPlummerSphere) {
  const Particles p = ics::make("plummer", 100000, ics::Seed{31}).particles;
  const analysis::AnisotropyProfile a = analysis::anisotropy(p, 32, {0.2, 0.4, 0.8, 1.6});
  ASSERT_EQ(a.radius.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    // 10,000 particles or more in a shell: 1 % scatter of a dispersion squared, twice
    EXPECT_NEAR(a.anisotropy[i], 0.0, 0.05);
    const double x = a.radius[i] / 0.5890486225480862;
    const double sigma = std::sqrt(1 / (0.999 * 6 * 0.5890486225480862) / std::sqrt(1 + x * x));
    EXPECT_NEAR(a.radial_dispersion[i] / sigma, 1.0, 0.04);  // a shell a factor 2 wide
  }
}

// Rotation about whatever axis is no dispersion: the same sphere with and without.
TEST(Anisotropy, IsThatAboutTheMeanRotation) {
  Particles p = ics::make("plummer", 100000, ics::Seed{31}).particles;
  const std::vector<double> shells = {0.2, 0.4, 0.8, 1.6};
  const analysis::AnisotropyProfile still = analysis::anisotropy(p, 32, shells);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto& [x, y, z] = p.position[i];
    const Vec3 around = {z - y, x - z, y - x};  // about (1, 1, 1)
    const double length = std::hypot(around[0], around[1], around[2]);
    for (std::size_t k = 0; k < 3; ++k) p.velocity[i][k] += 1.5 * around[k] / length;
  }
  const analysis::AnisotropyProfile turning = analysis::anisotropy(p, 32, shells);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(turning.radial_dispersion[i], still.radial_dispersion[i], 0.01);
    // the frame and the axis are those of 10,000 particles, to a hundredth; rotation included, beta was -7
    EXPECT_NEAR(turning.anisotropy[i], still.anisotropy[i], 0.05);
  }
}

TEST(Anisotropy, KnowsRadialAndCircularOrbits) {
  Particles p = ics::make("plummer", 5000, ics::Seed{32}).particles;
  Particles circular = p;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3 x = p.position[i];
    const double sign = i % 2 == 0 ? 1 : -1, r = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    p.velocity[i] = {sign * x[0] / r, sign * x[1] / r, sign * x[2] / r};
    circular.velocity[i] = {-sign * x[1], sign * x[0], 0};
  }
  const std::vector<double> shell = {0.5, 1.5};
  // the centre of density is known to 0.03, which turns radial directions by that over r
  EXPECT_GT(analysis::anisotropy(p, 32, shell).anisotropy[0], 0.97);
  EXPECT_LT(analysis::anisotropy(circular, 32, shell).anisotropy[0], -100);
}

TEST(BlackHoles, AreTwo) {
  Particles p;
  p.resize(3);
  p.mass = {1, 2, 3};
  p.position = {{0, 0, 0}, {3, 0, 0}, {3, 4, 0}};
  p.velocity = {{0, 0, 0}, {0, 0, 1}, {0, 2, 1}};
  p.family = {Family::black_hole, Family::halo, Family::black_hole};
  const analysis::BlackHolePair pair = analysis::black_holes(p);
  EXPECT_DOUBLE_EQ(pair.distance, 5.0);
  EXPECT_DOUBLE_EQ(pair.speed, std::sqrt(5.0));
  EXPECT_EQ(pair.count, 2);
  p.family[1] = Family::black_hole;
  EXPECT_THROW(analysis::black_holes(p), Error);
  p.family.assign(3, Family::halo);
  EXPECT_THROW(analysis::black_holes(p), Error);
}

TEST(BlackHoles, OneIsMeasuredFromItsGalaxy) {
  Particles p;
  p.resize(9);
  p.mass.assign(9, 1.0);
  p.mass[8] = 100;  // which is no part of the galaxy
  for (std::size_t i = 0; i < 8; ++i) {
    p.position[i] = {i % 2 == 0 ? 1.0 : 3.0, i / 2 % 2 == 0 ? 1.0 : 3.0, i / 4 == 0 ? 1.0 : 3.0};
    p.velocity[i] = {0, 0, 5};
  }
  p.position[8] = {2, 5, 6};
  p.velocity[8] = {0, 1, 5};
  p.family[8] = Family::black_hole;
  const analysis::BlackHolePair found = analysis::black_holes(p);
  EXPECT_EQ(found.count, 1);
  EXPECT_DOUBLE_EQ(found.distance, 5.0);
  EXPECT_DOUBLE_EQ(found.speed, 1.0);
  p.resize(1);
  p.family[0] = Family::black_hole;
  EXPECT_THROW(analysis::black_holes(p), Error);
}

/// An ellipse with its centre in the origin: nearest, at distance b, a quarter after `far` and every half period later.
Motion on_ellipse(double t, double a, double b) {
  return {{a * std::cos(t), b * std::sin(t), 0}, {-a * std::sin(t), b * std::cos(t), 0}};
}

TEST(Passages, AreFoundBetweenTheTimes) {
  std::vector<double> times;
  std::vector<Motion> relative;
  for (int i = 0; i <= 40; ++i) {
    times.push_back(0.25 * i);
    relative.push_back(on_ellipse(times.back(), 5, 1));
  }
  const std::vector<analysis::Passage> found = analysis::passages(times, relative);
  ASSERT_EQ(found.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    // the cubic's error is h^4 / 384 of the fourth derivative, 5 at most
    EXPECT_NEAR(found[k].time, (static_cast<double>(k) + 0.5) * std::numbers::pi, 1e-4);
    EXPECT_NEAR(found[k].distance, 1, 1e-4);
  }
}

TEST(Passages, AreNoJitter) {
  std::vector<double> times;
  std::vector<Motion> relative;
  for (int i = 0; i <= 40; ++i) {
    times.push_back(0.25 * i);
    relative.push_back(on_ellipse(times.back(), 1.4, 1));  // comes 1.4 times as near, 1.5 would count
  }
  EXPECT_TRUE(analysis::passages(times, relative).empty());
  EXPECT_TRUE(analysis::passages({}, {}).empty());
  EXPECT_THROW((void)analysis::passages({0, 1}, {}), Error);
}

TEST(Selected, KeepsAllArraysOfTheFamiliesAskedFor) {
  Particles p;
  p.resize(3);
  p.mass = {1, 2, 3};
  p.eps = {0.1, 0.2, 0.3};
  p.family = {Family::disc, Family::halo, Family::disc};
  const Particles some = analysis::selected(p, {Family::disc, Family::bulge});
  EXPECT_EQ(some.mass, (std::vector<double>{1, 3}));
  EXPECT_EQ(some.eps, (std::vector<double>{0.1, 0.3}));
  EXPECT_EQ(some.id, (std::vector<std::uint64_t>{0, 2}));
  EXPECT_EQ(some.position.size(), 2u);
  EXPECT_TRUE(some.potential.empty());
  EXPECT_EQ(analysis::selected(p, {}).size(), 3u);
}

TEST(Profile, TakesEdges) {
  const Particles p = ics::make("plummer", 2000, ics::Seed{33}).particles;
  EXPECT_EQ(analysis::profile(p, 1.0, 32, {0.1, 1.0, 2.0}).radius.size(), 2u);
  EXPECT_THROW(analysis::profile(p, 1.0, 32, {0.0, 1.0}), UsageError);
  EXPECT_THROW(analysis::profile(p, 1.0, 32, {1.0, 0.5}), UsageError);
  EXPECT_THROW(analysis::profile(p, 1.0, 32, {1.0}), UsageError);
}

TEST(VirialRatio, IsTwiceKineticOverPotential) {
  Energies e;
  EXPECT_EQ(analysis::virial_ratio(e), 0.0);
  e.kinetic = 1;
  e.potential = -4;
  EXPECT_EQ(analysis::virial_ratio(e), 0.5);
}

}  // namespace
}  // namespace hornbeam
