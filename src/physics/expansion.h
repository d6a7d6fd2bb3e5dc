// SPDX-License-Identifier: Apache-2.0
// Cartesian multipole and local expansions of orders 1 to 6 (docs/theory.md), and the multipole at one particle.
// Moments M_n = (-1)^|n| / n! sum m d^n of orders 2 to p are in the order xx xy xz yy yz zz, xxx ... (31 for p = 4);
// mass and a vanishing dipole complete them. Local coefficients L_k of orders 0 to p stand the same way (35 for p = 4).
#ifndef HORNBEAM_PHYSICS_EXPANSION_H
#define HORNBEAM_PHYSICS_EXPANSION_H
#include "physics/portable.h"
#include "physics/softening.h"
HB_OPEN

/// Moments of orders 2 to p.
#define HB_MOMENTS(p) (((p) + 1) * ((p) + 2) * ((p) + 3) / 6 - 4)
/// Values that a cell has room for with them: some, and a multiple of 16, so that they are read four at a time.
#define HB_MOMENT_STRIDE(order) (((HB_MOMENTS(order) > 0 ? HB_MOMENTS(order) : 1) + 15) / 16 * 16)
/// Coefficients of orders 0 to p.
#define HB_COEFFICIENTS(p) (((p) + 1) * ((p) + 2) * ((p) + 3) / 6)
#define HB_MAX_ORDER 6
/// Whether an order begins at value i of those that ENDS counts, HB_MOMENTS, HB_THIN_MOMENTS or HB_COEFFICIENTS (of
/// these all but order 0). Kernels loop over values and ask this: with a loop over orders around one whose bounds
/// depend on it, CUDA's compiler does not know the indices, and keeps the values in memory.
#define HB_ORDER_BEGINS(i, ENDS) \
  ((i) == ENDS(0) || (i) == ENDS(1) || (i) == ENDS(2) || (i) == ENDS(3) || (i) == ENDS(4) || (i) == ENDS(5))

// Each order P offers, with all lengths and masses in internal units:
//   m2l_P(x, y, z, eps2, mass, M, L)   adds to L, about a centre at (x, y, z) from the cell's, the cell's field
//   l2p_P(L, x, y, z, acc)             adds the field of L at (x, y, z) from its centre to acc (x, y, z, potential)
//   p2m_P(mass, dx, dy, dz, M)         adds a particle at (dx, dy, dz) from the centre of mass
//   m2m_P(mass, C, dx, dy, dz, M)      adds a child with moments C about a point (dx, dy, dz) from the centre of mass
#include "physics/expansion_order_1.h"
#include "physics/expansion_order_2.h"
#include "physics/expansion_order_3.h"
#include "physics/expansion_order_4.h"
#include "physics/expansion_order_5.h"
#include "physics/expansion_order_6.h"

/// Calls that one of m2l_1 ... m2l_6 (l2p, p2m, m2m) which is of the given order.
#define HB_BY_ORDER(order, function, arguments) \
  do {                                          \
    if ((order) == 1) function##_1 arguments;   \
    if ((order) == 2) function##_2 arguments;   \
    if ((order) == 3) function##_3 arguments;   \
    if ((order) == 4) function##_4 arguments;   \
    if ((order) == 5) function##_5 arguments;   \
    if ((order) == 6) function##_6 arguments;   \
  } while (0)

/// `field` with the attraction of a cell added, at displacement (dx, dy, dz) = cell - target through its monopole and
/// quadrupole: phi = -(m g0 + M:D2), D2_ij = g2 x_i x_j + g1 delta_ij of the softened distance 1 / inv_r
/// (docs/theory.md eq. 8). Q: M with its diagonal doubled; trace: of M. 37 operations.
HB_FORMULA HB_FIELD(real) pull_quadrupole_at(real dx, real dy, real dz, real mass, const real* Q, real trace,
                                             real inv_r, HB_FIELD(real) field) {
  const real inv_r2 = inv_r * inv_r;
  const real inv_r3 = inv_r * inv_r2;
  const real g2 = inv_r3 * (HB_C(3) * inv_r2);
  const real qx = hb_fma(Q[0], dx, hb_fma(Q[1], dy, Q[2] * dz));
  const real qy = hb_fma(Q[3], dy, hb_fma(Q[1], dx, Q[4] * dz));
  const real qz = hb_fma(Q[5], dz, hb_fma(Q[2], dx, Q[4] * dy));
  const real xqx = hb_fma(dx, qx, hb_fma(dy, qy, dz * qz));
  const real radial = hb_fma(mass, inv_r3, g2 * hb_fma(HB_C(2.5) * inv_r2, xqx, -trace));
  field.x = hb_fma(dx, radial, hb_fma(-g2, qx, field.x));
  field.y = hb_fma(dy, radial, hb_fma(-g2, qy, field.y));
  field.z = hb_fma(dz, radial, hb_fma(-g2, qz, field.z));
  field.w = hb_fma(inv_r3, trace, hb_fma(-g2, HB_C(0.5) * xqx, hb_fma(-inv_r, mass, field.w)));
  return field;
}

/// The same from M[0..5] and the squared softening.
HB_FORMULA HB_FIELD(real)
    pull_quadrupole(real dx, real dy, real dz, real mass, const real* M, real soft2, HB_FIELD(real) field) {
  const real r2 = hb_fma(dx, dx, hb_fma(dy, dy, hb_fma(dz, dz, soft2)));
  const real Q[6] = {M[0] + M[0], M[1], M[2], M[3] + M[3], M[4], M[5] + M[5]};
  return pull_quadrupole_at(dx, dy, dz, mass, Q, M[0] + M[3] + M[5], hb_rsqrt0(r2), field);
}

HB_CLOSE
#endif
