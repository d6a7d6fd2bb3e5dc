// SPDX-License-Identifier: Apache-2.0
// The far field that the groups of a block share. A block is walked first: cells far enough for all of it are expanded
// once about its centre; cells too near for any of its groups are opened; the rest is handed to each group, whose walk
// starts there. This saves the groups most of their expansions and of their way down from the root.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_BLOCK_WALK_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_BLOCK_WALK_H
#include "interactions/gravity/kernels/far_field.h"
HB_KERNELS_OPEN

/// Radius of a group in units of its block's, about.
#define HB_GROUP_IN_BLOCK 0.5f

typedef struct {
  WarpGroup block;
  WalkOptions options;
  FarField far;
  real theta2, bound;  ///< of expandable()
  HB_GLOBAL i32* frontier;
  i32 frontier_room, frontier_count;  ///< a count above the room: there are more than fit
} BlockGravity;

HB_DEVICE_FN void hand_to_groups(BlockGravity* s, Warp warp, i32 c, i32 which) {
  const u32 bits = warp_ballot(warp, which);
  const i32 at = s->frontier_count + hb_popcount(bits & ((1u << warp.lane) - 1u));
  if (which && at < s->frontier_room) s->frontier[at] = c;
  s->frontier_count += hb_popcount(bits);
}

HB_DEVICE_FN i32 block_settle(BlockGravity* s, Warp warp, CellsView cells, i32 c, i32 has) {
  const pos_t unit = s->options.unit;
  const real dx = internal_way(s->block.x, cells.com_x[c], unit), dy = internal_way(s->block.y, cells.com_y[c], unit),
             dz = internal_way(s->block.z, cells.com_z[c], unit);
  const real d2 = hb_fma(dx, dx, hb_fma(dy, dy, dz * dz));
  const real b = cells.b[c], mass = cells.cell_mass[c], size2 = cells.size2[c];
  const real d = hb_sqrt(d2), radius = s->block.demands.radius;
  i32 expand = has && expandable(d2, b + radius, s->theta2, mass, s->bound);
  if (s->options.reaches) {
    const real reach = mutual_reach(s->options.softening, cells.cell_soft2[c], cells.reach[c], s->block.demands.reach);
    expand = expand && is_plain_for_all(d, radius, b, hb_max(reach, s->block.demands.expansion_reach));
  }
  // likely to be taken whole by a group near the block's middle
  const i32 suits = suits_a_group(&s->options, d, d2, b + (real)HB_GROUP_IN_BLOCK * radius, b, mass, size2,
                                  s->block.demands.accuracy);
  const i32 handed = has && !expand && suits;
  far_add(&s->far, warp, c, expand);
  hand_to_groups(s, warp, c, handed);
  const i32 shares = s->frontier_count <= s->frontier_room;  // otherwise the rest of the walk would be for nothing
  return has && !expand && !handed && shares;
}

HB_DEVICE_FN void block_on_leaves(BlockGravity* s, Warp warp, CellsView cells, i32 c, i32 is) {
  hand_to_groups(s, warp, c, is);
}

HB_DEVICE_FN i32 block_work(BlockGravity* s, Warp warp, CellsView cells, i32 last) {
  far_work(&s->far, warp, cells, s->options, last);
  return last && s->far.count > 0;
}

#define HB_WALKER block
#define HB_WALKER_STATE BlockGravity
#include "walk/warp_walk.inc"

/// Each of the rank's `blocks` blocks b: the particles among its own to near_counts[b], its |a| to accelerations[b],
/// its centre to block_centres[3 b
/// ...], its expansion to far_fields[b * HB_FAR_STRIDE ...] and the cells for its groups to frontiers[b * room ...],
/// frontier_counts[b] of them; -1 where these are too many and nothing is shared. expanded[b]: cells expanded.
/// spread_counts become 0 for find_spread_groups.
HB_WARP_KERNEL(walk_blocks) {
  HB_WARP_ARRAY(i32, stack, HB_STACK);
  HB_WARP_ARRAY(i32, waiting, 2 * HB_WARP);
  HB_WARP_ARRAY(real, coefficients, HB_FAR_ROOM);
  HB_WARP_ARRAY(pos_t, box, HB_BOX_VALUES);
  HB_MAKE_WARP(warp);
  HB_TARGET_PARTICLES(targets)
  HB_CELLS(cells)
  const i32 item = hb_warp_item(), block = unit_of_rank(walk.share, item, walk.block_size);
  HB_LEAVE_SURPLUS(item >= blocks);
  if (item == 0 && warp.lane < HB_SPREAD_COUNTS) spread_counts[warp.lane] = 0;
  BlockGravity s;
  const i32 begin = block * walk.block_size, end = hb_min(begin + walk.block_size, walk.targets);
  s.block = enclose(warp, targets, begin, end, options, last_acceleration, box);
  i32 near;
  const real acceleration = estimate_acceleration(warp, cells, s.block, options, stack, &near);
  if (!last_acceleration) s.block.demands.accuracy = relative_tolerance(options.order, options.theta) * acceleration;
  if (warp.lane == 0) {
    near_counts[block] = near;
    accelerations[block] = acceleration;
    block_centres[3 * (i64)block] = s.block.x;
    block_centres[3 * (i64)block + 1] = s.block.y;
    block_centres[3 * (i64)block + 2] = s.block.z;
  }
  s.options = options;
  s.theta2 = options.theta_c * options.theta_c;
  s.bound = expansion_bound(options.theta_c, acceleration);
  s.frontier = frontiers + block * (i64)walk.frontier_room;
  s.frontier_room = walk.frontier_room;
  s.frontier_count = 0;
  HB_WARP_IF(walk.shares) {
    far_begin(&s.far, warp, waiting, coefficients, s.block);
    GroupWalkProgress progress = walk_to_begin(HB_STACK);
    block_group_walk(&s, warp, cells, stack, 0, walk.shares && options.cells > 0, &progress);
    far_finish(&s.far, warp);
  }
  if (!walk.shares) return;
  const i32 fits = s.frontier_count <= s.frontier_room;
  if (warp.lane == 0) {
    frontier_counts[block] = fits ? s.frontier_count : -1;
    expanded[block] = (fits ? (u32)s.far.total : 0u) + (options.image ? expanded[block] : 0u);
  }
  for (i32 k = warp.lane; k < HB_FAR_STRIDE; k += HB_WARP) far_fields[block * (i64)HB_FAR_STRIDE + k] = coefficients[k];
}

HB_KERNELS_CLOSE
#endif
