// SPDX-License-Identifier: Apache-2.0
// Pairs on devices: the warp's walk of a group, and one thread a target. Cells
// near the group's box are opened, and the particles of their leaves are laid
// out in local memory, across leaves, where every target meets them. The
// kernels NAME_of_groups and NAME_of_each of all visitors of
// interactions/pair_visitors.h.
#ifndef HORNBEAM_WALK_PAIRS_WARP_H
#define HORNBEAM_WALK_PAIRS_WARP_H
#include "pair_visitors.h"
#include "walk/pairs_group.h"

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
    HB_SOURCES_##NAME(HB_STAGED_MEMBER) HB_LOCAL i32* place;                                                        \
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
    i32 open = has && (!NAME##_meets_earlier || cells.first[c] < s->group.end) &&                                   \
               least_distance2_to_group(&s->group, cells, c) <= limit2;                                             \
    if (open && s->group.met >= HB_MANY_MET) open = NAME##_is_near_some(s, cells, c, cell_reach);                   \
    const i32 whole =                                                                                               \
        open && NAME##_takes_whole(s->view) && largest_distance2_to_group(&s->group, cells, c) <= limit2;           \
    if (whole) s->group.counted += cells.count[c];                                                                  \
    return open && !whole;                                                                                          \
  }                                                                                                                 \
                                                                                                                    \
  HB_DEVICE_FN void NAME##_on_leaves(Type##Group* s, Warp warp, CellsView cells, i32 c, i32 is) {                   \
    const i32 first = cells.first[c], count = is ? candidates_of_leaf(cells, c, NAME##_most_at_point(s->view)) : 0; \
    note_candidates(&s->group.noted, warp, first,                                                                   \
                    NAME##_meets_earlier&& is ? hb_min(count, s->group.end - first) : count);                       \
  }                                                                                                                 \
                                                                                                                    \
  /** Lays out particle j, out of everyone's reach if it has been met already.                                      \
   */                                                                                                               \
  HB_DEVICE_FN void NAME##_stage(Type##Group* s, i32 at, i32 j) {                                                   \
    const bool met = j >= s->group.room.skip[0] && j < s->group.room.skip[1];                                       \
    s->group.room.x[at] = met ? (pos_t)NAN : s->view->x[j];                                                         \
    s->group.room.y[at] = s->view->y[j];                                                                            \
    s->group.room.z[at] = s->view->z[j];                                                                            \
    s->source.place[at] = j;                                                                                        \
    HB_SOURCES_##NAME(HB_STAGE_FIELD)                                                                               \
  }                                                                                                                 \
                                                                                                                    \
  HB_DEVICE_FN Type##Source NAME##_staged(const Type##Group* s, i32 j) {                                            \
    Type##Source source;                                                                                            \
    source.place = s->source.place[j];                                                                              \
    HB_SOURCES_##NAME(HB_READ_STAGED) return source;                                                                \
  }                                                                                                                 \
                                                                                                                    \
  /** The first n of the sources laid out; moved: a constant, so that each                                          \
   * case has code of its own. */                                                                                   \
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
    HB_WARP_IF(s->group.noted.staged < s->group.noted.candidates) {                                                 \
      const i32 n = hb_min(s->group.noted.candidates - s->group.noted.staged, HB_STAGED);                           \
      HB_UNROLL(2)                                                                                                  \
      for (i32 at = warp.lane; at < HB_STAGED; at += HB_WARP) {                                                     \
        if (at < n) NAME##_stage(s, at, noted_candidate(&s->group.noted, s->group.noted.staged + at));              \
      }                                                                                                             \
      s->group.noted.staged += n;                                                                                   \
      s->group.met += n;                                                                                            \
      warp_sync();                                                                                                  \
      if (s->group.moved) {                                                                                         \
        NAME##_meet_staged(s, 1, n);                                                                                \
      } else {                                                                                                      \
        NAME##_meet_staged(s, 0, n);                                                                                \
      }                                                                                                             \
      HB_AFTER_MEETING(HB_REACH_##NAME, NAME)                                                                       \
    }                                                                                                               \
    return s->group.noted.staged < s->group.noted.candidates;                                                       \
  }                                                                                                                 \
                                                                                                                    \
  HB_GROUP_WALK(NAME, Type##Group)                                                                                  \
                                                                                                                    \
  HB_DEVICE_FN void NAME##_begin_group(Type##Group* s, Warp warp, i32 first, i32 end) {                             \
    s->group.edge = s->view->pairs.box;                                                                             \
    enter_image(&s->group, warp, s->view->images, 0);                                                               \
    skip_sources(&s->group, warp, 0, 0);                                                                            \
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
    skip_sources(&s->group, warp, s->group.first_from, s->group.first_end);                                         \
    NAME##_share_reach(s, warp);                                                                                    \
  }                                                                                                                 \
                                                                                                                    \
  /** The walk in one image. */                                                                                     \
  HB_DEVICE_FN void NAME##_walk_image(Type##Group* s, Warp warp, CellsView cells, HB_LOCAL i32* stack, i32 image) { \
    enter_image(&s->group, warp, s->view->images, image);                                                           \
    s->group.moved = image > 0 || reaches_images(&s->group, NAME##_limit2_of_group(s));                             \
    GroupWalkProgress progress = walk_to_begin(HB_STACK);                                                           \
    const i32 starts = s->group.reach >= 0 ? s->view->pairs.starts : 0;                                             \
    NAME##_group_walk(s, warp, cells, stack, s->view->start, starts, &progress);                                    \
    skip_sources(&s->group, warp, 0, 0); /* that was where sources stand */                                         \
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

// What the lanes do once sources laid out have been met: HB_REACH_NAME is STAYS
// or SHRINKS.
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
    HB_MAKE_NOTED_LEAVES(noted);                                                                       \
    HB_SOURCES_##NAME(HB_STAGED_ARRAY) HB_MAKE_WARP(warp);                                             \
    HB_CELLS(cells)                                                                                    \
    HB_MAKE_PAIR_VIEW(NAME, Type)                                                                      \
    const i32 g = hb_warp_item();                                                                      \
    HB_LEAVE_SURPLUS(g >= groups);                                                                     \
    Type##Group s;                                                                                     \
    s.view = &view;                                                                                    \
    s.group.room = room;                                                                               \
    s.group.noted = noted;                                                                             \
    s.source.place = room.place;                                                                       \
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

HB_PAIR_SEARCHES(HB_PAIR_KERNELS_OF, , )

/// The largest reach in each of the cells [begin, end) of one level, whose
/// children are done.
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
