// SPDX-License-Identifier: Apache-2.0
// Equations of state: pressure and sound speed of gas from its density and internal energy (docs/gas.md).
#ifndef HORNBEAM_PHYSICS_EQUATION_OF_STATE_H
#define HORNBEAM_PHYSICS_EQUATION_OF_STATE_H
#include "physics/exponential.h"
#include "physics/logarithm.h"
HB_OPEN

// in the order of EquationOfState (hornbeam/gas.h)
#define HB_EOS_NONE 0
#define HB_EOS_IDEAL 1
#define HB_EOS_ISOTHERMAL 2
#define HB_EOS_POLYTROPE 3
#define HB_EOS_BAROTROPIC 4
#define HB_EOS_PIECEWISE 5
#define HB_EOS_TILLOTSON 6
#define HB_EOS_MATERIALS 7
// of a material alone
#define HB_EOS_TABLE 8

typedef struct {
  i32 kind;
  pos_t gamma;     ///< adiabatic index
  pos_t speed2;    ///< isothermal, barotropic: squared sound speed of thin gas
  pos_t factor;    ///< polytrope: K of P = K rho^gamma
  pos_t critical;  ///< barotropic: density above which the gas no longer cools
} GasLaw;

typedef struct {
  pos_t pressure, sound;
} GasState;

/// Whether the internal energy is a quantity of its own; else what the density makes of the gas is all there is.
HB_FN bool has_energy(GasLaw law) { return law.kind == HB_EOS_IDEAL || law.kind >= HB_EOS_TILLOTSON; }

/// Whether the internal energy is heat, and so never below 0. That of condensed matter counts from matter at rest under
/// no pressure: what is cold and stretched may have less.
HB_FN bool is_heat(GasLaw law) { return law.kind < HB_EOS_TILLOTSON; }

/// Of kinds up to HB_EOS_BAROTROPIC; the others are materials (physics/material.h). rho > 0, u >= 0 the internal energy
/// per unit mass.
HB_FN GasState gas_state(GasLaw law, pos_t rho, pos_t u) {
  GasState state;
  pos_t sound2;
  if (law.kind == HB_EOS_IDEAL) {
    state.pressure = (law.gamma - 1) * rho * u;
    sound2 = law.gamma * (law.gamma - 1) * u;
  } else if (law.kind == HB_EOS_POLYTROPE) {
    const pos_t over_rho = law.factor * hb_pow(rho, law.gamma - 1);
    state.pressure = over_rho * rho;
    sound2 = law.gamma * over_rho;
  } else if (law.kind == HB_EOS_BAROTROPIC) {
    const pos_t hot = hb_pow(rho / law.critical, law.gamma - 1);  // c^2 = dP / d rho
    state.pressure = law.speed2 * rho * (1 + hot);
    sound2 = law.speed2 * (1 + law.gamma * hot);
  } else {
    state.pressure = law.speed2 * rho;
    sound2 = law.speed2;
  }
  state.sound = hb_sqrt(sound2);
  return state;
}

/// Returns the internal energy that belongs to a density if gas has none of its own. It is the work of compression from
/// rho = 0 (polytrope, barotropic: beyond the isothermal part). Isothermal gas, whose work has no end, gets the energy
/// of ideal gas of its pressure, so that files have its temperature. Gas with u keeps it.
HB_FN pos_t internal_energy(GasLaw law, pos_t rho, pos_t u) {
  if (law.kind == HB_EOS_ISOTHERMAL) return law.speed2 / (law.gamma - 1);
  if (law.kind == HB_EOS_POLYTROPE) return law.factor * hb_pow(rho, law.gamma - 1) / (law.gamma - 1);
  if (law.kind == HB_EOS_BAROTROPIC) return law.speed2 * hb_pow(rho / law.critical, law.gamma - 1) / (law.gamma - 1);
  return u;
}

/// Returns the energy per mass that is conserved, with kinetic and potential energy, in flows without shocks. It is u,
/// and for isothermal and barotropic gas also the work c^2 ln rho against c^2 rho (the free energy). Its zero is at rho
/// = 1 of the user's units.
HB_FN pos_t kept_energy(GasLaw law, pos_t rho, pos_t u) {
  if (law.kind == HB_EOS_ISOTHERMAL) return law.speed2 * hb_log(rho);
  if (law.kind == HB_EOS_BAROTROPIC) return u + law.speed2 * hb_log(rho);
  return u;
}

HB_CLOSE
#endif
