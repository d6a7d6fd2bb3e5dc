// SPDX-License-Identifier: Apache-2.0
// Block steps on a device: rungs and their kicks, and which particles are due to walk.
#ifndef HORNBEAM_DEVICE_KERNELS_RUNGS_H
#define HORNBEAM_DEVICE_KERNELS_RUNGS_H
#include "device/kernels/language.h"
#include "stages/kick_drift.h"
#include "stages/rungs.h"
HB_KERNELS_OPEN

/// Velocities corrected for changes of step, and rungs, of the particles from `least` on, and the census of all, added
/// to counts[HB_CENSUS]. known: see choose_rung().
HB_BLOCK_KERNEL(choose_rungs) {
  HB_BLOCK_ARRAY(u32, mine, HB_CENSUS);
  const i32 item = hb_block_item();
  const RungsView particles = {acc_x,    acc_y,     acc_z,     soft2,     asked, before_x, before_y,
                               before_z, earlier_x, earlier_y, earlier_z, vx,    vy,       vz,
                               rungs,    fall_x,    fall_y,    fall_z,    begun, span};
  if (item < HB_CENSUS) mine[item] = 0;
  hb_block_sync();
  for (i32 i = hb_item(); i < n; i += blocks * HB_BLOCK) {
    const RungChoice choice = take_rung(i, rule, least, known, tick, particles);
    if (choice.beyond) hb_atomic_add(&mine[HB_CENSUS_BEYOND], 1u);
    if (choice.not_finite) hb_atomic_add(&mine[HB_CENSUS_NOT_FINITE], 1u);
    hb_atomic_add(&mine[choice.rung], 1u);
  }
  hb_block_sync();
  if (item < HB_CENSUS && mine[item] > 0) hb_atomic_add(&counts[item], mine[item]);
}

/// Half of each one's step; where begun is given, of a step that ends at `tick` and may have been cut short. Steps that
/// have just been cut short go on.
HB_KERNEL(kick_rungs) {
  const i32 i = hb_item();
  if (i >= n || rung_of(rungs[i]) < least || is_woken(rungs[i])) return;
  const pos_t step = begun ? rule.half_longest * ((pos_t)(tick - (i32)begun[i]) / (pos_t)(1 << rule.deepest))
                           : half_step(rule, rung_of(rungs[i]));
  vx[i] = kicked(vx[i], acc_x[i], step);
  vy[i] = kicked(vy[i], acc_y[i], step);
  vz[i] = kicked(vz[i], acc_z[i], step);
}

/// largest[b]: the largest |a| / eps among particles b, b + blocks, ... (in blocks of items).
HB_BLOCK_KERNEL(largest_pull) {
  HB_BLOCK_ARRAY(pos_t, part, HB_BLOCK);
  const i32 item = hb_block_item();
  pos_t most = 0;
  for (i32 i = hb_item(); i < n; i += blocks * HB_BLOCK) {
    const pos_t pull = pull_in_eps(acc_x[i], acc_y[i], acc_z[i], soft2[i]);
    most = hb_max(most, pull);
  }
  part[item] = most;
  for (i32 stride = HB_BLOCK / 2; stride > 0; stride /= 2) {
    hb_block_sync();
    if (item < stride) part[item] = hb_max(part[item], part[item + stride]);
  }
  hb_block_sync();
  if (item == 0) largest[hb_block()] = part[0];
}

/// due[i]: whether particle i is on rung `least` or deeper; 0 behind the last, for the scan.
HB_KERNEL(mark_due) {
  const i32 i = hb_item();
  if (i <= n) due[i] = i < n && rung_of(rungs[i]) >= least ? 1u : 0u;
}

/// marks[k]: whether a group begins at target k, and one set behind the last, where the last group ends; 0 behind that,
/// for the scan.
HB_KERNEL(mark_begins) {
  const i32 k = hb_item();
  if (k < targets + 2) marks[k] = k == targets || (k < targets && begins[k] != 0) ? 1u : 0u;
}

/// The values of the `count` marks that are set, in order, from their exclusive sums (and that of all behind the
/// last).
HB_KERNEL(list_marks) {
  const i32 k = hb_item();
  if (k < count && sums[k + 1] != sums[k]) list[sums[k]] = k;
}

HB_KERNELS_CLOSE
#endif
