// SPDX-License-Identifier: Apache-2.0
// The stackless gravity walk as an OpenCL kernel, one work item a target, for the comparison of bits with the CPU.
#include "interactions/gravity/particle_gravity.h"

/// acc (n, 4) and counts (n, 2) out: acceleration and potential in internal units; particle and cell interactions.
__kernel void gravity_walk(__constant WalkOptions* options, HB_GLOBAL const real* last_acceleration,
                           HB_GLOBAL sum_t* acc, HB_GLOBAL u32* counts
                           HB_PARTICLE_FIELDS(HB_FIELD_ARGUMENT) HB_CELL_FIELDS(HB_FIELD_ARGUMENT)) {
  HB_PARTICLES(particles)
  HB_CELLS(cells)
  const i32 i = (i32)get_global_id(0);
  GravityState state = gravity_begin(particles, particles, *options, i, last_acceleration[i]);
  gravity_stackless(&state, cells, options->cells);
  gravity_carry(&state);
  for (i32 k = 0; k < 4; ++k) acc[4 * i + k] = state.acc[k];
  counts[2 * i] = state.particle_interactions;
  counts[2 * i + 1] = state.cell_interactions;
}
