// SPDX-License-Identifier: Apache-2.0
// Sums over all particles know the masses with the digits that they were given with, though walks in `mixed` take them
// in fp32.
#include <gtest/gtest.h>

#include "hornbeam/simulation.h"
#include "support/devices.h"

namespace hornbeam {
namespace {

Snapshot two_bodies() {
  Snapshot start;
  Particles& p = start.particles;
  p.resize(2);
  p.position = {{0, 0, 0}, {1, 0, 0}};
  p.velocity = {{-1, 0, 0}, {2, 0, 0}};
  p.mass.assign(2, 0.1);
  p.radius.assign(2, 1e-3);
  p.id = {0, 1};
  return start;
}

TEST(ExactMasses, KineticEnergyAndMomentum) {
  for (const std::string& backend : every_backend()) {
    for (const Precision precision : {Precision::mixed, Precision::fp64}) {
      for (const CollisionLaw law : {CollisionLaw::none, CollisionLaw::constant}) {
        SimulationOptions o;
        o.backend = backend;
        o.gravity.precision = precision;
        o.gravity.eps = 0.1;
        o.collisions.law = law;
        o.dt = 1e-3;
        const Energies e = Simulation(two_bodies(), o).energies();
        constexpr double rounding = 1e-15;
        EXPECT_NEAR(e.kinetic, 0.25, rounding) << backend << name(precision);
        EXPECT_NEAR(e.momentum[0], 0.1, rounding) << backend << name(precision);
      }
    }
  }
}

TEST(ExactMasses, AreThoseOfTheirParticlesAfterASort) {
  Snapshot start = two_bodies();
  Particles& p = start.particles;
  p.resize(1000);
  p.radius.clear();
  double kinetic = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double x = static_cast<double>((i * 619) % 1000);
    p.position[i] = {x, x * x, -x};
    p.velocity[i] = {0.1 + x, 0, 0};
    p.mass[i] = 1.0 / (3.0 + static_cast<double>(i));
    p.id[i] = i;
    kinetic += 0.5 * p.mass[i] * (0.1 + x) * (0.1 + x);
  }
  for (const std::string& backend : every_backend()) {
    SimulationOptions o;
    o.backend = backend;
    o.gravity.eps = 1;
    o.gravity.G = 1e-30;
    o.dt = 1e-3;
    Simulation simulation(start, o);
    simulation.step();
    EXPECT_NEAR(simulation.energies().kinetic / kinetic, 1, 1e-14) << backend;  // sums in another order
  }
}

}  // namespace
}  // namespace hornbeam
