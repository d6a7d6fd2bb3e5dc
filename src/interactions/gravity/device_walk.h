// SPDX-License-Identifier: Apache-2.0
// walk on a device: by groups, one thread a particle, or direct. Compiled once a precision.
#pragma once

#include <array>

#include "device/kernels/sizes.h"
#include "interactions/gravity/device_due.h"
#include "tree/device_tree.h"

HB_OPEN

/// External fields on the device, in internal units.
struct ExternalFields {
  explicit ExternalFields(Device& device) : fields(device) {}
  DeviceArray<ExternalField> fields;
  i32 count = 0;
};

class DeviceWalk {
 public:
  DeviceWalk(Device& device, Precision precision);

  /// Finds the particles that the next run is for; whether it will need the tree: few are summed for directly.
  [[nodiscard]] bool find_due(Walk walk, const DueRungs& due, const DeviceParticles& particles);
  /// Fills the accelerations of `particles`, or where `some` is set of those that find_due() has found; those of others
  /// stay. order: the particle each item of the one-thread walks takes, or null.
  void run(Walk walk, const WalkOptions& options, GroupWalkOptions group, i32 group_size,
           const DeviceParticles& particles, const DeviceTree& tree, const DeviceArray<u32>* order, bool some);
  /// Adds the fields to the accelerations that the last run has filled.
  void add_external(const ExternalFields& fields, const DeviceParticles& particles);
  /// Of the last run; waits for it.
  [[nodiscard]] Interactions interactions() const;

  /// What walks keep, by particle; group_size 0: the largest.
  [[nodiscard]] static double bytes_per_particle(Walk walk, const WalkOptions& options, int group_size);
  /// Gives the memory of walks back; interactions() are forgotten.
  void release();
  /// A buffer for the sums of other stages, free between runs.
  Buffer& scratch(std::size_t bytes);
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  void walk_groups(const WalkOptions& options, GroupWalkOptions group, i32 group_size, const DeviceParticles& particles,
                   const DeviceTree& tree, bool some);
  void walk_particles(Walk walk, const WalkOptions& options, const DeviceParticles& particles, const DeviceTree& tree,
                      const DeviceArray<u32>* order, bool some);
  void sum_directly(const WalkOptions& options, const GroupWalkOptions& group, const DeviceParticles& particles);
  void sum_for_due(const WalkOptions& options, const GroupWalkOptions& group, const DeviceParticles& particles);
  /// The end of both: adds the shares of each target up.
  void add_shares(const GroupWalkOptions& group, const DeviceParticles& particles, i32 shares,
                  ArrayArgument<const real> parts);

  /// Whose forces a walk by groups is for, and all that pulls them.
  struct Walkers {
    const WalkOptions& options;
    const DeviceParticles &particles, &targets;
    const DeviceGroups& groups;
    const DeviceTree& tree;
  };
  void walk_blocks(const Walkers& who, const GroupWalkOptions& group);
  void launch_walk(const Walkers& who, const GroupWalkOptions& group);
  /// Looks for spread-out ones among the groups and pieces, and begins to fetch their numbers.
  void find_spread(const Walkers& who, const GroupWalkOptions& group);
  /// Spread-out pieces and groups: HB_SPREAD_PIECES, HB_SPREAD_GROUPS.
  using SpreadCounts = std::array<u32, HB_SPREAD_COUNTS>;
  /// What find_spread() has found; places for as many are expected from now on.
  SpreadCounts fetch_spread();
  /// The host learns how many there are while the groups are walked already, with the places expected after the last
  /// walk. Where these do not suffice, all pieces are walked once more.
  void walk_unexpected(const Walkers& who, GroupWalkOptions group);

  [[nodiscard]] std::vector<Buffer*> buffers();

  Device& device_;
  KernelVariant variant_;
  DueTargets due_;
  bool due_need_tree_ = true;   ///< whether a run for them uses the tree
  DeviceArray<u32> counts_;     ///< HB_COUNTS for each item of the last run
  DeviceArray<real> own_look_;  ///< of each item
  DeviceArray<SpreadRange> spread_groups_, spread_pieces_;
  DeviceArray<u32> spread_counts_;  ///< SpreadCounts
  struct {
    i32 pieces = 0, singles = 0;
  } expected_;  ///< places for them in the next walk
  Buffer scratch_;
  // of each block: particles among its own, |a|, centre, expansion, cells handed to its groups, cells expanded
  DeviceArray<i32> near_counts_;
  DeviceArray<real> accelerations_;
  DeviceArray<pos_t> centres_;
  DeviceArray<real> far_fields_;
  DeviceArray<i32> frontiers_, frontier_counts_;
  DeviceArray<u32> expanded_;
  Walk last_walk_ = Walk::group;
  i32 last_items_ = 0, last_blocks_ = 0;        ///< rows of counts_; blocks that shared
  i32 last_targets_ = 0;                        ///< particles that were walked for
  const DeviceArray<i32>* last_due_ = nullptr;  ///< their numbers; null: all
  i64 last_pairs_ = 0;
};

HB_CLOSE
