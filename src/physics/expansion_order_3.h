// SPDX-License-Identifier: Apache-2.0
// Written by tools/generate_expansions.py; do not edit. Cartesian expansions of order 3: docs/theory.md eqs. 3 to 7.
// Included by physics/expansion.h alone.
// clang-format off

HB_FORMULA void m2l_3(real x, real y, real z, real eps2, real mass, const real* M, real* L) {
  const real g0 = hb_rsqrt0(hb_fma(x, x, hb_fma(y, y, hb_fma(z, z, eps2))));
  const real step = -(g0 * g0);
  const real g1 = g0 * step;
  const real g2 = g1 * step * 3.0f;
  const real g3 = g2 * step * 5.0f;
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
  const real d2_100 = x * g3;
  const real d1_200 = hb_fma(x, d2_100, g2);
  const real d0_300 = hb_fma(x, d1_200, 2.0f * d1_100);
  const real d2_010 = y * g3;
  const real d1_110 = x * d2_010;
  const real d0_210 = hb_fma(x, d1_110, d1_010);
  const real d2_001 = z * g3;
  const real d1_101 = x * d2_001;
  const real d0_201 = hb_fma(x, d1_101, d1_001);
  const real d0_120 = hb_fma(y, d1_110, d1_100);
  const real d1_011 = y * d2_001;
  const real d0_111 = x * d1_011;
  const real d0_102 = hb_fma(z, d1_101, d1_100);
  const real d1_020 = hb_fma(y, d2_010, g2);
  const real d0_030 = hb_fma(y, d1_020, 2.0f * d1_010);
  const real d0_021 = hb_fma(y, d1_011, d1_001);
  const real d0_012 = hb_fma(z, d1_011, d1_010);
  const real d1_002 = hb_fma(z, d2_001, g2);
  const real d0_003 = hb_fma(z, d1_002, 2.0f * d1_001);
  L[0] = L[0] - (hb_fma(M[15], d0_003, hb_fma(M[14], d0_012, hb_fma(M[13], d0_021, hb_fma(M[12], d0_030,
      hb_fma(M[11], d0_102, hb_fma(M[10], d0_111, hb_fma(M[9], d0_120, hb_fma(M[8], d0_201, hb_fma(M[7], d0_210,
      hb_fma(M[6], d0_300, hb_fma(M[5], d0_002, hb_fma(M[4], d0_011, hb_fma(M[3], d0_020, hb_fma(M[2], d0_101,
      hb_fma(M[1], d0_110, hb_fma(M[0], d0_200, mass * g0)))))))))))))))));
  L[1] = L[1] - (hb_fma(M[5], d0_102, hb_fma(M[4], d0_111, hb_fma(M[3], d0_120, hb_fma(M[2], d0_201, hb_fma(M[1],
      d0_210, hb_fma(M[0], d0_300, mass * d0_100)))))));
  L[2] = L[2] - (hb_fma(M[5], d0_012, hb_fma(M[4], d0_021, hb_fma(M[3], d0_030, hb_fma(M[2], d0_111, hb_fma(M[1],
      d0_120, hb_fma(M[0], d0_210, mass * d0_010)))))));
  L[3] = L[3] - (hb_fma(M[5], d0_003, hb_fma(M[4], d0_012, hb_fma(M[3], d0_021, hb_fma(M[2], d0_102, hb_fma(M[1],
      d0_111, hb_fma(M[0], d0_201, mass * d0_001)))))));
  L[4] = L[4] - (mass * d0_200);
  L[5] = L[5] - (mass * d0_110);
  L[6] = L[6] - (mass * d0_101);
  L[7] = L[7] - (mass * d0_020);
  L[8] = L[8] - (mass * d0_011);
  L[9] = L[9] - (mass * d0_002);
  L[10] = L[10] - (mass * d0_300);
  L[11] = L[11] - (mass * d0_210);
  L[12] = L[12] - (mass * d0_201);
  L[13] = L[13] - (mass * d0_120);
  L[14] = L[14] - (mass * d0_111);
  L[15] = L[15] - (mass * d0_102);
  L[16] = L[16] - (mass * d0_030);
  L[17] = L[17] - (mass * d0_021);
  L[18] = L[18] - (mass * d0_012);
  L[19] = L[19] - (mass * d0_003);
}

HB_FORMULA void l2p_3(const real* L, real x, real y, real z, real* acc) {
  const real t100 = x;
  const real t010 = y;
  const real t001 = z;
  const real t200 = t100 * x * 0.5f;
  const real t110 = t010 * x;
  const real t101 = t001 * x;
  const real t020 = t010 * y * 0.5f;
  const real t011 = t001 * y;
  const real t002 = t001 * z * 0.5f;
  const real t300 = t200 * x * HB_C(1.0 / 3.0);
  const real t210 = t110 * x * 0.5f;
  const real t201 = t101 * x * 0.5f;
  const real t120 = t110 * y * 0.5f;
  const real t111 = t011 * x;
  const real t102 = t101 * z * 0.5f;
  const real t030 = t020 * y * HB_C(1.0 / 3.0);
  const real t021 = t011 * y * 0.5f;
  const real t012 = t011 * z * 0.5f;
  const real t003 = t002 * z * HB_C(1.0 / 3.0);
  acc[0] = acc[0] - (hb_fma(L[15], t002, hb_fma(L[14], t011, hb_fma(L[13], t020, hb_fma(L[12], t101, hb_fma(L[11],
      t110, hb_fma(L[10], t200, hb_fma(L[6], t001, hb_fma(L[5], t010, hb_fma(L[4], t100, L[1]))))))))));
  acc[1] = acc[1] - (hb_fma(L[18], t002, hb_fma(L[17], t011, hb_fma(L[16], t020, hb_fma(L[14], t101, hb_fma(L[13],
      t110, hb_fma(L[11], t200, hb_fma(L[8], t001, hb_fma(L[7], t010, hb_fma(L[5], t100, L[2]))))))))));
  acc[2] = acc[2] - (hb_fma(L[19], t002, hb_fma(L[18], t011, hb_fma(L[17], t020, hb_fma(L[15], t101, hb_fma(L[14],
      t110, hb_fma(L[12], t200, hb_fma(L[9], t001, hb_fma(L[8], t010, hb_fma(L[6], t100, L[3]))))))))));
  acc[3] = acc[3] + hb_fma(L[19], t003, hb_fma(L[18], t012, hb_fma(L[17], t021, hb_fma(L[16], t030, hb_fma(L[15],
      t102, hb_fma(L[14], t111, hb_fma(L[13], t120, hb_fma(L[12], t201, hb_fma(L[11], t210, hb_fma(L[10], t300,
      hb_fma(L[9], t002, hb_fma(L[8], t011, hb_fma(L[7], t020, hb_fma(L[6], t101, hb_fma(L[5], t110, hb_fma(L[4],
      t200, hb_fma(L[3], t001, hb_fma(L[2], t010, hb_fma(L[1], t100, L[0])))))))))))))))))));
}

HB_SUM_FORMULA void p2m_3(sum_t mass, sum_t dx, sum_t dy, sum_t dz, sum_t* M) {
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
  const sum_t t300 = t200 * x * ((sum_t)(1.0 / 3.0));
  const sum_t t210 = t110 * x * 0.5f;
  const sum_t t201 = t101 * x * 0.5f;
  const sum_t t120 = t110 * y * 0.5f;
  const sum_t t111 = t011 * x;
  const sum_t t102 = t101 * z * 0.5f;
  const sum_t t030 = t020 * y * ((sum_t)(1.0 / 3.0));
  const sum_t t021 = t011 * y * 0.5f;
  const sum_t t012 = t011 * z * 0.5f;
  const sum_t t003 = t002 * z * ((sum_t)(1.0 / 3.0));
  M[0] = hb_fma(mass, t200, M[0]);
  M[1] = hb_fma(mass, t110, M[1]);
  M[2] = hb_fma(mass, t101, M[2]);
  M[3] = hb_fma(mass, t020, M[3]);
  M[4] = hb_fma(mass, t011, M[4]);
  M[5] = hb_fma(mass, t002, M[5]);
  M[6] = hb_fma(mass, t300, M[6]);
  M[7] = hb_fma(mass, t210, M[7]);
  M[8] = hb_fma(mass, t201, M[8]);
  M[9] = hb_fma(mass, t120, M[9]);
  M[10] = hb_fma(mass, t111, M[10]);
  M[11] = hb_fma(mass, t102, M[11]);
  M[12] = hb_fma(mass, t030, M[12]);
  M[13] = hb_fma(mass, t021, M[13]);
  M[14] = hb_fma(mass, t012, M[14]);
  M[15] = hb_fma(mass, t003, M[15]);
}

HB_SUM_FORMULA void m2m_3(sum_t mass, const sum_t* C, sum_t dx, sum_t dy, sum_t dz, sum_t* M) {
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
  const sum_t t300 = t200 * x * ((sum_t)(1.0 / 3.0));
  const sum_t t210 = t110 * x * 0.5f;
  const sum_t t201 = t101 * x * 0.5f;
  const sum_t t120 = t110 * y * 0.5f;
  const sum_t t111 = t011 * x;
  const sum_t t102 = t101 * z * 0.5f;
  const sum_t t030 = t020 * y * ((sum_t)(1.0 / 3.0));
  const sum_t t021 = t011 * y * 0.5f;
  const sum_t t012 = t011 * z * 0.5f;
  const sum_t t003 = t002 * z * ((sum_t)(1.0 / 3.0));
  M[0] = M[0] + hb_fma(mass, t200, C[0]);
  M[1] = M[1] + hb_fma(mass, t110, C[1]);
  M[2] = M[2] + hb_fma(mass, t101, C[2]);
  M[3] = M[3] + hb_fma(mass, t020, C[3]);
  M[4] = M[4] + hb_fma(mass, t011, C[4]);
  M[5] = M[5] + hb_fma(mass, t002, C[5]);
  M[6] = M[6] + hb_fma(C[0], t100, hb_fma(mass, t300, C[6]));
  M[7] = M[7] + hb_fma(C[1], t100, hb_fma(C[0], t010, hb_fma(mass, t210, C[7])));
  M[8] = M[8] + hb_fma(C[2], t100, hb_fma(C[0], t001, hb_fma(mass, t201, C[8])));
  M[9] = M[9] + hb_fma(C[3], t100, hb_fma(C[1], t010, hb_fma(mass, t120, C[9])));
  M[10] = M[10] + hb_fma(C[4], t100, hb_fma(C[2], t010, hb_fma(C[1], t001, hb_fma(mass, t111, C[10]))));
  M[11] = M[11] + hb_fma(C[5], t100, hb_fma(C[2], t001, hb_fma(mass, t102, C[11])));
  M[12] = M[12] + hb_fma(C[3], t010, hb_fma(mass, t030, C[12]));
  M[13] = M[13] + hb_fma(C[4], t010, hb_fma(C[3], t001, hb_fma(mass, t021, C[13])));
  M[14] = M[14] + hb_fma(C[5], t010, hb_fma(C[4], t001, hb_fma(mass, t012, C[14])));
  M[15] = M[15] + hb_fma(C[5], t001, hb_fma(mass, t003, C[15]));
}
