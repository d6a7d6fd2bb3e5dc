// SPDX-License-Identifier: Apache-2.0
// External potentials: their formulas against closed forms and numerical gradients, and on every backend against these
// formulas; energies with them.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "support/devices.h"
#include "support/forces.h"
#define HB_PRECISION 2
#include "hornbeam/error.h"
#include "hornbeam/simulation.h"
#include "interactions/external/external_module.h"
#include "interactions/external/fields.h"

namespace hornbeam {
namespace {

ExternalPotential make(PotentialKind kind) {
  ExternalPotential p;
  p.kind = kind;
  p.mass = kind == PotentialKind::logarithmic ? 0 : 2.5;
  p.speed = kind == PotentialKind::logarithmic ? 1.3 : 0;
  p.scale = 0.7;
  p.height = kind == PotentialKind::miyamoto_nagai ? 0.2 : 0;
  p.flattening = kind == PotentialKind::logarithmic ? 0.8 : 1;
  return p;
}

constexpr PotentialKind all_kinds[] = {PotentialKind::point, PotentialKind::plummer,     PotentialKind::hernquist,
                                       PotentialKind::nfw,   PotentialKind::logarithmic, PotentialKind::miyamoto_nagai};

fp64::ExternalPull pull_of(const ExternalPotential& p, double x, double y, double z, double time = 0) {
  return fp64::external_pull(fp64::fields_in_units({{p}, time}, 1, 1, 1).front(), x, y, z);
}

TEST(External, LogarithmIsTheLibrarys) {
  for (double x = 1e-6; x < 1e9; x *= 1.37) {
    // a dozen roundings, and one of the argument's
    EXPECT_NEAR(fp64::hb_log(x), std::log(x), 1e-15 * (1 + std::abs(std::log(x)))) << x;
    EXPECT_NEAR(fp64::hb_log1p(x), std::log1p(x), 2e-15 * std::log1p(x)) << x;
  }
  EXPECT_TRUE(std::isfinite(fp64::hb_log(0)));
}

TEST(External, AccelerationIsMinusTheGradient) {
  for (const PotentialKind kind : all_kinds) {
    const ExternalPotential p = make(kind);
    for (const double size : {0.03, 0.5, 4.0, 100.0}) {
      const double x[3] = {0.6 * size, -0.35 * size, 0.8 * size}, h = 1e-4 * size;
      const fp64::ExternalPull here = pull_of(p, x[0], x[1], x[2]);
      const double a[3] = {here.x, here.y, here.z}, length = std::hypot(a[0], a[1], a[2]);
      for (int k = 0; k < 3; ++k) {
        double low[3] = {x[0], x[1], x[2]}, high[3] = {x[0], x[1], x[2]};
        low[k] -= h, high[k] += h;
        const double slope =
            (pull_of(p, high[0], high[1], high[2]).potential - pull_of(p, low[0], low[1], low[2]).potential) / (2 * h);
        // differences of second order, (1e-4)^2, and rounding of the potential over 2 h
        const double rounding = 1e-15 * std::abs(here.potential) / h;
        EXPECT_NEAR(a[k], -slope, 1e-7 * length + 4 * rounding) << name(kind) << " " << size << " " << k;
      }
    }
  }
}

TEST(External, ClosedFormsAtChosenPoints) {
  const double r = 1.7;
  const auto inward = [&](PotentialKind kind) { return -pull_of(make(kind), r, 0, 0).x; };
  const double M = 2.5, a = 0.7;
  EXPECT_NEAR(inward(PotentialKind::plummer), M * r / std::pow(r * r + a * a, 1.5), 1e-14);
  EXPECT_NEAR(inward(PotentialKind::point), M * r / std::pow(r * r + a * a, 1.5), 1e-14);
  EXPECT_NEAR(inward(PotentialKind::hernquist), M / ((r + a) * (r + a)), 1e-14);
  EXPECT_NEAR(inward(PotentialKind::nfw), M * (std::log(1 + r / a) - r / (r + a)) / (r * r), 1e-14);
  EXPECT_NEAR(inward(PotentialKind::logarithmic), 1.3 * 1.3 * r / (a * a + r * r), 1e-14);
  EXPECT_NEAR(inward(PotentialKind::miyamoto_nagai), M * r / std::pow(r * r + 0.9 * 0.9, 1.5), 1e-14);
  // the centre, where nothing attracts, and the potential there
  for (const PotentialKind kind : all_kinds) {
    const fp64::ExternalPull centre = pull_of(make(kind), 0, 0, 0);
    EXPECT_EQ(std::hypot(centre.x, centre.y, centre.z), 0) << name(kind);
    EXPECT_TRUE(std::isfinite(centre.potential)) << name(kind);
  }
  EXPECT_NEAR(pull_of(make(PotentialKind::nfw), 0, 0, 0).potential, -M / a, 1e-14);
  EXPECT_NEAR(pull_of(make(PotentialKind::nfw), 1e-9, 0, 0).potential, -M / a, 1e-8);  // continuous
  EXPECT_NEAR(fp64::nfw_mass(0.00999) / fp64::nfw_mass(0.01001), std::pow(0.999 / 1.001, 2), 1e-4);
}

/// The same formulas in long double, whose exponents reach 1e4932: x, y, z, potential.
std::array<long double, 4> exact_pull(const ExternalPotential& p, const Vec3& at) {
  const long double x = at[0], y = at[1], z = at[2], a = p.scale, M = p.mass,
                    v2 = p.speed * static_cast<long double>(p.speed);
  const long double r = std::sqrt(x * x + y * y + z * z), u = a > 0 ? r / a : 0;
  if (p.kind == PotentialKind::logarithmic) {
    const long double q2 = p.flattening * static_cast<long double>(p.flattening),
                      m2 = a * a + x * x + y * y + z * z / q2;
    return {-v2 * x / m2, -v2 * y / m2, -v2 * z / q2 / m2, v2 / 2 * std::log(m2)};
  }
  if (p.kind == PotentialKind::miyamoto_nagai) {
    const long double h = std::sqrt(z * z + static_cast<long double>(p.height) * p.height),
                      d = std::hypot(std::hypot(x, y), a + h);
    return {-M * x / d / d / d, -M * y / d / d / d, -M * (a + h) * (z / h) / d / d / d, -M / d};
  }
  long double size = 0, potential = 0;
  if (p.kind == PotentialKind::hernquist) {
    size = M / (r + a) / (r + a), potential = -M / (r + a);
  } else if (p.kind == PotentialKind::nfw) {
    const long double mass = u < 1e-6L ? u * u * (0.5L - u * (2 / 3.0L - u * 0.75L)) : std::log1p(u) - u / (1 + u);
    size = M * mass / r / r, potential = -M * std::log1p(u) / r;
  } else {
    const long double d = std::hypot(r, a);
    size = M * r / d / d / d, potential = -M / d;
  }
  return {-size * x / r, -size * y / r, -size * z / r, potential};
}

TEST(External, LengthsOfAnySize) {
  for (const PotentialKind kind : all_kinds) {
    const bool sharp = kind != PotentialKind::plummer && kind != PotentialKind::hernquist && kind != PotentialKind::nfw;
    for (const double r : {1e-307, 1e-250, 1e-170, 1e-155, 1e-140, 1e-110, 1e-60, 1.0, 1e60, 1e110, 1e155, 1e250}) {
      for (const double scale : {0.0, 0.5 * r, 1e-200, 1.0, 1e200}) {
        for (const double mass : {1e-100, 1e-30, 1.0, 1e100}) {
          if (scale == 0 && !sharp) continue;
          ExternalPotential p = make(kind);
          p.scale = scale, p.height = kind == PotentialKind::miyamoto_nagai ? scale / 3 : 0;
          if (kind == PotentialKind::logarithmic) {
            p.speed = std::sqrt(mass);
          } else {
            p.mass = mass;
          }
          const Vec3 at = {3.0 / 13 * r, -4.0 / 13 * r, 12.0 / 13 * r};
          const fp64::ExternalPull pull = pull_of(p, at[0], at[1], at[2]);
          const std::array<long double, 4> exact = exact_pull(p, at);
          const std::array found{pull.x, pull.y, pull.z, pull.potential};
          for (std::size_t k = 0; k < 4; ++k) {
            const long double size = std::abs(exact[k]);
            const double share = static_cast<double>(found[k] / exact[k]);  // some roundings; what a series leaves out
            if (size > 1e-280L && size < 1e300L) {
              EXPECT_NEAR(share, 1, 1e-11)
                  << name(kind) << " r " << r << " scale " << scale << " mass " << mass << " " << k;
            }
            if (size > 1.8e308L) {
              EXPECT_FALSE(std::isfinite(found[k])) << name(kind) << " r " << r << " scale " << scale;
            }
          }
        }
      }
    }
  }
}

/// Next to a point where r^2 is below the range of numbers: the right pull, or an error.
TEST(External, PullOfAPointNextToItOnEveryBackend) {
  SimulationOptions o;
  o.gravity.precision = Precision::fp64, o.dt = 1e-200;
  o.potentials.resize(1);
  o.potentials[0].kind = PotentialKind::point, o.potentials[0].mass = 1e-120;
  for (const std::string& backend : every_backend()) {
    o.backend = backend;
    for (const double r : {1e-150, 1e-153, 1e-160, 1e-200, 1e-300}) {
      Snapshot s;
      s.particles = at_rest({{1, 0, 0}, {0, r, 0}}, {0, 0});
      try {
        Simulation simulation(s, o);
        const Particles found = simulation.snapshot().particles;
        EXPECT_NEAR(found.acceleration[1][1] / (-1e-120 / r / r), 1, 1e-12) << backend << " " << r;
        EXPECT_NEAR(found.potential[1] / (-1e-120 / r), 1, 1e-12) << backend << " " << r;
      } catch (const NotFinite&) {  // in the units in which kernels compute
        EXPECT_LT(r, 1e-152) << backend;
      }
    }
  }
}

TEST(External, MovesOnALine) {
  ExternalPotential p = make(PotentialKind::hernquist);
  p.centre = {1, 2, 3}, p.velocity = {0.5, 0, -1};
  const fp64::ExternalPull there = pull_of(p, 2 + 0.3, 2, 1 + 0.4, 2.0), here = pull_of(make(p.kind), 0.3, 0, 0.4);
  EXPECT_NEAR(there.x, here.x, 1e-14);
  EXPECT_NEAR(there.potential, here.potential, 1e-14);
}

TEST(External, EveryBackendAddsTheFormula) {
  Particles p = drawn("plummer", 700);
  for (double& m : p.mass) m = 0;  // tracers: nothing but the potentials pulls them
  std::vector<ExternalPotential> fields;
  for (const PotentialKind kind : all_kinds) fields.push_back(make(kind));
  for (const std::string& backend : every_backend()) {
    for (const Walk walk : {Walk::group, Walk::stackless, Walk::direct}) {
      GravityOptions o = by_angles();
      o.eps = 0.01, o.walk = walk, o.precision = Precision::fp64;
      ParticleSystem device = open_system(backend, 0, 0);
      device.set_modules({external_maker(fields)});
      device.load(p, o);
      device.build_tree();
      device.evaluate();
      device.domain().store(p);
      for (std::size_t i = 0; i < p.size(); ++i) {
        double a[4] = {};
        for (const ExternalPotential& f : fields) {
          const fp64::ExternalPull pull = pull_of(f, p.position[i][0], p.position[i][1], p.position[i][2]);
          a[0] += pull.x, a[1] += pull.y, a[2] += pull.z, a[3] += pull.potential;
        }
        for (int k = 0; k < 3; ++k) ASSERT_NEAR(p.acceleration[i][k], a[k], 1e-13 * 10) << backend << " " << i;
        ASSERT_NEAR(p.potential[i], a[3], 1e-13 * 10) << backend << " " << i;
      }
    }
  }
}

/// Particles of a galaxy and tracers in a halo: the total energy counts the halo once and each pair once.
TEST(External, EnergyIsConservedInAPotentialAtRest) {
  for (const std::string& backend : every_backend()) {
    for (const Steps steps : {Steps::shared, Steps::block}) {
      SimulationOptions o;
      o.backend = backend, o.steps = steps, o.dt = steps == Steps::block ? 1.0 / 32 : 1.0 / 128, o.eta = 0.1;
      o.gravity.eps = 0.05;
      o.potentials = {make(PotentialKind::nfw), make(PotentialKind::miyamoto_nagai)};
      Simulation simulation(ics::make("plummer", 200, ics::Seed{4}), o);
      const Energies before = simulation.energies();
      simulation.run(0.5);
      const Energies after = simulation.energies();
      // they fall together: energies change by tenths, their sum by the square of the step over the time of an orbit
      EXPECT_GT(std::abs(after.kinetic - before.kinetic), 0.1);
      EXPECT_NEAR(after.total() / before.total(), 1, 2e-4) << backend << " " << name(steps);
    }
  }
}

TEST(External, CircularOrbitOfATracer) {
  SimulationOptions o;
  o.backend = "cpu", o.gravity.precision = Precision::fp64;
  o.potentials = {make(PotentialKind::logarithmic)};
  o.potentials[0].scale = 0;
  Snapshot s;
  s.particles.resize(1);
  s.particles.position = {{2, 0, 0}};
  s.particles.velocity = {{0, 1.3, 0}};
  const double period = 2 * std::numbers::pi * 2 / 1.3;
  o.dt = period / 500;
  Simulation simulation(s, o);
  for (int i = 0; i < 500; ++i) simulation.step();
  // leapfrog's phase: (2 pi / 500)^2 / 24 of a period
  EXPECT_NEAR(simulation.snapshot().particles.position[0][0], 2, 1e-3);
  EXPECT_NEAR(simulation.snapshot().particles.position[0][1], 0, 5e-3);
}

TEST(External, BlackHoleOfItsOwnSoftening) {
  // a light particle around a black hole of small eps among the rest of large eps: pairs take the mean of the squares
  Particles p = at_rest({{0, 0, 0}, {0.1, 0, 0}, {50, 0, 0}}, {1, 0, 1e-9});
  p.eps = {0.01, 0.03, 0.5};
  GravityOptions o;
  o.precision = Precision::fp64;
  const double eps2 = (0.01 * 0.01 + 0.03 * 0.03) / 2;
  EXPECT_NEAR(-evaluate(p, o).field[1][0], 0.1 / std::pow(0.01 + eps2, 1.5), 1e-9);
}

TEST(External, RefusesWhatCannotBe) {
  ExternalPotential p = make(PotentialKind::nfw);
  p.scale = 0;
  EXPECT_THROW(p.validate("potential"), UsageError);
  p = make(PotentialKind::plummer), p.mass = -1;
  EXPECT_THROW(p.validate("potential"), UsageError);
  p = make(PotentialKind::logarithmic), p.flattening = 0;
  EXPECT_THROW(p.validate("potential"), UsageError);
  for (const PotentialKind kind : all_kinds) EXPECT_NO_THROW(make(kind).validate("potential"));
}

}  // namespace
}  // namespace hornbeam
