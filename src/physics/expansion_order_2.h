// SPDX-License-Identifier: Apache-2.0
// Written by tools/generate_expansions.py; do not edit. Cartesian expansions of order 2: docs/theory.md eqs. 3 to 7.
// Included by physics/expansion.h alone.
// clang-format off

HB_FORMULA void m2l_2(real x, real y, real z, real eps2, real mass, const real* M, real* L) {
  const real g0 = hb_rsqrt0(hb_fma(x, x, hb_fma(y, y, hb_fma(z, z, eps2))));
  const real step = -(g0 * g0);
  const real g1 = g0 * step;
  const real g2 = g1 * step * 3.0f;
  const real d0_100 = x * g1;
  const real d0_010 = y * g1;
  const real d0_001 = z * g1;
  const real d1_100 = x * g2;
  const real d0_200 = hb_fma(x, d1_100, g1);
  const real d1_010 = y * g2;
  const real d0_110 = x * d1_010;
  const real d1_001 = z * g2;
  const real d0_101 = x * d1_001;
  const real d0_020 = hb_fma(y, d1_010, g1);
  const real d0_011 = y * d1_001;
  const real d0_002 = hb_fma(z, d1_001, g1);
  L[0] = L[0] - (hb_fma(M[5], d0_002, hb_fma(M[4], d0_011, hb_fma(M[3], d0_020, hb_fma(M[2], d0_101, hb_fma(M[1],
      d0_110, hb_fma(M[0], d0_200, mass * g0)))))));
  L[1] = L[1] - (mass * d0_100);
  L[2] = L[2] - (mass * d0_010);
  L[3] = L[3] - (mass * d0_001);
  L[4] = L[4] - (mass * d0_200);
  L[5] = L[5] - (mass * d0_110);
  L[6] = L[6] - (mass * d0_101);
  L[7] = L[7] - (mass * d0_020);
  L[8] = L[8] - (mass * d0_011);
  L[9] = L[9] - (mass * d0_002);
}

HB_FORMULA void l2p_2(const real* L, real x, real y, real z, real* acc) {
  const real t100 = x;
  const real t010 = y;
  const real t001 = z;
  const real t200 = t100 * x * 0.5f;
  const real t110 = t010 * x;
  const real t101 = t001 * x;
  const real t020 = t010 * y * 0.5f;
  const real t011 = t001 * y;
  const real t002 = t001 * z * 0.5f;
  acc[0] = acc[0] - (hb_fma(L[6], t001, hb_fma(L[5], t010, hb_fma(L[4], t100, L[1]))));
  acc[1] = acc[1] - (hb_fma(L[8], t001, hb_fma(L[7], t010, hb_fma(L[5], t100, L[2]))));
  acc[2] = acc[2] - (hb_fma(L[9], t001, hb_fma(L[8], t010, hb_fma(L[6], t100, L[3]))));
  acc[3] = acc[3] + hb_fma(L[9], t002, hb_fma(L[8], t011, hb_fma(L[7], t020, hb_fma(L[6], t101, hb_fma(L[5], t110,
      hb_fma(L[4], t200, hb_fma(L[3], t001, hb_fma(L[2], t010, hb_fma(L[1], t100, L[0])))))))));
}

HB_SUM_FORMULA void p2m_2(sum_t mass, sum_t dx, sum_t dy, sum_t dz, sum_t* M) {
  const sum_t x = -dx;
  const sum_t y = -dy;
  const sum_t z = -dz;
  const sum_t t100 = x;
  const sum_t t010 = y;
  const sum_t t001 = z;
  const sum_t t200 = t100 * x * 0.5f;
  const sum_t t110 = t010 * x;
  const sum_t t101 = t001 * x;
  const sum_t t020 = t010 * y * 0.5f;
  const sum_t t011 = t001 * y;
  const sum_t t002 = t001 * z * 0.5f;
  M[0] = hb_fma(mass, t200, M[0]);
  M[1] = hb_fma(mass, t110, M[1]);
  M[2] = hb_fma(mass, t101, M[2]);
  M[3] = hb_fma(mass, t020, M[3]);
  M[4] = hb_fma(mass, t011, M[4]);
  M[5] = hb_fma(mass, t002, M[5]);
}

HB_SUM_FORMULA void m2m_2(sum_t mass, const sum_t* C, sum_t dx, sum_t dy, sum_t dz, sum_t* M) {
  const sum_t x = -dx;
  const sum_t y = -dy;
  const sum_t z = -dz;
  const sum_t t100 = x;
  const sum_t t010 = y;
  const sum_t t001 = z;
  const sum_t t200 = t100 * x * 0.5f;
  const sum_t t110 = t010 * x;
  const sum_t t101 = t001 * x;
  const sum_t t020 = t010 * y * 0.5f;
  const sum_t t011 = t001 * y;
  const sum_t t002 = t001 * z * 0.5f;
  M[0] = M[0] + hb_fma(mass, t200, C[0]);
  M[1] = M[1] + hb_fma(mass, t110, C[1]);
  M[2] = M[2] + hb_fma(mass, t101, C[2]);
  M[3] = M[3] + hb_fma(mass, t020, C[3]);
  M[4] = M[4] + hb_fma(mass, t011, C[4]);
  M[5] = M[5] + hb_fma(mass, t002, C[5]);
}
