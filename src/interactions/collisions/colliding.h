// SPDX-License-Identifier: Apache-2.0
// Bodies that touch and approach one another, now or within the time before, a visitor of pairs: each pair once, from
// the one that came first on input. They come in any order; what sorts and resolves them is domain_collisions.cpp.
#ifndef HORNBEAM_INTERACTIONS_COLLISIONS_COLLIDING_H
#define HORNBEAM_INTERACTIONS_COLLISIONS_COLLIDING_H
#include "physics/collision.h"
#include "walk/pairs.h"
HB_OPEN

#define HB_VISITOR colliding
#define HB_VISITOR_TYPE Colliding
#define HB_SOURCE_REACH extent
#define HB_SOURCES_colliding(F) \
  F(pos_t, extent) /* its radius, and the way it may have come beside its neighbours within the time */
#define HB_ARRAYS_colliding(F)                                      \
  F(const pos_t, radius)                                            \
  F(const pos_t, vx)                                                \
  F(const pos_t, vy)                                                \
  F(const pos_t, vz)                                                \
  F(u32, found)       /* how many pairs there are, in one value */  \
  F(u32, pair_first)  /* of each pair found, while there is room */ \
  F(u32, pair_second) /* by index on input */                       \
  F(i32, in_image)    /* where the second stands, in the list */

typedef struct {
  u32 room;    ///< for pairs
  pos_t time;  ///< CollisionRule::time
} CollidingOptions;

typedef struct {
  pos_t reach;
  i32 place;
  u32 index;  ///< on input
} CollidingTarget;

#include "walk/pair_types.inc"

HB_FN CollidingTarget colliding_begin(const CollidingView* view, i32 i) {
  CollidingTarget t;
  t.reach = view->target_extent[i];
  t.place = i;
  t.index = view->target_input[i];
  return t;
}

HB_SUM_FORMULA sum_t colliding_limit2(sum_t target, sum_t source) { return (target + source) * (target + source); }

/// Targets are the sources themselves.
HB_FN void colliding_meet(const CollidingView* view, CollidingTarget* t, CollidingSource source, PairWay way) {
  const i32 a = t->place, b = source.place;
  const u32 second = view->input[b];
  if (second <= t->index) return;  // the other one finds it, in the opposite image
  HB_GLOBAL const pos_t* image = view->images + way.image * HB_IMAGE_VALUES + 3;
  const pos_t vx = (view->vx[b] + image[0]) - view->vx[a], vy = (view->vy[b] + image[1]) - view->vy[a],
              vz = (view->vz[b] + image[2]) - view->vz[a];
  const pos_t along = (vx * way.x + vy * way.y) + vz * way.z, speed2 = (vx * vx + vy * vy) + vz * vz;
  const pos_t touch = view->radius[a] + view->radius[b], time = view->options.time;
  if (time_since_contact(way.distance2, along, speed2, touch, time) < 0) return;
  const u32 at = hb_count_up(view->found);
  if (at >= view->options.room) return;
  view->pair_first[at] = t->index;
  view->pair_second[at] = second;
  view->in_image[at] = way.image;
}

HB_FN void colliding_finish(const CollidingView* view, CollidingTarget* t) { (void)view, (void)t; }

HB_CLOSE

#include "walk/pair_walks.inc"
#endif
