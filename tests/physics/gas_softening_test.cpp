// SPDX-License-Identifier: Apache-2.0
// Gas that is softened by its H in motion: energy of a collapse, a star in balance, block steps, bits, refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hornbeam/analysis.h"
#include "hornbeam/error.h"
#include "hornbeam/ics.h"
#include "hornbeam/simulation.h"

namespace hornbeam {
namespace {

SimulationOptions softened_options() {
  SimulationOptions o;
  o.backend = "cpu";
  o.threads = 1;
  o.dt = 1;
  o.gas.eos = EquationOfState::ideal;
  o.gas.softening = GasSoftening::adaptive;
  o.gravity.softening = Softening::spline;
  o.gravity.eps = 1e-3;
  return o;
}

/// Relative change of the energy until `end`.
double energy_changed(const SimulationOptions& o, const Snapshot& start, double end) {
  Simulation s(start, o);
  const double energy = s.energies().total();
  while (s.time() < end) s.step();
  return std::abs(s.energies().total() / energy - 1);
}

/// As with fixed softening (Gas.EvrardsCollapseKeepsEnergy); with the zeta terms left out it is 70 times that
/// (docs/gas.md). What is read from a file has the energy that the run has had.
TEST(GasSoftening, EvrardsCollapseKeepsEnergy) {
  const SimulationOptions o = softened_options();
  Simulation s(ics::make("evrard", 1802, ics::Seed{1}), o);
  const Energies start = s.energies();
  while (s.time() < 1.3) s.step();
  const Energies end = s.energies();
  EXPECT_LT(std::abs(end.total() / start.total() - 1), 1e-3);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_LT(std::abs(end.momentum[k]), 2e-3);  // of multipoles; K is 0.3
  GasOptions gas;
  gas.softening = GasSoftening::adaptive;
  const Energies read = analysis::energies(s.snapshot(), -1, 1, {}, Softening::spline, true, gas);
  EXPECT_NEAR(read.potential / end.potential, 1, 1e-4);
  EXPECT_GT(std::abs(analysis::energies(s.snapshot(), -1, 1, {}, Softening::spline).potential / end.potential - 1),
            1e-3);  // by the least softening it would be another
}

/// A star of gas, which pressure bears against its own acceleration, for four times (R^3 / G M)^1/2.
TEST(GasSoftening, StarsStayInBalance) {
  SimulationOptions o = softened_options();
  Simulation s(ics::make("polytrope", 1500, ics::Seed{1}), o);
  const auto half_mass = [&] { return analysis::lagrangian_radii(s.snapshot().particles, {0.5}).front(); };
  const double radius = half_mass(), energy = s.energies().total();
  double least = radius, most = radius;
  while (s.time() < 4) {
    for (int k = 0; k < 20; ++k) s.step();
    least = std::min(least, half_mass());
    most = std::max(most, half_mass());
  }
  EXPECT_GT(least, 0.96 * radius);
  EXPECT_LT(most, 1.08 * radius);  // as with any softening: the model is in balance where there are more particles
  EXPECT_LT(std::abs(s.energies().total() / energy - 1), 5e-4);
}

/// Gas in a halo of stars: momentum to rounding where nothing is summed by multipoles.
TEST(GasSoftening, GasAndStarsKeepMomentumAndEnergy) {
  SimulationOptions o = softened_options();
  o.gravity.theta = 0;
  o.gravity.precision = Precision::fp64;
  o.gravity.eps = 0.02;
  o.dt = 0.01;
  Snapshot start = ics::make("evrard", 600, ics::Seed{1});
  for (std::size_t i = 0; i < start.particles.size(); i += 3) {
    start.particles.family[i] = Family::star;
    start.particles.internal_energy[i] = 0;
  }
  Simulation s(start, o);
  const Energies first = s.energies();
  while (s.time() < 0.6) s.step();
  const Energies last = s.energies();
  EXPECT_LT(std::abs(last.total() / first.total() - 1), 2e-3);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(last.momentum[k], first.momentum[k], 1e-14);
}

/// The softening of gas that is not due is that of its last step.
TEST(GasSoftening, BlockStepsKeepEnergyAndBits) {
  SimulationOptions o = softened_options();
  o.steps = Steps::block;
  o.dt = 0.05;
  o.gas.courant = 0.15;
  const Snapshot start = ics::make("evrard", 600, ics::Seed{1});
  SimulationOptions fixed = o;
  fixed.gas.softening = GasSoftening::fixed;
  fixed.gravity.softening = Softening::plummer;
  fixed.gravity.eps = 0.03;
  EXPECT_LT(energy_changed(o, start, 0.95), 1.5 * energy_changed(fixed, start, 0.95) + 1e-3);
  Simulation whole(start, o);
  for (int k = 0; k < 15; ++k) whole.step();
  EXPECT_GT(whole.block_report().rungs.size(), 2u);
  SimulationOptions again = o;
  again.resumed = true;
  Simulation second(whole.checkpoint(), again);
  for (int k = 0; k < 2; ++k) {
    whole.step();
    second.step();
  }
  const Snapshot a = whole.snapshot(), b = second.snapshot();
  EXPECT_EQ(a.particles.position, b.particles.position);
  EXPECT_EQ(a.particles.velocity, b.particles.velocity);
  EXPECT_EQ(a.particles.potential, b.particles.potential);
  Snapshot without = whole.checkpoint();
  without.particles.softening_zeta.clear();
  EXPECT_THROW(Simulation(without, again), UsageError);
}

TEST(GasSoftening, RefusesWhatItCannotDo) {
  const Snapshot start = ics::make("evrard", 200, ics::Seed{1});
  SimulationOptions o = softened_options();
  EXPECT_NO_THROW(Simulation(start, o));
  o.self_gravity = false;
  EXPECT_THROW(Simulation(start, o), UsageError);
  o = softened_options();
  o.gravity.softening = Softening::plummer;
  EXPECT_THROW(Simulation(start, o), UsageError);
  o = softened_options();
  o.gravity.eps = 0;
  EXPECT_THROW(Simulation(start, o), UsageError);
}

}  // namespace
}  // namespace hornbeam
