// SPDX-License-Identifier: Apache-2.0
// groups: neighbouring particles that share one traversal. After moments, before the group walk.
// A node with more than group_size particles gathers its small children, in curve order, into groups; large leaves
// (coincident particles) are cut; particles from outside the key cube, which would stretch a group, go alone.
#ifndef HORNBEAM_STAGES_GROUPS_H
#define HORNBEAM_STAGES_GROUPS_H
#include "stages/views.h"
HB_OPEN

/// Writes [first, first + count) in pieces of at most `size` to groups[at ...] where groups is not null; how many.
HB_FN i32 cut_range(i32 first, i32 count, i32 size, HB_GLOBAL GroupRange* groups, i32 at) {
  i32 made = 0;
  for (i32 done = 0; done < count; done += size, ++made) {
    if (groups) {
      groups[at + made].first = first + done;
      groups[at + made].count = hb_min(size, count - done);
    }
  }
  return made;
}

/// Whether cell c of the given key-cell edge holds particles from outside the key cube.
HB_FN bool is_stretched(i32 c, CellsView cells, pos_t edge) {
  return hb_max(cells.high_x[c] - cells.low_x[c],
                hb_max(cells.high_y[c] - cells.low_y[c], cells.high_z[c] - cells.low_z[c])) > edge * (pos_t)1.001f;
}

/// The groups that cell c of the given key-cell edge contributes: counts them, and writes them where groups is not null.
/// Every particle falls to exactly one cell: the smallest divided one with more than group_size, or the root.
HB_FN i32 groups_of_cell(i32 c, CellsView cells, pos_t edge, i32 group_size, HB_GLOBAL GroupRange* groups, i32 at) {
  const bool whole = c == 0 && (cells.count[0] <= group_size || cells.children[0] == 0);
  if (whole) return cut_range(0, cells.count[0], is_stretched(0, cells, edge) ? 1 : group_size, groups, at);
  if (cells.count[c] <= group_size) return 0;
  i32 made = 0, first = cells.first[c], count = 0;
  const i32 end = cells.child[c] + cells.children[c];
  for (i32 k = cells.child[c]; k < end; ++k) {
    const bool divided = cells.count[k] > group_size && cells.children[k] > 0;
    const bool stretched = is_stretched(k, cells, edge / 2);
    if (count > 0 && (divided || stretched || count + cells.count[k] > group_size)) {
      made += cut_range(first, count, group_size, groups, at + made);
      count = 0;
    }
    if (count == 0) first = cells.first[k];
    if (divided) continue;
    if (stretched) {
      made += cut_range(first, cells.count[k], 1, groups, at + made);
    } else {
      count += cells.count[k];
    }
  }
  return made + cut_range(first, count, group_size, groups, at + made);
}

HB_CLOSE
#endif
