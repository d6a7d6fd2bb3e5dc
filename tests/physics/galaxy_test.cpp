// SPDX-License-Identifier: Apache-2.0
// The real galaxy, disc, bulge and halo: initial energies and their conservation over ten time units.
#include <gtest/gtest.h>

#include <cmath>

#include "hornbeam/io.h"
#include "hornbeam/simulation.h"

namespace hornbeam {
namespace {

// direct summation in fp64, Plummer softening 0.05, no self term
constexpr double kinetic = 411.733, potential = -826.364, total = -414.631;

Simulation galaxy(double dt) {
  SimulationOptions o;
  o.gravity.theta = 0.75;
  o.gravity.eps = 0.05;
  o.dt = dt;
  return {read_snapshot(HORNBEAM_EXAMPLES "/data/model3_child_compact.tipsy"), o};
}

TEST(Galaxy, InitialEnergiesAreThoseOfDirectSummation) {
  const Energies e = galaxy(1.0 / 16).energies();
  EXPECT_NEAR(e.kinetic / kinetic, 1, 2e-4);  // promised: 0.02 %
  EXPECT_NEAR(e.potential / potential, 1, 2e-4);
  EXPECT_NEAR(e.total() / total, 1, 2e-4);
}

/// Largest |E - E0| / |E0| over ten time units.
double energy_error(double dt) {
  Simulation simulation = galaxy(dt);
  const double e0 = simulation.energies().total();
  double worst = 0;
  simulation.run(10, [&](const Simulation& s) {
    worst = std::max(worst, std::abs((s.energies().total() - e0) / e0));
    return true;
  });
  std::printf("  dt = 1/%g: largest energy error %.2e, at the end %.2e\n", 1 / dt, worst,
              (simulation.energies().total() - e0) / std::abs(e0));
  return worst;
}

TEST(GalaxyLong, EnergyIsConservedAtACoarseStep) {
  EXPECT_LE(energy_error(1.0 / 16), 5.5e-3);  // exact forces give 4.8e-3 at the end: the step's own error
}

TEST(GalaxyLong, EnergyIsConservedAtAFineStep) {
  EXPECT_LE(energy_error(1.0 / 64), 2.5e-4);  // exact forces give 1.1e-4
}

}  // namespace
}  // namespace hornbeam
