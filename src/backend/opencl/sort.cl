// SPDX-License-Identifier: Apache-2.0
// One pass of a stable radix sort of 64-bit keys with 32-bit values: sort_count counts the digits of each tile, the
// host scans the counts (scan.cl), sort_scatter sorts each tile by the digit in local memory and writes its runs side
// by side. Ranks come from counters that each work item keeps for itself, so nothing depends on who runs first.
#include "backend/opencl/scan.cl"

#define DIGITS 256
#define SORT_ITEMS 8
#define SORT_TILE (GROUP * SORT_ITEMS)
// Counters of the digits of a tile: work items of a warp that meet the same digit spread over so many.
#define COUNT_COPIES 8

/// counts[digit * tiles + tile]: how many keys of the tile have this digit, (key >> shift) & mask.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void sort_count(__global const ulong* keys, long n,
                                                                            int shift, uint mask,
                                                                            __global uint* counts) {
  __local uint bins[DIGITS * COUNT_COPIES];
  const uint item = (uint)get_local_id(0);
  for (uint k = 0; k < COUNT_COPIES; ++k) bins[k * GROUP + item] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const long start = (long)get_group_id(0) * SORT_TILE;
  for (uint k = 0; k < SORT_ITEMS; ++k) {
    const long i = start + k * GROUP + item;
    if (i < n) atomic_inc(bins + ((uint)(keys[i] >> shift) & mask) * COUNT_COPIES + item % COUNT_COPIES);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint count = 0;
  for (uint k = 0; k < COUNT_COPIES; ++k) count += bins[item * COUNT_COPIES + (k + item) % COUNT_COPIES];
  counts[item * get_num_groups(0) + get_group_id(0)] = count;
}

/// rank[k]: the place of this item's k-th key in the tile sorted by four bits of the keys, (key >> shift) & 15 & mask.
/// Counters of 16 bits, two a word: digits d and d + 8 of work item i share word d * GROUP + i, which no other item
/// touches before the scan.
INLINED void rank_keys(const ulong* key, int shift, uint mask, __local uint* counters, __local uint* sums, uint* rank) {
  const uint item = (uint)get_local_id(0);
  for (uint d = 0; d < 8; ++d) counters[PLACE(d * GROUP + item)] = 0;
#pragma unroll
  for (uint k = 0; k < SORT_ITEMS; ++k) {
    const uint digit = (uint)(key[k] >> shift) & mask & 15;
    __local uint* counter = counters + PLACE((digit & 7) * GROUP + item);
    const uint word = *counter;
    rank[k] = (word >> (2 * (digit & 8))) & 0xffff;
    *counter = word + (1u << (2 * (digit & 8)));
  }
  const uint total = scan_tile(counters, sums);
#pragma unroll
  for (uint k = 0; k < SORT_ITEMS; ++k) {
    const uint digit = (uint)(key[k] >> shift) & mask & 15;
    // digits from 8 on stand after all keys of the digits below 8
    const uint before = counters[PLACE((digit & 7) * GROUP + item)] + (total << 16);
    rank[k] += (before >> (2 * (digit & 8))) & 0xffff;
  }
}

/// Sorts each tile by bits [shift, shift + bits) of its keys, bits <= 8, and writes it to the places that `offsets`
/// (the exclusive sums of the counts) gives its digits.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void sort_scatter(
    __global const ulong* keys, __global const uint* values, long n, int shift, int bits, __global const uint* offsets,
    __global ulong* sorted_keys, __global uint* sorted_values) {
  __local ulong room[PLACE(SORT_TILE)];  // keys, then values, on their way from one order to another
  __local uint counters[PLACE(SCAN_TILE)];
  __local uint sums[2 * GROUP];
  __local uint places[DIGITS];
  const uint item = (uint)get_local_id(0);
  const long start = (long)get_group_id(0) * SORT_TILE;
  const uint mask = (1u << bits) - 1;
  const uint own = PLACE(item * SORT_ITEMS);
  const uint offset = offsets[item * get_num_groups(0) + get_group_id(0)];  // asked for early: it takes long to come
  ulong key[SORT_ITEMS];
  uint value[SORT_ITEMS], rank[SORT_ITEMS];

  // each item takes SORT_ITEMS keys that follow one another; beyond n come keys that sort behind all others
#pragma unroll
  for (uint k = 0; k < SORT_ITEMS; ++k) {
    const uint i = k * GROUP + item;
    room[PLACE(i)] = start + i < n ? keys[start + i] : ~0ul;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint k = 0; k < SORT_ITEMS; ++k) key[k] = room[own + k];
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint k = 0; k < SORT_ITEMS; ++k) {
    const uint i = k * GROUP + item;
    room[PLACE(i)] = start + i < n ? values[start + i] : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint k = 0; k < SORT_ITEMS; ++k) value[k] = (uint)room[own + k];

  rank_keys(key, shift, mask, counters, sums, rank);
  if (bits > 4) {
#pragma unroll
    for (uint k = 0; k < SORT_ITEMS; ++k) room[PLACE(rank[k])] = key[k];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint k = 0; k < SORT_ITEMS; ++k) key[k] = room[own + k];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint k = 0; k < SORT_ITEMS; ++k) room[PLACE(rank[k])] = value[k];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint k = 0; k < SORT_ITEMS; ++k) value[k] = (uint)room[own + k];
    rank_keys(key, shift + 4, mask >> 4, counters, sums, rank);
  }

  // the sorted tile: where a digit begins, its first key says so
#pragma unroll
  for (uint k = 0; k < SORT_ITEMS; ++k) room[PLACE(rank[k])] = key[k];
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint k = 0; k < SORT_ITEMS; ++k) {
    const uint p = k * GROUP + item;
    key[k] = room[PLACE(p)];
    const uint digit = (uint)(key[k] >> shift) & mask;
    const uint before = p > 0 ? (uint)(room[PLACE(p - 1)] >> shift) & mask : DIGITS;
    if (digit != before) places[digit] = p;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  places[item] = offset - places[item];
#pragma unroll
  for (uint k = 0; k < SORT_ITEMS; ++k) room[PLACE(rank[k])] = value[k];
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint k = 0; k < SORT_ITEMS; ++k) {
    const uint p = k * GROUP + item;
    if (start + p < n) {
      const uint to = places[(uint)(key[k] >> shift) & mask] + p;
      sorted_keys[to] = key[k];
      sorted_values[to] = (uint)room[PLACE(p)];
    }
  }
}
