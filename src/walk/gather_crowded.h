// SPDX-License-Identifier: Apache-2.0
// Gathering for single targets on devices, a warp each: its lanes walk the tree together and share the sources within
// reach. So are summed those that reach so many sources that the other lanes of their groups (gather_warp.h) would wait
// for them, such as far-off debris, and those whose groups have next to nobody else to sum for. A warp that meets very
// many gives its target up to those that reach far: of these many warps share the sums of one, each those of cells of
// its own. The kernels NAME_of_crowded and NAME_of_parts of all gatherers.
#ifndef HORNBEAM_WALK_GATHER_CROWDED_H
#define HORNBEAM_WALK_GATHER_CROWDED_H
#include "pair_visitors.h"
#include "walk/crowd.h"
#include "walk/pairs_warp.h"
HB_KERNELS_OPEN

enum { how_add = 0, how_fine = how_add, how_max = 1 };

/// Warps that share one of `count` targets that reach far.
HB_DEVICE_FN i32 parts_of_crowded(i32 count) {
  return count <= HB_CROWD_ROWS / HB_CROWD_PARTS ? HB_CROWD_PARTS : hb_max(HB_CROWD_ROWS / count, 1);
}

/// What `value` of all lanes are together: their sum, or the largest.
HB_DEVICE_FN real warp_joined(Warp warp, i32 is_max, real value) {
  return is_max ? (real)-warp_least(warp, (pos_t)-value) : warp_sum(warp, value);
}

/// Which cells a warp of those that share a target takes: each `parts`-th from `part` on of the `starts` first ones,
/// but for those before `begin` that have children, which are among them.
typedef struct {
  i32 begin, starts, part, parts;
} CellShare;

/// The share of a warp of `parts`; [begin, end): a level of cells. One alone begins at the root.
HB_DEVICE_FN CellShare share_of_cells(i32 begin, i32 end, i32 part, i32 parts) {
  CellShare share;
  share.begin = parts > 1 ? begin : 0;
  share.starts = parts > 1 ? (end - part + parts - 1) / parts : 1;
  share.part = part;
  share.parts = parts;
  return share;
}

HB_DEVICE_FN i32 is_of_share(CellShare share, CellsView cells, i32 c) {
  return c >= share.begin || cells.children[c] == 0;
}

HB_KERNELS_CLOSE

#define HB_NOTE_HOW(how, name) how_##how,
#define HB_TAKE_SUM(how, name) value[at++] = sums.name;
#define HB_GIVE_SUM(how, name) sums.name = value[at++];

// Of HB_GATHER_CROWDED: its lines end up in one, in which clang-format takes the lists for operands.
// clang-format off
#define HB_GATHER_CROWDED(NAME, Type, F, W)                                                                \
  enum { NAME##_sums_fit = 1 / (NAME##_sum_count <= HB_MOST_SUMS) };                                       \
  /** A warp that walks for one target. */                                                                 \
  typedef struct {                                                                                         \
    Type##Walk walk;                                                                                       \
    NotedLeaves noted;                                                                                     \
    CellShare share;                                                                                       \
    i32 met, most; /**< particles of leaves met; with more it is given up, if not 0 */                     \
  } Type##Crowd;                                                                                           \
                                                                                                           \
  HB_DEVICE_FN i32 NAME##_crowd_settle(Type##Crowd* s, Warp warp, CellsView cells, i32 c, i32 has) {       \
    (void)warp;                                                                                            \
    return has && is_of_share(s->share, cells, c) && !NAME##_accept(&s->walk, cells, c);                   \
  }                                                                                                        \
  HB_DEVICE_FN void NAME##_crowd_on_leaves(Type##Crowd* s, Warp warp, CellsView cells, i32 c, i32 is) {    \
    note_candidates(&s->noted, warp, cells.first[c], is ? cells.count[c] : 0);                             \
  }                                                                                                        \
  HB_DEVICE_FN i32 NAME##_crowd_work(Type##Crowd* s, Warp warp, CellsView cells, i32 last) {               \
    (void)cells;                                                                                           \
    (void)last;                                                                                            \
    for (i32 number = s->noted.staged + warp.lane; number < s->noted.candidates; number += HB_WARP) {      \
      NAME##_meet(&s->walk, noted_candidate(&s->noted, number));                                           \
    }                                                                                                      \
    if (s->most > 0) s->met += s->noted.candidates - s->noted.staged;                                      \
    s->noted.staged = s->noted.candidates;                                                                 \
    warp_sync();                                                                                           \
    return s->met > s->most ? HB_PAUSE : 0;                                                                \
  }                                                                                                        \
  HB_GROUP_WALK(NAME##_crowd, Type##Crowd)                                                                 \
                                                                                                           \
  /** Finishes target i with the numbers of its sums. */                                                   \
  HB_DEVICE_FN void NAME##_finish_with(const Type##View* view, i32 i, const real* value) {                 \
    HB_OF(Type##Sums, real) sums;                                                                          \
    i32 at = 0;                                                                                            \
    HB_SUMS_##NAME(HB_GIVE_SUM)                                                                            \
    if (NAME##_finish(view, i, sums)) NAME##_put_off(view, i);                                             \
  }                                                                                                        \
                                                                                                           \
  /** kind: which of the crowded; begin, end: the level of cells that warps share. */                      \
  HB_GATHER_KERNEL(NAME##_of_crowded) {                                                                    \
    HB_WARP_ARRAY(i32, stack, HB_LARGE_STACK);                                                             \
    HB_MAKE_NOTED_LEAVES(noted);                                                                           \
    HB_MAKE_WARP(warp);                                                                                    \
    HB_CELLS(cells)                                                                                        \
    HB_MAKE_PAIR_VIEW(NAME, Type)                                                                          \
    const i32 crowd = (i32)crowded[kind], parts = kind == HB_CROWD_FAR ? parts_of_crowded(crowd) : 1;      \
    const i32 how[] = {HB_SUMS_##NAME(HB_NOTE_HOW)};                                                       \
    for (i32 row = hb_warp_item(); row < crowd * parts; row += warps) {                                    \
      /* warps side by side sum over the same cells, each for another target */                            \
      const i32 which = row % crowd, part = row / crowd;                                                   \
      const i32 i = (i32)crowded[crowd_place(pairs.targets, kind, which)];                                 \
      Type##Crowd s;                                                                                       \
      s.walk = NAME##_walk_of(&view, i);                                                                   \
      s.noted = noted;                                                                                     \
      s.share = share_of_cells(begin, end, part, parts);                                                   \
      s.met = 0;                                                                                           \
      s.most = kind == HB_CROWD_FAR ? 0 : most;                                                            \
      for (i32 image = 0; image < pairs.images && s.met <= s.most; ++image) {                              \
        NAME##_enter(&s.walk, image);                                                                      \
        GroupWalkProgress progress = walk_to_begin(HB_LARGE_STACK);                                        \
        progress.first = s.share.part;                                                                     \
        progress.step = s.share.parts;                                                                     \
        NAME##_crowd_group_walk(&s, warp, cells, stack, 0, s.share.starts, &progress);                     \
      }                                                                                                    \
      const HB_OF(Type##Sums, real) sums = s.walk.sums;                                                    \
      real value[NAME##_sum_count];                                                                        \
      i32 at = 0;                                                                                          \
      HB_SUMS_##NAME(HB_TAKE_SUM)                                                                          \
      HB_UNROLL(HB_MOST_SUMS)                                                                              \
      for (i32 v = 0; v < NAME##_sum_count; ++v) value[v] = warp_joined(warp, how[v], value[v]);           \
      const i32 gives_up = s.met > s.most;                                                                 \
      if (warp.lane == 0 && gives_up) join_crowd(crowded, pairs.targets, HB_CROWD_FAR, i);                 \
      if (warp.lane == 0 && parts == 1 && !gives_up) NAME##_finish_with(&view, i, value);                  \
      if (warp.lane == 0 && parts > 1) {                                                                   \
        HB_GLOBAL real* share = shares + ((u64)which * parts + part) * NAME##_sum_count;                   \
        for (i32 v = 0; v < NAME##_sum_count; ++v) share[v] = value[v];                                    \
      }                                                                                                    \
    }                                                                                                      \
  }                                                                                                        \
                                                                                                           \
  /** A warp a target finishes those of which several have left shares. */                                 \
  HB_WARP_KERNEL(NAME##_of_parts) {                                                                        \
    HB_MAKE_WARP(warp);                                                                                    \
    HB_MAKE_PAIR_VIEW(NAME, Type)                                                                          \
    const i32 k = hb_warp_item(), crowd = (i32)crowded[HB_CROWD_FAR], parts = parts_of_crowded(crowd);     \
    if (k >= crowd || parts == 1) return;                                                                  \
    const i32 how[] = {HB_SUMS_##NAME(HB_NOTE_HOW)};                                                       \
    real value[NAME##_sum_count];                                                                          \
    for (i32 v = 0; v < NAME##_sum_count; ++v) {                                                           \
      HB_GLOBAL const real* share = shares + (u64)k * parts * NAME##_sum_count + v;                        \
      real own = how[v] == how_max ? share[0] : 0;                                                         \
      for (i32 p = warp.lane; p < parts; p += HB_WARP) {                                                   \
        const real other = share[p * NAME##_sum_count];                                                    \
        own = how[v] == how_max ? hb_max(own, other) : own + other;                                        \
      }                                                                                                    \
      value[v] = warp_joined(warp, how[v], own);                                                           \
    }                                                                                                      \
    if (warp.lane == 0) {                                                                                  \
      NAME##_finish_with(&view, (i32)crowded[crowd_place(pairs.targets, HB_CROWD_FAR, k)], value);         \
    }                                                                                                      \
  }
// clang-format on

HB_KERNELS_OPEN
HB_PAIR_GATHERERS(HB_GATHER_CROWDED, , )
HB_KERNELS_CLOSE
#endif
