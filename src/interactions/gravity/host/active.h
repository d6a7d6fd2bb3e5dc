// SPDX-License-Identifier: Apache-2.0
// What walks when only some rungs are due: the groups that hold such a particle, in their blocks, and the particles
// themselves for walks of one at a time. Compiled once a precision.
#pragma once

#include <vector>

#include "stages/views.h"
#include "tree/host_particles.h"

HB_OPEN

/// Targets of one walk.
struct ActiveTargets {
  std::vector<GroupRange> groups;  ///< along the curve
  std::vector<i32> block_begin;    ///< first of each block of groups, and their number
  Array<u32> particles;            ///< on rungs from `least` on, along the curve

  /// Of the groups and blocks of a tree (empty where the walk has none), those with a particle from rung `least` on.
  void find(const CpuParticles& all, const std::vector<GroupRange>& tree_groups, const std::vector<i32>& tree_blocks,
            i32 least);
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  std::vector<char> due_;  ///< whether each group of the tree is
};

/// n particles, cut into ranges that threads share.
std::vector<GroupRange> all_particles(i32 n);

HB_CLOSE
