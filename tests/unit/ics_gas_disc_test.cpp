// SPDX-License-Identifier: Apache-2.0
// A galaxy's disc of gas: its mass, columns in balance, rotation against pressure.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "hornbeam/error.h"
#include "hornbeam/ics.h"
#include "hornbeam/units.h"
#include "ics/galaxies/galaxy.h"

namespace hornbeam::ics {
namespace {

GalaxyShape gaseous(const std::map<std::string, std::string>& options) {
  return galaxy_shape(Settings({"galaxy", "", galaxy_options()}, options));
}

/// By itself, a layer of gas of one temperature is rho_0 sech^2(z / z_d), z_d = c^2 / (pi G Sigma) (Spitzer 1942).
TEST(GasDisc, AloneIsSpitzersSheet) {
  const Galaxy model(gaseous(
      {{"disc-mass", "0"}, {"bulge-mass", "0"}, {"halo-mass", "1e-9"}, {"gas-mass", "1"}, {"gas-sound-speed", "0.1"}}));
  constexpr double kept = 0.9826;  // by the cut
  const double sigma = std::exp(-1.0) / (2 * std::numbers::pi * kept), height = 0.01 / (std::numbers::pi * sigma);
  EXPECT_NEAR(model.gas()->height_of(1, 0.5 + 0.5 * std::tanh(1.0)), height, 0.02 * height);
  EXPECT_NEAR(model.gas()->height_of(1, 0.25), -height * std::atanh(0.5), 0.02 * height);
  EXPECT_NEAR(model.gas()->midplane_density(1), sigma / (2 * height), 0.02 * sigma / (2 * height));
}

/// v^2 = R d phi / dR + c^2 d ln rho / d ln R: cold gas turns with the circular velocity, warm gas slower.
TEST(GasDisc, TurnsAgainstItsPressure) {
  const Galaxy cold(gaseous({{"gas-mass", "0.1"}, {"gas-sound-speed", "0.01"}}));
  const Galaxy warm(gaseous({{"gas-mass", "0.1"}, {"gas-sound-speed", "0.2"}}));
  const double v = cold.disc_motion().circular_velocity(2);
  EXPECT_NEAR(cold.gas()->rotation(2), v, 0.005 * v);
  // rho_0 falls as Sigma / height, with a height that grows outwards: by some -R / R_d - 1/2 of its logarithm
  const double lag = warm.disc_motion().circular_velocity(2) - warm.gas()->rotation(2);
  EXPECT_NEAR(lag, 0.04 * 2.7 / (2 * v), 0.3 * lag);
}

TEST(GasDisc, IsRefusedWhereItWouldNotTurn) {
  EXPECT_NO_THROW(Galaxy(gaseous({{"gas-mass", "0.1"}, {"gas-sound-speed", "0.5"}})));
  EXPECT_THROW(Galaxy(gaseous({{"gas-mass", "0.1"}, {"gas-sound-speed", "2"}})), UsageError);
}

TEST(GasDisc, IsDrawnBesideTheStars) {
  const Snapshot s = make("galaxy", 4000, Seed{1}, {{"gas-mass", "0.25"}, {"gas-number", "1000"}});
  const Particles& p = s.particles;
  double mass = 0, up = 0;
  std::size_t n = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p.family[i] != Family::gas) {
      EXPECT_EQ(p.internal_energy[i], 0);
      continue;
    }
    ++n;
    mass += p.mass[i];
    up += p.position[i][2];
    EXPECT_GT(p.internal_energy[i], 0);
    EXPECT_GT(p.position[i][0] * p.velocity[i][1] - p.position[i][1] * p.velocity[i][0], 0);
  }
  EXPECT_EQ(n, 1000U);
  EXPECT_NEAR(mass, 0.25, 1e-12);
  EXPECT_LT(std::abs(up), 1e-9);
  EXPECT_TRUE(make("galaxy", 100, Seed{1}, {{"disc-mass", "0"}}).particles.internal_energy.empty());
}

TEST(GasDisc, TakesATemperature) {
  const std::map<std::string, std::string> options = {
      {"gas-mass", "0.1"}, {"gas-scale", "3"}, {"disc-scale", "3"}, {"gas-temperature", "10000"}};
  const Snapshot s = make("galaxy", 500, Seed{1}, options, {}, Units::galactic());
  const Particles& p = s.particles;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p.family[i] != Family::gas) continue;
    EXPECT_NEAR(p.internal_energy[i], 1.5 * 137.6, 1);  // k 10^4 K / (0.6 m_p) = (11.73 km/s)^2
    break;
  }
  EXPECT_THROW(make("galaxy", 500, Seed{1}, options), UsageError);
}

}  // namespace
}  // namespace hornbeam::ics
