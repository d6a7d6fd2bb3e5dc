// SPDX-License-Identifier: Apache-2.0
// Bytes by purpose, see host_need.h. tests/cli/test_memory.py compares them with what the system counts.
#include "tree/host/host_need.h"

#include <algorithm>

#include "device/host/kernels.h"
#include "memory/room.h"
#include "stages/key.h"
#include "tree/store_fields.h"

HB_OPEN

/// 3.7 to 4.2 / leaf_size in Plummer and Hernquist spheres, 1.5 where leaves hold one; lattices and gatherings of
/// coincident clumps make up to twice that, for which HostCells::build() asks when it knows.
double cells_per_particle(int leaf_size) { return std::min(1.6, 4.2 / leaf_size); }

std::size_t cell_bytes(i32 moment_stride) {
  std::size_t sum = static_cast<std::size_t>(moment_stride) * sizeof(real);
#define HB_CELL_BYTES(type, field) sum += sizeof(type);
  HB_CELL_FIELDS(HB_CELL_BYTES)
#undef HB_CELL_BYTES
  return sum - sizeof(real);  // moments, counted by their stride
}

memory::Need evaluation_need(const GravityOptions& o, const WalkOptions& w, const Holding& h, int threads) {
  const double particles = evaluation_bytes(o, h);
  const double rungs = rung_bytes() + sizeof(u32) + sizeof(real);  // with an order and a spare array for the sort
  const double entries = 2 * sizeof(SortEntry) + sizeof(pos_t) + (o.curve == Curve::none ? sizeof(u32) : 0);
  const double cells = cells_per_particle(o.leaf_size) * static_cast<double>(cell_bytes(w.moment_stride));
  const double groups = 2 * sizeof(GroupRange) * std::min(1.0, 2.0 / o.group_size);
  constexpr double each_thread = 2e6;
  const double shifted = h.images && o.walk != Walk::group ? 3 * sizeof(pos_t) : 0;
  return {{"their arrays in the walk", particles + (h.rungs ? rungs : 0) + shifted},
          {"a copy for steps that are repeated", h.copy ? copy_margin * (particles + (h.rungs ? rungs : 0)) : 0},
          {"sort", entries},
          {"tree", sizeof(u64) + sizeof(u32) + sizeof(u8) + cells + groups},
          {"threads", 0, each_thread * threads, memory::stack_bytes() * (threads - 1)}};
}

memory::Need points_need(int leaf_size) {
  constexpr double places = 4 * sizeof(pos_t) + 2 * sizeof(real) + 2 * sizeof(u32) + sizeof(u64) + sizeof(u8);
  const double cells = cells_per_particle(leaf_size) * static_cast<double>(cell_bytes(0) + sizeof(pos_t));
  return {{"places and keys", places}, {"sort", 2 * sizeof(SortEntry)}, {"tree", cells}};
}

HB_CLOSE
