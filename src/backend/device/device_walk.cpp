// SPDX-License-Identifier: Apache-2.0
// walk on a device. Compiled once a precision (HB_PRECISION).
#include "backend/device/device_walk.h"

#include <algorithm>
#include <vector>

#include "backend/device/kernels/sizes.h"
#include "physics/expansion.h"

HB_OPEN
namespace {

/// Cells that a block can hand to its groups; where there are more, these start from the root.
constexpr i32 frontier_room = 768;

/// Groups of a block, which shares a far field and an estimate of |a|: among few particles |a| differs too much within
/// a block for one estimate to hold (docs/theory.md eq. 11).
i32 block_groups(i32 n) {
  constexpr i32 least_n = 1 << 18;
  return n < least_n ? 1 : 8;
}

}  // namespace

DeviceWalk::DeviceWalk(Device& device, Precision precision)
    : device_(device),
      variant_{precision, 0},
      counts_(device),
      scratch_(device),
      accelerations_(device),
      centres_(device),
      far_fields_(device),
      frontiers_(device),
      frontier_counts_(device),
      expanded_(device) {}

void DeviceWalk::run(Walk walk, const WalkOptions& options, GroupWalkOptions group, i32 group_size,
                     const DeviceParticles& particles, const DeviceTree& tree, const Buffer* order) {
  last_walk_ = walk;
  last_blocks_ = 0;
  group_first_ = nullptr;
  switch (walk) {
    case Walk::group:
      return walk_groups(options, group, group_size, particles, tree);
    case Walk::direct:
      return sum_directly(options, group, particles);
    default:
      return walk_particles(walk, options, particles, tree, order);
  }
}

void DeviceWalk::walk_groups(const WalkOptions& options, GroupWalkOptions group, i32 group_size,
                             const DeviceParticles& p, const DeviceTree& tree) {
  const KernelVariant variant{variant_.precision, options.expansion};
  const i32 block_size = group_size * block_groups(p.n), blocks = (p.n + block_size - 1) / block_size;
  const auto count = static_cast<std::size_t>(blocks);
  group.groups = tree.groups();
  group.block_size = block_size;
  group.shares = options.expansion > 0 ? 1 : 0;
  group.frontier_room = frontier_room;
  accelerations_.reserve(count * sizeof(real));
  centres_.reserve(3 * count * sizeof(pos_t));
  counts_.reserve(3 * static_cast<std::size_t>(group.groups) * sizeof(u32));
  if (group.shares) {
    far_fields_.reserve(count * static_cast<std::size_t>(HB_COEFFICIENTS(options.expansion)) * sizeof(real));
    frontiers_.reserve(count * frontier_room * sizeof(i32));
    frontier_counts_.reserve(count * sizeof(i32));
    expanded_.reserve(count * sizeof(u32));
    last_blocks_ = blocks;
  }
  Arguments of_blocks(options, group, blocks, p.last, accelerations_, centres_, far_fields_, frontiers_,
                      frontier_counts_, expanded_);
  add_particles(of_blocks, p);
  tree.add_cells(of_blocks);
  device_.launch_warps(Kernel::walk_blocks, variant, blocks, of_blocks);
  Arguments of_groups(options, group, tree.group_first(), p.last, accelerations_, centres_, far_fields_, frontiers_,
                      frontier_counts_, p.acc[0], p.acc[1], p.acc[2], p.acc[3], counts_);
  add_particles(of_groups, p);
  tree.add_cells(of_groups);
  device_.launch_warps(Kernel::walk_groups, variant, group.groups, of_groups);
  last_items_ = group.groups;
  group_first_ = &tree.group_first();
}

void DeviceWalk::walk_particles(Walk walk, const WalkOptions& options, const DeviceParticles& p, const DeviceTree& tree,
                                const Buffer* order) {
  counts_.reserve(3 * static_cast<std::size_t>(p.n) * sizeof(u32));
  const void* const no_order = nullptr;
  Arguments arguments(options);
  order ? arguments.add(*order) : arguments.add(no_order);
  arguments.add(p.last).add(p.acc[0]).add(p.acc[1]).add(p.acc[2]).add(p.acc[3]).add(counts_);
  add_particles(arguments, p);
  tree.add_cells(arguments);
  if (walk == Walk::vote) {
    device_.launch_warps(Kernel::walk_vote, variant_, (p.n + HB_WARP - 1) / HB_WARP, arguments);
  } else {
    device_.launch(Kernel::walk_stackless, variant_, p.n, arguments);
  }
  last_items_ = p.n;
}

void DeviceWalk::sum_directly(const WalkOptions& options, const GroupWalkOptions& group, const DeviceParticles& p) {
  Arguments arguments(options, group, p.acc[0], p.acc[1], p.acc[2], p.acc[3]);
  add_particles(arguments, p);
  const i32 blocks = (p.n + HB_DIRECT_SPAN - 1) / HB_DIRECT_SPAN;
  device_.launch(Kernel::sum_direct, variant_, static_cast<i64>(blocks) * HB_BLOCK, arguments);
  last_pairs_ = static_cast<i64>(p.n) * (p.n - 1);
}

Interactions DeviceWalk::interactions() const {
  if (last_walk_ == Walk::direct) return {static_cast<std::uint64_t>(last_pairs_), 0, 0};
  if (last_items_ == 0) return {};
  const i32 blocks = std::min((last_items_ + HB_BLOCK - 1) / HB_BLOCK, HB_MOST_SUM_BLOCKS);
  Buffer& sums = const_cast<DeviceWalk*>(this)->scratch(static_cast<std::size_t>(blocks) * 3 * sizeof(u64));
  const void* const none = nullptr;
  Arguments arguments(counts_);
  group_first_ ? arguments.add(*group_first_) : arguments.add(none);
  arguments.add(last_items_).add(blocks).add(sums);
  device_.launch(Kernel::sum_counts, variant_, static_cast<i64>(blocks) * HB_BLOCK, arguments);
  std::vector<u64> part(static_cast<std::size_t>(blocks) * 3);
  device_.download(part.data(), sums, 0, part.size() * sizeof(u64));
  Interactions total;
  for (std::size_t i = 0; i < part.size(); i += 3) {
    total.particle += part[i], total.cell += part[i + 1], total.expansion += part[i + 2];
  }
  std::vector<u32> shared(static_cast<std::size_t>(last_blocks_));
  if (!shared.empty()) device_.download(shared.data(), expanded_, 0, shared.size() * sizeof(u32));
  for (const u32 cells : shared) total.expansion += cells;
  return total;
}

double DeviceWalk::bytes_per_particle(Walk walk, i32 expansion) {
  constexpr double group = HB_MAX_GROUP, block = 8 * group;  // groups are nearly all full
  if (walk != Walk::group) return 3 * sizeof(u32);
  const double shared =
      expansion > 0 ? HB_COEFFICIENTS(expansion) * sizeof(real) + frontier_room * sizeof(i32) + 2 * sizeof(u32) : 0;
  return (3 * sizeof(u32) + sizeof(i32)) / group + (shared + sizeof(real) + 3 * sizeof(pos_t)) / block;
}

void DeviceWalk::release() {
  for (Buffer* b :
       {&counts_, &scratch_, &accelerations_, &centres_, &far_fields_, &frontiers_, &frontier_counts_, &expanded_}) {
    b->release();
  }
  last_items_ = 0, last_blocks_ = 0;
}

Buffer& DeviceWalk::scratch(std::size_t bytes) {
  scratch_.reserve(bytes);
  return scratch_;
}

std::uint64_t DeviceWalk::bytes() const {
  return counts_.bytes() + scratch_.bytes() + accelerations_.bytes() + centres_.bytes() + far_fields_.bytes() +
         frontiers_.bytes() + frontier_counts_.bytes() + expanded_.bytes();
}

HB_CLOSE
