// SPDX-License-Identifier: Apache-2.0
// Gravity of bodies whose centres coincide, as far as a bounce or a long step has brought them.
#ifndef HORNBEAM_INTERACTIONS_COLLISIONS_KERNELS_CENTRES_H
#define HORNBEAM_INTERACTIONS_COLLISIONS_KERNELS_CENTRES_H
#include "device/kernels/language.h"
HB_KERNELS_OPEN

/// Takes the acceleration from a body where it is stronger than anything outside of its radius can make it: strongest
/// over the radius squared.
HB_KERNEL(release_centres) {
  const i32 i = hb_item();
  if (i >= n || !(radius[i] > 0)) return;
  const pos_t finite = sizeof(real) == sizeof(f32) ? (pos_t)1e38 : (pos_t)1e300;
  const pos_t most = hb_min(strongest / (radius[i] * radius[i]), finite);
  if (hb_abs((pos_t)acc_x[i]) <= most && hb_abs((pos_t)acc_y[i]) <= most && hb_abs((pos_t)acc_z[i]) <= most) return;
  acc_x[i] = 0;
  acc_y[i] = 0;
  acc_z[i] = 0;
  potential[i] = 0;
}

HB_KERNELS_CLOSE
#endif
