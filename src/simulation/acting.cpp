// SPDX-License-Identifier: Apache-2.0
// See acting.h.
#include "simulation/acting.h"

namespace hornbeam {

memory::Acting acting_in(const SimulationOptions& options) {
  return {.blocks = options.steps == Steps::block,
          .gas = options.gas.flows(),
          .softened = options.gas.adapts(),
          .reconstructed = options.gas.reconstructs(),
          .bodies = options.collisions.law != CollisionLaw::none};
}

}  // namespace hornbeam
