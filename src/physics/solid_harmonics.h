// SPDX-License-Identifier: Apache-2.0
// Regular solid harmonics, R_lm = r^l P_lm(cos theta) exp(i m phi) / (l + m)!, in which the far images of a periodic
// box are expanded (docs/periodic.md eq. 6 to 8; Dehnen 2014, appendix). R_l,-m is (-1)^m times the conjugate of R_lm,
// so that m >= 0 are stored. With e_m = ((x + i y) / 2)^m / m!, R_lm = e_m T_lm, of which T is real.
#ifndef HORNBEAM_PHYSICS_SOLID_HARMONICS_H
#define HORNBEAM_PHYSICS_SOLID_HARMONICS_H
#include "physics/portable.h"
HB_OPEN

/// Coefficients l, m with l <= order and 0 <= m <= l, each a complex number, and where one of them is.
#define HB_HARMONICS(order) (((order) + 1) * ((order) + 2) / 2)
#define HB_HARMONIC(l, m) ((l) * ((l) + 1) / 2 + (m))
/// Highest order of moments and local expansions.
#define HB_MOST_HARMONIC_ORDER 32

typedef struct {
  real re, im;
} Harmonic;

/// l of coefficient HB_HARMONIC(l, m).
HB_FN i32 degree_of_harmonic(i32 at) {
  i32 l = 0;
  while (HB_HARMONIC(l + 1, 0) <= at) ++l;
  return l;
}

HB_FN real power_factor(i32 m) { return (real)1 / (real)(2 * m); }

/// e_m from e_(m - 1), m >= 1; factor: power_factor(m).
HB_FN Harmonic next_power(Harmonic before, real x, real y, real factor) {
  Harmonic e;
  e.re = (x * before.re - y * before.im) * factor;
  e.im = (x * before.im + y * before.re) * factor;
  return e;
}

/// The factors of the recurrence T_lm = a z T_(l-1)m - b r^2 T_(l-2)m, l > m; T_mm = 1, and 0 before.
typedef struct {
  real a, b;
} HarmonicStep;

HB_FN HarmonicStep harmonic_step(i32 l, i32 m) {
  const real inverse = (real)1 / (real)((l - m) * (l + m));
  HarmonicStep s;
  s.a = (real)(2 * l - 1) * inverse;
  s.b = inverse;
  return s;
}

HB_FN real next_harmonic(HarmonicStep s, real z, real r2, real before, real before_that) {
  return s.a * z * before - s.b * r2 * before_that;
}

HB_CLOSE
#endif
