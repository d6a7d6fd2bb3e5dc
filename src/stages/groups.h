// SPDX-License-Identifier: Apache-2.0
// groups: neighbouring particles that share one traversal. After build, before the group walk.
// The curve is divided into windows of at most group_size particles, and these into groups: a mark says that one begins
// at a particle. No group spans a gap: fp32 differences to its centre must resolve its closest pairs, and no outlier
// may stretch it. Windows follow the cells on the CPU: those of group_size consecutive particles cost its walk 12 %
// (Plummer, N = 1e6). On devices they are these nevertheless, because all lanes of a warp should have a target.
#ifndef HORNBEAM_STAGES_GROUPS_H
#define HORNBEAM_STAGES_GROUPS_H
#include "stages/views.h"
HB_OPEN

/// A step along the curve this many times longer than the one before or after it is a gap.
#define HB_GAP 256

/// Largest component of the way from particle i to particle j.
HB_FN pos_t curve_way(i32 i, i32 j, ParticlesView p) {
  return hb_max(hb_abs(p.x[j] - p.x[i]), hb_max(hb_abs(p.y[j] - p.y[i]), hb_abs(p.z[j] - p.z[i])));
}

/// Whether the step from particle i - 1 to particle i of n is a gap; `before` and `after` it, 0 where there is none.
/// Steps between coincident particles measure nothing, unless there is no other step than this one.
HB_FN bool is_gap_between(pos_t before, pos_t step, pos_t after, i32 i, i32 n) {
  if (before == 0 && after == 0) return step > 0 && n > 2 && (i == 1 || i + 1 == n);
  const pos_t least = before == 0 ? after : (after == 0 ? before : hb_min(before, after));
  return step > HB_GAP * least;
}

/// The way from particle i to the next of n; 0 where there is none.
HB_FN pos_t step_from(i32 i, i32 n, ParticlesView p) { return i >= 0 && i + 1 < n ? curve_way(i, i + 1, p) : 0; }

/// Whether a gap lies between particles i - 1 and i of n.
HB_FN bool is_gap(i32 i, i32 n, ParticlesView p) {
  return is_gap_between(step_from(i - 2, n, p), step_from(i - 1, n, p), step_from(i, n, p), i, n);
}

/// A group may extend this many times its least step along the curve: what fp32 resolves with 2e-4 to spare.
#define HB_MOST_EXTENT 4096

/// Marks where the windows begin that cell c contributes; marks are 0 before. A cell with more than group_size
/// particles gathers its small children, in the order of the curve, into windows; a leaf as large is one by itself.
/// Every particle falls to exactly one cell: the smallest divided one with more than group_size, or the root.
HB_FN void mark_windows_of_cell(i32 c, CellsView cells, i32 group_size, HB_GLOBAL u8* marks) {
  if (c == 0 && (cells.count[0] <= group_size || cells.children[0] == 0)) marks[0] = 1;
  if (cells.count[c] <= group_size) return;
  i32 gathered = 0;
  for (i32 k = cells.child[c]; k < cells.child[c] + cells.children[c]; ++k) {
    if (cells.count[k] > group_size && cells.children[k] > 0) {
      gathered = 0;  // its particles fall to its descendants
      continue;
    }
    if (gathered == 0 || gathered + cells.count[k] > group_size) {
      marks[cells.first[k]] = 1;
      gathered = 0;
    }
    gathered += cells.count[k];
  }
}

/// Marks the groups of the window [begin, end) of n particles, and no other particle in it.
HB_FN void mark_window(i32 begin, i32 end, i32 n, ParticlesView particles, HB_GLOBAL u8* marks) {
  i32 first = begin;
  pos_t least = 0;  // nonzero step of the present group
  pos_t before = 0, step = step_from(begin - 1, n, particles), after = step_from(begin, n, particles);
  marks[begin] = 1;
  for (i32 i = begin + 1; i < end; ++i) {
    before = step;
    step = after;
    after = step_from(i, n, particles);
    if (step > 0 && (least == 0 || step < least)) least = step;
    marks[i] = is_gap_between(before, step, after, i, n) || curve_way(first, i, particles) > HB_MOST_EXTENT * least;
    if (marks[i] == 0) continue;
    first = i;
    least = 0;
  }
}

HB_CLOSE
#endif
