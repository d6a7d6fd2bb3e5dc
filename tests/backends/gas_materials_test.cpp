// SPDX-License-Identifier: Apache-2.0
// Gas of several materials on every backend: forces against all pairs, laws in tables, and what is refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "hornbeam/error.h"
#include "support/devices.h"
#include "support/gas.h"
#include "support/state_table.h"

namespace hornbeam {
namespace {

Units si() { return units_from("si", "test"); }

/// Rubble about as dense as rock in a metre, at some km/s, hot and cold, of the materials by turns.
Particles rubble(std::size_t n, const std::vector<double>& materials, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal;
  Particles p;
  p.resize(n);
  p.family.assign(n, Family::gas);
  p.internal_energy.resize(n);
  p.material.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) {
      p.position[i][k] = std::pow(uniform(random), 1.3) - 0.5;
      p.velocity[i][k] = 2000 * normal(random);
    }
    p.material[i] = materials[i % materials.size()];
    p.mass[i] = (0.7 + 0.6 * uniform(random)) * (p.material[i] == 100 ? 7800 : 2700) / static_cast<double>(n);
    p.internal_energy[i] = 3e7 * std::pow(uniform(random), 3);
  }
  return p;
}

GasOptions several(std::vector<std::string> materials) {
  GasOptions o;
  o.eos = EquationOfState::materials;
  o.materials = std::move(materials);
  o.gamma = 1.4;
  o.viscosity = Viscosity::fixed;
  o.tolerance = 1e-9;
  return o;
}

void expect_forces(const Particles& found, const PlainGas& plain, double tolerance, const std::string& what) {
  double pull = 0, rate = 0;
  for (const Vec3& a : plain.acceleration) pull = std::max(pull, std::hypot(a[0], a[1], a[2]));
  for (const double r : plain.rate) rate = std::max(rate, std::abs(r));
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found.density[i] / plain.density[i], 1, 1e-8 + tolerance) << what << " " << i;
    ASSERT_NEAR(found.internal_energy_rate[i], plain.rate[i], tolerance * rate) << what << " " << i;
    for (int k = 0; k < 3; ++k) {
      ASSERT_NEAR(found.acceleration[i][k], plain.acceleration[i][k], tolerance * pull) << what << " " << i;
    }
  }
}

class GasMaterials : public testing::Test {
 protected:
  GasMaterials() { std::ofstream(file_) << StateTable{}.planetary(); }
  ~GasMaterials() override { std::filesystem::remove(file_); }

  std::filesystem::path file_ =
      std::filesystem::temp_directory_path() /
      ("hornbeam_materials_" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) +
       std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".txt");
};

/// Tolerances as in gas_test.cpp; in `mixed` twice that: terms of heating differ by 1e3, and at the particle that is
/// heated most the rounding of the largest few is 0.9e-6 to 1.4e-6 of their sum, by the order in which they are added.
TEST_F(GasMaterials, FeelTheForcesOfAllPairs) {
  const GasOptions o = several({"iron", "granite", "ideal", "forsterite=" + file_.string(), "water"});
  const Materials materials = open_materials(o, si());
  const Particles p = rubble(500, {100, 101, 0, 400, 102}, 5);
  const PlainGas plain = plain_gas(p, o, {}, &materials);
  for (const std::string& backend : every_backend()) {
    expect_forces(gas_evaluated(backend, p, o, {}, finest_of_gas(backend), 0, false, si()), plain,
                  by_precision(backend, 2e-8, 2e-6), backend);
    expect_forces(gas_evaluated(backend, p, o, {}, Precision::mixed, 0, false, si()), plain, 2e-6, backend + " mixed");
  }
}

/// Of one material, which needs no numbers, and of pieces of a polytrope.
TEST_F(GasMaterials, OfOneKindNeedNoNumbers) {
  Particles p = rubble(300, {103}, 6);
  GasOptions o = several({"basalt"});
  const Materials materials = open_materials(o, si());
  const PlainGas plain = plain_gas(p, o, {}, &materials);
  p.material.clear();
  GasOptions pieces = several({});
  pieces.eos = EquationOfState::piecewise;
  pieces.constant = 1e6;
  pieces.gammas = {1, 1.6, 2};
  pieces.densities = {2000, 4000};
  const Material polytrope = open_materials(pieces, {}).all()[0];
  for (const std::string& backend : every_backend()) {
    expect_forces(gas_evaluated(backend, p, o, {}, finest_of_gas(backend), 0, false, si()), plain,
                  by_precision(backend, 2e-8, 2e-6), backend);
    const Particles found = gas_evaluated(backend, p, pieces, {});
    for (std::size_t i = 0; i < p.size(); ++i) {
      EXPECT_NEAR(found.internal_energy[i], polytrope.energy_at(found.density[i], 0),
                  by_precision(backend, 1e-9, 2e-6) * 1e8)
          << backend;
      EXPECT_GE(found.signal_speed[i],
                polytrope.sound_speed(found.density[i], 0) * (1 - by_precision(backend, 1e-12, 1e-6)))
          << backend;
    }
  }
}

/// Iron next to granite of the same pressure: no heat crosses, whatever the difference of energies; in one material it
/// does.
TEST_F(GasMaterials, ConductNoHeatToOthers) {
  GasOptions o = several({"iron", "granite", "basalt"});
  Particles p = rubble(400, {100}, 9);
  for (std::size_t i = 0; i < p.size(); ++i) {
    p.velocity[i] = {};
    p.internal_energy[i] = i % 2 == 0 ? 1e5 : 9e5;
  }
  const auto heating = [&](double conductivity, double other) {
    for (std::size_t i = 0; i < p.size(); ++i) p.material[i] = i % 2 == 0 ? 100 : other;
    o.conductivity = conductivity;
    return gas_evaluated("cpu", p, o, {}, Precision::fp64, 0, false, si()).internal_energy_rate;
  };
  EXPECT_NE(heating(1, 100), heating(0, 100));
  // 101 with 101 conducts where all of one kind have one energy: nothing
  EXPECT_EQ(heating(1, 101), heating(0, 101));
}

/// Among materials u is not bounded by 0, and a step may take that of a gas below it: it has no pressure then, and all
/// numbers stay finite.
TEST_F(GasMaterials, AreFiniteBelowEnergy0) {
  GasOptions o = several({"iron", "ideal"});
  Particles p = rubble(200, {100}, 9);
  for (std::size_t i = 0; i < p.size(); ++i) p.material[i] = i % 2 == 0 ? 100 : 0;
  const auto evaluated = [&](const std::string& backend, double energy) {
    for (std::size_t i = 1; i < p.size(); i += 2) p.internal_energy[i] = energy;
    return gas_evaluated(backend, p, o, {}, finest_of_gas(backend), 0, false, si());
  };
  o.conductivity = 0;
  for (const std::string& backend : every_backend()) {
    EXPECT_EQ(evaluated(backend, -1e5).acceleration, evaluated(backend, 0).acceleration) << backend;
    EXPECT_TRUE(std::isfinite(evaluated(backend, -1e5).acceleration[1][0])) << backend;
  }
}

TEST_F(GasMaterials, RefuseWhatHasNoLaw) {
  Particles p = rubble(20, {100, 101}, 1);
  const auto evaluated = [&](const GasOptions& o, const Units& units) {
    return gas_evaluated("cpu", p, o, {}, Precision::fp64, 1, false, units);
  };
  EXPECT_NO_THROW(evaluated(several({"iron", "granite"}), si()));
  EXPECT_THROW(evaluated(several({"iron", "water"}), si()), UsageError);       // 101 is not among them
  EXPECT_THROW(evaluated(several({"iron", "granite"}), Units{}), UsageError);  // G = 1
  p.material.clear();
  EXPECT_THROW(evaluated(several({"iron", "granite"}), si()), UsageError);
  EXPECT_NO_THROW(evaluated(several({"granite"}), si()));
  p.internal_energy.clear();
  EXPECT_THROW(evaluated(several({"granite"}), si()), UsageError);
}

}  // namespace
}  // namespace hornbeam
