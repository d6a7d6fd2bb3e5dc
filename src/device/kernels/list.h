// SPDX-License-Identifier: Apache-2.0
// The names of all device kernels: from these lists come the host's enumeration and each backend's table. F(name) is
// launched by the item, W(name) by the warp (HB_WARP_KERNEL). Their parameters stand in parameters.h.
#pragma once

#define HB_PAIR_ROWS_ONLY
#include "interactions/pair_visitors.h"
#undef HB_PAIR_ROWS_ONLY

/// Compiled once a precision.
#define HB_PLAIN_KERNELS(F, W) \
  F(bound_blocks)              \
  F(bound_all)                 \
  F(bound_few)                 \
  F(count_bins)                \
  F(make_keys)                 \
  F(keys_in_input_order)       \
  F(order_runs)                \
  F(gather_records)            \
  F(gather_positions)          \
  F(gather_reals)              \
  F(gather_words)              \
  F(invert_order)              \
  F(mark_kept)                 \
  F(make_soft2)                \
  F(count_cells)               \
  F(collect_levels)            \
  F(make_cells)                \
  F(link_cells)                \
  W(mark_groups)               \
  F(walk_stackless)            \
  W(walk_vote)                 \
  F(sum_direct)                \
  F(sum_few)                   \
  F(add_shares)                \
  F(remember_accelerations)    \
  F(scale_reals)               \
  F(kick_particles)            \
  F(drift_particles)           \
  F(shift_positions)           \
  F(wrap_positions)            \
  F(drift_epicycles)           \
  F(turn_spins)                \
  F(mark_outside)              \
  F(sweep_bodies)              \
  F(add_external)              \
  F(balance_pulls)             \
  F(count_not_finite)          \
  F(sum_energies)              \
  F(sum_counts)                \
  F(number_items)              \
  F(survey_numbers)            \
  F(take_reals)                \
  F(give_forces)               \
  F(take_places)               \
  F(mark_wraps)                \
  F(give_offsets)              \
  F(give_roots)                \
  F(extend_ahead)              \
  F(pair_keys)                 \
  F(row_keys)                  \
  F(give_contacts)             \
  F(find_places)               \
  F(widen_reals)               \
  F(sum_sampled)               \
  F(sum_pulls)                 \
  F(sum_net_forces)            \
  F(choose_rungs)              \
  F(kick_rungs)                \
  F(largest_pull)              \
  F(mark_due)                  \
  F(mark_begins)               \
  F(list_marks)                \
  F(guess_smooth)              \
  F(predict_gas)               \
  F(find_gas_terms)            \
  F(soften_gas)                \
  F(strain_gas)                \
  F(remember_pulls)            \
  F(keep_falls)                \
  F(kick_energies)             \
  F(find_gas_steps)            \
  F(keep_accelerations)        \
  F(step_energies)             \
  F(find_heights)              \
  F(limit_rungs)               \
  F(mark_units)                \
  F(name_units)                \
  F(place_units)               \
  F(least_of_units)            \
  F(label_particles)

/// Visitors of pairs and what goes with them, compiled once a precision: two kernels for each row of pair_visitors.h,
/// four of those that gather.
#define HB_PAIR_KERNELS(F, W)              \
  HB_PAIR_SEARCHES(HB_PAIR_NAMES, F, W)    \
  HB_PAIR_GATHERERS(HB_GATHER_NAMES, F, W) \
  F(reach_of_cells)                        \
  W(sort_rows)                             \
  F(rank_collisions)                       \
  F(free_bodies)                           \
  F(claim_bodies)                          \
  F(collide_bodies)                        \
  F(collide_the_last)                      \
  F(sum_collisions)
#define HB_PAIR_NAMES(NAME, Type, F, W) W(NAME##_of_groups) F(NAME##_of_each)
#define HB_GATHER_NAMES(NAME, Type, F, W) HB_PAIR_NAMES(NAME, Type, F, W) W(NAME##_of_crowded) W(NAME##_of_parts)

/// Compiled once a precision and order of local expansions.
#define HB_EXPANSION_KERNELS(F, W) \
  W(moments_of_leaves)             \
  F(moments_of_large_leaves)       \
  W(moments_of_nodes)              \
  W(walk_blocks)                   \
  W(find_spread_groups)            \
  W(walk_groups)

/// Of these the CPU runs as loops (device/host/item_kernels.cpp): its own forms of the others are faster there.
#define HB_HOST_KERNELS(F)  \
  F(gather_positions)       \
  F(gather_reals)           \
  F(gather_words)           \
  F(invert_order)           \
  F(mark_kept)              \
  F(make_soft2)             \
  F(remember_accelerations) \
  F(scale_reals)            \
  F(kick_particles)         \
  F(drift_particles)        \
  F(shift_positions)        \
  F(wrap_positions)         \
  F(drift_epicycles)        \
  F(turn_spins)             \
  F(mark_outside)           \
  F(sweep_bodies)           \
  F(add_external)           \
  F(balance_pulls)          \
  F(count_not_finite)       \
  F(number_items)           \
  F(survey_numbers)         \
  F(take_reals)             \
  F(give_forces)            \
  F(take_places)            \
  F(mark_wraps)             \
  F(give_offsets)           \
  F(give_roots)             \
  F(extend_ahead)           \
  F(pair_keys)              \
  F(row_keys)               \
  F(give_contacts)          \
  F(find_places)            \
  F(kick_rungs)             \
  F(list_marks)             \
  F(guess_smooth)           \
  F(predict_gas)            \
  F(find_gas_terms)         \
  F(soften_gas)             \
  F(strain_gas)             \
  F(remember_pulls)         \
  F(keep_falls)             \
  F(kick_energies)          \
  F(find_gas_steps)         \
  F(keep_accelerations)     \
  F(step_energies)          \
  F(find_heights)           \
  F(limit_rungs)            \
  F(mark_units)             \
  F(name_units)             \
  F(place_units)            \
  F(least_of_units)         \
  F(label_particles)

/// All of them, in the order of the host's enumeration.
#define HB_ALL_KERNELS(F, W) HB_PLAIN_KERNELS(F, W) HB_EXPANSION_KERNELS(F, W) HB_PAIR_KERNELS(F, W)
