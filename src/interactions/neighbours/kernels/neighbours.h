// SPDX-License-Identifier: Apache-2.0
// Neighbours within a radius as a visitor of the warp's group walk, and one thread a particle.
#ifndef HORNBEAM_INTERACTIONS_NEIGHBOURS_KERNELS_NEIGHBOURS_H
#define HORNBEAM_INTERACTIONS_NEIGHBOURS_KERNELS_NEIGHBOURS_H
#include "interactions/neighbours/kernels/group_search.h"
HB_KERNELS_OPEN

/// Cells that lie within the radius of all targets need no look where only the number is asked.
HB_DEVICE_FN i32 within_settle(GroupSearch* s, Warp warp, CellsView cells, i32 c, i32 has) {
  const i32 open = may_hold_neighbours(s, cells, c, has);
  const i32 whole = open && !s->out.index && largest_distance2_to_group(s, cells, c) <= s->limit2;
  if (whole) s->counted += cells.count[c];
  return open && !whole;
}

HB_DEVICE_FN void within_on_leaves(GroupSearch* s, Warp warp, CellsView cells, i32 c, i32 is) {
  note_candidates(s, warp, cells.first[c], is ? cells.count[c] : 0);
}

/// Target t has a neighbour, or itself.
HB_DEVICE_FN void add_neighbour(GroupSearch* s, SearchTarget* t, u32 index, pos_t distance2) {
  if (s->out.index) {
    if (index == t->index) return;
    s->out.index[t->row + t->found] = index;
    s->out.distance2[t->row + t->found] = distance2;
  }
  ++t->found;
}

HB_DEVICE_FN void meet_within(GroupSearch* s, i32 images, i32 n) {
  for (i32 j = 0; j < n; ++j) {
#pragma unroll
    for (i32 k = 0; k < HB_TARGETS; ++k) {
      const pos_t distance2 = staged_distance2(s, images, &s->target[k], j);
      if (distance2 <= s->target[k].limit2) add_neighbour(s, &s->target[k], s->room.index[j], distance2);
    }
  }
}

HB_DEVICE_FN i32 within_work(GroupSearch* s, Warp warp, CellsView cells, i32 last) {
  HB_WARP_IF(s->staged < s->candidates) {
    const i32 n = stage_candidates(s, warp);
    if (s->images) {
      meet_within(s, 1, n);
    } else {
      meet_within(s, 0, n);
    }
    warp_sync();
  }
  return s->staged < s->candidates;
}

HB_GROUP_WALK(within, GroupSearch)

/// Neighbours of the targets of each group: their number or, where out has rows, the rows in the order of the walk.
HB_WARP_KERNEL(neighbours_of_groups) {
  HB_WARP_ARRAY(i32, stack, HB_STACK);
  HB_MAKE_SEARCH_ROOM(room);
  HB_MAKE_WARP(warp);
  HB_PARTICLES(particles)
  HB_CELLS(cells)
  HB_NEIGHBOURS_VIEW(neighbours)
  const i32 g = hb_warp_item();
  HB_LEAVE_SURPLUS(g >= groups);
  GroupSearch s;
  s.particles = particles;
  s.out = neighbours;
  s.options = options;
  s.room = room;
  begin_search(&s, warp, group_first[g], group_first[g + 1], options.radius2);
  GroupWalkProgress progress = walk_to_begin();
  within_group_walk(&s, warp, cells, stack, 0, s.limit2 >= 0, &progress);
  const u32 counted = (u32)warp_sum_index(warp, s.counted);
  if (neighbours.index) return;
#pragma unroll
  for (i32 k = 0; k < HB_TARGETS; ++k) {
    const SearchTarget* t = &s.target[k];
    if (t->limit2 >= 0) neighbours.found[t->index] = t->found + counted - 1;  // the target found itself
  }
}

/// The same, one thread a particle.
HB_KERNEL(neighbours_of_each) {
  HB_PARTICLES(particles)
  HB_CELLS(cells)
  HB_NEIGHBOURS_VIEW(neighbours)
  const i32 i = hb_item();
  if (i >= options.particles || !row_is_wanted(options, input[i])) return;
  neighbours_of_particle(particles, cells, neighbours, options, i);
}

HB_KERNELS_CLOSE
#endif
