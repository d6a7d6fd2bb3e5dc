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
#include "walk/gather_group.h"
HB_KERNELS_OPEN

/// Sums over what is marked at most, of a target whose reach changes.
#define HB_MOST_TURNS 8

/// d^2 <= h^2 is tested as x_i . x_j - x_j^2 / 2 >= x_i^2 / 2 - h^2 / 2, which costs three operations a pair. With
/// squares taken this much too small rounding lets through more, never less.
#define HB_HALF_SQUARE ((real)0.4999995f)

/// Lays out where particle j stands, in a slot.
HB_DEVICE_FN void lay_out_place(const GatherWarp* s, i32 slot, i32 j) {
  HB_GLOBAL const real* row = s->places + (u64)j * HB_PLACE_ROW;
  const Four high = hb_four(row), low = hb_four(row + 4);
  const HB_OF(GatherWay, real) way = gather_way(s->middle, high.x, high.y, high.z, low.x, low.y, low.z);
  const real reach = low.w + s->slack, half2 = HB_HALF_SQUARE * way.distance2;
  s->room.source[slot] = hb_real4(way.x, way.y, way.z, -half2);
  s->room.mass[slot] = high.w;
  if (s->sources_reach) s->room.reached[slot] = reach * reach / 2 - half2;
}

/// Lays out a quarter of a state.
HB_DEVICE_FN void lay_out_four(const GatherWarp* s, i32 slot, Four four) {
  s->room.source[slot] = hb_real4(four.x, four.y, four.z, four.w);
}

/// What a lane has marked and not yet taken: a bit for each of the slots from `first` on, then for those behind them.
typedef struct {
  u32 bits, behind;
  i32 first;
} Marks;

/// Marks of the first n slots those where the lane's target reaches the source, `limit2` squared and below 0 for
/// nothing, or it the target.
HB_DEVICE_FN Marks gather_mark(const GatherWarp* s, i32 n, real limit2) {
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

/// Returns the displacement from the lane's target to a staged source, particle *j. Pairs closer than close2, squared,
/// are measured from their rows, but for coincident ones.
HB_DEVICE_FN HB_OF(GatherWay, real) way_to_laid(const GatherWarp* s, Real4 source, HB_LOCAL const i32* j, real close2) {
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
#define HB_LAY_OUT_STATE(rows, width, quarter, a, b, c, d) \
  lay_out_four(s, at += HB_LAID_OUT, hb_four(view->rows + ((u64)j * (width / 4) + quarter) * 4));
#define HB_READ_LAID_OUT(rows, width, quarter, p, q, r, s) \
  {                                                        \
    const Real4 four = laid[at += HB_LAID_OUT];            \
    HB_TAKE_FOUR(four, p, q, r, s)                         \
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

#endif
