// SPDX-License-Identifier: Apache-2.0
// walk on a device: by groups, one thread a particle, or direct. Compiled once a precision.
#pragma once

#include <array>

#include "device/kernels/sizes.h"
#include "interactions/gravity/device_hierarchy.h"
#include "interactions/gravity/gravity_walk.h"
#include "tree/target_set.h"

HB_OPEN

class DeviceWalk final : public GravityWalk {
 public:
  explicit DeviceWalk(Device& device);

  [[nodiscard]] GravityOptions plan(u64 n, GravityOptions options, const Holding& holding, u64 held) const override;
  [[nodiscard]] memory::Need host_need(const GravityOptions& options, const Holding& holding,
                                       const memory::Need& others) const override;
  [[nodiscard]] bool needs_tree(Walk walk, std::size_t images, TargetSet& targets,
                                const DeviceParticles& particles) const override;
  void run(const GravityRun& what, const DeviceParticles& particles, const Tree& tree, TargetSet& targets) override;
  void run_for(Guests& guests, const GravityRun& what, const DeviceParticles& particles, const Tree& tree) override;
  [[nodiscard]] std::vector<std::array<double, 4>> direct_sums(const DeviceParticles& particles, const Sample& sample,
                                                               const GravityRun& what) const override;
  [[nodiscard]] bool added_to_far_images() const override { return last_by_cells_; }
  [[nodiscard]] Interactions interactions() const override;

  /// What walks keep, by particle; group_size 0: the largest.
  [[nodiscard]] static double bytes_per_particle(Walk walk, const WalkOptions& options, int group_size);
  void release() override;
  [[nodiscard]] std::uint64_t bytes() const override;

 private:
  /// The attraction of one image of the sources; that of all but the first is added.
  void run_image(const GravityRun& what, const DeviceParticles& particles, const Tree& tree, TargetSet& targets,
                 const SourceImage& source);
  /// What a run is for.
  struct Task {
    const WalkOptions& options;
    const DeviceParticles& particles;
    const Tree& tree;
    TargetSet& targets;
    const Vec3& shift;
  };
  /// Where targets represent what attracts them: where they are or, for an image, shifted the other way.
  [[nodiscard]] ParticleArrays places_of(const DeviceParticles& targets, const WalkOptions& options, const Vec3& shift);
  void walk_groups(const Task& task, GroupWalkOptions group, i32 group_size);
  void walk_particles(const Task& task, Walk walk, const DeviceArray<u32>* order);
  /// Particles one by one: those of the list `taken`, or all.
  struct Singly {
    const WalkOptions& options;
    const DeviceParticles &particles, &pulled;
    const ParticleArrays& places;
    const Tree& tree;
    OptionalArgument<const u32> taken;
  };
  void walk_singly(const Singly& who, Walk walk);
  /// Whether so many pairs are summed directly where only some are due, or for target points.
  [[nodiscard]] bool are_few(double pairs) const;
  void sum_directly(const WalkOptions& options, const GroupWalkOptions& group, const DeviceParticles& particles);
  /// The same for few targets, or for any number in an image; pulled: the particles, or target points.
  void sum_for_few(const WalkOptions& options, const GroupWalkOptions& group, const DeviceParticles& particles,
                   const DeviceParticles& pulled, const ParticleArrays& places);
  /// The end of both: adds the shares of each target up.
  void add_shares(const WalkOptions& options, const GroupWalkOptions& group, const DeviceParticles& particles,
                  i32 shares, ArrayArgument<const real> parts);

  /// Whose forces a walk by groups is for, and all that attracts them.
  struct Walkers {
    const WalkOptions& options;
    const DeviceParticles &particles, &targets;
    const DeviceParticles& pulled;  ///< whose accelerations are written: the particles, or target points
    const ParticleArrays& places;   ///< of the targets
    const Groups& groups;
    const Tree& tree;
  };
  void walk_in_groups(const Walkers& who, GroupWalkOptions group, i32 group_size);
  /// Calls start(group, targets) for each rank that shares the targets, with how many are its own; else once, for all.
  template <class Start>
  void on_each_share(GroupWalkOptions group, const Start& start);
  /// The end of a shared walk: every rank gets what the others have written.
  void exchange_forces(const DeviceParticles& particles, const RowsOfRanks& rows);
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

  /// The sums of HB_COUNTS for each of so many items, and of the cells that blocks have expanded.
  [[nodiscard]] Interactions count(const DeviceArray<u32>& rows, const std::vector<i32>& items_of_rank,
                                   i32 expanding_blocks) const;

  /// Room for shares of sums, free between runs.
  Buffer& scratch(std::size_t bytes);
  [[nodiscard]] std::vector<Buffer*> buffers();

  Device& device_;
  DeviceHierarchy hierarchy_;
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
  DeviceArray<pos_t> shifted_[3];  ///< places_of() an image
  DeviceArray<real> given_[4];     ///< forces of listed targets, on their way to other ranks
  Turns turns_{};                  ///< how ranks share the targets of the last run
  TargetLayout layout_{};          ///< of the targets of the last walk by groups
  Walk last_walk_ = Walk::group;
  bool needs_tree_ = true;                      ///< the last run
  bool last_by_cells_ = false;                  ///< whether the last run was walk_hierarchy()
  i32 last_items_ = 0, last_blocks_ = 0;        ///< rows of counts_; blocks that shared
  i32 last_targets_ = 0;                        ///< particles that were walked for
  const DeviceArray<i32>* last_due_ = nullptr;  ///< their numbers; null: all
  i64 last_pairs_ = 0;
};

template <class Start>
void DeviceWalk::on_each_share(GroupWalkOptions group, const Start& start) {
  launch_shared(device_, turns_, last_targets_, [&](const RankShare& share, i64 targets) {
    group.share = share;
    start(group, targets);
  });
}

HB_CLOSE
