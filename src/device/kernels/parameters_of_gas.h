// SPDX-License-Identifier: Apache-2.0
// Parameters of the kernels of gas (interactions/sph/kernels/gas.h), see signature.h.
#ifndef HORNBEAM_DEVICE_KERNELS_PARAMETERS_OF_GAS_H
#define HORNBEAM_DEVICE_KERNELS_PARAMETERS_OF_GAS_H

#define HB_PARAMETERS_guess_smooth(FIRST, AND) \
  FIRST(VALUE, GasRule, rule)                  \
  AND(VALUE, i32, n)                           \
  AND(ARRAY, pos_t, smooth)                    \
  AND(CELLS, CellArrays, cells)
#define HB_PARAMETERS_predict_gas(FIRST, AND) \
  FIRST(VALUE, GasRule, rule)                 \
  AND(VALUE, i32, n)                          \
  AND(ARRAY, const real, mass)                \
  AND(VELOCITIES, const pos_t, velocity)      \
  AND(VECTORS, const pos_t, pull)             \
  AND(ARRAY, const pos_t, u)                  \
  AND(ARRAY, const pos_t, u_rate)             \
  AND(ARRAY, const pos_t, divergence)         \
  AND(ARRAY, pos_t, smooth)                   \
  AND(VECTORS, pos_t, vel)                    \
  AND(ARRAY, pos_t, energy)                   \
  AND(ARRAY, pos_t, gas_mass)                 \
  AND(ARRAY, pos_t, bound_low)                \
  AND(ARRAY, pos_t, bound_high)               \
  AND(ARRAY, u32, settled)
#define HB_PARAMETERS_find_gas_terms(FIRST, AND) \
  FIRST(VALUE, GasRule, rule)                    \
  AND(VALUE, i32, n)                             \
  AND(ARRAY, const MaterialLaw, laws)            \
  AND(ARRAY, const pos_t, tables)                \
  AND(OPTIONAL, const u32, material)             \
  AND(ARRAY, const pos_t, smooth)                \
  AND(ARRAY, const pos_t, density)               \
  AND(ARRAY, const pos_t, omega)                 \
  AND(ARRAY, pos_t, u)                           \
  AND(ARRAY, pos_t, energy)                      \
  AND(ARRAY, pos_t, pressure)                    \
  AND(ARRAY, pos_t, sound)                       \
  AND(ARRAY, pos_t, push)                        \
  AND(ARRAY, pos_t, volume)
#define HB_PARAMETERS_remember_pulls(FIRST, AND) \
  FIRST(VECTORS, const real, acc)                \
  AND(VALUE, i32, n)                             \
  AND(VALUE, pos_t, unit)                        \
  AND(VECTORS, pos_t, pull)
#define HB_PARAMETERS_kick_energies(FIRST, AND) \
  FIRST(ARRAY, const pos_t, u_rate)             \
  AND(VALUE, i32, n)                            \
  AND(VALUE, pos_t, step)                       \
  AND(ARRAY, pos_t, u)                          \
  AND(ARRAY, u32, below)
#define HB_PARAMETERS_find_gas_steps(FIRST, AND) \
  FIRST(VALUE, i32, n)                           \
  AND(VALUE, pos_t, courant)                     \
  AND(VALUE, pos_t, force_step)                  \
  AND(ARRAY, const pos_t, smooth)                \
  AND(ARRAY, const pos_t, signal)                \
  AND(VECTORS, const pos_t, pull)                \
  AND(ARRAY, const pos_t, u)                     \
  AND(ARRAY, const pos_t, u_rate)                \
  AND(ARRAY, pos_t, inverse)

#endif
