// SPDX-License-Identifier: Apache-2.0
// Polytropes against Chandrasekhar's (1939) numbers and closed forms; what the models polytrope and collapse draw.
#include "hornbeam/polytrope.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "hornbeam/analysis.h"
#include "hornbeam/error.h"
#include "hornbeam/ics.h"
#include "ics/gas/settle.h"

namespace hornbeam {
namespace {

using analysis::Polytrope;

TEST(Polytrope, HasItsTextbookNumbers) {
  const Polytrope s(1.5, 1, 1);
  EXPECT_NEAR(s.central_density(), 1.430175, 1e-6);
  EXPECT_NEAR(s.central_density() * 4 * std::numbers::pi / 3, 5.990705, 3e-6);
  EXPECT_NEAR(s.constant(), 0.424217, 1e-6);
  EXPECT_NEAR(s.central_pressure(), 0.770140, 1e-6);
  EXPECT_NEAR(s.potential_energy(), -6.0 / 7, 1e-12);
  const double fractions[] = {0.1, 0.25, 0.5, 0.75, 0.9}, radii[] = {0.26802, 0.38170, 0.52118, 0.66088, 0.77379};
  for (int k = 0; k < 5; ++k) {
    EXPECT_NEAR(s.radius_of(fractions[k]), radii[k], 1e-5);
    EXPECT_NEAR(s.mass_within(s.radius_of(fractions[k])), fractions[k], 1e-6);
  }
  EXPECT_NEAR(Polytrope(1, 1, 1).central_density(), 0.785398, 1e-6);
  EXPECT_NEAR(Polytrope(3, 1, 1).central_density(), 12.935115, 2e-5);
  EXPECT_NEAR(Polytrope(3, 1, 1).potential_energy(), -1.5, 1e-12);
}

/// theta = 1 - xi^2 / 6 for n = 0, sin xi / xi for n = 1.
TEST(Polytrope, HasItsClosedForms) {
  const Polytrope level(0, 2, 3), sine(1, 2, 3);
  for (double r = 0.1; r < 3; r += 0.37) {
    const double x = std::numbers::pi * r / 3;
    EXPECT_NEAR(level.at(r).density, 2 / (36 * std::numbers::pi), 1e-9);
    EXPECT_NEAR(level.at(r).pressure / level.central_pressure(), 1 - r * r / 9, 1e-6);
    EXPECT_NEAR(sine.at(r).density / sine.central_density(), std::sin(x) / x, 1e-6);
  }
  EXPECT_EQ(sine.at(3.01).density, 0);
  EXPECT_NEAR(Polytrope(1, 2, 3, 5).central_pressure(), 5 * sine.central_pressure(), 1e-9);
  EXPECT_GT(Polytrope(4.9, 1, 1).central_density(), 1e4);
  EXPECT_THROW(Polytrope(5, 1, 1), UsageError);
  EXPECT_THROW(Polytrope(-0.1, 1, 1), UsageError);
}

TEST(Polytrope, ModelHasItsProfile) {
  Snapshot s = ics::make("polytrope", 3000, ics::Seed{1}, {{"mass", "2"}, {"radius", "3"}, {"pulse", "0.1"}});
  const Polytrope exact(1.5, 2, 3);
  for (const double f : {0.1, 0.5, 0.9}) {
    EXPECT_NEAR(analysis::lagrangian_radii(s.particles, {f}).front(), exact.radius_of(f), 0.02 * exact.radius_of(f));
  }
  double thermal = 0;
  for (std::size_t i = 0; i < s.particles.size(); ++i) thermal += s.particles.mass[i] * s.particles.internal_energy[i];
  EXPECT_NEAR(thermal, -0.5 * exact.potential_energy(), 0.005 * thermal);  // the virial theorem at gamma 5/3
  const Vec3 &x = s.particles.position[2000], &v = s.particles.velocity[2000];
  EXPECT_NEAR(v[0] / x[0], 0.1 * std::sqrt(2.0 / 3) / 3, 1e-12);
  // the exact energies with the exact densities deviate from nothing
  s.particles.density.resize(3000);
  for (std::size_t i = 0; i < 3000; ++i) {
    const Vec3& at = s.particles.position[i];
    s.particles.density[i] = exact.at(std::hypot(at[0], at[1], at[2])).density;
  }
  const analysis::FlowError error = analysis::error_of_polytrope(s, exact, 5.0 / 3);
  EXPECT_EQ(error.particles, 3000U);
  EXPECT_LT(error.density, 1e-9);
  EXPECT_LT(error.pressure, 1e-5);  // centring moves them by as much
  EXPECT_GT(error.velocity, 0.01);
}

/// Settling ends at rest with energies of the adiabat, near the profile as far as 500 particles can be.
TEST(Polytrope, SettlesToRest) {
  const Snapshot s = ics::make("polytrope", 500, ics::Seed{1}, {{"settle", "60"}});
  const Polytrope exact(1.5, 1, 1);
  const Particles& p = s.particles;
  ASSERT_EQ(p.density.size(), 500U);
  EXPECT_TRUE(p.acceleration.empty());
  for (std::size_t i = 0; i < p.size(); i += 37) {
    EXPECT_NEAR(p.internal_energy[i], 1.5 * exact.constant() * std::pow(p.density[i], 2.0 / 3), 1e-9);
    EXPECT_EQ(p.velocity[i], Vec3{});
  }
  const double turned = std::stod(s.notes.front().substr(s.notes.front().find('=') + 2));
  EXPECT_LT(turned, 1e-3);  // K / |W|, which falls by a quarter each ten turns
  EXPECT_NEAR(analysis::lagrangian_radii(p, {0.5}).front(), exact.radius_of(0.5), 0.07 * exact.radius_of(0.5));
}

TEST(Polytrope, OfFewParticlesDoesNotSettle) {
  EXPECT_THROW(ics::make("polytrope", 33, ics::Seed{1}, {{"settle", "20"}}), UsageError);
  EXPECT_NO_THROW(ics::make("polytrope", 34, ics::Seed{1}, {{"settle", "20"}}));
  EXPECT_NO_THROW(ics::make("polytrope", 33, ics::Seed{1}, {{"settle", "0"}}));
}

/// Boss & Bodenheimer (1979), Burkert & Bodenheimer (1993): c 0.31623, omega 0.77460 for alpha 0.25, beta 0.20; c
/// 0.32249, 0.69282 for 0.26, 0.16.
TEST(Collapse, HasItsSpeeds) {
  const Particles p = ics::make("collapse", 2000, ics::Seed{1}).particles;
  EXPECT_NEAR(std::sqrt(p.internal_energy[0] / 1.5), 0.31623, 1e-5);
  const Vec3 &x = p.position[1500], &v = p.velocity[1500];
  EXPECT_NEAR(v[1] / x[0], 0.77460, 1e-5);
  EXPECT_NEAR(v[0] / x[1], -0.77460, 1e-5);
  const Particles q = ics::make("collapse", 2000, ics::Seed{1}, {{"alpha", "0.26"}, {"beta", "0.16"}}).particles;
  EXPECT_NEAR(std::sqrt(q.internal_energy[0] / 1.5), 0.32249, 1e-5);
  EXPECT_NEAR(q.velocity[1500][1] / q.position[1500][0], 0.69282, 1e-5);
}

/// Of density 1 + A cos 2 phi the mean of cos 2 phi is A / 2, that of sin 2 phi 0; along z and r nothing has changed.
TEST(Collapse, IsDenserOnTwoSides) {
  const Particles p = ics::make("collapse", 20000, ics::Seed{1}, {{"amplitude", "0.5"}}).particles;
  double c = 0, s = 0;
  for (const Vec3& x : p.position) {
    const double phi = std::atan2(x[1], x[0]);
    c += std::cos(2 * phi) / 20000;
    s += std::sin(2 * phi) / 20000;
  }
  EXPECT_NEAR(c, 0.25, 0.002);
  EXPECT_NEAR(s, 0, 0.002);
  EXPECT_NEAR(analysis::lagrangian_radii(p, {0.5}).front(), std::cbrt(0.5), 0.02);
  const auto fate = [](const char* beta) {
    return ics::make("collapse", 100, ics::Seed{1}, {{"beta", beta}}).notes.back();
  };
  EXPECT_NE(fate("0.2").find("its free-fall time is 1.11"), std::string::npos);
  EXPECT_NE(fate("3").find("it does not collapse: alpha + beta is 3.25"), std::string::npos);
  EXPECT_THROW(ics::make("collapse", 100, ics::Seed{1}, {{"amplitude", "1.1"}}), UsageError);
}

}  // namespace
}  // namespace hornbeam
