// SPDX-License-Identifier: Apache-2.0
// Gathering: sums over all sources within reach of a target, to which those beyond reach add nothing, so that walks may
// let some of them through. Where walk/pairs.h decides every pair in the precision of positions, a walk that gathers
// sifts sources by fp32 ways from the middle of a group, with a margin; what passes is added in fp32 from ways as good
// as those between fp64 positions. A gatherer NAME with types Type... is one portable header, a row of
// interactions/pair_visitors.h. From it come the walk of one target (here), the CPU's of a group (gather_simd.h) and
// the warp's (gather_warp.h).
//
// Particles come as rows of reals: a place, HB_PLACE_ROW of them (place_row()), and a state, HB_STATE_ROW, of which the
// gatherer says where what it reads stands. A gatherer is
//   HB_ARRAYS_NAME(F)    F(type, name) for each array that it writes or reads besides, as in pairs.h
//   TypeOptions          what is the same for all targets; its first member is GatherFrame frame
//   HB_STATES_NAME(Q)    Q(rows, width, quarter, a, b, c, d): what that quarter of a row of that array holds, `width`
//                        reals long: states, HB_STATE_ROW
//   HB_GATHER_TYPES(NAME, Type)  makes TypeView and TypeSource<real>: mass and the fields of HB_STATES_NAME
//   HB_SUMS_NAME(S)      S(add, name), S(fine, name) or S(max, name) for each sum; all begin at 0. fine: what is added
//                        to them is to leave little rounding
//   HB_GATHER_SUMS(NAME, Type)   makes TypeSums<real> of them, or HB_GATHER_SUMS_OF(NAME, Type, Struct)
//   HB_MARGIN_NAME       walks let through what stands within so many times the reach
//   real NAME_reach(const TypeView*, i32 i)   how far target i reaches now; below 0: nothing is asked for it
//   HB_FORMULA TypeSums NAME_add(const TypeOptions*, real inverse, TypeSelf self, TypeSource, GatherWay, TypeSums)
//                        the sums with one source more; inverse: 1 / the target's reach; self: the target, a
//                        TypeSource of scalars. What has no mass is to add nothing
//   i32 NAME_finish(const TypeView*, i32 i, TypeSums)     writes target i; whether it is to be summed once more, with
//                        another reach, in this walk if that was wide enough, else in another
//   void NAME_put_off(const TypeView*, i32 i)             that is left to another walk
//   HB_GATHER_SOURCES_REACH(NAME, 0 or 1)     whether sources, too, reach: as far as their rows say
//   HB_GATHER_STACKLESS(NAME, Type)           the walk of one target
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

#define HB_READ_STATE(rows, width, quarter, p, q, r, s)                           \
  {                                                                               \
    const Four four = hb_four(view->rows + ((u64)j * (width / 4) + quarter) * 4); \
    source.p = four.x;                                                            \
    source.q = four.y;                                                            \
    source.r = four.z;                                                            \
    source.s = four.w;                                                            \
  }

#define HB_GATHER_TYPES(NAME, Type)                                                         \
  typedef struct {                                                                          \
    PairOptions pairs;                                                                      \
    Type##Options options;                                                                  \
    HB_PAIR_FIELDS(HB_FIELD_MEMBER)                                                         \
    HB_ARRAYS_##NAME(HB_FIELD_MEMBER)                                                       \
  } Type##View;                                                                             \
  HB_REALS(Type##Source, real mass; HB_STATES_##NAME(HB_STATE_MEMBERS))                     \
  typedef HB_OF(Type##Source, real) Type##Self;                                             \
  /** Source j from its rows; high: the first part of its place. */                         \
  HB_FN HB_OF(Type##Source, real) NAME##_source(const Type##View* view, i32 j, Four high) { \
    HB_OF(Type##Source, real) source;                                                       \
    source.mass = high.w;                                                                   \
    (void)j;                                                                                \
    (void)view;                                                                             \
    HB_STATES_##NAME(HB_READ_STATE) return source;                                          \
  }

#define HB_SUM_NONE(how, name) sums.name = none;
#if defined(__OPENCL_VERSION__)
#define HB_ALIAS_OF(Name, Struct) typedef Struct Name;
#else
#define HB_ALIAS_OF(Name, Struct) \
  template <class real>           \
  using Name = Struct<real>;
#endif
#define HB_GATHER_SUMS(NAME, Type)                    \
  HB_REALS(Type##Sums, HB_SUMS_##NAME(HB_SUM_MEMBER)) \
  HB_GATHER_NO_SUMS(NAME, Type)
#define HB_GATHER_SUMS_OF(NAME, Type, Struct) \
  HB_ALIAS_OF(Type##Sums, Struct)             \
  HB_GATHER_NO_SUMS(NAME, Type)
#define HB_COUNT_SUM(how, name) +1
#define HB_GATHER_NO_SUMS(NAME, Type)                              \
  enum { NAME##_sum_count = 0 HB_SUMS_##NAME(HB_COUNT_SUM) };      \
  HB_FORMULA HB_OF(Type##Sums, real) NAME##_sums_from(real none) { \
    HB_OF(Type##Sums, real) sums;                                  \
    HB_SUMS_##NAME(HB_SUM_NONE) return sums;                       \
  }

#define HB_GATHER_SOURCES_REACH(NAME, is) enum { NAME##_sources_reach = is };

/// Defines NAME_of_target(view, cells, i): the readable form of every walk, and the oracle of the rest.
#define HB_GATHER_STACKLESS(NAME, Type)                                                                          \
  typedef struct {                                                                                               \
    const Type##View* view;                                                                                      \
    HB_OF(Type##Source, real) self;                                                                              \
    HB_OF(Type##Sums, real) sums;                                                                                \
    SplitPlace place;                                                                                            \
    real inverse;                                                                                                \
    pos_t x, y, z, reach;                                                                                        \
    PairImage at;                                                                                                \
  } Type##Walk;                                                                                                  \
                                                                                                                 \
  HB_FN bool NAME##_accept(Type##Walk* s, CellsView cells, i32 c) {                                              \
    const pos_t reach = NAME##_sources_reach ? hb_max(s->reach, s->view->cell_reach[c]) : s->reach;              \
    return least_distance2_to_cell(s->x, s->y, s->z, cells, c, s->at) > reach * reach;                           \
  }                                                                                                              \
                                                                                                                 \
  HB_FN void NAME##_on_cell(Type##Walk* s, CellsView cells, i32 c) { (void)s, (void)cells, (void)c; }            \
                                                                                                                 \
  HB_FN void NAME##_meet(Type##Walk* s, i32 j) {                                                                 \
    HB_GLOBAL const real* row = s->view->places + (u64)j * HB_PLACE_ROW;                                         \
    const Four high = hb_four(row), low = hb_four(row + 4);                                                      \
    const HB_OF(GatherWay, real) way = gather_way(s->place, high.x, high.y, high.z, low.x, low.y, low.z);        \
    s->sums = NAME##_add(&s->view->options, s->inverse, s->self, NAME##_source(s->view, j, high), way, s->sums); \
  }                                                                                                              \
                                                                                                                 \
  HB_FN void NAME##_on_leaf(Type##Walk* s, CellsView cells, i32 c) {                                             \
    for (i32 j = cells.first[c]; j < cells.first[c] + cells.count[c]; ++j) NAME##_meet(s, j);                    \
  }                                                                                                              \
                                                                                                                 \
  HB_STACKLESS_WALK(NAME, Type##Walk)                                                                            \
                                                                                                                 \
  /* Target i, of which something is asked, in no image yet. */                                                  \
  HB_FN Type##Walk NAME##_walk_of(const Type##View* view, i32 i) {                                               \
    const real reach = NAME##_reach(view, i);                                                                    \
    HB_GLOBAL const real* row = view->places + (u64)i * HB_PLACE_ROW;                                            \
    Type##Walk s;                                                                                                \
    s.view = view;                                                                                               \
    s.self = NAME##_source(view, i, hb_four(row));                                                               \
    s.sums = NAME##_sums_from((real)0);                                                                          \
    s.inverse = 1 / reach;                                                                                       \
    s.x = view->x[i];                                                                                            \
    s.y = view->y[i];                                                                                            \
    s.z = view->z[i];                                                                                            \
    /* beyond the rounding of reach to fp32 */                                                                   \
    s.reach = (pos_t)reach / view->options.frame.unit * (pos_t)(1 + 1e-5f);                                      \
    return s;                                                                                                    \
  }                                                                                                              \
                                                                                                                 \
  HB_FN void NAME##_enter(Type##Walk* s, i32 image) {                                                            \
    s->at = image_of_list(s->view->images, image, s->view->pairs.box);                                           \
    s->place = split_in_frame(s->view->options.frame, s->x - s->at.x, s->y - s->at.y, s->z - s->at.z);           \
  }                                                                                                              \
                                                                                                                 \
  HB_FN void NAME##_of_target(const Type##View* view, CellsView cells, i32 i) {                                  \
    if (NAME##_reach(view, i) < 0) return;                                                                       \
    Type##Walk s = NAME##_walk_of(view, i);                                                                      \
    for (i32 image = 0; image < view->pairs.images; ++image) {                                                   \
      NAME##_enter(&s, image);                                                                                   \
      NAME##_stackless_below(&s, cells, 0);                                                                      \
    }                                                                                                            \
    if (NAME##_finish(view, i, s.sums)) NAME##_put_off(view, i);                                                 \
  }

#endif
