// SPDX-License-Identifier: Apache-2.0
// The walks of one thread a particle: stackless (Nakasato 2012 fig. 6), and vote, in which a warp descends together
// (Vincent 2014; GASPHiA): a cell is taken whole only where it is far enough for all lanes.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_PARTICLE_WALKS_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_PARTICLE_WALKS_H
#include "device/kernels/language.h"
#include "interactions/gravity/particle_gravity.h"
HB_KERNELS_OPEN

/// Where one particle's evaluation goes: acceleration, potential, and its interactions with particles and cells.
HB_DEVICE_FN void write_gravity(GravityState* state, i32 i, HB_GLOBAL real* acc_x, HB_GLOBAL real* acc_y,
                                HB_GLOBAL real* acc_z, HB_GLOBAL real* potential, HB_GLOBAL u32* counts) {
  gravity_carry(state);
  acc_x[i] = (real)state->acc[0];
  acc_y[i] = (real)state->acc[1];
  acc_z[i] = (real)state->acc[2];
  potential[i] = (real)state->acc[3];
  counts[HB_COUNTS * (i64)i] = state->particle_interactions;
  counts[HB_COUNTS * (i64)i + 1] = state->cell_interactions;
  counts[HB_COUNTS * (i64)i + 2] = 0;
  counts[HB_COUNTS * (i64)i + 3] = 1;
}

/// order: the particles that `targets` items walk for, or null for their own.
HB_KERNEL(walk_stackless) {
  HB_PARTICLES(particles)
  HB_CELLS(cells)
  const i32 item = hb_item();
  if (item >= targets) return;
  const i32 i = order ? (i32)order[item] : item;
  GravityState state = gravity_begin(particles, options, i, last_acceleration ? last_acceleration[i] : 0);
  gravity_stackless(&state, cells, options.cells);
  write_gravity(&state, i, acc_x, acc_y, acc_z, potential, counts);
}

/// The stackless walk of a warp's 32 particles, all lanes at one cell.
HB_WARP_KERNEL(walk_vote) {
  HB_PARTICLES(particles)
  HB_CELLS(cells)
  HB_MAKE_WARP(warp);
  const i32 item = hb_warp_item() * HB_WARP + warp.lane, last = targets - 1;
  const i32 mine = hb_min(item, last);  // lanes beyond the last walk with it, and write nothing
  const i32 i = order ? (i32)order[mine] : mine;
  GravityState state = gravity_begin(particles, options, i, last_acceleration ? last_acceleration[i] : 0);
  i32 c = options.cells > 0 ? 0 : -1;
  while (c >= 0) {
    if (!warp_any(warp, !gravity_accept(&state, cells, c))) {
      gravity_on_cell(&state, cells, c);
      c = cells.next[c];
    } else if (cells.children[c] == 0) {
      gravity_on_leaf(&state, cells, c);
      c = cells.next[c];
    } else {
      c = cells.child[c];
    }
  }
  if (item <= last) write_gravity(&state, i, acc_x, acc_y, acc_z, potential, counts);
}

HB_KERNELS_CLOSE
#endif
