// SPDX-License-Identifier: Apache-2.0
// Block steps of gas on every backend: a blast through two longest steps, with steps that are cut short.
#include <gtest/gtest.h>

#include <cmath>

#include "hornbeam/ics.h"
#include "hornbeam/simulation.h"
#include "support/devices.h"
#include "support/gas.h"

namespace hornbeam {
namespace {

Simulation blast_on(const std::string& backend, Precision precision) {
  SimulationOptions o;
  o.backend = backend;
  o.steps = Steps::block;
  o.dt = 0.1;
  o.gas.eos = EquationOfState::ideal;
  o.self_gravity = false;
  o.boundary.kind = BoundaryKind::periodic;
  o.boundary.size = {1, 1, 1};
  o.gravity.precision = precision;
  o.gravity.leaf_size = 16;  // the same tree, and so the same order of sums as near as it can be
  o.gravity.group_size = 32;
  Simulation s(ics::make("sedov", 1000, ics::Seed{1}), o);
  s.step();
  return s;
}

/// Sums are taken in another order, and a blast forgets nothing: 1e-9 in fp64, 1e-5 in mixed.
TEST(GasBlocks, AreTheSameOnEveryBackend) {
  for (const std::string& backend : device_backends()) {
    const Precision precision = finest_of_gas(backend);
    const double tolerance = by_precision(backend, 1e-9, 1e-5);
    const Simulation cpu = blast_on("cpu", precision), s = blast_on(backend, precision);
    const Particles expected = cpu.snapshot().particles;
    EXPECT_GT(cpu.block_report().woken, 0u);
    EXPECT_GT(cpu.block_report().rungs.size(), 3u);
    EXPECT_EQ(s.block_report().woken, cpu.block_report().woken) << backend;
    const Particles found = s.snapshot().particles;
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        ASSERT_NEAR(found.position[i][k], expected.position[i][k], tolerance) << backend;
      }
      ASSERT_NEAR(found.internal_energy[i], expected.internal_energy[i], tolerance * (1 + expected.internal_energy[i]))
          << backend;
    }
  }
}

}  // namespace
}  // namespace hornbeam
