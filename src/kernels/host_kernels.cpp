// SPDX-License-Identifier: Apache-2.0
// The CPU's kernels of one instruction set (device/host/kernels.h): walks and stages that use SIMD.
// Compiled once for each precision (HB_PRECISION) and instruction set (HB_KERNELS names the table).
#include <cstring>

#include "device/host/kernels.h"
#include "interactions/gravity/host/direct_sum.h"
#include "interactions/gravity/host/group_walks.h"
#include "interactions/gravity/particle_gravity.h"
#include "interactions/neighbours/host/nearest_of_group.h"
#include "interactions/neighbours/host/within_of_group.h"
#include "pair_visitors.h"
#include "stages/moments.h"
#include "walk/gather_simd.h"
#include "walk/pairs_flow.h"

HB_OPEN

// tide_kernels.cpp
WalkOfGroups HB_WALK_TIDES, HB_WALK_MORE_TIDES;
/// host_hierarchy.cpp
Interactions HB_HIERARCHY(WalkArrays arrays, HierarchyTargets targets, WalkOptions options, HierarchyOptions what);

namespace {

/// Particles whose keys are made together: one 32-bit word of each a lane.
constexpr i32 word_lanes = simd_bytes / 4;

/// Grid coordinates of word_lanes positions.
void grid_of_block(const pos_t* x, pos_t low, pos_t cells_per_length, u32* grid) {
  for (i32 i = 0; i < word_lanes; ++i) grid[i] = grid_coordinate(x[i], low, cells_per_length);
}

/// Keys of word_lanes particles.
void keys_of_block(const pos_t* x, const pos_t* y, const pos_t* z, KeyCube cube, i32 curve, u64* keys) {
  typedef u32 Words __attribute__((vector_size(simd_bytes)));
  alignas(simd_bytes) u32 grid[3][word_lanes];
  grid_of_block(x, cube.x, cube.cells_per_length, grid[0]);
  grid_of_block(y, cube.y, cube.cells_per_length, grid[1]);
  grid_of_block(z, cube.z, cube.cells_per_length, grid[2]);
  if (curve == HB_CURVE_HILBERT) {
    Words words[3];
    std::memcpy(words, grid, sizeof(words));
    hilbert_transpose(&words[0], &words[1], &words[2]);
    std::memcpy(grid, words, sizeof(words));
  }
  for (i32 i = 0; i < word_lanes; ++i) keys[i] = interleave(grid[0][i], grid[1][i], grid[2][i]);
}

void keys(const pos_t* x, const pos_t* y, const pos_t* z, const u32* input, i32 n, KeyCube cube, i32 curve,
          SortEntry* entries) {
#pragma omp parallel for schedule(static)
  for (i32 first = 0; first < n; first += word_lanes) {
    const i32 count = hb_min(word_lanes, n - first);
    u64 block[word_lanes];
    if (count == word_lanes) {
      keys_of_block(x + first, y + first, z + first, cube, curve, block);
    } else {
      for (i32 i = 0; i < count; ++i) block[i] = particle_key(x[first + i], y[first + i], z[first + i], cube, curve);
    }
    for (i32 i = first; i < first + count; ++i) entries[i] = {block[i - first], input ? input[i] : (u32)i, (u32)i};
  }
}

void moments(CellsView cells, ParticlesView particles, i32 begin, i32 end, KeyCube cube, i32 level,
             WalkOptions options) {
#pragma omp parallel for schedule(dynamic, 64)
  for (i32 c = begin; c < end; ++c) {
    if (cells.children[c] > 0) {
      moments_node(c, cells, particles, cube, level, options);
    } else if (cells.count[c] > HB_LARGE_LEAF) {
      moments_large_leaf(c, cells, particles, cube, level, options);
    } else {
      moments_leaf(c, cells, particles, cube, level, options);
    }
  }
}

Interactions walk_stackless(WalkArrays arrays, WalkOptions options) {
  u64 particle = 0, cell = 0;
#pragma omp parallel for schedule(dynamic, 256) reduction(+ : particle, cell)
  for (i32 item = 0; item < arrays.walkers; ++item) {
    const i32 i = arrays.order ? (i32)arrays.order[item] : item;
    const real last = arrays.last_acceleration ? arrays.last_acceleration[i] : 0;
    GravityState state = gravity_begin(arrays.particles, arrays.targets, options, i, last);
    gravity_stackless(&state, arrays.cells, options.cells);
    gravity_carry(&state);
    for (int k = 0; k < 4; ++k) arrays.acc[k][i] = (options.image ? arrays.acc[k][i] : 0) + (real)state.acc[k];
    particle += state.particle_interactions;
    cell += state.cell_interactions;
  }
  return {particle, cell, 0};
}

void sum_direct(WalkArrays arrays, const i32* number, const GroupRange* groups, i32 count, WalkOptions options) {
  Rescue rescue;
#pragma omp parallel
  {
    Owned<GravityScratch> scratch;
#pragma omp for schedule(dynamic, 1)
    for (i32 g = 0; g < count; ++g) {
      rescue.run(
          [&] { sum_directly(arrays.particles, arrays.targets, number, groups[g], options, arrays.acc, *scratch); });
    }
  }
  rescue.check();
}

}  // namespace

const Kernels& HB_KERNELS() {
  static const Kernels table = {keys,
                                moments,
                                walk_groups<ForceFormula>,
                                HB_WALK_TIDES,
                                HB_WALK_MORE_TIDES,
                                HB_HIERARCHY,
                                walk_stackless,
                                sum_direct,
#define HB_PAIR_ENTRIES(NAME, Type, F, W) pairs_of_groups<Type##Pairs>, pairs_of_each<Type##Pairs>,
#define HB_GATHER_ENTRIES(NAME, Type, F, W) gather_of_groups<Type##Gather>, gather_of_each<Type##Gather>,
                                HB_PAIR_SEARCHES(HB_PAIR_ENTRIES, , ) HB_PAIR_GATHERERS(HB_GATHER_ENTRIES, , )};
  return table;
}

HB_CLOSE
