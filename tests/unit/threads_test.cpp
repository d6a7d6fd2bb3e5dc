// SPDX-License-Identifier: Apache-2.0
// How many threads a loop takes, and that results know nothing of it.
#include "device/host/threads.h"

#include <gtest/gtest.h>

#include <omp.h>

#include "hornbeam/ics.h"
#include "hornbeam/simulation.h"

namespace hornbeam {
namespace {

TEST(Threads, SmallLoopsAreOneThreads) {
  for (const Work work : {Work::item, Work::walk}) {
    EXPECT_EQ(threads_for(64, 0, work), 1);
    EXPECT_EQ(threads_for(64, 543, work), 1);
    EXPECT_EQ(threads_for(1, 1 << 30, work), 1);
    EXPECT_EQ(threads_for(64, 1 << 30, work), 64);
  }
  EXPECT_EQ(threads_for(2, 1024, Work::walk), 2);
  EXPECT_EQ(threads_for(64, 4096, Work::walk), 32);
  EXPECT_EQ(threads_for(64, 16383, Work::item), 1);
}

Snapshot after(const Snapshot& start, SimulationOptions options, int threads, int steps) {
  options.backend = "cpu";
  options.threads = threads;
  Simulation s(start, options);
  for (int k = 0; k < steps; ++k) s.step();
  return s.snapshot();
}

/// On either side of the numbers from which loops are shared.
TEST(Threads, BitsDoNotDependOnTheirNumber) {
  SimulationOptions options;
  options.dt = 0.01;
  options.gravity.eps = 0.05;
  for (const std::size_t n : {543, 3000, 20000}) {
    const Snapshot start = ics::make("plummer", n, ics::Seed{1});
    const Snapshot one = after(start, options, 1, 2), several = after(start, options, 3, 2);
    EXPECT_EQ(one.particles.position, several.particles.position) << n;
    EXPECT_EQ(one.particles.velocity, several.particles.velocity) << n;
    EXPECT_EQ(one.particles.potential, several.particles.potential) << n;
  }
}

TEST(Threads, BitsOfGasDoNotDependOnTheirNumber) {
  SimulationOptions options;
  options.dt = 1;
  options.gas.eos = EquationOfState::ideal;
  options.self_gravity = false;
  options.boundary.kind = BoundaryKind::periodic;
  options.boundary.size = {2, 0.125, 0.125};
  const Snapshot start = ics::make("sod", 1152, ics::Seed{1});
  const Snapshot one = after(start, options, 1, 3), several = after(start, options, 3, 3);
  EXPECT_EQ(one.particles.position, several.particles.position);
  EXPECT_EQ(one.particles.internal_energy, several.particles.internal_energy);
  EXPECT_EQ(one.particles.density, several.particles.density);
}

}  // namespace
}  // namespace hornbeam
