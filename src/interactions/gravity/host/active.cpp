// SPDX-License-Identifier: Apache-2.0
// Finding the groups and particles that are due, see active.h. Compiled once a precision (HB_PRECISION).
#include "interactions/gravity/host/active.h"

#include <algorithm>

#include "stages/rungs.h"

HB_OPEN

void ActiveTargets::find(const CpuParticles& all, const std::vector<GroupRange>& tree_groups,
                         const std::vector<i32>& tree_blocks, i32 least) {
  const auto is_due = [&](u32 held) { return rung_of(held) >= least; };
  due_.resize(tree_groups.size());
#pragma omp parallel for schedule(static)
  for (std::size_t g = 0; g < tree_groups.size(); ++g) {
    const u32* const first = all.rung.data() + tree_groups[g].first;
    due_[g] = static_cast<char>(std::any_of(first, first + tree_groups[g].count, is_due));
  }
  groups.clear();
  particles.clear();
  block_begin.assign(1, 0);
  for (std::size_t b = 0; b + 1 < tree_blocks.size(); ++b) {
    for (i32 g = tree_blocks[b]; g < tree_blocks[b + 1]; ++g) {
      if (due_[static_cast<std::size_t>(g)] != 0) groups.push_back(tree_groups[static_cast<std::size_t>(g)]);
    }
    const auto made = static_cast<i32>(groups.size());
    if (made > block_begin.back()) block_begin.push_back(made);
  }
  if (!tree_groups.empty()) return;
  for (i32 i = 0; i < all.n(); ++i) {
    if (is_due(all.rung[static_cast<std::size_t>(i)])) particles.push_back(static_cast<u32>(i));
  }
}

std::uint64_t ActiveTargets::bytes() const {
  return groups.capacity() * sizeof(GroupRange) + block_begin.capacity() * sizeof(i32) + bytes_of(particles) +
         due_.capacity();
}

std::vector<GroupRange> all_particles(i32 n) {
  constexpr i32 piece = 1024;
  std::vector<GroupRange> ranges;
  for (i32 first = 0; first < n; first += piece) ranges.push_back({first, std::min(piece, n - first)});
  return ranges;
}

HB_CLOSE
