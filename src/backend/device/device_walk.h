// SPDX-License-Identifier: Apache-2.0
// walk on a device: by groups, one thread a particle, or direct. Compiled once a precision.
#pragma once

#include "backend/device/device_tree.h"

HB_OPEN

class DeviceWalk {
 public:
  DeviceWalk(Device& device, Precision precision);

  /// Fills the accelerations of `particles`; order: the particle each item of the one-thread walks takes, or null.
  void run(Walk walk, const WalkOptions& options, GroupWalkOptions group, i32 group_size,
           const DeviceParticles& particles, const DeviceTree& tree, const Buffer* order);
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
  void walk_groups(const WalkOptions& options, GroupWalkOptions group, i32 group_size, const DeviceParticles& particles,
                   const DeviceTree& tree);
  void walk_particles(Walk walk, const WalkOptions& options, const DeviceParticles& particles, const DeviceTree& tree,
                      const Buffer* order);
  void sum_directly(const WalkOptions& options, const GroupWalkOptions& group, const DeviceParticles& particles);

  Device& device_;
  KernelVariant variant_;
  Buffer counts_;  ///< u32: three for each group or particle of the last run
  Buffer scratch_;
  // of each block: |a|, centre, expansion, cells handed to its groups, cells expanded
  Buffer accelerations_, centres_, far_fields_, frontiers_, frontier_counts_, expanded_;
  Walk last_walk_ = Walk::group;
  i32 last_items_ = 0, last_blocks_ = 0;
  i64 last_pairs_ = 0;
  const Buffer* group_first_ = nullptr;
};

HB_CLOSE
