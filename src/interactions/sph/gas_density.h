// SPDX-License-Identifier: Apache-2.0
// The first sum over a gas particle's neighbours: density at a trial H, and from it the next trial (docs/gas.md eq. 1
// to 4), with the gradients of the flow. It is gathered until no particle is left; before the forces (gas_force.h).
#ifndef HORNBEAM_INTERACTIONS_SPH_GAS_DENSITY_H
#define HORNBEAM_INTERACTIONS_SPH_GAS_DENSITY_H
#include "physics/gradient.h"
#include "stages/gas.h"
#include "walk/gather.h"
HB_OPEN

#define HB_MARGIN_gas_density 1.05f
#define HB_VISITOR gas_density
#define HB_VISITOR_TYPE GasDensity
#define HB_MARGIN HB_MARGIN_gas_density
#define HB_SUMS_TYPE FlowSums
#define HB_PUTS_OFF
#define HB_SOURCES_gas_density(F)
/// Velocities now, and accelerations of the last evaluation.
#define HB_STATES_gas_density(Q) \
  Q(states, HB_STATE_ROW, 0, vx, vy, vz, push) Q(states, HB_STATE_ROW, 1, ax, ay, az, spare)
#define HB_ARRAYS_gas_density(F)                                                    \
  F(const real, places)                                                             \
  F(const real, states)                                                             \
  F(const pos_t, gas_mass)                                                          \
  F(pos_t, smooth) /* H on trial; in the end the one wanted */                      \
  F(pos_t, bound_low)                                                               \
  F(pos_t, bound_high) /* bracket of the H wanted */                                \
  F(pos_t, density)                                                                 \
  F(pos_t, omega)           /* grad-h factor */                                     \
  F(pos_t, divergence)      /* of the velocity */                                   \
  F(pos_t, curl)            /* |curl| of it */                                      \
  F(pos_t, change)          /* of the divergence in time */                         \
  HB_XYZ(F, pos_t, stretch) /* rates of strain, or null where none are asked for */ \
  HB_XYZ(F, pos_t, shear)                                                           \
  F(u32, settled) /* whether H is found, or none is asked for */                    \
  F(u32, left)    /* how many have yet to be found; at a bound */

typedef struct {
  GatherFrame frame;
  GasRule rule;
} GasDensityOptions;

#define HB_SUMS_gas_density(S) HB_FLOW_SUMS(S)

#include "walk/gather_types.inc"

HB_FN real gas_density_reach(const GasDensityView* view, i32 i) {
  return view->settled[i] ? -1 : hb_narrow(view->smooth[i] * view->options.frame.unit);
}

HB_FORMULA HB_OF(FlowSums, real)
    gas_density_add(const GasDensityOptions* options, real inverse, GasDensitySelf self,
                    HB_OF(GasDensitySource, real) source, HB_OF(GatherWay, real) way, HB_OF(FlowSums, real) sums) {
  const real q = hb_root(way.distance2, hb_rsqrt0(way.distance2)) * inverse;
  const real weight = source.mass * kernel_slope(options->rule.shape, q);
  sums.value = hb_fma(source.mass, kernel_value(options->rule.shape, q), sums.value);
  sums.slope = hb_fma(q * q, weight, sums.slope);
  HB_OF(Way3, real) x, v, a;  // ways in units of H, so that the sums are of the order of the mass
  x.x = way.x * inverse;
  x.y = way.y * inverse;
  x.z = way.z * inverse;
  v.x = source.vx - self.vx;
  v.y = source.vy - self.vy;
  v.z = source.vz - self.vz;
  a.x = source.ax - self.ax;
  a.y = source.ay - self.ay;
  a.z = source.az - self.az;
  return gradients_with(sums, weight, x, v, a);
}

/// The gradients of a particle of which H is found: they belong to the H that was on trial.
HB_FN void gas_gradients(const GasDensityView* view, i32 i, pos_t smooth, HB_OF(FlowSums, real) sums) {
  const GasRule rule = view->options.rule;
  const pos_t inverse = 1 / smooth, volume = specific_volume(view->omega[i], view->density[i]);
  // of kernel sums where the matrix has no inverse: -C / (Omega rho H^3) times the sums
  const pos_t kernel_sums = -rule.norm * volume * rule.mass_unit * (inverse * inverse * inverse);
  const FlowGradients flow = flow_gradients(sums, kernel_sums, inverse, 1 / rule.speed_unit, 1 / pull_unit(rule));
  view->divergence[i] = flow.divergence;
  view->curl[i] = flow.curl;
  view->change[i] = flow.change;
  if (!rule.reconstructs) return;
  view->stretch_x[i] = flow.stretch.x;
  view->stretch_y[i] = flow.stretch.y;
  view->stretch_z[i] = flow.stretch.z;
  view->shear_x[i] = flow.shear.x;
  view->shear_y[i] = flow.shear.y;
  view->shear_z[i] = flow.shear.z;
}

HB_FN i32 gas_density_finish(const GasDensityView* view, i32 i, HB_OF(FlowSums, real) sums) {
  const GasRule rule = view->options.rule;
  SmoothingTurn now;
  now.smooth = (pos_t)gas_density_reach(view, i) / view->options.frame.unit;  // of which the sums are
  now.low = view->bound_low[i];
  now.high = view->bound_high[i];
  const pos_t mass = view->gas_mass[i], value = (pos_t)sums.value * rule.mass_unit - rule.excess * mass;
  const SmoothingTurn next = turn_of_smooth(rule, now, mass, value, (pos_t)sums.slope * rule.mass_unit);
  view->smooth[i] = next.smooth;
  view->bound_low[i] = next.low;
  view->bound_high[i] = next.high;
  view->density[i] = next.density;
  view->omega[i] = next.omega;
  view->settled[i] = next.done != 0 ? 1u : 0u;
  if (next.done == 2) hb_count_up(view->left + 1);
  if (next.done != 0) gas_gradients(view, i, now.smooth, sums);
  return next.done == 0;
}

HB_FN void gas_density_put_off(const GasDensityView* view, i32 i) {
  (void)i;
  hb_count_up(view->left);
}

HB_CLOSE

#include "walk/gather_walks.inc"
#endif
