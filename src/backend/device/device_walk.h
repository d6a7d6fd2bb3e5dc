// SPDX-License-Identifier: Apache-2.0
// walk on a device: by groups, one thread a particle, or direct. Compiled once a precision.
#pragma once

#include "backend/device/device_tree.h"

HB_OPEN

/// The particles that a walk is for: those on rung `least` or deeper.
struct DueRungs {
  const Buffer& rungs;  ///< u32
  i32 least;
};

/// What an external field is added by: user's units, and internal ones per each.
struct ExternalFields {
  explicit ExternalFields(Device& device) : fields(device) {}
  Buffer fields;  ///< ExternalField
  i32 count = 0;
  pos_t per_acceleration = 1, per_potential = 1;
};

class DeviceWalk {
 public:
  DeviceWalk(Device& device, Precision precision);

  /// Fills the accelerations of `particles`; order: the particle each item of the one-thread walks takes, or null.
  /// due: walks only for these, or null: for all. Accelerations of groups that do not walk stay.
  void run(Walk walk, const WalkOptions& options, GroupWalkOptions group, i32 group_size,
           const DeviceParticles& particles, const DeviceTree& tree, const Buffer* order, const DueRungs* due);
  /// Adds the fields to the accelerations that the last run has filled.
  void add_external(const ExternalFields& fields, const DeviceParticles& particles);
  /// Of the last run; waits for it.
  [[nodiscard]] Interactions interactions() const;

  /// What walks keep, by particle; expansion: 0 where none are shared.
  [[nodiscard]] static double bytes_per_particle(Walk walk, i32 expansion);
  /// Gives the memory of walks back; interactions() are forgotten.
  void release();
  /// A buffer for the sums of other stages, free between runs.
  Buffer& scratch(std::size_t bytes);
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  /// Numbers of the ranges that are due to walk, in order.
  struct DueList {
    explicit DueList(Device& device) : marks(device), list(device) {}
    [[nodiscard]] std::uint64_t bytes() const { return marks.bytes() + list.bytes(); }
    Buffer marks, list;  ///< u32; i32
    i32 count = 0;
  };

  void walk_groups(const WalkOptions& options, GroupWalkOptions group, i32 group_size, const DeviceParticles& particles,
                   const DeviceTree& tree, const DueRungs* due);
  void walk_particles(Walk walk, const WalkOptions& options, const DeviceParticles& particles, const DeviceTree& tree,
                      const Buffer* order, const DueRungs* due);
  void sum_directly(const WalkOptions& options, const GroupWalkOptions& group, const DeviceParticles& particles,
                    const DueRungs* due);
  void find_due_groups(const DueRungs& due, const DeviceTree& tree, i32 blocks, i32 block_size);
  void find_due_spans(const DueRungs& due, i32 n, i32 span);
  void clear_marks(DueList& due, i32 ranges);
  void list_marks(DueList& due, i32 ranges);

  /// Finds the spread-out ones among warps [begin, end) of walk_groups; how many there are.
  i32 find_spread(i32 begin, i32 end, Buffer& spread, const WalkOptions& options, const GroupWalkOptions& group,
                  const DeviceParticles& particles, const DeviceTree& tree);
  void cut_spread_groups(GroupWalkOptions& group, const WalkOptions& options, i32 group_size,
                         const DeviceParticles& particles, const DeviceTree& tree);

  [[nodiscard]] std::vector<Buffer*> buffers();

  Device& device_;
  DueList due_, due_blocks_;  ///< groups, spans or particles; blocks
  KernelVariant variant_;
  Buffer counts_;                                                   ///< u32: HB_COUNTS for each item of the last run
  Buffer own_look_, spread_groups_, spread_pieces_, spread_count_;  ///< real each item; SpreadRange; u32
  Buffer scratch_;
  // of each block: particles among its own, |a|, centre, expansion, cells handed to its groups, cells expanded
  Buffer near_counts_, accelerations_, centres_, far_fields_, frontiers_, frontier_counts_, expanded_;
  Walk last_walk_ = Walk::group;
  i32 last_items_ = 0, last_blocks_ = 0;  ///< rows of counts_; blocks that shared
  i32 last_ranges_ = 0, last_room_ = 1;   ///< groups, spans or particles, of at most last_room_ targets
  const Buffer* group_first_ = nullptr;   ///< where the ranges are groups
  const Buffer* last_due_ = nullptr;
  i64 last_pairs_ = 0;
};

HB_CLOSE
