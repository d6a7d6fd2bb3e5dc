// SPDX-License-Identifier: Apache-2.0
// The CPU's walks by groups for tidal tensors, of one instruction set and precision as host_kernels.cpp. A translation
// unit of their own: next to a second copy of the walk the compiler inlines less, and forces take 9 % longer.
#include "interactions/gravity/host/group_walks.h"
#include "interactions/gravity/host/tide_formula.h"

HB_OPEN

Interactions HB_WALK_TIDES(WalkArrays arrays, const GroupRange* groups, const i32* block_begin, i32 blocks,
                           WalkOptions options) {
  return walk_groups<TideFormula<0>>(arrays, groups, block_begin, blocks, options);
}

Interactions HB_WALK_MORE_TIDES(WalkArrays arrays, const GroupRange* groups, const i32* block_begin, i32 blocks,
                                WalkOptions options) {
  return walk_groups<TideFormula<4>>(arrays, groups, block_begin, blocks, options);
}

HB_CLOSE
