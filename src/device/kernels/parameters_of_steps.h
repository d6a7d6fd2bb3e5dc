// SPDX-License-Identifier: Apache-2.0
// Parameters of the kernels of steps in time, and of those that check forces, see signature.h.
#ifndef HORNBEAM_DEVICE_KERNELS_PARAMETERS_OF_STEPS_H
#define HORNBEAM_DEVICE_KERNELS_PARAMETERS_OF_STEPS_H

// ---- dynamics.h
#define HB_PARAMETERS_kick_particles(FIRST, AND) \
  FIRST(VECTORS, const real, acc)                \
  AND(VALUE, i32, n)                             \
  AND(VALUE, pos_t, step)                        \
  AND(VELOCITIES, pos_t, velocity)
#define HB_PARAMETERS_drift_particles(FIRST, AND) \
  FIRST(VELOCITIES, const pos_t, velocity)        \
  AND(VALUE, i32, n)                              \
  AND(VALUE, pos_t, step)                         \
  AND(POSITIONS, pos_t, position)
#define HB_PARAMETERS_shift_positions(FIRST, AND) \
  FIRST(POSITIONS, const pos_t, position)         \
  AND(VALUE, pos_t, shift_x)                      \
  AND(VALUE, pos_t, shift_y)                      \
  AND(VALUE, pos_t, shift_z)                      \
  AND(VALUE, i32, n)                              \
  AND(VECTORS, pos_t, shifted)
#define HB_PARAMETERS_wrap_positions(FIRST, AND) \
  FIRST(POSITIONS, pos_t, position)              \
  AND(VALUE, PeriodicBox, box)                   \
  AND(VALUE, i32, n)                             \
  AND(OPTIONAL, pos_t, vy)
#define HB_PARAMETERS_drift_epicycles(FIRST, AND) \
  FIRST(POSITIONS, pos_t, position)               \
  AND(VALUE, EpicycleStep, step)                  \
  AND(VALUE, i32, n)                              \
  AND(VELOCITIES, pos_t, velocity)
#define HB_PARAMETERS_turn_spins(FIRST, AND) \
  FIRST(VALUE, EpicycleStep, step)           \
  AND(VALUE, i32, n)                         \
  AND(ARRAY, pos_t, spin_x)                  \
  AND(ARRAY, pos_t, spin_y)
#define HB_PARAMETERS_mark_outside(FIRST, AND) \
  FIRST(POSITIONS, const pos_t, position)      \
  AND(VALUE, pos_t, half_x)                    \
  AND(VALUE, pos_t, half_y)                    \
  AND(VALUE, pos_t, half_z)                    \
  AND(VALUE, i32, n)                           \
  AND(ARRAY, u32, gone)
#define HB_PARAMETERS_sweep_bodies(FIRST, AND) \
  FIRST(ARRAY, const pos_t, x)                 \
  AND(VELOCITIES, const pos_t, velocity)       \
  AND(ARRAY, const pos_t, radius)              \
  AND(VALUE, i32, n)                           \
  AND(VALUE, pos_t, time)                      \
  AND(VALUE, pos_t, shear)                     \
  AND(VALUE, pos_t, widened)                   \
  AND(ARRAY, pos_t, reach)                     \
  AND(ARRAY, pos_t, since)
#define HB_PARAMETERS_remember_accelerations(FIRST, AND) \
  FIRST(VECTORS, const real, acc)                        \
  AND(OPTIONAL, const i32, picks)                        \
  AND(VALUE, i32, n)                                     \
  AND(ARRAY, real, size)
#define HB_PARAMETERS_scale_reals(FIRST, AND) \
  FIRST(ARRAY, real, values)                  \
  AND(VALUE, real, factor)                    \
  AND(VALUE, i32, times)                      \
  AND(VALUE, i32, n)
#define HB_PARAMETERS_add_external(FIRST, AND) \
  FIRST(ARRAY, const ExternalField, fields)    \
  AND(VALUE, i32, count)                       \
  AND(VALUE, i32, targets)                     \
  AND(OPTIONAL, const i32, due)                \
  AND(POSITIONS, const pos_t, position)        \
  AND(FIELD, real, acc)
#define HB_PARAMETERS_balance_pulls(FIRST, AND) \
  FIRST(VALUE, RigidMotion, rigid)              \
  AND(VALUE, RigidVector, origin)               \
  AND(VALUE, pos_t, unit)                       \
  AND(VALUE, i32, n)                            \
  AND(POSITIONS, const pos_t, position)         \
  AND(ARRAY, const real, mass)                  \
  AND(VECTORS, real, acc)
#define HB_PARAMETERS_count_not_finite(FIRST, AND) \
  FIRST(VALUE, FiniteLimits, most)                 \
  AND(VALUE, i32, n)                               \
  AND(POSITIONS, const pos_t, position)            \
  AND(VELOCITIES, const pos_t, velocity)           \
  AND(FIELD, const real, acc)                      \
  AND(ARRAY, u32, count)
#define HB_PARAMETERS_sum_energies(FIRST, AND) \
  FIRST(ARRAY, const ExternalField, fields)    \
  AND(VALUE, i32, count)                       \
  AND(VALUE, i32, n)                           \
  AND(VALUE, i32, blocks)                      \
  AND(POSITIONS, const pos_t, position)        \
  AND(VELOCITIES, const pos_t, velocity)       \
  AND(ARRAY, const real, mass)                 \
  AND(OPTIONAL, const real, mass_rest)         \
  AND(OPTIONAL, const pos_t, body_mass)        \
  AND(VALUE, pos_t, mass_unit)                 \
  AND(ARRAY, const real, potential)            \
  AND(OPTIONAL, const pos_t, u)                \
  AND(ARRAY, pos_t, sums)
#define HB_PARAMETERS_sum_counts(FIRST, AND) \
  FIRST(ARRAY, const u32, counts)            \
  AND(VALUE, i32, count)                     \
  AND(VALUE, i32, blocks)                    \
  AND(ARRAY, u64, sums)

// ---- rungs.h
#define HB_PARAMETERS_choose_rungs(FIRST, AND) \
  FIRST(VALUE, RungRule, rule)                 \
  AND(VALUE, i32, least)                       \
  AND(VALUE, i32, known)                       \
  AND(VALUE, i32, tick)                        \
  AND(VALUE, i32, n)                           \
  AND(VALUE, i32, blocks)                      \
  AND(VECTORS, const real, acc)                \
  AND(ARRAY, const real, soft2)                \
  AND(OPTIONAL, const pos_t, asked)            \
  AND(VECTORS, real, before)                   \
  AND(VECTORS, real, earlier)                  \
  AND(VELOCITIES, pos_t, velocity)             \
  AND(ARRAY, u32, rungs)                       \
  AND(OPTIONAL, const real, fall_x)            \
  AND(OPTIONAL, const real, fall_y)            \
  AND(OPTIONAL, const real, fall_z)            \
  AND(OPTIONAL, const u32, begun)              \
  AND(OPTIONAL, pos_t, span)                   \
  AND(ARRAY, u32, counts)
#define HB_PARAMETERS_kick_rungs(FIRST, AND) \
  FIRST(VECTORS, const real, acc)            \
  AND(ARRAY, const u32, rungs)               \
  AND(OPTIONAL, const u32, begun)            \
  AND(VALUE, i32, tick)                      \
  AND(VALUE, i32, n)                         \
  AND(VALUE, i32, least)                     \
  AND(VALUE, RungRule, rule)                 \
  AND(VELOCITIES, pos_t, velocity)
#define HB_PARAMETERS_largest_pull(FIRST, AND) \
  FIRST(VALUE, i32, n)                         \
  AND(VALUE, i32, blocks)                      \
  AND(VECTORS, const real, acc)                \
  AND(ARRAY, const real, soft2)                \
  AND(ARRAY, pos_t, largest)
#define HB_PARAMETERS_mark_due(FIRST, AND) \
  FIRST(ARRAY, const u32, rungs)           \
  AND(VALUE, i32, least)                   \
  AND(VALUE, i32, n)                       \
  AND(ARRAY, u32, due)
#define HB_PARAMETERS_mark_begins(FIRST, AND) \
  FIRST(ARRAY, const u8, begins)              \
  AND(VALUE, i32, targets)                    \
  AND(ARRAY, u32, marks)
#define HB_PARAMETERS_list_marks(FIRST, AND) \
  FIRST(ARRAY, const u32, sums)              \
  AND(VALUE, i32, count)                     \
  AND(ARRAY, i32, list)

// ---- check.h
#define HB_PARAMETERS_find_places(FIRST, AND) \
  FIRST(ARRAY, const u32, input)              \
  AND(VALUE, i32, n)                          \
  AND(ARRAY, const u32, wanted)               \
  AND(VALUE, i32, count)                      \
  AND(ARRAY, u32, places)
#define HB_PARAMETERS_widen_reals(FIRST, AND) \
  FIRST(ARRAY, const real, from)              \
  AND(VALUE, i32, begin)                      \
  AND(VALUE, i32, count)                      \
  AND(ARRAY, pos_t, to)
#define HB_PARAMETERS_sum_sampled(FIRST, AND) \
  FIRST(VALUE, pos_t, unit)                   \
  AND(VALUE, i32, softening)                  \
  AND(POSITIONS, const pos_t, position)       \
  AND(ARRAY, const pos_t, mass)               \
  AND(ARRAY, const pos_t, soft2)              \
  AND(VALUE, i32, begin)                      \
  AND(VALUE, i32, end)                        \
  AND(ARRAY, const u32, places)               \
  AND(ARRAY, const pos_t, soft2_of_target)    \
  AND(VALUE, i32, count)                      \
  AND(VALUE, i32, spans)                      \
  AND(VALUE, i32, image)                      \
  AND(VALUE, pos_t, shift_x)                  \
  AND(VALUE, pos_t, shift_y)                  \
  AND(VALUE, pos_t, shift_z)                  \
  AND(ARRAY, pos_t, sums)
#define HB_PARAMETERS_sum_pulls(FIRST, AND) \
  FIRST(VALUE, i32, n)                      \
  AND(VALUE, i32, blocks)                   \
  AND(VECTORS, const real, acc)             \
  AND(ARRAY, const real, mass)              \
  AND(ARRAY, pos_t, sums)
#define HB_PARAMETERS_sum_net_forces(FIRST, AND) \
  FIRST(VALUE, RigidVector, origin)              \
  AND(VALUE, pos_t, unit)                        \
  AND(VALUE, i32, n)                             \
  AND(VALUE, i32, blocks)                        \
  AND(POSITIONS, const pos_t, position)          \
  AND(VECTORS, const real, acc)                  \
  AND(ARRAY, const real, mass)                   \
  AND(ARRAY, pos_t, sums)

#endif
