// SPDX-License-Identifier: Apache-2.0
// groups: neighbouring particles that share one traversal. After build, before the group walk.
// A node with more than group_size particles gathers its small children, in curve order, into groups; large leaves
// (coincident particles) are cut. No group spans a gap: fp32 differences to its centre must resolve its closest pairs,
// and no outlier may stretch it.
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

/// Whether a gap lies between particles i - 1 and i of n. Steps between coincident particles measure nothing, unless
/// there is no other step beside this one.
HB_FN bool is_gap(i32 i, i32 n, ParticlesView p) {
  if (i == 0) return false;
  const pos_t step = curve_way(i - 1, i, p);
  const pos_t before = i > 1 ? curve_way(i - 2, i - 1, p) : 0;
  const pos_t after = i + 1 < n ? curve_way(i, i + 1, p) : 0;
  if (before == 0 && after == 0) return step > 0 && n > 2 && (i == 1 || i + 1 == n);
  const pos_t least = before == 0 ? after : (after == 0 ? before : hb_min(before, after));
  return step > HB_GAP * least;
}

/// A group may extend this many times its least step along the curve: what fp32 resolves with 2e-4 to spare.
#define HB_MOST_EXTENT 4096

/// Writes [first, first + count), cut at gaps, where it would extend too far, and into pieces of at most `size`, to
/// groups[at ...] where groups is not null; returns how many pieces. gaps[i]: is_gap(i).
HB_FN i32 cut_range(i32 first, i32 count, i32 size, ParticlesView particles, HB_GLOBAL const char* gaps,
                    HB_GLOBAL GroupRange* groups, i32 at) {
  i32 made = 0, begin = first;
  pos_t least = 0;  // nonzero step of the present piece
  for (i32 i = first + 1; i <= first + count; ++i) {
    if (i < first + count && i - begin < size && !gaps[i]) {
      const pos_t step = curve_way(i - 1, i, particles);
      if (step > 0 && (least == 0 || step < least)) least = step;
      if (curve_way(begin, i, particles) <= HB_MOST_EXTENT * least) continue;
    }
    if (groups) {
      groups[at + made].first = begin;
      groups[at + made].count = i - begin;
    }
    ++made;
    begin = i;
    least = 0;
  }
  return made;
}

/// The groups that cell c contributes: counts them, and writes them where groups is not null. Every particle falls to
/// exactly one cell: the smallest divided one with more than group_size, or the root.
HB_FN i32 groups_of_cell(i32 c, CellsView cells, i32 group_size, ParticlesView particles, HB_GLOBAL const char* gaps,
                         HB_GLOBAL GroupRange* groups, i32 at) {
  const bool whole = c == 0 && (cells.count[0] <= group_size || cells.children[0] == 0);
  if (whole) return cut_range(0, cells.count[0], group_size, particles, gaps, groups, at);
  if (cells.count[c] <= group_size) return 0;
  i32 made = 0, first = cells.first[c], count = 0;
  const i32 end = cells.child[c] + cells.children[c];
  for (i32 k = cells.child[c]; k < end; ++k) {
    const bool divided = cells.count[k] > group_size && cells.children[k] > 0;
    if (count > 0 && (divided || count + cells.count[k] > group_size)) {
      made += cut_range(first, count, group_size, particles, gaps, groups, at + made);
      count = 0;
    }
    if (count == 0) first = cells.first[k];
    if (!divided) count += cells.count[k];
  }
  return count > 0 ? made + cut_range(first, count, group_size, particles, gaps, groups, at + made) : made;
}

// On devices a warp's lanes should all have a target: groups are windows of consecutive particles, cut by the same two
// rules. A mark says that a group begins at a particle.

/// Marks the groups of the window [begin, end) of n particles.
HB_FN void mark_window(i32 begin, i32 end, i32 n, ParticlesView particles, HB_GLOBAL u8* marks) {
  i32 first = begin;
  pos_t least = 0;
  for (i32 i = begin; i < end; ++i) {
    marks[i] = i == begin;
    if (i == begin) continue;
    if (!is_gap(i, n, particles)) {
      const pos_t step = curve_way(i - 1, i, particles);
      if (step > 0 && (least == 0 || step < least)) least = step;
      if (curve_way(first, i, particles) <= HB_MOST_EXTENT * least) continue;
    }
    marks[i] = 1;
    first = i;
    least = 0;
  }
}

HB_CLOSE
#endif
