// SPDX-License-Identifier: Apache-2.0
// The k nearest neighbours, a visitor of pairs. A target's row is a heap of the k nearest met so far, the last of them
// in front. Rows lie in the device's memory: k may be as large as N - 1. Rows come next: sort_rows.
#ifndef HORNBEAM_INTERACTIONS_NEIGHBOURS_NEAREST_H
#define HORNBEAM_INTERACTIONS_NEIGHBOURS_NEAREST_H
#include "interactions/neighbours/rows.h"
HB_OPEN

/// Particles on either side of a group, beyond half of k, with which rows begin.
#define HB_BESIDE_GROUP 16

#define HB_VISITOR nearest
#define HB_VISITOR_TYPE Nearest
#define HB_SHRINKS
#define HB_SOURCES_nearest(F)
#define HB_ARRAYS_nearest(F)                                     \
  F(const u64, offset) /* where rows begin, by index on input */ \
  F(u32, index)        /* rows of k indices on input */          \
  F(pos_t, distance2)  /* beside index */

typedef struct {
  i32 k;  ///< neighbours wanted
  RowWindow rows;
  i32 others;  ///< whether the source of a target's own index is left out
  i32 roots;   ///< of warps with shortlists: 1 or 2 to give distances as f32 or f64, 0 to give their squares
} NearestOptions;

typedef struct {
  pos_t reach;  ///< squared distance of the last in order
  u64 row;      ///< where its row begins
  u32 self;     ///< index of the source to leave out, or HB_NOBODY
  u32 last;     ///< index on input of the last in order
} NearestTarget;

#include "walk/pair_types.inc"

HB_FN NearestTarget nearest_begin(const NearestView* view, i32 i) {
  NearestTarget t;
  const u32 index = view->target_input[i];
  const bool wanted = row_is_wanted(view->options.rows, index);
  t.self = view->options.others ? index : HB_NOBODY;
  t.reach = wanted ? (pos_t)INFINITY : -1;
  t.row = row_of(view->offset, view->options.rows, index);
  t.last = HB_NOBODY;
  for (i32 n = 0; n < view->options.k && wanted; ++n) {
    view->index[t.row + (u64)n] = HB_NOBODY;
    view->distance2[t.row + (u64)n] = (pos_t)INFINITY;
  }
  return t;
}

HB_SUM_FORMULA sum_t nearest_limit2(sum_t target, sum_t source) {
  (void)source;
  return target;
}

/// Puts a neighbour in the place of the last in order of the heap of k, and makes it a heap again.
HB_FN void replace_last(HB_GLOBAL u32* indices, HB_GLOBAL pos_t* distances, i32 k, u32 index, pos_t distance2) {
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

HB_FN void nearest_meet(const NearestView* view, NearestTarget* t, NearestSource source, PairWay way) {
  const u32 input = view->input[source.place];
  if (!is_nearer(way.distance2, input, t->reach, t->last)) return;
  if (input == t->self && way.image == 0) return;  // its own images are others
  replace_last(view->index + t->row, view->distance2 + t->row, view->options.k, input, way.distance2);
  t->reach = view->distance2[t->row];
  t->last = view->index[t->row];
}

HB_FN void nearest_finish(const NearestView* view, NearestTarget* t) { (void)view, (void)t; }

/// The first k, and the target, which is left out.
HB_FN i32 nearest_most_at_point(const NearestView* view) { return view->options.k + 1; }

HB_FN i32 nearest_beside(const NearestView* view) { return view->options.k / 2 + HB_BESIDE_GROUP; }

HB_CLOSE

#include "walk/pair_walks.inc"
#endif
