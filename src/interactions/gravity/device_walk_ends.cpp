// SPDX-License-Identifier: Apache-2.0
// The end of a walk on a device: forces go to all ranks, and interactions are counted. Compiled once a precision
// (HB_PRECISION).
#include <algorithm>
#include <vector>

#include "interactions/gravity/device_walk.h"
#include "interactions/gravity/kernels/launches.h"
#include "tree/device/device_sums.h"

HB_OPEN

void DeviceWalk::exchange_forces(const DeviceParticles& p, const RowsOfRanks& rows) {
  if (!rows.are_shared()) return;
  std::vector<Exchanged> arrays;
  for (int k = 0; k < 4; ++k) {
    const DeviceArray<real>& forces = last_due_ == nullptr ? p.acc[k] : given_[k];
    if (last_due_ != nullptr) {
      given_[k].reserve(static_cast<std::size_t>(last_targets_) * sizeof(real));
      device_.launch(
          kernels::gather_reals{.from = p.acc[k], .place = last_due_->as<u32>(), .n = last_targets_, .to = given_[k]},
          plain_variant, last_targets_);
    }
    arrays.push_back({&forces, sizeof(real)});
  }
  device_.exchange(arrays, rows);
  if (last_due_ == nullptr) return;
  for (int k = 0; k < 4; ++k) {
    device_.launch(
        kernels::scatter_reals{.from = given_[k], .place = last_due_->as<u32>(), .n = last_targets_, .to = p.acc[k]},
        plain_variant, last_targets_);
  }
}

Interactions DeviceWalk::interactions() const {
  if (last_by_cells_) return count(hierarchy_.counts(), hierarchy_.sinks(), 0);
  if (last_walk_ == Walk::direct) return {static_cast<std::uint64_t>(last_pairs_), 0, 0};
  if (last_items_ == 0) return {};
  return count(counts_, std::vector(static_cast<std::size_t>(turns_.ranks), last_items_), last_blocks_);
}

Interactions DeviceWalk::count(const DeviceArray<u32>& rows, const std::vector<i32>& items_of_rank,
                               i32 expanding_blocks) const {
  const i32 most = sum_blocks(std::ranges::max(items_of_rank));
  Buffer& sums = const_cast<DeviceWalk*>(this)->scratch(static_cast<std::size_t>(most) * 3 * sizeof(u64));
  Interactions total;
  const auto add = [&](int rank) {
    const i32 items = items_of_rank[static_cast<std::size_t>(rank)], blocks = sum_blocks(items);
    if (items == 0) return;
    device_.launch(kernels::sum_counts{.counts = rows, .count = items, .blocks = blocks, .sums = sums.as<u64>()},
                   plain_variant, static_cast<i64>(blocks) * HB_BLOCK);
    std::vector<u64> part(static_cast<std::size_t>(blocks) * 3);
    device_.download(part.data(), sums, 0, part.size() * sizeof(u64));
    for (std::size_t i = 0; i < part.size(); i += 3) {
      total.particle += part[i];
      total.cell += part[i + 1];
      total.expansion += part[i + 2];
    }
    std::vector<u32> shared(static_cast<std::size_t>(expanding_blocks));
    if (!shared.empty()) device_.download(shared.data(), expanded_, 0, shared.size() * sizeof(u32));
    for (const u32 cells : shared) total.expansion += cells;
  };
  if (turns_.are_shared()) {
    device_.on_each_rank(add);  // rows of others are 0
  } else {
    add(0);
  }
  return total;
}

HB_CLOSE
