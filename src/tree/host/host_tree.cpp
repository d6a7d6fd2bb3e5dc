// SPDX-License-Identifier: Apache-2.0
// The steps of the tree on the CPU, see host_tree.h. Compiled once a precision (HB_PRECISION).
#include "tree/host/host_tree.h"

#include <type_traits>

#include "device/host/threads.h"

HB_OPEN

HostTree::HostTree(HostDevice& device)
    : device_(device),
      kernels_(kernels_of(device.instruction_set())),
      pos_scratch_(device),
      real_scratch_(device),
      word_scratch_(device) {}

KeyCube HostTree::bound(const DeviceParticles& p) {
  const Threads scope(device_.threads_for(p.n, Work::item));
  const pos_t* const position[3] = {host_values(p.x[0]), host_values(p.x[1]), host_values(p.x[2])};
  return key_cube(position, p.n);
}

void HostTree::make_keys(const DeviceParticles& p, const KeyCube& cube, i32 curve) {
  const Threads scope(device_.threads_for(p.n, Work::item));
  entries_.resize(static_cast<std::size_t>(p.n));
  kernels_.keys(host_values(p.x[0]), host_values(p.x[1]), host_values(p.x[2]), host_values(p.input), p.n, cube, curve,
                entries_.data());
}

void HostTree::sort(i32 /*n*/) {
  const Threads scope(device_.threads_for(static_cast<std::int64_t>(entries_.size()), Work::item));
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
  const Threads scope(device_.threads_for(p.n, Work::item));
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
  const Threads scope(device_.threads_for(p.n, Work::item));
  cells_.build(keys_, plan.leaf_size, plan.moment_stride);
  const i32 group_size = plan.direct ? direct_group_size : plan.groups.size;
  cells_.make_groups(group_size, host_view(p));
}

void HostTree::compute_moments(const DeviceParticles& p, const KeyCube& cube, const WalkOptions& options) {
  const Threads scope(device_.threads_for(p.n, Work::item));
  cells_.compute_moments(kernels_, host_view(p), cube, options);
}

std::uint64_t HostTree::scratch_bytes() const {
  return bytes_of(entries_) + bytes_of(sort_scratch_) + pos_scratch_.bytes() + real_scratch_.bytes() +
         word_scratch_.bytes();
}

HB_CLOSE
