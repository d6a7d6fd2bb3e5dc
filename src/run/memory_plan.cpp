// SPDX-License-Identifier: Apache-2.0
// Needs of a run by purpose, see memory_plan.h. tests/cli/test_memory.py compares them with what the system counts.
#include "run/memory_plan.h"

#include "dynamics/boundary.h"
#include "run/writer.h"

namespace hornbeam::run {

Holding held_by_run(const SimulationOptions& options, bool own_eps) {
  return {.velocities = true,
          .own_eps = own_eps,
          .rungs = options.steps == Steps::block,
          .copy = options.steps == Steps::symmetrised,
          .images = images_of(options.boundary, 0).size() > 1,
          .bodies = options.collisions.law != CollisionLaw::none,
          .spins = options.collisions.change_spins(),
          .leaving = takes_out(options.boundary, options.collisions),
          .gas = options.gas.flows(),
          .materials = options.gas.has_materials(),
          .softened = options.gas.adapts(),
          .strained = options.gas.reconstructs()};
}

memory::Need run_need(const ParticleSystem& system, const RunConfig& config, bool own_eps) {
  const SimulationOptions& o = config.simulation;
  Holding holding = held_by_run(o, own_eps);
  holding.copy = o.steps != Steps::shared || o.gas.flows();  // of the beginning of a block step that may be given up
  memory::Need need = system.host_need(o.gravity, holding);
  // what arrays leave in the heap as they grow, some 35 bytes a particle up to N = 1e6 (docs/performance.md)
  need = need + memory::Need{{"gaps between arrays", 44}};
  if (config.output.snapshots || config.output.checkpoints) {
    need = need + memory::output_copy(o.steps == Steps::block, o.gas.flows()) + memory::writing();
  }
  return need;
}

memory::Need beside_need(const RunConfig& config) {
  constexpr double stack = 9e6;  // of the writer's thread, and its heap
  const SimulationOptions& o = config.simulation;
  memory::Need need{{"the writer's thread", 0, stack}};
  for (std::size_t copy = 1; copy < Writer::most_copies; ++copy) {
    need = need + memory::output_copy(o.steps == Steps::block, o.gas.flows());
  }
  return need;
}

}  // namespace hornbeam::run
