// SPDX-License-Identifier: Apache-2.0
// The walks of one thread a particle: stackless (Nakasato 2012 fig. 6), and vote, in which a warp descends together
// (Vincent 2014; GASPHiA): a cell is taken whole only where it is far enough for all lanes.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_PARTICLE_WALKS_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_PARTICLE_WALKS_H
#include "device/kernels/language.h"
#include "interactions/gravity/kernels/targets.h"
#include "interactions/gravity/particle_gravity.h"
HB_KERNELS_OPEN

/// Where one particle's evaluation goes: acceleration, potential, and its interactions with particles and cells.
HB_DEVICE_FN void write_gravity(GravityState* state, i32 i, HB_GLOBAL real* acc_x, HB_GLOBAL real* acc_y,
                                HB_GLOBAL real* acc_z, HB_GLOBAL real* potential, HB_GLOBAL u32* counts) {
  gravity_carry(state);
  HB_FIELD(real) sum;
  sum.x = (real)state->acc[0];
  sum.y = (real)state->acc[1];
  sum.z = (real)state->acc[2];
  sum.w = (real)state->acc[3];
  put_field(state->options.image, sum, i, acc_x, acc_y, acc_z, potential);
  HB_GLOBAL u32* const row = counts + HB_COUNTS * (i64)i;
  const i32 adds = state->options.image;
  row[0] = state->particle_interactions + (adds ? row[0] : 0u);
  row[1] = state->cell_interactions + (adds ? row[1] : 0u);
  row[2] = 0;
  row[3] = 1;
}

/// order: the particles that `walkers` items walk for, or null for their own; targets: where these stand.
HB_KERNEL(walk_stackless) {
  HB_PARTICLES(particles)
  HB_TARGET_PARTICLES(targets)
  HB_CELLS(cells)
  const i32 item = hb_item();
  if (item >= walkers) return;
  const i32 i = order ? (i32)order[item] : item;
  GravityState state = gravity_begin(particles, targets, options, i, last_acceleration ? last_acceleration[i] : 0);
  gravity_stackless(&state, cells, options.cells);
  write_gravity(&state, i, acc_x, acc_y, acc_z, potential, counts);
}

/// The stackless walk of a warp's 32 particles, all lanes at one cell.
HB_WARP_KERNEL(walk_vote) {
  HB_PARTICLES(particles)
  HB_TARGET_PARTICLES(targets)
  HB_CELLS(cells)
  HB_MAKE_WARP(warp);
  const i32 item = hb_warp_item() * HB_WARP + warp.lane, last = walkers - 1;
  const i32 mine = hb_min(item, last);  // lanes beyond the last walk with it, and write nothing
  const i32 i = order ? (i32)order[mine] : mine;
  GravityState state = gravity_begin(particles, targets, options, i, last_acceleration ? last_acceleration[i] : 0);
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
