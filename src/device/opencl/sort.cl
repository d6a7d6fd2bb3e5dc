// SPDX-License-Identifier: Apache-2.0
// One pass of a stable radix sort of 64-bit keys with 32-bit values: sort_count counts the digits of each tile, the
// host scans the counts (scan.cl), sort_scatter sorts each tile by the digit in local memory and writes its runs side
// by side. Ranks come from counters that each work item keeps for itself, so nothing depends on who runs first.
#include "device/opencl/scan.cl"

#define DIGITS 256
#define SORT_ITEMS 8
#define SORT_TILE (GROUP * SORT_ITEMS)
// Counters of the digits of a tile: work items of a warp that meet the same digit spread over so many.
#define COUNT_COPIES 8

/// counts[digit * tiles + tile]: how many keys of the tile have this digit, (key >> shift) & mask.
SORT_KERNEL(sort_count) {
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
/// touches before the scan. Keys are read again where they are needed: local memory is quick, and registers are short.
INLINED void rank_keys(__local const ulong* keys, int shift, uint mask, __local uint* counters, __local uint* sums,
                       uint* rank) {
  const uint item = (uint)get_local_id(0);
  for (uint d = 0; d < 8; ++d) counters[PLACE(d * GROUP + item)] = 0;
#pragma unroll
  for (uint k = 0; k < SORT_ITEMS; ++k) {
    const uint digit = (uint)(keys[k] >> shift) & mask & 15;
    __local uint* counter = counters + PLACE((digit & 7) * GROUP + item);
    const uint word = *counter;
    rank[k] = (word >> (2 * (digit & 8))) & 0xffff;
    *counter = word + (1u << (2 * (digit & 8)));
  }
  const uint total = scan_tile(counters, sums);
#pragma unroll
  for (uint k = 0; k < SORT_ITEMS; ++k) {
    const uint digit = (uint)(keys[k] >> shift) & mask & 15;
    // digits from 8 on stand after all keys of the digits below 8
    const uint before = counters[PLACE((digit & 7) * GROUP + item)] + (total << 16);
    rank[k] += (before >> (2 * (digit & 8))) & 0xffff;
  }
}

/// Puts this item's k-th key and value at rank[k]; own: where its first ones stand.
INLINED void move_to_ranks(__local ulong* keys, __local uint* values, uint own, const uint* rank) {
  ulong key[SORT_ITEMS];
  uint value[SORT_ITEMS];
#pragma unroll
  for (uint k = 0; k < SORT_ITEMS; ++k) {
    key[k] = keys[own + k];
    value[k] = values[own + k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint k = 0; k < SORT_ITEMS; ++k) {
    keys[PLACE(rank[k])] = key[k];
    values[PLACE(rank[k])] = value[k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

/// Sorts each tile by bits [shift, shift + bits) of its keys, bits <= 8, and writes it to the places that `offsets`
/// (the exclusive sums of the counts) gives its digits.
SORT_KERNEL(sort_scatter) {
  __local ulong tile_keys[PLACE(SORT_TILE)];
  __local uint tile_values[PLACE(SORT_TILE)];
  __local uint counters[PLACE(SCAN_TILE)];
  __local uint sums[2 * GROUP];
  __local uint places[DIGITS];
  const uint item = (uint)get_local_id(0);
  const long start = (long)get_group_id(0) * SORT_TILE;
  const uint count = n - start < SORT_TILE ? (uint)(n - start) : SORT_TILE;
  const uint mask = (1u << bits) - 1;
  const uint own = PLACE(item * SORT_ITEMS);
  const uint offset = offsets[item * get_num_groups(0) + get_group_id(0)];  // asked for early: it takes long to come
  uint rank[SORT_ITEMS];

  // beyond n come keys that sort behind all others
#pragma unroll
  for (uint k = 0; k < SORT_ITEMS; ++k) {
    const uint i = k * GROUP + item;
    tile_keys[PLACE(i)] = i < count ? keys[start + i] : ~0ul;
    tile_values[PLACE(i)] = i < count ? values[start + i] : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  rank_keys(tile_keys + own, shift, mask, counters, sums, rank);
  move_to_ranks(tile_keys, tile_values, own, rank);
  if (bits > 4) {
    rank_keys(tile_keys + own, shift + 4, mask >> 4, counters, sums, rank);
    move_to_ranks(tile_keys, tile_values, own, rank);
  }

  // where a digit begins, its first key says so
  for (uint k = 0; k < SORT_ITEMS; ++k) {
    const uint p = k * GROUP + item;
    const uint digit = (uint)(tile_keys[PLACE(p)] >> shift) & mask;
    const uint before = p > 0 ? (uint)(tile_keys[PLACE(p - 1)] >> shift) & mask : DIGITS;
    if (digit != before) places[digit] = p;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  places[item] = offset - places[item];
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint k = 0; k < SORT_ITEMS; ++k) {
    const uint p = k * GROUP + item;
    const ulong key = tile_keys[PLACE(p)];
    if (p < count) {
      const uint to = places[(uint)(key >> shift) & mask] + p;
      sorted_keys[to] = key;
      sorted_values[to] = tile_values[PLACE(p)];
    }
  }
}
