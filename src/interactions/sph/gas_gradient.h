// SPDX-License-Identifier: Apache-2.0
// The second sum over a gas particle's neighbours: gradients of velocity and acceleration that are exact where these
// are linear, and from them the viscosity (docs/gas.md eq. 6 to 9). After the density; before the forces (gas_force.h).
#ifndef HORNBEAM_INTERACTIONS_SPH_GAS_GRADIENT_H
#define HORNBEAM_INTERACTIONS_SPH_GAS_GRADIENT_H
#include "physics/gradient.h"
#include "stages/gas.h"
#include "walk/gather.h"
HB_OPEN

#define HB_PARAMETERS_gas_gradient_of_groups(FIRST, AND) \
  HB_PARAMETERS_OF_PAIR_GROUPS(gas_gradient, GasGradient, FIRST, AND)
#define HB_PARAMETERS_gas_gradient_of_each(FIRST, AND) \
  HB_PARAMETERS_OF_PAIRS_EACH(gas_gradient, GasGradient, FIRST, AND)
#define HB_MARGIN_gas_gradient 1
#define HB_SOURCES_gas_gradient(F)
/// Velocities now, and accelerations of the last evaluation.
#define HB_STATES_gas_gradient(Q) Q(0, vx, vy, vz, push) Q(1, ax, ay, az, spare)
#define HB_ARRAYS_gas_gradient(F)                               \
  F(const real, places)                                         \
  F(real, states) /* of which it writes what viscosity makes */ \
  F(const pos_t, gas_mass)                                      \
  F(const pos_t, smooth)                                        \
  F(const pos_t, volume) /* 1 / (Omega rho) */                  \
  F(const pos_t, sound)                                         \
  F(pos_t, divergence)                                          \
  F(pos_t, alpha)

typedef struct {
  GatherFrame frame;
  GasRule rule;
} GasGradientOptions;

#define HB_SUMS_gas_gradient(S) HB_GRADIENT_SUMS(S)

HB_GATHER_TYPES(gas_gradient, GasGradient)
HB_GATHER_SUMS_OF(gas_gradient, GasGradient, GradientSums)
HB_GATHER_SOURCES_REACH(gas_gradient, 0)

HB_FN real gas_gradient_reach(const GasGradientView* view, i32 i) {
  return view->gas_mass[i] > 0 ? hb_narrow(view->smooth[i] * view->options.frame.unit) : -1;
}

HB_FORMULA HB_OF(GradientSums, real) gas_gradient_add(const GasGradientOptions* options, real inverse,
                                                      GasGradientSelf self, HB_OF(GasGradientSource, real) source,
                                                      HB_OF(GatherWay, real) way, HB_OF(GradientSums, real) sums) {
  const real q = way.distance2 * hb_rsqrt0(way.distance2) * inverse;
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
  return gradients_with(sums, source.mass * kernel_slope(options->rule.shape, q), x, v, a);
}

HB_FN i32 gas_gradient_finish(const GasGradientView* view, i32 i, HB_OF(GradientSums, real) sums) {
  const GasRule rule = view->options.rule;
  const pos_t inverse = 1 / view->smooth[i];
  // of kernel sums where the matrix has no inverse: -C / (Omega rho H^3) times the sums
  const pos_t kernel_sums = -rule.norm * view->volume[i] * rule.mass_unit * (inverse * inverse * inverse);
  const FlowGradients flow = flow_gradients(sums, kernel_sums, inverse, 1 / rule.speed_unit, 1 / pull_unit(rule));
  ShockSigns signs;
  signs.divergence = flow.divergence;
  signs.curl = flow.curl;
  signs.change = flow.change;
  signs.sound = view->sound[i];
  signs.smooth = view->smooth[i];
  view->divergence[i] = flow.divergence;
  if (rule.viscosity == HB_VISCOSITY_CULLEN_DEHNEN) {
    const pos_t wanted = hb_max(alpha_of_flow(signs, rule.alpha), rule.alpha_min);
    view->alpha[i] = relaxed_alpha(view->alpha[i], wanted, signs, rule.step);
  } else {
    view->alpha[i] = rule.viscosity == HB_VISCOSITY_BALSARA ? rule.alpha * balsara(signs) : rule.alpha;
  }
  view->states[(u64)i * HB_STATE_ROW + HB_STATE_STIFF] = hb_narrow(view->alpha[i] * signs.sound * rule.speed_unit);
  return 0;
}

HB_FN void gas_gradient_put_off(const GasGradientView* view, i32 i) { (void)view, (void)i; }

HB_GATHER_STACKLESS(gas_gradient, GasGradient)

HB_CLOSE
#endif
