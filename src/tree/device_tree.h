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
#include "tree/store_fields.h"

HB_OPEN

/// Particles on the device, in the order of the last sort. Arrays that are not used are empty. The rows say what each
/// is.
struct DeviceParticles {
  explicit DeviceParticles(Device& device);
  /// Makes this a copy of `other`.
  void copy(const DeviceParticles& other, Device& device);
  [[nodiscard]] std::uint64_t bytes() const;
  /// What kernels see as HB_PARTICLES.
  [[nodiscard]] ParticleArrays arrays() const;

  i32 n = 0;
  double soft2_unit = 0;  ///< internal length per length when soft2 was made; 0: it was not
#define HB_DEVICE_ARRAY(type, name, held, carried) DeviceArray<type> name;
#define HB_DEVICE_ARRAYS(type, name, parts, held, carried) DeviceArray<type> name[parts];
  HB_STORE_FIELDS(HB_DEVICE_ARRAY, HB_DEVICE_ARRAYS)
#undef HB_DEVICE_ARRAY
#undef HB_DEVICE_ARRAYS
};

/// Ranges of neighbouring particles that share one traversal.
struct DeviceGroups {
  explicit DeviceGroups(Device& device) : first(device) {}
  DeviceArray<i32> first;  ///< where each begins, and the end of the last
  i32 count = 0;
};

/// Groups of at most `size` consecutive particles, each within one window of that many; none for 0. Particles of
/// windows wider than `widest` are groups of their own.
struct GroupPlan {
  i32 size = 0;
  pos_t widest = std::numeric_limits<pos_t>::max();
};

class DeviceTree {
 public:
  DeviceTree(Device& device, Precision precision);

  /// bound: the key cube of the present positions.
  [[nodiscard]] KeyCube bound(const DeviceParticles& particles);
  /// Whether the records of n particles fit beside what is held. Cells are of no use before there are keys, records of
  /// none once there are cells: where memory is short, release_cells() makes room for records, build() for cells.
  [[nodiscard]] bool has_room(i32 n) const;
  void release_cells();
  void make_keys(const DeviceParticles& particles, const KeyCube& cube, i32 curve);
  void sort(i32 n);
  /// Places, masses and indices on input follow the keys. Their order is not final until build() or, where there is
  /// none, settle_order().
  void reorder(DeviceParticles& particles);
  void settle_order(DeviceParticles& particles, const KeyCube& cube, i32 curve);
  /// Cells and links over the sorted keys, and groups.
  void build(DeviceParticles& particles, const KeyCube& cube, i32 curve, i32 leaf_size, i32 moment_stride,
             const GroupPlan& groups);
  /// marks[i]: whether a group begins at particle i of `particles`: all, or some of them in the order of the
  /// curve.
  void mark_groups(const DeviceParticles& particles, const GroupPlan& plan, ArrayArgument<u8> marks) const;
  /// All other fields of the particles follow them.
  void reorder_rest(DeviceParticles& particles);
  void compute_moments(const DeviceParticles& particles, const KeyCube& cube, const WalkOptions& options);

  [[nodiscard]] i32 cells() const { return levels_.begin[HB_LEVELS + 1]; }
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
  [[nodiscard]] std::uint64_t tree_bytes() const;
  [[nodiscard]] std::uint64_t scratch_bytes() const;

 private:
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
  KernelVariant variant_;
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
