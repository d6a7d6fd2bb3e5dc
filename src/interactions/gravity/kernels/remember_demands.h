// SPDX-License-Identifier: Apache-2.0
// What particles demand of their next forces, on every device that walks from cell to cell.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_REMEMBER_DEMANDS_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_REMEMBER_DEMANDS_H
#include "device/kernels/language.h"
#include "physics/accuracy.h"
#include "stages/surroundings.h"
HB_KERNELS_OPEN

/// cell_mass: of the cells, the first of which has all mass of one image.
HB_KERNEL(remember_demands) {
  const i32 i = hb_item();
  if (i >= n) return;
  demands[i] = demanded_among(around.images, around.zero, around.least, acc_x[i], acc_y[i], acc_z[i], potential[i],
                              cell_mass[0]);
}

HB_KERNELS_CLOSE
#endif
