// SPDX-License-Identifier: Apache-2.0
// What a mass that is spread as a smoothing kernel attracts (Price & Monaghan 2007; docs/gas.md eq. 21 to 23): force,
// potential and its change with H from W = C w(q) / H^3, q = r / H, in closed form. Newton's from q = 1 on.
#ifndef HORNBEAM_PHYSICS_KERNEL_POTENTIAL_H
#define HORNBEAM_PHYSICS_KERNEL_POTENTIAL_H
#include "physics/sph_kernel.h"
HB_OPEN

/// Below it the force is summed as a polynomial, above it from the mass outside of q: each is good to some 10 roundings
/// there, and to hundreds elsewhere. There the cubic spline changes its form, too.
#define HB_KERNEL_MIDDLE 0.5

/// a^5 and a^7.
HB_FORMULA real fifth_power(real a) { return a * a * (a * a) * a; }
HB_FORMULA real seventh_power(real a) { return fifth_power(a) * (a * a); }

/// The part of the mass beyond q, 4 pi C times the integral of w s^2 from q to 1, where q is not small.
HB_FORMULA real kernel_outside(i32 shape, real q) {
  const real rest = hb_max(HB_C(1) - q, HB_C(0));
  if (shape == HB_WENDLAND_C2) {
    return fifth_power(rest) * (HB_C(1) + q * (HB_C(5) + q * (HB_C(15) + q * HB_C(21))));
  }
  if (shape == HB_WENDLAND_C4) {
    return seventh_power(rest) *
           (HB_C(1) + q * (HB_C(7) + q * (HB_C(28) + q * (HB_C(507.0 / 8) + q * HB_C(525.0 / 8)))));
  }
  if (shape == HB_WENDLAND_C6) {
    return seventh_power(rest) * (rest * rest) *
           (HB_C(1) +
            q * (HB_C(9) + q * (HB_C(45) + q * (HB_C(2185.0 / 16) + q * (HB_C(3825.0 / 16) + q * HB_C(195))))));
  }
  return HB_C(16.0 / 15.0) * (rest * rest * (rest * rest)) * (HB_C(1) + q * (HB_C(4) + q * HB_C(10)));
}

/// The part of the mass within q, over q^3, where q is small.
HB_FORMULA real kernel_inside(i32 shape, real q) {
  const real q2 = q * q;
  if (shape == HB_WENDLAND_C2) {
    return HB_C(14) + q2 * (HB_C(-84) + q * (HB_C(140) + q * (HB_C(-90) + q * HB_C(21))));
  }
  if (shape == HB_WENDLAND_C4) {
    const real high = HB_C(1925.0 / 2) + q * (HB_C(-396) + q * HB_C(525.0 / 8));
    return HB_C(165.0 / 8) + q2 * (HB_C(-231.0 / 2) + q2 * (HB_C(2475.0 / 4) + q * (HB_C(-1155) + q * high)));
  }
  if (shape == HB_WENDLAND_C6) {
    const real highest = HB_C(5005) + q * (HB_C(-24255.0 / 16) + q * HB_C(195));
    const real high = HB_C(-35035.0 / 8) + q * (HB_C(9009) + q * (HB_C(-143325.0 / 16) + q * highest));
    return HB_C(455.0 / 16) + q2 * (HB_C(-3003.0 / 16) + q2 * (HB_C(6435.0 / 8) + q2 * high));
  }
  return HB_C(32.0 / 3.0) + q2 * (HB_C(-38.4) + q * HB_C(32));
}

/// The attraction of a unit mass, times H^3, over the way to it: 1 / q^3 from q = 1 on.
HB_FORMULA real kernel_pull(i32 shape, real q) {
  const real far = hb_max(q, HB_C(HB_KERNEL_MIDDLE));  // finite where it is not taken
  // beyond 1 no more than 1: powers of a q of 1e8 leave fp32, and times 0 are no number
  const real from_outside = (HB_C(1) - kernel_outside(shape, hb_min(q, HB_C(1)))) / (far * far * far);
  return hb_select(q < HB_C(HB_KERNEL_MIDDLE), kernel_inside(shape, q), from_outside);
}

/// The potential's change with H, times H^2: 4 pi C times the integral of w s from q to 1; 0 from there on.
HB_FORMULA real kernel_widening(i32 shape, real q) {
  const real rest = hb_max(HB_C(1) - q, HB_C(0));
  if (shape == HB_WENDLAND_C2) return HB_C(3) * fifth_power(rest) * (HB_C(1) + q * (HB_C(5) + q * HB_C(8)));
  if (shape == HB_WENDLAND_C4) {
    return HB_C(55.0 / 16) * seventh_power(rest) * (HB_C(1) + q * (HB_C(7) + q * (HB_C(19) + q * HB_C(21))));
  }
  if (shape == HB_WENDLAND_C6) {
    return HB_C(35.0 / 64) * seventh_power(rest) * (rest * rest) *
           (HB_C(7) + q * (HB_C(63) + q * (HB_C(237) + q * (HB_C(453) + q * HB_C(384)))));
  }
  const real q2 = q * q;
  return hb_select(q < HB_C(0.5), HB_C(2.8) + q2 * (HB_C(-16) + q2 * (HB_C(48) - q * HB_C(38.4))),
                   HB_C(16.0 / 5.0) * (rest * rest * (rest * rest)) * (HB_C(1) + HB_C(4) * q));
}

HB_CLOSE
#endif
