// SPDX-License-Identifier: Apache-2.0
// When cells are expanded about a sink, and in which lengths (docs/hierarchy.md).
#ifndef HORNBEAM_PHYSICS_SINK_H
#define HORNBEAM_PHYSICS_SINK_H
#include "physics/accuracy.h"
HB_OPEN

/// The radii of both cells of an expansion add up to less than this times the distance; so does that of a multipole.
#define HB_CONVERGENCE 0.9f
/// Parts of a sink's parent, and of a sink, below which sizes are not looked at.
#define HB_LEAST_PART (1 / 4096.0f)
#define HB_LEAST_REACH (1 / 65536.0f)

/// Part of what a first look at the field has that particles are taken to demand: |a| may be less.
#define HB_TRUST 0.7f

/// A power of two so that 1 <= x power < 2; x > 0.
HB_FN real power_of_two_below_inverse(real x) { return (real)ldexp((real)1, -ilogb(x)); }

/// The size that a sink's lengths are scaled by, and its children's after it. before: its parent's. Cells of coincident
/// particles, which have no radius, may follow one another down to the deepest level.
HB_FN real size_of_sink(real radius, real before) {
  return radius > 0 ? hb_max(radius, (real)HB_LEAST_PART * before) : before;
}

/// Cells whose numbers leave the range of their precision are not expanded: too small for their highest moment, or too
/// wide. They are opened.
HB_FN i32 may_expand(real mass, real rho, i32 order) {
#if HB_PRECISION == HB_DOUBLE
  const real least = 1e-280;
#else
  const real least = 1e-32f;
#endif
  real highest = mass;
  for (i32 k = 0; k < order; ++k) highest *= rho;
  return rho < (real)HB_WIDEST && (rho == 0 || mass == 0 || highest > least);
}

HB_CLOSE
#endif
