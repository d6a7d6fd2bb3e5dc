// SPDX-License-Identifier: Apache-2.0
// What a check of forces needs on a device: where the sampled particles stand, their direct sums in fp64, and the sums
// over all particles that show the momentum error.
#ifndef HORNBEAM_DEVICE_KERNELS_CHECK_H
#define HORNBEAM_DEVICE_KERNELS_CHECK_H
#include "device/kernels/block_sum.h"
#include "physics/rigid.h"
#include "physics/softening.h"
#include "stages/sums.h"
#include "stages/units.h"
#include "stages/views.h"
HB_KERNELS_OPEN

/// places[s] = i where the index on input of particle i is wanted[s]; `wanted` ascends and has `count` entries.
HB_KERNEL(find_places) {
  const i32 i = hb_item();
  if (i >= n) return;
  i32 low = 0, high = count;
  while (low < high) {
    const i32 middle = (low + high) / 2;
    if (wanted[middle] < input[i]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low < count && wanted[low] == input[i]) places[low] = (u32)i;
}

/// to[i] = from[begin + i] for i < count, in the type of positions: sources as the fp64 build of sum_sampled takes
/// them.
HB_KERNEL(widen_reals) {
  const i32 i = hb_item();
  if (i < count) to[i] = (pos_t)from[begin + i];
}

/// Direct sums at particles places[0 .. count) of the sources [begin, end), whose masses and softenings are mass[j -
/// begin] and soft2[j - begin]. Block b takes HB_SAMPLE_TARGETS targets and each `spans`-th block of sources, and adds
/// to its row of sums, 4 values a target; the first call, with begin = 0, sets them. soft2_of_target as soft2, by
/// target. image: whether these are the sources of an image, shifted, for which the row is there, too.
HB_BLOCK_KERNEL(sum_sampled) {
  HB_BLOCK_ARRAY(pos_t, part, 4 * HB_BLOCK);
  const i32 item = hb_block_item(), tile = hb_block() / spans, span = hb_block() % spans;
  i32 place[HB_SAMPLE_TARGETS];
  pos_t at_x[HB_SAMPLE_TARGETS], at_y[HB_SAMPLE_TARGETS], at_z[HB_SAMPLE_TARGETS];
  real own_soft2[HB_SAMPLE_TARGETS];
  HB_FIELD(real) field[HB_SAMPLE_TARGETS];
  for (i32 k = 0; k < HB_SAMPLE_TARGETS; ++k) {
    const i32 target = hb_min(tile * HB_SAMPLE_TARGETS + k, count - 1);
    place[k] = (i32)places[target];
    at_x[k] = x[place[k]] - shift_x;
    at_y[k] = y[place[k]] - shift_y;
    at_z[k] = z[place[k]] - shift_z;
    own_soft2[k] = soft2_of_target[target];
    field[k].x = 0;
    field[k].y = 0;
    field[k].z = 0;
    field[k].w = 0;
  }
  for (i32 j = begin + span * HB_BLOCK + item; j < end; j += spans * HB_BLOCK) {
    const pos_t source_x = x[j], source_y = y[j], source_z = z[j];
    const real source_mass = mass[j - begin], source_soft2 = soft2[j - begin];
    for (i32 k = 0; k < HB_SAMPLE_TARGETS; ++k) {
      const real dx = internal_way(at_x[k], source_x, unit), dy = internal_way(at_y[k], source_y, unit),
                 dz = internal_way(at_z[k], source_z, unit);
      const real m = j == place[k] && !image ? (real)0 : source_mass;
      field[k] = pull(softening, dx, dy, dz, m, source_soft2 + own_soft2[k], field[k]);
    }
  }
  for (i32 k = 0; k < HB_SAMPLE_TARGETS; ++k) {
    part[item] = field[k].x;
    part[HB_BLOCK + item] = field[k].y;
    part[2 * HB_BLOCK + item] = field[k].z;
    part[3 * HB_BLOCK + item] = field[k].w;
    HB_SUM_BLOCK(part, 4, item)
    HB_GLOBAL pos_t* row = sums + 4 * (HB_SAMPLE_TARGETS * (i64)hb_block() + k);
    if (item < 4) row[item] = (begin > 0 || image ? row[item] : (pos_t)0) + part[item * HB_BLOCK];
    hb_block_sync();
  }
}

/// Sums of m a and of m |a|, value k of block b at sums[HB_PULL_SUMS b + k].
HB_BLOCK_KERNEL(sum_pulls) {
  HB_BLOCK_ARRAY(pos_t, part, HB_PULL_SUMS * HB_BLOCK);
  const i32 item = hb_block_item();
  pos_t e[HB_PULL_SUMS] = {0, 0, 0, 0};
  for (i32 i = hb_item(); i < n; i += blocks * HB_BLOCK) {
    add_pull((pos_t)mass[i], (pos_t)acc_x[i], (pos_t)acc_y[i], (pos_t)acc_z[i], e);
  }
  for (i32 k = 0; k < HB_PULL_SUMS; ++k) part[k * HB_BLOCK + item] = e[k];
  HB_SUM_BLOCK(part, HB_PULL_SUMS, item)
  if (item < HB_PULL_SUMS) sums[HB_PULL_SUMS * hb_block() + item] = part[item * HB_BLOCK];
}

/// Sums of net force and torque about `origin`, in internal units, value k of block b at sums[HB_NET_SUMS b + k].
HB_BLOCK_KERNEL(sum_net_forces) {
  HB_BLOCK_ARRAY(pos_t, part, HB_NET_SUMS / 2 * HB_BLOCK);
  const i32 item = hb_block_item();
  pos_t e[HB_NET_SUMS];
  for (i32 k = 0; k < HB_NET_SUMS; ++k) e[k] = 0;
  for (i32 i = hb_item(); i < n; i += blocks * HB_BLOCK) {
    add_net_force((pos_t)mass[i], (x[i] - origin.x) * unit, (y[i] - origin.y) * unit, (z[i] - origin.z) * unit,
                  (pos_t)acc_x[i], (pos_t)acc_y[i], (pos_t)acc_z[i], e);
  }
  for (i32 first = 0; first < HB_NET_SUMS; first += HB_NET_SUMS / 2) {  // all at once would not fit
    for (i32 k = 0; k < HB_NET_SUMS / 2; ++k) part[k * HB_BLOCK + item] = e[first + k];
    HB_SUM_BLOCK(part, HB_NET_SUMS / 2, item)
    if (item < HB_NET_SUMS / 2) sums[HB_NET_SUMS * hb_block() + first + item] = part[item * HB_BLOCK];
    hb_block_sync();
  }
}

HB_KERNELS_CLOSE
#endif
