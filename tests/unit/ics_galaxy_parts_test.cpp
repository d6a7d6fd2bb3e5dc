// SPDX-License-Identifier: Apache-2.0
// The parts of a galaxy against closed forms: Hernquist's sphere, Freeman's disc, Poisson's equation, Jeans' equations.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "hornbeam/error.h"
#include "ics/galaxies/disc_field.h"
#include "ics/galaxies/disc_motion.h"
#include "ics/galaxies/distribution.h"
#include "ics/galaxies/spherical_field.h"
#include "ics/galaxies/spheroid.h"

namespace hornbeam::ics {
namespace {

using std::numbers::pi;

/// Hernquist's sphere with M = 2, a = 3, cut so far out that less than 1e-6 of the mass is missing.
struct HernquistSphere {
  static constexpr double mass = 2.0, a = 3.0;
  RadialGrid grid{1e-3, 4e8};
  Spheroid spheroid{{mass, a, 1e7, 1.0, 4.0}, grid};
  SphericalField field{grid, spheroid.densities(), 0.0, 0.0};
};

TEST(Spheroid, WithHernquistsSlopesIsHis) {
  const HernquistSphere h;
  for (const double r : {0.01, 0.3, 3.0, 100.0}) {
    const double x = r / h.a;
    const double density = h.mass / (2 * pi * h.a * h.a * h.a * x * std::pow(1 + x, 3));
    EXPECT_NEAR(h.spheroid.density(r) / density, 1, 2e-5) << r;  // masses of power laws between radii 1 % apart
    const double fraction = x * x / ((1 + x) * (1 + x));
    EXPECT_NEAR(h.spheroid.radius_of(fraction) / r, 1, 1e-3) << r;  // the same, at 100 a divided by the slope of M
  }
  EXPECT_NEAR(h.spheroid.radius_of(1e-12) / (h.a * 1e-6), 1, 1e-3);  // inside the grid
}

TEST(Spheroid, SlopesAreThoseOfItsDensity) {
  const RadialGrid grid{1e-3, 100};
  const Spheroid s({1.0, 1.0, 2.0, 0.5, 3.0}, grid);
  for (const double r : {0.05, 1.0, 5.0}) {
    const double step = 1e-4, up = r * std::exp(step), down = r * std::exp(-step);
    // differences over 2e-4 in ln r: their error is step^2
    EXPECT_NEAR(s.log_slope(r), std::log(s.density(up) / s.density(down)) / (2 * step), 1e-6);
    EXPECT_NEAR(s.log_bending(r), (s.log_slope(up) - s.log_slope(down)) / (2 * step), 1e-6);
  }
}

TEST(SphericalField, OfHernquistsSphereIsItsClosedForm) {
  const HernquistSphere h;
  for (const double r : {0.01, 0.3, 3.0, 100.0}) {
    // power laws between radii 1 % apart, read by linear interpolation: each 1e-5
    EXPECT_NEAR(h.field.pull_at(r) * std::pow(r + h.a, 2) / h.mass, 1, 5e-5) << r;
    EXPECT_NEAR(h.field.depth_at(r) * (r + h.a) / h.mass, 1, 5e-5) << r;
  }
}

TEST(SphericalField, AddsASoftenedPointMass) {
  const RadialGrid grid{0.01, 10};
  const SphericalField field(grid, std::vector<double>(grid.size()), 3.0, 0.5);
  for (const double r : {0.02, 0.5, 4.0}) {
    const double d = std::sqrt(r * r + 0.25);
    EXPECT_NEAR(field.depth_at(r), 3 / d, 1e-4);  // interpolation over 1 %
    EXPECT_NEAR(field.pull_at(r), 3 * r / (d * d * d), 2e-4);
  }
}

TEST(IsotropicDistribution, OfHernquistsSphereIsHisEquation17) {
  const HernquistSphere h;
  const IsotropicDistribution f("test", h.spheroid, h.field);
  const double speed2 = h.mass / h.a;  // v_g^2
  for (const double q2 : {0.01, 0.1, 0.5, 0.9, 0.99}) {
    const double q = std::sqrt(q2), p2 = 1 - q2;
    const double bracket = 3 * std::asin(q) + q * std::sqrt(p2) * (1 - 2 * q2) * (8 * q2 * q2 - 8 * q2 - 3);
    const double expected =
        h.mass * bracket / (8 * std::sqrt(2.0) * std::pow(pi * h.a * std::sqrt(speed2), 3)) / std::pow(p2, 2.5);
    // linear in psi between radii 1 % apart, over which its integrand changes by 3.5 %: 1e-4, and as much to read it
    EXPECT_NEAR(f(q2 * speed2) / expected, 1, 1e-3) << q2;
  }
}

/// sigma_r^2 of an isotropic sphere by Jeans' equation: the integral of rho g dr outwards, over rho.
double jeans_dispersion2(const Spheroid& spheroid, const SphericalField& field, double r) {
  double sum = 0;
  const double step = 1e-3;
  for (double x = r * std::exp(step / 2); x < 1e3 * r; x *= std::exp(step)) {
    sum += spheroid.density(x) * field.pull_at(x) * x * step;
  }
  return sum / spheroid.density(r);
}

TEST(IsotropicDistribution, InAForeignFieldSolvesJeansEquation) {
  // A bulge with a black hole inside a halo four times as large: neither field is the bulge's own.
  const RadialGrid grid{1e-4, 400};
  const Spheroid bulge({0.5, 0.2, 2.0, 1.0, 4.0}, grid), halo({6.0, 2.5, 10.0, 1.0, 3.0}, grid);
  std::vector<double> density = bulge.densities();
  for (std::size_t i = 0; i < grid.size(); ++i) density[i] += halo.density(grid[i]);
  const SphericalField field(grid, density, 0.02, 0.0);
  for (const Spheroid* part : {&bulge, &halo}) {
    const IsotropicDistribution f("test", *part, field);
    for (const double r : {0.003, 0.1, 1.0, 4.0}) {
      Random random(Seed{5}, static_cast<std::uint64_t>(1000 * r));
      double square = 0;
      const int draws = 40000;
      for (int i = 0; i < draws; ++i) square += std::pow(f.draw_speed(r, random), 2) / 3;
      // 3 draws^(1/2) degrees of freedom: 0.4 % scatter, some more for the long tail near the black hole
      EXPECT_NEAR(square / draws / jeans_dispersion2(*part, field, r), 1, 0.025) << r;
    }
  }
}

TEST(IsotropicDistribution, RefusesWhatCannotBeIsotropic) {
  // A core (slope 0) around a black hole: no isotropic model has one (Tremaine et al. 1994).
  const RadialGrid grid{1e-4, 400};
  const Spheroid core({1.0, 1.0, 10.0, 0.0, 4.0}, grid);
  const SphericalField field(grid, core.densities(), 0.1, 0.0);
  EXPECT_THROW(IsotropicDistribution("galaxy.halo", core, field), UsageError);
}

const DiscShape exponential{1.0, 1.0, 0.1, 6.0, 0.5};

TEST(Disc, HoldsItsMassAndFallsExponentially) {
  const Disc disc(exponential);
  EXPECT_NEAR(disc.surface_density(3) / disc.surface_density(1), std::exp(-2.0), 1e-6);  // the cut takes 1e-9 there
  EXPECT_NEAR(disc.surface_density(6), 0.5 * disc.surface_density(0) * std::exp(-6.0), 1e-12);
  // (1 + x) exp(-x) lies outside x, but for the 1.5 % beyond the cut
  const double beyond_cut = 1 - 7 * std::exp(-6.0);
  EXPECT_NEAR((1 - 3 * std::exp(-2.0)) / beyond_cut, 0.6046, 1e-3);
  EXPECT_NEAR(disc.radius_of((1 - 3 * std::exp(-2.0)) / beyond_cut), 2.0, 5e-3);  // the cut's width
  for (const double R : {0.5, 3.0, 6.0}) {
    const double slope = std::log(disc.surface_density(R * 1.0001) / disc.surface_density(R / 1.0001)) / 2e-4;
    EXPECT_NEAR(disc.log_slope(R), slope, 1e-3);
  }
}

TEST(Disc, MeanOverSpheresHasItsMassAndItsCentralSlope) {
  const Disc disc(exponential);
  const RadialGrid grid{1e-3, 20};
  std::vector<double> density;
  for (const double r : grid.radii()) density.push_back(disc.mean_density(r));
  EXPECT_NEAR(enclosed_mass(grid, density).back(), 1.0, 1e-3);  // power laws between radii where it is cut off
  EXPECT_NEAR(disc.mean_density(1e-3), disc.surface_density(0) / 0.2, 3e-3);  // the centre: Sigma / (2 z_d)
}

TEST(DiscField, OfAThinDiscIsFreemans) {
  const DiscField thin(Disc({1.0, 1.0, 0.03, 12.0, 0.5})), thick(Disc({1.0, 1.0, 0.06, 12.0, 0.5}));
  for (const double R : {0.5, 1.0, 2.2, 4.0}) {
    const double y = R / 2;
    const double bessel =
        std::cyl_bessel_i(0, y) * std::cyl_bessel_k(0, y) - std::cyl_bessel_i(1, y) * std::cyl_bessel_k(1, y);
    const double v2 = 2 * y * y * bessel;  // 4 pi Sigma_0 R_d y^2 (...), Sigma_0 = 1 / (2 pi) (Freeman 1970)
    // thickness weakens the field by about z_d / R; extrapolated to none, (z_d / R)^2 is left
    const double extrapolated = R * (2 * thin.inward(R, 0) - thick.inward(R, 0));
    EXPECT_NEAR(extrapolated / v2, 1, 5e-3) << R;
  }
}

TEST(DiscField, SolvesPoissonsEquation) {
  const Disc disc(exponential);
  const DiscField field(disc);
  for (const double R : {1.0, 2.5, 5.0}) {
    for (const double z : {0.05, 0.15, 0.4}) {
      const double step = 0.1, h = 0.025;
      const double radial =
          ((R + step) * field.inward(R + step, z) - (R - step) * field.inward(R - step, z)) / (2 * step * R);
      const double vertical = (field.down(R, z + h) - field.down(R, z - h)) / (2 * h);
      const double sech = 1 / std::cosh(z / 0.1);
      const double density = disc.surface_density(R) * sech * sech / 0.2;
      // differences over a quarter of the height: 2 % of the density in the plane
      EXPECT_NEAR(radial + vertical, 4 * pi * density, 0.03 * 4 * pi * disc.surface_density(R) / 0.2) << R << " " << z;
    }
  }
}

TEST(DiscField, SoftenedIsThatOfHigherPlanesOverAThinDisc) {
  // Plummer's softening of a sheet is a height: phi(R, z; eps) = phi(R, sqrt(z^2 + eps^2)); so is the pull inwards.
  const Disc thin({1.0, 1.0, 0.02, 6.0, 0.5});
  const DiscField sharp(thin), soft(thin, 0.08);
  for (const double R : {0.5, 2.0, 4.0}) {
    const double higher = std::hypot(0.1, 0.08);
    // thickness adds z_d^2 / w^2 of the difference that height makes; heights are 0.003 apart
    EXPECT_NEAR(soft.inward(R, 0.1) / sharp.inward(R, higher), 1, 0.01);
    EXPECT_NEAR(soft.down(R, 0.1) / (sharp.down(R, higher) * 0.1 / higher), 1, 0.02);
  }
}

/// Default galaxy without its disc: what the disc moves in.
struct Surroundings {
  RadialGrid grid{1e-4, 1000};
  Spheroid halo{{6.0, 2.5, 25.0, 1.0, 4.0}, grid};
  SphericalField field{grid, halo.densities(), 0.0, 0.0};
};

TEST(DiscMotion, HasTheQAskedForWhereItIsAskedFor) {
  const Disc disc(exponential);
  const DiscField field(disc);
  const Surroundings around;
  const DiscMotion motion(disc, field, around.field, 1.7, 2.5);
  EXPECT_NEAR(motion.toomre_q(2.5), 1.7, 1e-9);
  for (double R = 0.5; R < 5; R += 0.1) EXPECT_GT(motion.toomre_q(R), 1.6) << R;  // least near q_radius
  EXPECT_NEAR(motion.radial_dispersion(4) / motion.radial_dispersion(2), std::exp(-1.0), 1e-9);
}

TEST(DiscMotion, TurnsWithTheFieldOfAllParts) {
  const Disc disc(exponential);
  const DiscField field(disc);
  const Surroundings around;
  const DiscMotion cold(disc, field, around.field, 1e-3, 2.5), warm(disc, field, around.field, 1.5, 2.5);
  for (const double R : {0.5, 1.5, 4.0}) {
    const double v = std::sqrt(R * (field.inward(R, 0) + around.field.pull_at(R)));
    EXPECT_NEAR(cold.circular_velocity(R) / v, 1, 1e-3);  // interpolation of tables
    EXPECT_NEAR(cold.mean_rotation(R, 0) / v, 1, 1e-3);   // no pressure, no drift
    EXPECT_LT(warm.mean_rotation(R, 0), v);
    // kappa from the curve itself, by differences
    const double h = 0.05, outer = cold.circular_velocity(R + h), inner = cold.circular_velocity(R - h);
    const double slope = std::log(outer / inner) / std::log((R + h) / (R - h));
    EXPECT_NEAR(cold.epicyclic_frequency(R) / (std::sqrt(2 + 2 * slope) * v / R), 1, 5e-3);
  }
  // Jeans' radial equation at one place, put down again (Binney & Tremaine 2008 eq. 4.228)
  const double R = 3, sigma2 = std::pow(warm.radial_dispersion(R), 2), v2 = std::pow(warm.circular_velocity(R), 2);
  const double ratio = std::pow(warm.epicyclic_frequency(R) * R, 2) / (4 * v2);
  EXPECT_NEAR(std::pow(warm.mean_rotation(R, 0), 2), v2 + sigma2 * (1 - ratio - 2 * R), 2e-3 * v2);
  EXPECT_NEAR(std::pow(warm.azimuthal_dispersion(R), 2), sigma2 * ratio, 1e-3 * sigma2);
}

TEST(DiscMotion, VerticallyIsAnIsothermalSheetWhereThereIsNothingElse) {
  const Disc disc({1.0, 1.0, 0.03, 6.0, 0.5});
  const DiscField field(disc);
  const RadialGrid grid{1e-3, 1000};
  const SphericalField nothing(grid, std::vector<double>(grid.size()), 0.0, 0.0);
  const DiscMotion motion(disc, field, nothing, 1.5, 2.5);
  for (const double R : {1.0, 3.0}) {
    for (const double z : {0.0, 0.03, 0.09}) {
      const double expected = std::sqrt(pi * disc.surface_density(R) * 0.03);  // Spitzer 1942
      // a disc this thin is a sheet to z_d / R_d = 3 %; its field's radial part enters with the same size
      EXPECT_NEAR(motion.vertical_dispersion(R, z) / expected, 1, 0.04) << R << " " << z;
    }
  }
}

}  // namespace
}  // namespace hornbeam::ics
