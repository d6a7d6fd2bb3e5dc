// SPDX-License-Identifier: Apache-2.0
// Exclusive sums of 32-bit words, a tile a work group: the sums of the tiles are scanned in turn and added. No work
// group waits for another and no work item counts on its neighbours' pace.
#ifndef HORNBEAM_OPENCL_SCAN_CL
#define HORNBEAM_OPENCL_SCAN_CL
#include "device/kernels/signature.h"

typedef ulong u64;
typedef uint u32;
typedef long i64;
typedef int i32;
#define HB_GLOBAL __global
#define SORT_KERNEL(name) __kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void name(HB_SIGNATURE(name))
#define GROUP 256
#define SCAN_ITEMS 8
#define SCAN_TILE (GROUP * SCAN_ITEMS)
// One word in nine stays empty, so that items that each read eight words in turn meet different banks.
#define PLACE(i) ((i) + (i) / 8)
// Functions that take local arrays are inlined by force: PoCL 3.1 makes one array of all work groups of what a function
// left standing on its own was given, and groups on several threads then overwrite each other's.
#define INLINED static inline __attribute__((always_inline))

/// Replaces the words of `room` (SCAN_TILE of them, each at its PLACE) by the sums of those before; returns the sum of
/// all. All items of the group call it after their writes; the room may be read when it returns.
INLINED uint scan_tile(__local uint* room, __local uint* sums) {
  const uint item = (uint)get_local_id(0);
  __local uint* mine = room + PLACE(item * SCAN_ITEMS);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint own = 0;
  for (uint k = 0; k < SCAN_ITEMS; ++k) own += mine[k];
  sums[item] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint at = 0;  // two halves of `sums` take turns: one is read while the other is written
  for (uint step = 1; step < GROUP; step *= 2) {
    const uint sum = sums[at + item] + (item >= step ? sums[at + item - step] : 0);
    at = GROUP - at;
    sums[at + item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  uint before = sums[at + item] - own;
  const uint total = sums[at + GROUP - 1];
  for (uint k = 0; k < SCAN_ITEMS; ++k) {
    const uint word = mine[k];
    mine[k] = before;
    before += word;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return total;
}

/// Scans each tile of `values` on its own; totals: the sum of each, from the `first_total`-th on.
SORT_KERNEL(scan_tiles) {
  __local uint room[PLACE(SCAN_TILE)];
  __local uint sums[2 * GROUP];
  const uint item = (uint)get_local_id(0);
  const long start = (long)get_group_id(0) * SCAN_TILE;
  for (uint k = 0; k < SCAN_ITEMS; ++k) {
    const uint i = k * GROUP + item;
    room[PLACE(i)] = start + i < n ? values[first + start + i] : 0;
  }
  const uint total = scan_tile(room, sums);
  for (uint k = 0; k < SCAN_ITEMS; ++k) {
    const uint i = k * GROUP + item;
    if (start + i < n) values[first + start + i] = room[PLACE(i)];
  }
  if (item == 0) totals[first_total + get_group_id(0)] = total;
}

/// Adds to each tile of `values` the sum of the tiles before it.
SORT_KERNEL(add_to_tiles) {
  const long start = (long)get_group_id(0) * SCAN_TILE;
  const uint sum = before[first_before + get_group_id(0)];
  for (uint k = 0; k < SCAN_ITEMS; ++k) {
    const long i = start + k * GROUP + get_local_id(0);
    if (i < n) values[first + i] += sum;
  }
}

#endif
