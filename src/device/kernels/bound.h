// SPDX-License-Identifier: Apache-2.0
// bound, on a device: least and largest coordinates, and counts of coordinates in bins.
#ifndef HORNBEAM_DEVICE_KERNELS_BOUND_H
#define HORNBEAM_DEVICE_KERNELS_BOUND_H
#include "device/kernels/language.h"
#include "stages/bound.h"
#include "stages/box.h"
HB_KERNELS_OPEN

/// Combines the boxes of a block's items, one after the other half of the rest; box[0..5] of item 0 at the end.
HB_DEVICE_FN void combine_boxes(HB_LOCAL pos_t* box, i32 item) {
  for (i32 stride = HB_BLOCK / 2; stride > 0; stride /= 2) {
    hb_block_sync();
    if (item < stride) {
      for (i32 k = 0; k < HB_BOX_VALUES; ++k) {
        const pos_t a = box[k * HB_BLOCK + item], b = box[k * HB_BLOCK + item + stride];
        box[k * HB_BLOCK + item] = k < 3 ? hb_min(a, b) : hb_max(a, b);
      }
    }
  }
  hb_block_sync();
}

/// The box of particles `at`, at + stride, ... of all the items of a block, to box.
HB_DEVICE_FN void box_of_particles(HB_GLOBAL const pos_t* x, HB_GLOBAL const pos_t* y, HB_GLOBAL const pos_t* z, i32 n,
                                   i32 at, i32 stride, HB_LOCAL pos_t* box, i32 item) {
  const PlaceBox mine = box_of_every(x, y, z, at, n, stride);
  box[item] = mine.low_x;
  box[HB_BLOCK + item] = mine.low_y;
  box[2 * HB_BLOCK + item] = mine.low_z;
  box[3 * HB_BLOCK + item] = mine.high_x;
  box[4 * HB_BLOCK + item] = mine.high_y;
  box[5 * HB_BLOCK + item] = mine.high_z;
  combine_boxes(box, item);
}

/// Boxes of the particles, `blocks` of them, value k of block b at boxes[k * blocks + b].
HB_BLOCK_KERNEL(bound_blocks) {
  HB_BLOCK_ARRAY(pos_t, box, HB_BOX_VALUES * HB_BLOCK);
  const i32 item = hb_block_item();
  box_of_particles(x, y, z, n, hb_item(), blocks * HB_BLOCK, box, item);
  if (item == 0) {
    for (i32 k = 0; k < HB_BOX_VALUES; ++k) boxes[k * blocks + hb_block()] = box[k * HB_BLOCK];
  }
}

/// Reports the box of all and the axes of the first round, which divide it.
HB_DEVICE_FN void report_box(HB_LOCAL const pos_t* box, i32 item, HB_GLOBAL BoundReport* found) {
  if (item < HB_BOX_VALUES) found->box[item] = box[item * HB_BLOCK];
  if (item < 3) {
    const pos_t low = box[item * HB_BLOCK], high = box[(3 + item) * HB_BLOCK];
    found->axes.low[item] = low;
    found->axes.scale[item] = bin_scale(low, high);
  }
}

/// The box of all from at least one box of blocks, and no counts in the bins; one block of items.
HB_BLOCK_KERNEL(bound_all) {
  HB_BLOCK_ARRAY(pos_t, box, HB_BOX_VALUES * HB_BLOCK);
  const i32 item = hb_block_item();
  for (i32 k = 0; k < HB_BOX_VALUES; ++k) {
    pos_t v = boxes[k * blocks + hb_min(item, blocks - 1)];
    for (i32 b = item; b < blocks; b += HB_BLOCK) {
      v = k < 3 ? hb_min(v, boxes[k * blocks + b]) : hb_max(v, boxes[k * blocks + b]);
    }
    box[k * HB_BLOCK + item] = v;
  }
  combine_boxes(box, item);
  report_box(box, item, found);
  for (i32 b = item; b < 3 * HB_BOUND_BINS; b += HB_BLOCK) found->bins[b] = 0;
}

/// Counts of the coordinates of particles `at`, at + stride, ... of all items of a block, for axes whose scale is above
/// 0; mine[k HB_BOUND_BINS ...]: those of axis k.
HB_DEVICE_FN void count_in_bins(HB_GLOBAL const pos_t* x, HB_GLOBAL const pos_t* y, HB_GLOBAL const pos_t* z, i32 n,
                                i32 at, i32 stride, BoundBins axes, HB_LOCAL u32* mine, i32 item) {
  for (i32 b = item; b < 3 * HB_BOUND_BINS; b += HB_BLOCK) mine[b] = 0;
  hb_block_sync();
  for (i32 i = at; i < n; i += stride) {
    if (axes.scale[0] > 0) hb_atomic_add(&mine[bound_bin(x[i], axes.low[0], axes.scale[0])], 1u);
    if (axes.scale[1] > 0) hb_atomic_add(&mine[HB_BOUND_BINS + bound_bin(y[i], axes.low[1], axes.scale[1])], 1u);
    if (axes.scale[2] > 0) hb_atomic_add(&mine[2 * HB_BOUND_BINS + bound_bin(z[i], axes.low[2], axes.scale[2])], 1u);
  }
  hb_block_sync();
}

/// Adds the counts of all coordinates to their bins.
HB_BLOCK_KERNEL(count_bins) {
  HB_BLOCK_ARRAY(u32, mine, 3 * HB_BOUND_BINS);
  const i32 item = hb_block_item();
  count_in_bins(x, y, z, n, hb_item(), blocks * HB_BLOCK, found->axes, mine, item);
  for (i32 b = item; b < 3 * HB_BOUND_BINS; b += HB_BLOCK) {
    if (mine[b] > 0) hb_atomic_add(&found->bins[b], mine[b]);
  }
}

/// bound_all and the first count_bins of few particles: one block of items.
HB_BLOCK_KERNEL(bound_few) {
  HB_BLOCK_ARRAY(pos_t, box, HB_BOX_VALUES * HB_BLOCK);
  HB_BLOCK_ARRAY(u32, mine, 3 * HB_BOUND_BINS);
  const i32 item = hb_block_item();
  box_of_particles(x, y, z, n, item, HB_BLOCK, box, item);
  report_box(box, item, found);
  hb_block_sync_global();
  count_in_bins(x, y, z, n, item, HB_BLOCK, found->axes, mine, item);
  for (i32 b = item; b < 3 * HB_BOUND_BINS; b += HB_BLOCK) found->bins[b] = mine[b];
}

HB_KERNELS_CLOSE
#endif
