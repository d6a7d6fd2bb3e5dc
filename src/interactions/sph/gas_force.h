// SPDX-License-Identifier: Apache-2.0
// The third sum over a gas particle's neighbours: forces and heating (docs/gas.md eq. 10 to 14). Two particles meet
// where either reaches the other, and each finds the same pair with the same numbers, so that momentum and energy are
// kept to rounding. After the gradients; before the kicks.
#ifndef HORNBEAM_INTERACTIONS_SPH_GAS_FORCE_H
#define HORNBEAM_INTERACTIONS_SPH_GAS_FORCE_H
#include "stages/gas.h"
#include "walk/gather.h"
HB_OPEN

#define HB_VISITOR gas_force
#define HB_VISITOR_TYPE GasForce
#define HB_SOURCE_REACH
#define HB_SOURCES_gas_force(F)
/// push, volume: P / (Omega rho^2) and 1 / (Omega rho), times C / H^5; stiff: alpha c; inverse: 1 / H.
#define HB_STATES_gas_force(Q)                             \
  Q(states, HB_STATE_ROW, 0, vx, vy, vz, push)             \
  Q(states, HB_STATE_ROW, 2, volume, stiff, sound, energy) \
  Q(states, HB_STATE_ROW, 3, pressure, density, material, inverse)
#define HB_ARRAYS_gas_force(F)                          \
  F(const real, places)                                 \
  F(const real, states)                                 \
  F(const pos_t, due_mass)                              \
  F(const pos_t, smooth)                                \
  HB_XYZ(F, const pos_t, pull) /* a of the last sums */ \
  F(const pos_t, lapse)        /* time since these */   \
  HB_XYZ(F, real, acc)         /* internal, added to */ \
  F(pos_t, energy_rate)                                 \
  F(pos_t, signal)

typedef struct {
  GatherFrame frame;
  GasRule rule;
  pos_t acceleration;  ///< internal acceleration per user's
} GasForceOptions;

#define HB_SUMS_gas_force(S) S(fine, ax) S(fine, ay) S(fine, az) S(fine, rate) S(max, signal)

#include "walk/gather_types.inc"

HB_FN real gas_force_reach(const GasForceView* view, i32 i) {
  return view->due_mass[i] > 0 ? hb_narrow(view->smooth[i] * view->options.frame.unit) : -1;
}

/// How fast two particles exchange their energies: by their pressures, or as they part where hydrostatic gradients must
/// not conduct (Price et al. 2018).
HB_FORMULA real exchange_speed(i32 pulls, real speed, real pressure_i, real pressure_j, real densities) {
  if (pulls) return hb_abs(speed);
  const real twice = HB_C(2) * hb_abs(pressure_i - pressure_j);
  return twice * hb_rsqrt0(twice) * hb_rsqrt0(densities);  // the product of both leaves fp32 in heaps
}

/// Sounds that differ by more are those of hot and cold gas.
#define HB_LOUDER 1.5f

/// How fast a pair hears of one another: by the mean of their sounds. In block steps hot and cold gas as fast as the
/// hot one does, and as heat, of which `conducts` is conductivity times exchange, goes between them: otherwise they
/// step apart, and what one loses is not what the other gets.
HB_FORMULA real pair_signal(i32 blocks, real sound_i, real sound_j, real exchange, real conducts) {
  const real mean = (sound_i + sound_j) * HB_C(0.5);
  if (!blocks) return mean;
  const real loud = hb_max(sound_i, sound_j), heard2 = hb_fma(loud, loud, HB_C(2) * conducts * exchange);
  const real heard = hb_select(loud > HB_C(HB_LOUDER) * hb_min(sound_i, sound_j), heard2 * hb_rsqrt0(heard2), mean);
  return hb_max(heard, conducts);
}

/// How two particles stand to one another.
HB_REALS(GasPair, real inverse_r; real parting; /* v_ij r_ij */ real speed;
         /* v_ij along r_ij: below 0, they approach */)

/// Oneself, and those at the same place, exert no pressure force and no attraction: inverse_r is 0.
HB_FORMULA HB_OF(GasPair, real)
    gas_pair(GasForceSelf self, HB_OF(GasForceSource, real) source, HB_OF(GatherWay, real) way) {
  HB_OF(GasPair, real) pair;
  pair.inverse_r = hb_rsqrt0(way.distance2);
  pair.parting = (source.vx - self.vx) * way.x + (source.vy - self.vy) * way.y + (source.vz - self.vz) * way.z;
  pair.speed = pair.parting * pair.inverse_r;
  return pair;
}

/// The sums with one source more; felt: the speed at which viscosity takes the two to part.
HB_FORMULA HB_OF(GasForceSums, real)
    gas_force_with(const GasForceOptions* options, real inverse, GasForceSelf self, HB_OF(GasForceSource, real) source,
                   HB_OF(GatherWay, real) way, HB_OF(GasPair, real) pair, real felt, HB_OF(GasForceSums, real) sums) {
  const i32 shape = options->rule.shape;
  const real beta = HB_C(options->rule.beta), conductivity = HB_C(options->rule.conductivity);
  const real stiff = self.stiff, pressure = self.pressure, sound = self.sound;
  const real r = hb_root(way.distance2, pair.inverse_r), parting = pair.parting, speed = pair.speed;
  const real q_i = r * inverse, q_j = r * source.inverse;
  const real slope_i = kernel_slope(shape, q_i), slope_j = kernel_slope(shape, q_j);
  const real push_i = self.push + viscous_pressure(stiff, beta, felt) * self.volume;
  const real push_j = source.push + viscous_pressure(source.stiff, beta, felt) * source.volume;
  const real force = source.mass * (push_i * slope_i + push_j * slope_j);
  sums.ax = hb_fma(force, way.x, sums.ax);
  sums.ay = hb_fma(force, way.y, sums.ay);
  sums.az = hb_fma(force, way.z, sums.az);
  const real exchange =
      exchange_speed(options->rule.pulls, speed, pressure, source.pressure, source.density + self.density);
  // heat goes between equal materials alone
  const real warmth = hb_select(source.material == self.material, conductivity, HB_C(0) * conductivity);
  const real conducted = HB_C(0.5) * warmth * exchange * (self.energy - source.energy) * r *
                         (slope_i * self.volume + slope_j * source.volume);
  sums.rate = hb_fma(source.mass, push_i * slope_i * parting + conducted, sums.rate);
  const real signal = pair_signal(options->rule.blocks, source.sound, sound, exchange, warmth * exchange) -
                      HB_C(0.5) * beta * hb_min(speed, HB_C(0));
  const real met = hb_select(hb_min(q_i, q_j) < HB_C(1), signal, HB_C(0) * signal);
  sums.signal = hb_max(sums.signal, hb_select(source.mass > HB_C(0), met, HB_C(0) * signal));
  return sums;
}

HB_FORMULA HB_OF(GasForceSums, real)
    gas_force_add(const GasForceOptions* options, real inverse, GasForceSelf self, HB_OF(GasForceSource, real) source,
                  HB_OF(GatherWay, real) way, HB_OF(GasForceSums, real) sums) {
  const HB_OF(GasPair, real) pair = gas_pair(self, source, way);
  return gas_force_with(options, inverse, self, source, way, pair, pair.speed, sums);
}

HB_FN i32 gas_force_finish(const GasForceView* view, i32 i, HB_OF(GasForceSums, real) sums) {
  const GasRule rule = view->options.rule;
  const pos_t unit = view->options.acceleration, over_pull = 1 / pull_unit(rule);
  const pos_t ax = (pos_t)sums.ax * over_pull, ay = (pos_t)sums.ay * over_pull, az = (pos_t)sums.az * over_pull;
  view->acc_x[i] = (real)((pos_t)view->acc_x[i] + ax * unit);
  view->acc_y[i] = (real)((pos_t)view->acc_y[i] + ay * unit);
  view->acc_z[i] = (real)((pos_t)view->acc_z[i] + az * unit);
  // Velocities were predicted by the accelerations before; in the middle between these and the present ones stands the
  // velocity whose work makes the kicks keep energy (docs/gas.md eq. 15b).
  const pos_t turned = ax * ((pos_t)view->acc_x[i] / unit - view->pull_x[i]) +
                       ay * ((pos_t)view->acc_y[i] / unit - view->pull_y[i]) +
                       az * ((pos_t)view->acc_z[i] / unit - view->pull_z[i]);
  const pos_t energy = view->states[(u64)i * HB_STATE_ROW + HB_STATE_ENERGY] / (rule.speed_unit * rule.speed_unit);
  const pos_t balance = balancing_rate(turned, view->lapse[i], energy, is_heat(rule.law));
  const pos_t rate = (pos_t)sums.rate * (over_pull / rule.speed_unit) - balance;
  view->energy_rate[i] = has_energy(rule.law) ? rate : 0;
  view->signal[i] = (pos_t)sums.signal / rule.speed_unit;
  return 0;
}

HB_CLOSE

#include "walk/gather_walks.inc"
#endif
