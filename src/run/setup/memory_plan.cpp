// SPDX-License-Identifier: Apache-2.0
// Needs of a run by purpose, see memory_plan.h. tests/cli/test_memory.py compares them with what the system counts.
#include "run/setup/memory_plan.h"

#include "analysis/groups/groups_need.h"
#include "interactions/modules.h"
#include "memory/room.h"
#include "run/folder/writer.h"
#include "run/records/groups_beside.h"

namespace hornbeam::run {

Holding held_by_run(const SimulationOptions& options, bool own_eps) {
  Holding holding = holding_of(options, own_eps);
  holding.copy = options.steps == Steps::symmetrised;
  return holding;
}

namespace {

/// Of what is made of the particles next to their steps, and not by way of the writer.
memory::Need measures_need(const RunConfig& config, std::uint64_t n, const memory::Acting& acting) {
  const SimulationOptions& o = config.simulation;
  memory::Need need;
  if (takes_out(o)) {
    need = need + memory::Need{{"those that are left", memory::output_copy(acting).each()}};
  }
  if (config.output.ring_every) need = need + memory::Need{{"bodies in cells", 7 * sizeof(double)}};
  if (config.output.groups_every) {
    const memory::Need chosen = config.output.groups_types.empty() ? memory::Need{} : memory::output_copy(acting);
    need = need + chosen + analysis::groups_need(n, options_of_groups(config.output));
  }
  return need;
}

}  // namespace

memory::Need run_need(const ParticleSystem& system, const RunConfig& config, std::uint64_t n, bool own_eps) {
  const SimulationOptions& o = config.simulation;
  const memory::Acting acting = acting_in(o);
  Holding holding = held_by_run(o, own_eps);
  holding.copy = o.steps != Steps::shared || o.gas.flows();  // of the beginning of a block step that may be given up
  memory::Need need = memory::state(acting) + system.host_need(o.gravity, holding, makers_of(o));
  // what arrays leave in the heap as they grow, some 35 bytes a particle up to N = 1e6 (docs/performance.md)
  need = need + memory::Need{{"gaps between arrays", 44}};
  const bool writes = config.output.snapshots || config.output.checkpoints;
  if (writes || config.output.ring_every) need = need + memory::output_copy(acting);
  if (writes) need = need + memory::writing();
  return need + measures_need(config, n, acting);
}

memory::Need beside_need(const RunConfig& config) {
  constexpr double heap = 1e6;
  memory::Need need{{"the writer's thread", 0, heap, memory::stack_bytes()}};
  for (std::size_t copy = 1; copy < Writer::most_copies; ++copy) {
    need = need + memory::output_copy(acting_in(config.simulation));
  }
  return need;
}

}  // namespace hornbeam::run
