// SPDX-License-Identifier: Apache-2.0
// The third sum over a gas particle's neighbours, a visitor of pairs: forces and heating (docs/gas.md eq. 10 to 14).
// Two particles meet where either reaches the other, and each finds the same pair with the same numbers, so that
// momentum and energy are kept to rounding. After the gradients; before the kicks.
#ifndef HORNBEAM_INTERACTIONS_SPH_GAS_FORCE_H
#define HORNBEAM_INTERACTIONS_SPH_GAS_FORCE_H
#include "stages/gas.h"
#include "walk/pairs.h"
HB_OPEN

#define HB_PARAMETERS_gas_force_of_groups(FIRST, AND) HB_PARAMETERS_OF_PAIR_GROUPS(gas_force, GasForce, FIRST, AND)
#define HB_PARAMETERS_gas_force_of_each(FIRST, AND) HB_PARAMETERS_OF_PAIRS_EACH(gas_force, GasForce, FIRST, AND)
#define HB_REACH_gas_force STAYS
#define HB_SOURCES_gas_force(F) F(pos_t, smooth) F(pos_t, gas_mass)
#define HB_ARRAYS_gas_force(F)                            \
  F(const pos_t, vel_x) /* velocities and energies now */ \
  F(const pos_t, vel_y)                                   \
  F(const pos_t, vel_z)                                   \
  F(const pos_t, energy)                                  \
  F(const u32, material) /* null where there is one */    \
  F(const pos_t, density)                                 \
  F(const pos_t, pressure)                                \
  F(const pos_t, push)   /* P / (Omega rho^2) */          \
  F(const pos_t, volume) /* 1 / (Omega rho) */            \
  F(const pos_t, sound)                                   \
  F(const pos_t, alpha)                                   \
  F(real, acc_x) /* internal, added to */                 \
  F(real, acc_y)                                          \
  F(real, acc_z)                                          \
  F(pos_t, energy_rate)                                   \
  F(pos_t, signal)

typedef struct {
  GasRule rule;
  pos_t acceleration;  ///< internal acceleration per user's
} GasForceOptions;

/// What a particle brings to a pair.
typedef struct {
  pos_t vx, vy, vz;
  pos_t energy, density, pressure, push, volume, sound, alpha;
} GasPartner;

typedef struct {
  pos_t smooth;
  GasPartner self;
  pos_t ax, ay, az, rate, signal;
  i32 place;
} GasForceTarget;

HB_PAIR_TYPES(gas_force, GasForce)
HB_PAIR_SOURCE_REACH(gas_force, GasForce, smooth)
HB_PAIR_MEETS_ALL(gas_force, GasForce)

HB_FN GasPartner gas_partner(const GasForceView* view, i32 i) {
  GasPartner p;
  p.vx = view->vel_x[i];
  p.vy = view->vel_y[i];
  p.vz = view->vel_z[i];
  p.energy = view->energy[i];
  p.density = view->density[i];
  p.pressure = view->pressure[i];
  p.push = view->push[i];
  p.volume = view->volume[i];
  p.sound = view->sound[i];
  p.alpha = view->alpha[i];
  return p;
}

HB_FN GasForceTarget gas_force_begin(const GasForceView* view, i32 i) {
  GasForceTarget t;
  const bool due = view->target_gas_mass[i] > 0;
  t.smooth = due ? view->target_smooth[i] : -1;
  t.self = gas_partner(view, i);
  t.ax = 0;
  t.ay = 0;
  t.az = 0;
  t.rate = 0;
  t.signal = t.self.sound;
  t.place = i;
  return t;
}

HB_FN pos_t gas_force_reach(const GasForceTarget* t) { return t->smooth; }

HB_SUM_FORMULA sum_t gas_force_limit2(sum_t target, sum_t source) {
  const sum_t reach = hb_max(target, source);
  return reach * reach;
}

/// The gradient of W at support H along the way, over the way.
HB_FN pos_t gas_pair_slope(GasRule rule, pos_t smooth, pos_t distance) {
  const pos_t inverse = 1 / smooth, inverse2 = inverse * inverse;
  return rule.norm * (inverse2 * inverse2 * inverse) * kernel_slope(rule.shape, distance * inverse);
}

HB_FN void gas_force_meet(const GasForceView* view, GasForceTarget* t, GasForceSource source, PairWay way) {
  // oneself, and those at the same place, neither push nor pull; what is no gas brings no mass
  if (!(source.gas_mass > 0) || !(way.distance2 > 0)) return;
  const GasRule rule = view->options.rule;
  const GasPartner i = t->self, j = gas_partner(view, source.place);
  const pos_t distance = hb_sqrt(way.distance2);
  const pos_t slope_i = gas_pair_slope(rule, t->smooth, distance),
              slope_j = gas_pair_slope(rule, source.smooth, distance);
  const pos_t parting = ((j.vx - i.vx) * way.x + (j.vy - i.vy) * way.y) + (j.vz - i.vz) * way.z;
  const pos_t speed = parting / distance;  // v_ij along r_ij: below 0 where they approach
  const pos_t push_i = i.push + viscous_pressure(i.alpha * i.sound, rule.beta, speed) * i.volume;
  const pos_t push_j = j.push + viscous_pressure(j.alpha * j.sound, rule.beta, speed) * j.volume;
  const pos_t force = source.gas_mass * (push_i * slope_i + push_j * slope_j);
  t->ax += force * way.x;
  t->ay += force * way.y;
  t->az += force * way.z;
  const pos_t exchange =
      rule.pulls ? hb_abs(speed) : hb_sqrt(2 * hb_abs(i.pressure - j.pressure) / (i.density + j.density));
  const pos_t alike = !rule.mixes || view->material[t->place] == view->material[source.place] ? 1 : 0;
  const pos_t conducted = 0.5f * alike * rule.conductivity * exchange * (i.energy - j.energy) * distance *
                          (slope_i * i.volume + slope_j * j.volume);
  t->rate += source.gas_mass * (push_i * slope_i * parting + conducted);
  t->signal = hb_max(t->signal, (i.sound + j.sound - rule.beta * hb_min(speed, (pos_t)0)) * 0.5f);
}

HB_FN void gas_force_finish(const GasForceView* view, GasForceTarget* t) {
  const i32 i = t->place;
  const pos_t unit = view->options.acceleration;
  view->acc_x[i] = (real)((pos_t)view->acc_x[i] + t->ax * unit);
  view->acc_y[i] = (real)((pos_t)view->acc_y[i] + t->ay * unit);
  view->acc_z[i] = (real)((pos_t)view->acc_z[i] + t->az * unit);
  view->energy_rate[i] = has_energy(view->options.rule.law) ? t->rate : 0;
  view->signal[i] = t->signal;
}

HB_PAIR_STACKLESS(gas_force, GasForce)

HB_CLOSE
#endif
