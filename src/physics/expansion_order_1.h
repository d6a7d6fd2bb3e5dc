// SPDX-License-Identifier: Apache-2.0
// Written by tools/generate_expansions.py; do not edit. Cartesian expansions of order 1: docs/theory.md eqs. 3 to 7.
// Included by physics/expansion.h alone.
// clang-format off

HB_FORMULA void m2l_1(real x, real y, real z, real eps2, real mass, const real* M, real* L) {
  const real g0 = hb_rsqrt0(hb_fma(x, x, hb_fma(y, y, hb_fma(z, z, eps2))));
  const real step = -(g0 * g0);
  const real g1 = g0 * step;
  const real d0_100 = x * g1;
  const real d0_010 = y * g1;
  const real d0_001 = z * g1;
  L[0] = L[0] - (mass * g0);
  L[1] = L[1] - (mass * d0_100);
  L[2] = L[2] - (mass * d0_010);
  L[3] = L[3] - (mass * d0_001);
  (void)M;
}

HB_FORMULA void l2p_1(const real* L, real x, real y, real z, real* acc) {
  const real t100 = x;
  const real t010 = y;
  const real t001 = z;
  acc[0] = acc[0] - (L[1]);
  acc[1] = acc[1] - (L[2]);
  acc[2] = acc[2] - (L[3]);
  acc[3] = acc[3] + hb_fma(L[3], t001, hb_fma(L[2], t010, hb_fma(L[1], t100, L[0])));
}

HB_SUM_FORMULA void p2m_1(sum_t mass, sum_t dx, sum_t dy, sum_t dz, sum_t* M) {
  (void)mass, (void)dx, (void)dy, (void)dz, (void)M;
}

HB_SUM_FORMULA void m2m_1(sum_t mass, const sum_t* C, sum_t dx, sum_t dy, sum_t dz, sum_t* M) {
  (void)mass, (void)C, (void)dx, (void)dy, (void)dz, (void)M;
}
