// SPDX-License-Identifier: Apache-2.0
// The first sum over a gas particle's neighbours, a visitor of pairs: density at a trial H, and from it the next trial
// (docs/gas.md eq. 1 to 4). It is walked until no particle is left; before the gradients (gas_gradient.h).
#ifndef HORNBEAM_INTERACTIONS_SPH_GAS_DENSITY_H
#define HORNBEAM_INTERACTIONS_SPH_GAS_DENSITY_H
#include "stages/gas.h"
#include "walk/pairs.h"
HB_OPEN

#define HB_PARAMETERS_gas_density_of_groups(FIRST, AND) \
  HB_PARAMETERS_OF_PAIR_GROUPS(gas_density, GasDensity, FIRST, AND)
#define HB_PARAMETERS_gas_density_of_each(FIRST, AND) HB_PARAMETERS_OF_PAIRS_EACH(gas_density, GasDensity, FIRST, AND)
#define HB_REACH_gas_density STAYS
#define HB_SOURCES_gas_density(F) F(pos_t, gas_mass) /* 0 of what is no gas */
#define HB_ARRAYS_gas_density(F)                                 \
  F(pos_t, smooth) /* H on trial; in the end the one wanted */   \
  F(pos_t, bound_low)                                            \
  F(pos_t, bound_high) /* bracket of the H wanted */             \
  F(pos_t, density)                                              \
  F(pos_t, omega) /* grad-h factor */                            \
  F(u32, settled) /* whether H is found, or none is asked for */ \
  F(u32, left)    /* how many have yet to be found; at a bound */

typedef struct {
  GasRule rule;
} GasDensityOptions;

typedef struct {
  pos_t smooth, inverse;
  pos_t value, slope;  ///< sums of m w, and of m q w'
  i32 place;
} GasDensityTarget;

HB_PAIR_TYPES(gas_density, GasDensity)
HB_PAIR_NO_SOURCE_REACH(gas_density, GasDensity)
HB_PAIR_MEETS_ALL(gas_density, GasDensity)

HB_FN GasDensityTarget gas_density_begin(const GasDensityView* view, i32 i) {
  GasDensityTarget t;
  t.smooth = view->settled[i] ? -1 : view->smooth[i];
  t.inverse = 1 / t.smooth;
  t.value = 0;
  t.slope = 0;
  t.place = i;
  return t;
}

HB_FN pos_t gas_density_reach(const GasDensityTarget* t) { return t->smooth; }

HB_SUM_FORMULA sum_t gas_density_limit2(sum_t target, sum_t source) {
  (void)source;
  return target * target;
}

HB_FN void gas_density_meet(const GasDensityView* view, GasDensityTarget* t, GasDensitySource source, PairWay way) {
  const pos_t q = hb_sqrt(way.distance2) * t->inverse;
  t->value += source.gas_mass * kernel_value(view->options.rule.shape, q);
  t->slope += source.gas_mass * (q * q * kernel_slope(view->options.rule.shape, q));
}

HB_FN void gas_density_finish(const GasDensityView* view, GasDensityTarget* t) {
  const i32 i = t->place;
  SmoothingTurn now;
  now.smooth = t->smooth;
  now.low = view->bound_low[i];
  now.high = view->bound_high[i];
  const SmoothingTurn next = turn_of_smooth(view->options.rule, now, view->target_gas_mass[i], t->value, t->slope);
  view->smooth[i] = next.smooth;
  view->bound_low[i] = next.low;
  view->bound_high[i] = next.high;
  view->density[i] = next.density;
  view->omega[i] = next.omega;
  view->settled[i] = next.done != 0 ? 1u : 0u;
  if (next.done != 1) hb_count_up(view->left + (next.done == 0 ? 0 : 1));
}

HB_PAIR_STACKLESS(gas_density, GasDensity)

HB_CLOSE
#endif
