// SPDX-License-Identifier: Apache-2.0
// gas: what is done to one particle of gas between its sums (interactions/sph): guess and prediction before them, the
// state that its density makes, steps and kicks after. All in the user's units, in pos_t.
#ifndef HORNBEAM_STAGES_GAS_H
#define HORNBEAM_STAGES_GAS_H
#include "physics/material.h"
#include "physics/sph_kernel.h"
#include "physics/viscosity.h"
#include "stages/views.h"
HB_OPEN

/// What is the same for all gas of one evaluation.
typedef struct {
  GasLaw law;
  i32 shape;          ///< kernel: HB_WENDLAND_C2, ...
  i32 viscosity;      ///< HB_VISCOSITY_FIXED, ...
  i32 pulls;          ///< whether gravity acts: then conduction goes by relative speeds
  i32 mixes;          ///< whether there are several materials: heat is conducted between equal ones alone
  pos_t norm;         ///< C of the kernel
  pos_t crowd;        ///< C S / m at the H wanted: 3 n_H / (4 pi)
  pos_t tolerance;    ///< of H
  pos_t least, most;  ///< bounds of H
  pos_t alpha, alpha_min, beta, conductivity;
  pos_t since;      ///< time from the last kick to that of the evaluation
  pos_t step;       ///< time since the last evaluation
  pos_t mass_unit;  ///< the user's mass per internal one
} GasRule;

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
  const bool at_bound = (excess < 0 && h >= rule.most) || (excess > 0 && h <= rule.least);
  const bool closed = next.high <= next.low * (1 + rule.tolerance / 8);
  const pos_t inv = 1 / h;
  next.omega = growth / 3;
  next.density = rule.norm * S * inv * inv * inv;
  next.done = at_bound ? 2 : closed || hb_abs(wanted) <= rule.tolerance ? 1 : 0;
  if (next.done == 1 && !closed) {  // to first order: what is left is the square
    next.smooth = h * (1 + wanted);
    next.density *= (1 + growth * wanted) / ((1 + wanted) * (1 + wanted) * (1 + wanted));
  }
  if (next.done) return next;
  const pos_t factor = hb_exp(hb_min(hb_max(wanted, -(pos_t)0.69314718f), (pos_t)0.69314718f));
  pos_t to = h * factor;
  if (!(to > next.low && to < next.high)) to = hb_sqrt(next.low * next.high);
  next.smooth = bounded_smooth(rule, to);
  return next;
}

/// H after dt: the mass within stays.
HB_FN pos_t predicted_smooth(pos_t smooth, pos_t divergence, pos_t dt) {
  const pos_t most = 0.5f;  // the iteration that follows mends the rest
  return smooth * hb_exp(hb_min(hb_max(dt * divergence / 3, -most), most));
}

/// v at the time of the evaluation, from the last kick on.
HB_FN pos_t gas_predicted(pos_t value, pos_t rate, pos_t since) { return value + rate * since; }

/// The same of the internal energy, to the same order and never below 0.
HB_FN pos_t gas_predicted_energy(pos_t u, pos_t rate, pos_t since) {
  const pos_t change = rate * since;
  if (change >= 0 || !(u > 0)) return hb_max(u + change, (pos_t)0);
  return u * (u / (u - change));
}

/// What a particle's state gives to its neighbours' sums.
typedef struct {
  pos_t pressure, sound;
  pos_t push;    ///< P / (Omega rho^2)
  pos_t volume;  ///< 1 / (Omega rho)
} GasTerms;

HB_FN GasTerms gas_terms(GasState state, pos_t density, pos_t omega) {
  GasTerms terms;
  terms.pressure = state.pressure;
  terms.sound = state.sound;
  // a particle that meets nobody else has no gradient, and Omega 0
  terms.volume = omega > 0 ? 1 / (omega * density) : 0;
  terms.push = state.pressure * terms.volume / density;
  return terms;
}

/// The inverse of the longest step that a particle allows: by Courant's criterion, by its acceleration, and so that no
/// more than a quarter of its energy is lost in it.
HB_FN pos_t inverse_gas_step(pos_t smooth, pos_t signal, pos_t pull, pos_t u, pos_t rate, pos_t courant,
                             pos_t force_step) {
  const pos_t h = smooth / 2, most_lost = 0.25f;
  pos_t inverse = hb_max(signal / (courant * h), hb_sqrt(pull / h) / force_step);
  if (rate < 0 && u > 0) inverse = hb_max(inverse, -rate / (most_lost * u));
  return inverse;
}

HB_CLOSE
#endif
