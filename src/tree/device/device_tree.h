// SPDX-License-Identifier: Apache-2.0
// The tree on a device: from positions to sorted keys, cells, links, groups and moments. Compiled once a precision.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "device/device.h"
#include "device/kernels/sizes.h"
#include "device/launches.h"
#include "stages/bound.h"
#include "stages/build.h"
#include "stages/key.h"
#include "stages/reorder.h"
#include "stages/views.h"
#include "tree/tree.h"

HB_OPEN

/// Ranges of neighbouring particles that share one traversal.
struct DeviceGroups {
  explicit DeviceGroups(Device& device) : first(device) {}
  DeviceArray<i32> first;  ///< where each begins, and the end of the last
  i32 count = 0;
};

class DeviceTree final : public Tree {
 public:
  explicit DeviceTree(Device& device);

  [[nodiscard]] KeyCube bound(const DeviceParticles& particles) override;
  /// Records are of no use once there are cells: where memory is short, build() gives theirs back.
  [[nodiscard]] bool has_room(i32 n) const override;
  void release_cells() override;
  void make_keys(const DeviceParticles& particles, const KeyCube& cube, i32 curve) override;
  void sort(i32 n) override;
  void reorder(DeviceParticles& particles) override;
  void build(DeviceParticles& particles, const KeyCube& cube, i32 curve, const TreePlan& plan) override;
  /// marks[i]: whether a group begins at particle i of `particles`: all, or some of them in the order of the
  /// curve.
  void mark_groups(const DeviceParticles& particles, const GroupPlan& plan, ArrayArgument<u8> marks) const;
  void reorder_rest(DeviceParticles& particles) override;
  void compute_moments(const DeviceParticles& particles, const KeyCube& cube, const WalkOptions& options) override;

  [[nodiscard]] i32 cells() const override { return levels_.begin[HB_LEVELS + 1]; }
  [[nodiscard]] const LevelTable& levels() const { return levels_; }
  [[nodiscard]] const DeviceGroups& groups() const { return groups_; }
  [[nodiscard]] const Buffer& keys() const { return keys_; }
  /// What kernels see as HB_CELLS.
  [[nodiscard]] CellArrays arrays() const;
#define HB_CELL_ACCESS(type, field) \
  [[nodiscard]] const DeviceArray<type>& field() const { return field##_; }
  HB_CELL_FIELDS(HB_CELL_ACCESS)
#undef HB_CELL_ACCESS

  /// What sort and reorder need of a particle, for good and until there are cells, and expected cells for a particle.
  static constexpr double order_bytes = 2.0 * (sizeof(u64) + sizeof(u32)), record_bytes = sizeof(ParticleRecord);
  [[nodiscard]] static double cells_per_particle(i32 leaf_size);
  /// Bytes of one cell.
  [[nodiscard]] static std::size_t cell_bytes(i32 moment_stride);
  [[nodiscard]] std::uint64_t tree_bytes() const override;
  [[nodiscard]] std::uint64_t scratch_bytes() const override;

 private:
  /// The order made final where there are no cells to count.
  void settle_order(DeviceParticles& particles, const KeyCube& cube, i32 curve);
  /// The box, and the counts of the first round.
  void find_box(const DeviceParticles& particles, i32 blocks, BoundReport& found);
  /// The counts within `inner` along the axes that are counted `again`.
  void count_again(const DeviceParticles& particles, i32 blocks, const Interval (&inner)[3], const bool (&again)[3],
                   BoundReport& found);
  /// Values in the order of the keys, by one of the kernels gather_...
  template <class Launch, class T>
  void gather(DeviceArray<T>& values, i32 n);
  /// What is wrong with the order, `why`, mended: sorts again, by all bits, and equal keys by their indices on input.
  void sort_again(u32 why, DeviceParticles& particles, const KeyCube& cube, i32 curve);
  /// What the host must know before cells are made.
  struct TreeCounts {
    LevelTable levels;
    i32 groups;
    u32 disordered;  ///< HB_LONG_RUNS, HB_TIES
  };
  [[nodiscard]] TreeCounts count_cells(const DeviceParticles& particles, i32 leaf_size, const GroupPlan& groups);
  void reserve_cells(i32 cells, i32 moment_stride);
  /// Where count_cells() leaves mark_groups()'s marks, in place of what the sort no longer needs; its `starts` are in
  /// spare_place_.
  [[nodiscard]] OptionalArgument<const u8> marks_of(const GroupPlan& groups) const;

  Device& device_;
  LevelTable levels_{};
  i32 leaf_size_ = 0;
  DeviceArray<u64> keys_, spare_keys_;
  DeviceArray<u32> place_, spare_place_;
  DeviceArray<ParticleRecord> records_;
  DeviceArray<u32> disordered_;  ///< HB_LONG_RUNS, HB_TIES
  DeviceArray<u8> steps_;        ///< curve_steps() of curve_
  i32 curve_ = -1;
  bool needs_all_bits_ = false;  ///< whether a sort by the upper bits of the keys has left long runs
  DeviceArray<BoundReport> bound_;
  DeviceArray<u32> counts_, totals_;  ///< counts by block; a few numbers for the host
  DeviceGroups groups_;
#define HB_CELL_BUFFER(type, field) DeviceArray<type> field##_;
  HB_CELL_FIELDS(HB_CELL_BUFFER)
#undef HB_CELL_BUFFER
};

/// Warps among which `items` are shared out, of which few need a whole warp: one for every `at_once` items or, where
/// that is more, `enough` of them, unless that leaves one more items than it has lanes.
inline i32 searching_warps(i32 items, i32 at_once, i32 enough) {
  const auto warps_of = [&](i32 each) { return (items + each - 1) / each; };
  return std::max(std::min(warps_of(at_once), enough), warps_of(HB_WARP));
}

HB_CLOSE
