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

Simulation blast_on(const std::string& backend) {
  SimulationOptions o;
  o.backend = backend;
  o.steps = Steps::block;
  o.dt = 0.1;
  o.gas.eos = EquationOfState::ideal;
  o.self_gravity = false;
  o.boundary.kind = BoundaryKind::periodic;
  o.boundary.size = {1, 1, 1};
  o.gravity.precision = Precision::fp64;
  o.gravity.leaf_size = 16;  // the same tree, and so the same order of sums as near as it can be
  o.gravity.group_size = 32;
  Simulation s(ics::make("sedov", 1000, ics::Seed{1}), o);
  s.step();
  return s;
}

/// 1e-9: sums are taken in another order, and a blast forgets nothing.
TEST(GasBlocks, AreTheSameOnEveryBackend) {
  const Simulation cpu = blast_on("cpu");
  const Particles expected = cpu.snapshot().particles;
  EXPECT_GT(cpu.block_report().woken, 0u);
  EXPECT_GT(cpu.block_report().rungs.size(), 3u);
  for (const std::string& backend : every_backend()) {
    const Simulation s = blast_on(backend);
    EXPECT_EQ(s.block_report().woken, cpu.block_report().woken) << backend;
    const Particles found = s.snapshot().particles;
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) ASSERT_NEAR(found.position[i][k], expected.position[i][k], 1e-9) << backend;
      ASSERT_NEAR(found.internal_energy[i], expected.internal_energy[i], 1e-9 * (1 + expected.internal_energy[i]))
          << backend;
    }
  }
}

}  // namespace
}  // namespace hornbeam
