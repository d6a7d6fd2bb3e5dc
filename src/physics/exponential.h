// SPDX-License-Identifier: Apache-2.0
// The exponential and powers, ours because libraries differ in their last bits.
#ifndef HORNBEAM_PHYSICS_EXPONENTIAL_H
#define HORNBEAM_PHYSICS_EXPONENTIAL_H
#include "physics/logarithm.h"
HB_OPEN

/// e^x; 0 far below and infinite far above the range of numbers.
HB_FN pos_t hb_exp(pos_t x) {
  const pos_t ln2_high = (pos_t)2977044471L / (pos_t)4294967296L;  // the 32 leading bits of ln 2, over 2^32
  const pos_t ln2_low = (pos_t)7382048951581814L / (pos_t)2251799813685248L / (pos_t)17179869184L;  // the rest, 2^85
  if (!(x > -800)) return x == x ? 0 : x;
  if (x > 800) return (pos_t)INFINITY;
  const pos_t doublings = hb_floor(x / (ln2_high + ln2_low) + 0.5f);
  const pos_t r = (x - doublings * ln2_high) - doublings * ln2_low;  // |r| <= 0.35: what is left out is below 1e-18
  pos_t sum = 1;
  for (i32 k = 14; k >= 1; --k) sum = hb_fma(sum, r / (pos_t)k, 1);
  i32 exponent = (i32)doublings;
  for (; exponent > 0; --exponent) sum *= 2;
  for (; exponent < 0; ++exponent) sum *= 0.5f;
  return sum;
}

/// x^y for x >= 0; 0 at x = 0.
HB_FN pos_t hb_pow(pos_t x, pos_t y) { return x > 0 ? hb_exp(y * hb_log(x)) : 0; }

HB_CLOSE
#endif
