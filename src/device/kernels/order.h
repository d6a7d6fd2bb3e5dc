// SPDX-License-Identifier: Apache-2.0
// key and reorder, on a device.
#ifndef HORNBEAM_DEVICE_KERNELS_ORDER_H
#define HORNBEAM_DEVICE_KERNELS_ORDER_H
#include "device/kernels/language.h"
#include "stages/key.h"
#include "stages/reorder.h"
HB_KERNELS_OPEN

/// curve_key() of the curve whose steps these are.
HB_DEVICE_FN u64 key_by_steps(u32 x, u32 y, u32 z, HB_LOCAL const u8* steps) {
  const u64 octants = interleave(x, y, z);
  u64 key = 0;
  u32 step = 0;
#pragma unroll
  for (i32 bit = 3 * (HB_LEVELS - 1); bit >= 0; bit -= 3) {
    step = steps[curve_place(step, (u32)(octants >> bit) & 7u)];
    key = (key << 3) | (step & 7u);
  }
  return key;
}

/// particle_key() of particle i as keys[i], its place, i, and its record; *disordered becomes 0.
HB_BLOCK_KERNEL(make_keys) {
  HB_BLOCK_ARRAY(u8, steps, HB_CURVE_STEPS);
  const i32 item = hb_block_item(), i = hb_item();
  if (item < HB_CURVE_STEPS) steps[item] = steps_of_curve[item];
  hb_block_sync();
  if (i < n) {
    ParticleRecord record;
    record.x = x[i];
    record.y = y[i];
    record.z = z[i];
    record.mass = mass[i];
    record.input = input[i];
    records[i] = record;
    keys[i] = key_by_steps(grid_coordinate(record.x, cube.x, cube.cells_per_length),
                           grid_coordinate(record.y, cube.y, cube.cells_per_length),
                           grid_coordinate(record.z, cube.z, cube.cells_per_length), steps);
    place[i] = (u32)i;
  }
  if (i == 0) *disordered = 0;
}

/// Keys and places once more, in the order of the input, so that a stable sort orders ties by it.
HB_KERNEL(keys_in_input_order) {
  const i32 i = hb_item();
  if (i >= n) return;
  const ParticleRecord record = records[i];
  keys[record.input] = particle_key(record.x, record.y, record.z, cube, curve);
  place[record.input] = (u32)i;
}

/// Keys and places have been sorted by the bits from `begin` on, which few keys share where particles lie as close as
/// they mostly do. Each run of keys alike in these bits is put in order of the rest by the item of its first, stably,
/// as a sort by all bits would have done; where one is too long for that, *disordered says so.
HB_KERNEL(order_runs) {
  const i32 first = hb_item();
  if (first + 1 >= n) return;
  const u64 alike = keys[first] >> begin;  // others order only what is below `begin`
  if (keys[first + 1] >> begin != alike || (first > 0 && keys[first - 1] >> begin == alike)) return;
  i32 end = first + 2;
  while (end < n && end - first <= HB_MOST_IN_RUN && keys[end] >> begin == alike) ++end;
  if (end - first > HB_MOST_IN_RUN) {
    hb_atomic_or(disordered, HB_LONG_RUNS);
    return;
  }
  for (i32 i = first + 1; i < end; ++i) {
    const u64 key = keys[i];
    const u32 from = place[i];
    i32 to = i;
    for (; to > first && keys[to - 1] > key; --to) {
      keys[to] = keys[to - 1];
      place[to] = place[to - 1];
    }
    keys[to] = key;
    place[to] = from;
  }
}

/// Lays the record of place[i] out as particle i. Says in *disordered where particles of equal keys are not in the
/// order of the input: their order on the way here decided. Rare; keys_in_input_order are then sorted instead.
HB_KERNEL(gather_records) {
  const i32 i = hb_item();
  if (i >= n) return;
  const ParticleRecord record = records[place[i]];
  x[i] = record.x;
  y[i] = record.y;
  z[i] = record.z;
  mass[i] = record.mass;
  input[i] = record.input;
  if (i + 1 < n && keys[i] == keys[i + 1] && record.input > records[place[i + 1]].input) {
    hb_atomic_or(disordered, HB_TIES);
  }
}

HB_KERNEL(gather_positions) {
  const i32 i = hb_item();
  if (i < n) to[i] = from[place[i]];
}

HB_KERNEL(gather_reals) {
  const i32 i = hb_item();
  if (i < n) to[i] = from[place[i]];
}

HB_KERNEL(gather_words) {
  const i32 i = hb_item();
  if (i < n) to[i] = from[place[i]];
}

/// The way back of gather_reals.
HB_KERNEL(scatter_reals) {
  const i32 i = hb_item();
  if (i < n) to[place[i]] = from[i];
}

/// words[i]: the less of the two.
HB_KERNEL(lower_words) {
  const i32 i = hb_item();
  if (i < n && other[i] < words[i]) words[i] = other[i];
}

/// to[from[i]] = i.
HB_KERNEL(invert_order) {
  const i32 i = hb_item();
  if (i < n) to[from[i]] = (u32)i;
}

/// Whether particle i stays, in the present order and in that on input; 0 behind the last, for the scans.
HB_KERNEL(mark_kept) {
  const i32 i = hb_item();
  if (i > n) return;
  const u32 stays = i < n && gone[i] == 0 ? 1u : 0u;
  kept[i] = stays;
  kept_on_input[i < n ? input[i] : (u32)n] = stays;
}

/// eps^2 / 2 in internal units, from each particle's eps or, where eps is null, from the one for all.
HB_KERNEL(make_soft2) {
  const i32 i = hb_item();
  if (i < n) soft2[i] = soft2_of_particle(i, eps, eps_for_all, unit);
}

HB_KERNELS_CLOSE
#endif
