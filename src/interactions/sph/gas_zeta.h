// SPDX-License-Identifier: Apache-2.0
// Where gas is softened by its H: how its potential changes with H, summed over its
// neighbours, and from it what it attracts as its H changes (docs/gas.md eq. 24). After the density (gas_density.h),
// before the accelerations (gas_pull.h).
#ifndef HORNBEAM_INTERACTIONS_SPH_GAS_ZETA_H
#define HORNBEAM_INTERACTIONS_SPH_GAS_ZETA_H
#include "physics/kernel_potential.h"
#include "stages/gas.h"
#include "walk/gather.h"
HB_OPEN

#define HB_VISITOR gas_zeta
#define HB_VISITOR_TYPE GasZeta
#define HB_SOURCES_gas_zeta(F)
#define HB_STATES_gas_zeta(Q)
#define HB_ARRAYS_gas_zeta(F)                            \
  F(const real, places)                                  \
  F(real, states) /* of the target, gas_softening_row */ \
  F(const pos_t, due_mass)                               \
  F(const pos_t, smooth)                                 \
  F(const pos_t, spread) /* see softening_reach() */     \
  F(const pos_t, density)                                \
  F(const pos_t, omega)                                  \
  F(pos_t, zeta)

typedef struct {
  GatherFrame frame;
  GasRule rule;
} GasZetaOptions;

#define HB_SUMS_gas_zeta(S) S(fine, widening)

#include "walk/gather_types.inc"

HB_FN real gas_zeta_reach(const GasZetaView* view, i32 i) {
  return view->due_mass[i] > 0 ? hb_narrow(view->spread[i] * view->options.frame.unit) : -1;
}

HB_FORMULA HB_OF(GasZetaSums, real)
    gas_zeta_add(const GasZetaOptions* options, real inverse, GasZetaSelf self, HB_OF(GasZetaSource, real) source,
                 HB_OF(GatherWay, real) way, HB_OF(GasZetaSums, real) sums) {
  (void)self;
  const real q = hb_root(way.distance2, hb_rsqrt0(way.distance2)) * inverse;
  sums.widening = hb_fma(source.mass, kernel_widening(options->rule.shape, q), sums.widening);
  return sums;
}

/// Nothing is softened by its own mass, which the sum holds.
HB_FN i32 gas_zeta_finish(const GasZetaView* view, i32 i, HB_OF(GasZetaSums, real) sums) {
  const GasRule rule = view->options.rule;
  const real itself = view->places[(u64)i * HB_PLACE_ROW + 3] * kernel_widening(rule.shape, (real)0);
  const pos_t widening = (pos_t)(sums.widening - itself) * rule.mass_unit;
  const pos_t volume = specific_volume(view->omega[i], view->density[i]);
  // an H that is held at a bound does not follow the density; in `mixed` it is there to within rounding
  const pos_t smooth = view->smooth[i], rounding = 2e-7f;
  const bool held = smooth <= rule.least * (1 + rounding) || smooth >= rule.most * (1 - rounding);
  view->zeta[i] = held || view->spread[i] > smooth ? 0 : widening * volume / (3 * smooth);
  view->states[(u64)i * HB_STATE_ROW + 5] = softening_slope(rule, view->zeta[i], view->smooth[i]);
  return 0;
}

HB_CLOSE

#include "walk/gather_walks.inc"
#endif
