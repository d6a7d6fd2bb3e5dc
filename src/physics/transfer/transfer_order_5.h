// SPDX-License-Identifier: Apache-2.0
// Written by tools/generate_expansions.py; do not edit. Expansions of order 5 from cell to cell: docs/hierarchy.md
// eqs. 1 to 5. Included by physics/transfer.h alone.
// clang-format off

HB_FORMULA void m2l_thin_5(real x, real y, real z, real mass, const real* T, real* L) {
  const real d0_00 = hb_rsqrt0(hb_fma(x, x, hb_fma(y, y, z * z)));
  const real step = -(d0_00 * d0_00);
  const real d1_00 = d0_00 * step;
  const real d2_00 = d1_00 * step * 3.0f;
  const real d3_00 = d2_00 * step * 5.0f;
  const real d4_00 = d3_00 * step * 7.0f;
  const real d5_00 = d4_00 * step * 9.0f;
  const real d0_10 = x * d1_00;
  const real d1_10 = x * d2_00;
  const real d2_10 = x * d3_00;
  const real d3_10 = x * d4_00;
  const real d4_10 = x * d5_00;
  const real d0_01 = y * d1_00;
  const real d1_01 = y * d2_00;
  const real d2_01 = y * d3_00;
  const real d3_01 = y * d4_00;
  const real d4_01 = y * d5_00;
  const real d0_20 = hb_fma(x, d1_10, d1_00);
  const real d1_20 = hb_fma(x, d2_10, d2_00);
  const real d2_20 = hb_fma(x, d3_10, d3_00);
  const real d3_20 = hb_fma(x, d4_10, d4_00);
  const real d0_11 = x * d1_01;
  const real d1_11 = x * d2_01;
  const real d2_11 = x * d3_01;
  const real d3_11 = x * d4_01;
  const real d0_02 = hb_fma(y, d1_01, d1_00);
  const real d1_02 = hb_fma(y, d2_01, d2_00);
  const real d2_02 = hb_fma(y, d3_01, d3_00);
  const real d3_02 = hb_fma(y, d4_01, d4_00);
  const real d0_30 = hb_fma(x, d1_20, 2.0f * d1_10);
  const real d1_30 = hb_fma(x, d2_20, 2.0f * d2_10);
  const real d2_30 = hb_fma(x, d3_20, 2.0f * d3_10);
  const real d0_21 = hb_fma(x, d1_11, d1_01);
  const real d1_21 = hb_fma(x, d2_11, d2_01);
  const real d2_21 = hb_fma(x, d3_11, d3_01);
  const real d0_12 = hb_fma(y, d1_11, d1_10);
  const real d1_12 = hb_fma(y, d2_11, d2_10);
  const real d2_12 = hb_fma(y, d3_11, d3_10);
  const real d0_03 = hb_fma(y, d1_02, 2.0f * d1_01);
  const real d1_03 = hb_fma(y, d2_02, 2.0f * d2_01);
  const real d2_03 = hb_fma(y, d3_02, 2.0f * d3_01);
  const real d0_40 = hb_fma(x, d1_30, 3.0f * d1_20);
  const real d1_40 = hb_fma(x, d2_30, 3.0f * d2_20);
  const real d0_31 = hb_fma(x, d1_21, 2.0f * d1_11);
  const real d1_31 = hb_fma(x, d2_21, 2.0f * d2_11);
  const real d0_22 = hb_fma(x, d1_12, d1_02);
  const real d1_22 = hb_fma(x, d2_12, d2_02);
  const real d0_13 = hb_fma(y, d1_12, 2.0f * d1_11);
  const real d1_13 = hb_fma(y, d2_12, 2.0f * d2_11);
  const real d0_04 = hb_fma(y, d1_03, 3.0f * d1_02);
  const real d1_04 = hb_fma(y, d2_03, 3.0f * d2_02);
  const real d0_50 = hb_fma(x, d1_40, 4.0f * d1_30);
  const real d0_41 = hb_fma(x, d1_31, 3.0f * d1_21);
  const real d0_32 = hb_fma(x, d1_22, 2.0f * d1_12);
  const real d0_23 = hb_fma(y, d1_22, 2.0f * d1_21);
  const real d0_14 = hb_fma(y, d1_13, 3.0f * d1_12);
  const real d0_05 = hb_fma(y, d1_04, 4.0f * d1_03);
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
  const real z1_40 = z * d1_40;
  const real z1_31 = z * d1_31;
  const real z1_22 = z * d1_22;
  const real z1_13 = z * d1_13;
  const real z1_04 = z * d1_04;
  const real z2_10 = -d0_30 - d0_12;
  const real z2_01 = -d0_21 - d0_03;
  const real z2_20 = -d0_40 - d0_22;
  const real z2_11 = -d0_31 - d0_13;
  const real z2_02 = -d0_22 - d0_04;
  const real z2_30 = -d0_50 - d0_32;
  const real z2_21 = -d0_41 - d0_23;
  const real z2_12 = -d0_32 - d0_14;
  const real z2_03 = -d0_23 - d0_05;
  L[0] = L[0] - (hb_fma(T[31], z1_04, hb_fma(T[30], z1_13, hb_fma(T[29], z1_22, hb_fma(T[28], z1_31, hb_fma(T[27],
      z1_40, hb_fma(T[26], d0_05, hb_fma(T[25], d0_14, hb_fma(T[24], d0_23, hb_fma(T[23], d0_32, hb_fma(T[22], d0_41,
      hb_fma(T[21], d0_50, hb_fma(T[20], z1_03, hb_fma(T[19], z1_12, hb_fma(T[18], z1_21, hb_fma(T[17], z1_30,
      hb_fma(T[16], d0_04, hb_fma(T[15], d0_13, hb_fma(T[14], d0_22, hb_fma(T[13], d0_31, hb_fma(T[12], d0_40,
      hb_fma(T[11], z1_02, hb_fma(T[10], z1_11, hb_fma(T[9], z1_20, hb_fma(T[8], d0_03, hb_fma(T[7], d0_12,
      hb_fma(T[6], d0_21, hb_fma(T[5], d0_30, hb_fma(T[4], z1_01, hb_fma(T[3], z1_10, hb_fma(T[2], d0_02,
      hb_fma(T[1], d0_11, hb_fma(T[0], d0_20, mass * d0_00)))))))))))))))))))))))))))))))));
  L[1] = L[1] - (hb_fma(T[20], z1_13, hb_fma(T[19], z1_22, hb_fma(T[18], z1_31, hb_fma(T[17], z1_40, hb_fma(T[16],
      d0_14, hb_fma(T[15], d0_23, hb_fma(T[14], d0_32, hb_fma(T[13], d0_41, hb_fma(T[12], d0_50, hb_fma(T[11], z1_12,
      hb_fma(T[10], z1_21, hb_fma(T[9], z1_30, hb_fma(T[8], d0_13, hb_fma(T[7], d0_22, hb_fma(T[6], d0_31,
      hb_fma(T[5], d0_40, hb_fma(T[4], z1_11, hb_fma(T[3], z1_20, hb_fma(T[2], d0_12, hb_fma(T[1], d0_21,
      hb_fma(T[0], d0_30, mass * d0_10))))))))))))))))))))));
  L[2] = L[2] - (hb_fma(T[20], z1_04, hb_fma(T[19], z1_13, hb_fma(T[18], z1_22, hb_fma(T[17], z1_31, hb_fma(T[16],
      d0_05, hb_fma(T[15], d0_14, hb_fma(T[14], d0_23, hb_fma(T[13], d0_32, hb_fma(T[12], d0_41, hb_fma(T[11], z1_03,
      hb_fma(T[10], z1_12, hb_fma(T[9], z1_21, hb_fma(T[8], d0_04, hb_fma(T[7], d0_13, hb_fma(T[6], d0_22,
      hb_fma(T[5], d0_31, hb_fma(T[4], z1_02, hb_fma(T[3], z1_11, hb_fma(T[2], d0_03, hb_fma(T[1], d0_12,
      hb_fma(T[0], d0_21, mass * d0_01))))))))))))))))))))));
  L[3] = L[3] - (hb_fma(T[20], z2_03, hb_fma(T[19], z2_12, hb_fma(T[18], z2_21, hb_fma(T[17], z2_30, hb_fma(T[16],
      z1_04, hb_fma(T[15], z1_13, hb_fma(T[14], z1_22, hb_fma(T[13], z1_31, hb_fma(T[12], z1_40, hb_fma(T[11], z2_02,
      hb_fma(T[10], z2_11, hb_fma(T[9], z2_20, hb_fma(T[8], z1_03, hb_fma(T[7], z1_12, hb_fma(T[6], z1_21,
      hb_fma(T[5], z1_30, hb_fma(T[4], z2_01, hb_fma(T[3], z2_10, hb_fma(T[2], z1_02, hb_fma(T[1], z1_11,
      hb_fma(T[0], z1_20, mass * z1_00))))))))))))))))))))));
  L[4] = L[4] - (hb_fma(T[11], z1_22, hb_fma(T[10], z1_31, hb_fma(T[9], z1_40, hb_fma(T[8], d0_23, hb_fma(T[7],
      d0_32, hb_fma(T[6], d0_41, hb_fma(T[5], d0_50, hb_fma(T[4], z1_21, hb_fma(T[3], z1_30, hb_fma(T[2], d0_22,
      hb_fma(T[1], d0_31, hb_fma(T[0], d0_40, mass * d0_20)))))))))))));
  L[5] = L[5] - (hb_fma(T[11], z1_13, hb_fma(T[10], z1_22, hb_fma(T[9], z1_31, hb_fma(T[8], d0_14, hb_fma(T[7],
      d0_23, hb_fma(T[6], d0_32, hb_fma(T[5], d0_41, hb_fma(T[4], z1_12, hb_fma(T[3], z1_21, hb_fma(T[2], d0_13,
      hb_fma(T[1], d0_22, hb_fma(T[0], d0_31, mass * d0_11)))))))))))));
  L[6] = L[6] - (hb_fma(T[11], z1_04, hb_fma(T[10], z1_13, hb_fma(T[9], z1_22, hb_fma(T[8], d0_05, hb_fma(T[7],
      d0_14, hb_fma(T[6], d0_23, hb_fma(T[5], d0_32, hb_fma(T[4], z1_03, hb_fma(T[3], z1_12, hb_fma(T[2], d0_04,
      hb_fma(T[1], d0_13, hb_fma(T[0], d0_22, mass * d0_02)))))))))))));
  L[7] = L[7] - (hb_fma(T[11], z2_12, hb_fma(T[10], z2_21, hb_fma(T[9], z2_30, hb_fma(T[8], z1_13, hb_fma(T[7],
      z1_22, hb_fma(T[6], z1_31, hb_fma(T[5], z1_40, hb_fma(T[4], z2_11, hb_fma(T[3], z2_20, hb_fma(T[2], z1_12,
      hb_fma(T[1], z1_21, hb_fma(T[0], z1_30, mass * z1_10)))))))))))));
  L[8] = L[8] - (hb_fma(T[11], z2_03, hb_fma(T[10], z2_12, hb_fma(T[9], z2_21, hb_fma(T[8], z1_04, hb_fma(T[7],
      z1_13, hb_fma(T[6], z1_22, hb_fma(T[5], z1_31, hb_fma(T[4], z2_02, hb_fma(T[3], z2_11, hb_fma(T[2], z1_03,
      hb_fma(T[1], z1_12, hb_fma(T[0], z1_21, mass * z1_01)))))))))))));
  L[9] = L[9] - (hb_fma(T[4], z1_31, hb_fma(T[3], z1_40, hb_fma(T[2], d0_32, hb_fma(T[1], d0_41, hb_fma(T[0], d0_50,
      mass * d0_30))))));
  L[10] = L[10] - (hb_fma(T[4], z1_22, hb_fma(T[3], z1_31, hb_fma(T[2], d0_23, hb_fma(T[1], d0_32, hb_fma(T[0],
      d0_41, mass * d0_21))))));
  L[11] = L[11] - (hb_fma(T[4], z1_13, hb_fma(T[3], z1_22, hb_fma(T[2], d0_14, hb_fma(T[1], d0_23, hb_fma(T[0],
      d0_32, mass * d0_12))))));
  L[12] = L[12] - (hb_fma(T[4], z1_04, hb_fma(T[3], z1_13, hb_fma(T[2], d0_05, hb_fma(T[1], d0_14, hb_fma(T[0],
      d0_23, mass * d0_03))))));
  L[13] = L[13] - (hb_fma(T[4], z2_21, hb_fma(T[3], z2_30, hb_fma(T[2], z1_22, hb_fma(T[1], z1_31, hb_fma(T[0],
      z1_40, mass * z1_20))))));
  L[14] = L[14] - (hb_fma(T[4], z2_12, hb_fma(T[3], z2_21, hb_fma(T[2], z1_13, hb_fma(T[1], z1_22, hb_fma(T[0],
      z1_31, mass * z1_11))))));
  L[15] = L[15] - (hb_fma(T[4], z2_03, hb_fma(T[3], z2_12, hb_fma(T[2], z1_04, hb_fma(T[1], z1_13, hb_fma(T[0],
      z1_22, mass * z1_02))))));
  L[16] = L[16] - (mass * d0_40);
  L[17] = L[17] - (mass * d0_31);
  L[18] = L[18] - (mass * d0_22);
  L[19] = L[19] - (mass * d0_13);
  L[20] = L[20] - (mass * d0_04);
  L[21] = L[21] - (mass * z1_30);
  L[22] = L[22] - (mass * z1_21);
  L[23] = L[23] - (mass * z1_12);
  L[24] = L[24] - (mass * z1_03);
  L[25] = L[25] - (mass * d0_50);
  L[26] = L[26] - (mass * d0_41);
  L[27] = L[27] - (mass * d0_32);
  L[28] = L[28] - (mass * d0_23);
  L[29] = L[29] - (mass * d0_14);
  L[30] = L[30] - (mass * d0_05);
  L[31] = L[31] - (mass * z1_40);
  L[32] = L[32] - (mass * z1_31);
  L[33] = L[33] - (mass * z1_22);
  L[34] = L[34] - (mass * z1_13);
  L[35] = L[35] - (mass * z1_04);
}

HB_FORMULA void thin_moments_5(const real* M, real* T) {
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
  T[21] = M[31] - M[36] + M[45];
  T[22] = M[32] - M[39] + M[50];
  T[23] = M[34] - M[36] + 2.0f * M[45] - M[43];
  T[24] = M[37] - M[39] + 2.0f * M[50] - M[48];
  T[25] = M[41] - M[43] + M[45];
  T[26] = M[46] - M[48] + M[50];
  T[27] = M[33] - M[40] + M[51];
  T[28] = M[35] - M[44];
  T[29] = M[38] - M[40] + 2.0f * M[51] - M[49];
  T[30] = M[42] - M[44];
  T[31] = M[47] - M[49] + M[51];
}

HB_FORMULA void whole_expansion_5(const real* T, real* L) {
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
  L[35] = T[25];
  L[36] = T[26];
  L[38] = T[27];
  L[41] = T[28];
  L[45] = T[29];
  L[50] = T[30];
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
  L[37] = T[31];
  L[39] = T[32];
  L[42] = T[33];
  L[46] = T[34];
  L[51] = T[35];
  L[9] = -L[4] - L[7];
  L[15] = -L[10] - L[13];
  L[18] = -L[11] - L[16];
  L[25] = -L[20] - L[23];
  L[28] = -L[21] - L[26];
  L[32] = -L[23] - L[30];
  L[40] = -L[35] - L[38];
  L[43] = -L[36] - L[41];
  L[47] = -L[38] - L[45];
  L[52] = -L[41] - L[50];
  L[19] = -L[12] - L[17];
  L[29] = -L[22] - L[27];
  L[33] = -L[24] - L[31];
  L[44] = -L[37] - L[42];
  L[48] = -L[39] - L[46];
  L[53] = -L[42] - L[51];
  L[34] = -L[25] - L[32];
  L[49] = -L[40] - L[47];
  L[54] = -L[43] - L[52];
  L[55] = -L[44] - L[53];
}

HB_FORMULA void l2l_5(const real* L, real x, real y, real z, real* G) {
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
  const real t500 = t400 * x * HB_C(1.0 / 5.0);
  const real t410 = t310 * x * 0.25f;
  const real t401 = t301 * x * 0.25f;
  const real t320 = t220 * x * HB_C(1.0 / 3.0);
  const real t311 = t211 * x * HB_C(1.0 / 3.0);
  const real t302 = t202 * x * HB_C(1.0 / 3.0);
  const real t230 = t220 * y * HB_C(1.0 / 3.0);
  const real t221 = t121 * x * 0.5f;
  const real t212 = t112 * x * 0.5f;
  const real t203 = t202 * z * HB_C(1.0 / 3.0);
  const real t140 = t130 * y * 0.25f;
  const real t131 = t121 * y * HB_C(1.0 / 3.0);
  const real t122 = t112 * y * 0.5f;
  const real t113 = t112 * z * HB_C(1.0 / 3.0);
  const real t104 = t103 * z * 0.25f;
  const real t050 = t040 * y * HB_C(1.0 / 5.0);
  const real t041 = t031 * y * 0.25f;
  const real t032 = t022 * y * HB_C(1.0 / 3.0);
  const real t023 = t022 * z * HB_C(1.0 / 3.0);
  const real t014 = t013 * z * 0.25f;
  const real t005 = t004 * z * HB_C(1.0 / 5.0);
  G[0] = G[0] + hb_fma(L[55], t005, hb_fma(L[54], t014, hb_fma(L[53], t023, hb_fma(L[52], t032, hb_fma(L[51], t041,
      hb_fma(L[50], t050, hb_fma(L[49], t104, hb_fma(L[48], t113, hb_fma(L[47], t122, hb_fma(L[46], t131,
      hb_fma(L[45], t140, hb_fma(L[44], t203, hb_fma(L[43], t212, hb_fma(L[42], t221, hb_fma(L[41], t230,
      hb_fma(L[40], t302, hb_fma(L[39], t311, hb_fma(L[38], t320, hb_fma(L[37], t401, hb_fma(L[36], t410,
      hb_fma(L[35], t500, hb_fma(L[34], t004, hb_fma(L[33], t013, hb_fma(L[32], t022, hb_fma(L[31], t031,
      hb_fma(L[30], t040, hb_fma(L[29], t103, hb_fma(L[28], t112, hb_fma(L[27], t121, hb_fma(L[26], t130,
      hb_fma(L[25], t202, hb_fma(L[24], t211, hb_fma(L[23], t220, hb_fma(L[22], t301, hb_fma(L[21], t310,
      hb_fma(L[20], t400, hb_fma(L[19], t003, hb_fma(L[18], t012, hb_fma(L[17], t021, hb_fma(L[16], t030,
      hb_fma(L[15], t102, hb_fma(L[14], t111, hb_fma(L[13], t120, hb_fma(L[12], t201, hb_fma(L[11], t210,
      hb_fma(L[10], t300, hb_fma(L[9], t002, hb_fma(L[8], t011, hb_fma(L[7], t020, hb_fma(L[6], t101, hb_fma(L[5],
      t110, hb_fma(L[4], t200, hb_fma(L[3], t001, hb_fma(L[2], t010, hb_fma(L[1], t100,
      L[0])))))))))))))))))))))))))))))))))))))))))))))))))))))));
  G[1] = G[1] + hb_fma(L[49], t004, hb_fma(L[48], t013, hb_fma(L[47], t022, hb_fma(L[46], t031, hb_fma(L[45], t040,
      hb_fma(L[44], t103, hb_fma(L[43], t112, hb_fma(L[42], t121, hb_fma(L[41], t130, hb_fma(L[40], t202,
      hb_fma(L[39], t211, hb_fma(L[38], t220, hb_fma(L[37], t301, hb_fma(L[36], t310, hb_fma(L[35], t400,
      hb_fma(L[29], t003, hb_fma(L[28], t012, hb_fma(L[27], t021, hb_fma(L[26], t030, hb_fma(L[25], t102,
      hb_fma(L[24], t111, hb_fma(L[23], t120, hb_fma(L[22], t201, hb_fma(L[21], t210, hb_fma(L[20], t300,
      hb_fma(L[15], t002, hb_fma(L[14], t011, hb_fma(L[13], t020, hb_fma(L[12], t101, hb_fma(L[11], t110,
      hb_fma(L[10], t200, hb_fma(L[6], t001, hb_fma(L[5], t010, hb_fma(L[4], t100,
      L[1]))))))))))))))))))))))))))))))))));
  G[2] = G[2] + hb_fma(L[54], t004, hb_fma(L[53], t013, hb_fma(L[52], t022, hb_fma(L[51], t031, hb_fma(L[50], t040,
      hb_fma(L[48], t103, hb_fma(L[47], t112, hb_fma(L[46], t121, hb_fma(L[45], t130, hb_fma(L[43], t202,
      hb_fma(L[42], t211, hb_fma(L[41], t220, hb_fma(L[39], t301, hb_fma(L[38], t310, hb_fma(L[36], t400,
      hb_fma(L[33], t003, hb_fma(L[32], t012, hb_fma(L[31], t021, hb_fma(L[30], t030, hb_fma(L[28], t102,
      hb_fma(L[27], t111, hb_fma(L[26], t120, hb_fma(L[24], t201, hb_fma(L[23], t210, hb_fma(L[21], t300,
      hb_fma(L[18], t002, hb_fma(L[17], t011, hb_fma(L[16], t020, hb_fma(L[14], t101, hb_fma(L[13], t110,
      hb_fma(L[11], t200, hb_fma(L[8], t001, hb_fma(L[7], t010, hb_fma(L[5], t100,
      L[2]))))))))))))))))))))))))))))))))));
  G[3] = G[3] + hb_fma(L[55], t004, hb_fma(L[54], t013, hb_fma(L[53], t022, hb_fma(L[52], t031, hb_fma(L[51], t040,
      hb_fma(L[49], t103, hb_fma(L[48], t112, hb_fma(L[47], t121, hb_fma(L[46], t130, hb_fma(L[44], t202,
      hb_fma(L[43], t211, hb_fma(L[42], t220, hb_fma(L[40], t301, hb_fma(L[39], t310, hb_fma(L[37], t400,
      hb_fma(L[34], t003, hb_fma(L[33], t012, hb_fma(L[32], t021, hb_fma(L[31], t030, hb_fma(L[29], t102,
      hb_fma(L[28], t111, hb_fma(L[27], t120, hb_fma(L[25], t201, hb_fma(L[24], t210, hb_fma(L[22], t300,
      hb_fma(L[19], t002, hb_fma(L[18], t011, hb_fma(L[17], t020, hb_fma(L[15], t101, hb_fma(L[14], t110,
      hb_fma(L[12], t200, hb_fma(L[9], t001, hb_fma(L[8], t010, hb_fma(L[6], t100,
      L[3]))))))))))))))))))))))))))))))))));
  G[4] = G[4] + hb_fma(L[44], t003, hb_fma(L[43], t012, hb_fma(L[42], t021, hb_fma(L[41], t030, hb_fma(L[40], t102,
      hb_fma(L[39], t111, hb_fma(L[38], t120, hb_fma(L[37], t201, hb_fma(L[36], t210, hb_fma(L[35], t300,
      hb_fma(L[25], t002, hb_fma(L[24], t011, hb_fma(L[23], t020, hb_fma(L[22], t101, hb_fma(L[21], t110,
      hb_fma(L[20], t200, hb_fma(L[12], t001, hb_fma(L[11], t010, hb_fma(L[10], t100, L[4])))))))))))))))))));
  G[5] = G[5] + hb_fma(L[48], t003, hb_fma(L[47], t012, hb_fma(L[46], t021, hb_fma(L[45], t030, hb_fma(L[43], t102,
      hb_fma(L[42], t111, hb_fma(L[41], t120, hb_fma(L[39], t201, hb_fma(L[38], t210, hb_fma(L[36], t300,
      hb_fma(L[28], t002, hb_fma(L[27], t011, hb_fma(L[26], t020, hb_fma(L[24], t101, hb_fma(L[23], t110,
      hb_fma(L[21], t200, hb_fma(L[14], t001, hb_fma(L[13], t010, hb_fma(L[11], t100, L[5])))))))))))))))))));
  G[6] = G[6] + hb_fma(L[49], t003, hb_fma(L[48], t012, hb_fma(L[47], t021, hb_fma(L[46], t030, hb_fma(L[44], t102,
      hb_fma(L[43], t111, hb_fma(L[42], t120, hb_fma(L[40], t201, hb_fma(L[39], t210, hb_fma(L[37], t300,
      hb_fma(L[29], t002, hb_fma(L[28], t011, hb_fma(L[27], t020, hb_fma(L[25], t101, hb_fma(L[24], t110,
      hb_fma(L[22], t200, hb_fma(L[15], t001, hb_fma(L[14], t010, hb_fma(L[12], t100, L[6])))))))))))))))))));
  G[7] = G[7] + hb_fma(L[53], t003, hb_fma(L[52], t012, hb_fma(L[51], t021, hb_fma(L[50], t030, hb_fma(L[47], t102,
      hb_fma(L[46], t111, hb_fma(L[45], t120, hb_fma(L[42], t201, hb_fma(L[41], t210, hb_fma(L[38], t300,
      hb_fma(L[32], t002, hb_fma(L[31], t011, hb_fma(L[30], t020, hb_fma(L[27], t101, hb_fma(L[26], t110,
      hb_fma(L[23], t200, hb_fma(L[17], t001, hb_fma(L[16], t010, hb_fma(L[13], t100, L[7])))))))))))))))))));
  G[8] = G[8] + hb_fma(L[54], t003, hb_fma(L[53], t012, hb_fma(L[52], t021, hb_fma(L[51], t030, hb_fma(L[48], t102,
      hb_fma(L[47], t111, hb_fma(L[46], t120, hb_fma(L[43], t201, hb_fma(L[42], t210, hb_fma(L[39], t300,
      hb_fma(L[33], t002, hb_fma(L[32], t011, hb_fma(L[31], t020, hb_fma(L[28], t101, hb_fma(L[27], t110,
      hb_fma(L[24], t200, hb_fma(L[18], t001, hb_fma(L[17], t010, hb_fma(L[14], t100, L[8])))))))))))))))))));
  G[9] = G[9] + hb_fma(L[55], t003, hb_fma(L[54], t012, hb_fma(L[53], t021, hb_fma(L[52], t030, hb_fma(L[49], t102,
      hb_fma(L[48], t111, hb_fma(L[47], t120, hb_fma(L[44], t201, hb_fma(L[43], t210, hb_fma(L[40], t300,
      hb_fma(L[34], t002, hb_fma(L[33], t011, hb_fma(L[32], t020, hb_fma(L[29], t101, hb_fma(L[28], t110,
      hb_fma(L[25], t200, hb_fma(L[19], t001, hb_fma(L[18], t010, hb_fma(L[15], t100, L[9])))))))))))))))))));
  G[10] = G[10] + hb_fma(L[40], t002, hb_fma(L[39], t011, hb_fma(L[38], t020, hb_fma(L[37], t101, hb_fma(L[36], t110,
      hb_fma(L[35], t200, hb_fma(L[22], t001, hb_fma(L[21], t010, hb_fma(L[20], t100, L[10])))))))));
  G[11] = G[11] + hb_fma(L[43], t002, hb_fma(L[42], t011, hb_fma(L[41], t020, hb_fma(L[39], t101, hb_fma(L[38], t110,
      hb_fma(L[36], t200, hb_fma(L[24], t001, hb_fma(L[23], t010, hb_fma(L[21], t100, L[11])))))))));
  G[12] = G[12] + hb_fma(L[44], t002, hb_fma(L[43], t011, hb_fma(L[42], t020, hb_fma(L[40], t101, hb_fma(L[39], t110,
      hb_fma(L[37], t200, hb_fma(L[25], t001, hb_fma(L[24], t010, hb_fma(L[22], t100, L[12])))))))));
  G[13] = G[13] + hb_fma(L[47], t002, hb_fma(L[46], t011, hb_fma(L[45], t020, hb_fma(L[42], t101, hb_fma(L[41], t110,
      hb_fma(L[38], t200, hb_fma(L[27], t001, hb_fma(L[26], t010, hb_fma(L[23], t100, L[13])))))))));
  G[14] = G[14] + hb_fma(L[48], t002, hb_fma(L[47], t011, hb_fma(L[46], t020, hb_fma(L[43], t101, hb_fma(L[42], t110,
      hb_fma(L[39], t200, hb_fma(L[28], t001, hb_fma(L[27], t010, hb_fma(L[24], t100, L[14])))))))));
  G[15] = G[15] + hb_fma(L[49], t002, hb_fma(L[48], t011, hb_fma(L[47], t020, hb_fma(L[44], t101, hb_fma(L[43], t110,
      hb_fma(L[40], t200, hb_fma(L[29], t001, hb_fma(L[28], t010, hb_fma(L[25], t100, L[15])))))))));
  G[16] = G[16] + hb_fma(L[52], t002, hb_fma(L[51], t011, hb_fma(L[50], t020, hb_fma(L[46], t101, hb_fma(L[45], t110,
      hb_fma(L[41], t200, hb_fma(L[31], t001, hb_fma(L[30], t010, hb_fma(L[26], t100, L[16])))))))));
  G[17] = G[17] + hb_fma(L[53], t002, hb_fma(L[52], t011, hb_fma(L[51], t020, hb_fma(L[47], t101, hb_fma(L[46], t110,
      hb_fma(L[42], t200, hb_fma(L[32], t001, hb_fma(L[31], t010, hb_fma(L[27], t100, L[17])))))))));
  G[18] = G[18] + hb_fma(L[54], t002, hb_fma(L[53], t011, hb_fma(L[52], t020, hb_fma(L[48], t101, hb_fma(L[47], t110,
      hb_fma(L[43], t200, hb_fma(L[33], t001, hb_fma(L[32], t010, hb_fma(L[28], t100, L[18])))))))));
  G[19] = G[19] + hb_fma(L[55], t002, hb_fma(L[54], t011, hb_fma(L[53], t020, hb_fma(L[49], t101, hb_fma(L[48], t110,
      hb_fma(L[44], t200, hb_fma(L[34], t001, hb_fma(L[33], t010, hb_fma(L[29], t100, L[19])))))))));
  G[20] = G[20] + hb_fma(L[37], t001, hb_fma(L[36], t010, hb_fma(L[35], t100, L[20])));
  G[21] = G[21] + hb_fma(L[39], t001, hb_fma(L[38], t010, hb_fma(L[36], t100, L[21])));
  G[22] = G[22] + hb_fma(L[40], t001, hb_fma(L[39], t010, hb_fma(L[37], t100, L[22])));
  G[23] = G[23] + hb_fma(L[42], t001, hb_fma(L[41], t010, hb_fma(L[38], t100, L[23])));
  G[24] = G[24] + hb_fma(L[43], t001, hb_fma(L[42], t010, hb_fma(L[39], t100, L[24])));
  G[25] = G[25] + hb_fma(L[44], t001, hb_fma(L[43], t010, hb_fma(L[40], t100, L[25])));
  G[26] = G[26] + hb_fma(L[46], t001, hb_fma(L[45], t010, hb_fma(L[41], t100, L[26])));
  G[27] = G[27] + hb_fma(L[47], t001, hb_fma(L[46], t010, hb_fma(L[42], t100, L[27])));
  G[28] = G[28] + hb_fma(L[48], t001, hb_fma(L[47], t010, hb_fma(L[43], t100, L[28])));
  G[29] = G[29] + hb_fma(L[49], t001, hb_fma(L[48], t010, hb_fma(L[44], t100, L[29])));
  G[30] = G[30] + hb_fma(L[51], t001, hb_fma(L[50], t010, hb_fma(L[45], t100, L[30])));
  G[31] = G[31] + hb_fma(L[52], t001, hb_fma(L[51], t010, hb_fma(L[46], t100, L[31])));
  G[32] = G[32] + hb_fma(L[53], t001, hb_fma(L[52], t010, hb_fma(L[47], t100, L[32])));
  G[33] = G[33] + hb_fma(L[54], t001, hb_fma(L[53], t010, hb_fma(L[48], t100, L[33])));
  G[34] = G[34] + hb_fma(L[55], t001, hb_fma(L[54], t010, hb_fma(L[49], t100, L[34])));
  G[35] = G[35] + L[35];
  G[36] = G[36] + L[36];
  G[37] = G[37] + L[37];
  G[38] = G[38] + L[38];
  G[39] = G[39] + L[39];
  G[40] = G[40] + L[40];
  G[41] = G[41] + L[41];
  G[42] = G[42] + L[42];
  G[43] = G[43] + L[43];
  G[44] = G[44] + L[44];
  G[45] = G[45] + L[45];
  G[46] = G[46] + L[46];
  G[47] = G[47] + L[47];
  G[48] = G[48] + L[48];
  G[49] = G[49] + L[49];
  G[50] = G[50] + L[50];
  G[51] = G[51] + L[51];
  G[52] = G[52] + L[52];
  G[53] = G[53] + L[53];
  G[54] = G[54] + L[54];
  G[55] = G[55] + L[55];
}

HB_FORMULA void squared_powers_5(const real* M, real* P) {
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
  const real q5_0_500 = 120.0f * M[31];
  const real q5_0_410 = 24.0f * M[32];
  const real q5_0_401 = 24.0f * M[33];
  const real q5_0_320 = 12.0f * M[34];
  const real q5_0_311 = 6.0f * M[35];
  const real q5_0_302 = 12.0f * M[36];
  const real q5_0_230 = 12.0f * M[37];
  const real q5_0_221 = 4.0f * M[38];
  const real q5_0_212 = 4.0f * M[39];
  const real q5_0_203 = 12.0f * M[40];
  const real q5_0_140 = 24.0f * M[41];
  const real q5_0_131 = 6.0f * M[42];
  const real q5_0_122 = 4.0f * M[43];
  const real q5_0_113 = 6.0f * M[44];
  const real q5_0_104 = 24.0f * M[45];
  const real q5_0_050 = 120.0f * M[46];
  const real q5_0_041 = 24.0f * M[47];
  const real q5_0_032 = 12.0f * M[48];
  const real q5_0_023 = 12.0f * M[49];
  const real q5_0_014 = 24.0f * M[50];
  const real q5_0_005 = 120.0f * M[51];
  const real n5_0 = hb_fma(q5_0_005, q5_0_005, hb_fma(q5_0_014, (5.0f * q5_0_014), hb_fma(q5_0_023, (10.0f *
      q5_0_023), hb_fma(q5_0_032, (10.0f * q5_0_032), hb_fma(q5_0_041, (5.0f * q5_0_041), hb_fma(q5_0_050, q5_0_050,
      hb_fma(q5_0_104, (5.0f * q5_0_104), hb_fma(q5_0_113, (20.0f * q5_0_113), hb_fma(q5_0_122, (30.0f * q5_0_122),
      hb_fma(q5_0_131, (20.0f * q5_0_131), hb_fma(q5_0_140, (5.0f * q5_0_140), hb_fma(q5_0_203, (10.0f * q5_0_203),
      hb_fma(q5_0_212, (30.0f * q5_0_212), hb_fma(q5_0_221, (30.0f * q5_0_221), hb_fma(q5_0_230, (10.0f * q5_0_230),
      hb_fma(q5_0_302, (10.0f * q5_0_302), hb_fma(q5_0_311, (20.0f * q5_0_311), hb_fma(q5_0_320, (10.0f * q5_0_320),
      hb_fma(q5_0_401, (5.0f * q5_0_401), hb_fma(q5_0_410, (5.0f * q5_0_410), q5_0_500 *
      q5_0_500))))))))))))))))))));
  const real q5_1_300 = 120.0f * M[31] + 12.0f * M[34] + 12.0f * M[36];
  const real q5_1_210 = 24.0f * M[32] + 12.0f * M[37] + 4.0f * M[39];
  const real q5_1_201 = 24.0f * M[33] + 4.0f * M[38] + 12.0f * M[40];
  const real q5_1_120 = 12.0f * M[34] + 24.0f * M[41] + 4.0f * M[43];
  const real q5_1_111 = 6.0f * M[35] + 6.0f * M[42] + 6.0f * M[44];
  const real q5_1_102 = 12.0f * M[36] + 4.0f * M[43] + 24.0f * M[45];
  const real q5_1_030 = 12.0f * M[37] + 120.0f * M[46] + 12.0f * M[48];
  const real q5_1_021 = 4.0f * M[38] + 24.0f * M[47] + 12.0f * M[49];
  const real q5_1_012 = 4.0f * M[39] + 12.0f * M[48] + 24.0f * M[50];
  const real q5_1_003 = 12.0f * M[40] + 12.0f * M[49] + 120.0f * M[51];
  const real n5_1 = hb_fma(q5_1_003, q5_1_003, hb_fma(q5_1_012, (3.0f * q5_1_012), hb_fma(q5_1_021, (3.0f *
      q5_1_021), hb_fma(q5_1_030, q5_1_030, hb_fma(q5_1_102, (3.0f * q5_1_102), hb_fma(q5_1_111, (6.0f * q5_1_111),
      hb_fma(q5_1_120, (3.0f * q5_1_120), hb_fma(q5_1_201, (3.0f * q5_1_201), hb_fma(q5_1_210, (3.0f * q5_1_210),
      q5_1_300 * q5_1_300)))))))));
  const real q5_2_100 = 120.0f * M[31] + 24.0f * M[34] + 24.0f * M[36] + 24.0f * M[41] + 8.0f * M[43] + 24.0f *
      M[45];
  const real q5_2_010 = 24.0f * M[32] + 24.0f * M[37] + 8.0f * M[39] + 120.0f * M[46] + 24.0f * M[48] + 24.0f *
      M[50];
  const real q5_2_001 = 24.0f * M[33] + 8.0f * M[38] + 24.0f * M[40] + 24.0f * M[47] + 24.0f * M[49] + 120.0f *
      M[51];
  const real n5_2 = hb_fma(q5_2_001, q5_2_001, hb_fma(q5_2_010, q5_2_010, q5_2_100 * q5_2_100));
  P[5] = hb_fma(HB_C(1.875), n5_2, hb_fma(HB_C(-8.75), n5_1, HB_C(7.875) * n5_0));
}
