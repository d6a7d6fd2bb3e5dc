// SPDX-License-Identifier: Apache-2.0
// Gathering for single targets on devices, a warp each: its lanes walk the tree together and share the sources within
// reach. So are summed those that reach so many sources that the other lanes of their groups (gather_warp.h) would wait
// for them, such as far-off debris, and those whose groups have next to no one else to sum for. A warp that meets very
// many gives its target up to those that reach far: of these many warps share the sums of one, each those of cells of
// its own. The kernels NAME_of_crowded and NAME_of_parts of all gatherers.
#ifndef HORNBEAM_WALK_GATHER_CROWDED_H
#define HORNBEAM_WALK_GATHER_CROWDED_H
#include "walk/gather_group.h"
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

/// The cells of one of the warps that share a target: each `parts`-th from `part` on of the `starts` first ones. Cells
/// before `begin` with children are left out, as their children are among them.
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

#endif
