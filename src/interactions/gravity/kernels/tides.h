// SPDX-License-Identifier: Apache-2.0
// Tidal tensors at targets, an item each, on every device.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_TIDES_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_TIDES_H
#include "device/kernels/language.h"
#include "interactions/gravity/particle_tides.h"
#include "stages/lent.h"
HB_KERNELS_OPEN

/// Component k of target i goes to tide[k n + i], or is added to it for an image. Without cells all particles are
/// summed. last_acceleration: |a| of each target, for the relative criterion.
HB_KERNEL(walk_tides) {
  HB_PARTICLES(particles)
  HB_TARGET_PARTICLES(targets)
  HB_CELLS(cells)
  const i32 i = unit_of_rank(share, hb_item(), 1);
  if (i >= n) return;
  GravityState at = gravity_begin(particles, targets, options, i, last_acceleration ? last_acceleration[i] : 0);
  at.target = own ? i : -1;
  at.x -= shift_x;
  at.y -= shift_y;
  at.z -= shift_z;
  TidesState s = tides_begin(at);
  if (options.cells > 0) {
    tides_stackless(&s, cells, options.cells);
  } else {
    tides_of_particles(&s, 0, options.particles);
  }
  tides_carry(&s);
  for (i32 k = 0; k < HB_TIDES; ++k) {
    const i64 at_k = (i64)k * n + i;
    tide[at_k] = (options.image ? tide[at_k] : (real)0) + (real)s.sum[k];
  }
}

/// A symmetric 3 x 3 matrix of each target, by its index on input, in the caller's units and type.
HB_KERNEL(give_tides) {
  const i32 i = hb_item();
  if (i >= n) return;
  for (i32 k = 0; k < 9; ++k) {
    const i64 from = (i64)tide_component(k / 3, k % 3) * n + i;
    give_number(tides, wide, 9 * (i64)input[i] + k, (f64)tide[from] * unit);
  }
}

HB_KERNELS_CLOSE
#endif
