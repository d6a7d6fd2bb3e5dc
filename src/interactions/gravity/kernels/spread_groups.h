// SPDX-License-Identifier: Apache-2.0
// Groups that are spread out among many more particles than they hold, such as those of a halo about the core: they
// would open all that lies between their targets. They are walked in pieces, and such pieces particle by particle.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_SPREAD_GROUPS_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_SPREAD_GROUPS_H
#include "interactions/gravity/kernels/warp_group.h"
HB_KERNELS_OPEN

/// Part k of HB_PIECES of a range, `size` targets each; empty behind its end.
HB_DEVICE_FN GroupRange part_of(SpreadRange whole, i32 k, i32 size) {
  GroupRange part;
  part.first = hb_min(whole.first + k * size, whole.first + whole.count - 1);
  part.count = hb_max(hb_min(size, whole.count - k * size), 0);
  return part;
}

/// The targets of warp w: of a group, then of a piece, then one alone. None in the places for more pieces and single
/// particles than there are, and none of another rank's groups.
HB_DEVICE_FN GroupRange targets_of_warp(i32 w, GroupWalkOptions walk, HB_GLOBAL const i32* group_first,
                                        HB_GLOBAL const SpreadRange* spread_groups,
                                        HB_GLOBAL const SpreadRange* spread_pieces,
                                        HB_GLOBAL const u32* spread_counts) {
  const i32 p = w - walk.groups, q = p - walk.pieces;
  GroupRange range;
  range.first = 0;
  range.count = 0;
  if (p < 0) {
    range.first = group_first[w];
    range.count = is_of_other_rank(walk.share, range.first) ? 0 : group_first[w + 1] - range.first;
  } else if (q < 0) {
    if (p / HB_PIECES < (i32)spread_counts[HB_SPREAD_GROUPS]) {
      range = part_of(spread_groups[p / HB_PIECES], p % HB_PIECES, walk.piece);
    }
  } else if (q / HB_PIECES < (i32)spread_counts[HB_SPREAD_PIECES]) {
    range = part_of(spread_pieces[q / HB_PIECES], q % HB_PIECES, 1);
  }
  return range;
}

/// One look at the field of the targets `range`, by a whole warp: |a|, with its sign changed where they are spread out,
/// with which they are added to `spread`, in any order; *count: of those there.
HB_DEVICE_FN real look_at_group(Warp warp, GroupRange range, WalkOptions options, GroupWalkOptions walk,
                                ParticlesView targets, CellsView cells, HB_GLOBAL const real* last_acceleration,
                                HB_LOCAL pos_t* box, HB_LOCAL i32* stack, HB_GLOBAL SpreadRange* spread,
                                HB_GLOBAL u32* count) {
  const WarpGroup group =
      enclose(warp, targets, range.first, range.first + range.count, options, last_acceleration, box);
  i32 near = 0;
  const real looked = estimate_acceleration(warp, cells, group, options, stack, &near);
  const real acceleration = hb_max(looked, (real)1e-30f);  // so that it has a sign
  if (range.count <= 1 || near <= walk.most_near) return acceleration;
  if (warp.lane == 0) {
    SpreadRange found;
    found.first = range.first;
    found.count = range.count;
    found.acceleration = acceleration;
    spread[hb_atomic_add(count, 1u)] = found;
  }
  return -acceleration;
}

/// Notes in own_look[w] the |a| of the targets of warp w of the walk, w in [begin, end), where their block is spread
/// out, so that its own estimate holds for none: what look_at_group() finds. 0 where the block's estimate holds: of
/// nearly all, so that each of `searchers` warps looks for others among HB_WARP of them at most, which stand far apart,
/// for those that are looked at stand together.
HB_WARP_KERNEL(find_spread_groups) {
  HB_WARP_ARRAY(i32, stack, HB_STACK);
  HB_WARP_ARRAY(pos_t, box, HB_BOX_VALUES);
  HB_WARP_ARRAY(i32, asking, HB_WARP);
  HB_MAKE_WARP(warp);
  HB_TARGET_PARTICLES(targets)
  HB_CELLS(cells)
  const i32 searcher = hb_warp_item(), own = begin + searcher + warp.lane * searchers;
  i32 asks = 0;
  if (searcher < searchers && own < end) {
    const GroupRange range = targets_of_warp(own, walk, group_first, spread_groups, spread_groups, spread_counts);
    asks = range.count > 0 && near_counts[range.first / walk.block_size] > walk.block_near;
    own_look[own] = 0;
  }
  const i32 all_asking = warp_append(warp, asking, 0, own, asks);
  warp_sync();
  HB_GLOBAL u32* const spread_count = spread_counts + (begin < walk.groups ? HB_SPREAD_GROUPS : HB_SPREAD_PIECES);
  for (i32 k = 0; hb_all_go_on(k < all_asking); ++k) {
    const i32 w = asking[k];
    const GroupRange range = targets_of_warp(w, walk, group_first, spread_groups, spread_groups, spread_counts);
    const real found =
        look_at_group(warp, range, options, walk, targets, cells, last_acceleration, box, stack, spread, spread_count);
    if (warp.lane == 0) own_look[w] = found;
  }
}

/// |a| of the targets `range` of warp w, after find_spread_groups; negative: they are walked in pieces.
HB_DEVICE_FN real acceleration_of_warp(i32 w, GroupRange range, GroupWalkOptions walk, HB_GLOBAL const real* own_look,
                                       HB_GLOBAL const SpreadRange* spread_pieces, real of_block) {
  const i32 q = w - walk.groups - walk.pieces;
  if (walk.most_near == 0 || range.count == 0) return of_block;
  if (q >= 0) return spread_pieces[q / HB_PIECES].acceleration;
  return own_look[w] == 0 ? of_block : own_look[w];
}

HB_KERNELS_CLOSE
#endif
