// SPDX-License-Identifier: Apache-2.0
// What gas that is softened by its H attracts more than walks have found with the fixed softening, and what changes of
// H add to it (docs/gas.md eq. 22 and 25). The walk's acceleration of a pair is Newton's beyond the reach of both, and
// so is the kernel's: the difference has an end, and is gathered. Two particles find the same pair with the same
// numbers. After walks and gas_zeta.h, before forces (gas_force.h).
#ifndef HORNBEAM_INTERACTIONS_SPH_GAS_PULL_H
#define HORNBEAM_INTERACTIONS_SPH_GAS_PULL_H
#include "physics/kernel_potential.h"
#include "physics/softening.h"
#include "stages/gas.h"
#include "walk/gather.h"
HB_OPEN

#define HB_VISITOR gas_pull
#define HB_VISITOR_TYPE GasPull
#define HB_SOURCE_REACH
#define HB_SOURCES_gas_pull(F)
/// As gas_softening_row() makes them.
#define HB_STATES_gas_pull(Q) Q(states, HB_STATE_ROW, 1, soft2, zeta, inverse, spare)
#define HB_ARRAYS_gas_pull(F)                         \
  F(const real, places)                               \
  F(const real, states)                               \
  F(const pos_t, due_mass)                            \
  F(const pos_t, spread) /* see softening_reach() */  \
  HB_XYZ(F, real, acc)   /* internal, as all these */ \
  F(real, potential)

typedef struct {
  GatherFrame frame;
  GasRule rule;
} GasPullOptions;

#define HB_SUMS_gas_pull(S) S(fine, ax) S(fine, ay) S(fine, az) S(fine, potential)

#include "walk/gather_types.inc"

HB_FN real gas_pull_reach(const GasPullView* view, i32 i) {
  return view->due_mass[i] > 0 ? hb_narrow(view->spread[i] * view->options.frame.unit) : -1;
}

HB_FORMULA HB_OF(GasPullSums, real)
    gas_pull_add(const GasPullOptions* options, real inverse, GasPullSelf self, HB_OF(GasPullSource, real) source,
                 HB_OF(GatherWay, real) way, HB_OF(GasPullSums, real) sums) {
  (void)inverse;  // self.inverse is the same to the last bit as what others find of the target
  const i32 shape = options->rule.shape;
  const real r = hb_root(way.distance2, hb_rsqrt0(way.distance2));
  const real inverse_i = self.inverse, inverse_j = source.inverse;
  const real q_i = r * inverse_i, q_j = r * inverse_j;
  const real mass = hb_select(hb_min(q_i, q_j) < HB_C(1), source.mass, HB_C(0) * source.mass);
  const real pull_i = kernel_pull(shape, q_i), pull_j = kernel_pull(shape, q_j);
  const real cube_i = inverse_i * inverse_i * inverse_i, cube_j = inverse_j * inverse_j * inverse_j;
  const real turning = self.zeta * kernel_slope(shape, q_i) + source.zeta * kernel_slope(shape, q_j);
  const real force = mass * (HB_C(0.5) * (pull_i * cube_i + pull_j * cube_j) + turning);
  const real well_i = kernel_widening(shape, q_i) + q_i * q_i * pull_i;
  const real well_j = kernel_widening(shape, q_j) + q_j * q_j * pull_j;
  HB_FIELD(real) field;
  field.x = hb_fma(force, way.x, sums.ax);
  field.y = hb_fma(force, way.y, sums.ay);
  field.z = hb_fma(force, way.z, sums.az);
  field.w = sums.potential - HB_C(0.5) * mass * (well_i * inverse_i + well_j * inverse_j);
  field = pull_spline(way.x, way.y, way.z, HB_C(0) - mass, source.soft2 + self.soft2, field);
  sums.ax = field.x;
  sums.ay = field.y;
  sums.az = field.z;
  sums.potential = field.w;
  return sums;
}

/// Nothing is in its own potential, which the sum holds.
HB_FN i32 gas_pull_finish(const GasPullView* view, i32 i, HB_OF(GasPullSums, real) sums) {
  HB_GLOBAL const real* row = view->places + (u64)i * HB_PLACE_ROW;
  const HB_OF(GasPullSource, real) itself = gas_pull_source(view, i, hb_four(row));
  HB_OF(GatherWay, real) none;
  none.x = 0;
  none.y = 0;
  none.z = 0;
  none.distance2 = 0;
  const HB_OF(GasPullSums, real) own =
      gas_pull_add(&view->options, itself.inverse, itself, itself, none, gas_pull_sums_from((real)0));
  view->acc_x[i] += sums.ax;
  view->acc_y[i] += sums.ay;
  view->acc_z[i] += sums.az;
  view->potential[i] += sums.potential - own.potential;
  return 0;
}

HB_CLOSE

#include "walk/gather_walks.inc"
#endif
