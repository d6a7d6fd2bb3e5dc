// SPDX-License-Identifier: Apache-2.0
// Where mass is for fields far away: small cells as points, in place of their particles. On every device.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_MASS_POINTS_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_MASS_POINTS_H
#include "device/kernels/language.h"
#include "stages/views.h"
HB_KERNELS_OPEN

/// counts[c]: the points of cell c. A small cell of the level that begins with cell `begin` has one, and so has a small
/// leaf above that level. A wide one has its particles. Cells above these have none, and neither has number `end`.
HB_KERNEL(count_mass_points) {
  HB_CELLS(cells)
  const i32 c = hb_item();
  if (c > end) return;
  const i32 has = c < end && (c >= begin || cells.child[c] == 0);
  counts[c] = !has ? 0u : (cells.b[c] <= widest ? 1u : (u32)cells.count[c]);
}

/// Lays the points out. sums[c]: those of cells before c. point_spread: sums of m r^2 of a point's particles about it.
/// per_length2: the square of its length over that of the moments.
HB_KERNEL(list_mass_points) {
  HB_PARTICLES(particles)
  HB_CELLS(cells)
  const i32 c = hb_item();
  if (c >= end) return;
  const i32 begin = (i32)sums[c], points = (i32)sums[c + 1] - begin;
  const i32 is_small = cells.b[c] <= widest;
  HB_GLOBAL const real* M = cells.moments + c * (u64)moment_stride; /* half of the second moments on the diagonal */
  const real spread = is_small && cells.b[c] > 0 ? 2 * (M[0] + M[3] + M[5]) * per_length2 : (real)0;
  for (i32 k = 0; k < points; ++k) {
    const i32 i = cells.first[c] + k, to = begin + k;
    point_x[to] = is_small ? cells.com_x[c] : particles.x[i];
    point_y[to] = is_small ? cells.com_y[c] : particles.y[i];
    point_z[to] = is_small ? cells.com_z[c] : particles.z[i];
    point_mass[to] = is_small ? cells.cell_mass[c] : particles.mass[i];
    point_spread[to] = spread;
  }
}

HB_KERNELS_CLOSE
#endif
