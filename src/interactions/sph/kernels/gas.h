// SPDX-License-Identifier: Apache-2.0
// What is done to each particle of gas between its sums, by items: stages/gas.h. Arrays of what is no gas hold 0.
#ifndef HORNBEAM_INTERACTIONS_SPH_KERNELS_GAS_H
#define HORNBEAM_INTERACTIONS_SPH_KERNELS_GAS_H
#include "device/kernels/language.h"
#include "stages/gas.h"
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
    const MaterialLaw law = laws[material ? material[i] : 0];
    energy[i] = material_energy(law, tables, density[i], energy[i]);
    if (!has_energy(rule.law)) u[i] = energy[i];
    terms = gas_terms(material_state(law, tables, density[i], energy[i]), density[i], omega[i]);
  }
  pressure[i] = terms.pressure;
  sound[i] = terms.sound;
  push[i] = terms.push;
  volume[i] = terms.volume;
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
