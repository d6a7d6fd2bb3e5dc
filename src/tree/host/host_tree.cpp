// SPDX-License-Identifier: Apache-2.0
// The steps of the tree on the CPU, see host_tree.h. Compiled once a precision (HB_PRECISION).
#include "tree/host/host_tree.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "device/host/threads.h"

HB_OPEN

HostTree::HostTree(HostDevice& device)
    : Tree(device),
      host_(device),
      kernels_(kernels_of(device.instruction_set())),
      maker_(cells_, groups_),
      pos_scratch_(device),
      real_scratch_(device),
      word_scratch_(device) {}

KeyCube HostTree::bound(const DeviceParticles& p) {
  const Threads scope(host_.threads_for(p.n, Work::item));
  const pos_t* const position[3] = {host_values(p.x[0]), host_values(p.x[1]), host_values(p.x[2])};
  return key_cube(position, p.n);
}

void HostTree::make_keys(const DeviceParticles& p, const KeyCube& cube, i32 curve) {
  const Threads scope(host_.threads_for(p.n, Work::item));
  entries_.resize(static_cast<std::size_t>(p.n));
  kernels_.keys(host_values(p.x[0]), host_values(p.x[1]), host_values(p.x[2]), host_values(p.input), p.n, cube, curve,
                entries_.data());
}

void HostTree::sort(i32 /*n*/) {
  const Threads scope(host_.threads_for(static_cast<std::int64_t>(entries_.size()), Work::item));
  sort_entries(entries_, sort_scratch_);
}

template <class T>
void HostTree::reorder_array(DeviceArray<T>& values, DeviceArray<T>& scratch, i32 n) {
  if (values.bytes() == 0) return;
  scratch.reserve(values.bytes());
  const T* const from = host_values(values);
  T* const to = host_values(scratch);
#pragma omp parallel for schedule(static)
  for (i32 i = 0; i < n; ++i) to[i] = from[entries_[i].place];
  values.swap(scratch);
}

void HostTree::reorder(DeviceParticles& p) {
  const Threads scope(host_.threads_for(p.n, Work::item));
  const bool in_blocks = p.rung.bytes() > 0;
  // where all walk, the accelerations hold nothing any more
  DeviceArray<real>& scratch = in_blocks ? real_scratch_ : p.acc[0];
  const auto reorder_row = [&](const StoreRow& row, auto& array) {
    if (!follows(row.carried, in_blocks)) return;
    using Values = std::decay_t<decltype(array)>;
    if constexpr (std::is_same_v<Values, DeviceArray<pos_t>>) {
      reorder_array(array, pos_scratch_, p.n);
    } else if constexpr (std::is_same_v<Values, DeviceArray<real>>) {
      reorder_array(array, scratch, p.n);
    } else {
      reorder_array(array, word_scratch_, p.n);
    }
  };
  for_each_array_of(reorder_row, p);
  keys_.resize(static_cast<std::size_t>(p.n));
  u32* const input = host_values(p.input);
#pragma omp parallel for schedule(static)
  for (i32 i = 0; i < p.n; ++i) {
    keys_[i] = entries_[i].key;
    input[i] = entries_[i].input;
  }
}

void HostTree::build(DeviceParticles& p, const KeyCube& /*cube*/, i32 /*curve*/, const TreePlan& plan) {
  const Threads scope(host_.threads_for(p.n, Work::item));
  maker_.build(keys_, plan.leaf_size, plan.moment_stride);
  const i32 group_size = plan.direct ? direct_group_size : plan.groups.size;
  maker_.make_groups(group_size, host_view(p));
}

void HostTree::compute_moments(const DeviceParticles& p, const KeyCube& cube, const WalkOptions& options) {
  const Threads scope(host_.threads_for(p.n, Work::item));
  maker_.compute_moments(kernels_, host_view(p), cube, options);
}

void HostTree::largest_in_cells(DeviceArray<pos_t>& largest, const DeviceArray<pos_t>& values,
                                const CellArrays& cells) const {
  const i32 count = cells_.size();
  const Threads scope(host_.threads_for(count, Work::item));
  largest.reserve((static_cast<std::size_t>(count) + read_ahead) * sizeof(pos_t));
  const CellsView c = host_view(cells);
  const pos_t* const value = host_values(values);
  pos_t* const found = host_values(largest);
#pragma omp parallel for schedule(dynamic, 256)
  for (i32 i = 0; i < count; ++i) {
    const pos_t* const first = value + c.first[i];
    if (c.children[i] == 0) found[i] = *std::max_element(first, first + c.count[i]);
  }
  for (i32 i = count - 1; i >= 0; --i) {  // children stand behind their parents
    const pos_t* const first = found + c.child[i];
    if (c.children[i] > 0) found[i] = *std::max_element(first, first + c.children[i]);
  }
  std::fill_n(found + count, read_ahead, pos_t{0});
}

void HostTree::group_points(Groups& groups, const DeviceParticles& points, const DeviceArray<u32>& sums, i32 size,
                            pos_t near) const {
  const u32* const before = host_values(sums);
  const pos_t* const place[3] = {host_values(points.x[0]), host_values(points.x[1]), host_values(points.x[2])};
  GroupRange* const made = new_ranges(groups, static_cast<std::size_t>(groups_.count));
  groups.count = 0;
  for (const GroupRange& group : host_ranges(groups_)) {
    const auto begin = static_cast<i32>(before[group.first]), end = static_cast<i32>(before[group.first + group.count]);
    if (begin == end) continue;
    const auto follows = [&](const GroupRange& last) {
      if (last.count + end - begin > size) return false;
      return std::all_of(place, place + 3, [&](const pos_t* x) { return std::abs(x[begin] - x[last.first]) <= near; });
    };
    if (groups.count > 0 && follows(made[groups.count - 1])) {
      made[groups.count - 1].count += end - begin;
    } else {
      made[groups.count++] = {begin, end - begin};
    }
  }
}

std::uint64_t HostTree::scratch_bytes() const {
  return bytes_of(entries_) + bytes_of(sort_scratch_) + pos_scratch_.bytes() + real_scratch_.bytes() +
         word_scratch_.bytes();
}

HB_CLOSE
