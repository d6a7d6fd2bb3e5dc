// SPDX-License-Identifier: Apache-2.0
// Searches among arrays of callers that lie on the device: places taken in the order of a tree, and rows of neighbours
// and keys of pairs given back. Before key and after the walks over pairs.
#ifndef HORNBEAM_DEVICE_KERNELS_LENT_SEARCH_H
#define HORNBEAM_DEVICE_KERNELS_LENT_SEARCH_H
#include "device/kernels/language.h"
#include "stages/lent.h"
#include "stages/wrap.h"
HB_KERNELS_OPEN

/// to[i] = number input[i] (or i) of the column, in the box, as far on as it comes within the time, in the box again.
HB_KERNEL(take_places) {
  const i32 i = hb_item();
  if (i >= n) return;
  const i32 from = input ? (i32)input[i] : i;
  const pos_t now = wrapped_from_zero((pos_t)lent_number(memory, column, from), period);
  to[i] = time == 0 ? now : wrapped_from_zero((pos_t)(now + lent_number(speeds, speed, from) * time), period);
}

/// marks[i]: whether sum i + 1 has gone once more around what 32 bits hold; of n rows, and 0 behind them.
HB_KERNEL(mark_wraps) {
  const i32 i = hb_item();
  if (i <= n) marks[i] = i < n && sums[i + 1] < sums[i] ? 1 : 0;
}

/// Where rows begin: by sums in 32 bits and how often these have gone around, or of rows that are all `alike` long.
HB_KERNEL(give_offsets) {
  const i32 i = hb_item();
  if (i >= n) return;
  to[i] = sums ? ((u64)wraps[i] << 32) + sums[i] : (u64)i * (u64)alike;
}

/// Number first + i in the caller's type = root i.
HB_KERNEL(give_roots) {
  const i32 i = hb_item();
  if (i < n) give_number(to, wide, first + i, (f64)hb_sqrt(squares[i]));
}

/// Pairs as numbers that are in the order of their indices.
HB_KERNEL(pair_keys) {
  const i32 i = hb_item();
  if (i < n) keys[i] = ((u64)first[i] << 32) + second[i];
}

/// The same of rows of partners.
HB_KERNEL(row_keys) {
  const i32 i = hb_item();
  if (i >= n) return;
  for (u64 k = offset[i]; k < offset[i + 1]; ++k) keys[k] = ((u64)(u32)i << 32) + partner[k];
}

HB_KERNELS_CLOSE
#endif
