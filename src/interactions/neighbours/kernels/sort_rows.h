// SPDX-License-Identifier: Apache-2.0
// Rows of neighbours in their final order: a warp sorts a row in place, by a bitonic network (Batcher 1968) in the form
// whose comparisons all look the same way, so that rows need not be as long as a power of two.
#ifndef HORNBEAM_INTERACTIONS_NEIGHBOURS_KERNELS_SORT_ROWS_H
#define HORNBEAM_INTERACTIONS_NEIGHBOURS_KERNELS_SORT_ROWS_H
#include "device/kernels/language.h"
#include "interactions/neighbours/rows.h"
HB_KERNELS_OPEN

/// Exchanges the neighbours at all i and i ^ mask of a row of `count` that are in the wrong order.
HB_DEVICE_FN void order_pairs(Warp warp, HB_GLOBAL u32* index, HB_GLOBAL pos_t* distance2, u32 count, u32 mask,
                              i32 by_distance) {
  for (u32 i = (u32)warp.lane; i < count; i += HB_WARP) {
    const u32 j = i ^ mask;
    if (j < i || j >= count) continue;
    const u32 index_i = index[i], index_j = index[j];
    const pos_t d_i = distance2[i], d_j = distance2[j];
    const bool ordered =
        by_distance ? is_nearer(d_i, index_i, d_j, index_j) : index_i < index_j || (index_i == index_j && d_i <= d_j);
    if (ordered) continue;
    index[i] = index_j;
    index[j] = index_i;
    distance2[i] = d_j;
    distance2[j] = d_i;
  }
  warp_sync_global();
}

/// Sorts the rows wanted by distance, ties by index, or by index, ties (images of one source) by distance.
HB_WARP_KERNEL(sort_rows) {
  HB_MAKE_WARP(warp);
  const i32 row = rows.begin + hb_warp_item();
  HB_LEAVE_SURPLUS(row >= rows.end);
  const u64 begin = offset[row] - offset[rows.begin];
  const u32 count = (u32)(offset[row + 1] - offset[row]);
  for (u32 width = 2; hb_all_go_on(width / 2 < count); width *= 2) {
    order_pairs(warp, index + begin, distance2 + begin, count, width - 1, by_distance);
    for (u32 step = width / 4; hb_all_go_on(step > 0); step /= 2) {
      order_pairs(warp, index + begin, distance2 + begin, count, step, by_distance);
    }
  }
}

HB_KERNELS_CLOSE
#endif
