// SPDX-License-Identifier: Apache-2.0
// build and groups, on a device. Which cells begin at a particle is known from the keys around it; cells are counted by
// block and level, and one scan over these counts gives every cell its place, level by level.
#ifndef HORNBEAM_DEVICE_KERNELS_BUILD_H
#define HORNBEAM_DEVICE_KERNELS_BUILD_H
#include "device/kernels/box.h"
#include "stages/build.h"
#include "stages/groups.h"
HB_KERNELS_OPEN

#define HB_ALL_LEVELS (HB_LEVELS + 1)
/// Rows of counts and marks: one a level, then one of groups.
#define HB_COUNT_ROWS (HB_ALL_LEVELS + 1)
/// Words of one bit an item of a block.
#define HB_BLOCK_WORDS (HB_BLOCK / 32)

/// Bit `item` of row `level` is set where a cell of that level begins at this item, and of the last row where a group
/// does; rows of HB_BLOCK_WORDS.
HB_DEVICE_FN void mark_starts(HB_LOCAL u32* bits, i32 item, i32 first, i32 last, i32 group) {
  for (i32 k = item; k < HB_COUNT_ROWS * HB_BLOCK_WORDS; k += HB_BLOCK) bits[k] = 0;
  hb_block_sync();
  if (group) hb_atomic_or(&bits[HB_ALL_LEVELS * HB_BLOCK_WORDS + item / 32], 1u << (item % 32));
  for (i32 level = first; level <= last; ++level) {
    hb_atomic_or(&bits[level * HB_BLOCK_WORDS + item / 32], 1u << (item % 32));
  }
  hb_block_sync();
}

/// Bits set in `row` before bit `item`.
HB_DEVICE_FN i32 rank_in_row(HB_LOCAL const u32* row, i32 item) {
  i32 rank = 0;
  for (i32 k = 0; k < item / 32; ++k) rank += hb_popcount(row[k]);
  return rank + hb_popcount(row[item / 32] & ((1u << (item % 32)) - 1u));
}

HB_DEVICE_FN i32 bits_in_row(HB_LOCAL const u32* row) {
  i32 sum = 0;
  for (i32 k = 0; k < HB_BLOCK_WORDS; ++k) sum += hb_popcount(row[k]);
  return sum;
}

/// packed_starts() of particle i, item `item` of a block. windows: room for the windows that reach into the block.
HB_DEVICE_FN u32 starts_in_block(i32 i, i32 item, i32 n, i32 leaf_size, HB_GLOBAL const u64* keys,
                                 HB_LOCAL u8* windows) {
  const i32 first = i - item - leaf_size;
  for (i32 k = item; k < HB_BLOCK + leaf_size; k += HB_BLOCK) {
    windows[k] = first + k < 0 ? 0 : (u8)levels_below_window(first + k, n, leaf_size, keys);
  }
  hb_block_sync();
  u8 last = 0;  // last_start_level(), of windows in local memory
  for (i32 k = item; k <= item + leaf_size; ++k) last = hb_max(last, windows[k]);
  return i < n ? packed_starts(first_start_level(i, keys), last) : packed_starts(1, 0);
}

/// starts[i]: where cells begin. counts[level * blocks + b]: cells of `level` that begin in block b, then groups; 0
/// behind the last, for the scan. marks: where groups begin, or null.
HB_BLOCK_KERNEL(count_cells) {
  HB_BLOCK_ARRAY(u8, windows, HB_BLOCK + HB_LARGEST_LEAF);
  HB_BLOCK_ARRAY(u32, bits, HB_COUNT_ROWS * HB_BLOCK_WORDS);
  const i32 i = hb_item(), item = hb_block_item();
  const u32 levels = starts_in_block(i, item, n, leaf_size, keys, windows);
  if (i < n) starts[i] = levels;
  mark_starts(bits, item, first_of_starts(levels), last_of_starts(levels), marks && i < n && marks[i] != 0);
  if (item < HB_COUNT_ROWS) counts[item * (i64)blocks + hb_block()] = (u32)bits_in_row(bits + item * HB_BLOCK_WORDS);
  if (i == 0) counts[HB_COUNT_ROWS * (i64)blocks] = 0;
}

/// What the host must know, from the scanned counts: where each level begins, and their end, then the number of groups,
/// then whether ties are out of order.
HB_KERNEL(collect_levels) {
  const i32 row = hb_item();
  if (row > HB_COUNT_ROWS + 1) return;
  if (row > HB_COUNT_ROWS) {
    totals[row] = *disordered;
  } else {
    totals[row] = counts[row * (i64)blocks] - (row == HB_COUNT_ROWS ? counts[HB_ALL_LEVELS * (i64)blocks] : 0u);
  }
}

/// Writes `first` and `child` of each cell. starts[i] becomes the largest cell that begins at particle i. With marks,
/// group_first[g] becomes the first particle of group g, and n after the last.
HB_BLOCK_KERNEL(make_cells) {
  HB_BLOCK_ARRAY(u32, bits, HB_COUNT_ROWS * HB_BLOCK_WORDS);
  const i32 i = hb_item(), item = hb_block_item();
  const u32 levels = i < n ? starts[i] : packed_starts(1, 0);
  const i32 first = first_of_starts(levels), last = last_of_starts(levels);
  const i32 group = marks && i < n && marks[i] != 0;
  mark_starts(bits, item, first, last, group);
  i32 parent = -1;
  for (i32 level = first; level <= last; ++level) {
    const i32 c = (i32)counts[level * (i64)blocks + hb_block()] + rank_in_row(bits + level * HB_BLOCK_WORDS, item);
    begin_cell(c, parent, i, first_particle, first_child, starts);
    parent = c;
  }
  const i64 row = HB_ALL_LEVELS * (i64)blocks;
  const i32 before = (i32)(counts[row + hb_block()] - counts[row]);
  if (group) group_first[before + rank_in_row(bits + HB_ALL_LEVELS * HB_BLOCK_WORDS, item)] = i;
  if (marks && i == n - 1) group_first[counts[row + blocks] - counts[row]] = n;
}

HB_KERNEL(link_cells) {
  HB_CELLS(cells)
  const i32 c = hb_item();
  if (c < levels.begin[HB_LEVELS + 1]) link_cell(c, level_of_cell(c, levels), cells, levels, keys, top, n);
}

/// Marks the groups of one window of group_size particles. Lanes see their own gaps; only where the window extends too
/// far for its least step must one lane go through it particle by particle. Particles of a window wider than `widest`
/// go each alone: a group of them would have to open all that lies between them.
HB_WARP_KERNEL(mark_groups) {
  HB_MAKE_WARP(warp);
  HB_PARTICLES(particles)
  const i32 begin = hb_warp_item() * group_size, end = hb_min(begin + group_size, n);
  HB_LEAVE_SURPLUS(begin >= n);
  const pos_t far_out = (pos_t)3e38f;
  pos_t least = far_out;
  for (i32 i = begin + 1 + warp.lane; i < end; i += HB_WARP) {
    const pos_t step = curve_way(i - 1, i, particles);
    if (step > 0) least = hb_min(least, step);
  }
  least = warp_least(warp, least);
  const pos_t extent = longest_edge_of(
      box_of_lanes(warp, box_of_every(particles.x, particles.y, particles.z, begin + warp.lane, end, HB_WARP)));
  if (extent <= HB_MOST_EXTENT * least || extent > widest) {
    for (i32 i = begin + warp.lane; i < end; i += HB_WARP) {
      marks[i] = i == begin || extent > widest || is_gap(i, n, particles);
    }
  } else if (warp.lane == 0) {
    mark_window(begin, end, n, particles, marks);
  }
}

/// The largest reach in each of the cells [begin, end) of one level, whose children are done.
HB_KERNEL(reach_of_cells) {
  const i32 c = begin + hb_item();
  if (c >= end) return;
  const bool leaf = children[c] == 0;
  HB_GLOBAL const pos_t* values = leaf ? source_reach + first[c] : cell_reach + child[c];
  const i32 n = leaf ? count[c] : children[c];
  pos_t largest = values[0];
  for (i32 k = 1; k < n; ++k) largest = hb_max(largest, values[k]);
  cell_reach[c] = largest;
}

HB_KERNELS_CLOSE
#endif
