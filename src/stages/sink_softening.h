// SPDX-License-Identifier: Apache-2.0
// What softening demands of cells in the walk from cell to cell: where it changes nothing that counts, fields are
// harmonic; where cells or targets differ in eps, expansions with their mean are wrong (docs/hierarchy.md eq. 8).
#ifndef HORNBEAM_STAGES_SINK_SOFTENING_H
#define HORNBEAM_STAGES_SINK_SOFTENING_H
#include "physics/softening.h"
HB_OPEN

/// Parts of the largest eps^2 above which a mean is that of equal ones: as near as their sums are rounded.
#if HB_PRECISION == HB_DOUBLE
#define HB_NEARLY_EQUAL (1 - 1e-12)
#else
#define HB_NEARLY_EQUAL (1 - 1e-5f)
#endif

/// The softening of a sink's targets.
typedef struct {
  i32 softening;     ///< HB_PLUMMER or HB_SPLINE
  real soft2, most;  ///< mean eps^2 / 2, and the largest
  real unequal;      ///< most that one differs from their mean
  real reach;        ///< of the spline; 0 with Plummer's
} SinkSoftening;

HB_FN SinkSoftening sink_softening(i32 softening, real mean, real least, real most) {
  SinkSoftening s;
  s.softening = softening;
  s.soft2 = mean;
  s.most = most;
  s.unequal = most - least;
  s.reach = softening == HB_SPLINE ? (real)HB_SPLINE_REACH * hb_sqrt(2 * most) : (real)0;
  return s;
}

/// Whether softening of eps^2 = eps2 of a pair changes an expansion by less than a tenth of the error that it may have.
/// The change is 1.5 eps^2 / d^2 of the acceleration. weight: m / d^2 relative to that error.
HB_FORMULA HB_MASK(real) softening_is_hidden(real weight, real eps2, real inv) {
  return weight * (eps2 * inv * inv) * HB_C(0.3) < HB_C(0.01);
}

/// The largest eps^2 / 2 in a cell of that reach.
HB_FORMULA real most_soft2_of(real reach) {
  const real eps = reach * (HB_C(1) / HB_C(HB_SPLINE_REACH));
  return HB_C(0.5) * eps * eps;
}

/// The part of unequal u = eps^2 / 2 that shows in the field of a cell. Their mean is right to first order: eps that go
/// with places are left, and the second order. Of values from 0 to `most`, |u - mean| is at most 2 min(most - mean,
/// mean) in the mean, and (u - mean)^2 at most (most - mean) mean. rho: of its particles; inv: 1 / distance.
HB_FORMULA real uneven_soft2(real mean, real most, real rho, real inv) {
  const real above = hb_select(mean < HB_C(HB_NEARLY_EQUAL) * most, most - mean, HB_C(0));
  const real differing = HB_C(2) * hb_min(above, mean);
  return hb_min(differing * (rho * inv) + HB_C(1.25) * above * mean * (inv * inv), differing);
}

/// Whether a sink of that radius may expand a cell, and whether the cell's field is harmonic there. weight: as
/// softening_is_hidden() has it.
#define HB_SOFTENED_MEMBERS HB_MASK(real) expandable, harmonic;
HB_REALS(SoftenedCell, HB_SOFTENED_MEMBERS)

HB_FORMULA HB_OF(SoftenedCell, real) softened_cell(HB_LOCAL const SinkSoftening* s, real mean, real cell_reach,
                                                   real rho, real inv, real weight, real radius) {
  HB_OF(SoftenedCell, real) cell;
  if (s->softening == HB_SPLINE) {
    const real clear = rho + radius + hb_max(cell_reach, (real)s->reach);
    cell.expandable = cell.harmonic = clear * inv < HB_C(1);
  } else {
    const real most = most_soft2_of(cell_reach);
    const real unequal = (real)s->unequal + uneven_soft2(mean, most, rho, inv);
    cell.expandable = softening_is_hidden(weight, unequal, inv);
    cell.harmonic = softening_is_hidden(weight, most + (real)s->most, inv);
  }
  return cell;
}

/// Whether a cell's quadrupole may be evaluated at targets that each have their own softening. inv: 1 / distance from
/// their box; weight: m / d^2 relative to the error that a quadrupole may have.
HB_FORMULA HB_MASK(real)
    is_plain_for_sink(HB_LOCAL const SinkSoftening* s, real mean, real cell_reach, real rho, real inv, real weight) {
  if (s->softening == HB_SPLINE) return (rho + hb_max(cell_reach, (real)s->reach)) * inv < HB_C(1);
  const real uneven = uneven_soft2(mean, most_soft2_of(cell_reach), rho, inv);
  return weight * (uneven * inv * inv) * HB_C(16) < HB_C(1);
}

HB_CLOSE
#endif
