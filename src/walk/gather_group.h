// SPDX-License-Identifier: Apache-2.0
// Gathering on devices, until sums are made: a warp of 32 targets, one a lane, walks for all of them and notes which
// particles of the leaves that it comes upon are near its box, a round of them at a time. What is done with a round
// comes next: gather_warp.h.
#ifndef HORNBEAM_WALK_GATHER_GROUP_H
#define HORNBEAM_WALK_GATHER_GROUP_H
#include "walk/gather.h"
#include "walk/pairs_warp.h"
HB_KERNELS_OPEN

/// Ways between places from the middle are off by 2^-24 of the distances laid out. That is exact enough for the sums of
/// a target that reaches at least this part of them, but for pairs closer than that part of its reach.
#define HB_LEAST_REACH ((real)0.25f)
#define HB_CLOSE_PAIR ((real)0.25f)

/// Local memory of a warp that gathers.
typedef struct {
  HB_LOCAL pos_t* box;     ///< of the targets, HB_BOX_VALUES; then the shift of the image that it walks in
  HB_LOCAL Real4* target;  ///< HB_WARP: where targets stand from the middle, and how far they reach, or -1
  HB_LOCAL i32* place;     ///< HB_ROUND + HB_WARP: particles near the box, those of the round
  HB_LOCAL Real4* source;  ///< HB_LAID_OUT: where sources stand from the middle, x_j, and -x_j^2 / 2; then as many of
                           ///< each quarter of their states
  HB_LOCAL real* mass;     ///< HB_LAID_OUT
  HB_LOCAL real* reached;  ///< HB_LAID_OUT: h_j^2 / 2 - x_j^2 / 2
} GatherRoom;

typedef struct {
  GatherRoom room;
  NotedLeaves noted;
  HB_GLOBAL const real* places;
  HB_GLOBAL const pos_t* cell_reach;
  i32 sources_reach;
  pos_t unit, length;           ///< internal length per length, and length per internal one
  SplitPlace own, middle;       ///< the lane's target and the middle of the box, as the image sees them
  real x, y, z, limit2;         ///< the lane's target from the middle; square of its reach
  real half_x, half_y, half_z;  ///< of the box
  real reach, slack;            ///< the largest; what rounding may take from a distance
  i32 exact;                    ///< whether ways between places from the middle are too rough for some target
  i32 count, met;               ///< particles of the round; of all rounds
  i32 found;                    ///< how many of these the lane has reached
} GatherWarp;

/// Begins with targets that are at (x, y, z) and reach `reach`, internal; below 0: none. Returns whether there are
/// any.
HB_DEVICE_FN i32 gather_begin(GatherWarp* s, Warp warp, GatherFrame frame, pos_t x, pos_t y, pos_t z, real reach) {
  const i32 is = reach >= 0;
  const pos_t none = (pos_t)INFINITY;
  const pos_t low_x = warp_least(warp, is ? x : none), high_x = -warp_least(warp, is ? -x : none);
  const pos_t low_y = warp_least(warp, is ? y : none), high_y = -warp_least(warp, is ? -y : none);
  const pos_t low_z = warp_least(warp, is ? z : none), high_z = -warp_least(warp, is ? -z : none);
  if (warp.lane == 0) {
    s->room.box[0] = low_x;
    s->room.box[1] = low_y;
    s->room.box[2] = low_z;
    s->room.box[3] = high_x;
    s->room.box[4] = high_y;
    s->room.box[5] = high_z;
  }
  s->unit = frame.unit;
  s->length = 1 / frame.unit;
  s->half_x = hb_narrow((high_x - low_x) * (frame.unit / 2));
  s->half_y = hb_narrow((high_y - low_y) * (frame.unit / 2));
  s->half_z = hb_narrow((high_z - low_z) * (frame.unit / 2));
  s->reach = (real)-warp_least(warp, (pos_t)-reach);
  s->slack = 1e-6f * (s->half_x + s->half_y + s->half_z + s->reach);
  s->reach = s->reach + s->slack;
  s->limit2 = is ? (reach + s->slack) * (reach + s->slack) : -1;
  const real least = (real)warp_least(warp, is ? (pos_t)reach : none);
  const real farthest = hb_max(hb_max(s->half_x, s->half_y), s->half_z) + s->reach;
  s->exact = HB_PRECISION != HB_DOUBLE && least < HB_LEAST_REACH * farthest;
  s->met = 0;
  s->found = 0;
  warp_sync();
  return s->reach >= 0;
}

/// p, which loops would else find from its fp64 numbers again and again.
HB_DEVICE_FN SplitPlace kept_place(SplitPlace p) {
  p.x.high = hb_kept(p.x.high);
  p.x.low = hb_kept(p.x.low);
  p.y.high = hb_kept(p.y.high);
  p.y.low = hb_kept(p.y.low);
  p.z.high = hb_kept(p.z.high);
  p.z.low = hb_kept(p.z.low);
  return p;
}

/// Goes on in an image of the list, with no marks.
HB_DEVICE_FN void gather_enter(GatherWarp* s, Warp warp, GatherFrame frame, pos_t x, pos_t y, pos_t z,
                               HB_GLOBAL const pos_t* images, i32 image) {
  HB_LOCAL const pos_t* box = s->room.box;
  const pos_t shift_x = images[image * HB_IMAGE_VALUES], shift_y = images[image * HB_IMAGE_VALUES + 1];
  const pos_t shift_z = images[image * HB_IMAGE_VALUES + 2];
  if (warp.lane < 3) s->room.box[HB_BOX_VALUES + warp.lane] = images[image * HB_IMAGE_VALUES + warp.lane];
  s->own = kept_place(split_in_frame(frame, x - shift_x, y - shift_y, z - shift_z));
  s->middle = kept_place(split_in_frame(frame, (box[0] + box[3]) / 2 - shift_x, (box[1] + box[4]) / 2 - shift_y,
                                        (box[2] + box[5]) / 2 - shift_z));
  const HB_OF(GatherWay, real) way =
      gather_way(s->middle, s->own.x.high, s->own.y.high, s->own.z.high, s->own.x.low, s->own.y.low, s->own.z.low);
  s->x = way.x;
  s->y = way.y;
  s->z = way.z;
  s->room.target[warp.lane] = hb_real4(way.x, way.y, way.z, s->limit2);
  s->noted.candidates = 0;
  s->noted.staged = 0;
  warp_sync();
}

/// Squared distance of a place from the middle to the box of the targets.
HB_DEVICE_FN real distance2_to_targets(const GatherWarp* s, real x, real y, real z) {
  const real dx = hb_max(hb_abs(x) - s->half_x, (real)0), dy = hb_max(hb_abs(y) - s->half_y, (real)0);
  const real dz = hb_max(hb_abs(z) - s->half_z, (real)0);
  return hb_fma(dx, dx, hb_fma(dy, dy, dz * dz));
}

/// The place `from` the middle of a bound of cells along one axis.
HB_DEVICE_FN real bound_from_middle(pos_t bound, pos_t low, pos_t high, pos_t shift, pos_t unit) {
  return hb_narrow((bound - ((low + high) / 2 - shift)) * unit);
}

/// Whether some target, or something in the cell, reaches the other.
HB_DEVICE_FN i32 gather_is_near_some(const GatherWarp* s, CellsView cells, i32 c, real cell_reach) {
  HB_LOCAL const pos_t* box = s->room.box;
  const real low_x = bound_from_middle(cells.low_x[c], box[0], box[3], box[6], s->unit);
  const real high_x = bound_from_middle(cells.high_x[c], box[0], box[3], box[6], s->unit);
  const real low_y = bound_from_middle(cells.low_y[c], box[1], box[4], box[7], s->unit);
  const real high_y = bound_from_middle(cells.high_y[c], box[1], box[4], box[7], s->unit);
  const real low_z = bound_from_middle(cells.low_z[c], box[2], box[5], box[8], s->unit);
  const real high_z = bound_from_middle(cells.high_z[c], box[2], box[5], box[8], s->unit);
  const real limit2 = (cell_reach + s->slack) * (cell_reach + s->slack);
  i32 near_some = 0;
  for (i32 k = 0; k < HB_WARP; ++k) {
    const Real4 t = s->room.target[k];
    const real dx = hb_max(hb_max(low_x - t.x, t.x - high_x), (real)0);
    const real dy = hb_max(hb_max(low_y - t.y, t.y - high_y), (real)0);
    const real dz = hb_max(hb_max(low_z - t.z, t.z - high_z), (real)0);
    const real d2 = hb_fma(dx, dx, hb_fma(dy, dy, dz * dz));
    near_some |= t.w >= 0 && d2 <= hb_max(t.w, limit2);
  }
  return near_some;
}

/// Whether some target may reach something in cell c, or that the targets, in an image of that shift. Distances are
/// those of least_distance2_to_box() in open space, at half its instructions.
HB_DEVICE_FN i32 gather_meets(const GatherWarp* s, CellsView cells, i32 c, pos_t shift_x, pos_t shift_y, pos_t shift_z,
                              real cell_reach) {
  HB_LOCAL const pos_t* box = s->room.box;
  const pos_t reach = (pos_t)(hb_max(s->reach, cell_reach) + s->slack) * s->length;
  const pos_t x = hb_max((cells.low_x[c] - box[3]) + shift_x, (box[0] - cells.high_x[c]) - shift_x);
  const pos_t y = hb_max((cells.low_y[c] - box[4]) + shift_y, (box[1] - cells.high_y[c]) - shift_y);
  const pos_t z = hb_max((cells.low_z[c] - box[5]) + shift_z, (box[2] - cells.high_z[c]) - shift_z);
  return squared_distance(hb_max(x, (pos_t)0), hb_max(y, (pos_t)0), hb_max(z, (pos_t)0)) <= reach * reach;
}

/// The furthest that a source in cell c reaches, internal.
HB_DEVICE_FN real gather_cell_reach(const GatherWarp* s, i32 c) {
  return s->sources_reach ? hb_narrow(s->cell_reach[c] * s->unit) : 0;
}

/// A bit for each image, from number last - 1 on downwards, in which the targets may meet something; always for image
/// 0.
HB_DEVICE_FN u32 gather_images(const GatherWarp* s, Warp warp, CellsView cells, HB_GLOBAL const pos_t* images,
                               i32 last) {
  const i32 image = hb_max(last - 1 - warp.lane, 0);
  HB_GLOBAL const pos_t* shift = images + image * HB_IMAGE_VALUES;
  return warp_ballot(warp, warp.lane < last && (image == 0 || gather_meets(s, cells, 0, shift[0], shift[1], shift[2],
                                                                           gather_cell_reach(s, 0))));
}

HB_DEVICE_FN i32 gather_settle(GatherWarp* s, Warp warp, CellsView cells, i32 c, i32 has) {
  HB_LOCAL const pos_t* shift = s->room.box + HB_BOX_VALUES;
  (void)warp;
  const real cell_reach = gather_cell_reach(s, c);
  i32 open = has && gather_meets(s, cells, c, shift[0], shift[1], shift[2], cell_reach);
  if (open && s->met >= HB_MANY_MET) open = gather_is_near_some(s, cells, c, cell_reach);
  return open;
}

HB_DEVICE_FN void gather_on_leaves(GatherWarp* s, Warp warp, CellsView cells, i32 c, i32 is) {
  note_candidates(&s->noted, warp, cells.first[c], is ? cells.count[c] : 0);
}

/// Those of the next particles noted that are near the box join the round.
HB_DEVICE_FN void gather_noted(GatherWarp* s, Warp warp) {
  const i32 number = s->noted.staged + warp.lane, has = number < s->noted.candidates;
  const i32 j = has ? noted_candidate(&s->noted, number) : 0;
  HB_GLOBAL const real* row = s->places + (u64)j * HB_PLACE_ROW;
  const Four high = hb_four(row), low = hb_four(row + 4);
  const HB_OF(GatherWay, real) way = gather_way(s->middle, high.x, high.y, high.z, low.x, low.y, low.z);
  const real farthest = s->sources_reach ? hb_max(low.w + s->slack, s->reach) : s->reach;
  const i32 near = has && distance2_to_targets(s, way.x, way.y, way.z) <= farthest * farthest;
  const u32 bits = warp_ballot(warp, near);
  if (near) s->room.place[s->count + hb_popcount(bits & ((1u << warp.lane) - 1u))] = j;
  s->count += hb_popcount(bits);
  s->met += hb_popcount(bits);
  s->noted.staged = hb_min(s->noted.staged + HB_WARP, s->noted.candidates);
  warp_sync();
}

HB_DEVICE_FN i32 gather_work(GatherWarp* s, Warp warp, CellsView cells, i32 last) {
  (void)cells;
  (void)last;
  HB_WARP_IF(s->noted.staged < s->noted.candidates) { gather_noted(s, warp); }
  if (s->count > HB_ROUND) return HB_PAUSE;
  return s->noted.staged < s->noted.candidates;
}

#define HB_WALKER gather
#define HB_WALKER_STATE GatherWarp
#include "walk/warp_walk.inc"

/// Goes on without the targets of the lanes with `leaves` set.
HB_DEVICE_FN void gather_without(GatherWarp* s, Warp warp, i32 leaves) {
  if (leaves) {
    s->limit2 = -1;
    s->room.target[warp.lane].w = -1;
  }
  const real left = s->limit2 >= 0 ? hb_sqrt(s->limit2) + s->slack : -1;
  s->reach = (real)-warp_least(warp, (pos_t)-left);
  warp_sync();
}

// Targets may leave their groups, to be summed by warps of their own (gather_crowded.h): those near their sources by
// one each, those that reach far by many.

/// An array of 2 + 2 n numbers for n targets: how many of each kind there are, then which.
HB_DEVICE_FN i32 crowd_place(i32 n, i32 kind, i32 k) { return 2 + kind * n + k; }

HB_DEVICE_FN void join_crowd(HB_GLOBAL u32* crowded, i32 n, i32 kind, i32 target) {
  crowded[crowd_place(n, kind, (i32)hb_count_up(crowded + kind))] = (u32)target;
}

HB_KERNELS_CLOSE
#endif
