// SPDX-License-Identifier: Apache-2.0
// Written by tools/generate_expansions.py; do not edit. Cartesian expansions of order 5: docs/theory.md eqs. 3 to 7.
// Included by physics/expansion.h alone.
// clang-format off

HB_FORMULA void m2l_5(real x, real y, real z, real eps2, real mass, const real* M, real* L) {
  const real g0 = hb_rsqrt0(hb_fma(x, x, hb_fma(y, y, hb_fma(z, z, eps2))));
  const real step = -(g0 * g0);
  const real g1 = g0 * step;
  const real g2 = g1 * step * 3.0f;
  const real g3 = g2 * step * 5.0f;
  const real g4 = g3 * step * 7.0f;
  const real g5 = g4 * step * 9.0f;
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
  const real d3_100 = x * g4;
  const real d2_200 = hb_fma(x, d3_100, g3);
  const real d1_300 = hb_fma(x, d2_200, 2.0f * d2_100);
  const real d0_400 = hb_fma(x, d1_300, 3.0f * d1_200);
  const real d3_010 = y * g4;
  const real d2_110 = x * d3_010;
  const real d1_210 = hb_fma(x, d2_110, d2_010);
  const real d0_310 = hb_fma(x, d1_210, 2.0f * d1_110);
  const real d3_001 = z * g4;
  const real d2_101 = x * d3_001;
  const real d1_201 = hb_fma(x, d2_101, d2_001);
  const real d0_301 = hb_fma(x, d1_201, 2.0f * d1_101);
  const real d1_120 = hb_fma(y, d2_110, d2_100);
  const real d0_220 = hb_fma(x, d1_120, d1_020);
  const real d2_011 = y * d3_001;
  const real d1_111 = x * d2_011;
  const real d0_211 = hb_fma(x, d1_111, d1_011);
  const real d1_102 = hb_fma(z, d2_101, d2_100);
  const real d0_202 = hb_fma(x, d1_102, d1_002);
  const real d0_130 = hb_fma(y, d1_120, 2.0f * d1_110);
  const real d0_121 = hb_fma(y, d1_111, d1_101);
  const real d0_112 = hb_fma(z, d1_111, d1_110);
  const real d0_103 = hb_fma(z, d1_102, 2.0f * d1_101);
  const real d2_020 = hb_fma(y, d3_010, g3);
  const real d1_030 = hb_fma(y, d2_020, 2.0f * d2_010);
  const real d0_040 = hb_fma(y, d1_030, 3.0f * d1_020);
  const real d1_021 = hb_fma(y, d2_011, d2_001);
  const real d0_031 = hb_fma(y, d1_021, 2.0f * d1_011);
  const real d1_012 = hb_fma(z, d2_011, d2_010);
  const real d0_022 = hb_fma(y, d1_012, d1_002);
  const real d0_013 = hb_fma(z, d1_012, 2.0f * d1_011);
  const real d2_002 = hb_fma(z, d3_001, g3);
  const real d1_003 = hb_fma(z, d2_002, 2.0f * d2_001);
  const real d0_004 = hb_fma(z, d1_003, 3.0f * d1_002);
  const real d4_100 = x * g5;
  const real d3_200 = hb_fma(x, d4_100, g4);
  const real d2_300 = hb_fma(x, d3_200, 2.0f * d3_100);
  const real d1_400 = hb_fma(x, d2_300, 3.0f * d2_200);
  const real d0_500 = hb_fma(x, d1_400, 4.0f * d1_300);
  const real d4_010 = y * g5;
  const real d3_110 = x * d4_010;
  const real d2_210 = hb_fma(x, d3_110, d3_010);
  const real d1_310 = hb_fma(x, d2_210, 2.0f * d2_110);
  const real d0_410 = hb_fma(x, d1_310, 3.0f * d1_210);
  const real d4_001 = z * g5;
  const real d3_101 = x * d4_001;
  const real d2_201 = hb_fma(x, d3_101, d3_001);
  const real d1_301 = hb_fma(x, d2_201, 2.0f * d2_101);
  const real d0_401 = hb_fma(x, d1_301, 3.0f * d1_201);
  const real d2_120 = hb_fma(y, d3_110, d3_100);
  const real d1_220 = hb_fma(x, d2_120, d2_020);
  const real d0_320 = hb_fma(x, d1_220, 2.0f * d1_120);
  const real d3_011 = y * d4_001;
  const real d2_111 = x * d3_011;
  const real d1_211 = hb_fma(x, d2_111, d2_011);
  const real d0_311 = hb_fma(x, d1_211, 2.0f * d1_111);
  const real d2_102 = hb_fma(z, d3_101, d3_100);
  const real d1_202 = hb_fma(x, d2_102, d2_002);
  const real d0_302 = hb_fma(x, d1_202, 2.0f * d1_102);
  const real d0_230 = hb_fma(y, d1_220, 2.0f * d1_210);
  const real d1_121 = hb_fma(y, d2_111, d2_101);
  const real d0_221 = hb_fma(x, d1_121, d1_021);
  const real d1_112 = hb_fma(z, d2_111, d2_110);
  const real d0_212 = hb_fma(x, d1_112, d1_012);
  const real d0_203 = hb_fma(z, d1_202, 2.0f * d1_201);
  const real d1_130 = hb_fma(y, d2_120, 2.0f * d2_110);
  const real d0_140 = hb_fma(y, d1_130, 3.0f * d1_120);
  const real d0_131 = hb_fma(y, d1_121, 2.0f * d1_111);
  const real d0_122 = hb_fma(y, d1_112, d1_102);
  const real d0_113 = hb_fma(z, d1_112, 2.0f * d1_111);
  const real d1_103 = hb_fma(z, d2_102, 2.0f * d2_101);
  const real d0_104 = hb_fma(z, d1_103, 3.0f * d1_102);
  const real d3_020 = hb_fma(y, d4_010, g4);
  const real d2_030 = hb_fma(y, d3_020, 2.0f * d3_010);
  const real d1_040 = hb_fma(y, d2_030, 3.0f * d2_020);
  const real d0_050 = hb_fma(y, d1_040, 4.0f * d1_030);
  const real d2_021 = hb_fma(y, d3_011, d3_001);
  const real d1_031 = hb_fma(y, d2_021, 2.0f * d2_011);
  const real d0_041 = hb_fma(y, d1_031, 3.0f * d1_021);
  const real d2_012 = hb_fma(z, d3_011, d3_010);
  const real d1_022 = hb_fma(y, d2_012, d2_002);
  const real d0_032 = hb_fma(y, d1_022, 2.0f * d1_012);
  const real d0_023 = hb_fma(z, d1_022, 2.0f * d1_021);
  const real d1_013 = hb_fma(z, d2_012, 2.0f * d2_011);
  const real d0_014 = hb_fma(z, d1_013, 3.0f * d1_012);
  const real d3_002 = hb_fma(z, d4_001, g4);
  const real d2_003 = hb_fma(z, d3_002, 2.0f * d3_001);
  const real d1_004 = hb_fma(z, d2_003, 3.0f * d2_002);
  const real d0_005 = hb_fma(z, d1_004, 4.0f * d1_003);
  L[0] = L[0] - (hb_fma(M[51], d0_005, hb_fma(M[50], d0_014, hb_fma(M[49], d0_023, hb_fma(M[48], d0_032,
      hb_fma(M[47], d0_041, hb_fma(M[46], d0_050, hb_fma(M[45], d0_104, hb_fma(M[44], d0_113, hb_fma(M[43], d0_122,
      hb_fma(M[42], d0_131, hb_fma(M[41], d0_140, hb_fma(M[40], d0_203, hb_fma(M[39], d0_212, hb_fma(M[38], d0_221,
      hb_fma(M[37], d0_230, hb_fma(M[36], d0_302, hb_fma(M[35], d0_311, hb_fma(M[34], d0_320, hb_fma(M[33], d0_401,
      hb_fma(M[32], d0_410, hb_fma(M[31], d0_500, hb_fma(M[30], d0_004, hb_fma(M[29], d0_013, hb_fma(M[28], d0_022,
      hb_fma(M[27], d0_031, hb_fma(M[26], d0_040, hb_fma(M[25], d0_103, hb_fma(M[24], d0_112, hb_fma(M[23], d0_121,
      hb_fma(M[22], d0_130, hb_fma(M[21], d0_202, hb_fma(M[20], d0_211, hb_fma(M[19], d0_220, hb_fma(M[18], d0_301,
      hb_fma(M[17], d0_310, hb_fma(M[16], d0_400, hb_fma(M[15], d0_003, hb_fma(M[14], d0_012, hb_fma(M[13], d0_021,
      hb_fma(M[12], d0_030, hb_fma(M[11], d0_102, hb_fma(M[10], d0_111, hb_fma(M[9], d0_120, hb_fma(M[8], d0_201,
      hb_fma(M[7], d0_210, hb_fma(M[6], d0_300, hb_fma(M[5], d0_002, hb_fma(M[4], d0_011, hb_fma(M[3], d0_020,
      hb_fma(M[2], d0_101, hb_fma(M[1], d0_110, hb_fma(M[0], d0_200, mass *
      g0)))))))))))))))))))))))))))))))))))))))))))))))))))));
  L[1] = L[1] - (hb_fma(M[30], d0_104, hb_fma(M[29], d0_113, hb_fma(M[28], d0_122, hb_fma(M[27], d0_131,
      hb_fma(M[26], d0_140, hb_fma(M[25], d0_203, hb_fma(M[24], d0_212, hb_fma(M[23], d0_221, hb_fma(M[22], d0_230,
      hb_fma(M[21], d0_302, hb_fma(M[20], d0_311, hb_fma(M[19], d0_320, hb_fma(M[18], d0_401, hb_fma(M[17], d0_410,
      hb_fma(M[16], d0_500, hb_fma(M[15], d0_103, hb_fma(M[14], d0_112, hb_fma(M[13], d0_121, hb_fma(M[12], d0_130,
      hb_fma(M[11], d0_202, hb_fma(M[10], d0_211, hb_fma(M[9], d0_220, hb_fma(M[8], d0_301, hb_fma(M[7], d0_310,
      hb_fma(M[6], d0_400, hb_fma(M[5], d0_102, hb_fma(M[4], d0_111, hb_fma(M[3], d0_120, hb_fma(M[2], d0_201,
      hb_fma(M[1], d0_210, hb_fma(M[0], d0_300, mass * d0_100))))))))))))))))))))))))))))))));
  L[2] = L[2] - (hb_fma(M[30], d0_014, hb_fma(M[29], d0_023, hb_fma(M[28], d0_032, hb_fma(M[27], d0_041,
      hb_fma(M[26], d0_050, hb_fma(M[25], d0_113, hb_fma(M[24], d0_122, hb_fma(M[23], d0_131, hb_fma(M[22], d0_140,
      hb_fma(M[21], d0_212, hb_fma(M[20], d0_221, hb_fma(M[19], d0_230, hb_fma(M[18], d0_311, hb_fma(M[17], d0_320,
      hb_fma(M[16], d0_410, hb_fma(M[15], d0_013, hb_fma(M[14], d0_022, hb_fma(M[13], d0_031, hb_fma(M[12], d0_040,
      hb_fma(M[11], d0_112, hb_fma(M[10], d0_121, hb_fma(M[9], d0_130, hb_fma(M[8], d0_211, hb_fma(M[7], d0_220,
      hb_fma(M[6], d0_310, hb_fma(M[5], d0_012, hb_fma(M[4], d0_021, hb_fma(M[3], d0_030, hb_fma(M[2], d0_111,
      hb_fma(M[1], d0_120, hb_fma(M[0], d0_210, mass * d0_010))))))))))))))))))))))))))))))));
  L[3] = L[3] - (hb_fma(M[30], d0_005, hb_fma(M[29], d0_014, hb_fma(M[28], d0_023, hb_fma(M[27], d0_032,
      hb_fma(M[26], d0_041, hb_fma(M[25], d0_104, hb_fma(M[24], d0_113, hb_fma(M[23], d0_122, hb_fma(M[22], d0_131,
      hb_fma(M[21], d0_203, hb_fma(M[20], d0_212, hb_fma(M[19], d0_221, hb_fma(M[18], d0_302, hb_fma(M[17], d0_311,
      hb_fma(M[16], d0_401, hb_fma(M[15], d0_004, hb_fma(M[14], d0_013, hb_fma(M[13], d0_022, hb_fma(M[12], d0_031,
      hb_fma(M[11], d0_103, hb_fma(M[10], d0_112, hb_fma(M[9], d0_121, hb_fma(M[8], d0_202, hb_fma(M[7], d0_211,
      hb_fma(M[6], d0_301, hb_fma(M[5], d0_003, hb_fma(M[4], d0_012, hb_fma(M[3], d0_021, hb_fma(M[2], d0_102,
      hb_fma(M[1], d0_111, hb_fma(M[0], d0_201, mass * d0_001))))))))))))))))))))))))))))))));
  L[4] = L[4] - (hb_fma(M[15], d0_203, hb_fma(M[14], d0_212, hb_fma(M[13], d0_221, hb_fma(M[12], d0_230,
      hb_fma(M[11], d0_302, hb_fma(M[10], d0_311, hb_fma(M[9], d0_320, hb_fma(M[8], d0_401, hb_fma(M[7], d0_410,
      hb_fma(M[6], d0_500, hb_fma(M[5], d0_202, hb_fma(M[4], d0_211, hb_fma(M[3], d0_220, hb_fma(M[2], d0_301,
      hb_fma(M[1], d0_310, hb_fma(M[0], d0_400, mass * d0_200)))))))))))))))));
  L[5] = L[5] - (hb_fma(M[15], d0_113, hb_fma(M[14], d0_122, hb_fma(M[13], d0_131, hb_fma(M[12], d0_140,
      hb_fma(M[11], d0_212, hb_fma(M[10], d0_221, hb_fma(M[9], d0_230, hb_fma(M[8], d0_311, hb_fma(M[7], d0_320,
      hb_fma(M[6], d0_410, hb_fma(M[5], d0_112, hb_fma(M[4], d0_121, hb_fma(M[3], d0_130, hb_fma(M[2], d0_211,
      hb_fma(M[1], d0_220, hb_fma(M[0], d0_310, mass * d0_110)))))))))))))))));
  L[6] = L[6] - (hb_fma(M[15], d0_104, hb_fma(M[14], d0_113, hb_fma(M[13], d0_122, hb_fma(M[12], d0_131,
      hb_fma(M[11], d0_203, hb_fma(M[10], d0_212, hb_fma(M[9], d0_221, hb_fma(M[8], d0_302, hb_fma(M[7], d0_311,
      hb_fma(M[6], d0_401, hb_fma(M[5], d0_103, hb_fma(M[4], d0_112, hb_fma(M[3], d0_121, hb_fma(M[2], d0_202,
      hb_fma(M[1], d0_211, hb_fma(M[0], d0_301, mass * d0_101)))))))))))))))));
  L[7] = L[7] - (hb_fma(M[15], d0_023, hb_fma(M[14], d0_032, hb_fma(M[13], d0_041, hb_fma(M[12], d0_050,
      hb_fma(M[11], d0_122, hb_fma(M[10], d0_131, hb_fma(M[9], d0_140, hb_fma(M[8], d0_221, hb_fma(M[7], d0_230,
      hb_fma(M[6], d0_320, hb_fma(M[5], d0_022, hb_fma(M[4], d0_031, hb_fma(M[3], d0_040, hb_fma(M[2], d0_121,
      hb_fma(M[1], d0_130, hb_fma(M[0], d0_220, mass * d0_020)))))))))))))))));
  L[8] = L[8] - (hb_fma(M[15], d0_014, hb_fma(M[14], d0_023, hb_fma(M[13], d0_032, hb_fma(M[12], d0_041,
      hb_fma(M[11], d0_113, hb_fma(M[10], d0_122, hb_fma(M[9], d0_131, hb_fma(M[8], d0_212, hb_fma(M[7], d0_221,
      hb_fma(M[6], d0_311, hb_fma(M[5], d0_013, hb_fma(M[4], d0_022, hb_fma(M[3], d0_031, hb_fma(M[2], d0_112,
      hb_fma(M[1], d0_121, hb_fma(M[0], d0_211, mass * d0_011)))))))))))))))));
  L[9] = L[9] - (hb_fma(M[15], d0_005, hb_fma(M[14], d0_014, hb_fma(M[13], d0_023, hb_fma(M[12], d0_032,
      hb_fma(M[11], d0_104, hb_fma(M[10], d0_113, hb_fma(M[9], d0_122, hb_fma(M[8], d0_203, hb_fma(M[7], d0_212,
      hb_fma(M[6], d0_302, hb_fma(M[5], d0_004, hb_fma(M[4], d0_013, hb_fma(M[3], d0_022, hb_fma(M[2], d0_103,
      hb_fma(M[1], d0_112, hb_fma(M[0], d0_202, mass * d0_002)))))))))))))))));
  L[10] = L[10] - (hb_fma(M[5], d0_302, hb_fma(M[4], d0_311, hb_fma(M[3], d0_320, hb_fma(M[2], d0_401, hb_fma(M[1],
      d0_410, hb_fma(M[0], d0_500, mass * d0_300)))))));
  L[11] = L[11] - (hb_fma(M[5], d0_212, hb_fma(M[4], d0_221, hb_fma(M[3], d0_230, hb_fma(M[2], d0_311, hb_fma(M[1],
      d0_320, hb_fma(M[0], d0_410, mass * d0_210)))))));
  L[12] = L[12] - (hb_fma(M[5], d0_203, hb_fma(M[4], d0_212, hb_fma(M[3], d0_221, hb_fma(M[2], d0_302, hb_fma(M[1],
      d0_311, hb_fma(M[0], d0_401, mass * d0_201)))))));
  L[13] = L[13] - (hb_fma(M[5], d0_122, hb_fma(M[4], d0_131, hb_fma(M[3], d0_140, hb_fma(M[2], d0_221, hb_fma(M[1],
      d0_230, hb_fma(M[0], d0_320, mass * d0_120)))))));
  L[14] = L[14] - (hb_fma(M[5], d0_113, hb_fma(M[4], d0_122, hb_fma(M[3], d0_131, hb_fma(M[2], d0_212, hb_fma(M[1],
      d0_221, hb_fma(M[0], d0_311, mass * d0_111)))))));
  L[15] = L[15] - (hb_fma(M[5], d0_104, hb_fma(M[4], d0_113, hb_fma(M[3], d0_122, hb_fma(M[2], d0_203, hb_fma(M[1],
      d0_212, hb_fma(M[0], d0_302, mass * d0_102)))))));
  L[16] = L[16] - (hb_fma(M[5], d0_032, hb_fma(M[4], d0_041, hb_fma(M[3], d0_050, hb_fma(M[2], d0_131, hb_fma(M[1],
      d0_140, hb_fma(M[0], d0_230, mass * d0_030)))))));
  L[17] = L[17] - (hb_fma(M[5], d0_023, hb_fma(M[4], d0_032, hb_fma(M[3], d0_041, hb_fma(M[2], d0_122, hb_fma(M[1],
      d0_131, hb_fma(M[0], d0_221, mass * d0_021)))))));
  L[18] = L[18] - (hb_fma(M[5], d0_014, hb_fma(M[4], d0_023, hb_fma(M[3], d0_032, hb_fma(M[2], d0_113, hb_fma(M[1],
      d0_122, hb_fma(M[0], d0_212, mass * d0_012)))))));
  L[19] = L[19] - (hb_fma(M[5], d0_005, hb_fma(M[4], d0_014, hb_fma(M[3], d0_023, hb_fma(M[2], d0_104, hb_fma(M[1],
      d0_113, hb_fma(M[0], d0_203, mass * d0_003)))))));
  L[20] = L[20] - (mass * d0_400);
  L[21] = L[21] - (mass * d0_310);
  L[22] = L[22] - (mass * d0_301);
  L[23] = L[23] - (mass * d0_220);
  L[24] = L[24] - (mass * d0_211);
  L[25] = L[25] - (mass * d0_202);
  L[26] = L[26] - (mass * d0_130);
  L[27] = L[27] - (mass * d0_121);
  L[28] = L[28] - (mass * d0_112);
  L[29] = L[29] - (mass * d0_103);
  L[30] = L[30] - (mass * d0_040);
  L[31] = L[31] - (mass * d0_031);
  L[32] = L[32] - (mass * d0_022);
  L[33] = L[33] - (mass * d0_013);
  L[34] = L[34] - (mass * d0_004);
  L[35] = L[35] - (mass * d0_500);
  L[36] = L[36] - (mass * d0_410);
  L[37] = L[37] - (mass * d0_401);
  L[38] = L[38] - (mass * d0_320);
  L[39] = L[39] - (mass * d0_311);
  L[40] = L[40] - (mass * d0_302);
  L[41] = L[41] - (mass * d0_230);
  L[42] = L[42] - (mass * d0_221);
  L[43] = L[43] - (mass * d0_212);
  L[44] = L[44] - (mass * d0_203);
  L[45] = L[45] - (mass * d0_140);
  L[46] = L[46] - (mass * d0_131);
  L[47] = L[47] - (mass * d0_122);
  L[48] = L[48] - (mass * d0_113);
  L[49] = L[49] - (mass * d0_104);
  L[50] = L[50] - (mass * d0_050);
  L[51] = L[51] - (mass * d0_041);
  L[52] = L[52] - (mass * d0_032);
  L[53] = L[53] - (mass * d0_023);
  L[54] = L[54] - (mass * d0_014);
  L[55] = L[55] - (mass * d0_005);
}

HB_FORMULA void l2p_5(const real* L, real x, real y, real z, real* acc) {
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
  acc[0] = acc[0] - (hb_fma(L[49], t004, hb_fma(L[48], t013, hb_fma(L[47], t022, hb_fma(L[46], t031, hb_fma(L[45],
      t040, hb_fma(L[44], t103, hb_fma(L[43], t112, hb_fma(L[42], t121, hb_fma(L[41], t130, hb_fma(L[40], t202,
      hb_fma(L[39], t211, hb_fma(L[38], t220, hb_fma(L[37], t301, hb_fma(L[36], t310, hb_fma(L[35], t400,
      hb_fma(L[29], t003, hb_fma(L[28], t012, hb_fma(L[27], t021, hb_fma(L[26], t030, hb_fma(L[25], t102,
      hb_fma(L[24], t111, hb_fma(L[23], t120, hb_fma(L[22], t201, hb_fma(L[21], t210, hb_fma(L[20], t300,
      hb_fma(L[15], t002, hb_fma(L[14], t011, hb_fma(L[13], t020, hb_fma(L[12], t101, hb_fma(L[11], t110,
      hb_fma(L[10], t200, hb_fma(L[6], t001, hb_fma(L[5], t010, hb_fma(L[4], t100,
      L[1])))))))))))))))))))))))))))))))))));
  acc[1] = acc[1] - (hb_fma(L[54], t004, hb_fma(L[53], t013, hb_fma(L[52], t022, hb_fma(L[51], t031, hb_fma(L[50],
      t040, hb_fma(L[48], t103, hb_fma(L[47], t112, hb_fma(L[46], t121, hb_fma(L[45], t130, hb_fma(L[43], t202,
      hb_fma(L[42], t211, hb_fma(L[41], t220, hb_fma(L[39], t301, hb_fma(L[38], t310, hb_fma(L[36], t400,
      hb_fma(L[33], t003, hb_fma(L[32], t012, hb_fma(L[31], t021, hb_fma(L[30], t030, hb_fma(L[28], t102,
      hb_fma(L[27], t111, hb_fma(L[26], t120, hb_fma(L[24], t201, hb_fma(L[23], t210, hb_fma(L[21], t300,
      hb_fma(L[18], t002, hb_fma(L[17], t011, hb_fma(L[16], t020, hb_fma(L[14], t101, hb_fma(L[13], t110,
      hb_fma(L[11], t200, hb_fma(L[8], t001, hb_fma(L[7], t010, hb_fma(L[5], t100,
      L[2])))))))))))))))))))))))))))))))))));
  acc[2] = acc[2] - (hb_fma(L[55], t004, hb_fma(L[54], t013, hb_fma(L[53], t022, hb_fma(L[52], t031, hb_fma(L[51],
      t040, hb_fma(L[49], t103, hb_fma(L[48], t112, hb_fma(L[47], t121, hb_fma(L[46], t130, hb_fma(L[44], t202,
      hb_fma(L[43], t211, hb_fma(L[42], t220, hb_fma(L[40], t301, hb_fma(L[39], t310, hb_fma(L[37], t400,
      hb_fma(L[34], t003, hb_fma(L[33], t012, hb_fma(L[32], t021, hb_fma(L[31], t030, hb_fma(L[29], t102,
      hb_fma(L[28], t111, hb_fma(L[27], t120, hb_fma(L[25], t201, hb_fma(L[24], t210, hb_fma(L[22], t300,
      hb_fma(L[19], t002, hb_fma(L[18], t011, hb_fma(L[17], t020, hb_fma(L[15], t101, hb_fma(L[14], t110,
      hb_fma(L[12], t200, hb_fma(L[9], t001, hb_fma(L[8], t010, hb_fma(L[6], t100,
      L[3])))))))))))))))))))))))))))))))))));
  acc[3] = acc[3] + hb_fma(L[55], t005, hb_fma(L[54], t014, hb_fma(L[53], t023, hb_fma(L[52], t032, hb_fma(L[51],
      t041, hb_fma(L[50], t050, hb_fma(L[49], t104, hb_fma(L[48], t113, hb_fma(L[47], t122, hb_fma(L[46], t131,
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
}

HB_SUM_FORMULA void p2m_5(sum_t mass, sum_t dx, sum_t dy, sum_t dz, sum_t* M) {
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
  const sum_t t400 = t300 * x * 0.25f;
  const sum_t t310 = t210 * x * ((sum_t)(1.0 / 3.0));
  const sum_t t301 = t201 * x * ((sum_t)(1.0 / 3.0));
  const sum_t t220 = t120 * x * 0.5f;
  const sum_t t211 = t111 * x * 0.5f;
  const sum_t t202 = t102 * x * 0.5f;
  const sum_t t130 = t120 * y * ((sum_t)(1.0 / 3.0));
  const sum_t t121 = t111 * y * 0.5f;
  const sum_t t112 = t111 * z * 0.5f;
  const sum_t t103 = t102 * z * ((sum_t)(1.0 / 3.0));
  const sum_t t040 = t030 * y * 0.25f;
  const sum_t t031 = t021 * y * ((sum_t)(1.0 / 3.0));
  const sum_t t022 = t012 * y * 0.5f;
  const sum_t t013 = t012 * z * ((sum_t)(1.0 / 3.0));
  const sum_t t004 = t003 * z * 0.25f;
  const sum_t t500 = t400 * x * ((sum_t)(1.0 / 5.0));
  const sum_t t410 = t310 * x * 0.25f;
  const sum_t t401 = t301 * x * 0.25f;
  const sum_t t320 = t220 * x * ((sum_t)(1.0 / 3.0));
  const sum_t t311 = t211 * x * ((sum_t)(1.0 / 3.0));
  const sum_t t302 = t202 * x * ((sum_t)(1.0 / 3.0));
  const sum_t t230 = t220 * y * ((sum_t)(1.0 / 3.0));
  const sum_t t221 = t121 * x * 0.5f;
  const sum_t t212 = t112 * x * 0.5f;
  const sum_t t203 = t202 * z * ((sum_t)(1.0 / 3.0));
  const sum_t t140 = t130 * y * 0.25f;
  const sum_t t131 = t121 * y * ((sum_t)(1.0 / 3.0));
  const sum_t t122 = t112 * y * 0.5f;
  const sum_t t113 = t112 * z * ((sum_t)(1.0 / 3.0));
  const sum_t t104 = t103 * z * 0.25f;
  const sum_t t050 = t040 * y * ((sum_t)(1.0 / 5.0));
  const sum_t t041 = t031 * y * 0.25f;
  const sum_t t032 = t022 * y * ((sum_t)(1.0 / 3.0));
  const sum_t t023 = t022 * z * ((sum_t)(1.0 / 3.0));
  const sum_t t014 = t013 * z * 0.25f;
  const sum_t t005 = t004 * z * ((sum_t)(1.0 / 5.0));
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
  M[16] = hb_fma(mass, t400, M[16]);
  M[17] = hb_fma(mass, t310, M[17]);
  M[18] = hb_fma(mass, t301, M[18]);
  M[19] = hb_fma(mass, t220, M[19]);
  M[20] = hb_fma(mass, t211, M[20]);
  M[21] = hb_fma(mass, t202, M[21]);
  M[22] = hb_fma(mass, t130, M[22]);
  M[23] = hb_fma(mass, t121, M[23]);
  M[24] = hb_fma(mass, t112, M[24]);
  M[25] = hb_fma(mass, t103, M[25]);
  M[26] = hb_fma(mass, t040, M[26]);
  M[27] = hb_fma(mass, t031, M[27]);
  M[28] = hb_fma(mass, t022, M[28]);
  M[29] = hb_fma(mass, t013, M[29]);
  M[30] = hb_fma(mass, t004, M[30]);
  M[31] = hb_fma(mass, t500, M[31]);
  M[32] = hb_fma(mass, t410, M[32]);
  M[33] = hb_fma(mass, t401, M[33]);
  M[34] = hb_fma(mass, t320, M[34]);
  M[35] = hb_fma(mass, t311, M[35]);
  M[36] = hb_fma(mass, t302, M[36]);
  M[37] = hb_fma(mass, t230, M[37]);
  M[38] = hb_fma(mass, t221, M[38]);
  M[39] = hb_fma(mass, t212, M[39]);
  M[40] = hb_fma(mass, t203, M[40]);
  M[41] = hb_fma(mass, t140, M[41]);
  M[42] = hb_fma(mass, t131, M[42]);
  M[43] = hb_fma(mass, t122, M[43]);
  M[44] = hb_fma(mass, t113, M[44]);
  M[45] = hb_fma(mass, t104, M[45]);
  M[46] = hb_fma(mass, t050, M[46]);
  M[47] = hb_fma(mass, t041, M[47]);
  M[48] = hb_fma(mass, t032, M[48]);
  M[49] = hb_fma(mass, t023, M[49]);
  M[50] = hb_fma(mass, t014, M[50]);
  M[51] = hb_fma(mass, t005, M[51]);
}

HB_SUM_FORMULA void m2m_5(sum_t mass, const sum_t* C, sum_t dx, sum_t dy, sum_t dz, sum_t* M) {
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
  const sum_t t400 = t300 * x * 0.25f;
  const sum_t t310 = t210 * x * ((sum_t)(1.0 / 3.0));
  const sum_t t301 = t201 * x * ((sum_t)(1.0 / 3.0));
  const sum_t t220 = t120 * x * 0.5f;
  const sum_t t211 = t111 * x * 0.5f;
  const sum_t t202 = t102 * x * 0.5f;
  const sum_t t130 = t120 * y * ((sum_t)(1.0 / 3.0));
  const sum_t t121 = t111 * y * 0.5f;
  const sum_t t112 = t111 * z * 0.5f;
  const sum_t t103 = t102 * z * ((sum_t)(1.0 / 3.0));
  const sum_t t040 = t030 * y * 0.25f;
  const sum_t t031 = t021 * y * ((sum_t)(1.0 / 3.0));
  const sum_t t022 = t012 * y * 0.5f;
  const sum_t t013 = t012 * z * ((sum_t)(1.0 / 3.0));
  const sum_t t004 = t003 * z * 0.25f;
  const sum_t t500 = t400 * x * ((sum_t)(1.0 / 5.0));
  const sum_t t410 = t310 * x * 0.25f;
  const sum_t t401 = t301 * x * 0.25f;
  const sum_t t320 = t220 * x * ((sum_t)(1.0 / 3.0));
  const sum_t t311 = t211 * x * ((sum_t)(1.0 / 3.0));
  const sum_t t302 = t202 * x * ((sum_t)(1.0 / 3.0));
  const sum_t t230 = t220 * y * ((sum_t)(1.0 / 3.0));
  const sum_t t221 = t121 * x * 0.5f;
  const sum_t t212 = t112 * x * 0.5f;
  const sum_t t203 = t202 * z * ((sum_t)(1.0 / 3.0));
  const sum_t t140 = t130 * y * 0.25f;
  const sum_t t131 = t121 * y * ((sum_t)(1.0 / 3.0));
  const sum_t t122 = t112 * y * 0.5f;
  const sum_t t113 = t112 * z * ((sum_t)(1.0 / 3.0));
  const sum_t t104 = t103 * z * 0.25f;
  const sum_t t050 = t040 * y * ((sum_t)(1.0 / 5.0));
  const sum_t t041 = t031 * y * 0.25f;
  const sum_t t032 = t022 * y * ((sum_t)(1.0 / 3.0));
  const sum_t t023 = t022 * z * ((sum_t)(1.0 / 3.0));
  const sum_t t014 = t013 * z * 0.25f;
  const sum_t t005 = t004 * z * ((sum_t)(1.0 / 5.0));
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
  M[16] = M[16] + hb_fma(C[6], t100, hb_fma(C[0], t200, hb_fma(mass, t400, C[16])));
  M[17] = M[17] + hb_fma(C[7], t100, hb_fma(C[6], t010, hb_fma(C[1], t200, hb_fma(C[0], t110, hb_fma(mass, t310,
      C[17])))));
  M[18] = M[18] + hb_fma(C[8], t100, hb_fma(C[6], t001, hb_fma(C[2], t200, hb_fma(C[0], t101, hb_fma(mass, t301,
      C[18])))));
  M[19] = M[19] + hb_fma(C[9], t100, hb_fma(C[7], t010, hb_fma(C[3], t200, hb_fma(C[1], t110, hb_fma(C[0], t020,
      hb_fma(mass, t220, C[19]))))));
  M[20] = M[20] + hb_fma(C[10], t100, hb_fma(C[8], t010, hb_fma(C[7], t001, hb_fma(C[4], t200, hb_fma(C[2], t110,
      hb_fma(C[1], t101, hb_fma(C[0], t011, hb_fma(mass, t211, C[20]))))))));
  M[21] = M[21] + hb_fma(C[11], t100, hb_fma(C[8], t001, hb_fma(C[5], t200, hb_fma(C[2], t101, hb_fma(C[0], t002,
      hb_fma(mass, t202, C[21]))))));
  M[22] = M[22] + hb_fma(C[12], t100, hb_fma(C[9], t010, hb_fma(C[3], t110, hb_fma(C[1], t020, hb_fma(mass, t130,
      C[22])))));
  M[23] = M[23] + hb_fma(C[13], t100, hb_fma(C[10], t010, hb_fma(C[9], t001, hb_fma(C[4], t110, hb_fma(C[3], t101,
      hb_fma(C[2], t020, hb_fma(C[1], t011, hb_fma(mass, t121, C[23]))))))));
  M[24] = M[24] + hb_fma(C[14], t100, hb_fma(C[11], t010, hb_fma(C[10], t001, hb_fma(C[5], t110, hb_fma(C[4], t101,
      hb_fma(C[2], t011, hb_fma(C[1], t002, hb_fma(mass, t112, C[24]))))))));
  M[25] = M[25] + hb_fma(C[15], t100, hb_fma(C[11], t001, hb_fma(C[5], t101, hb_fma(C[2], t002, hb_fma(mass, t103,
      C[25])))));
  M[26] = M[26] + hb_fma(C[12], t010, hb_fma(C[3], t020, hb_fma(mass, t040, C[26])));
  M[27] = M[27] + hb_fma(C[13], t010, hb_fma(C[12], t001, hb_fma(C[4], t020, hb_fma(C[3], t011, hb_fma(mass, t031,
      C[27])))));
  M[28] = M[28] + hb_fma(C[14], t010, hb_fma(C[13], t001, hb_fma(C[5], t020, hb_fma(C[4], t011, hb_fma(C[3], t002,
      hb_fma(mass, t022, C[28]))))));
  M[29] = M[29] + hb_fma(C[15], t010, hb_fma(C[14], t001, hb_fma(C[5], t011, hb_fma(C[4], t002, hb_fma(mass, t013,
      C[29])))));
  M[30] = M[30] + hb_fma(C[15], t001, hb_fma(C[5], t002, hb_fma(mass, t004, C[30])));
  M[31] = M[31] + hb_fma(C[16], t100, hb_fma(C[6], t200, hb_fma(C[0], t300, hb_fma(mass, t500, C[31]))));
  M[32] = M[32] + hb_fma(C[17], t100, hb_fma(C[16], t010, hb_fma(C[7], t200, hb_fma(C[6], t110, hb_fma(C[1], t300,
      hb_fma(C[0], t210, hb_fma(mass, t410, C[32])))))));
  M[33] = M[33] + hb_fma(C[18], t100, hb_fma(C[16], t001, hb_fma(C[8], t200, hb_fma(C[6], t101, hb_fma(C[2], t300,
      hb_fma(C[0], t201, hb_fma(mass, t401, C[33])))))));
  M[34] = M[34] + hb_fma(C[19], t100, hb_fma(C[17], t010, hb_fma(C[9], t200, hb_fma(C[7], t110, hb_fma(C[6], t020,
      hb_fma(C[3], t300, hb_fma(C[1], t210, hb_fma(C[0], t120, hb_fma(mass, t320, C[34])))))))));
  M[35] = M[35] + hb_fma(C[20], t100, hb_fma(C[18], t010, hb_fma(C[17], t001, hb_fma(C[10], t200, hb_fma(C[8], t110,
      hb_fma(C[7], t101, hb_fma(C[6], t011, hb_fma(C[4], t300, hb_fma(C[2], t210, hb_fma(C[1], t201, hb_fma(C[0],
      t111, hb_fma(mass, t311, C[35]))))))))))));
  M[36] = M[36] + hb_fma(C[21], t100, hb_fma(C[18], t001, hb_fma(C[11], t200, hb_fma(C[8], t101, hb_fma(C[6], t002,
      hb_fma(C[5], t300, hb_fma(C[2], t201, hb_fma(C[0], t102, hb_fma(mass, t302, C[36])))))))));
  M[37] = M[37] + hb_fma(C[22], t100, hb_fma(C[19], t010, hb_fma(C[12], t200, hb_fma(C[9], t110, hb_fma(C[7], t020,
      hb_fma(C[3], t210, hb_fma(C[1], t120, hb_fma(C[0], t030, hb_fma(mass, t230, C[37])))))))));
  M[38] = M[38] + hb_fma(C[23], t100, hb_fma(C[20], t010, hb_fma(C[19], t001, hb_fma(C[13], t200, hb_fma(C[10], t110,
      hb_fma(C[9], t101, hb_fma(C[8], t020, hb_fma(C[7], t011, hb_fma(C[4], t210, hb_fma(C[3], t201, hb_fma(C[2],
      t120, hb_fma(C[1], t111, hb_fma(C[0], t021, hb_fma(mass, t221, C[38]))))))))))))));
  M[39] = M[39] + hb_fma(C[24], t100, hb_fma(C[21], t010, hb_fma(C[20], t001, hb_fma(C[14], t200, hb_fma(C[11], t110,
      hb_fma(C[10], t101, hb_fma(C[8], t011, hb_fma(C[7], t002, hb_fma(C[5], t210, hb_fma(C[4], t201, hb_fma(C[2],
      t111, hb_fma(C[1], t102, hb_fma(C[0], t012, hb_fma(mass, t212, C[39]))))))))))))));
  M[40] = M[40] + hb_fma(C[25], t100, hb_fma(C[21], t001, hb_fma(C[15], t200, hb_fma(C[11], t101, hb_fma(C[8], t002,
      hb_fma(C[5], t201, hb_fma(C[2], t102, hb_fma(C[0], t003, hb_fma(mass, t203, C[40])))))))));
  M[41] = M[41] + hb_fma(C[26], t100, hb_fma(C[22], t010, hb_fma(C[12], t110, hb_fma(C[9], t020, hb_fma(C[3], t120,
      hb_fma(C[1], t030, hb_fma(mass, t140, C[41])))))));
  M[42] = M[42] + hb_fma(C[27], t100, hb_fma(C[23], t010, hb_fma(C[22], t001, hb_fma(C[13], t110, hb_fma(C[12], t101,
      hb_fma(C[10], t020, hb_fma(C[9], t011, hb_fma(C[4], t120, hb_fma(C[3], t111, hb_fma(C[2], t030, hb_fma(C[1],
      t021, hb_fma(mass, t131, C[42]))))))))))));
  M[43] = M[43] + hb_fma(C[28], t100, hb_fma(C[24], t010, hb_fma(C[23], t001, hb_fma(C[14], t110, hb_fma(C[13], t101,
      hb_fma(C[11], t020, hb_fma(C[10], t011, hb_fma(C[9], t002, hb_fma(C[5], t120, hb_fma(C[4], t111, hb_fma(C[3],
      t102, hb_fma(C[2], t021, hb_fma(C[1], t012, hb_fma(mass, t122, C[43]))))))))))))));
  M[44] = M[44] + hb_fma(C[29], t100, hb_fma(C[25], t010, hb_fma(C[24], t001, hb_fma(C[15], t110, hb_fma(C[14], t101,
      hb_fma(C[11], t011, hb_fma(C[10], t002, hb_fma(C[5], t111, hb_fma(C[4], t102, hb_fma(C[2], t012, hb_fma(C[1],
      t003, hb_fma(mass, t113, C[44]))))))))))));
  M[45] = M[45] + hb_fma(C[30], t100, hb_fma(C[25], t001, hb_fma(C[15], t101, hb_fma(C[11], t002, hb_fma(C[5], t102,
      hb_fma(C[2], t003, hb_fma(mass, t104, C[45])))))));
  M[46] = M[46] + hb_fma(C[26], t010, hb_fma(C[12], t020, hb_fma(C[3], t030, hb_fma(mass, t050, C[46]))));
  M[47] = M[47] + hb_fma(C[27], t010, hb_fma(C[26], t001, hb_fma(C[13], t020, hb_fma(C[12], t011, hb_fma(C[4], t030,
      hb_fma(C[3], t021, hb_fma(mass, t041, C[47])))))));
  M[48] = M[48] + hb_fma(C[28], t010, hb_fma(C[27], t001, hb_fma(C[14], t020, hb_fma(C[13], t011, hb_fma(C[12], t002,
      hb_fma(C[5], t030, hb_fma(C[4], t021, hb_fma(C[3], t012, hb_fma(mass, t032, C[48])))))))));
  M[49] = M[49] + hb_fma(C[29], t010, hb_fma(C[28], t001, hb_fma(C[15], t020, hb_fma(C[14], t011, hb_fma(C[13], t002,
      hb_fma(C[5], t021, hb_fma(C[4], t012, hb_fma(C[3], t003, hb_fma(mass, t023, C[49])))))))));
  M[50] = M[50] + hb_fma(C[30], t010, hb_fma(C[29], t001, hb_fma(C[15], t011, hb_fma(C[14], t002, hb_fma(C[5], t012,
      hb_fma(C[4], t003, hb_fma(mass, t014, C[50])))))));
  M[51] = M[51] + hb_fma(C[30], t001, hb_fma(C[15], t002, hb_fma(C[5], t003, hb_fma(mass, t005, C[51]))));
}
