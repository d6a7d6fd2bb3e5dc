// SPDX-License-Identifier: Apache-2.0
// The second sum over a gas particle's neighbours, a visitor of pairs: gradients of velocity and acceleration that are
// exact where these are linear, and from them the viscosity (docs/gas.md eq. 6 to 9). After the density; before the
// forces (gas_force.h).
#ifndef HORNBEAM_INTERACTIONS_SPH_GAS_GRADIENT_H
#define HORNBEAM_INTERACTIONS_SPH_GAS_GRADIENT_H
#include "physics/gradient.h"
#include "stages/gas.h"
#include "walk/pairs.h"
HB_OPEN

#define HB_PARAMETERS_gas_gradient_of_groups(FIRST, AND) \
  HB_PARAMETERS_OF_PAIR_GROUPS(gas_gradient, GasGradient, FIRST, AND)
#define HB_PARAMETERS_gas_gradient_of_each(FIRST, AND) \
  HB_PARAMETERS_OF_PAIRS_EACH(gas_gradient, GasGradient, FIRST, AND)
#define HB_REACH_gas_gradient STAYS
#define HB_SOURCES_gas_gradient(F) F(pos_t, gas_mass)
#define HB_ARRAYS_gas_gradient(F)                                   \
  F(const pos_t, vel_x) /* velocities now */                        \
  F(const pos_t, vel_y)                                             \
  F(const pos_t, vel_z)                                             \
  F(const pos_t, pull_x) /* accelerations of the last evaluation */ \
  F(const pos_t, pull_y)                                            \
  F(const pos_t, pull_z)                                            \
  F(const pos_t, smooth)                                            \
  F(const pos_t, volume) /* 1 / (Omega rho) */                      \
  F(const pos_t, sound)                                             \
  F(const pos_t, lapse) /* time since each one's last sums */       \
  F(pos_t, divergence)                                              \
  F(pos_t, alpha)

typedef struct {
  GasRule rule;
} GasGradientOptions;

typedef struct {
  pos_t smooth, inverse;
  GradientSums sums;
  i32 place;
} GasGradientTarget;

HB_PAIR_TYPES(gas_gradient, GasGradient)
HB_PAIR_NO_SOURCE_REACH(gas_gradient, GasGradient)
HB_PAIR_MEETS_ALL(gas_gradient, GasGradient)

HB_FN GasGradientTarget gas_gradient_begin(const GasGradientView* view, i32 i) {
  GasGradientTarget t;
  const bool due = view->target_gas_mass[i] > 0;
  t.smooth = due ? view->smooth[i] : -1;
  t.inverse = 1 / t.smooth;
  t.sums = no_gradients();
  t.place = i;
  return t;
}

HB_FN pos_t gas_gradient_reach(const GasGradientTarget* t) { return t->smooth; }

HB_SUM_FORMULA sum_t gas_gradient_limit2(sum_t target, sum_t source) {
  (void)source;
  return target * target;
}

HB_FN void gas_gradient_meet(const GasGradientView* view, GasGradientTarget* t, GasGradientSource source, PairWay way) {
  const i32 i = t->place, j = source.place;
  const pos_t q = hb_sqrt(way.distance2) * t->inverse;
  // in units of H, so that the sums are of the order of the mass
  const pos_t weight = source.gas_mass * kernel_slope(view->options.rule.shape, q);
  const Vector3 x = vector3(way.x * t->inverse, way.y * t->inverse, way.z * t->inverse);
  const Vector3 v =
      vector3(view->vel_x[j] - view->vel_x[i], view->vel_y[j] - view->vel_y[i], view->vel_z[j] - view->vel_z[i]);
  const Vector3 a =
      vector3(view->pull_x[j] - view->pull_x[i], view->pull_y[j] - view->pull_y[i], view->pull_z[j] - view->pull_z[i]);
  t->sums = gradients_with(t->sums, weight, x, v, a);
}

HB_FN void gas_gradient_finish(const GasGradientView* view, GasGradientTarget* t) {
  const GasRule rule = view->options.rule;
  const i32 i = t->place;
  // of kernel sums where the matrix has no inverse: -C / (Omega rho H^3) times the sums
  const pos_t kernel_sums = -rule.norm * view->volume[i] * (t->inverse * t->inverse * t->inverse);
  const FlowGradients flow = flow_gradients(t->sums, kernel_sums, t->inverse);
  ShockSigns signs;
  signs.divergence = flow.divergence;
  signs.curl = flow.curl;
  signs.change = flow.change;
  signs.sound = view->sound[i];
  signs.smooth = t->smooth;
  view->divergence[i] = flow.divergence;
  if (rule.viscosity == HB_VISCOSITY_CULLEN_DEHNEN) {
    const pos_t wanted = hb_max(alpha_of_flow(signs, rule.alpha), rule.alpha_min);
    view->alpha[i] = relaxed_alpha(view->alpha[i], wanted, signs, view->lapse[i]);
  } else {
    view->alpha[i] = rule.viscosity == HB_VISCOSITY_BALSARA ? rule.alpha * balsara(signs) : rule.alpha;
  }
}

HB_PAIR_STACKLESS(gas_gradient, GasGradient)

HB_CLOSE
#endif
