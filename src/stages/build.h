// SPDX-License-Identifier: Apache-2.0
// build: the octree over sorted keys, one level from the one above. Cells whose keys share 3 * level bits become the
// children, side by side, of their parent; a scan between the two stages here gives each parent its place.
#ifndef HORNBEAM_STAGES_BUILD_H
#define HORNBEAM_STAGES_BUILD_H
#include "physics/curve.h"
#include "stages/views.h"
HB_OPEN

/// First of the particles [begin, end) of one cell whose octant is at least `octant`.
HB_FN i32 first_of_octant(HB_GLOBAL const u64* keys, i32 begin, i32 end, i32 level, i32 octant) {
  while (begin < end) {
    const i32 middle = begin + (end - begin) / 2;
    if (key_octant(keys[middle], level) < octant) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

/// Whether a cell of `level` with `count` particles is divided.
HB_FN i32 is_divided(i32 count, i32 level, i32 leaf_size) { return count > leaf_size && level < HB_LEVELS; }

/// Number of children of cell c; 0 for a leaf.
HB_FN i32 count_children(i32 c, CellsView cells, HB_GLOBAL const u64* keys, i32 level, i32 leaf_size) {
  if (!is_divided(cells.count[c], level, leaf_size)) return 0;
  const i32 end = cells.first[c] + cells.count[c];
  i32 children = 0;
  for (i32 begin = cells.first[c]; begin < end; ++children) {
    begin = first_of_octant(keys, begin, end, level, key_octant(keys[begin], level) + 1);
  }
  return children;
}

/// Writes the children of cell c, `children` of them, from cell `child` on, with the links of the stackless walk
/// (Nakasato 2012 fig. 5: `more` is the first child, `next` the next sibling or the parent's next).
HB_FN void make_children(i32 c, CellsView cells, HB_GLOBAL const u64* keys, i32 level, i32 child, i32 children) {
  cells.child[c] = children > 0 ? child : 0;
  cells.children[c] = children;
  i32 begin = cells.first[c];
  const i32 end = begin + cells.count[c];
  for (i32 k = 0; k < children; ++k) {
    const i32 split = first_of_octant(keys, begin, end, level, key_octant(keys[begin], level) + 1);
    cells.first[child + k] = begin;
    cells.count[child + k] = split - begin;
    cells.child[child + k] = 0;
    cells.children[child + k] = 0;
    cells.next[child + k] = k + 1 < children ? child + k + 1 : cells.next[c];
    begin = split;
  }
}

// The same tree without passing from level to level, for devices: which cells begin at a particle follows from the keys
// around it alone. A cell of level l begins at particle i if keys i - 1 and i differ at level l or above, and its
// parent is divided: some leaf_size + 1 consecutive keys about i share l - 1 levels.

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
  i32 last = 0;
  for (i32 j = hb_max(i - leaf_size, 0); j <= i; ++j) last = hb_max(last, (i32)windows[j]);
  return last;
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

/// End of the particles of cell c of `level`, which begin at cells.first[c]: where the next of its level begins if its
/// particles reach so far, else where its keys end.
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

/// Completes cell c, of which `first` and `child` are known. top[i]: the largest cell that begins at particle i.
HB_FN void link_cell(i32 c, CellsView cells, LevelTable levels, HB_GLOBAL const u64* keys, HB_GLOBAL const u32* top,
                     i32 n) {
  const i32 level = level_of_cell(c, levels);
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
