// SPDX-License-Identifier: Apache-2.0
// Gathering on devices: the sums over what a warp has noted on its walk (gather_group.h). It is laid out in local
// memory, some at a time: each lane tests all that lies there in turn, in fp32 from the middle of the box, marks what
// it reaches with a bit, and sums over that. The kernels NAME_of_groups and NAME_of_each of all gatherers.
//
// What is laid out together is no stretch of the curve, but every so-manieth of the round: of a stretch some lanes
// reach all and others nothing, and would wait; of a part from all over they reach about as many each. 64 of 630 at a
// time take 132 sums where all at once take 106, and stretches of 64 304 (docs/notes/gpu.md).
#ifndef HORNBEAM_WALK_GATHER_WARP_H
#define HORNBEAM_WALK_GATHER_WARP_H
#include "walk/crowd.h"
#include "walk/gather_group.h"
HB_KERNELS_OPEN

/// Sums over what is marked at most, of a target whose reach changes.
#define HB_MOST_TURNS 8

/// d^2 <= h^2 is tested as x_i . x_j - x_j^2 / 2 >= x_i^2 / 2 - h^2 / 2, which costs three operations a pair. With
/// squares taken this much too small rounding lets through more, never less.
#define HB_HALF_SQUARE ((real)0.4999995f)

/// Lays out where particle j stands, in a slot.
HB_DEVICE_FN void lay_out_place(const GatherGroup* s, i32 slot, i32 j) {
  HB_GLOBAL const real* row = s->places + (u64)j * HB_PLACE_ROW;
  const Four high = hb_four(row), low = hb_four(row + 4);
  const HB_OF(GatherWay, real) way = gather_way(s->middle, high.x, high.y, high.z, low.x, low.y, low.z);
  const real reach = low.w + s->slack, half2 = HB_HALF_SQUARE * way.distance2;
  s->room.source[slot] = hb_real4(way.x, way.y, way.z, -half2);
  s->room.mass[slot] = high.w;
  if (s->sources_reach) s->room.reached[slot] = reach * reach / 2 - half2;
}

/// What a lane has marked and not yet taken: a bit for each of the slots from `first` on, then for those behind them.
typedef struct {
  u32 bits, behind;
  i32 first;
} Marks;

/// Marks of the first n slots those where the lane's target reaches the source, `limit2` squared and below 0 for
/// nothing, or it the target.
HB_DEVICE_FN Marks gather_mark(const GatherGroup* s, i32 n, real limit2) {
  const real half2 = HB_HALF_SQUARE * hb_fma(s->x, s->x, hb_fma(s->y, s->y, s->z * s->z));
  const real reached = limit2 / 2, least = s->sources_reach ? half2 : half2 - reached;
  Marks marks;
  marks.first = 0;
  marks.bits = 0;
  marks.behind = 0;
  HB_UNROLL(1)
  for (i32 from = 0; from < HB_LAID_OUT; from += 8) {
    HB_LOCAL const Real4* source = s->room.source + from;
    u32 eight = 0;
    HB_UNROLL(8)
    for (i32 b = 0; b < 8; ++b) {
      const Real4 w = source[b];
      const real edge = s->sources_reach ? hb_most(w.w + reached, s->room.reached[from + b]) : w.w;
      if (hb_fma(w.x, s->x, hb_fma(w.y, s->y, hb_fma(w.z, s->z, edge))) >= least) eight |= 1u << b;
    }
    if (from + 8 > n) eight &= from < n ? (1u << (n - from)) - 1u : 0;
    if (from < HB_WARP) {
      marks.bits |= eight << from;
    } else {
      marks.behind |= eight << (from - HB_WARP);
    }
  }
  if (limit2 < 0) marks.bits = marks.behind = 0;
  return marks;
}

/// The slot of the next mark, or -1.
HB_DEVICE_FN i32 take_mark(Marks* marks) {
  if (marks->bits == 0) {
    marks->bits = marks->behind;
    marks->behind = 0;
    marks->first = HB_WARP;
  }
  if (marks->bits == 0) return -1;
  const i32 slot = marks->first + hb_lowest_bit(marks->bits);
  marks->bits &= marks->bits - 1u;
  return slot;
}

/// The way from the lane's target to a source that is laid out, particle *j; pairs closer than close2, squared, but for
/// those at one place, are measured from their rows.
HB_DEVICE_FN HB_OF(GatherWay, real)
    way_to_laid(const GatherGroup* s, Real4 source, HB_LOCAL const i32* j, real close2) {
  HB_OF(GatherWay, real) way;
  way.x = source.x - s->x;
  way.y = source.y - s->y;
  way.z = source.z - s->z;
  way.distance2 = hb_fma(way.x, way.x, hb_fma(way.y, way.y, way.z * way.z));
  if (way.distance2 < close2 && way.distance2 > 0) {
    HB_GLOBAL const real* row = s->places + (u64)*j * HB_PLACE_ROW;
    const Four high = hb_four(row), low = hb_four(row + 4);
    way = gather_way(s->own, high.x, high.y, high.z, low.x, low.y, low.z);
  }
  return way;
}

HB_KERNELS_CLOSE

// Quarters of rows of states as they are laid out behind the places: slot k of the q-th at (1 + q) * HB_LAID_OUT + k.
#define HB_COUNT_STATE(rows, width, quarter, a, b, c, d) +1
#define HB_LAY_OUT_STATE(rows, width, quarter, a, b, c, d)                        \
  {                                                                               \
    const Four four = hb_four(view->rows + ((u64)j * (width / 4) + quarter) * 4); \
    at += HB_LAID_OUT;                                                            \
    s->room.source[at] = hb_real4(four.x, four.y, four.z, four.w);                \
  }
#define HB_READ_LAID_OUT(rows, width, quarter, p, q, r, s) \
  {                                                        \
    at += HB_LAID_OUT;                                     \
    const Real4 four = laid[at];                           \
    source.p = four.x;                                     \
    source.q = four.y;                                     \
    source.r = four.z;                                     \
    source.s = four.w;                                     \
  }

// Fine sums of a part are made for themselves: one after the other, terms leave more rounding the more they have come
// to.
#define HB_SET_ASIDE(how, name) HB_SET_ASIDE_##how(name)
#define HB_SET_ASIDE_add(name)
#define HB_SET_ASIDE_max(name)
#define HB_SET_ASIDE_fine(name) before.name = sums.name, sums.name = 0;
#define HB_TAKE_BACK(how, name) HB_TAKE_BACK_##how(name)
#define HB_TAKE_BACK_add(name)
#define HB_TAKE_BACK_max(name)
#define HB_TAKE_BACK_fine(name) sums.name = before.name + sums.name;

#define HB_GATHER_KERNELS_OF(NAME, Type, F, W)                                                                        \
  enum { NAME##_quarters = 0 HB_STATES_##NAME(HB_COUNT_STATE) };                                                      \
  HB_DEVICE_FN void NAME##_lay_out(const GatherGroup* s, const Type##View* view, i32 slot, i32 j) {                   \
    i32 at = slot;                                                                                                    \
    (void)view, (void)at;                                                                                             \
    lay_out_place(s, slot, j);                                                                                        \
    HB_STATES_##NAME(HB_LAY_OUT_STATE)                                                                                \
  }                                                                                                                   \
                                                                                                                      \
  /** The source in a slot. */                                                                                        \
  HB_DEVICE_FN HB_OF(Type##Source, real) NAME##_laid_out(const GatherGroup* s, i32 slot) {                            \
    HB_LOCAL const Real4* laid = s->room.source;                                                                      \
    HB_OF(Type##Source, real) source;                                                                                 \
    i32 at = slot;                                                                                                    \
    (void)laid, (void)at;                                                                                             \
    source.mass = s->room.mass[slot];                                                                                 \
    HB_STATES_##NAME(HB_READ_LAID_OUT) return source;                                                                 \
  }                                                                                                                   \
                                                                                                                      \
  /** The sums with the first `count` of the round that a lane's target reaches, or that reach it; reach below 0:     \
   * none. */                                                                                                         \
  HB_DEVICE_FN HB_OF(Type##Sums, real)                                                                                \
      NAME##_over_round(GatherGroup* s, Warp warp, const Type##View* view, i32 count, real reach,                     \
                        HB_OF(Type##Source, real) self, HB_OF(Type##Sums, real) sums) {                               \
    const real inverse = 1 / reach, limit = reach + s->slack, limit2 = reach >= 0 ? limit * limit : -1;               \
    const real close = HB_PRECISION == HB_DOUBLE ? 0 : s->exact ? (real)INFINITY : reach * HB_CLOSE_PAIR;             \
    const real close2 = close * close;                                                                                \
    const i32 parts = (count + HB_LAID_OUT - 1) / HB_LAID_OUT, each = count / hb_max(parts, 1);                       \
    for (i32 part = 0; part < parts; ++part) {                                                                        \
      const i32 n = each + (part < count - each * parts ? 1 : 0);                                                     \
      HB_UNROLL(2)                                                                                                    \
      for (i32 slot = warp.lane; slot < HB_LAID_OUT; slot += HB_WARP) {                                               \
        if (slot < n) NAME##_lay_out(s, view, slot, s->room.place[part + slot * parts]);                              \
      }                                                                                                               \
      warp_sync();                                                                                                    \
      HB_OF(Type##Sums, real) before = sums;                                                                          \
      HB_SUMS_##NAME(HB_SET_ASIDE) Marks marks = gather_mark(s, n, limit2);                                           \
      s->found += hb_popcount(marks.bits) + hb_popcount(marks.behind);                                                \
      for (i32 slot = take_mark(&marks); slot >= 0; slot = take_mark(&marks)) {                                       \
        const Real4 spot = s->room.source[slot];                                                                      \
        const HB_OF(GatherWay, real) way = way_to_laid(s, spot, s->room.place + part + slot * parts, close2);         \
        sums = NAME##_add(&view->options, inverse, self, NAME##_laid_out(s, slot), way, sums);                        \
      }                                                                                                               \
      HB_SUMS_##NAME(HB_TAKE_BACK) warp_sync();                                                                       \
    }                                                                                                                 \
    return sums;                                                                                                      \
  }                                                                                                                   \
                                                                                                                      \
  HB_GATHER_KERNEL(NAME##_of_groups) {                                                                                \
    HB_WARP_ARRAY(i32, stack, HB_STACK);                                                                              \
    HB_MAKE_GATHER_ROOM(room, NAME##_quarters);                                                                       \
    HB_MAKE_NOTED_LEAVES(noted);                                                                                      \
    HB_MAKE_WARP(warp);                                                                                               \
    HB_CELLS(cells)                                                                                                   \
    HB_MAKE_PAIR_VIEW(NAME, Type)                                                                                     \
    const i32 item = hb_warp_item(), g = item / HB_TARGETS;                                                           \
    HB_LEAVE_SURPLUS(g >= groups);                                                                                    \
    const i32 end = group_first[g + 1], i = group_first[g] + item % HB_TARGETS * HB_WARP + warp.lane;                 \
    const i32 held = hb_min(i, end - 1);                                                                              \
    real asked = i < end ? NAME##_reach(&view, held) : -1;                                                            \
    if (each) {                                                                                                       \
      if (asked >= 0) join_crowd(crowded, pairs.targets, HB_CROWD_NEAR, held);                                        \
      return;                                                                                                         \
    }                                                                                                                 \
    const real wide = asked * HB_MARGIN_##NAME;                                                                       \
    GatherGroup s;                                                                                                    \
    s.room = room;                                                                                                    \
    s.noted = noted;                                                                                                  \
    s.places = places;                                                                                                \
    s.cell_reach = cell_reach;                                                                                        \
    s.sources_reach = NAME##_sources_reach;                                                                           \
    s.count = 0;                                                                                                      \
    const i32 images_met = gather_begin(&s, warp, options.frame, x[held], y[held], z[held], wide) ? pairs.images : 0; \
    const HB_OF(Type##Source, real) self = NAME##_source(&view, held, hb_four(places + (u64)held * HB_PLACE_ROW));    \
    HB_OF(Type##Sums, real) sums = NAME##_sums_from((real)0);                                                         \
    i32 rounds = 0;                                                                                                   \
    /* the first, whose round serves once more, at the end */                                                         \
    for (i32 last = images_met; last > 0; last -= HB_WARP) {                                                          \
      u32 left = gather_images(&s, warp, cells, images, last);                                                        \
      while (left != 0 && s.reach >= 0) {                                                                             \
        const i32 image = last - 1 - hb_lowest_bit(left);                                                             \
        left &= left - 1u;                                                                                            \
        gather_enter(&s, warp, options.frame, x[held], y[held], z[held], images, image);                              \
        GroupWalkProgress progress = walk_to_begin(HB_STACK);                                                         \
        do {                                                                                                          \
          s.count = 0;                                                                                                \
          gather_group_walk(&s, warp, cells, stack, start, pairs.starts, &progress);                                  \
          rounds += s.count > 0;                                                                                      \
          /* the last round is summed below, where turns of H do so again: code that runs stands once in the cache */ \
          const i32 more = progress.busy || left != 0 || last > HB_WARP;                                              \
          HB_WARP_IF(more) {                                                                                          \
            sums = NAME##_over_round(&s, warp, &view, more ? s.count : 0, asked, self, sums);                         \
            s.count = more ? 0 : s.count;                                                                             \
            const i32 leaves =                                                                                        \
                more && progress.busy && asked >= 0 && (s.found > most || rounds > most / HB_CROWD_ROUND);            \
            if (leaves) {                                                                                             \
              /* who finds most of what its group meets is likely to reach beyond that */                             \
              const i32 far = s.found > most && s.found > s.met / 2;                                                  \
              join_crowd(crowded, pairs.targets, far ? HB_CROWD_FAR : HB_CROWD_NEAR, held);                           \
              asked = -1;                                                                                             \
            }                                                                                                         \
            gather_without(&s, warp, leaves);                                                                         \
          }                                                                                                           \
        } while (progress.busy && s.reach >= 0);                                                                      \
      }                                                                                                               \
    }                                                                                                                 \
    i32 again = asked >= 0;                                                                                           \
    for (i32 turn = 0; turn < HB_MOST_TURNS; ++turn) {                                                                \
      const real now = !again ? -1 : turn == 0 ? asked : NAME##_reach(&view, held);                                   \
      const i32 serves =                                                                                              \
          turn == 0 || (rounds == 1 && s.count > 0 && now <= wide && (s.exact || now >= wide * HB_LEAST_REACH));      \
      const i32 sums_up = again && serves;                                                                            \
      if (!warp_any(warp, sums_up)) break;                                                                            \
      sums = NAME##_over_round(&s, warp, &view, s.count, sums_up ? now : -1, self,                                    \
                               turn == 0 ? sums : NAME##_sums_from((real)0));                                         \
      if (sums_up) again = NAME##_finish(&view, held, sums);                                                          \
    }                                                                                                                 \
    if (again) NAME##_put_off(&view, held);                                                                           \
  }                                                                                                                   \
                                                                                                                      \
  HB_KERNEL(NAME##_of_each) {                                                                                         \
    HB_CELLS(cells)                                                                                                   \
    HB_MAKE_PAIR_VIEW(NAME, Type)                                                                                     \
    const i32 i = hb_item();                                                                                          \
    if (i < pairs.targets) NAME##_of_target(&view, cells, i);                                                         \
  }

HB_KERNELS_OPEN
HB_PAIR_GATHERERS(HB_GATHER_KERNELS_OF, , )
HB_KERNELS_CLOSE
#endif
