// SPDX-License-Identifier: Apache-2.0
// Finding the groups and particles that are due, see host_targets.h. Compiled once a precision (HB_PRECISION).
#include "tree/host/host_targets.h"

#include <algorithm>

#include "device/host/threads.h"
#include "stages/rungs.h"

HB_OPEN

void HostTargets::take_all(const DeviceParticles& particles, Tree& tree) {
  const HostCells& cells = static_cast<HostTree&>(tree).host_cells();
  some_ = false;
  all_ = particles.n;
  groups_ = cells.groups();
  block_begin_ = cells.block_begin();
}

void HostTargets::take_due(const DeviceParticles& particles, Tree& tree, i32 least) {
  const Threads scope(device_.threads_for(particles.n, Work::item));
  const HostCells& cells = static_cast<HostTree&>(tree).host_cells();
  const std::vector<GroupRange>& of_tree = cells.groups();
  const u32* const rung = host_values(particles.rung);
  const auto is_due = [&](u32 held) { return rung_of(held) >= least; };
  some_ = true;
  due_.resize(of_tree.size());
#pragma omp parallel for schedule(static)
  for (std::size_t g = 0; g < of_tree.size(); ++g) {
    const u32* const first = rung + of_tree[g].first;
    due_[g] = static_cast<char>(std::any_of(first, first + of_tree[g].count, is_due));
  }
  groups_.clear();
  particles_.clear();
  block_begin_.assign(1, 0);
  const std::vector<i32>& blocks = cells.block_begin();
  for (std::size_t b = 0; b + 1 < blocks.size(); ++b) {
    for (i32 g = blocks[b]; g < blocks[b + 1]; ++g) {
      if (due_[static_cast<std::size_t>(g)] != 0) groups_.push_back(of_tree[static_cast<std::size_t>(g)]);
    }
    const auto made = static_cast<i32>(groups_.size());
    if (made > block_begin_.back()) block_begin_.push_back(made);
  }
  if (!of_tree.empty()) return;
  for (i32 i = 0; i < particles.n; ++i) {
    if (is_due(rung[i])) particles_.push_back(static_cast<u32>(i));
  }
}

Targets HostTargets::list() {
  if (!some_) return {nullptr, all_};
  i32 count = static_cast<i32>(particles_.size());
  for (const GroupRange& g : groups_) count += g.count;
  numbers_.reserve(static_cast<std::size_t>(std::max(count, 1)) * sizeof(i32));
  i32* to = host_values(numbers_);
  for (const u32 i : particles_) *to++ = static_cast<i32>(i);
  for (const GroupRange& g : groups_) {
    for (i32 i = g.first; i < g.first + g.count; ++i) *to++ = i;
  }
  return {&numbers_, count};
}

std::uint64_t HostTargets::bytes() const {
  return groups_.capacity() * sizeof(GroupRange) + block_begin_.capacity() * sizeof(i32) + bytes_of(particles_) +
         due_.capacity() + numbers_.bytes();
}

HB_CLOSE
