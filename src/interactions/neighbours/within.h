// SPDX-License-Identifier: Apache-2.0
// Neighbours within a radius, a visitor of pairs: their number or, where there are rows, a row of them in the order in
// which they are met. Rows come next: sort_rows.
#ifndef HORNBEAM_INTERACTIONS_NEIGHBOURS_WITHIN_H
#define HORNBEAM_INTERACTIONS_NEIGHBOURS_WITHIN_H
#include "interactions/neighbours/rows.h"
HB_OPEN

#define HB_VISITOR within
#define HB_VISITOR_TYPE Within
#define HB_TAKES_WHOLE
#define HB_SOURCES_within(F)
#define HB_ARRAYS_within(F)                                                             \
  F(const pos_t, radius) /* of each target, by index on input, or null: all have one */ \
  F(const u64, offset)   /* where rows begin, by index on input */                      \
  F(u32, found)          /* how many neighbours, where index is null */                 \
  F(u32, index)          /* rows of indices on input, or null */                        \
  F(pos_t, distance2)    /* beside index */

typedef struct {
  pos_t radius2;  ///< square of the radius of all
  RowWindow rows;
  i32 others;  ///< whether the source of a target's own index is left out
} WithinOptions;

typedef struct {
  pos_t reach;  ///< squared
  u64 row;      ///< where its row begins
  u32 index;    ///< on input
  u32 self;     ///< index of the source to leave out, or HB_NOBODY
  u32 found;
} WithinTarget;

#include "walk/pair_types.inc"

/// Whether only numbers are asked, and each target is its own neighbour to be taken off again at the end.
HB_FN bool within_takes_whole(const WithinView* view) { return !view->index && !view->pairs.apart && !view->radius; }

HB_FN pos_t radius2_of_target(const WithinView* view, u32 index) {
  return view->radius ? view->radius[index] * view->radius[index] : view->options.radius2;
}

HB_FN WithinTarget within_begin(const WithinView* view, i32 i) {
  WithinTarget t;
  t.index = view->target_input[i];
  t.self = view->options.others && !within_takes_whole(view) ? t.index : HB_NOBODY;
  t.reach = row_is_wanted(view->options.rows, t.index) ? radius2_of_target(view, t.index) : -1;
  t.row = view->index ? row_of(view->offset, view->options.rows, t.index) : 0;
  t.found = 0;
  return t;
}

HB_SUM_FORMULA sum_t within_limit2(sum_t target, sum_t source) {
  (void)source;
  return target;
}

HB_FN void within_meet(const WithinView* view, WithinTarget* t, WithinSource source, PairWay way) {
  const u32 input = view->input[source.place];
  if (input == t->self && way.image == 0) return;  // its own images are others
  if (view->index) {
    view->index[t->row + t->found] = input;
    view->distance2[t->row + t->found] = way.distance2;
  }
  ++t->found;
}

HB_FN void within_meet_cell(const WithinView* view, WithinTarget* t, i32 count) {
  (void)view;
  t->found += (u32)count;
}

HB_FN void within_finish(const WithinView* view, WithinTarget* t) {
  const bool met_itself = within_takes_whole(view) && view->options.others;
  if (!view->index) view->found[t->index] = t->found - (met_itself ? 1u : 0u);
}

HB_CLOSE

#include "walk/pair_walks.inc"
#endif
