// SPDX-License-Identifier: Apache-2.0
// The natural logarithm, ours because libraries differ in its last bits.
#ifndef HORNBEAM_PHYSICS_LOGARITHM_H
#define HORNBEAM_PHYSICS_LOGARITHM_H
#include "physics/portable.h"
HB_OPEN

/// ln((1 + s) / (1 - s)) = 2 (s + s^3 / 3 + ...); for |s| <= 0.172 what is left out is below 1e-18 of it.
HB_FN pos_t log_of_ratio(pos_t s) {
  const pos_t s2 = s * s;
  pos_t sum = 0;
  for (i32 k = 23; k >= 1; k -= 2) sum = hb_fma(sum, s2, 1 / (pos_t)k);
  return (s + s) * sum;
}

/// ln x for x > 0; finite (below -700 in double precision) for x = 0.
HB_FN pos_t hb_log(pos_t x) {
  const pos_t ln2 = (pos_t)6243314768165359L / (pos_t)9007199254740992L;  // the nearest double: over 2^53
  i32 exponent = 0;
  while (x > 1.4142135f && exponent < 1024) {
    x *= 0.5f;
    ++exponent;
  }
  while (x < 0.70710677f && exponent > -1100) {
    x *= 2;
    --exponent;
  }
  return hb_fma((pos_t)exponent, ln2, log_of_ratio((x - 1) / (x + 1)));
}

/// ln(1 + x) for x >= 0, to rounding also where x is small.
HB_FN pos_t hb_log1p(pos_t x) { return x < 0.4f ? log_of_ratio(x / (x + 2)) : hb_log(1 + x); }

HB_CLOSE
#endif
