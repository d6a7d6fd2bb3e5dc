// SPDX-License-Identifier: Apache-2.0
// The tree on a device: from positions to sorted keys, cells, links, groups and moments. Compiled once a precision.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "device/device.h"
#include "device/kernels/sizes.h"
#include "device/launches.h"
#include "physics/expansion.h"
#include "stages/bound.h"
#include "stages/build.h"
#include "stages/key.h"
#include "stages/reorder.h"
#include "stages/views.h"
#include "tree/tree.h"

HB_OPEN

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
  void reorder_rest(DeviceParticles& particles) override;
  void compute_moments(const DeviceParticles& particles, const KeyCube& cube, const WalkOptions& options) override;

  static constexpr i32 least_order = 2;  ///< quadrupoles
  [[nodiscard]] i32 least_moment_order() const override { return least_order; }
  /// Warps that gather test 32 particles at a time, and the fewer cells they have to look at, the better (5 % of a
  /// step).
  [[nodiscard]] i32 gathering_leaf_size() const override { return 48; }
  [[nodiscard]] i32 box_stride() const override { return HB_MOMENT_STRIDE(least_order); }
  void largest_in_cells(DeviceArray<pos_t>& largest, const DeviceArray<pos_t>& values,
                        const CellArrays& cells) const override;
  void group_points(Groups& groups, const DeviceParticles& points, const DeviceArray<u32>& sums, i32 size,
                    pos_t near) const override;
  [[nodiscard]] const Buffer& keys() const { return keys_; }

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
};

/// marks[i]: whether a group begins at particle i of `particles`: all, or some of them in the order of the curve.
void mark_groups(Device& device, const DeviceParticles& particles, const GroupPlan& plan, ArrayArgument<u8> marks);
/// The sums of n + 1 marks, in place of them, and the indices of those that are set; how many they are.
i32 list_marks(Device& device, DeviceArray<u32>& marks, i32 n, DeviceArray<i32>& list);
/// Groups of at most `size` particles; begins, marks: memory for them.
void make_groups(Device& device, const DeviceParticles& particles, i32 size, DeviceArray<u8>& begins,
                 DeviceArray<u32>& marks, Groups& groups);

/// Returns the number of warps for `items`, few of which need a whole warp. It is one for every `at_once` items, and at
/// least `enough`, unless that leaves one more items than it has lanes.
inline i32 searching_warps(i32 items, i32 at_once, i32 enough) {
  const auto warps_of = [&](i32 each) { return (items + each - 1) / each; };
  return std::max(std::min(warps_of(at_once), enough), warps_of(HB_WARP));
}

HB_CLOSE
