// SPDX-License-Identifier: Apache-2.0
// What a warp's walk over pairs does for a group of targets whoever visits:
// where targets stand, which cells come near, which particles are laid out
// next. The walk comes next: pairs_warp.h.
#ifndef HORNBEAM_WALK_PAIRS_GROUP_H
#define HORNBEAM_WALK_PAIRS_GROUP_H
#include "device/kernels/box.h"
#include "walk/noted_leaves.h"
#include "walk/pairs.h"
#include "walk/warp_walk.h"
HB_KERNELS_OPEN

/// Sources laid out at a time: two loads a lane are under way.
#define HB_STAGED (2 * HB_WARP)
/// A group that has met as many sources lies too wide, or its targets reach too
/// differently, for tests of its box alone: cells are then tested against every
/// target.
#define HB_MANY_MET 2048

/// Local memory of a warp's walk.
typedef struct {
  HB_LOCAL pos_t* box;      ///< of the group, HB_BOX_VALUES; then the shift of the
                            ///< image that it walks in
  HB_LOCAL i32* skip;       ///< particles from the first to the second have been met already
  HB_LOCAL pos_t* targets;  ///< HB_MAX_GROUP of x, of y, of z, of reach
  HB_LOCAL pos_t* x;        ///< HB_STAGED each of x, y, z and where it is in the view
  HB_LOCAL pos_t* y;
  HB_LOCAL pos_t* z;
  HB_LOCAL i32* place;
} PairRoom;

/// Where one of a lane's targets stands; nowhere, where nothing is requested
/// it.
typedef struct {
  pos_t x, y, z;  ///< x is not a number: no distance from it is within reach
} PairPlace;

HB_DEVICE_FN bool is_somewhere(PairPlace place) { return place.x == place.x; }

/// A group on its walk, whatever visits.
typedef struct {
  PairRoom room;
  PairBox edge;  ///< of the periodic box
  i32 image;     ///< that it walks in
  PairPlace place[HB_TARGETS];
  pos_t reach;  ///< the largest of the group's targets
  i32 moved;    ///< whether sources may be met elsewhere than where they are
  NotedLeaves noted;
  i32 end;                    ///< of the targets
  i32 met;                    ///< all laid out so far
  i32 first_from, first_end;  ///< sources met before the walk
  i32 counted;                ///< a lane's particles of cells that were taken whole
} PairWarp;

/// The image that the group walks in. Its shift lies in local memory: registers
/// are short.
HB_DEVICE_FN PairImage image_of_group(const PairWarp* s) {
  PairImage at;
  at.x = s->room.box[HB_BOX_VALUES];
  at.y = s->room.box[HB_BOX_VALUES + 1];
  at.z = s->room.box[HB_BOX_VALUES + 2];
  at.box = s->edge;
  at.image = s->image;
  return at;
}

HB_DEVICE_FN void enter_image(PairWarp* s, Warp warp, HB_GLOBAL const pos_t* images, i32 image) {
  if (warp.lane < 3) s->room.box[HB_BOX_VALUES + warp.lane] = images[image * HB_IMAGE_VALUES + warp.lane];
  s->image = image;
  warp_sync();
}

HB_DEVICE_FN void skip_sources(PairWarp* s, Warp warp, i32 first, i32 end) {
  if (warp.lane == 0) {
    s->room.skip[0] = first;
    s->room.skip[1] = end;
  }
  warp_sync();
}

/// Box of the particles [first, end), at most HB_MAX_GROUP, to room.box, and
/// their places.
HB_DEVICE_FN void place_targets(PairWarp* s, Warp warp, HB_GLOBAL const pos_t* x, HB_GLOBAL const pos_t* y,
                                HB_GLOBAL const pos_t* z, i32 first, i32 end) {
  const PlaceBox b = box_of_lanes(warp, box_of_every(x, y, z, first + warp.lane, end, HB_WARP));
  if (warp.lane == 0) {
    s->room.box[0] = b.low_x;
    s->room.box[1] = b.low_y;
    s->room.box[2] = b.low_z;
    s->room.box[3] = b.high_x;
    s->room.box[4] = b.high_y;
    s->room.box[5] = b.high_z;
  }
#pragma unroll
  for (i32 k = 0; k < HB_TARGETS; ++k) {
    const i32 held = hb_min(first + k * HB_WARP + warp.lane, end - 1);
    s->place[k].x = x[held];
    s->place[k].y = y[held];
    s->place[k].z = z[held];
    HB_LOCAL pos_t* shared = s->room.targets + k * HB_WARP + warp.lane;
    shared[0] = s->place[k].x;
    shared[HB_MAX_GROUP] = s->place[k].y;
    shared[2 * HB_MAX_GROUP] = s->place[k].z;
  }
  s->end = end;
  s->noted.candidates = 0;
  s->noted.staged = 0;
  s->met = 0;
  s->counted = 0;
}

/// Whether targets of the group may have neighbours within `distance2` across a
/// face of the periodic box.
HB_DEVICE_FN i32 reaches_images(const PairWarp* s, pos_t distance2) {
  HB_LOCAL const pos_t* box = s->room.box;
  const pos_t d2 = hb_max(distance2, (pos_t)0);
  return reaches_face(box[0], box[3], d2, s->edge.x) || reaches_face(box[1], box[4], d2, s->edge.y) ||
         reaches_face(box[2], box[5], d2, s->edge.z);
}

/// Least squared distance between a box and that of cell c.
HB_DEVICE_FN pos_t least_distance2_to_box(HB_LOCAL const pos_t* box, CellsView cells, i32 c, PairImage at) {
  return squared_distance(least_separation(cells.low_x[c], cells.high_x[c], at.x, box[0], box[3], at.box.x),
                          least_separation(cells.low_y[c], cells.high_y[c], at.y, box[1], box[4], at.box.y),
                          least_separation(cells.low_z[c], cells.high_z[c], at.z, box[2], box[5], at.box.z));
}

HB_DEVICE_FN pos_t least_distance2_to_group(const PairWarp* s, CellsView cells, i32 c) {
  return least_distance2_to_box(s->room.box, cells, c, image_of_group(s));
}

/// A bound on the largest.
HB_DEVICE_FN pos_t largest_distance2_to_group(const PairWarp* s, CellsView cells, i32 c) {
  HB_LOCAL const pos_t* box = s->room.box;
  const PairImage at = image_of_group(s);
  return squared_distance(largest_separation(cells.low_x[c], cells.high_x[c], at.x, box[0], box[3], at.box.x),
                          largest_separation(cells.low_y[c], cells.high_y[c], at.y, box[1], box[4], at.box.y),
                          largest_separation(cells.low_z[c], cells.high_z[c], at.z, box[2], box[5], at.box.z));
}

/// Sources [first_from, first_end) that the targets [first, end) meet before
/// they walk: those next to them along the curve or, where targets are apart,
/// around the nearest cell of about as many.
HB_DEVICE_FN void first_sources(PairWarp* s, PairOptions pairs, CellsView cells, i32 first, i32 end, i32 beside) {
  const i32 met = hb_min(pairs.sources, end - first + 2 * beside);
  i32 from = first - beside;
  if (pairs.apart) {
    i32 c = 0;
    while (cells.children[c] > 0 && cells.count[c] > met) {
      i32 nearest = cells.child[c];
      for (i32 child = nearest + 1; child < cells.child[c] + cells.children[c]; ++child) {
        if (least_distance2_to_group(s, cells, child) < least_distance2_to_group(s, cells, nearest)) nearest = child;
      }
      c = nearest;
    }
    from = cells.first[c] + cells.count[c] / 2 - met / 2;
  }
  s->first_from = hb_min(hb_max(from, 0), pairs.sources - met);
  s->first_end = s->first_from + met;
}

HB_KERNELS_CLOSE
#endif
