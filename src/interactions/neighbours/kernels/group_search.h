// SPDX-License-Identifier: Apache-2.0
// What neighbour searches share as visitors of the warp's group walk: cells near the group's box are opened, and the
// particles of their leaves are laid out in local memory, where every target meets them. Boxes and pairs are measured
// as interactions/neighbours/particle_search.h does, so that every backend and walk finds the same neighbours.
#ifndef HORNBEAM_INTERACTIONS_NEIGHBOURS_KERNELS_GROUP_SEARCH_H
#define HORNBEAM_INTERACTIONS_NEIGHBOURS_KERNELS_GROUP_SEARCH_H
#include "interactions/neighbours/particle_search.h"
#include "walk/warp_group.h"
HB_KERNELS_OPEN

/// Candidates laid out at a time: two loads a lane are under way.
#define HB_STAGED_CANDIDATES (2 * HB_WARP)
/// A group that has met as many candidates lies too wide, or its targets' limits differ too much, for tests of its box
/// alone: cells are then tested against every target.
#define HB_MANY_CANDIDATES 2048

#define HB_VIEW_MEMBER_neighbours(type, field) neighbours.field = field;
#define HB_NEIGHBOURS_VIEW(view) \
  NeighboursView view;           \
  HB_NEIGHBOUR_FIELDS(HB_VIEW_MEMBER_neighbours)

typedef struct {
  pos_t x, y, z;
  pos_t limit2;  ///< squared distance beyond which nothing is a neighbour; negative: nobody asks for this target
  u64 row;       ///< where its row begins
  u32 index;     ///< on input
  u32 found;     ///< within a radius: how many so far
  u32 last;      ///< k nearest: index on input of the last in order
} SearchTarget;

/// Local memory of a warp's search.
typedef struct {
  HB_LOCAL pos_t* box;       ///< of the group, HB_BOX_VALUES
  HB_LOCAL i32* leaf_first;  ///< HB_WARP: first particle of the leaf that a lane has noted
  HB_LOCAL i32* leaf_start;  ///< HB_WARP: candidates in the leaves of the lanes before
  HB_LOCAL pos_t* targets;   ///< HB_MAX_GROUP of x, of y, of z, of limit2
  HB_LOCAL pos_t* x;         ///< HB_STAGED_CANDIDATES each of x, y, z and index on input
  HB_LOCAL pos_t* y;
  HB_LOCAL pos_t* z;
  HB_LOCAL u32* index;
} SearchRoom;

#define HB_MAKE_SEARCH_ROOM(room)                                     \
  HB_WARP_ARRAY(pos_t, room##_box, HB_BOX_VALUES);                    \
  HB_WARP_ARRAY(i32, room##_leaf_first, HB_WARP);                     \
  HB_WARP_ARRAY(i32, room##_leaf_start, HB_WARP);                     \
  HB_WARP_ARRAY(pos_t, room##_targets, 4 * HB_MAX_GROUP);             \
  HB_WARP_ARRAY(pos_t, room##_x, HB_STAGED_CANDIDATES);               \
  HB_WARP_ARRAY(pos_t, room##_y, HB_STAGED_CANDIDATES);               \
  HB_WARP_ARRAY(pos_t, room##_z, HB_STAGED_CANDIDATES);               \
  HB_WARP_ARRAY(u32, room##_index, HB_STAGED_CANDIDATES);             \
  SearchRoom room;                                                    \
  room.box = room##_box, room.leaf_first = room##_leaf_first;         \
  room.leaf_start = room##_leaf_start, room.targets = room##_targets; \
  room.x = room##_x, room.y = room##_y, room.z = room##_z;            \
  room.index = room##_index

typedef struct {
  ParticlesView particles;
  NeighboursView out;
  SearchOptions options;
  SearchRoom room;
  SearchTarget target[HB_TARGETS];
  pos_t limit2;              ///< the largest of the group's targets
  i32 images;                ///< whether an image of the periodic cube may be nearer than the particle itself
  i32 candidates, staged;    ///< of the leaves noted; those laid out so far
  i32 met;                   ///< all laid out so far
  i32 skip_first, skip_end;  ///< particles that have been met already
  i32 counted;               ///< a lane's particles of cells that were counted whole
} GroupSearch;

/// Makes the lanes' present limits known to all.
HB_DEVICE_FN void share_limits(GroupSearch* s, Warp warp) {
  pos_t largest = -1;
#pragma unroll
  for (i32 k = 0; k < HB_TARGETS; ++k) {
    const pos_t limit2 = s->target[k].limit2;
    s->room.targets[3 * HB_MAX_GROUP + k * HB_WARP + warp.lane] = limit2;
    largest = hb_max(largest, limit2);
  }
  s->limit2 = -warp_least(warp, -largest);
  warp_sync();
}

/// Whether targets of the group may have neighbours within s->limit2 across a face of the periodic cube.
HB_DEVICE_FN i32 reaches_images(const GroupSearch* s) {
  HB_LOCAL const pos_t* box = s->room.box;
  const pos_t edge = s->options.box, margin = image_margin(hb_max(s->limit2, (pos_t)0), edge);
  const pos_t low = hb_min(box[0], hb_min(box[1], box[2])), high = hb_max(box[3], hb_max(box[4], box[5]));
  return edge < (pos_t)INFINITY && (low < margin || high > edge - margin);
}

/// The search of particles [first, end), at most HB_MAX_GROUP; limit2: of every target whose row is wanted.
HB_DEVICE_FN void begin_search(GroupSearch* s, Warp warp, i32 first, i32 end, pos_t limit2) {
  box_of_group(warp, s->particles, first, end, 1, s->room.box);
#pragma unroll
  for (i32 k = 0; k < HB_TARGETS; ++k) {
    SearchTarget* t = &s->target[k];
    const i32 i = first + k * HB_WARP + warp.lane, held = hb_min(i, end - 1);
    t->x = s->particles.x[held];
    t->y = s->particles.y[held];
    t->z = s->particles.z[held];
    t->index = s->out.input[held];
    t->limit2 = i < end && row_is_wanted(s->options, t->index) ? limit2 : -1;
    t->row = s->out.index ? row_of(s->out, s->options, t->index) : 0;
    t->found = 0;
    t->last = 0;
    HB_LOCAL pos_t* shared = s->room.targets + k * HB_WARP + warp.lane;
    shared[0] = t->x;
    shared[HB_MAX_GROUP] = t->y;
    shared[2 * HB_MAX_GROUP] = t->z;
  }
  share_limits(s, warp);
  s->images = reaches_images(s);
  s->candidates = 0;
  s->staged = 0;
  s->met = 0;
  s->counted = 0;
  s->skip_first = 0;
  s->skip_end = 0;
}

/// Least squared distance between the group's box and that of cell c.
HB_DEVICE_FN pos_t least_distance2_to_group(const GroupSearch* s, CellsView cells, i32 c) {
  HB_LOCAL const pos_t* box = s->room.box;
  const pos_t edge = s->options.box;
  return squared_distance(least_separation(cells.low_x[c], cells.high_x[c], box[0], box[3], edge),
                          least_separation(cells.low_y[c], cells.high_y[c], box[1], box[4], edge),
                          least_separation(cells.low_z[c], cells.high_z[c], box[2], box[5], edge));
}

/// A bound on the largest.
HB_DEVICE_FN pos_t largest_distance2_to_group(const GroupSearch* s, CellsView cells, i32 c) {
  HB_LOCAL const pos_t* box = s->room.box;
  const pos_t edge = s->options.box;
  return squared_distance(largest_separation(cells.low_x[c], cells.high_x[c], box[0], box[3], edge),
                          largest_separation(cells.low_y[c], cells.high_y[c], box[1], box[4], edge),
                          largest_separation(cells.low_z[c], cells.high_z[c], box[2], box[5], edge));
}

/// Whether cell c may hold neighbours of some target.
HB_DEVICE_FN i32 is_near_some_target(const GroupSearch* s, CellsView cells, i32 c) {
  HB_LOCAL const pos_t* t = s->room.targets;
  i32 near_some = 0;
  for (i32 k = 0; k < HB_MAX_GROUP; ++k) {
    const pos_t distance2 =
        least_distance2_to_cell(t[k], t[HB_MAX_GROUP + k], t[2 * HB_MAX_GROUP + k], cells, c, s->options.box);
    near_some |= distance2 <= t[3 * HB_MAX_GROUP + k];
  }
  return near_some;
}

/// Whether cell c, of the lanes that have one, is to be opened.
HB_DEVICE_FN i32 may_hold_neighbours(const GroupSearch* s, CellsView cells, i32 c, i32 has) {
  const i32 is_near = has && least_distance2_to_group(s, cells, c) <= s->limit2;
  if (!is_near || s->met < HB_MANY_CANDIDATES) return is_near;
  return is_near_some_target(s, cells, c);
}

/// Notes the first `count` particles, from `first` on, of each lane's leaf; 0 for none. All that were noted before have
/// been met, unless no lane has a leaf.
HB_DEVICE_FN void note_candidates(GroupSearch* s, Warp warp, i32 first, i32 count) {
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
HB_DEVICE_FN i32 noted_candidate(const GroupSearch* s, i32 number) {
  i32 lane = 0;
#pragma unroll
  for (i32 step = HB_WARP / 2; step > 0; step /= 2) {
    if (s->room.leaf_start[lane + step] <= number) lane += step;
  }
  return s->room.leaf_first[lane] + number - s->room.leaf_start[lane];
}

/// Lays out particle j, out of everyone's reach if it has been met already.
HB_DEVICE_FN void stage_candidate(GroupSearch* s, i32 at, i32 j) {
  const bool met = j >= s->skip_first && j < s->skip_end;
  s->room.x[at] = met ? (pos_t)INFINITY : s->particles.x[j];
  s->room.y[at] = s->particles.y[j];
  s->room.z[at] = s->particles.z[j];
  s->room.index[at] = s->out.input[j];
}

/// Lays out the next of the candidates noted; how many.
HB_DEVICE_FN i32 stage_candidates(GroupSearch* s, Warp warp) {
  const i32 n = hb_min(s->candidates - s->staged, HB_STAGED_CANDIDATES);
#pragma unroll
  for (i32 at = warp.lane; at < HB_STAGED_CANDIDATES; at += HB_WARP) {
    if (at < n) stage_candidate(s, at, noted_candidate(s, s->staged + at));
  }
  s->staged += n;
  s->met += n;
  warp_sync();
  return n;
}

/// Squared distance between a target and a candidate laid out.
HB_DEVICE_FN pos_t staged_distance2(const GroupSearch* s, i32 images, const SearchTarget* t, i32 at) {
  const pos_t x = s->room.x[at] - t->x, y = s->room.y[at] - t->y, z = s->room.z[at] - t->z, box = s->options.box;
  if (!images) return squared_distance(x, y, z);
  return squared_distance(separation(x, box), separation(y, box), separation(z, box));
}

HB_KERNELS_CLOSE
#endif
