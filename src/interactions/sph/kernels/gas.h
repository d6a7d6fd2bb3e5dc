// SPDX-License-Identifier: Apache-2.0
// What is done to each particle of gas between its sums, by items: stages/gas.h. Arrays of what is no gas hold 0.
#ifndef HORNBEAM_INTERACTIONS_SPH_KERNELS_GAS_H
#define HORNBEAM_INTERACTIONS_SPH_KERNELS_GAS_H
#include "device/kernels/language.h"
#include "stages/gas.h"
#include "walk/gather.h"
HB_KERNELS_OPEN

/// The first H of all gas, from the tree.
HB_KERNEL(guess_smooth) {
  HB_CELLS(cells)
  const i32 i = hb_item();
  if (i < n && is_gas(smooth[i])) smooth[i] = guessed_smooth(rule, cells, i);
}

/// Velocities, energies and H at the time of the evaluation, and the bracket of H.
HB_KERNEL(predict_gas) {
  const i32 i = hb_item();
  if (i >= n) return;
  const bool gas = is_gas(smooth[i]);
  gas_mass[i] = gas ? (pos_t)mass[i] * rule.mass_unit : 0;
  settled[i] = gas ? 0u : 1u;
  vel_x[i] = gas_predicted(vx[i], pull_x[i], rule.since);
  vel_y[i] = gas_predicted(vy[i], pull_y[i], rule.since);
  vel_z[i] = gas_predicted(vz[i], pull_z[i], rule.since);
  energy[i] = gas_predicted_energy(u[i], u_rate[i], rule.since);
  if (!gas) return;
  smooth[i] = bounded_smooth(rule, predicted_smooth(smooth[i], divergence[i], rule.step));
  bound_low[i] = rule.least * 0.5f;
  bound_high[i] = rule.most * 2;
}

/// Places, masses, velocities and accelerations of gas as the sums over neighbours read them; others have no mass
/// there.
HB_KERNEL(place_gas) {
  const i32 i = hb_item();
  if (i >= n) return;
  const bool gas = is_gas(smooth[i]);
  place_row(places, i, two_part_place(frame, x[i], y[i], z[i]), gas ? mass[i] : 0,
            gas ? hb_narrow(smooth[i] * frame.unit) : 0);
  HB_GLOBAL real* row = states + (u64)i * HB_STATE_ROW;
  const pos_t pull = pull_unit(rule);
  row[0] = hb_narrow(vel_x[i] * rule.speed_unit);
  row[1] = hb_narrow(vel_y[i] * rule.speed_unit);
  row[2] = hb_narrow(vel_z[i] * rule.speed_unit);
  row[4] = hb_narrow(pull_x[i] * pull);
  row[5] = hb_narrow(pull_y[i] * pull);
  row[6] = hb_narrow(pull_z[i] * pull);
  row[7] = 0;
}

/// What its density makes of each particle of gas.
HB_KERNEL(find_gas_terms) {
  const i32 i = hb_item();
  if (i >= n) return;
  GasTerms terms;
  terms.pressure = 0;
  terms.sound = 0;
  terms.push = 0;
  terms.volume = 0;
  if (is_gas(smooth[i])) {
    energy[i] = internal_energy(rule.law, density[i], energy[i]);
    if (!has_energy(rule.law)) u[i] = energy[i];
    terms = gas_terms(rule.law, density[i], omega[i], energy[i]);
  }
  ShockSigns signs;
  signs.divergence = divergence[i];
  signs.curl = curl[i];
  signs.change = change[i];
  signs.sound = terms.sound;
  signs.smooth = smooth[i];
  if (is_gas(smooth[i])) alpha[i] = next_alpha(rule, alpha[i], signs);
  places[(u64)i * HB_PLACE_ROW + 7] = hb_narrow(smooth[i] * rule.length_unit);
  gas_state_row(states + (u64)i * HB_STATE_ROW, rule, terms, smooth[i], density[i], energy[i], alpha[i]);
}

/// Accelerations in the user's units.
HB_KERNEL(remember_pulls) {
  const i32 i = hb_item();
  if (i >= n) return;
  pull_x[i] = (pos_t)acc_x[i] * unit;
  pull_y[i] = (pos_t)acc_y[i] * unit;
  pull_z[i] = (pos_t)acc_z[i] * unit;
}

/// The kick of the internal energy; *below: how many it leaves below 0.
HB_KERNEL(kick_energies) {
  const i32 i = hb_item();
  if (i >= n) return;
  u[i] += u_rate[i] * step;
  if (u[i] < 0) hb_atomic_add(below, 1u);
}

/// The inverse of the longest step that each particle of gas allows.
HB_KERNEL(find_gas_steps) {
  const i32 i = hb_item();
  if (i >= n) return;
  const pos_t pull = hb_sqrt((pull_x[i] * pull_x[i] + pull_y[i] * pull_y[i]) + pull_z[i] * pull_z[i]);
  inverse[i] =
      is_gas(smooth[i]) ? inverse_gas_step(smooth[i], signal[i], pull, u[i], u_rate[i], courant, force_step) : 0;
}

HB_KERNELS_CLOSE
#endif
