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

HB_CLOSE
#endif
