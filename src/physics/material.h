// SPDX-License-Identifier: Apache-2.0
// One of several materials of gas: whichever law it follows, its pressure and sound speed from density and internal
// energy. Laws are in an array, an entry a material; the values of their tables one after the other in another.
#ifndef HORNBEAM_PHYSICS_MATERIAL_H
#define HORNBEAM_PHYSICS_MATERIAL_H
#include "physics/state_table.h"
#include "physics/tillotson.h"
HB_OPEN

typedef struct {
  i32 kind;     ///< HB_EOS_IDEAL, ...
  i32 first;    ///< of its numbers in the array of tables
  i32 rows;     ///< densities of a table; pieces of a polytrope
  i32 columns;  ///< temperatures of a table
  GasLaw gas;   ///< kinds up to HB_EOS_BAROTROPIC
  TillotsonLaw tillotson;
} MaterialLaw;

/// The state at rho > 0; among materials, whose u is not bounded by 0 (is_heat()), that of u < 0 is that of u = 0.
HB_FN GasState material_state(MaterialLaw law, HB_GLOBAL const pos_t* tables, pos_t rho, pos_t u) {
  const pos_t warm = u < 0 ? (pos_t)0 : u;
  if (law.kind == HB_EOS_TILLOTSON) return tillotson_state(law.tillotson, rho, warm);
  if (law.kind == HB_EOS_TABLE) return table_state(tables + law.first, law.rows, law.columns, rho, warm);
  if (law.kind == HB_EOS_PIECEWISE) return piecewise_state(tables + law.first, law.rows, rho);
  return gas_state(law.gas, rho, warm);
}

/// The internal energy that goes with a density where it has none of its own; u itself where it has.
HB_FN pos_t material_energy(MaterialLaw law, HB_GLOBAL const pos_t* tables, pos_t rho, pos_t u) {
  if (law.kind == HB_EOS_PIECEWISE) return piecewise_energy(tables + law.first, law.rows, rho);
  return internal_energy(law.gas, rho, u);
}

HB_CLOSE
#endif
