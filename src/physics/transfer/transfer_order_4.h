// SPDX-License-Identifier: Apache-2.0
// Written by tools/generate_expansions.py; do not edit. Expansions of order 4 from cell to cell: docs/hierarchy.md
// eqs. 1 to 5. Included by physics/transfer.h alone.
// clang-format off

HB_FORMULA void m2l_thin_4(real x, real y, real z, real mass, const real* T, real* L) {
  const real d0_00 = hb_rsqrt0(hb_fma(x, x, hb_fma(y, y, z * z)));
  const real step = -(d0_00 * d0_00);
  const real d1_00 = d0_00 * step;
  const real d2_00 = d1_00 * step * 3.0f;
  const real d3_00 = d2_00 * step * 5.0f;
  const real d4_00 = d3_00 * step * 7.0f;
  const real d0_10 = x * d1_00;
  const real d1_10 = x * d2_00;
  const real d2_10 = x * d3_00;
  const real d3_10 = x * d4_00;
  const real d0_01 = y * d1_00;
  const real d1_01 = y * d2_00;
  const real d2_01 = y * d3_00;
  const real d3_01 = y * d4_00;
  const real d0_20 = hb_fma(x, d1_10, d1_00);
  const real d1_20 = hb_fma(x, d2_10, d2_00);
  const real d2_20 = hb_fma(x, d3_10, d3_00);
  const real d0_11 = x * d1_01;
  const real d1_11 = x * d2_01;
  const real d2_11 = x * d3_01;
  const real d0_02 = hb_fma(y, d1_01, d1_00);
  const real d1_02 = hb_fma(y, d2_01, d2_00);
  const real d2_02 = hb_fma(y, d3_01, d3_00);
  const real d0_30 = hb_fma(x, d1_20, 2.0f * d1_10);
  const real d1_30 = hb_fma(x, d2_20, 2.0f * d2_10);
  const real d0_21 = hb_fma(x, d1_11, d1_01);
  const real d1_21 = hb_fma(x, d2_11, d2_01);
  const real d0_12 = hb_fma(y, d1_11, d1_10);
  const real d1_12 = hb_fma(y, d2_11, d2_10);
  const real d0_03 = hb_fma(y, d1_02, 2.0f * d1_01);
  const real d1_03 = hb_fma(y, d2_02, 2.0f * d2_01);
  const real d0_40 = hb_fma(x, d1_30, 3.0f * d1_20);
  const real d0_31 = hb_fma(x, d1_21, 2.0f * d1_11);
  const real d0_22 = hb_fma(x, d1_12, d1_02);
  const real d0_13 = hb_fma(y, d1_12, 2.0f * d1_11);
  const real d0_04 = hb_fma(y, d1_03, 3.0f * d1_02);
  const real z1_00 = z * d1_00;
  const real z1_10 = z * d1_10;
  const real z1_01 = z * d1_01;
  const real z1_20 = z * d1_20;
  const real z1_11 = z * d1_11;
  const real z1_02 = z * d1_02;
  const real z1_30 = z * d1_30;
  const real z1_21 = z * d1_21;
  const real z1_12 = z * d1_12;
  const real z1_03 = z * d1_03;
  const real z2_10 = -d0_30 - d0_12;
  const real z2_01 = -d0_21 - d0_03;
  const real z2_20 = -d0_40 - d0_22;
  const real z2_11 = -d0_31 - d0_13;
  const real z2_02 = -d0_22 - d0_04;
  L[0] = L[0] - (hb_fma(T[20], z1_03, hb_fma(T[19], z1_12, hb_fma(T[18], z1_21, hb_fma(T[17], z1_30, hb_fma(T[16],
      d0_04, hb_fma(T[15], d0_13, hb_fma(T[14], d0_22, hb_fma(T[13], d0_31, hb_fma(T[12], d0_40, hb_fma(T[11], z1_02,
      hb_fma(T[10], z1_11, hb_fma(T[9], z1_20, hb_fma(T[8], d0_03, hb_fma(T[7], d0_12, hb_fma(T[6], d0_21,
      hb_fma(T[5], d0_30, hb_fma(T[4], z1_01, hb_fma(T[3], z1_10, hb_fma(T[2], d0_02, hb_fma(T[1], d0_11,
      hb_fma(T[0], d0_20, mass * d0_00))))))))))))))))))))));
  L[1] = L[1] - (hb_fma(T[11], z1_12, hb_fma(T[10], z1_21, hb_fma(T[9], z1_30, hb_fma(T[8], d0_13, hb_fma(T[7],
      d0_22, hb_fma(T[6], d0_31, hb_fma(T[5], d0_40, hb_fma(T[4], z1_11, hb_fma(T[3], z1_20, hb_fma(T[2], d0_12,
      hb_fma(T[1], d0_21, hb_fma(T[0], d0_30, mass * d0_10)))))))))))));
  L[2] = L[2] - (hb_fma(T[11], z1_03, hb_fma(T[10], z1_12, hb_fma(T[9], z1_21, hb_fma(T[8], d0_04, hb_fma(T[7],
      d0_13, hb_fma(T[6], d0_22, hb_fma(T[5], d0_31, hb_fma(T[4], z1_02, hb_fma(T[3], z1_11, hb_fma(T[2], d0_03,
      hb_fma(T[1], d0_12, hb_fma(T[0], d0_21, mass * d0_01)))))))))))));
  L[3] = L[3] - (hb_fma(T[11], z2_02, hb_fma(T[10], z2_11, hb_fma(T[9], z2_20, hb_fma(T[8], z1_03, hb_fma(T[7],
      z1_12, hb_fma(T[6], z1_21, hb_fma(T[5], z1_30, hb_fma(T[4], z2_01, hb_fma(T[3], z2_10, hb_fma(T[2], z1_02,
      hb_fma(T[1], z1_11, hb_fma(T[0], z1_20, mass * z1_00)))))))))))));
  L[4] = L[4] - (hb_fma(T[4], z1_21, hb_fma(T[3], z1_30, hb_fma(T[2], d0_22, hb_fma(T[1], d0_31, hb_fma(T[0], d0_40,
      mass * d0_20))))));
  L[5] = L[5] - (hb_fma(T[4], z1_12, hb_fma(T[3], z1_21, hb_fma(T[2], d0_13, hb_fma(T[1], d0_22, hb_fma(T[0], d0_31,
      mass * d0_11))))));
  L[6] = L[6] - (hb_fma(T[4], z1_03, hb_fma(T[3], z1_12, hb_fma(T[2], d0_04, hb_fma(T[1], d0_13, hb_fma(T[0], d0_22,
      mass * d0_02))))));
  L[7] = L[7] - (hb_fma(T[4], z2_11, hb_fma(T[3], z2_20, hb_fma(T[2], z1_12, hb_fma(T[1], z1_21, hb_fma(T[0], z1_30,
      mass * z1_10))))));
  L[8] = L[8] - (hb_fma(T[4], z2_02, hb_fma(T[3], z2_11, hb_fma(T[2], z1_03, hb_fma(T[1], z1_12, hb_fma(T[0], z1_21,
      mass * z1_01))))));
  L[9] = L[9] - (mass * d0_30);
  L[10] = L[10] - (mass * d0_21);
  L[11] = L[11] - (mass * d0_12);
  L[12] = L[12] - (mass * d0_03);
  L[13] = L[13] - (mass * z1_20);
  L[14] = L[14] - (mass * z1_11);
  L[15] = L[15] - (mass * z1_02);
  L[16] = L[16] - (mass * d0_40);
  L[17] = L[17] - (mass * d0_31);
  L[18] = L[18] - (mass * d0_22);
  L[19] = L[19] - (mass * d0_13);
  L[20] = L[20] - (mass * d0_04);
  L[21] = L[21] - (mass * z1_30);
  L[22] = L[22] - (mass * z1_21);
  L[23] = L[23] - (mass * z1_12);
  L[24] = L[24] - (mass * z1_03);
}

HB_FORMULA void thin_moments_4(const real* M, real* T) {
  T[0] = M[0] - M[5];
  T[1] = M[1];
  T[2] = M[3] - M[5];
  T[3] = M[2];
  T[4] = M[4];
  T[5] = M[6] - M[11];
  T[6] = M[7] - M[14];
  T[7] = M[9] - M[11];
  T[8] = M[12] - M[14];
  T[9] = M[8] - M[15];
  T[10] = M[10];
  T[11] = M[13] - M[15];
  T[12] = M[16] - M[21] + M[30];
  T[13] = M[17] - M[24];
  T[14] = M[19] - M[21] + 2.0f * M[30] - M[28];
  T[15] = M[22] - M[24];
  T[16] = M[26] - M[28] + M[30];
  T[17] = M[18] - M[25];
  T[18] = M[20] - M[29];
  T[19] = M[23] - M[25];
  T[20] = M[27] - M[29];
}

HB_FORMULA void whole_expansion_4(const real* T, real* L) {
  L[0] = T[0];
  L[1] = T[1];
  L[2] = T[2];
  L[4] = T[4];
  L[5] = T[5];
  L[7] = T[6];
  L[10] = T[9];
  L[11] = T[10];
  L[13] = T[11];
  L[16] = T[12];
  L[20] = T[16];
  L[21] = T[17];
  L[23] = T[18];
  L[26] = T[19];
  L[30] = T[20];
  L[3] = T[3];
  L[6] = T[7];
  L[8] = T[8];
  L[12] = T[13];
  L[14] = T[14];
  L[17] = T[15];
  L[22] = T[21];
  L[24] = T[22];
  L[27] = T[23];
  L[31] = T[24];
  L[9] = -L[4] - L[7];
  L[15] = -L[10] - L[13];
  L[18] = -L[11] - L[16];
  L[25] = -L[20] - L[23];
  L[28] = -L[21] - L[26];
  L[32] = -L[23] - L[30];
  L[19] = -L[12] - L[17];
  L[29] = -L[22] - L[27];
  L[33] = -L[24] - L[31];
  L[34] = -L[25] - L[32];
}

HB_FORMULA void l2l_4(const real* L, real x, real y, real z, real* G) {
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
  const real t400 = t300 * x * 0.25f;
  const real t310 = t210 * x * HB_C(1.0 / 3.0);
  const real t301 = t201 * x * HB_C(1.0 / 3.0);
  const real t220 = t120 * x * 0.5f;
  const real t211 = t111 * x * 0.5f;
  const real t202 = t102 * x * 0.5f;
  const real t130 = t120 * y * HB_C(1.0 / 3.0);
  const real t121 = t111 * y * 0.5f;
  const real t112 = t111 * z * 0.5f;
  const real t103 = t102 * z * HB_C(1.0 / 3.0);
  const real t040 = t030 * y * 0.25f;
  const real t031 = t021 * y * HB_C(1.0 / 3.0);
  const real t022 = t012 * y * 0.5f;
  const real t013 = t012 * z * HB_C(1.0 / 3.0);
  const real t004 = t003 * z * 0.25f;
  G[0] = G[0] + hb_fma(L[34], t004, hb_fma(L[33], t013, hb_fma(L[32], t022, hb_fma(L[31], t031, hb_fma(L[30], t040,
      hb_fma(L[29], t103, hb_fma(L[28], t112, hb_fma(L[27], t121, hb_fma(L[26], t130, hb_fma(L[25], t202,
      hb_fma(L[24], t211, hb_fma(L[23], t220, hb_fma(L[22], t301, hb_fma(L[21], t310, hb_fma(L[20], t400,
      hb_fma(L[19], t003, hb_fma(L[18], t012, hb_fma(L[17], t021, hb_fma(L[16], t030, hb_fma(L[15], t102,
      hb_fma(L[14], t111, hb_fma(L[13], t120, hb_fma(L[12], t201, hb_fma(L[11], t210, hb_fma(L[10], t300,
      hb_fma(L[9], t002, hb_fma(L[8], t011, hb_fma(L[7], t020, hb_fma(L[6], t101, hb_fma(L[5], t110, hb_fma(L[4],
      t200, hb_fma(L[3], t001, hb_fma(L[2], t010, hb_fma(L[1], t100, L[0]))))))))))))))))))))))))))))))))));
  G[1] = G[1] + hb_fma(L[29], t003, hb_fma(L[28], t012, hb_fma(L[27], t021, hb_fma(L[26], t030, hb_fma(L[25], t102,
      hb_fma(L[24], t111, hb_fma(L[23], t120, hb_fma(L[22], t201, hb_fma(L[21], t210, hb_fma(L[20], t300,
      hb_fma(L[15], t002, hb_fma(L[14], t011, hb_fma(L[13], t020, hb_fma(L[12], t101, hb_fma(L[11], t110,
      hb_fma(L[10], t200, hb_fma(L[6], t001, hb_fma(L[5], t010, hb_fma(L[4], t100, L[1])))))))))))))))))));
  G[2] = G[2] + hb_fma(L[33], t003, hb_fma(L[32], t012, hb_fma(L[31], t021, hb_fma(L[30], t030, hb_fma(L[28], t102,
      hb_fma(L[27], t111, hb_fma(L[26], t120, hb_fma(L[24], t201, hb_fma(L[23], t210, hb_fma(L[21], t300,
      hb_fma(L[18], t002, hb_fma(L[17], t011, hb_fma(L[16], t020, hb_fma(L[14], t101, hb_fma(L[13], t110,
      hb_fma(L[11], t200, hb_fma(L[8], t001, hb_fma(L[7], t010, hb_fma(L[5], t100, L[2])))))))))))))))))));
  G[3] = G[3] + hb_fma(L[34], t003, hb_fma(L[33], t012, hb_fma(L[32], t021, hb_fma(L[31], t030, hb_fma(L[29], t102,
      hb_fma(L[28], t111, hb_fma(L[27], t120, hb_fma(L[25], t201, hb_fma(L[24], t210, hb_fma(L[22], t300,
      hb_fma(L[19], t002, hb_fma(L[18], t011, hb_fma(L[17], t020, hb_fma(L[15], t101, hb_fma(L[14], t110,
      hb_fma(L[12], t200, hb_fma(L[9], t001, hb_fma(L[8], t010, hb_fma(L[6], t100, L[3])))))))))))))))))));
  G[4] = G[4] + hb_fma(L[25], t002, hb_fma(L[24], t011, hb_fma(L[23], t020, hb_fma(L[22], t101, hb_fma(L[21], t110,
      hb_fma(L[20], t200, hb_fma(L[12], t001, hb_fma(L[11], t010, hb_fma(L[10], t100, L[4])))))))));
  G[5] = G[5] + hb_fma(L[28], t002, hb_fma(L[27], t011, hb_fma(L[26], t020, hb_fma(L[24], t101, hb_fma(L[23], t110,
      hb_fma(L[21], t200, hb_fma(L[14], t001, hb_fma(L[13], t010, hb_fma(L[11], t100, L[5])))))))));
  G[6] = G[6] + hb_fma(L[29], t002, hb_fma(L[28], t011, hb_fma(L[27], t020, hb_fma(L[25], t101, hb_fma(L[24], t110,
      hb_fma(L[22], t200, hb_fma(L[15], t001, hb_fma(L[14], t010, hb_fma(L[12], t100, L[6])))))))));
  G[7] = G[7] + hb_fma(L[32], t002, hb_fma(L[31], t011, hb_fma(L[30], t020, hb_fma(L[27], t101, hb_fma(L[26], t110,
      hb_fma(L[23], t200, hb_fma(L[17], t001, hb_fma(L[16], t010, hb_fma(L[13], t100, L[7])))))))));
  G[8] = G[8] + hb_fma(L[33], t002, hb_fma(L[32], t011, hb_fma(L[31], t020, hb_fma(L[28], t101, hb_fma(L[27], t110,
      hb_fma(L[24], t200, hb_fma(L[18], t001, hb_fma(L[17], t010, hb_fma(L[14], t100, L[8])))))))));
  G[9] = G[9] + hb_fma(L[34], t002, hb_fma(L[33], t011, hb_fma(L[32], t020, hb_fma(L[29], t101, hb_fma(L[28], t110,
      hb_fma(L[25], t200, hb_fma(L[19], t001, hb_fma(L[18], t010, hb_fma(L[15], t100, L[9])))))))));
  G[10] = G[10] + hb_fma(L[22], t001, hb_fma(L[21], t010, hb_fma(L[20], t100, L[10])));
  G[11] = G[11] + hb_fma(L[24], t001, hb_fma(L[23], t010, hb_fma(L[21], t100, L[11])));
  G[12] = G[12] + hb_fma(L[25], t001, hb_fma(L[24], t010, hb_fma(L[22], t100, L[12])));
  G[13] = G[13] + hb_fma(L[27], t001, hb_fma(L[26], t010, hb_fma(L[23], t100, L[13])));
  G[14] = G[14] + hb_fma(L[28], t001, hb_fma(L[27], t010, hb_fma(L[24], t100, L[14])));
  G[15] = G[15] + hb_fma(L[29], t001, hb_fma(L[28], t010, hb_fma(L[25], t100, L[15])));
  G[16] = G[16] + hb_fma(L[31], t001, hb_fma(L[30], t010, hb_fma(L[26], t100, L[16])));
  G[17] = G[17] + hb_fma(L[32], t001, hb_fma(L[31], t010, hb_fma(L[27], t100, L[17])));
  G[18] = G[18] + hb_fma(L[33], t001, hb_fma(L[32], t010, hb_fma(L[28], t100, L[18])));
  G[19] = G[19] + hb_fma(L[34], t001, hb_fma(L[33], t010, hb_fma(L[29], t100, L[19])));
  G[20] = G[20] + L[20];
  G[21] = G[21] + L[21];
  G[22] = G[22] + L[22];
  G[23] = G[23] + L[23];
  G[24] = G[24] + L[24];
  G[25] = G[25] + L[25];
  G[26] = G[26] + L[26];
  G[27] = G[27] + L[27];
  G[28] = G[28] + L[28];
  G[29] = G[29] + L[29];
  G[30] = G[30] + L[30];
  G[31] = G[31] + L[31];
  G[32] = G[32] + L[32];
  G[33] = G[33] + L[33];
  G[34] = G[34] + L[34];
}

HB_FORMULA void squared_powers_4(const real* M, real* P) {
  const real q2_0_200 = 2.0f * M[0];
  const real q2_0_110 = M[1];
  const real q2_0_101 = M[2];
  const real q2_0_020 = 2.0f * M[3];
  const real q2_0_011 = M[4];
  const real q2_0_002 = 2.0f * M[5];
  const real n2_0 = hb_fma(q2_0_002, q2_0_002, hb_fma(q2_0_011, (2.0f * q2_0_011), hb_fma(q2_0_020, q2_0_020,
      hb_fma(q2_0_101, (2.0f * q2_0_101), hb_fma(q2_0_110, (2.0f * q2_0_110), q2_0_200 * q2_0_200)))));
  const real q2_1_000 = 2.0f * M[0] + 2.0f * M[3] + 2.0f * M[5];
  const real n2_1 = q2_1_000 * q2_1_000;
  P[2] = hb_fma(HB_C(-0.5), n2_1, HB_C(1.5) * n2_0);
  const real q3_0_300 = 6.0f * M[6];
  const real q3_0_210 = 2.0f * M[7];
  const real q3_0_201 = 2.0f * M[8];
  const real q3_0_120 = 2.0f * M[9];
  const real q3_0_111 = M[10];
  const real q3_0_102 = 2.0f * M[11];
  const real q3_0_030 = 6.0f * M[12];
  const real q3_0_021 = 2.0f * M[13];
  const real q3_0_012 = 2.0f * M[14];
  const real q3_0_003 = 6.0f * M[15];
  const real n3_0 = hb_fma(q3_0_003, q3_0_003, hb_fma(q3_0_012, (3.0f * q3_0_012), hb_fma(q3_0_021, (3.0f *
      q3_0_021), hb_fma(q3_0_030, q3_0_030, hb_fma(q3_0_102, (3.0f * q3_0_102), hb_fma(q3_0_111, (6.0f * q3_0_111),
      hb_fma(q3_0_120, (3.0f * q3_0_120), hb_fma(q3_0_201, (3.0f * q3_0_201), hb_fma(q3_0_210, (3.0f * q3_0_210),
      q3_0_300 * q3_0_300)))))))));
  const real q3_1_100 = 6.0f * M[6] + 2.0f * M[9] + 2.0f * M[11];
  const real q3_1_010 = 2.0f * M[7] + 6.0f * M[12] + 2.0f * M[14];
  const real q3_1_001 = 2.0f * M[8] + 2.0f * M[13] + 6.0f * M[15];
  const real n3_1 = hb_fma(q3_1_001, q3_1_001, hb_fma(q3_1_010, q3_1_010, q3_1_100 * q3_1_100));
  P[3] = hb_fma(HB_C(-1.5), n3_1, HB_C(2.5) * n3_0);
  const real q4_0_400 = 24.0f * M[16];
  const real q4_0_310 = 6.0f * M[17];
  const real q4_0_301 = 6.0f * M[18];
  const real q4_0_220 = 4.0f * M[19];
  const real q4_0_211 = 2.0f * M[20];
  const real q4_0_202 = 4.0f * M[21];
  const real q4_0_130 = 6.0f * M[22];
  const real q4_0_121 = 2.0f * M[23];
  const real q4_0_112 = 2.0f * M[24];
  const real q4_0_103 = 6.0f * M[25];
  const real q4_0_040 = 24.0f * M[26];
  const real q4_0_031 = 6.0f * M[27];
  const real q4_0_022 = 4.0f * M[28];
  const real q4_0_013 = 6.0f * M[29];
  const real q4_0_004 = 24.0f * M[30];
  const real n4_0 = hb_fma(q4_0_004, q4_0_004, hb_fma(q4_0_013, (4.0f * q4_0_013), hb_fma(q4_0_022, (6.0f *
      q4_0_022), hb_fma(q4_0_031, (4.0f * q4_0_031), hb_fma(q4_0_040, q4_0_040, hb_fma(q4_0_103, (4.0f * q4_0_103),
      hb_fma(q4_0_112, (12.0f * q4_0_112), hb_fma(q4_0_121, (12.0f * q4_0_121), hb_fma(q4_0_130, (4.0f * q4_0_130),
      hb_fma(q4_0_202, (6.0f * q4_0_202), hb_fma(q4_0_211, (12.0f * q4_0_211), hb_fma(q4_0_220, (6.0f * q4_0_220),
      hb_fma(q4_0_301, (4.0f * q4_0_301), hb_fma(q4_0_310, (4.0f * q4_0_310), q4_0_400 * q4_0_400))))))))))))));
  const real q4_1_200 = 24.0f * M[16] + 4.0f * M[19] + 4.0f * M[21];
  const real q4_1_110 = 6.0f * M[17] + 6.0f * M[22] + 2.0f * M[24];
  const real q4_1_101 = 6.0f * M[18] + 2.0f * M[23] + 6.0f * M[25];
  const real q4_1_020 = 4.0f * M[19] + 24.0f * M[26] + 4.0f * M[28];
  const real q4_1_011 = 2.0f * M[20] + 6.0f * M[27] + 6.0f * M[29];
  const real q4_1_002 = 4.0f * M[21] + 4.0f * M[28] + 24.0f * M[30];
  const real n4_1 = hb_fma(q4_1_002, q4_1_002, hb_fma(q4_1_011, (2.0f * q4_1_011), hb_fma(q4_1_020, q4_1_020,
      hb_fma(q4_1_101, (2.0f * q4_1_101), hb_fma(q4_1_110, (2.0f * q4_1_110), q4_1_200 * q4_1_200)))));
  const real q4_2_000 = 24.0f * M[16] + 8.0f * M[19] + 8.0f * M[21] + 24.0f * M[26] + 8.0f * M[28] + 24.0f * M[30];
  const real n4_2 = q4_2_000 * q4_2_000;
  P[4] = hb_fma(HB_C(0.375), n4_2, hb_fma(HB_C(-3.75), n4_1, HB_C(4.375) * n4_0));
}
