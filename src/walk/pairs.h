// SPDX-License-Identifier: Apache-2.0
// Pairs: the level above cells of every walk, for all that has a radius. A visitor of pairs is one portable header
// (interactions/MODULE/NAME.h, a line of kernels/visitors.inc); from it come the stackless walk of one target
// (pair_walks.inc), the CPU's SIMD walk of a group (pairs_simd.h) and the warp's (pairs_warp.h). Boxes and pairs are
// measured by the same operations in the same order. As rounding is monotonic, no box comes out farther than one of its
// particles, and every walk meets the same pairs, ties at the reach included.
//
// A visitor begins with `#define HB_VISITOR NAME` and `#define HB_VISITOR_TYPE Type`, and has these eight pieces:
//   HB_SOURCES_NAME(F)   F(type, field) for each field of particles it reads beyond x, y, z and input
//   HB_ARRAYS_NAME(F)    F(type, name) for each array that it writes or reads besides; may be null. No name may be that
//                        of a field of CellsView
//   TypeOptions          a structure without pointers: what is the same for all targets
//   TypeTarget           what a target knows on its way: a structure of numbers, of which pos_t reach is how far it
//                        reaches now, in any measure of which more is farther. Negative from the beginning: nothing is
//                        asked for the target, and NAME_finish() is not called
// then it includes pair_types.inc, which makes TypeView, with all of these as `options` and arrays, targets' fields as
// target_..., and TypeSource, the fields of one source; and it goes on with
//   TypeTarget NAME_begin(const TypeView*, i32 i)      the target at place i; may be called by several lanes
//   sum_t NAME_limit2(sum_t target, sum_t source)      HB_SUM_FORMULA: the square of the distance at which a target and
//                        a source (or all in a cell: the largest) of such reach meet; grows with both
//   void NAME_meet(const TypeView*, TypeTarget*, TypeSource, PairWay)   what happens where they do; a target whose
//                        reach shrinks may meet some that it has just ceased to reach
//   void NAME_finish(const TypeView*, TypeTarget*)     once all have been met
// Its end includes pair_walks.inc, behind HB_CLOSE. Where it differs from most it says so before its types:
//   #define HB_SOURCE_REACH FIELD   sources reach that field, and cells as far as their farthest; else NAME_limit2() is
//                        given 0
//   #define HB_MEETS_EARLIER        targets are the sources themselves, and meet of these only such as stand before
//                        them along the curve, which NAME_meet() sees to: walks leave out what stands behind a group
//   #define HB_TAKES_WHOLE          bool NAME_takes_whole(const TypeView*), void NAME_meet_cell(const TypeView*,
//                        TypeTarget*, i32 count): whether cells within reach from everywhere need no look at their
//                        particles, the target perhaps among them. Only if sources do not reach and all targets reach
//                        equally far
//   #define HB_SHRINKS              reaches become less as targets meet sources: i32 NAME_most_at_point(const
//                        TypeView*), particles of a leaf that lies at one point, which are in the order of the
//                        input, that can matter to any target; i32 NAME_beside(const TypeView*), how many particles on
//                        either side along the curve a group's targets meet before they walk
#ifndef HORNBEAM_WALK_PAIRS_H
#define HORNBEAM_WALK_PAIRS_H
#include "stages/views.h"
HB_OPEN

/// Edges of a periodic box [0, x) by [0, y) by [0, z), of which the nearest images are met, each pair once; infinite
/// along open axes, and where there is a list of images.
typedef struct {
  pos_t x, y, z;
} PairBox;

HB_FN PairBox cube_of_edge(pos_t edge) {
  PairBox box;
  box.x = edge;
  box.y = edge;
  box.z = edge;
  return box;
}

HB_FN PairBox no_box() { return cube_of_edge((pos_t)INFINITY); }

/// What is the same for all targets of one walk, whatever visits.
typedef struct {
  PairBox box;
  i32 images;       ///< in the list: 1 in open space
  i32 starts;       ///< cells where walks start: view.start, or the root where that is null
  i32 sources;      ///< particles, along the curve
  i32 targets;      ///< the same particles or, where they are
  i32 apart;        ///< apart, points of their own
  RankShare share;  ///< of the groups of targets
} PairOptions;

/// Sources may be in several images, the first of which is where they are: shift, then offset of velocity.
#define HB_IMAGE_VALUES 6

#define HB_SOURCE_MEMBER(type, field) HB_GLOBAL const type *field, *target_##field;
#define HB_SOURCE_ARGUMENT(type, field) , HB_GLOBAL const type *field, HB_GLOBAL const type *target_##field
#define HB_SOURCE_VALUE(type, field) type field;
#define HB_READ_SOURCE(type, field) source.field = view->field[j];

/// The three arrays of a vector, in a list.
#define HB_XYZ(F, type, name) F(type, name##_x) F(type, name##_y) F(type, name##_z)
/// The lists of the present visitor.
#define HB_SOURCES HB_JOIN(HB_SOURCES_, HB_VISITOR)
#define HB_ARRAYS HB_JOIN(HB_ARRAYS_, HB_VISITOR)

/// The way from a target to a source, to its nearest image or in an image of the list.
typedef struct {
  pos_t x, y, z;
  pos_t distance2;
  i32 image;  ///< number in the list
} PairWay;

/// Where a walk meets sources: in the list's image of that number.
typedef struct {
  pos_t x, y, z;  ///< its shift
  PairBox box;    ///< of the nearest images
  i32 image;
} PairImage;

HB_FN PairImage image_of_list(HB_GLOBAL const pos_t* images, i32 image, PairBox box) {
  PairImage found;
  found.x = images[image * HB_IMAGE_VALUES];
  found.y = images[image * HB_IMAGE_VALUES + 1];
  found.z = images[image * HB_IMAGE_VALUES + 2];
  found.box = box;
  found.image = image;
  return found;
}

/// Distance along one axis to the nearest image; d: difference of coordinates.
HB_SUM_FORMULA sum_t separation(sum_t d, sum_t box) {
  const sum_t direct = hb_abs(d);
  return hb_min(direct, box - direct);
}

/// The same with its sign.
HB_FN pos_t nearest_difference(pos_t d, pos_t box) {
  if (hb_abs(d) <= box - hb_abs(d)) return d;
  return d > 0 ? d - box : d + box;
}

/// Least separation of a point in [low, high], shifted, and one in [other_low, other_high]; below 0 where they overlap.
HB_SUM_FORMULA sum_t direct_separation(sum_t low, sum_t high, sum_t shift, sum_t other_low, sum_t other_high) {
  return hb_max((low - other_high) + shift, (other_low - high) - shift);
}

/// The same among the nearest images in a box, at least 0.
HB_SUM_FORMULA sum_t least_separation(sum_t low, sum_t high, sum_t shift, sum_t other_low, sum_t other_high,
                                      sum_t box) {
  const sum_t direct = direct_separation(low, high, shift, other_low, other_high);
  const sum_t around = box - hb_max((high - other_low) + shift, (other_high - low) - shift);
  return hb_max(hb_min(direct, around), (sum_t)0);
}

/// A bound on the largest separation of such points.
HB_SUM_FORMULA sum_t largest_separation(sum_t low, sum_t high, sum_t shift, sum_t other_low, sum_t other_high,
                                        sum_t box) {
  const sum_t direct = direct_separation(low, high, shift, other_low, other_high);
  const sum_t span = hb_max((high - other_low) + shift, (other_high - low) - shift);
  return hb_min(span, box - hb_max(direct, (sum_t)0));
}

/// Whether targets in [low, high] along one axis may meet images within that distance, across a face of the periodic
/// box; the margin over it is far above the rounding of differences in the box.
HB_FN bool reaches_face(pos_t low, pos_t high, pos_t distance2, pos_t edge) {
  const pos_t margin = hb_sqrt(distance2) * (1 + (pos_t)1 / (1 << 20)) + edge / (1 << 20);
  return edge < (pos_t)INFINITY && (low < margin || high > edge - margin);
}

/// Squared distance from separations; not fused, so that it is the same on every machine.
HB_SUM_FORMULA sum_t squared_distance(sum_t x, sum_t y, sum_t z) { return x * x + y * y + z * z; }

/// From differences of coordinates, source less target, shifts added.
HB_FN pos_t distance2_in_image(pos_t x, pos_t y, pos_t z, PairBox box) {
  return squared_distance(separation(x, box.x), separation(y, box.y), separation(z, box.z));
}

HB_FN PairWay way_in_image(pos_t x, pos_t y, pos_t z, pos_t distance2, PairBox box, i32 image) {
  PairWay way;
  way.x = nearest_difference(x, box.x);
  way.y = nearest_difference(y, box.y);
  way.z = nearest_difference(z, box.z);
  way.distance2 = distance2;
  way.image = image;
  return way;
}

HB_FN pos_t least_distance2_to_cell(pos_t x, pos_t y, pos_t z, CellsView cells, i32 c, PairImage at) {
  return squared_distance(least_separation(cells.low_x[c], cells.high_x[c], at.x, x, x, at.box.x),
                          least_separation(cells.low_y[c], cells.high_y[c], at.y, y, y, at.box.y),
                          least_separation(cells.low_z[c], cells.high_z[c], at.z, z, z, at.box.z));
}

HB_FN pos_t largest_distance2_to_cell(pos_t x, pos_t y, pos_t z, CellsView cells, i32 c, PairImage at) {
  return squared_distance(largest_separation(cells.low_x[c], cells.high_x[c], at.x, x, x, at.box.x),
                          largest_separation(cells.low_y[c], cells.high_y[c], at.y, y, y, at.box.y),
                          largest_separation(cells.low_z[c], cells.high_z[c], at.z, z, z, at.box.z));
}

/// Particles of leaf c that can matter, of which no more than `most` do where all lie at one point.
HB_FN i32 candidates_of_leaf(CellsView cells, i32 c, i32 most) {
  const bool point =
      cells.low_x[c] == cells.high_x[c] && cells.low_y[c] == cells.high_y[c] && cells.low_z[c] == cells.high_z[c];
  return point && cells.count[c] > most ? most : cells.count[c];
}

HB_CLOSE

#endif
