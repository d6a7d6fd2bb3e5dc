// SPDX-License-Identifier: Apache-2.0
// finite: whether what a particle holds after a walk are numbers, in the user's units, too. After walk and the kicks,
// before anything is written.
#ifndef HORNBEAM_STAGES_FINITE_H
#define HORNBEAM_STAGES_FINITE_H
#include "physics/portable.h"
HB_OPEN

/// The largest sizes that are finite for the user, who multiplies accelerations and potentials by units; below 0 where
/// the unit itself is not.
typedef struct {
  pos_t motion;  ///< of positions and velocities
  real acceleration, potential;
} FiniteLimits;

/// Whether a position or velocity is finite; a NaN is not.
HB_FN i32 is_finite_motion(FiniteLimits most, pos_t x, pos_t y, pos_t z) {
  return (hb_abs(x) <= most.motion) & (hb_abs(y) <= most.motion) & (hb_abs(z) <= most.motion);
}

/// Whether an acceleration with its potential is.
HB_FN i32 is_finite_pull(FiniteLimits most, real x, real y, real z, real potential) {
  return (hb_abs(x) <= most.acceleration) & (hb_abs(y) <= most.acceleration) & (hb_abs(z) <= most.acceleration) &
         (hb_abs(potential) <= most.potential);
}

HB_CLOSE
#endif
