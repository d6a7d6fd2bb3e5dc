// SPDX-License-Identifier: Apache-2.0
// Error estimates of single interactions, and what an accuracy asks of them (docs/hierarchy.md eqs. 5 to 7).
#ifndef HORNBEAM_PHYSICS_ACCURACY_H
#define HORNBEAM_PHYSICS_ACCURACY_H
#include "physics/opening.h"
#include "physics/transfer.h"
HB_OPEN

/// f of the promise: errors count against no less than this fraction of the usual acceleration of the surroundings.
#define HB_USUAL_FRACTION 0.1
/// Powers that are summed in an estimate: of orders 2 to HB_LARGEST_TRANSFER.
#define HB_POWERS (HB_LARGEST_TRANSFER - 1)

/// max(|a|, f a_s) with the usual acceleration a_s = phi^2 / M of all mass M: G M / d^2 far outside of it, and about
/// G M / R^2 inside of its radius R, where |a| may vanish.
HB_FORMULA real demanded_pull(real ax, real ay, real az, real potential, real total_mass) {
  const real usual = total_mass > 0 ? potential * (potential / total_mass) : HB_C(0);
  return hb_max(hb_sqrt(hb_fma(ax, ax, hb_fma(ay, ay, az * az))), HB_C(HB_USUAL_FRACTION) * usual);
}

/// demanded_pull() among so many images of `mass`. Of an infinite lattice `zero` and `least` are the potential and the
/// acceleration, per mass, that Surroundings have; finite sums have neither.
HB_FN real demanded_among(real images, real zero, real least, real ax, real ay, real az, real potential, real mass) {
  const real from_zero = least > 0 ? hb_min(potential - zero * mass, (real)0) : potential;
  return hb_max(demanded_pull(ax, ay, az, from_zero, mass * images), (real)HB_USUAL_FRACTION * least * mass);
}

/// The sum of binomial(p, k) P_k r^(p - k) / d^p over k, of relative powers P_k: x = rho / d, y = r / d, r being
/// the spread of the targets;
/// weights: binomial(p, k) times P_k / (m rho^k), k = 2 ... p.
HB_FORMULA real truncated_part(i32 p, real x, real y, const real* weights) {
  real sum = y, xk = x;
  for (i32 k = 2; k <= p; ++k) {
    xk = xk * x;
    sum = hb_fma(sum, y, weights[k - 2] * xk);
  }
  return sum;
}

HB_FN real binomial(i32 n, i32 k) {
  real b = 1;
  for (i32 i = 1; i <= k; ++i) b = b * (real)(n - k + i) / (real)i;
  return b;
}

/// Measured rms error of a quadrupole at a particle, in units of 4 P_3 / d^5.
#define HB_MEASURED_QUADRUPOLE 0.2f

/// Order of expansions that is the quickest for an accuracy (Plummer, N = 1e6).
HB_FN i32 order_of_accuracy(real accuracy) { return accuracy > (real)3e-4f ? 4 : accuracy > (real)3e-5f ? 5 : 6; }

/// The largest error of one interaction at an accuracy, in units of demanded_pull(). Errors of many add up, and there
/// are more of them at a smaller accuracy: measured (docs/hierarchy.md eq. 7).
HB_FN real tolerance_of_accuracy(real accuracy) {
  const real root = eighth_root(hb_max((real)0.01f / accuracy, (real)1));
  const real tolerance = accuracy / ((real)11.5f * root * hb_sqrt(hb_sqrt(root)));
  const real beyond = (real)3e-5f / accuracy;  // what orders up to 6 are made for
  return beyond > (real)1.001f ? tolerance / (2 * eighth_root(beyond)) : tolerance;
}

/// m / d^2 truncated_part() must stay below this times the least demanded_pull() of the targets: the gradient of the
/// first term that is left out is sqrt(p + 1) m r^p / d^(p + 2) in the mean over directions.
HB_FN real expansion_tolerance(i32 p, real tolerance) { return tolerance / hb_sqrt((real)(p + 1)); }
/// The same for m P_3 / d^5 of a quadrupole.
HB_FN real quadrupole_tolerance(real tolerance) { return tolerance / (real)(4 * HB_MEASURED_QUADRUPOLE); }

HB_CLOSE
#endif
