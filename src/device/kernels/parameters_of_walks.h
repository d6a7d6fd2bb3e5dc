// SPDX-License-Identifier: Apache-2.0
// Parameters of the kernels of direct sums, walks and visitors of pairs, see signature.h.
#ifndef HORNBEAM_DEVICE_KERNELS_PARAMETERS_OF_WALKS_H
#define HORNBEAM_DEVICE_KERNELS_PARAMETERS_OF_WALKS_H

// ---- direct.h
#define HB_PARAMETERS_sum_direct(FIRST, AND) \
  FIRST(VALUE, WalkOptions, options)         \
  AND(VALUE, GroupWalkOptions, walk)         \
  AND(VALUE, i32, shares)                    \
  AND(ARRAY, real, parts)                    \
  AND(PARTICLES, ParticleArrays, particles)

// ---- few.h
#define HB_PARAMETERS_sum_few(FIRST, AND)   \
  FIRST(VALUE, WalkOptions, options)        \
  AND(VALUE, GroupWalkOptions, walk)        \
  AND(VALUE, i32, walkers)                  \
  AND(VALUE, i32, shares)                   \
  AND(OPTIONAL, const i32, picks)           \
  AND(ARRAY, real, parts)                   \
  AND(PARTICLES, ParticleArrays, particles) \
  AND(TARGETS, ParticleArrays, targets)
#define HB_PARAMETERS_add_shares(FIRST, AND) \
  FIRST(VALUE, GroupWalkOptions, walk)       \
  AND(VALUE, i32, image)                     \
  AND(VALUE, i32, targets)                   \
  AND(VALUE, i32, shares)                    \
  AND(OPTIONAL, const i32, picks)            \
  AND(ARRAY, const real, parts)              \
  AND(ARRAY, const real, mass)               \
  AND(ARRAY, const real, soft2)              \
  AND(FIELD, real, acc)

// ---- particle_walks.h
#define HB_PARAMETERS_walk_stackless(FIRST, AND) \
  FIRST(VALUE, WalkOptions, options)             \
  AND(VALUE, i32, walkers)                       \
  AND(OPTIONAL, const u32, order)                \
  AND(OPTIONAL, const real, last_acceleration)   \
  AND(FIELD, real, acc)                          \
  AND(ARRAY, u32, counts)                        \
  AND(PARTICLES, ParticleArrays, particles)      \
  AND(TARGETS, ParticleArrays, targets)          \
  AND(CELLS, CellArrays, cells)
#define HB_PARAMETERS_walk_vote HB_PARAMETERS_walk_stackless

// ---- block_walk.h
#define HB_PARAMETERS_walk_blocks(FIRST, AND)  \
  FIRST(VALUE, WalkOptions, options)           \
  AND(VALUE, GroupWalkOptions, walk)           \
  AND(VALUE, i32, blocks)                      \
  AND(OPTIONAL, const real, last_acceleration) \
  AND(ARRAY, i32, near_counts)                 \
  AND(ARRAY, real, accelerations)              \
  AND(ARRAY, pos_t, block_centres)             \
  AND(ARRAY, real, far_fields)                 \
  AND(ARRAY, i32, frontiers)                   \
  AND(ARRAY, i32, frontier_counts)             \
  AND(ARRAY, u32, expanded)                    \
  AND(ARRAY, u32, spread_counts)               \
  AND(TARGETS, ParticleArrays, targets)        \
  AND(CELLS, CellArrays, cells)

// ---- spread_groups.h
#define HB_PARAMETERS_find_spread_groups(FIRST, AND) \
  FIRST(VALUE, WalkOptions, options)                 \
  AND(VALUE, GroupWalkOptions, walk)                 \
  AND(VALUE, i32, begin)                             \
  AND(VALUE, i32, end)                               \
  AND(VALUE, i32, searchers)                         \
  AND(ARRAY, const i32, group_first)                 \
  AND(ARRAY, const SpreadRange, spread_groups)       \
  AND(ARRAY, const i32, near_counts)                 \
  AND(OPTIONAL, const real, last_acceleration)       \
  AND(ARRAY, real, own_look)                         \
  AND(ARRAY, SpreadRange, spread)                    \
  AND(ARRAY, u32, spread_counts)                     \
  AND(TARGETS, ParticleArrays, targets)              \
  AND(CELLS, CellArrays, cells)

// ---- gravity_kernel.h
#define HB_PARAMETERS_walk_groups(FIRST, AND)  \
  FIRST(VALUE, WalkOptions, options)           \
  AND(VALUE, GroupWalkOptions, walk)           \
  AND(OPTIONAL, const i32, picks)              \
  AND(ARRAY, const i32, group_first)           \
  AND(ARRAY, const real, own_look)             \
  AND(ARRAY, const SpreadRange, spread_groups) \
  AND(ARRAY, const SpreadRange, spread_pieces) \
  AND(ARRAY, const u32, spread_counts)         \
  AND(OPTIONAL, const real, last_acceleration) \
  AND(ARRAY, const real, accelerations)        \
  AND(ARRAY, const pos_t, block_centres)       \
  AND(ARRAY, const real, far_fields)           \
  AND(ARRAY, const i32, frontiers)             \
  AND(ARRAY, const i32, frontier_counts)       \
  AND(FIELD, real, acc)                        \
  AND(ARRAY, u32, counts)                      \
  AND(PARTICLES, ParticleArrays, particles)    \
  AND(TARGETS, ParticleArrays, targets)        \
  AND(CELLS, CellArrays, cells)

// ---- walk/pairs_warp.h, of any visitor of pairs
#define HB_PARAMETERS_OF_PAIR_GROUPS(NAME, Type, FIRST, AND) \
  FIRST(VALUE, PairOptions, pairs)                           \
  AND(VALUE, Type##Options, options)                         \
  AND(VALUE, i32, groups)                                    \
  AND(ARRAY, const i32, group_first)                         \
  AND(PAIRS, Type##Arrays, NAME)                             \
  AND(CELLS, CellArrays, cells)
#define HB_PARAMETERS_OF_PAIRS_EACH(NAME, Type, FIRST, AND) \
  FIRST(VALUE, PairOptions, pairs)                          \
  AND(VALUE, Type##Options, options)                        \
  AND(PAIRS, Type##Arrays, NAME)                            \
  AND(CELLS, CellArrays, cells)

// ---- walk/gather_warp.h and gather_crowded.h, of any gatherer
#define HB_PARAMETERS_OF_GATHER_GROUPS(NAME, Type, FIRST, AND) \
  FIRST(VALUE, PairOptions, pairs)                             \
  AND(VALUE, Type##Options, options)                           \
  AND(VALUE, i32, groups)                                      \
  AND(ARRAY, const i32, group_first)                           \
  AND(VALUE, i32, each)                                        \
  AND(VALUE, i32, most)                                        \
  AND(ARRAY, u32, crowded)                                     \
  AND(PAIRS, Type##Arrays, NAME)                               \
  AND(CELLS, CellArrays, cells)
#define HB_PARAMETERS_OF_GATHER_CROWDED(NAME, Type, FIRST, AND) \
  FIRST(VALUE, PairOptions, pairs)                              \
  AND(VALUE, Type##Options, options)                            \
  AND(VALUE, i32, warps)                                        \
  AND(VALUE, i32, kind)                                         \
  AND(VALUE, i32, most)                                         \
  AND(VALUE, i32, begin)                                        \
  AND(VALUE, i32, end)                                          \
  AND(ARRAY, u32, crowded)                                      \
  AND(ARRAY, real, shares)                                      \
  AND(PAIRS, Type##Arrays, NAME)                                \
  AND(CELLS, CellArrays, cells)
#define HB_PARAMETERS_OF_GATHER_PARTS(NAME, Type, FIRST, AND) \
  FIRST(VALUE, PairOptions, pairs)                            \
  AND(VALUE, Type##Options, options)                          \
  AND(ARRAY, const u32, crowded)                              \
  AND(ARRAY, const real, shares)                              \
  AND(PAIRS, Type##Arrays, NAME)

#define HB_PARAMETERS_reach_of_cells(FIRST, AND) \
  FIRST(VALUE, i32, begin)                       \
  AND(VALUE, i32, end)                           \
  AND(ARRAY, const i32, first)                   \
  AND(ARRAY, const i32, count)                   \
  AND(ARRAY, const i32, child)                   \
  AND(ARRAY, const i32, children)                \
  AND(ARRAY, const pos_t, source_reach)          \
  AND(ARRAY, pos_t, cell_reach)

// ---- collisions/kernels/resolve.h
#define HB_PARAMETERS_rank_collisions(FIRST, AND) \
  FIRST(ARRAY, const u32, first)                  \
  AND(ARRAY, const u32, second)                   \
  AND(ARRAY, const i32, in_image)                 \
  AND(ARRAY, const u32, place)                    \
  AND(VALUE, i32, pairs)                          \
  AND(VALUE, pos_t, time)                         \
  AND(ARRAY, const pos_t, images)                 \
  AND(BODIES, BodyArrays, bodies)                 \
  AND(ARRAY, u64, turn)                           \
  AND(ARRAY, u32, order)                          \
  AND(ARRAY, u32, waiting)
#define HB_PARAMETERS_free_bodies(FIRST, AND) \
  FIRST(ARRAY, const u32, first)              \
  AND(ARRAY, const u32, second)               \
  AND(ARRAY, const u32, place)                \
  AND(ARRAY, const u32, order)                \
  AND(ARRAY, const u32, waiting)              \
  AND(VALUE, i32, count)                      \
  AND(ARRAY, u32, claim)
#define HB_PARAMETERS_claim_bodies(FIRST, AND) HB_PARAMETERS_free_bodies(FIRST, AND) AND(OPTIONAL, const u32, gone)
#define HB_PARAMETERS_collide_the_last(FIRST, AND) \
  FIRST(ARRAY, const u32, first)                   \
  AND(ARRAY, const u32, second)                    \
  AND(ARRAY, const i32, in_image)                  \
  AND(ARRAY, const u32, place)                     \
  AND(ARRAY, const u32, order)                     \
  AND(ARRAY, u32, waiting)                         \
  AND(VALUE, i32, count)                           \
  AND(ARRAY, u32, claim)                           \
  AND(ARRAY, const pos_t, images)                  \
  AND(VALUE, CollisionRule, rule)                  \
  AND(ARRAY, const pos_t, speeds)                  \
  AND(ARRAY, const pos_t, coefficients)            \
  AND(BODIES, BodyArrays, bodies)                  \
  AND(ARRAY, u32, collided)                        \
  AND(ARRAY, pos_t, flux)
#define HB_PARAMETERS_collide_bodies(FIRST, AND) \
  HB_PARAMETERS_collide_the_last(FIRST, AND) AND(ARRAY, u32, later) AND(ARRAY, u32, left)
#define HB_PARAMETERS_sum_collisions(FIRST, AND) \
  FIRST(ARRAY, const pos_t, flux)                \
  AND(ARRAY, const u32, collided)                \
  AND(VALUE, i32, pairs)                         \
  AND(VALUE, i32, blocks)                        \
  AND(ARRAY, pos_t, sums)

// ---- groups/kernels/units.h
#define HB_PARAMETERS_mark_units(FIRST, AND) \
  FIRST(VALUE, i32, cell_count)              \
  AND(VALUE, pos_t, length2)                 \
  AND(CELLS, CellArrays, cells)              \
  AND(ARRAY, u32, marks)
#define HB_PARAMETERS_name_units(FIRST, AND) \
  FIRST(VALUE, i32, cell_count)              \
  AND(VALUE, pos_t, length2)                 \
  AND(CELLS, CellArrays, cells)              \
  AND(ARRAY, const u32, sums)                \
  AND(ARRAY, i32, first_unit)                \
  AND(ARRAY, i32, unit_count)                \
  AND(ARRAY, i32, unit_children)             \
  AND(ARRAY, i32, unit_first)                \
  AND(ARRAY, i32, unit_cell)
#define HB_PARAMETERS_place_units(FIRST, AND) \
  FIRST(VALUE, i32, units)                    \
  AND(VALUE, pos_t, half_length)              \
  AND(CELLS, CellArrays, cells)               \
  AND(ARRAY, const pos_t, of_particle_x)      \
  AND(ARRAY, const pos_t, of_particle_y)      \
  AND(ARRAY, const pos_t, of_particle_z)      \
  AND(ARRAY, const i32, unit_first)           \
  AND(ARRAY, const i32, unit_cell)            \
  AND(ARRAY, pos_t, unit_x)                   \
  AND(ARRAY, pos_t, unit_y)                   \
  AND(ARRAY, pos_t, unit_z)                   \
  AND(ARRAY, pos_t, extent)                   \
  AND(ARRAY, u32, parent)                     \
  AND(ARRAY, u32, least)
#define HB_PARAMETERS_least_of_units(FIRST, AND) \
  FIRST(VALUE, i32, n)                           \
  AND(ARRAY, const u32, sums)                    \
  AND(ARRAY, const u32, input)                   \
  AND(ARRAY, u32, parent)                        \
  AND(ARRAY, u32, least)
#define HB_PARAMETERS_label_particles(FIRST, AND) \
  FIRST(VALUE, i32, n)                            \
  AND(ARRAY, const u32, sums)                     \
  AND(ARRAY, const u32, input)                    \
  AND(ARRAY, u32, parent)                         \
  AND(ARRAY, const u32, least)                    \
  AND(ARRAY, u32, label)

// ---- sort_rows.h
#define HB_PARAMETERS_sort_rows(FIRST, AND) \
  FIRST(VALUE, RowWindow, rows)             \
  AND(VALUE, i32, by_distance)              \
  AND(ARRAY, const u64, offset)             \
  AND(ARRAY, u32, index)                    \
  AND(ARRAY, pos_t, distance2)

#endif
