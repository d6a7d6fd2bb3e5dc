// SPDX-License-Identifier: Apache-2.0
// Smoothing kernels, W(r, H) = C w(q) / H^3 with q = r / H and support H: w, its slope, and the constant of each
// (docs/gas.md). Wendland's functions as in Dehnen & Aly 2012, the cubic spline as in Monaghan & Lattanzio 1985.
#ifndef HORNBEAM_PHYSICS_SPH_KERNEL_H
#define HORNBEAM_PHYSICS_SPH_KERNEL_H
#include "physics/portable.h"
HB_OPEN

// in the order of SphKernel (hornbeam/gas.h)
#define HB_WENDLAND_C2 0
#define HB_WENDLAND_C4 1
#define HB_WENDLAND_C6 2
#define HB_CUBIC_SPLINE 3

/// w(q), 0 from q = 1 on.
HB_FORMULA real kernel_value(i32 shape, real q) {
  const real rest = hb_max(HB_C(1) - q, HB_C(0)), rest2 = rest * rest, rest4 = rest2 * rest2;
  if (shape == HB_WENDLAND_C2) return rest4 * (HB_C(1) + HB_C(4) * q);
  if (shape == HB_WENDLAND_C4) return rest4 * rest2 * (HB_C(1) + q * (HB_C(6) + q * HB_C(35.0 / 3.0)));
  if (shape == HB_WENDLAND_C6) {
    return rest4 * rest4 * (HB_C(1) + q * (HB_C(8) + q * (HB_C(25) + q * HB_C(32))));
  }
  return hb_select(q < HB_C(0.5), HB_C(1) - HB_C(6) * q * q * (HB_C(1) - q), HB_C(2) * rest2 * rest);
}

/// (dw/dq) / q, finite at q = 0: the gradient of W is C / H^5 of it along the way from the particle.
HB_FORMULA real kernel_slope(i32 shape, real q) {
  const real rest = hb_max(HB_C(1) - q, HB_C(0)), rest2 = rest * rest, rest3 = rest2 * rest;
  if (shape == HB_WENDLAND_C2) return HB_C(-20) * rest3;
  if (shape == HB_WENDLAND_C4) return HB_C(-56.0 / 3.0) * (rest3 * rest2) * (HB_C(1) + HB_C(5) * q);
  if (shape == HB_WENDLAND_C6) {
    return HB_C(-22) * (rest3 * rest3 * rest) * (HB_C(1) + q * (HB_C(7) + HB_C(16) * q));
  }
  return hb_select(q < HB_C(0.5), HB_C(18) * q - HB_C(12), HB_C(-6) * rest2 / hb_max(q, HB_C(0.5)));
}

/// C, so that W integrates to 1.
HB_FN pos_t kernel_constant(i32 shape) {
  const pos_t over_pi = 1 / ((pos_t)7074237752028440L / (pos_t)2251799813685248L);  // the nearest double to pi
  if (shape == HB_WENDLAND_C2) return 21 * over_pi / 2;
  if (shape == HB_WENDLAND_C4) return 495 * over_pi / 32;
  if (shape == HB_WENDLAND_C6) return 1365 * over_pi / 64;
  return 8 * over_pi;
}

/// H^4 / C times dW/dH at q, from w and its slope.
HB_FORMULA real kernel_growth(real value, real slope, real q) { return -(HB_C(3) * value + q * q * slope); }

HB_CLOSE
#endif
