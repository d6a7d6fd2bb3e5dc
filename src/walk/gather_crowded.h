// SPDX-License-Identifier: Apache-2.0
// Gathering for crowded targets on devices: what lies within reach of far-off debris is a good part of all particles,
// for which one lane of a warp would let all the others wait. The walks of groups (gather_warp.h) leave such targets on
// a list; blocks share the sums of each between them, items walking below cells of their own. The kernels
// NAME_of_crowded and NAME_of_parts of all gatherers.
#ifndef HORNBEAM_WALK_GATHER_CROWDED_H
#define HORNBEAM_WALK_GATHER_CROWDED_H
#include "interactions/pair_visitors.h"
#include "walk/pairs_warp.h"
HB_KERNELS_OPEN

enum { how_add = 0, how_max = 1 };

/// Blocks that share one of `count` crowded targets.
HB_DEVICE_FN i32 parts_of_crowded(i32 count) {
  return count <= HB_CROWD_ROWS / HB_CROWD_PARTS ? HB_CROWD_PARTS : hb_max(HB_CROWD_ROWS / count, 1);
}

/// What `a` and `b` are together: their sum, or the largest.
HB_DEVICE_FN real joined(i32 is_max, real a, real b) { return is_max ? hb_max(a, b) : a + b; }

HB_KERNELS_CLOSE

#define HB_COUNT_SUM(how, name) +1
#define HB_NOTE_HOW(how, name) how_##how,
#define HB_TAKE_SUM(how, name) value[at++] = sums.name;
#define HB_GIVE_SUM(how, name) sums.name = value[at++];

// Of HB_GATHER_CROWDED: its lines end up in one, in which clang-format takes the lists for operands.
// clang-format off
#define HB_GATHER_CROWDED(NAME, Type, F, W)                                                                \
  enum { NAME##_sum_count = 0 HB_SUMS_##NAME(HB_COUNT_SUM) };                                              \
  enum { NAME##_sums_fit = 1 / (NAME##_sum_count <= HB_MOST_SUMS) };                                       \
  /** Finishes target i with the numbers of its sums. */                                                   \
  HB_DEVICE_FN void NAME##_finish_with(const Type##View* view, i32 i, const real* value) {                 \
    HB_OF(Type##Sums, real) sums;                                                                          \
    i32 at = 0;                                                                                            \
    HB_SUMS_##NAME(HB_GIVE_SUM)                                                                            \
    if (NAME##_finish(view, i, sums)) NAME##_put_off(view, i);                                             \
  }                                                                                                        \
                                                                                                           \
  /** crowded: how many targets there are, then which. The items of a target's blocks walk in turns below  \
   * the cells [begin, end) of one level and the leaves above it. */                                       \
  HB_BLOCK_KERNEL(NAME##_of_crowded) {                                                                     \
    HB_BLOCK_ARRAY(real, part, HB_BLOCK);                                                                  \
    HB_CELLS(cells)                                                                                        \
    HB_MAKE_PAIR_VIEW(NAME, Type)                                                                          \
    const i32 item = hb_block_item(), crowd = (i32)crowded[0], parts = parts_of_crowded(crowd);            \
    const i32 how[] = {HB_SUMS_##NAME(HB_NOTE_HOW)};                                                       \
    for (i32 row = hb_block(); row < crowd * parts; row += blocks) {                                       \
      const i32 i = (i32)crowded[1 + row / parts];                                                         \
      Type##Walk s = NAME##_walk_of(&view, i);                                                             \
      for (i32 image = 0; image < pairs.images; ++image) {                                                 \
        NAME##_enter(&s, image);                                                                           \
        for (i32 c = row % parts * HB_BLOCK + item; c < end; c += parts * HB_BLOCK) {                      \
          if (c >= begin || cells.children[c] == 0) NAME##_stackless_below(&s, cells, c);                  \
        }                                                                                                  \
      }                                                                                                    \
      const HB_OF(Type##Sums, real) sums = s.sums;                                                         \
      real value[NAME##_sum_count];                                                                        \
      i32 at = 0;                                                                                          \
      HB_SUMS_##NAME(HB_TAKE_SUM)                                                                          \
      for (i32 v = 0; v < NAME##_sum_count; ++v) {                                                         \
        hb_block_sync();                                                                                   \
        part[item] = value[v];                                                                             \
        for (i32 stride = HB_BLOCK / 2; stride > 0; stride /= 2) {                                         \
          hb_block_sync();                                                                                 \
          if (item < stride) part[item] = joined(how[v], part[item], part[item + stride]);                 \
        }                                                                                                  \
        value[v] = part[item];                                                                             \
        if (item == 0 && parts > 1) shares[(u64)row * NAME##_sum_count + v] = value[v];                    \
      }                                                                                                    \
      if (item == 0 && parts == 1) NAME##_finish_with(&view, i, value);                                    \
    }                                                                                                      \
  }                                                                                                        \
                                                                                                           \
  /** Finishes the targets of which several blocks have left shares. */                                    \
  HB_KERNEL(NAME##_of_parts) {                                                                             \
    HB_MAKE_PAIR_VIEW(NAME, Type)                                                                          \
    const i32 k = hb_item(), crowd = (i32)crowded[0], parts = parts_of_crowded(crowd);                     \
    if (k >= crowd || parts == 1) return;                                                                  \
    const i32 how[] = {HB_SUMS_##NAME(HB_NOTE_HOW)};                                                       \
    real value[NAME##_sum_count];                                                                          \
    for (i32 v = 0; v < NAME##_sum_count; ++v) {                                                           \
      HB_GLOBAL const real* share = shares + (u64)k * parts * NAME##_sum_count + v;                        \
      value[v] = share[0];                                                                                 \
      for (i32 p = 1; p < parts; ++p) value[v] = joined(how[v], value[v], share[p * NAME##_sum_count]);    \
    }                                                                                                      \
    NAME##_finish_with(&view, (i32)crowded[1 + k], value);                                                 \
  }
// clang-format on

HB_KERNELS_OPEN
HB_PAIR_GATHERERS(HB_GATHER_CROWDED, , )
HB_KERNELS_CLOSE
#endif
