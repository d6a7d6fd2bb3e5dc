// SPDX-License-Identifier: Apache-2.0
// Friends of friends, a visitor of pairs of units: cells no two particles of which are farther from one another than
// the linking length, which are friends without a look at them, and the particles outside of these. Units of which two
// particles are friends are joined (union_find.h). Units come before (kernels/units.h, linking_pairs.cpp), labels next.
#ifndef HORNBEAM_INTERACTIONS_GROUPS_LINKING_H
#define HORNBEAM_INTERACTIONS_GROUPS_LINKING_H
#include "interactions/groups/union_find.h"
#include "walk/pairs.h"
HB_OPEN

#define HB_VISITOR linking
#define HB_VISITOR_TYPE Linking
#define HB_SOURCE_REACH extent
#define HB_MEETS_EARLIER
#define HB_SOURCES_linking(F) \
  F(pos_t, extent) /* half of the linking length, and how far particles are from the middle of the unit */
#define HB_ARRAYS_linking(F)                                                          \
  F(u32, parent)           /* of units, union_find.h */                               \
  F(const i32, unit_first) /* the particles of unit u begin here, and end with the */ \
  F(const i32, unit_cell)  /* cell that it is; below 0: one particle */               \
  HB_XYZ(F, const pos_t, particle)                                                    \
  F(i32, tree_first) /* the tree of the particles */                                  \
  F(i32, tree_count)                                                                  \
  F(i32, tree_child)                                                                  \
  F(i32, tree_children)                                                               \
  F(i32, tree_next)                                                                   \
  HB_XYZ(F, pos_t, tree_low)                                                          \
  HB_XYZ(F, pos_t, tree_high)

/// What the middles and extents of units may lose by rounding; far above it.
#define HB_LINK_MARGIN ((pos_t)1 / (1 << 20))

typedef struct {
  pos_t length2;      ///< square of the linking length
  pos_t half_length;  ///< what the extent of a single particle is
} LinkingOptions;

typedef struct {
  pos_t reach;
  i32 place;
  u32 root;  ///< of its set, as far as it has been followed
} LinkingTarget;

#include "walk/pair_types.inc"

HB_FN LinkingTarget linking_begin(const LinkingView* view, i32 i) {
  LinkingTarget t;
  t.reach = view->target_extent[i];
  t.place = i;
  t.root = (u32)i;
  return t;
}

HB_SUM_FORMULA sum_t linking_limit2(sum_t target, sum_t source) { return (target + source) * (target + source); }

/// What is requested of the cells of a unit: has it a particle within reach of this place?
typedef struct {
  const LinkingView* view;
  pos_t x, y, z;
  PairImage at;
  bool found;
} FriendWalk;

#define HB_NO_FIELD(type, field) cells.field = 0;
HB_FN CellsView linking_tree(const LinkingView* view) {
  CellsView cells;
  HB_CELL_FIELDS(HB_NO_FIELD)
  cells.first = view->tree_first;
  cells.count = view->tree_count;
  cells.child = view->tree_child;
  cells.children = view->tree_children;
  cells.next = view->tree_next;
  cells.low_x = view->tree_low_x;
  cells.low_y = view->tree_low_y;
  cells.low_z = view->tree_low_z;
  cells.high_x = view->tree_high_x;
  cells.high_y = view->tree_high_y;
  cells.high_z = view->tree_high_z;
  return cells;
}

HB_FN bool is_friend(const FriendWalk* s, i32 j) {
  const LinkingView* view = s->view;
  return distance2_in_image((view->particle_x[j] - s->x) + s->at.x, (view->particle_y[j] - s->y) + s->at.y,
                            (view->particle_z[j] - s->z) + s->at.z, s->at.box) <= view->options.length2;
}

HB_FN bool friends_accept(FriendWalk* s, CellsView cells, i32 c) {
  return s->found || least_distance2_to_cell(s->x, s->y, s->z, cells, c, s->at) > s->view->options.length2 ||
         largest_distance2_to_cell(s->x, s->y, s->z, cells, c, s->at) <= s->view->options.length2;
}

HB_FN void friends_on_cell(FriendWalk* s, CellsView cells, i32 c) {
  if (largest_distance2_to_cell(s->x, s->y, s->z, cells, c, s->at) <= s->view->options.length2) s->found = true;
}

HB_FN void friends_on_leaf(FriendWalk* s, CellsView cells, i32 c) {
  for (i32 j = cells.first[c]; j < cells.first[c] + cells.count[c] && !s->found; ++j) s->found = is_friend(s, j);
}

#define HB_WALKER friends
#define HB_WALKER_STATE FriendWalk
#include "walk/stackless.inc"

/// How many particles unit u has.
HB_FN i32 unit_size(const LinkingView* view, i32 u) {
  return view->unit_cell[u] < 0 ? 1 : view->tree_count[view->unit_cell[u]];
}

/// Whether a particle of unit a is a friend of one of unit b, which has as many or more, and is in that image.
HB_FN bool has_friend_in(const LinkingView* view, i32 a, i32 b, PairImage at) {
  const CellsView cells = linking_tree(view);
  const i32 cell = view->unit_cell[b], end = view->unit_first[a] + unit_size(view, a);
  FriendWalk s;
  s.view = view;
  s.at = at;
  s.found = false;
  for (i32 i = view->unit_first[a]; i < end && !s.found; ++i) {
    s.x = view->particle_x[i];
    s.y = view->particle_y[i];
    s.z = view->particle_z[i];
    if (cell < 0) {
      s.found = is_friend(&s, view->unit_first[b]);
    } else {
      friends_stackless_below(&s, cells, cell);
    }
  }
  return s.found;
}

/// Whether units a and b of these extents have particles that are friends, b in that image; distance2: of their
/// middles.
HB_FN bool are_linked(const LinkingView* view, i32 a, pos_t extent_a, i32 b, pos_t extent_b, i32 image,
                      pos_t distance2) {
  if (view->unit_cell[a] < 0 && view->unit_cell[b] < 0) return distance2 <= view->options.length2;
  const pos_t half_length = view->options.half_length;
  const pos_t surely =
      2 * half_length * (1 - 4 * HB_LINK_MARGIN) - ((extent_a - half_length) + (extent_b - half_length));
  if (surely > 0 && distance2 <= surely * surely) return true;
  PairImage at = image_of_list(view->images, image, view->pairs.box);
  if (unit_size(view, a) <= unit_size(view, b)) return has_friend_in(view, a, b, at);
  at.x = -at.x;
  at.y = -at.y;
  at.z = -at.z;
  return has_friend_in(view, b, a, at);
}

/// Each pair once, by the later one, which has each image of the earlier one before it.
HB_FN void linking_meet(const LinkingView* view, LinkingTarget* t, LinkingSource source, PairWay way) {
  if (source.place >= t->place) return;
  t->root = root_of(view->parent, t->root);
  if (t->root == root_of(view->parent, (u32)source.place)) return;
  if (!are_linked(view, t->place, t->reach, source.place, source.extent, way.image, way.distance2)) return;
  join_units(view->parent, t->root, (u32)source.place);
}

HB_FN void linking_finish(const LinkingView* view, LinkingTarget* t) { (void)view, (void)t; }

HB_CLOSE

#include "walk/pair_walks.inc"
#endif
