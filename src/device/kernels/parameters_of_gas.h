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
  FIRST(VALUE, GatherFrame, frame)            \
  AND(VALUE, GasRule, rule)                   \
  AND(VALUE, GasClock, clock)                 \
  AND(OPTIONAL, const u32, rungs)             \
  AND(ARRAY, const u32, begun)                \
  AND(VALUE, i32, n)                          \
  AND(POSITIONS, const pos_t, position)       \
  AND(ARRAY, const real, mass)                \
  AND(VELOCITIES, const pos_t, velocity)      \
  AND(VECTORS, const pos_t, pull)             \
  AND(ARRAY, const pos_t, u)                  \
  AND(ARRAY, const pos_t, u_rate)             \
  AND(ARRAY, const pos_t, divergence)         \
  AND(ARRAY, pos_t, smooth)                   \
  AND(ARRAY, pos_t, density)                  \
  AND(ARRAY, pos_t, energy)                   \
  AND(ARRAY, pos_t, gas_mass)                 \
  AND(ARRAY, pos_t, due_mass)                 \
  AND(ARRAY, pos_t, lapse)                    \
  AND(ARRAY, pos_t, bound_low)                \
  AND(ARRAY, pos_t, bound_high)               \
  AND(ARRAY, u32, settled)                    \
  AND(ARRAY, u32, due)                        \
  AND(ARRAY, real, places)                    \
  AND(ARRAY, real, states)
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
  AND(ARRAY, const pos_t, divergence)            \
  AND(ARRAY, const pos_t, curl)                  \
  AND(ARRAY, const pos_t, change)                \
  AND(ARRAY, const pos_t, due_mass)              \
  AND(ARRAY, const pos_t, lapse)                 \
  AND(ARRAY, pos_t, alpha)                       \
  AND(ARRAY, real, places)                       \
  AND(ARRAY, real, states)
#define HB_PARAMETERS_soften_gas(FIRST, AND) \
  FIRST(VALUE, GasRule, rule)                \
  AND(VALUE, i32, n)                         \
  AND(ARRAY, const real, soft2)              \
  AND(ARRAY, const pos_t, smooth)            \
  AND(ARRAY, const pos_t, zeta)              \
  AND(ARRAY, pos_t, spread)                  \
  AND(ARRAY, real, places)                   \
  AND(ARRAY, real, states)
#define HB_PARAMETERS_strain_gas(FIRST, AND) \
  FIRST(VALUE, GasRule, rule)                \
  AND(VALUE, i32, n)                         \
  AND(VECTORS, const pos_t, stretch)         \
  AND(VECTORS, const pos_t, shear)           \
  AND(ARRAY, real, strains)
#define HB_PARAMETERS_remember_pulls(FIRST, AND) \
  FIRST(VECTORS, const real, acc)                \
  AND(VALUE, i32, n)                             \
  AND(VALUE, pos_t, unit)                        \
  AND(VECTORS, pos_t, pull)
#define HB_PARAMETERS_keep_falls(FIRST, AND) \
  FIRST(VECTORS, const real, acc)            \
  AND(ARRAY, const pos_t, due_mass)          \
  AND(VALUE, i32, n)                         \
  AND(VECTORS, real, fall)
#define HB_PARAMETERS_kick_energies(FIRST, AND) \
  FIRST(ARRAY, const pos_t, u_rate)             \
  AND(VALUE, i32, n)                            \
  AND(VALUE, pos_t, step)                       \
  AND(ARRAY, pos_t, u)                          \
  AND(ARRAY, u32, below)
#define HB_PARAMETERS_keep_accelerations(FIRST, AND) \
  FIRST(VECTORS, const real, before)                 \
  AND(ARRAY, const pos_t, smooth)                    \
  AND(VECTORS, const pos_t, pull)                    \
  AND(VALUE, pos_t, unit)                            \
  AND(VALUE, GasClock, clock)                        \
  AND(ARRAY, const u32, rungs)                       \
  AND(VALUE, i32, n)                                 \
  AND(VECTORS, real, acc)
#define HB_PARAMETERS_step_energies(FIRST, AND) \
  FIRST(ARRAY, const pos_t, u_rate)             \
  AND(VALUE, GasClock, clock)                   \
  AND(VALUE, i32, begins)                       \
  AND(ARRAY, u32, rungs)                        \
  AND(VALUE, i32, n)                            \
  AND(ARRAY, u32, begun)                        \
  AND(ARRAY, pos_t, u)                          \
  AND(ARRAY, u32, below)
#define HB_PARAMETERS_find_heights(FIRST, AND) \
  FIRST(VALUE, GasClock, clock)                \
  AND(VALUE, i32, deeper)                      \
  AND(ARRAY, const u32, rungs)                 \
  AND(VALUE, i32, n)                           \
  AND(ARRAY, u32, height)
#define HB_PARAMETERS_limit_rungs(FIRST, AND) \
  FIRST(VALUE, GasClock, clock)               \
  AND(VALUE, i32, n)                          \
  AND(ARRAY, const u32, height)               \
  AND(ARRAY, const pos_t, smooth)             \
  AND(ARRAY, const pos_t, gas_mass)           \
  AND(VECTORS, const pos_t, pull)             \
  AND(ARRAY, const pos_t, u_rate)             \
  AND(ARRAY, const u32, begun)                \
  AND(ARRAY, u32, rungs)                      \
  AND(POSITIONS, pos_t, position)             \
  AND(VELOCITIES, pos_t, velocity)            \
  AND(ARRAY, pos_t, u)                        \
  AND(ARRAY, pos_t, due_mass)                 \
  AND(ARRAY, u32, change)
#define HB_PARAMETERS_find_gas_steps(FIRST, AND) \
  FIRST(VALUE, i32, n)                           \
  AND(VALUE, pos_t, courant)                     \
  AND(VALUE, pos_t, force_step)                  \
  AND(VALUE, pos_t, stricter)                    \
  AND(VALUE, i32, bounded)                       \
  AND(ARRAY, const pos_t, smooth)                \
  AND(ARRAY, const pos_t, signal)                \
  AND(VECTORS, const pos_t, pull)                \
  AND(ARRAY, const pos_t, u)                     \
  AND(ARRAY, const pos_t, u_rate)                \
  AND(ARRAY, pos_t, inverse)

#endif
