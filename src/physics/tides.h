// SPDX-License-Identifier: Apache-2.0
// Tidal tensors -d2 phi / dx_i dx_j, which are da_i / dx_j, of point masses (softened as in softening.h) and of cells
// (their quadrupoles as in expansion.h): derivatives of the formulas there.
#ifndef HORNBEAM_PHYSICS_TIDES_H
#define HORNBEAM_PHYSICS_TIDES_H
#include "physics/softening.h"
HB_OPEN

#define HB_TIDES 6  // xx, xy, xz, yy, yz, zz

/// Which of these a row and a column of the matrix, 0 to 2, have.
HB_FN i32 tide_component(i32 row, i32 column) { return row + column + (row > 0 && column > 0 ? 1 : 0); }

/// Adds scale (n n^T along + identity across); n: displacement over distance.
HB_FORMULA void add_tide(real nx, real ny, real nz, real scale, real along, real across, real* tide) {
  tide[0] = tide[0] + scale * hb_fma(nx * nx, along, across);
  tide[1] = tide[1] + scale * (nx * ny * along);
  tide[2] = tide[2] + scale * (nx * nz * along);
  tide[3] = tide[3] + scale * hb_fma(ny * ny, along, across);
  tide[4] = tide[4] + scale * (ny * nz * along);
  tide[5] = tide[5] + scale * hb_fma(nz * nz, along, across);
}

/// Of `mass` at displacement (dx, dy, dz) = source - target, with Plummer softening: m (3 n n^T - 1) / R^3, where R is
/// the softened distance and n = d / R. Coincident points with soft2 = 0 have none.
HB_FORMULA void tide_plummer(real dx, real dy, real dz, real mass, real soft2, real* tide) {
  const real inv_r = hb_rsqrt0(hb_fma(dx, dx, hb_fma(dy, dy, hb_fma(dz, dz, soft2))));
  add_tide(dx * inv_r, dy * inv_r, dz * inv_r, mass * inv_r * inv_r * inv_r, (real)HB_C(3), (real)HB_C(-1), tide);
}

/// The same of the cubic spline: a = m d g(r) has the tide -m (g' r n n^T + g), where h^3 g = f(u) of pull_spline().
HB_FORMULA void tide_spline(real dx, real dy, real dz, real mass, real soft2, real* tide) {
  const real r2 = hb_fma(dx, dx, hb_fma(dy, dy, dz * dz));
  const real h2 = soft2 * HB_C(7.84);  // HB_SPLINE_REACH^2
  const real inv_h = hb_rsqrt0(h2);
  const real inv_r = hb_rsqrt0(r2);
  const real u = r2 * inv_r * inv_h, u2 = u * u;
  const real inv_u = inv_r * (h2 * inv_h), inv_u3 = inv_u * inv_u * inv_u;
  const real f_in = HB_C(32.0 / 3.0) + u2 * (HB_C(32) * u - HB_C(38.4));
  const real slope_in = u2 * (HB_C(76.8) - HB_C(96) * u);
  const real f_mid =
      HB_C(64.0 / 3.0) - HB_C(48) * u + HB_C(38.4) * u2 - HB_C(32.0 / 3.0) * (u2 * u) - HB_C(1.0 / 15.0) * inv_u3;
  const real slope_mid = HB_C(48) * u - HB_C(76.8) * u2 + HB_C(32) * (u2 * u) - HB_C(0.2) * inv_u3;
  const real f = hb_select(u < HB_C(0.5), f_in, f_mid);              // f(u)
  const real slope = hb_select(u < HB_C(0.5), slope_in, slope_mid);  // -u f'(u)
  const real scale = hb_select(r2 < h2, mass * inv_h * inv_h * inv_h, mass * inv_r * inv_r * inv_r);
  add_tide(dx * inv_r, dy * inv_r, dz * inv_r, scale, hb_select(r2 < h2, slope, (real)HB_C(3)),
           hb_select(r2 < h2, -f, (real)HB_C(-1)), tide);
}

/// The same by name: softening is HB_PLUMMER or HB_SPLINE.
HB_FORMULA void tide_of_point(i32 softening, real dx, real dy, real dz, real mass, real soft2, real* tide) {
  if (softening == HB_SPLINE) {
    tide_spline(dx, dy, dz, mass, soft2, tide);
  } else {
    tide_plummer(dx, dy, dz, mass, soft2, tide);
  }
}

/// Of a cell with the second moments M[0..5] of pull_quadrupole(). Powers of the distance are taken out of each term,
/// so that none overflows in fp32.
HB_FORMULA void tide_quadrupole(real dx, real dy, real dz, real mass, const real* M, real soft2, real* tide) {
  const real inv_r = hb_rsqrt0(hb_fma(dx, dx, hb_fma(dy, dy, hb_fma(dz, dz, soft2))));
  const real inv_r2 = inv_r * inv_r;
  const real nx = dx * inv_r, ny = dy * inv_r, nz = dz * inv_r;
  const real Q[6] = {inv_r2 * (M[0] + M[0]), inv_r2 * M[1], inv_r2 * M[2],
                     inv_r2 * (M[3] + M[3]), inv_r2 * M[4], inv_r2 * (M[5] + M[5])};
  const real trace = HB_C(0.5) * (Q[0] + Q[3] + Q[5]);
  const real qx = hb_fma(Q[0], nx, hb_fma(Q[1], ny, Q[2] * nz));
  const real qy = hb_fma(Q[3], ny, hb_fma(Q[1], nx, Q[4] * nz));
  const real qz = hb_fma(Q[5], nz, hb_fma(Q[2], nx, Q[4] * ny));
  const real w = HB_C(0.5) * hb_fma(nx, qx, hb_fma(ny, qy, nz * qz));
  const real scale = inv_r * inv_r2;
  const real along = HB_C(3) * mass + HB_C(105) * w - HB_C(15) * trace;
  const real across = HB_C(3) * trace - HB_C(15) * w - mass;
  add_tide(nx, ny, nz, scale, along, across, tide);
  tide[0] = tide[0] + scale * (HB_C(3) * Q[0] - HB_C(30) * nx * qx);
  tide[1] = tide[1] + scale * (HB_C(3) * Q[1] - HB_C(15) * hb_fma(nx, qy, ny * qx));
  tide[2] = tide[2] + scale * (HB_C(3) * Q[2] - HB_C(15) * hb_fma(nx, qz, nz * qx));
  tide[3] = tide[3] + scale * (HB_C(3) * Q[3] - HB_C(30) * ny * qy);
  tide[4] = tide[4] + scale * (HB_C(3) * Q[4] - HB_C(15) * hb_fma(ny, qz, nz * qy));
  tide[5] = tide[5] + scale * (HB_C(3) * Q[5] - HB_C(30) * nz * qz);
}

HB_CLOSE
#endif
