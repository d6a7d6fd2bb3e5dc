// SPDX-License-Identifier: Apache-2.0
// The walks of all groups of targets, block by block on the threads, each with scratch memory of its own.
#pragma once

#include "device/host/kernels.h"
#include "device/host/room.h"
#include "interactions/gravity/host/group_gravity.h"

HB_ISA_OPEN

/// Formula: what is summed, see sources.h.
template <class Formula>
HB_FN Interactions walk_groups(WalkArrays arrays, const GroupRange* groups, const i32* block_begin, i32 blocks,
                               WalkOptions options) {
  u64 particle = 0, cell = 0, expansion = 0;
  Rescue rescue;
#pragma omp parallel reduction(+ : particle, cell, expansion)
  {
    Owned<GravityScratch> scratch;
#pragma omp for schedule(dynamic, 1)
    for (i32 b = 0; b < blocks; ++b) {
      rescue.run([&] {
        walk_block<Formula>(arrays.particles, arrays.targets, arrays.cells, options, arrays.images,
                            groups + block_begin[b], block_begin[b + 1] - block_begin[b], arrays.last_acceleration,
                            arrays.acc, *scratch);
      });
    }
    const InteractionCounts counts = scratch.is_made() ? (*scratch).counts : InteractionCounts{};
    particle += counts.particle;
    cell += counts.cell;
    expansion += counts.expansion;
  }
  rescue.check();
  return {particle, cell, expansion};
}

HB_ISA_CLOSE
