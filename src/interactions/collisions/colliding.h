// SPDX-License-Identifier: Apache-2.0
// Bodies that touch and approach one another, now or within the time before, a visitor of pairs: each pair once, from
// the one that came first on input. They come in any order; what sorts and resolves them is domain_collisions.cpp.
#ifndef HORNBEAM_INTERACTIONS_COLLISIONS_COLLIDING_H
#define HORNBEAM_INTERACTIONS_COLLISIONS_COLLIDING_H
#include "physics/collision.h"
#include "walk/pairs.h"
HB_OPEN

#define HB_PARAMETERS_colliding_of_groups(FIRST, AND) HB_PARAMETERS_OF_PAIR_GROUPS(colliding, Colliding, FIRST, AND)
#define HB_PARAMETERS_colliding_of_each(FIRST, AND) HB_PARAMETERS_OF_PAIRS_EACH(colliding, Colliding, FIRST, AND)
#define HB_REACH_colliding STAYS
#define HB_SOURCES_colliding(F)                                                                         \
  F(pos_t, extent) /* its radius, and the way it may have come beside its neighbours within the time */ \
  F(pos_t, radius) F(pos_t, vx) F(pos_t, vy) F(pos_t, vz)
#define HB_ARRAYS_colliding(F)                                      \
  F(u32, found)       /* how many pairs there are, in one value */  \
  F(u32, pair_first)  /* of each pair found, while there is room */ \
  F(u32, pair_second) /* by index on input */                       \
  F(i32, in_image)    /* where the second stands, in the list */

typedef struct {
  u32 room;    ///< for pairs
  pos_t time;  ///< CollisionRule::time
} CollidingOptions;

typedef struct {
  pos_t extent, radius, vx, vy, vz;
  u32 index;  ///< on input
} CollidingTarget;

HB_PAIR_TYPES(colliding, Colliding)
HB_PAIR_SOURCE_REACH(colliding, Colliding, extent)
HB_PAIR_MEETS_ALL(colliding, Colliding)

HB_FN CollidingTarget colliding_begin(const CollidingView* view, i32 i) {
  CollidingTarget t;
  t.extent = view->target_extent[i];
  t.radius = view->target_radius[i];
  t.vx = view->target_vx[i];
  t.vy = view->target_vy[i];
  t.vz = view->target_vz[i];
  t.index = view->target_input[i];
  return t;
}

HB_FN pos_t colliding_reach(const CollidingTarget* t) { return t->extent; }

HB_SUM_FORMULA sum_t colliding_limit2(sum_t target, sum_t source) { return (target + source) * (target + source); }

HB_FN void colliding_meet(const CollidingView* view, CollidingTarget* t, CollidingSource source, PairWay way) {
  if (source.input <= t->index) return;  // the other one finds it, in the opposite image
  HB_GLOBAL const pos_t* image = view->images + way.image * HB_IMAGE_VALUES + 3;
  const pos_t vx = (source.vx + image[0]) - t->vx, vy = (source.vy + image[1]) - t->vy,
              vz = (source.vz + image[2]) - t->vz;
  const pos_t along = (vx * way.x + vy * way.y) + vz * way.z, speed2 = (vx * vx + vy * vy) + vz * vz;
  if (time_since_contact(way.distance2, along, speed2, t->radius + source.radius, view->options.time) < 0) return;
  const u32 at = hb_count_up(view->found);
  if (at >= view->options.room) return;
  view->pair_first[at] = t->index;
  view->pair_second[at] = source.input;
  view->in_image[at] = way.image;
}

HB_FN void colliding_finish(const CollidingView* view, CollidingTarget* t) { (void)view, (void)t; }

HB_PAIR_STACKLESS(colliding, Colliding)

HB_CLOSE
#endif
