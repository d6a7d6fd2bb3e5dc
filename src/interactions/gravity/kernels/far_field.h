// SPDX-License-Identifier: Apache-2.0
// Local expansions of order HB_EXPANSION: far cells wait on a list until there is one for each lane; every lane sums
// the expansions of its cells about one centre, and the lanes' sums are added at the end.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_FAR_FIELD_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_FAR_FIELD_H
#include "interactions/gravity/kernels/warp_group.h"
#include "physics/expansion.h"
HB_KERNELS_OPEN

/// Coefficients of a block's expansion in memory.
#define HB_FAR_STRIDE (HB_COEFFICIENTS(HB_EXPANSION))
/// Moments of a cell as they are read, four at a time.
#define HB_MOMENT_QUADS ((HB_MOMENTS(HB_EXPANSION) + 3) / 4)

typedef struct {
  HB_LOCAL i32* waiting;  ///< 2 * HB_WARP of them
  i32 count, total;
  pos_t x, y, z;     ///< centre
  real soft2;        ///< mean eps^2 / 2 of the targets
  HB_LOCAL real* L;  ///< HB_FAR_ROOM: coefficient k of lane j at L[k * HB_WARP + j]; after far_finish() k at L[k]
} FarField;

#define HB_FAR_ROOM (HB_FAR_STRIDE * HB_WARP)

HB_DEVICE_FN void far_begin(FarField* far, Warp warp, HB_LOCAL i32* waiting, HB_LOCAL real* L, WarpGroup group) {
  far->waiting = waiting;
  far->L = L;
  far->count = 0;
  far->total = 0;
  far->x = group.x;
  far->y = group.y;
  far->z = group.z;
  far->soft2 = group.demands.soft2;
#pragma unroll
  for (i32 k = 0; k < HB_FAR_STRIDE; ++k) L[k * HB_WARP + warp.lane] = 0;
}

/// Notes cell c of the lanes with `which` set; far_work() follows before the next.
HB_DEVICE_FN void far_add(FarField* far, Warp warp, i32 c, i32 which) {
#if HB_EXPANSION > 0
  far->count = warp_append(warp, far->waiting, far->count, c, which);
#endif
}

/// Expands waiting cells, one a lane, where they fill a warp; all that are left if `last`.
HB_DEVICE_FN void far_work(FarField* far, Warp warp, CellsView cells, WalkOptions options, i32 last) {
#if HB_EXPANSION > 0
  const i32 n = far->count < HB_WARP && !last ? 0 : hb_min(far->count, HB_WARP);
  HB_WARP_IF(n > 0) {
    far->count -= n;
    far->total += n;
    if (warp.lane < n) {
      const i32 c = far->waiting[far->count + warp.lane];
      const real x = internal_way(cells.com_x[c], far->x, options.unit),
                 y = internal_way(cells.com_y[c], far->y, options.unit),
                 z = internal_way(cells.com_z[c], far->z, options.unit);
      const real mass = cells.cell_mass[c], cell_soft2 = cells.cell_soft2[c];
      real M[4 * HB_MOMENT_QUADS + 4];
      HB_GLOBAL const Real4* row = (HB_GLOBAL const Real4*)(cells.moments + c * (u64)options.moment_stride);
#pragma unroll
      for (i32 k = 0; k < HB_MOMENT_QUADS; ++k) {
        const Real4 v = row[k];
        M[4 * k] = v.x;
        M[4 * k + 1] = v.y;
        M[4 * k + 2] = v.z;
        M[4 * k + 3] = v.w;
      }
      const real soft2 = options.softening == HB_SPLINE ? (real)0 : cell_soft2 + far->soft2;
      real L[HB_FAR_STRIDE];
#pragma unroll
      for (i32 k = 0; k < HB_FAR_STRIDE; ++k) L[k] = far->L[k * HB_WARP + warp.lane];
      HB_JOIN(m2l_, HB_EXPANSION)(x, y, z, soft2, mass, M, L);
#pragma unroll
      for (i32 k = 0; k < HB_FAR_STRIDE; ++k) far->L[k * HB_WARP + warp.lane] = L[k];
    }
    warp_sync();
  }
#endif
}

/// Adds the lanes' sums: coefficient k to L[k]. Lanes begin at different places of their rows, which lie in different
/// banks.
HB_DEVICE_FN void far_finish(FarField* far, Warp warp) {
#if HB_EXPANSION > 0
  warp_sync();
  real sum[(HB_FAR_STRIDE + HB_WARP - 1) / HB_WARP];
#pragma unroll
  for (i32 row = 0; row * HB_WARP < HB_FAR_STRIDE; ++row) {
    const i32 k = hb_min(row * HB_WARP + warp.lane, HB_FAR_STRIDE - 1);
    sum[row] = 0;
    for (i32 j = 0; j < HB_WARP; ++j) sum[row] += far->L[k * HB_WARP + (j + warp.lane) % HB_WARP];
  }
  warp_sync();
#pragma unroll
  for (i32 row = 0; row * HB_WARP < HB_FAR_STRIDE; ++row) {
    if (row * HB_WARP + warp.lane < HB_FAR_STRIDE) far->L[row * HB_WARP + warp.lane] = sum[row];
  }
  warp_sync();
#endif
}

/// Adds the field of L at (x, y, z) from its centre to acc.
HB_DEVICE_FN void far_evaluate(const real* L, real x, real y, real z, real* acc) {
#if HB_EXPANSION > 0
  HB_JOIN(l2p_, HB_EXPANSION)(L, x, y, z, acc);
#endif
}

HB_KERNELS_CLOSE
#endif
