// SPDX-License-Identifier: Apache-2.0
// Materials against their formulas: Tillotson's equation written out once more, sound as the derivative along an
// adiabat, densities found from pressures, adiabats, pieces of polytropes, and what is refused.
#include "hornbeam/materials.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hornbeam/error.h"

namespace hornbeam {
namespace {

Units si() { return units_from("si", "test"); }

/// Melosh 1989, app. II, of granite, SI.
double granite_pressure(double rho, double u) {
  const double rho0 = 2680, a = 0.5, b = 1.3, A = 1.8e10, B = 1.8e10, u0 = 1.6e7, u_iv = 3.5e6, u_cv = 1.8e7;
  const double eta = rho / rho0, mu = eta - 1, nu = 1 / eta - 1, omega = u / (u0 * eta * eta) + 1;
  const double cold = (a + b / omega) * rho * u + A * mu + B * mu * mu;
  const double hot = a * rho * u + (b * rho * u / omega + A * mu * std::exp(-5 * nu)) * std::exp(-5 * nu * nu);
  const double p = eta >= 1 || u < u_iv ? cold
                   : u > u_cv           ? hot
                                        : ((u - u_iv) * hot + (u_cv - u) * cold) / (u_cv - u_iv);
  return std::max(p, 0.0);
}

TEST(Materials, GraniteFollowsTillotsonsEquation) {
  const Material granite = open_material("granite", si());
  EXPECT_EQ(granite.id(), 101);
  EXPECT_DOUBLE_EQ(granite.reference_density(), 2680);
  int pressed = 0;
  for (const double rho : {1.0, 100.0, 900.0, 1800.0, 2500.0, 2680.0, 2900.0, 5000.0, 12000.0}) {
    for (const double u : {0.0, 1e5, 3e6, 5e6, 1.2e7, 2e7, 8e7, 1e9}) {
      const double expected = granite_pressure(rho, u);
      EXPECT_NEAR(granite.pressure(rho, u), expected, 1e-12 * (1.8e10 + expected)) << rho << " " << u;
      pressed += expected > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(pressed, 40);
  EXPECT_EQ(granite.pressure(2500, 1e5), 0);  // what would hold together against a acceleration does not
}

/// c^2 = dP / d rho along du = P d rho / rho^2, by central differences. 1e-6: their error, of far from any branch.
TEST(Materials, SoundIsTheSlopeOfAnAdiabat) {
  for (const KnownMaterial& known : known_materials()) {
    const Material m = open_material(std::string(known.name), si());
    int exact = 0;
    for (const double eta : {0.02, 0.2, 0.6, 0.89, 0.95, 1.02, 1.4, 3.0}) {
      for (const double u : {2e5, 2.9e6, 7e6, 3e7, 4e8}) {
        const double rho = eta * known.density, d = 1e-5 * rho, P = m.pressure(rho, u);
        const double c2 = std::pow(m.sound_speed(rho, u), 2);
        EXPECT_GT(c2, 0) << known.name << eta << " " << u;
        EXPECT_TRUE(std::isfinite(c2));
        if (P == 0) continue;
        const auto along = [&](double to) { return m.pressure(to, u + P / (rho * rho) * (to - rho)); };
        const double slope = (along(rho + d) - along(rho - d)) / (2 * d);
        const double least = 1e-4 * std::pow(m.sound_speed(known.density, 0), 2);
        if (slope < least) continue;
        EXPECT_NEAR(c2 / slope, 1, 1e-6) << known.name << " eta " << eta << " u " << u;
        ++exact;
      }
    }
    EXPECT_GT(exact, 15) << known.name;
  }
}

TEST(Materials, PressureIsContinuousBetweenBranches) {
  for (const KnownMaterial& known : known_materials()) {
    const Material m = open_material(std::string(known.name), si());
    const auto near = [&](double rho_a, double u_a, double rho_b, double u_b) {
      const double a = m.pressure(rho_a, u_a), b = m.pressure(rho_b, u_b);
      EXPECT_NEAR(a, b, 1e-5 * (std::abs(a) + 1e9)) << known.name;
    };
    for (double u = 1e5; u < 1e8; u *= 1.7) near(known.density * (1 - 1e-9), u, known.density * (1 + 1e-9), u);
    for (const double u : {3.5e6, 1.8e7, 2.4e6, 8.67e6, 4.19e5, 2.69e6}) {
      for (const double eta : {0.3, 0.8, 0.9, 0.99}) {
        near(eta * known.density, u * (1 - 1e-9), eta * known.density, u * (1 + 1e-9));
      }
    }
  }
}

/// What falls apart in vacuum stays defined.
TEST(Materials, ThinMatterIsDefined) {
  for (const KnownMaterial& known : known_materials()) {
    const Material m = open_material(std::string(known.name), si());
    for (const double rho : {1e-30, 1e-10, 1e-3}) {
      for (const double u : {0.0, 1e3, 5e6, 1e10}) {
        const MaterialState s = m.state(rho, u);
        EXPECT_TRUE(std::isfinite(s.pressure) && s.pressure >= 0 && std::isfinite(s.sound) && s.sound > 0);
        EXPECT_TRUE(std::isfinite(s.temperature) && s.temperature >= 0);
      }
    }
    EXPECT_NEAR(m.pressure(1e-3, 1e9) / (1e-3 * 1e9), known.id == 102 ? 0.7 : known.id == 104 ? 0.3 : 0.5, 1e-9);
  }
}

TEST(Materials, UnitsDoNotChangeTheMatter) {
  const Units earth = physical_units(6.371e8, 5.9724e27, 1e5);  // R, M, km/s
  const double density = 5.9724e27 / std::pow(6.371e8, 3) * 1000, energy = 1e6, pressure = density * energy;
  for (const char* name : {"iron", "water", "basalt"}) {
    const Material a = open_material(name, si()), b = open_material(name, earth);
    for (const double rho : {700.0, 3000.0, 9000.0}) {
      for (const double u : {1e5, 5e6, 3e7}) {
        const MaterialState in_si = a.state(rho, u), there = b.state(rho / density, u / energy);
        EXPECT_NEAR(there.pressure * pressure, in_si.pressure, 1e-9 * in_si.pressure);
        EXPECT_NEAR(there.sound * 1e3 / in_si.sound, 1, 1e-10);
        EXPECT_NEAR(there.temperature, in_si.temperature, 1e-6 * in_si.temperature + 1e-6);
      }
    }
  }
  EXPECT_THROW(open_material("iron", Units{}), UsageError);  // G = 1
}

TEST(Materials, DensitiesAreFoundFromPressures) {
  for (const char* name : {"iron", "granite", "water", "ideal"}) {
    const Material m = open_material(name, si());
    for (const double P : {1e6, 1e9, 3e11}) {
      const double cold = m.density_of(P, 2e5), warm = m.density_at(P, 1500);
      // 1e-7: of densities known to 1e-13, where P is a millionth of the stiffness
      EXPECT_NEAR(m.pressure(cold, 2e5) / P, 1, 1e-7) << name;
      EXPECT_NEAR(m.pressure(warm, m.energy_at(warm, 1500)) / P, 1, 1e-7) << name;
      EXPECT_NEAR(m.temperature(warm, m.energy_at(warm, 1500)), 1500, 1e-6) << name;
    }
    EXPECT_THROW(static_cast<void>(m.density_of(0, 1e5)), Error);
  }
}

TEST(Materials, AdiabatsKeepTheirEntropy) {
  // of an ideal gas P / rho^gamma
  const Material gas = open_material("ideal", si(), "test", 1.4);
  const Adiabat thin(gas, 2, 1e5, 1e9);
  for (const double P : {1e5, 3.3e6, 9e8}) {
    const Adiabat::Point point = thin.at(P);
    EXPECT_NEAR(point.density, 2 * std::pow(P / gas.pressure(2, 1e5), 1 / 1.4), 1e-8 * point.density);
    EXPECT_NEAR(gas.pressure(point.density, point.energy) / P, 1, 1e-8);
  }
  // of rock u and P are those of one state, and u grows by the work done
  const Material rock = open_material("basalt", si());
  const Adiabat dense(rock, 2700, 3e5, 4e11);
  for (const double P : {2e9, 5e10, 3.7e11}) {
    const Adiabat::Point a = dense.at(P * (1 - 1e-4)), b = dense.at(P * (1 + 1e-4)), m = dense.at(P);
    EXPECT_NEAR(rock.pressure(m.density, m.energy) / P, 1, 1e-7);
    EXPECT_NEAR((b.energy - a.energy) / (b.density - a.density) * m.density * m.density / P, 1, 1e-5);
  }
  EXPECT_EQ(dense.at(0).energy, 3e5);
}

/// Three pieces: P and u go on across them, and energies are the work done.
TEST(Materials, PiecesOfPolytropesGoOn) {
  GasOptions o;
  o.eos = EquationOfState::piecewise;
  o.constant = 0.7;
  o.gammas = {1, 1.4, 5.0 / 3};
  o.densities = {2, 30};
  EXPECT_NO_THROW(o.validate());
  const Materials all = open_materials(o, {});
  const Material& gas = all.all()[0];
  EXPECT_NEAR(gas.pressure(1, 0), 0.7, 1e-15);
  EXPECT_NEAR(gas.pressure(20, 0), 0.7 * std::pow(2, -0.4) * std::pow(20, 1.4), 1e-12);
  for (const double edge : o.densities) {
    EXPECT_NEAR(gas.pressure(edge * (1 + 1e-12), 0) / gas.pressure(edge * (1 - 1e-12), 0), 1, 1e-10);
    EXPECT_NEAR(gas.energy_at(edge * (1 + 1e-12), 0), gas.energy_at(edge * (1 - 1e-12), 0), 1e-10);
  }
  for (const double rho : {5.0, 70.0}) {
    const double d = 1e-5 * rho, work = (gas.energy_at(rho + d, 0) - gas.energy_at(rho - d, 0)) / (2 * d);
    EXPECT_NEAR(work * rho * rho / gas.pressure(rho, 0), 1, 1e-8);
    const double slope = (gas.pressure(rho + d, 0) - gas.pressure(rho - d, 0)) / (2 * d);
    EXPECT_NEAR(std::pow(gas.sound_speed(rho, 0), 2) / slope, 1, 1e-8);
  }
  o.densities = {30, 2};
  EXPECT_THROW(o.validate(), UsageError);
  o.densities = {2};
  EXPECT_THROW(o.validate(), UsageError);
}

TEST(Materials, AreKnownByNumberAndName) {
  EXPECT_EQ(material_name(100), "iron");
  EXPECT_EQ(material_name(400), "forsterite");
  EXPECT_EQ(material_name(977), "977");
  GasOptions o;
  o.eos = EquationOfState::tillotson;
  const Materials all = open_materials(o, si());
  EXPECT_EQ(all.all().size(), 6u);
  EXPECT_EQ(all.of(103).name(), "basalt");
  EXPECT_THROW(static_cast<void>(all.place_of(400)), UsageError);
  EXPECT_THROW(open_material("cheese", si()), UsageError);
  o.materials = {"iron", "iron"};
  EXPECT_THROW(open_materials(o, si()), UsageError);
}

}  // namespace
}  // namespace hornbeam
