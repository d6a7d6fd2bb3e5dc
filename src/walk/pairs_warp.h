// SPDX-License-Identifier: Apache-2.0
// Pairs on devices: the warp's walk of a group, and one thread a target. Cells near the group's box are opened, and the
// particles of their leaves are laid out in local memory, across leaves, where every target meets them. The kernels
// NAME_of_groups and NAME_of_each of all visitors of interactions/pair_visitors.h.
#ifndef HORNBEAM_WALK_PAIRS_WARP_H
#define HORNBEAM_WALK_PAIRS_WARP_H
#include "device/kernels/box.h"
#include "interactions/pair_visitors.h"
#include "walk/warp_walk.h"
HB_KERNELS_OPEN

/// Sources laid out at a time: two loads a lane are under way.
#define HB_STAGED (2 * HB_WARP)
/// A group that has met as many sources lies too wide, or its targets reach too differently, for tests of its box
/// alone: cells are then tested against every target.
#define HB_MANY_MET 2048

/// Local memory of a warp's walk.
typedef struct {
  HB_LOCAL pos_t* box;       ///< of the group, HB_BOX_VALUES; then the shift of the image that it walks in
  HB_LOCAL i32* leaf_first;  ///< HB_WARP: first particle of the leaf that a lane has noted
  HB_LOCAL i32* leaf_start;  ///< HB_WARP: sources in the leaves of the lanes before
  HB_LOCAL pos_t* targets;   ///< HB_MAX_GROUP of x, of y, of z, of reach
  HB_LOCAL pos_t* x;         ///< HB_STAGED each of x, y, z and index on input
  HB_LOCAL pos_t* y;
  HB_LOCAL pos_t* z;
  HB_LOCAL u32* input;
} PairRoom;

#define HB_MAKE_PAIR_ROOM(room)                                       \
  HB_WARP_ARRAY(pos_t, room##_box, HB_BOX_VALUES + 3);                \
  HB_WARP_ARRAY(i32, room##_leaf_first, HB_WARP);                     \
  HB_WARP_ARRAY(i32, room##_leaf_start, HB_WARP);                     \
  HB_WARP_ARRAY(pos_t, room##_targets, 4 * HB_MAX_GROUP);             \
  HB_WARP_ARRAY(pos_t, room##_x, HB_STAGED);                          \
  HB_WARP_ARRAY(pos_t, room##_y, HB_STAGED);                          \
  HB_WARP_ARRAY(pos_t, room##_z, HB_STAGED);                          \
  HB_WARP_ARRAY(u32, room##_input, HB_STAGED);                        \
  PairRoom room;                                                      \
  room.box = room##_box, room.leaf_first = room##_leaf_first;         \
  room.leaf_start = room##_leaf_start, room.targets = room##_targets; \
  room.x = room##_x, room.y = room##_y, room.z = room##_z;            \
  room.input = room##_input

/// Where one of a lane's targets stands; nowhere, where nothing is asked for it.
typedef struct {
  pos_t x, y, z;  ///< x is not a number: no distance from it is within reach
} PairPlace;

HB_DEVICE_FN bool is_somewhere(PairPlace place) { return place.x == place.x; }

/// A group on its walk, whatever visits.
typedef struct {
  PairRoom room;
  pos_t edge;  ///< of the periodic cube
  i32 image;   ///< that it walks in
  PairPlace place[HB_TARGETS];
  pos_t reach;                ///< the largest of the group's targets
  i32 moved;                  ///< whether sources may be met elsewhere than where they are
  i32 candidates, staged;     ///< of the leaves noted; those laid out so far
  i32 met;                    ///< all laid out so far
  i32 first_from, first_end;  ///< sources met before the walk
  i32 skip_first, skip_end;   ///< particles that have been met already
  i32 counted;                ///< a lane's particles of cells that were taken whole
} PairGroup;

/// The image that the group walks in. Its shift lies in local memory: registers are short.
HB_DEVICE_FN PairImage image_of_group(const PairGroup* s) {
  PairImage at;
  at.x = s->room.box[HB_BOX_VALUES];
  at.y = s->room.box[HB_BOX_VALUES + 1];
  at.z = s->room.box[HB_BOX_VALUES + 2];
  at.box = s->edge;
  at.image = s->image;
  return at;
}

HB_DEVICE_FN void enter_image(PairGroup* s, Warp warp, HB_GLOBAL const pos_t* images, i32 image) {
  if (warp.lane < 3) s->room.box[HB_BOX_VALUES + warp.lane] = images[image * HB_IMAGE_VALUES + warp.lane];
  s->image = image;
  warp_sync();
}

/// Box of the particles [first, end), at most HB_MAX_GROUP, to room.box, and their places.
HB_DEVICE_FN void place_targets(PairGroup* s, Warp warp, HB_GLOBAL const pos_t* x, HB_GLOBAL const pos_t* y,
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
  s->candidates = 0;
  s->staged = 0;
  s->met = 0;
  s->counted = 0;
  s->skip_first = 0;
  s->skip_end = 0;
}

/// Whether targets of the group may have neighbours within `distance2` across a face of the periodic cube.
HB_DEVICE_FN i32 reaches_images(const PairGroup* s, pos_t distance2) {
  HB_LOCAL const pos_t* box = s->room.box;
  const pos_t edge = s->edge, margin = image_margin(hb_max(distance2, (pos_t)0), edge);
  const pos_t low = hb_min(box[0], hb_min(box[1], box[2])), high = hb_max(box[3], hb_max(box[4], box[5]));
  return edge < (pos_t)INFINITY && (low < margin || high > edge - margin);
}

/// Least squared distance between the group's box and that of cell c.
HB_DEVICE_FN pos_t least_distance2_to_group(const PairGroup* s, CellsView cells, i32 c) {
  HB_LOCAL const pos_t* box = s->room.box;
  const PairImage at = image_of_group(s);
  return squared_distance(least_separation(cells.low_x[c], cells.high_x[c], at.x, box[0], box[3], at.box),
                          least_separation(cells.low_y[c], cells.high_y[c], at.y, box[1], box[4], at.box),
                          least_separation(cells.low_z[c], cells.high_z[c], at.z, box[2], box[5], at.box));
}

/// A bound on the largest.
HB_DEVICE_FN pos_t largest_distance2_to_group(const PairGroup* s, CellsView cells, i32 c) {
  HB_LOCAL const pos_t* box = s->room.box;
  const PairImage at = image_of_group(s);
  return squared_distance(largest_separation(cells.low_x[c], cells.high_x[c], at.x, box[0], box[3], at.box),
                          largest_separation(cells.low_y[c], cells.high_y[c], at.y, box[1], box[4], at.box),
                          largest_separation(cells.low_z[c], cells.high_z[c], at.z, box[2], box[5], at.box));
}

/// Notes the first `count` particles, from `first` on, of each lane's leaf; 0 for none. All that were noted before have
/// been met, unless no lane has a leaf.
HB_DEVICE_FN void note_candidates(PairGroup* s, Warp warp, i32 first, i32 count) {
  i32 total;
  const i32 start = warp_exclusive_scan(warp, count, &total);
  if (total > 0) {
    s->room.leaf_start[warp.lane] = start;
    s->room.leaf_first[warp.lane] = first;
    s->candidates = total;
    s->staged = 0;
  }
  warp_sync();
}

/// The particle that is candidate `number` of those noted: its leaf is the last that starts no later.
HB_DEVICE_FN i32 noted_candidate(const PairGroup* s, i32 number) {
  i32 lane = 0;
#pragma unroll
  for (i32 step = HB_WARP / 2; step > 0; step /= 2) {
    if (s->room.leaf_start[lane + step] <= number) lane += step;
  }
  return s->room.leaf_first[lane] + number - s->room.leaf_start[lane];
}

/// Sources [first_from, first_end) that the targets [first, end) meet before they walk: those beside them along the
/// curve or, where targets are apart, around the nearest cell of about as many.
HB_DEVICE_FN void first_sources(PairGroup* s, PairOptions pairs, CellsView cells, i32 first, i32 end, i32 beside) {
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

// A visitor's fields of the sources laid out.
#define HB_STAGED_MEMBER(type, field) HB_LOCAL type* field;
#define HB_STAGED_ARRAY(type, field) HB_WARP_ARRAY(type, staged_##field, HB_STAGED);
#define HB_SET_STAGED(type, field) s.source.field = staged_##field;
#define HB_STAGE_FIELD(type, field) s->source.field[at] = s->view->field[j];
#define HB_READ_STAGED(type, field) source.field = s->source.field[j];

// A kernel's view from its flat arguments.
#define HB_SET_VIEW(type, field) view.field = field;
#define HB_SET_VIEW_SOURCE(type, field) view.field = field, view.target_##field = target_##field;
#define HB_MAKE_PAIR_VIEW(NAME, Type) \
  Type##View view;                    \
  view.pairs = pairs;                 \
  view.options = options;             \
  HB_PAIR_FIELDS(HB_SET_VIEW)         \
  HB_SOURCES_##NAME(HB_SET_VIEW_SOURCE) HB_ARRAYS_##NAME(HB_SET_VIEW)

/// Everything of a visitor's walk of a group that depends on the visitor.
#define HB_PAIR_GROUP_WALK(NAME, Type)                                                                              \
  typedef struct {                                                                                                  \
    HB_SOURCES_##NAME(HB_STAGED_MEMBER) HB_LOCAL u32* input;                                                        \
  } Type##Staged;                                                                                                   \
                                                                                                                    \
  typedef struct {                                                                                                  \
    const Type##View* view;                                                                                         \
    PairGroup group;                                                                                                \
    Type##Staged source;                                                                                            \
    Type##Target target[HB_TARGETS];                                                                                \
  } Type##Group;                                                                                                    \
                                                                                                                    \
  /** Makes the targets' present reaches known to all lanes. */                                                     \
  HB_DEVICE_FN void NAME##_share_reach(Type##Group* s, Warp warp) {                                                 \
    pos_t largest = -1;                                                                                             \
    HB_UNROLL(2)                                                                                                    \
    for (i32 k = 0; k < HB_TARGETS; ++k) {                                                                          \
      const pos_t reach = is_somewhere(s->group.place[k]) ? NAME##_reach(&s->target[k]) : -1;                       \
      s->group.room.targets[3 * HB_MAX_GROUP + k * HB_WARP + warp.lane] = reach;                                    \
      largest = hb_max(largest, reach);                                                                             \
    }                                                                                                               \
    s->group.reach = -warp_least(warp, -largest);                                                                   \
    warp_sync();                                                                                                    \
  }                                                                                                                 \
                                                                                                                    \
  /** Square of the distance within which the group meets sources. */                                               \
  HB_DEVICE_FN pos_t NAME##_limit2_of_group(const Type##Group* s) {                                                 \
    const pos_t farthest = NAME##_sources_reach ? s->view->cell_reach[0] : 0;                                       \
    return s->group.reach < 0 ? -1 : NAME##_limit2(s->group.reach, farthest);                                       \
  }                                                                                                                 \
                                                                                                                    \
  HB_DEVICE_FN i32 NAME##_is_near_some(const Type##Group* s, CellsView cells, i32 c, pos_t cell_reach) {            \
    HB_LOCAL const pos_t* t = s->group.room.targets;                                                                \
    i32 near_some = 0;                                                                                              \
    for (i32 k = 0; k < HB_MAX_GROUP; ++k) {                                                                        \
      const pos_t reach = t[3 * HB_MAX_GROUP + k];                                                                  \
      const pos_t distance2 = least_distance2_to_cell(t[k], t[HB_MAX_GROUP + k], t[2 * HB_MAX_GROUP + k], cells, c, \
                                                      image_of_group(&s->group));                                   \
      near_some |= reach >= 0 && distance2 <= NAME##_limit2(reach, cell_reach);                                     \
    }                                                                                                               \
    return near_some;                                                                                               \
  }                                                                                                                 \
                                                                                                                    \
  HB_DEVICE_FN i32 NAME##_settle(Type##Group* s, Warp warp, CellsView cells, i32 c, i32 has) {                      \
    const pos_t cell_reach = NAME##_sources_reach ? s->view->cell_reach[c] : 0;                                     \
    const pos_t limit2 = NAME##_limit2(s->group.reach, cell_reach);                                                 \
    i32 open = has && least_distance2_to_group(&s->group, cells, c) <= limit2;                                      \
    if (open && s->group.met >= HB_MANY_MET) open = NAME##_is_near_some(s, cells, c, cell_reach);                   \
    const i32 whole =                                                                                               \
        open && NAME##_takes_whole(s->view) && largest_distance2_to_group(&s->group, cells, c) <= limit2;           \
    if (whole) s->group.counted += cells.count[c];                                                                  \
    return open && !whole;                                                                                          \
  }                                                                                                                 \
                                                                                                                    \
  HB_DEVICE_FN void NAME##_on_leaves(Type##Group* s, Warp warp, CellsView cells, i32 c, i32 is) {                   \
    note_candidates(&s->group, warp, cells.first[c],                                                                \
                    is ? candidates_of_leaf(cells, c, NAME##_most_at_point(s->view)) : 0);                          \
  }                                                                                                                 \
                                                                                                                    \
  /** Lays out particle j, out of everyone's reach if it has been met already. */                                   \
  HB_DEVICE_FN void NAME##_stage(Type##Group* s, i32 at, i32 j) {                                                   \
    const bool met = j >= s->group.skip_first && j < s->group.skip_end;                                             \
    s->group.room.x[at] = met ? (pos_t)NAN : s->view->x[j];                                                         \
    s->group.room.y[at] = s->view->y[j];                                                                            \
    s->group.room.z[at] = s->view->z[j];                                                                            \
    s->source.input[at] = s->view->input[j];                                                                        \
    HB_SOURCES_##NAME(HB_STAGE_FIELD)                                                                               \
  }                                                                                                                 \
                                                                                                                    \
  HB_DEVICE_FN Type##Source NAME##_staged(const Type##Group* s, i32 j) {                                            \
    Type##Source source;                                                                                            \
    source.input = s->source.input[j];                                                                              \
    HB_SOURCES_##NAME(HB_READ_STAGED) return source;                                                                \
  }                                                                                                                 \
                                                                                                                    \
  /** The first n of the sources laid out; moved: a constant, so that each case has code of its own. */             \
  HB_DEVICE_FN void NAME##_meet_staged(Type##Group* s, i32 moved, i32 n) {                                          \
    const PairImage at = image_of_group(&s->group);                                                                 \
    for (i32 j = 0; j < n; ++j) {                                                                                   \
      const Type##Source source = NAME##_staged(s, j);                                                              \
      HB_UNROLL(2)                                                                                                  \
      for (i32 k = 0; k < HB_TARGETS; ++k) {                                                                        \
        pos_t x = s->group.room.x[j] - s->group.place[k].x, y = s->group.room.y[j] - s->group.place[k].y;           \
        pos_t z = s->group.room.z[j] - s->group.place[k].z;                                                         \
        if (moved) {                                                                                                \
          x += at.x;                                                                                                \
          y += at.y;                                                                                                \
          z += at.z;                                                                                                \
        }                                                                                                           \
        const pos_t box = moved ? at.box : (pos_t)INFINITY;                                                         \
        const pos_t d2 = moved ? distance2_in_image(x, y, z, box) : squared_distance(x, y, z);                      \
        if (!(d2 <= NAME##_limit2(NAME##_reach(&s->target[k]), NAME##_source_reach(source)))) continue;             \
        NAME##_meet(s->view, &s->target[k], source, way_in_image(x, y, z, d2, box, at.image));                      \
      }                                                                                                             \
    }                                                                                                               \
  }                                                                                                                 \
                                                                                                                    \
  HB_DEVICE_FN i32 NAME##_work(Type##Group* s, Warp warp, CellsView cells, i32 last) {                              \
    HB_WARP_IF(s->group.staged < s->group.candidates) {                                                             \
      const i32 n = hb_min(s->group.candidates - s->group.staged, HB_STAGED);                                       \
      HB_UNROLL(2)                                                                                                  \
      for (i32 at = warp.lane; at < HB_STAGED; at += HB_WARP) {                                                     \
        if (at < n) NAME##_stage(s, at, noted_candidate(&s->group, s->group.staged + at));                          \
      }                                                                                                             \
      s->group.staged += n;                                                                                         \
      s->group.met += n;                                                                                            \
      warp_sync();                                                                                                  \
      if (s->group.moved) {                                                                                         \
        NAME##_meet_staged(s, 1, n);                                                                                \
      } else {                                                                                                      \
        NAME##_meet_staged(s, 0, n);                                                                                \
      }                                                                                                             \
      HB_AFTER_MEETING(HB_REACH_##NAME, NAME)                                                                       \
    }                                                                                                               \
    return s->group.staged < s->group.candidates;                                                                   \
  }                                                                                                                 \
                                                                                                                    \
  HB_GROUP_WALK(NAME, Type##Group)                                                                                  \
                                                                                                                    \
  HB_DEVICE_FN void NAME##_begin_group(Type##Group* s, Warp warp, i32 first, i32 end) {                             \
    s->group.edge = s->view->pairs.box;                                                                             \
    enter_image(&s->group, warp, s->view->images, 0);                                                               \
    place_targets(&s->group, warp, s->view->target_x, s->view->target_y, s->view->target_z, first, end);            \
    HB_UNROLL(2)                                                                                                    \
    for (i32 k = 0; k < HB_TARGETS; ++k) {                                                                          \
      const i32 i = first + k * HB_WARP + warp.lane;                                                                \
      s->target[k] = NAME##_begin(s->view, hb_min(i, end - 1));                                                     \
      if (i >= end || NAME##_reach(&s->target[k]) < 0) s->group.place[k].x = (pos_t)NAN;                            \
    }                                                                                                               \
    NAME##_share_reach(s, warp);                                                                                    \
  }                                                                                                                 \
                                                                                                                    \
  /** Targets whose reach shrinks meet sources beside them first. */                                                \
  HB_DEVICE_FN void NAME##_meet_beside(Type##Group* s, Warp warp, CellsView cells, i32 first, i32 end) {            \
    first_sources(&s->group, s->view->pairs, cells, first, end, NAME##_beside(s->view));                            \
    for (i32 j = s->group.first_from; j < s->group.first_end; j += HB_WARP) {                                       \
      const i32 count = hb_min(s->group.first_end - j, HB_WARP);                                                    \
      if (warp.lane < count) NAME##_stage(s, warp.lane, j + warp.lane);                                             \
      warp_sync();                                                                                                  \
      NAME##_meet_staged(s, 1, count);                                                                              \
      warp_sync();                                                                                                  \
    }                                                                                                               \
    s->group.skip_first = s->group.first_from;                                                                      \
    s->group.skip_end = s->group.first_end;                                                                         \
    NAME##_share_reach(s, warp);                                                                                    \
  }                                                                                                                 \
                                                                                                                    \
  /** The walk in one image. */                                                                                     \
  HB_DEVICE_FN void NAME##_walk_image(Type##Group* s, Warp warp, CellsView cells, HB_LOCAL i32* stack, i32 image) { \
    enter_image(&s->group, warp, s->view->images, image);                                                           \
    s->group.moved = image > 0 || reaches_images(&s->group, NAME##_limit2_of_group(s));                             \
    GroupWalkProgress progress = walk_to_begin();                                                                   \
    const i32 starts = s->group.reach >= 0 ? s->view->pairs.starts : 0;                                             \
    NAME##_group_walk(s, warp, cells, stack, s->view->start, starts, &progress);                                    \
    s->group.skip_end = 0; /* that was the image where sources stand */                                             \
  }                                                                                                                 \
                                                                                                                    \
  HB_DEVICE_FN void NAME##_finish_group(Type##Group* s, Warp warp) {                                                \
    const i32 counted = warp_sum_index(warp, s->group.counted);                                                     \
    HB_UNROLL(2)                                                                                                    \
    for (i32 k = 0; k < HB_TARGETS; ++k) {                                                                          \
      if (!is_somewhere(s->group.place[k])) continue;                                                               \
      if (counted > 0) NAME##_meet_cell(s->view, &s->target[k], counted);                                           \
      NAME##_finish(s->view, &s->target[k]);                                                                        \
    }                                                                                                               \
  }

// What the lanes do once sources laid out have been met: HB_REACH_NAME is STAYS or SHRINKS.
#define HB_AFTER_MEETING(how, NAME) HB_AFTER_MEETING_OF(how, NAME)
#define HB_AFTER_MEETING_OF(how, NAME) HB_AFTER_MEETING_##how(NAME)
#define HB_AFTER_MEETING_STAYS(NAME) warp_sync();
#define HB_AFTER_MEETING_SHRINKS(NAME) NAME##_share_reach(s, warp);
// What a group does before it walks.
#define HB_BEFORE_WALK(how, NAME) HB_BEFORE_WALK_OF(how, NAME)
#define HB_BEFORE_WALK_OF(how, NAME) HB_BEFORE_WALK_##how(NAME)
#define HB_BEFORE_WALK_STAYS(NAME)
#define HB_BEFORE_WALK_SHRINKS(NAME) NAME##_meet_beside(&s, warp, cells, group_first[g], group_first[g + 1]);

#define HB_PAIR_KERNELS_OF(NAME, Type, F, W)                                                           \
  HB_PAIR_GROUP_WALK(NAME, Type)                                                                       \
                                                                                                       \
  HB_WARP_KERNEL(NAME##_of_groups) {                                                                   \
    HB_WARP_ARRAY(i32, stack, HB_STACK);                                                               \
    HB_MAKE_PAIR_ROOM(room);                                                                           \
    HB_SOURCES_##NAME(HB_STAGED_ARRAY) HB_MAKE_WARP(warp);                                             \
    HB_CELLS(cells)                                                                                    \
    HB_MAKE_PAIR_VIEW(NAME, Type)                                                                      \
    const i32 g = hb_warp_item();                                                                      \
    HB_LEAVE_SURPLUS(g >= groups);                                                                     \
    Type##Group s;                                                                                     \
    s.view = &view;                                                                                    \
    s.group.room = room;                                                                               \
    s.source.input = room.input;                                                                       \
    HB_SOURCES_##NAME(HB_SET_STAGED) NAME##_begin_group(&s, warp, group_first[g], group_first[g + 1]); \
    HB_BEFORE_WALK(HB_REACH_##NAME, NAME)                                                              \
    for (i32 image = 0; image < pairs.images; ++image) {                                               \
      NAME##_walk_image(&s, warp, cells, stack, image);                                                \
    }                                                                                                  \
    NAME##_finish_group(&s, warp);                                                                     \
  }                                                                                                    \
                                                                                                       \
  HB_KERNEL(NAME##_of_each) {                                                                          \
    HB_CELLS(cells)                                                                                    \
    HB_MAKE_PAIR_VIEW(NAME, Type)                                                                      \
    const i32 i = hb_item();                                                                           \
    if (i < pairs.targets) NAME##_of_target(&view, cells, i);                                          \
  }

HB_KERNELS_OPEN

HB_PAIR_VISITORS(HB_PAIR_KERNELS_OF, , )

/// The largest reach in each of the cells [begin, end) of one level, whose children are done.
HB_KERNEL(reach_of_cells) {
  const i32 c = begin + hb_item();
  if (c >= end) return;
  const bool leaf = children[c] == 0;
  HB_GLOBAL const pos_t* values = leaf ? source_reach + first[c] : cell_reach + child[c];
  const i32 n = leaf ? count[c] : children[c];
  pos_t largest = values[0];
  for (i32 k = 1; k < n; ++k) largest = hb_max(largest, values[k]);
  cell_reach[c] = largest;
}

HB_KERNELS_CLOSE
#endif
