// SPDX-License-Identifier: Apache-2.0
// What acts on the particles of a simulation, as its options say: by it go the fields of memory plans and of
// checkpoints.
#pragma once

#include "hornbeam/simulation.h"
#include "memory/particles.h"

namespace hornbeam {

memory::Acting acting_in(const SimulationOptions& options);

}  // namespace hornbeam
