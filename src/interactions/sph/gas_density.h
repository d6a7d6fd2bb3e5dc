// SPDX-License-Identifier: Apache-2.0
// The first sum over a gas particle's neighbours: density at a trial H, and from it the next trial (docs/gas.md eq. 1
// to 4). It is gathered until no particle is left; before the gradients (gas_gradient.h).
#ifndef HORNBEAM_INTERACTIONS_SPH_GAS_DENSITY_H
#define HORNBEAM_INTERACTIONS_SPH_GAS_DENSITY_H
#include "stages/gas.h"
#include "walk/gather.h"
HB_OPEN

#define HB_PARAMETERS_gas_density_of_groups(FIRST, AND) \
  HB_PARAMETERS_OF_PAIR_GROUPS(gas_density, GasDensity, FIRST, AND)
#define HB_PARAMETERS_gas_density_of_each(FIRST, AND) HB_PARAMETERS_OF_PAIRS_EACH(gas_density, GasDensity, FIRST, AND)
#define HB_MARGIN_gas_density 1.05f
#define HB_SOURCES_gas_density(F)
#define HB_STATES_gas_density(Q)
#define HB_ARRAYS_gas_density(F)                                 \
  F(const real, places)                                          \
  F(const real, states)                                          \
  F(const pos_t, gas_mass)                                       \
  F(pos_t, smooth) /* H on trial; in the end the one wanted */   \
  F(pos_t, bound_low)                                            \
  F(pos_t, bound_high) /* bracket of the H wanted */             \
  F(pos_t, density)                                              \
  F(pos_t, omega) /* grad-h factor */                            \
  F(u32, settled) /* whether H is found, or none is asked for */ \
  F(u32, left)    /* how many have yet to be found; at a bound */

typedef struct {
  GatherFrame frame;
  GasRule rule;
} GasDensityOptions;

#define HB_SUMS_gas_density(S) \
  S(add, value) /* m w */      \
  S(add, slope) /* m q w' */

HB_GATHER_TYPES(gas_density, GasDensity)
HB_GATHER_SUMS(gas_density, GasDensity)
HB_GATHER_SOURCES_REACH(gas_density, 0)

HB_FN real gas_density_reach(const GasDensityView* view, i32 i) {
  return view->settled[i] ? -1 : hb_narrow(view->smooth[i] * view->options.frame.unit);
}

HB_FORMULA HB_OF(GasDensitySums, real) gas_density_add(const GasDensityOptions* options, real inverse,
                                                       GasDensitySelf self, HB_OF(GasDensitySource, real) source,
                                                       HB_OF(GatherWay, real) way, HB_OF(GasDensitySums, real) sums) {
  (void)self;
  const real q = way.distance2 * hb_rsqrt0(way.distance2) * inverse;
  sums.value = hb_fma(source.mass, kernel_value(options->rule.shape, q), sums.value);
  sums.slope = hb_fma(source.mass * (q * q), kernel_slope(options->rule.shape, q), sums.slope);
  return sums;
}

HB_FN i32 gas_density_finish(const GasDensityView* view, i32 i, HB_OF(GasDensitySums, real) sums) {
  const GasRule rule = view->options.rule;
  SmoothingTurn now;
  now.smooth = (pos_t)gas_density_reach(view, i) / view->options.frame.unit;  // of which the sums are
  now.low = view->bound_low[i];
  now.high = view->bound_high[i];
  const SmoothingTurn next = turn_of_smooth(rule, now, view->gas_mass[i], (pos_t)sums.value * rule.mass_unit,
                                            (pos_t)sums.slope * rule.mass_unit);
  view->smooth[i] = next.smooth;
  view->bound_low[i] = next.low;
  view->bound_high[i] = next.high;
  view->density[i] = next.density;
  view->omega[i] = next.omega;
  view->settled[i] = next.done != 0 ? 1u : 0u;
  if (next.done == 2) hb_count_up(view->left + 1);
  return next.done == 0;
}

HB_FN void gas_density_put_off(const GasDensityView* view, i32 i) {
  (void)i;
  hb_count_up(view->left);
}

HB_GATHER_STACKLESS(gas_density, GasDensity)

HB_CLOSE
#endif
