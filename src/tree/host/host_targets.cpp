// SPDX-License-Identifier: Apache-2.0
// Finding the groups and particles that are due, see host_targets.h. Compiled once a precision (HB_PRECISION).
#include "tree/host/host_targets.h"

#include <algorithm>

#include "device/host/threads.h"
#include "stages/rungs.h"

HB_OPEN

void HostTargets::take_all(const DeviceParticles& particles, const Tree& tree) {
  some_ = false;
  all_ = particles.n;
  tree_groups_ = &tree.groups();
}

void HostTargets::take_due(const DeviceParticles& particles, const Tree& tree, i32 least) {
  const Threads scope(device_.threads_for(particles.n, Work::item));
  const std::span<const GroupRange> of_tree = host_ranges(tree.groups());
  const u32* const rung = host_values(particles.rung);
  const auto is_due = [&](u32 held) { return rung_of(held) >= least; };
  some_ = true;
  all_ = particles.n;
  least_ = least;
  rungs_ = &particles.rung;
  tree_groups_ = &tree.groups();
  due_.resize(of_tree.size());
#pragma omp parallel for schedule(static)
  for (std::size_t g = 0; g < of_tree.size(); ++g) {
    const u32* const first = rung + of_tree[g].first;
    due_[g] = static_cast<char>(std::any_of(first, first + of_tree[g].count, is_due));
  }
  take_due_groups(tree.groups());
  particles_.clear();
  if (!of_tree.empty()) return;
  for (i32 i = 0; i < particles.n; ++i) {
    if (is_due(rung[i])) particles_.push_back(static_cast<u32>(i));
  }
}

/// Whole where one of their particles is, in the blocks of the tree.
void HostTargets::take_due_groups(const Groups& of_tree) {
  const std::span<const GroupRange> ranges = host_ranges(of_tree);
  GroupRange* const due = new_ranges(due_groups_, ranges.size());
  due_groups_.block_first.reserve((static_cast<std::size_t>(of_tree.blocks) + 1) * sizeof(i32));
  const i32* const block = host_values(of_tree.block_first);
  i32* const first = host_values(due_groups_.block_first);
  due_groups_.count = due_groups_.blocks = first[0] = 0;
  for (i32 b = 0; b < of_tree.blocks; ++b) {
    for (auto g = static_cast<std::size_t>(block[b]); g < static_cast<std::size_t>(block[b + 1]); ++g) {
      if (due_[g] != 0) due[due_groups_.count++] = ranges[g];
    }
    if (due_groups_.count > first[due_groups_.blocks]) first[++due_groups_.blocks] = due_groups_.count;
  }
}

Targets HostTargets::list() {
  if (!some_) return {nullptr, all_};
  if (alone_) return due();
  i32 count = static_cast<i32>(particles_.size());
  for (const GroupRange& g : host_ranges(due_groups_)) count += g.count;
  numbers_.reserve(static_cast<std::size_t>(std::max(count, 1)) * sizeof(i32));
  i32* to = host_values(numbers_);
  for (const u32 i : particles_) *to++ = static_cast<i32>(i);
  for (const GroupRange& g : host_ranges(due_groups_)) {
    for (i32 i = g.first; i < g.first + g.count; ++i) *to++ = i;
  }
  return {&numbers_, count};
}

Targets HostTargets::due() {
  const u32* const rung = host_values(*rungs_);
  i32 count = 0;
  for (const GroupRange& g : host_ranges(due_groups_)) count += g.count;
  numbers_.reserve(static_cast<std::size_t>(std::max(count, 1)) * sizeof(i32));
  i32* to = host_values(numbers_);
  for (const GroupRange& g : host_ranges(due_groups_)) {
    for (i32 i = g.first; i < g.first + g.count; ++i) {
      if (rung_of(rung[i]) >= least_) *to++ = i;
    }
  }
  return {&numbers_, static_cast<i32>(to - host_values(numbers_))};
}

std::uint64_t HostTargets::bytes() const {
  return due_groups_.bytes() + bytes_of(particles_) + due_.capacity() + numbers_.bytes();
}

HB_CLOSE
