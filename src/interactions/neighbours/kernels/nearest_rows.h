// SPDX-License-Identifier: Apache-2.0
// The k nearest of a group's targets on a device, one a lane, in three walks: the sources next to the group along the
// curve bound every k-th distance; a walk as far as most targets need by these bounds finds nearly all rows; a last
// one, of the targets that it does not serve, is as wide as their bounds. Rows come out in order. The lists that walks
// fill are in shortlists.h.
#ifndef HORNBEAM_INTERACTIONS_NEIGHBOURS_KERNELS_NEAREST_ROWS_H
#define HORNBEAM_INTERACTIONS_NEIGHBOURS_KERNELS_NEAREST_ROWS_H
#include "interactions/neighbours/kernels/shortlists.h"
#include "stages/lent.h"
#include "walk/noted_leaves.h"
HB_KERNELS_OPEN

/// The walks.
#define HB_WALK_BESIDE 0
#define HB_WALK_MOST 1

/// How far most targets reach over the median of their bounds: HB_REACH_OF_MANY + HB_REACH_OF_ONE / sqrt(k). Of 32
/// targets the farthest then finds k in nine groups of ten (uniform and Plummer spheres).
#if !defined(HB_REACH_OF_MANY)
#define HB_REACH_OF_MANY 0.7f
#endif
#define HB_REACH_OF_ONE 1.4f
/// Sources on either side of the group that bound its targets, or half of k where that is more: few, as each is noted.
#define HB_LEAST_BESIDE 8
/// All bounds are reached at once where the largest is above that by as much.
#define HB_SPREAD_REACHES 2
/// No size of a group is less, so that it can be divided by.
#if HB_PRECISION == HB_SINGLE
#define HB_SMALLEST_SIZE 1e-30f
#else
#define HB_SMALLEST_SIZE 1e-290
#endif

/// Makes the lanes' reaches known to all: squares in room.targets, and the group's.
HB_DEVICE_FN void share_near_reach(ShortlistGroup* s, Warp warp) {
  const pos_t reach2 = s->limit < 0 ? -1 : s->reach * s->reach;
  s->group.room.targets[3 * HB_WARP + warp.lane] = reach2;
  s->group.reach = -warp_least(warp, -reach2);
  warp_sync();
}

HB_DEVICE_FN i32 is_near_some_target(const ShortlistGroup* s, CellsView cells, i32 c) {
  HB_LOCAL const pos_t* t = s->group.room.targets;
  const PairImage at = image_of_group(&s->group);
  i32 near_some = 0;
  for (i32 lane = 0; lane < HB_WARP; ++lane) {
    near_some |= least_distance2_to_cell(t[lane], t[HB_WARP + lane], t[2 * HB_WARP + lane], cells, c, at) <=
                 t[3 * HB_WARP + lane];
  }
  return near_some;
}

HB_DEVICE_FN i32 nearest_rows_settle(ShortlistGroup* s, Warp warp, CellsView cells, i32 c, i32 has) {
  i32 open = has && least_distance2_to_group(&s->group, cells, c) <= s->group.reach;
  if (open && s->group.met >= HB_MANY_MET) open = is_near_some_target(s, cells, c);
  return open;
}

HB_DEVICE_FN void nearest_rows_on_leaves(ShortlistGroup* s, Warp warp, CellsView cells, i32 c, i32 is) {
  const i32 count = is ? candidates_of_leaf(cells, c, nearest_most_at_point(s->view)) : 0;
  note_candidates(&s->group.noted, warp, cells.first[c], count);
}

/// Lays out the n noted sources from `number` on, and lets every target test them; whether some reach less now.
HB_DEVICE_FN i32 test_sources(ShortlistGroup* s, Warp warp, i32 number, i32 n) {
  NearSource source;
  source.place = warp.lane < n ? noted_candidate(&s->group.noted, number + warp.lane) : -1;
  source.x = (f32)INFINITY;
  source.y = 0;
  source.z = 0;
  if (warp.lane < n) {
    source.x = near_coordinate(s, s->view->x[source.place], s->centre_x);
    source.y = near_coordinate(s, s->view->y[source.place], s->centre_y);
    source.z = near_coordinate(s, s->view->z[source.place], s->centre_z);
  }
  s->source[warp.lane] = source;
  warp_sync();
  i32 shorter = 0;
  for (i32 first = 0; hb_all_go_on(first < n); first += HB_SIFTED) {
    shorter |= make_room(s, warp);
    if (s->exact) {
      sift_exactly(s, warp, first);
    } else {
      sift_sources(s, warp, first);
    }
  }
  warp_sync();
  return shorter;
}

HB_DEVICE_FN i32 nearest_rows_work(ShortlistGroup* s, Warp warp, CellsView cells, i32 last) {
  const i32 left = s->group.noted.candidates - s->group.noted.staged, n = hb_min(left, HB_WARP);
  HB_WARP_IF(left > 0) {
    const i32 shorter = test_sources(s, warp, s->group.noted.staged, n);
    s->group.noted.staged += hb_max(n, 0);
    s->group.met += hb_max(n, 0);
    HB_WARP_BRANCH(shorter) share_near_reach(s, warp);
  }
  return s->group.noted.staged < s->group.noted.candidates;
}

#define HB_WALKER nearest_rows
#define HB_WALKER_STATE ShortlistGroup
#include "walk/warp_walk.inc"

/// The box of the targets that are on the walk, and its centre.
HB_DEVICE_FN void box_targets(ShortlistGroup* s, Warp warp) {
  PlaceBox b;
  const bool walks = s->limit >= 0;
  const pos_t none = (pos_t)INFINITY;
  b.low_x = walks ? s->x : none, b.low_y = walks ? s->y : none, b.low_z = walks ? s->z : none;
  b.high_x = walks ? s->x : -none, b.high_y = walks ? s->y : -none, b.high_z = walks ? s->z : -none;
  b = box_of_lanes(warp, b);
  if (warp.lane == 0) {
    s->group.room.box[0] = b.low_x;
    s->group.room.box[1] = b.low_y;
    s->group.room.box[2] = b.low_z;
    s->group.room.box[3] = b.high_x;
    s->group.room.box[4] = b.high_y;
    s->group.room.box[5] = b.high_z;
  }
  s->centre_x = middle_of(b.low_x, b.high_x);
  s->centre_y = middle_of(b.low_y, b.high_y);
  s->centre_z = middle_of(b.low_z, b.high_z);
  s->size = longest_edge_of(b) / 2;
  warp_sync();
}

/// Lets `size` be 1 in 32 bits.
HB_DEVICE_FN void set_size(ShortlistGroup* s, pos_t size) {
  s->size = hb_max(size, HB_SMALLEST_SIZE);
  s->inverse = 1 / s->size;
  s->near_x = near_coordinate(s, s->x, s->centre_x);
  s->near_y = near_coordinate(s, s->y, s->centre_y);
  s->near_z = near_coordinate(s, s->z, s->centre_z);
}

/// Notes the sources next to the group as a leaf, the only one of the first walk.
HB_DEVICE_FN void begin_beside(ShortlistGroup* s, Warp warp, CellsView cells, i32 first, i32 end) {
  set_limit(s, HB_FAR_AWAY);
  s->limit = s->wanted ? s->limit : -1;
  s->reach = (pos_t)INFINITY;
  s->exact = 0;
  box_targets(s, warp);
  const i32 beside = hb_max((s->view->options.k + 1) / 2, HB_LEAST_BESIDE);
  first_sources(&s->group, s->view->pairs, cells, first, end, beside);
  const i32 from = s->group.first_from, to = s->group.first_end;
  pos_t size = s->size;
  for (i32 j = from + warp.lane; j < to; j += HB_WARP) {
    size = hb_max(size, hb_abs(s->view->x[j] - s->centre_x));
    size = hb_max(size, hb_abs(s->view->y[j] - s->centre_y));
    size = hb_max(size, hb_abs(s->view->z[j] - s->centre_z));
  }
  set_size(s, -warp_least(warp, -size));
  note_candidates(&s->group.noted, warp, from, warp.lane == 0 ? to - from : 0);
}

/// The distance within which the sources next to the group leave the lane's k nearest.
HB_DEVICE_FN pos_t bound_beside(const ShortlistGroup* s, Warp warp) {
  return s->wanted ? (pos_t)distance_of_nearest(s, warp, 0) * s->size : (pos_t)INFINITY;
}

/// How far most targets of a group reach: by the median of their bounds, or as far as all do where these differ much.
HB_DEVICE_FN pos_t reach_of_most(ShortlistGroup* s, Warp warp, pos_t bound) {
  const f32 k = (f32)s->view->options.k;
  HB_LOCAL pos_t* bounds = s->group.room.targets + 3 * HB_WARP;
  bounds[warp.lane] = bound;
  warp_sync();
  i32 rank = 0;
  for (i32 lane = 0; lane < HB_WARP; ++lane)
    rank += bounds[lane] < bound || (bounds[lane] == bound && lane < warp.lane);
  if (rank == warp_sum_index(warp, s->wanted) / 2) s->ordered[0] = bound;
  warp_sync();
  const pos_t reach = s->ordered[0] * (pos_t)(HB_REACH_OF_MANY + HB_REACH_OF_ONE / hb_sqrt(k));
  const pos_t largest = -warp_least(warp, s->wanted ? -bound : 0);
  warp_sync();
  return largest > HB_SPREAD_REACHES * reach ? largest : reach;
}

/// Lets the lanes with a limit walk as far as they reach. bound: within which they have k.
HB_DEVICE_FN void begin_walk(ShortlistGroup* s, Warp warp, pos_t bound) {
  const i32 walks = s->limit >= 0;
  box_targets(s, warp);
  share_near_reach(s, warp);
  const pos_t least = warp_least(warp, walks ? s->reach : (pos_t)INFINITY);
  set_size(s, s->size - warp_least(warp, walks ? -s->reach : 0));
  s->exact = least < s->size * HB_NEAR_SMALL || reaches_images(&s->group, s->group.reach);
  s->is_certain = walks ? s->reach >= bound : s->is_certain;
  set_limit(s, largest_square(s, (f32)(s->reach * s->inverse)));
  s->limit = walks ? s->limit : -1;
  s->count = walks ? 0 : s->count;
  s->group.met = 0;
}

/// One of the three walks; whether another is to come.
HB_DEVICE_FN i32 walk_for_nearest(ShortlistGroup* s, Warp warp, CellsView cells, HB_LOCAL i32* stack, i32 walk,
                                  pos_t* bound) {
  HB_WARP_BRANCH(walk > HB_WALK_BESIDE) begin_walk(s, warp, *bound);
  GroupWalkProgress progress = walk_to_begin(HB_STACK);
  nearest_rows_group_walk(s, warp, cells, stack, s->view->start, walk > HB_WALK_BESIDE ? s->view->pairs.starts : 0,
                          &progress);
  i32 again = walk <= HB_WALK_MOST;
  HB_WARP_BRANCH(walk == HB_WALK_BESIDE) {
    *bound = bound_beside(s, warp);
    const pos_t most = reach_of_most(s, warp, *bound);
    s->reach = hb_min(*bound, most);
  }
  HB_WARP_BRANCH(walk > HB_WALK_BESIDE) {
    shorten_list(s, warp, 0);
    s->limit = s->wanted && !s->is_certain ? 0 : -1;
    s->reach = *bound;
    again = again && warp_any(warp, s->limit >= 0);
  }
  return again;
}

HB_DEVICE_FN void begin_targets(ShortlistGroup* s, Warp warp, i32 first, i32 end) {
  const NearestView* view = s->view;
  const i32 i = hb_min(first + warp.lane, end - 1);
  s->group.edge = view->pairs.box;
  enter_image(&s->group, warp, view->images, 0);
  s->wanted = first + warp.lane < end && row_is_wanted(view->options.rows, view->target_input[i]);
  s->x = view->target_x[i];
  s->y = view->target_y[i];
  s->z = view->target_z[i];
  HB_LOCAL pos_t* shared = s->group.room.targets + warp.lane;
  shared[0] = s->x;
  shared[HB_WARP] = s->y;
  shared[2 * HB_WARP] = s->z;
  s->self = view->options.others ? i : -1;
  s->count = 0;
  s->is_certain = 0;
  s->group.end = end;
  s->group.met = 0;
  s->group.noted.candidates = 0;
  s->group.noted.staged = 0;
}

/// Writes the rows of targets [first, end).
HB_DEVICE_FN void write_rows(ShortlistGroup* s, Warp warp, i32 first, i32 end) {
  const NearestView* view = s->view;
  s->counts[warp.lane] = s->wanted ? s->count : 0;
  warp_sync();
  for (i32 t = 0; hb_all_go_on(t < end - first); ++t) {
    const OrderedEntries found = order_list(s, warp, t);
    const u64 row = row_of(view->offset, view->options.rows, view->target_input[first + t]);
    HB_UNROLL(4)
    for (i32 turn = 0; turn < HB_LIST_TURNS; ++turn) {
      if (found.rank[turn] >= view->options.k) continue;
      const u64 at = row + (u64)found.rank[turn];
      view->index[at] = found.input[turn];
      if (view->options.roots == 0) {
        view->distance2[at] = found.distance2[turn];
      } else {
        give_number((HB_GLOBAL u8*)view->distance2, view->options.roots - 1, (i64)at,
                    (f64)hb_sqrt(found.distance2[turn]));
      }
    }
  }
}

/// Rows of targets in one image, with k of at most HB_MOST_NEAREST; a warp for each half of a group.
HB_GATHER_KERNEL(nearest_rows) {
  HB_WARP_ARRAY(i32, stack, HB_STACK);
  HB_WARP_ARRAY(pos_t, room_box, HB_BOX_VALUES + 3);
  HB_WARP_ARRAY(pos_t, room_targets, 4 * HB_WARP);
  HB_WARP_ARRAY(NearSource, room_source, HB_WARP);
  HB_WARP_ARRAY(NotedSquare, list_square, HB_LIST_LENGTH * HB_WARP);
  HB_WARP_ARRAY(i32, list_place, HB_LIST_LENGTH * HB_WARP);
  HB_WARP_ARRAY(i32, list_counts, HB_WARP);
  HB_WARP_ARRAY(pos_t, list_ordered, HB_LIST_LENGTH);
  HB_WARP_ARRAY(u32, list_ordered_input, HB_LIST_LENGTH);
  HB_MAKE_NOTED_LEAVES(noted);
  HB_MAKE_WARP(warp);
  HB_CELLS(cells)
  NearestView view;
  view.pairs = pairs;
  view.options = options;
  HB_PAIR_FIELDS(HB_SET_VIEW)
  HB_ARRAYS_nearest(HB_SET_VIEW) const i32 item = hb_warp_item(), g = item / HB_TARGETS;
  HB_LEAVE_SURPLUS(g >= groups);
  const i32 begin = group_first[g] + item % HB_TARGETS * HB_WARP;
  const i32 end = hb_min(group_first[g + 1], begin + HB_WARP);
  ShortlistGroup s;
  s.view = &view;
  s.group.room.box = room_box, s.group.room.targets = room_targets;
  s.group.noted = noted;
  s.source = room_source;
  s.square = list_square, s.place = list_place, s.counts = list_counts;
  s.ordered = list_ordered, s.ordered_input = list_ordered_input;
  begin_targets(&s, warp, begin, end);
  i32 walks = warp_any(warp, s.wanted);
  pos_t bound = 0;
  for (i32 walk = 0; hb_all_go_on(walk < walks); ++walk) {
    HB_WARP_BRANCH(walk == HB_WALK_BESIDE) begin_beside(&s, warp, cells, begin, end);
    walks += walk_for_nearest(&s, warp, cells, stack, walk, &bound);
  }
  write_rows(&s, warp, begin, walks > 0 ? end : begin);
}

HB_KERNELS_CLOSE
#endif
