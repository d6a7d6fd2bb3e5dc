// SPDX-License-Identifier: Apache-2.0
// gas: what is done to one particle of gas between its sums (interactions/sph): guess and prediction before them, the
// state that its density makes, steps and kicks after. All in the user's units, in pos_t.
#ifndef HORNBEAM_STAGES_GAS_H
#define HORNBEAM_STAGES_GAS_H
#include "physics/gradient.h"
#include "physics/material.h"
#include "physics/softening.h"
#include "physics/sph_kernel.h"
#include "physics/viscosity.h"
#include "stages/rungs.h"
#include "stages/views.h"
HB_OPEN

/// What is the same for all gas of one evaluation.
typedef struct {
  GasLaw law;
  i32 shape;          ///< kernel: HB_WENDLAND_C2, ...
  i32 viscosity;      ///< HB_VISCOSITY_FIXED, ...
  i32 pulls;          ///< whether gravity acts: then conduction goes by relative speeds
  i32 blocks;         ///< whether particles have steps of their own
  i32 reconstructs;   ///< whether viscosity sees velocities reconstructed midway
  i32 mixes;          ///< whether there are several materials: heat is conducted between equal ones alone
  pos_t norm;         ///< C of the kernel
  pos_t excess;       ///< of a particle's own mass times w(0), which densities are without
  pos_t crowd;        ///< C S / m at the H wanted: 3 n_H / (4 pi)
  pos_t tolerance;    ///< of H
  pos_t least, most;  ///< bounds of H
  pos_t alpha, alpha_min;
  real beta, conductivity;
  real spacing;  ///< mean distance between neighbours in units of H
  pos_t since;   ///< time from the last kick to that of the evaluation
  pos_t step;    ///< time since the last evaluation, of some gas or of all
  // internal units, powers of two, in which sums in fp32 stay far inside their range
  pos_t mass_unit;    ///< the user's mass per internal one
  pos_t length_unit;  ///< internal length per length
  pos_t speed_unit;   ///< internal speed per speed
} GasRule;

/// Internal acceleration of gas per acceleration.
HB_FN pos_t pull_unit(GasRule rule) { return rule.speed_unit * rule.speed_unit / rule.length_unit; }

/// Where block steps are in their longest one, in the shortest ones there may be: ticks.
typedef struct {
  i32 blocks;   ///< 0: steps are shared, and all gas is due
  i32 tick;     ///< now
  i32 least;    ///< those on this rung and deeper are due
  i32 deepest;  ///< the longest step has 2^deepest ticks
  pos_t ticks;  ///< a tick in time
} GasClock;

/// Ticks of a step on `rung`.
HB_FN i32 ticks_of(GasClock clock, i32 rung) { return 1 << (clock.deepest - rung); }

/// Where the step on `rung` ends that is under way now or ends now.
HB_FN i32 end_of_step(GasClock clock, i32 rung) {
  const i32 ticks = ticks_of(clock, rung);
  return (clock.tick + ticks - 1) / ticks * ticks;
}

/// Where the next steps on `rung` end.
HB_FN i32 next_end(GasClock clock, i32 rung) {
  const i32 ticks = ticks_of(clock, rung);
  return (clock.tick / ticks + 1) * ticks;
}

/// Whether a particle of these held_rungs() is due.
HB_FN bool is_due(GasClock clock, u32 held) { return !clock.blocks || rung_of(held) >= clock.least; }

/// Time since the middle of a step, where its velocity and energy stand.
HB_FN pos_t since_middle(GasClock clock, i32 begun, i32 end) {
  return ((pos_t)(clock.tick - begun) + (pos_t)(clock.tick - end)) * (clock.ticks / 2);
}

/// Neighbours are at most so many rungs apart: half as many as Saitoh & Makino (2009) found to do, for the energy's
/// sake (docs/gas.md).
#define HB_RUNGS_APART 1
/// Rungs as they are compared from many sides at once, by minima: less is deeper.
HB_FN u32 height_of(i32 rung) { return (u32)(HB_DEEPEST_RUNG - rung); }
HB_FN i32 rung_at(u32 height) { return HB_DEEPEST_RUNG - (i32)height; }

/// Whether a particle of that H is gas.
HB_FN bool is_gas(pos_t smooth) { return smooth > 0; }

/// Within bounds.
HB_FN pos_t bounded_smooth(GasRule rule, pos_t smooth) { return hb_min(hb_max(smooth, rule.least), rule.most); }

/// H of particle i from the smallest cell around it that holds as many as are wanted; none of the tree's particles need
/// be alike.
HB_FN pos_t guessed_smooth(GasRule rule, CellsView cells, i32 i) {
  const pos_t wanted = rule.crowd * 4;  // n_H, about
  i32 c = 0, at = 0;
  while (cells.children[c] > 0) {
    at = cells.child[c];
    while (i >= cells.first[at] + cells.count[at]) ++at;
    if (cells.count[at] < wanted) break;
    c = at;
  }
  const pos_t edge = hb_max(cells.high_x[c] - cells.low_x[c],
                            hb_max(cells.high_y[c] - cells.low_y[c], cells.high_z[c] - cells.low_z[c]));
  return bounded_smooth(rule, edge * hb_exp(hb_log(rule.crowd / (pos_t)cells.count[c]) / 3));
}

/// One turn of the iteration for H.
typedef struct {
  pos_t smooth, low, high;  ///< H, and the bracket of the H wanted
  pos_t density, omega;     ///< of what is done
  i32 done;                 ///< 1: H is found; 2: it is at a bound
} SmoothingTurn;

/// Whether a step from one end of the bracket goes to within an eighth of its other end, which has been tried. Next to
/// a heavy body the sums of light gas rise so steeply that two such steps lead back to where they began.
HB_FN bool jumps_across(GasRule rule, SmoothingTurn next, pos_t excess, pos_t to) {
  const pos_t eighth = hb_sqrt(hb_sqrt(hb_sqrt(next.high / next.low)));
  if (excess < 0) return to * eighth > next.high && next.high < rule.most * (pos_t)1.5f;
  return to < next.low * eighth && next.low > rule.least * (pos_t)0.75f;
}

/// From S = sum of m_j w and T = sum of m_j q w' at H to the next H. C S(H) / m is rule.crowd where H is the one
/// wanted; as S grows about as H^3, Newton's step is taken in logarithms (docs/gas.md eq. 4). It stays within a factor
/// of two and within the bracket, else halves this: it ends for every arrangement of particles.
HB_FN SmoothingTurn turn_of_smooth(GasRule rule, SmoothingTurn now, pos_t mass, pos_t S, pos_t T) {
  const pos_t h = now.smooth, growth = -T / S;  // d ln S / d ln H
  const pos_t excess = hb_log(rule.norm * S / (rule.crowd * mass));
  SmoothingTurn next = now;
  if (excess < 0) {
    next.low = h;
  } else {
    next.high = h;
  }
  const pos_t wanted = growth > 0 ? -excess / growth : (pos_t)(excess < 0 ? 1 : -1);
  const pos_t rounding = 2e-7f;  // of H as sums take it, in which one at a bound must be found to be there
  const bool at_bound =
      (excess < 0 && h >= rule.most * (1 - rounding)) || (excess > 0 && h <= rule.least * (1 + rounding));
  const bool closed = next.high <= next.low * (1 + rule.tolerance / 8);
  const pos_t inv = 1 / h;
  next.done = at_bound ? 2 : closed || hb_abs(wanted) <= rule.tolerance ? 1 : 0;
  // an H that is held does not follow the density, and lends it no gradient of its own
  next.omega = next.done == 2 && growth > 0 ? 1 : growth / 3;
  next.density = rule.norm * S * inv * inv * inv;
  if (next.done == 1 && !closed) {  // to first order: what is left is the square
    next.smooth = h * (1 + wanted);
    next.density *= (1 + growth * wanted) / ((1 + wanted) * (1 + wanted) * (1 + wanted));
  }
  if (next.done) return next;
  const pos_t factor = hb_exp(hb_min(hb_max(wanted, -(pos_t)0.69314718f), (pos_t)0.69314718f));
  pos_t to = h * factor;
  if (!(to > next.low && to < next.high) || jumps_across(rule, next, excess, to)) to = hb_sqrt(next.low * next.high);
  next.smooth = bounded_smooth(rule, to);
  return next;
}

/// ln of how far gas goes apart along each axis in dt; the iteration for H that follows mends what is beyond.
HB_FN pos_t predicted_growth(pos_t divergence, pos_t dt) {
  const pos_t most = 0.5f;
  return hb_min(hb_max(dt * divergence / 3, -most), most);
}

/// H after dt: the mass within stays.
HB_FN pos_t predicted_smooth(pos_t smooth, pos_t divergence, pos_t dt) {
  return smooth * hb_exp(predicted_growth(divergence, dt));
}

/// rho after dt.
HB_FN pos_t predicted_density(pos_t density, pos_t divergence, pos_t dt) {
  return density * hb_exp(-3 * predicted_growth(divergence, dt));
}

/// v at the time of the evaluation, from the last kick on.
HB_FN pos_t gas_predicted(pos_t value, pos_t rate, pos_t since) { return value + rate * since; }

/// The same of the internal energy, to the same order and never below 0 where that is its bound.
HB_FN pos_t gas_predicted_energy(pos_t u, pos_t rate, pos_t since, bool bounded) {
  const pos_t change = rate * since;
  if (!bounded) return u + change;
  if (change >= 0 || !(u > 0)) return hb_max(u + change, (pos_t)0);
  return u * (u / (u - change));
}

/// What a particle's state gives to its neighbours' sums.
typedef struct {
  pos_t pressure, sound;
  pos_t push;    ///< P / (Omega rho^2)
  pos_t volume;  ///< 1 / (Omega rho)
} GasTerms;

/// 1 / (Omega rho); a particle that meets none elsewhere has no gradient, and Omega 0.
HB_FN pos_t specific_volume(pos_t omega, pos_t density) { return omega > 0 ? 1 / (omega * density) : 0; }

HB_FN GasTerms gas_terms(GasState state, pos_t density, pos_t omega) {
  GasTerms terms;
  terms.pressure = state.pressure;
  terms.sound = omega > 0 ? state.sound : 0;  // it sends no signals, and asks for no steps
  terms.volume = specific_volume(omega, density);
  terms.push = state.pressure * terms.volume / density;
  return terms;
}

/// The viscosity of a particle after a step, from what it was and what the flow around it says.
HB_FN pos_t next_alpha(GasRule rule, pos_t alpha, ShockSigns signs, pos_t lapse) {
  if (rule.viscosity == HB_VISCOSITY_BALSARA) return rule.alpha * balsara(signs);
  if (rule.viscosity != HB_VISCOSITY_CULLEN_DEHNEN) return rule.alpha;
  return relaxed_alpha(alpha, hb_max(alpha_of_flow(signs, rule.alpha), rule.alpha_min), signs, lapse);
}

/// Where a row of gas_state_row() has the internal energy.
#define HB_STATE_ENERGY 11

/// The part of a particle's state that its density makes, to its row; one that is no gas has none.
HB_FN void gas_state_row(HB_GLOBAL real* row, GasRule rule, GasTerms terms, pos_t smooth, pos_t density, pos_t u,
                         pos_t alpha, u32 material) {
  const pos_t in_h = smooth * rule.length_unit, inverse = smooth > 0 ? 1 / in_h : 0, inverse2 = inverse * inverse;
  const pos_t speed2 = rule.speed_unit * rule.speed_unit;
  const pos_t in_density = rule.length_unit * rule.length_unit * rule.length_unit * rule.mass_unit;  // user's per it
  const pos_t steep = rule.norm * (inverse2 * inverse2 * inverse) * in_density;
  row[3] = hb_narrow(terms.push * speed2 * steep);
  row[8] = hb_narrow(terms.volume * steep);
  row[9] = hb_narrow(alpha * terms.sound * rule.speed_unit);
  row[10] = hb_narrow(terms.sound * rule.speed_unit);
  row[HB_STATE_ENERGY] = hb_narrow(u * speed2);
  row[12] = hb_narrow(terms.pressure * speed2 / in_density);
  row[13] = smooth > 0 ? hb_narrow(density / in_density) : 1;
  row[14] = (real)material;
  row[15] = hb_narrow(inverse);
}

/// Reals of a row of rates of strain.
#define HB_STRAIN_ROW 8

/// The rates of strain of a particle's surroundings, internal, to its row.
HB_FN void gas_strain_row(HB_GLOBAL real* row, GasRule rule, Vector3 stretch, Vector3 shear) {
  const pos_t unit = rule.speed_unit / rule.length_unit;
  row[0] = hb_narrow(stretch.x * unit);
  row[1] = hb_narrow(stretch.y * unit);
  row[2] = hb_narrow(stretch.z * unit);
  row[3] = hb_narrow(shear.x * unit);
  row[4] = hb_narrow(shear.y * unit);
  row[5] = hb_narrow(shear.z * unit);
  row[6] = row[7] = 0;
}

/// The radius within which gas is softened by its kernel: H, but no less than that of the fixed softening of walks.
HB_FN pos_t softening_reach(GasRule rule, pos_t smooth, real soft2) {
  return hb_max(smooth, (pos_t)HB_SPLINE_REACH * hb_sqrt(2 * (pos_t)soft2) / rule.length_unit);
}

/// What the slope of the kernel is multiplied with for the attraction of a changing H (docs/gas.md eq. 25), internal.
HB_FN real softening_slope(GasRule rule, pos_t zeta, pos_t smooth) {
  const pos_t in_h = smooth * rule.length_unit, in_zeta = zeta * rule.length_unit * rule.length_unit;
  const pos_t inverse = smooth > 0 ? 1 / in_h : 0, inverse2 = inverse * inverse;
  return hb_narrow(-rule.norm / 2 * in_zeta * (inverse2 * inverse2 * inverse));
}

/// What the attraction of softened gas reads of a particle, to its row, in place of the accelerations of density sums.
HB_FN void gas_softening_row(HB_GLOBAL real* row, GasRule rule, real soft2, pos_t zeta, pos_t spread) {
  row[4] = soft2;
  row[5] = softening_slope(rule, zeta, spread);
  row[6] = spread > 0 ? hb_narrow(1 / (spread * rule.length_unit)) : 0;
}

/// The part of the internal energy that a particle may lose in one step.
#define HB_MOST_LOST 0.25f

/// The rate that balances the work of kicks (docs/gas.md eq. 15b): `turned` is a . (a - a before), `lapse` the time
/// between the two. It is of second order in the step, while what cold gas loses to its neighbours is in proportion to
/// u: where u is 0 it takes nothing, and elsewhere no more in a step than may be lost in one.
HB_FN pos_t balancing_rate(pos_t turned, pos_t lapse, pos_t u, bool bounded) {
  const pos_t rate = turned * lapse / 4;
  return bounded && lapse > 0 ? hb_min(rate, (pos_t)HB_MOST_LOST * u / lapse) : rate;
}

/// Returns the inverse of the longest step that a particle allows. It follows Courant's criterion and the acceleration,
/// and no more than a quarter of the energy may be lost in it.
HB_FN pos_t inverse_gas_step(pos_t smooth, pos_t signal, pos_t pull, pos_t u, pos_t rate, pos_t courant,
                             pos_t force_step, i32 bounded) {
  const pos_t h = smooth / 2;
  pos_t inverse = hb_max(signal / (courant * h), hb_sqrt(pull / h) / force_step);
  if (bounded && rate < 0 && u > 0) inverse = hb_max(inverse, -rate / ((pos_t)HB_MOST_LOST * u));
  return inverse;
}

HB_CLOSE
#endif
