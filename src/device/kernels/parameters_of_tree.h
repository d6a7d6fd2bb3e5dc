// SPDX-License-Identifier: Apache-2.0
// Parameters of the kernels from positions to cells and their moments, see signature.h.
#ifndef HORNBEAM_DEVICE_KERNELS_PARAMETERS_OF_TREE_H
#define HORNBEAM_DEVICE_KERNELS_PARAMETERS_OF_TREE_H

// ---- lent.h
#define HB_PARAMETERS_number_items(FIRST, AND) \
  FIRST(VALUE, i32, n)                         \
  AND(ARRAY, u32, numbers)
#define HB_PARAMETERS_survey_numbers(FIRST, AND) \
  FIRST(OPTIONAL, const u8, memory)              \
  AND(VALUE, LentColumn, column)                 \
  AND(VALUE, i32, n)                             \
  AND(VALUE, i32, parts)                         \
  AND(ARRAY, pos_t, found)
#define HB_PARAMETERS_take_reals(FIRST, AND) \
  FIRST(OPTIONAL, const u8, memory)          \
  AND(VALUE, LentColumn, column)             \
  AND(VALUE, f64, factor)                    \
  AND(VALUE, i32, n)                         \
  AND(ARRAY, real, to)
#define HB_PARAMETERS_give_forces(FIRST, AND) \
  FIRST(ARRAY, const u32, input)              \
  AND(FIELD, const real, acc)                 \
  AND(VALUE, i32, n)                          \
  AND(VALUE, f64, acceleration_unit)          \
  AND(VALUE, f64, potential_unit)             \
  AND(VALUE, i32, wide)                       \
  AND(ARRAY, u8, accelerations)               \
  AND(ARRAY, u8, potentials)

// ---- lent_search.h
#define HB_PARAMETERS_take_places(FIRST, AND) \
  FIRST(OPTIONAL, const u8, memory)           \
  AND(VALUE, LentColumn, column)              \
  AND(OPTIONAL, const u8, speeds)             \
  AND(VALUE, LentColumn, speed)               \
  AND(VALUE, f64, time)                       \
  AND(OPTIONAL, const u32, input)             \
  AND(VALUE, i32, n)                          \
  AND(VALUE, pos_t, period)                   \
  AND(ARRAY, pos_t, to)
#define HB_PARAMETERS_mark_wraps(FIRST, AND) \
  FIRST(ARRAY, const u32, sums)              \
  AND(VALUE, i32, n)                         \
  AND(ARRAY, u32, marks)
#define HB_PARAMETERS_give_offsets(FIRST, AND) \
  FIRST(OPTIONAL, const u32, sums)             \
  AND(OPTIONAL, const u32, wraps)              \
  AND(VALUE, i32, alike)                       \
  AND(VALUE, i32, n)                           \
  AND(ARRAY, u64, to)
#define HB_PARAMETERS_give_roots(FIRST, AND) \
  FIRST(ARRAY, const pos_t, squares)         \
  AND(VALUE, i32, n)                         \
  AND(VALUE, i64, first)                     \
  AND(VALUE, i32, wide)                      \
  AND(ARRAY, u8, to)
#define HB_PARAMETERS_extend_ahead(FIRST, AND) \
  FIRST(ARRAY, const pos_t, radius)            \
  AND(VELOCITIES, const pos_t, velocity)       \
  AND(VALUE, MeanMotion, mean)                 \
  AND(VALUE, pos_t, time)                      \
  AND(VALUE, i32, n)                           \
  AND(ARRAY, pos_t, extent)
#define HB_PARAMETERS_pair_keys(FIRST, AND) \
  FIRST(ARRAY, const u32, first)            \
  AND(ARRAY, const u32, second)             \
  AND(VALUE, i32, n)                        \
  AND(ARRAY, u64, keys)
#define HB_PARAMETERS_row_keys(FIRST, AND) \
  FIRST(ARRAY, const u64, offset)          \
  AND(ARRAY, const u32, partner)           \
  AND(VALUE, i32, n)                       \
  AND(ARRAY, u64, keys)
#define HB_PARAMETERS_give_contacts(FIRST, AND) \
  FIRST(ARRAY, const u64, keys)                 \
  AND(VALUE, i32, n)                            \
  AND(OPTIONAL, const u8, positions)            \
  AND(VALUE, LentVectors, position)             \
  AND(OPTIONAL, const u8, radii)                \
  AND(VALUE, LentColumn, radius)                \
  AND(OPTIONAL, const u8, velocities)           \
  AND(VALUE, LentVectors, velocity)             \
  AND(VALUE, ContactSpace, space)               \
  AND(VALUE, i32, wide)                         \
  AND(ARRAY, u32, pairs)                        \
  AND(ARRAY, u8, overlaps)                      \
  AND(ARRAY, u8, times)

// ---- bound.h
#define HB_PARAMETERS_bound_blocks(FIRST, AND) \
  FIRST(POSITIONS, const pos_t, position)      \
  AND(VALUE, i32, n)                           \
  AND(VALUE, i32, blocks)                      \
  AND(ARRAY, pos_t, boxes)
#define HB_PARAMETERS_bound_all(FIRST, AND) \
  FIRST(VALUE, i32, blocks)                 \
  AND(ARRAY, const pos_t, boxes)            \
  AND(ARRAY, BoundReport, found)
#define HB_PARAMETERS_count_bins(FIRST, AND) \
  FIRST(POSITIONS, const pos_t, position)    \
  AND(VALUE, i32, n)                         \
  AND(VALUE, i32, blocks)                    \
  AND(ARRAY, BoundReport, found)
#define HB_PARAMETERS_bound_few(FIRST, AND) \
  FIRST(POSITIONS, const pos_t, position)   \
  AND(VALUE, i32, n)                        \
  AND(ARRAY, BoundReport, found)

// ---- order.h
#define HB_PARAMETERS_make_keys(FIRST, AND) \
  FIRST(POSITIONS, const pos_t, position)   \
  AND(ARRAY, const real, mass)              \
  AND(ARRAY, const u32, input)              \
  AND(VALUE, i32, n)                        \
  AND(VALUE, KeyCube, cube)                 \
  AND(ARRAY, const u8, steps_of_curve)      \
  AND(ARRAY, u64, keys)                     \
  AND(ARRAY, u32, place)                    \
  AND(ARRAY, ParticleRecord, records)       \
  AND(ARRAY, u32, disordered)
#define HB_PARAMETERS_keys_in_input_order(FIRST, AND) \
  FIRST(ARRAY, const ParticleRecord, records)         \
  AND(VALUE, i32, n)                                  \
  AND(VALUE, KeyCube, cube)                           \
  AND(VALUE, i32, curve)                              \
  AND(ARRAY, u64, keys)                               \
  AND(ARRAY, u32, place)
#define HB_PARAMETERS_order_runs(FIRST, AND) \
  FIRST(VALUE, i32, n)                       \
  AND(VALUE, i32, begin)                     \
  AND(ARRAY, u64, keys)                      \
  AND(ARRAY, u32, place)                     \
  AND(ARRAY, u32, disordered)
#define HB_PARAMETERS_gather_records(FIRST, AND) \
  FIRST(ARRAY, const ParticleRecord, records)    \
  AND(ARRAY, const u64, keys)                    \
  AND(ARRAY, const u32, place)                   \
  AND(VALUE, i32, n)                             \
  AND(POSITIONS, pos_t, position)                \
  AND(ARRAY, real, mass)                         \
  AND(ARRAY, u32, input)                         \
  AND(ARRAY, u32, disordered)
#define HB_PARAMETERS_gather_positions(FIRST, AND) \
  FIRST(ARRAY, const pos_t, from)                  \
  AND(ARRAY, const u32, place)                     \
  AND(VALUE, i32, n)                               \
  AND(ARRAY, pos_t, to)
#define HB_PARAMETERS_gather_reals(FIRST, AND) \
  FIRST(ARRAY, const real, from)               \
  AND(ARRAY, const u32, place)                 \
  AND(VALUE, i32, n)                           \
  AND(ARRAY, real, to)
#define HB_PARAMETERS_gather_words(FIRST, AND) \
  FIRST(ARRAY, const u32, from)                \
  AND(ARRAY, const u32, place)                 \
  AND(VALUE, i32, n)                           \
  AND(ARRAY, u32, to)
#define HB_PARAMETERS_invert_order(FIRST, AND) \
  FIRST(ARRAY, const u32, from)                \
  AND(VALUE, i32, n)                           \
  AND(ARRAY, u32, to)
#define HB_PARAMETERS_mark_kept(FIRST, AND) \
  FIRST(ARRAY, const u32, input)            \
  AND(VALUE, i32, n)                        \
  AND(ARRAY, u32, gone)                     \
  AND(ARRAY, u32, kept)                     \
  AND(ARRAY, u32, kept_on_input)
#define HB_PARAMETERS_make_soft2(FIRST, AND) \
  FIRST(OPTIONAL, const real, eps)           \
  AND(VALUE, pos_t, eps_for_all)             \
  AND(VALUE, pos_t, unit)                    \
  AND(VALUE, i32, n)                         \
  AND(ARRAY, real, soft2)

// ---- build.h
#define HB_PARAMETERS_count_cells(FIRST, AND) \
  FIRST(ARRAY, const u64, keys)               \
  AND(OPTIONAL, const u8, marks)              \
  AND(VALUE, i32, n)                          \
  AND(VALUE, i32, leaf_size)                  \
  AND(VALUE, i32, blocks)                     \
  AND(ARRAY, u32, starts)                     \
  AND(ARRAY, u32, counts)
#define HB_PARAMETERS_collect_levels(FIRST, AND) \
  FIRST(ARRAY, const u32, counts)                \
  AND(VALUE, i32, blocks)                        \
  AND(ARRAY, const u32, disordered)              \
  AND(ARRAY, u32, totals)
#define HB_PARAMETERS_make_cells(FIRST, AND) \
  FIRST(ARRAY, u32, starts)                  \
  AND(OPTIONAL, const u8, marks)             \
  AND(VALUE, i32, n)                         \
  AND(VALUE, i32, blocks)                    \
  AND(ARRAY, const u32, counts)              \
  AND(ARRAY, i32, first_particle)            \
  AND(ARRAY, i32, first_child)               \
  AND(ARRAY, i32, group_first)
#define HB_PARAMETERS_link_cells(FIRST, AND) \
  FIRST(VALUE, LevelTable, levels)           \
  AND(ARRAY, const u64, keys)                \
  AND(ARRAY, const u32, top)                 \
  AND(VALUE, i32, n)                         \
  AND(CELLS, CellArrays, cells)
#define HB_PARAMETERS_mark_groups(FIRST, AND) \
  FIRST(VALUE, i32, n)                        \
  AND(VALUE, i32, group_size)                 \
  AND(VALUE, pos_t, widest)                   \
  AND(ARRAY, u8, marks)                       \
  AND(PARTICLES, ParticleArrays, particles)

// ---- moments.h
#define HB_PARAMETERS_moments_of_leaves(FIRST, AND) \
  FIRST(VALUE, WalkOptions, options)                \
  AND(VALUE, KeyCube, cube)                         \
  AND(VALUE, LevelTable, levels)                    \
  AND(PARTICLES, ParticleArrays, particles)         \
  AND(CELLS, CellArrays, cells)
#define HB_PARAMETERS_moments_of_large_leaves(FIRST, AND) \
  FIRST(VALUE, WalkOptions, options)                      \
  AND(VALUE, KeyCube, cube)                               \
  AND(VALUE, LevelTable, levels)                          \
  AND(VALUE, i32, begin)                                  \
  AND(PARTICLES, ParticleArrays, particles)               \
  AND(CELLS, CellArrays, cells)
#define HB_PARAMETERS_moments_of_nodes(FIRST, AND) \
  FIRST(VALUE, WalkOptions, options)               \
  AND(VALUE, KeyCube, cube)                        \
  AND(VALUE, i32, level)                           \
  AND(VALUE, i32, begin)                           \
  AND(VALUE, i32, end)                             \
  AND(VALUE, i32, warps)                           \
  AND(PARTICLES, ParticleArrays, particles)        \
  AND(CELLS, CellArrays, cells)

#endif
