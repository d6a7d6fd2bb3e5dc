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

/// Velocities, energies, H and densities at the time of the evaluation, and the bracket of H; which gas is due, its
/// mass in due_mass, and how much, added to *due. What sums over neighbours read of it goes to its rows; what is no gas
/// has no mass there.
HB_KERNEL(predict_gas) {
  const i32 i = hb_item();
  if (i >= n) return;
  const bool gas = is_gas(smooth[i]), wanted = gas && (!clock.blocks || is_due(clock, rungs[i]));
  const i32 from = clock.blocks ? (i32)begun[i] : 0, end = clock.blocks ? end_of_step(clock, rung_of(rungs[i])) : 0;
  const pos_t since = clock.blocks ? since_middle(clock, from, end) : rule.since;
  gas_mass[i] = gas ? (pos_t)mass[i] * rule.mass_unit : 0;
  due_mass[i] = wanted ? gas_mass[i] : 0;
  settled[i] = wanted ? 0u : 1u;
  lapse[i] = clock.blocks ? (pos_t)(clock.tick - from) * clock.ticks : rule.step;
  if (clock.blocks && wanted) hb_atomic_add(due, 1u);
  energy[i] = gas_predicted_energy(u[i], u_rate[i], since, is_heat(rule.law));
  if (gas) {
    if (!wanted) density[i] = predicted_density(density[i], divergence[i], rule.step);
    smooth[i] = bounded_smooth(rule, predicted_smooth(smooth[i], divergence[i], rule.step));
    bound_low[i] = rule.least * 0.5f;
    bound_high[i] = rule.most * 2;
  }
  place_row(places, i, split_in_frame(frame, x[i], y[i], z[i]), gas ? mass[i] : 0,
            gas ? hb_narrow(smooth[i] * frame.unit) : 0);
  HB_GLOBAL real* row = states + (u64)i * HB_STATE_ROW;
  const pos_t pull = pull_unit(rule);
  row[0] = hb_narrow(gas_predicted(vx[i], pull_x[i], since) * rule.speed_unit);
  row[1] = hb_narrow(gas_predicted(vy[i], pull_y[i], since) * rule.speed_unit);
  row[2] = hb_narrow(gas_predicted(vz[i], pull_z[i], since) * rule.speed_unit);
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
    const MaterialLaw law = laws[material ? material[i] : 0];
    energy[i] = material_energy(law, tables, density[i], energy[i]);
    if (!has_energy(rule.law)) u[i] = energy[i];
    terms = gas_terms(material_state(law, tables, density[i], energy[i]), density[i], omega[i]);
  }
  ShockSigns signs;
  signs.divergence = divergence[i];
  signs.curl = curl[i];
  signs.change = change[i];
  signs.sound = terms.sound;
  signs.smooth = smooth[i];
  if (due_mass[i] > 0) alpha[i] = next_alpha(rule, alpha[i], signs, lapse[i]);
  places[(u64)i * HB_PLACE_ROW + 7] = hb_narrow(smooth[i] * rule.length_unit);
  gas_state_row(states + (u64)i * HB_STATE_ROW, rule, terms, smooth[i], density[i], energy[i], alpha[i],
                rule.mixes ? material[i] : 0u);
}

/// How far gas is softened that is so by its H, and what sums over accelerations read of it.
HB_KERNEL(soften_gas) {
  const i32 i = hb_item();
  if (i >= n) return;
  const bool gas = is_gas(smooth[i]);
  spread[i] = gas ? softening_reach(rule, smooth[i], soft2[i]) : 0;
  places[(u64)i * HB_PLACE_ROW + 7] = hb_narrow(spread[i] * rule.length_unit);
  gas_softening_row(states + (u64)i * HB_STATE_ROW, rule, soft2[i], gas && spread[i] == smooth[i] ? zeta[i] : 0,
                    spread[i]);
}

/// What viscosity reads of the flow around each particle where it reconstructs velocities.
HB_KERNEL(strain_gas) {
  const i32 i = hb_item();
  if (i >= n) return;
  gas_strain_row(strains + (u64)i * HB_STRAIN_ROW, rule, vector3(stretch_x[i], stretch_y[i], stretch_z[i]),
                 vector3(shear_x[i], shear_y[i], shear_z[i]));
}

/// Accelerations in the user's units.
HB_KERNEL(remember_pulls) {
  const i32 i = hb_item();
  if (i >= n) return;
  pull_x[i] = (pos_t)acc_x[i] * unit;
  pull_y[i] = (pos_t)acc_y[i] * unit;
  pull_z[i] = (pos_t)acc_z[i] * unit;
}

/// What attracts each particle of gas that is due, before gas adds to it.
HB_KERNEL(keep_falls) {
  const i32 i = hb_item();
  if (i >= n || !(due_mass[i] > 0)) return;
  fall_x[i] = acc_x[i];
  fall_y[i] = acc_y[i];
  fall_z[i] = acc_z[i];
}

/// The kick of the internal energy; *below: how many it leaves below 0.
HB_KERNEL(kick_energies) {
  const i32 i = hb_item();
  if (i >= n) return;
  u[i] += u_rate[i] * step;
  if (u[i] < 0) hb_atomic_add(below, 1u);
}

/// Leaves accelerations of particles that are not due as they were when their steps began, of gas with what it added:
/// walks by groups find them, too.
HB_KERNEL(keep_accelerations) {
  const i32 i = hb_item();
  if (i >= n || is_due(clock, rungs[i])) return;
  const bool gas = is_gas(smooth[i]);
  acc_x[i] = gas ? (real)(pull_x[i] / unit) : before_x[i];
  acc_y[i] = gas ? (real)(pull_y[i] / unit) : before_y[i];
  acc_z[i] = gas ? (real)(pull_z[i] / unit) : before_z[i];
}

/// Kicks the internal energies of active gas by half of each step: by the part that has passed, or as steps begin.
/// Steps that have just been cut short continue. *below: how many it leaves below 0.
HB_KERNEL(step_energies) {
  const i32 i = hb_item();
  if (i >= n || !is_due(clock, rungs[i])) return;
  if (is_woken(rungs[i])) {
    rungs[i] -= HB_WOKEN;
    return;
  }
  const i32 ticks = begins ? ticks_of(clock, rung_of(rungs[i])) : clock.tick - (i32)begun[i];
  if (begins) begun[i] = (u32)clock.tick;
  u[i] += u_rate[i] * ((pos_t)ticks * (clock.ticks / 2));
  if (u[i] < 0) hb_atomic_add(below, 1u);
}

/// The heights to which limits may raise gas, from where it is; deeper: by how many rungs it is to go down.
HB_KERNEL(find_heights) {
  const i32 i = hb_item();
  if (i < n) height[i] = height_of(hb_min(rung_of(rungs[i]) + deeper, clock.deepest));
}

/// Gas that has to go to deeper rungs than it is on does so, and is marked by its mass in due_mass. What is not due is
/// woken: its step ends where the next one on that rung does, as if it had begun with that length: velocity, energy and
/// place become those of the shorter one. change[r] counts those who leave rung r, change[HB_CENSUS + r] those who
/// come, and change[2 HB_CENSUS] those woken.
HB_KERNEL(limit_rungs) {
  const i32 i = hb_item();
  if (i >= n) return;
  const i32 rung = rung_of(rungs[i]), to = rung_at(height[i]);
  const bool woken = is_woken(rungs[i]), due = rung >= clock.least && !woken;
  due_mass[i] = 0;
  if (to <= rung || !is_gas(smooth[i])) return;
  due_mass[i] = gas_mass[i];
  rungs[i] = held_rungs(to, rung_before(rungs[i])) | (due || to < clock.least ? 0u : HB_WOKEN);
  hb_atomic_add(change + rung, 1u);
  hb_atomic_add(change + HB_CENSUS + to, 1u);
  if (due) return;
  const i32 end = woken ? next_end(clock, rung) : end_of_step(clock, rung);
  const pos_t cut = (pos_t)(next_end(clock, to) - end) * (clock.ticks / 2);
  const pos_t passed = (pos_t)(clock.tick - (i32)begun[i]) * clock.ticks;
  const pos_t x_kick = pull_x[i] * cut, y_kick = pull_y[i] * cut, z_kick = pull_z[i] * cut;
  vx[i] += x_kick;
  vy[i] += y_kick;
  vz[i] += z_kick;
  x[i] += x_kick * passed;
  y[i] += y_kick * passed;
  z[i] += z_kick * passed;
  u[i] += u_rate[i] * cut;
  hb_atomic_add(change + 2 * HB_CENSUS, 1u);
}

/// The inverse of the longest step that each particle of gas allows, times `stricter`; below 0 of what is none.
/// bounded: whether energies stay above 0.
HB_KERNEL(find_gas_steps) {
  const i32 i = hb_item();
  if (i >= n) return;
  const pos_t pull = hb_sqrt((pull_x[i] * pull_x[i] + pull_y[i] * pull_y[i]) + pull_z[i] * pull_z[i]);
  const pos_t asked = inverse_gas_step(smooth[i], signal[i], pull, u[i], u_rate[i], courant, force_step, bounded);
  inverse[i] = is_gas(smooth[i]) ? asked * stricter : -1;
}

HB_KERNELS_CLOSE
#endif
