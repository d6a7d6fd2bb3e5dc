// SPDX-License-Identifier: Apache-2.0
// build: the octree over sorted keys, all levels at once. Which cells begin at a particle follows from the keys around
// it alone: a cell of level l begins at particle i if keys i - 1 and i differ at level l or above, and its parent is
// divided: some leaf_size + 1 consecutive keys about i share l - 1 levels. Counted by level, and by block of particles
// or by thread, a scan over these counts gives every cell its place: level by level, the children of a cell side by
// side.
#ifndef HORNBEAM_STAGES_BUILD_H
#define HORNBEAM_STAGES_BUILD_H
#include "physics/curve.h"
#include "stages/views.h"
HB_OPEN

/// Levels that two keys share, 0 to HB_LEVELS.
HB_FN i32 shared_levels(u64 a, u64 b) { return a == b ? HB_LEVELS : (hb_leading_zeros(a ^ b) - 1) / 3; }

/// One more than the deepest level at which particles i to i + leaf_size are one divided cell; 0 where there is none.
HB_FN i32 levels_below_window(i32 i, i32 n, i32 leaf_size, HB_GLOBAL const u64* keys) {
  if (i >= n - leaf_size) return 0;
  const i32 shared = shared_levels(keys[i], keys[i + leaf_size]);
  return shared < HB_LEVELS ? shared + 1 : HB_LEVELS;
}

/// Level of the largest cell that may begin at particle i; HB_LEVELS + 1 where its key is that of the one before.
HB_FN i32 first_start_level(i32 i, HB_GLOBAL const u64* keys) {
  return i == 0 ? 0 : shared_levels(keys[i - 1], keys[i]) + 1;
}

/// Level of the smallest: windows[j] = levels_below_window(j).
HB_FN i32 last_start_level(i32 i, i32 leaf_size, HB_GLOBAL const u8* windows) {
  u8 last = 0;
  for (i32 j = hb_max(i - leaf_size, 0); j <= i; ++j) last = hb_max(last, windows[j]);
  return last;
}

/// Levels of the first and the last cell that begin at a particle, packed; the last is before the first where none
/// does.
HB_FN u32 packed_starts(i32 first, i32 last) { return (u32)first | ((u32)last << 8); }
HB_FN i32 first_of_starts(u32 starts) { return (i32)(starts & 255u); }
HB_FN i32 last_of_starts(u32 starts) { return (i32)(starts >> 8); }

/// Writes what is known of cell c at its begin, particle i. parent: the cell one level up, if that begins there too, or
/// -1. top[i] becomes the largest cell that begins at particle i.
HB_FN void begin_cell(i32 c, i32 parent, i32 i, HB_GLOBAL i32* first_particle, HB_GLOBAL i32* first_child,
                      HB_GLOBAL u32* top) {
  first_particle[c] = i;
  first_child[c] = 0;
  if (parent < 0) {
    top[i] = (u32)c;
  } else {
    first_child[parent] = c;
  }
}

/// Cells of each level: level l has those from begin[l] on, and begin[HB_LEVELS + 1] is their number.
typedef struct {
  i32 begin[HB_LEVELS + 2];
} LevelTable;

HB_FN i32 level_of_cell(i32 c, LevelTable levels) {
  i32 low = 0, high = HB_LEVELS;
  while (low < high) {
    const i32 middle = (low + high) / 2;
    if (c >= levels.begin[middle + 1]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Returns the end of the particles of cell c of `level`, which begin at cells.first[c]. That is where the next of its
/// level begins, if its particles extend so far, and otherwise where its keys end.
HB_FN i32 end_of_cell(i32 c, i32 level, CellsView cells, LevelTable levels, HB_GLOBAL const u64* keys, i32 n) {
  const i32 first = cells.first[c];
  i32 low = first + 1, high = c + 1 < levels.begin[level + 1] ? cells.first[c + 1] : n;
  if (shared_levels(keys[first], keys[high - 1]) >= level) return high;
  while (low < high) {
    const i32 middle = low + (high - low) / 2;
    if (shared_levels(keys[first], keys[middle]) >= level) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Completes cell c of `level`, whose `first` and `child` are known, with the links of the stackless walk. `child` is
/// the first child, `next` the next sibling or the parent's next (Nakasato 2012 fig. 5).
HB_FN void link_cell(i32 c, i32 level, CellsView cells, LevelTable levels, HB_GLOBAL const u64* keys,
                     HB_GLOBAL const u32* top, i32 n) {
  const i32 end = end_of_cell(c, level, cells, levels, keys, n);
  i32 children = 0;
  if (cells.child[c] > 0) {
    const i32 behind = levels.begin[level + 2];
    for (i32 k = cells.child[c]; k < behind && cells.first[k] < end; ++k) ++children;
  }
  cells.count[c] = end - cells.first[c];
  cells.children[c] = children;
  cells.next[c] = end < n ? (i32)top[end] : -1;
}

HB_CLOSE
#endif
