// SPDX-License-Identifier: Apache-2.0
// Sums over the items of a block, in an order that depends on nothing but its size.
#ifndef HORNBEAM_DEVICE_KERNELS_BLOCK_SUM_H
#define HORNBEAM_DEVICE_KERNELS_BLOCK_SUM_H
#include "device/kernels/language.h"

/// Sums `values` rows of HB_BLOCK entries of a local array, each over its items; sum k is then part[k * HB_BLOCK], for
/// all items to read.
#define HB_SUM_BLOCK(part, values, item)                                                                \
  for (i32 stride = HB_BLOCK / 2; stride > 0; stride /= 2) {                                            \
    hb_block_sync();                                                                                    \
    if (item < stride) {                                                                                \
      for (i32 v = 0; v < values; ++v) part[v * HB_BLOCK + item] += part[v * HB_BLOCK + item + stride]; \
    }                                                                                                   \
  }                                                                                                     \
  hb_block_sync();

#endif
