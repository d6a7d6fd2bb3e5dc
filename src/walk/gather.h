// SPDX-License-Identifier: Apache-2.0
// Gathering: sums over all sources within reach of a target, to which those beyond reach add nothing, so that walks may
// let some of them through. Where walk/pairs.h decides every pair in the precision of positions, a walk that gathers
// sifts sources by fp32 ways from the middle of a group, with a margin; what passes is added in fp32 from ways as good
// as those between fp64 positions. A gatherer NAME with types Type... is one portable header, a line of
// kernels/visitors.inc. From it come the walk of one target (gather_walks.inc), the CPU's of a group (gather_simd.h)
// and the warp's (gather_warp.h).
//
// Particles come as rows of reals: a place, HB_PLACE_ROW of them (place_row()), and a state, HB_STATE_ROW, of which the
// gatherer says where what it reads stands. A gatherer begins with `#define HB_VISITOR NAME` and `#define
// HB_VISITOR_TYPE Type`, and has these pieces:
//   HB_SOURCES_NAME(F)   empty
//   HB_ARRAYS_NAME(F)    F(type, name) for each array that it writes or reads besides, as in pairs.h
//   HB_STATES_NAME(Q)    Q(rows, width, quarter, a, b, c, d): what that quarter of a row of that array holds, `width`
//                        reals long: states, HB_STATE_ROW
//   HB_SUMS_NAME(S)      S(add, name), S(fine, name) or S(max, name) for each sum; all begin at 0. fine: what is added
//                        to them is to leave little rounding
//   TypeOptions          what is the same for all targets; its first member is GatherFrame frame
// then it includes gather_types.inc, which makes TypeView, TypeSource<real>, of mass and the fields of HB_STATES_NAME,
// TypeSelf, one of scalars, and TypeSums<real>; and it goes on with
//   real NAME_reach(const TypeView*, i32 i)   how far target i reaches now; below 0: nothing is asked for it
//   HB_FORMULA TypeSums NAME_add(const TypeOptions*, real inverse, TypeSelf self, TypeSource, GatherWay, TypeSums)
//                        the sums with one source more; inverse: 1 / the target's reach; self: the target. What has no
//                        mass is to add nothing
//   i32 NAME_finish(const TypeView*, i32 i, TypeSums)     writes target i; whether it is to be summed once more, with
//                        another reach, in this walk if that was wide enough, otherwise in another
// Its end includes gather_walks.inc, behind HB_CLOSE. Where it differs from most it says so before its types:
//   #define HB_SOURCE_REACH         sources, too, reach: as far as their rows say
//   #define HB_SUMS_TYPE Struct     TypeSums is that structure, which has the sums
//   #define HB_MARGIN TIMES         walks let through what stands within this many times the reach, which changes
//   #define HB_PUTS_OFF             void NAME_put_off(const TypeView*, i32 i): target i is left to another walk
#ifndef HORNBEAM_WALK_GATHER_H
#define HORNBEAM_WALK_GATHER_H
#include "stages/split.h"
#include "stages/units.h"
#include "walk/pairs.h"
HB_OPEN

/// Reals of a place: x, y, z, mass, what x, y, z lack, reach. In internal units.
#define HB_PLACE_ROW 8
/// Reals of a state.
#define HB_STATE_ROW 16

/// From the user's coordinates to internal ones.
typedef struct {
  pos_t x, y, z;  ///< origin
  pos_t unit;     ///< internal length per length
} GatherFrame;

/// From the target to a source.
HB_REALS(GatherWay, real x; real y; real z; real distance2;)

HB_FN SplitPlace split_in_frame(GatherFrame frame, pos_t x, pos_t y, pos_t z) {
  SplitPlace p;
  p.x = split(x, frame.x, frame.unit);
  p.y = split(y, frame.y, frame.unit);
  p.z = split(z, frame.z, frame.unit);
  return p;
}

/// Writes the place of particle i to its row.
HB_FN void place_row(HB_GLOBAL real* rows, i32 i, SplitPlace p, real mass, real reach) {
  HB_GLOBAL real* row = rows + (u64)i * HB_PLACE_ROW;
  row[0] = p.x.high;
  row[1] = p.y.high;
  row[2] = p.z.high;
  row[3] = mass;
  row[4] = p.x.low;
  row[5] = p.y.low;
  row[6] = p.z.low;
  row[7] = reach;
}

/// The way from `from` to a place.
HB_FORMULA HB_OF(GatherWay, real)
    gather_way(SplitPlace from, real x, real y, real z, real low_x, real low_y, real low_z) {
  HB_OF(GatherWay, real) way;
  way.x = way_between(from.x, x, low_x);
  way.y = way_between(from.y, y, low_y);
  way.z = way_between(from.z, z, low_z);
  way.distance2 = hb_fma(way.x, way.x, hb_fma(way.y, way.y, way.z * way.z));
  return way;
}

HB_CLOSE

#define HB_STATE_MEMBERS(rows, width, quarter, a, b, c, d) real a, b, c, d;

// four.x ... to fields of a source
#define HB_TAKE_FOUR(four, p, q, r, s) source.p = four.x, source.q = four.y, source.r = four.z, source.s = four.w;
#define HB_READ_STATE(rows, width, quarter, p, q, r, s)                           \
  {                                                                               \
    const Four four = hb_four(view->rows + ((u64)j * (width / 4) + quarter) * 4); \
    HB_TAKE_FOUR(four, p, q, r, s)                                                \
  }

/// The lists of the present gatherer.
#define HB_STATES HB_JOIN(HB_STATES_, HB_VISITOR)
#define HB_SUMS HB_JOIN(HB_SUMS_, HB_VISITOR)

#define HB_SUM_NONE(how, name) sums.name = none;
#if defined(__OPENCL_VERSION__)
#define HB_ALIAS_OF(Name, Struct) typedef Struct Name;
#else
#define HB_ALIAS_OF(Name, Struct) \
  template <class real>           \
  using Name = Struct<real>;
#endif
#define HB_COUNT_SUM(how, name) +1

#endif
