// SPDX-License-Identifier: Apache-2.0
// The k nearest neighbours as a visitor of the warp's group walk, and one thread a particle. A target's row is a heap
// of the k nearest met so far, the last of them in front; it begins with particles adjacent along the curve, whose
// distances bound the search from the start. Rows lie in the device's memory: k may be as large as N - 1.
#ifndef HORNBEAM_INTERACTIONS_NEIGHBOURS_KERNELS_NEAREST_H
#define HORNBEAM_INTERACTIONS_NEIGHBOURS_KERNELS_NEAREST_H
#include "interactions/neighbours/kernels/group_search.h"
HB_KERNELS_OPEN

/// Particles on either side of a group, beyond half of k, with which rows begin.
#define HB_BESIDE_GROUP 16

HB_DEVICE_FN i32 nearest_settle(GroupSearch* s, Warp warp, CellsView cells, i32 c, i32 has) {
  return may_hold_neighbours(s, cells, c, has);
}

HB_DEVICE_FN void nearest_on_leaves(GroupSearch* s, Warp warp, CellsView cells, i32 c, i32 is) {
  note_candidates(s, warp, cells.first[c], is ? nearest_candidates(cells, c, s->options.k) : 0);
}

/// Puts a neighbour in the place of the last in order of the heap of k, and makes it a heap again.
HB_DEVICE_FN void replace_last(HB_GLOBAL u32* indices, HB_GLOBAL pos_t* distances, i32 k, u32 index, pos_t distance2) {
  i32 at = 0;
  for (i32 child = 1; child < k; child = 2 * at + 1) {
    if (child + 1 < k && is_nearer(distances[child], indices[child], distances[child + 1], indices[child + 1])) ++child;
    if (!is_nearer(distance2, index, distances[child], indices[child])) break;
    indices[at] = indices[child];
    distances[at] = distances[child];
    at = child;
  }
  indices[at] = index;
  distances[at] = distance2;
}

HB_DEVICE_FN void meet_nearest(GroupSearch* s, i32 images, i32 n) {
  for (i32 j = 0; j < n; ++j) {
    const u32 index = s->room.index[j];
#pragma unroll
    for (i32 k = 0; k < HB_TARGETS; ++k) {
      SearchTarget* t = &s->target[k];
      const pos_t distance2 = staged_distance2(s, images, t, j);
      if (!is_nearer(distance2, index, t->limit2, t->last) || index == t->index) continue;
      replace_last(s->out.index + t->row, s->out.distance2 + t->row, s->options.k, index, distance2);
      t->limit2 = s->out.distance2[t->row];
      t->last = s->out.index[t->row];
    }
  }
}

HB_DEVICE_FN i32 nearest_work(GroupSearch* s, Warp warp, CellsView cells, i32 last) {
  HB_WARP_IF(s->staged < s->candidates) {
    const i32 n = stage_candidates(s, warp);
    if (s->images) {
      meet_nearest(s, 1, n);
    } else {
      meet_nearest(s, 0, n);
    }
    share_limits(s, warp);
  }
  return s->staged < s->candidates;
}

HB_GROUP_WALK(nearest, GroupSearch)

/// Rows of k, whose last is farther than anything, meet the particles around [first, end) along the curve.
HB_DEVICE_FN void begin_rows(GroupSearch* s, Warp warp, i32 first, i32 end) {
  const i32 k = s->options.k, n = s->options.particles, beside = k / 2 + HB_BESIDE_GROUP;
  const i32 met = hb_min(n, end - first + 2 * beside), from = hb_min(hb_max(first - beside, 0), n - met);
#pragma unroll
  for (i32 t = 0; t < HB_TARGETS; ++t) {
    const u64 row = s->target[t].row;
    s->target[t].last = 0xffffffffu;
    for (i32 i = 0; i < k && s->target[t].limit2 >= 0; ++i) {
      s->out.index[row + i] = 0xffffffffu;
      s->out.distance2[row + i] = (pos_t)INFINITY;
    }
  }
  for (i32 j = from; j < from + met; j += HB_WARP) {
    const i32 count = hb_min(from + met - j, HB_WARP);
    if (warp.lane < count) stage_candidate(s, warp.lane, j + warp.lane);
    warp_sync();
    meet_nearest(s, 1, count);
    warp_sync();
  }
  s->skip_first = from;
  s->skip_end = from + met;
  share_limits(s, warp);
  s->images = reaches_images(s);
}

/// Rows of the targets of each group, as heaps.
HB_WARP_KERNEL(nearest_of_groups) {
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
  begin_search(&s, warp, group_first[g], group_first[g + 1], (pos_t)INFINITY);
  begin_rows(&s, warp, group_first[g], group_first[g + 1]);
  GroupWalkProgress progress = walk_to_begin();
  nearest_group_walk(&s, warp, cells, stack, 0, s.limit2 >= 0, &progress);
}

/// One thread a particle; rows are sorted.
HB_KERNEL(nearest_of_each) {
  HB_PARTICLES(particles)
  HB_CELLS(cells)
  HB_NEIGHBOURS_VIEW(neighbours)
  const i32 i = hb_item();
  if (i >= options.particles || !row_is_wanted(options, input[i])) return;
  nearest_of_particle(particles, cells, neighbours, options, i);
}

HB_KERNELS_CLOSE
#endif
