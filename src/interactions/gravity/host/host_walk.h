// SPDX-License-Identifier: Apache-2.0
// walk on the CPU, by the kernels of its instruction set. Compiled once a precision.
#pragma once

#include "interactions/gravity/gravity_walk.h"
#include "tree/host/host_targets.h"

HB_OPEN

class HostWalk final : public GravityWalk {
 public:
  explicit HostWalk(HostDevice& device);

  [[nodiscard]] GravityOptions plan(u64 n, GravityOptions options, const Holding& holding, u64 held) const override;
  [[nodiscard]] memory::Need host_need(const GravityOptions& options, const Holding& holding,
                                       const memory::Need& others) const override;
  [[nodiscard]] bool needs_tree(Walk walk, std::size_t /*images*/, TargetSet& /*targets*/,
                                const DeviceParticles& /*all*/) const override {
    return walk != Walk::direct;
  }
  void run(const GravityRun& what, const DeviceParticles& particles, const Tree& tree, TargetSet& targets) override;
  void run_for(Guests& guests, const GravityRun& what, const DeviceParticles& particles, const Tree& tree) override;
  bool give_tides(const GravityRun& what, const DeviceParticles& particles, const Tree& tree, const DeviceParticles& to,
                  const Groups& groups, const DeviceArray<real>* last, DeviceArray<real>& tide) override;
  [[nodiscard]] Interactions interactions() const override { return interactions_; }
  void release() override {}
  [[nodiscard]] std::uint64_t bytes() const override { return 3 * shifted_[0].bytes(); }

 private:
  /// How the particles of a tree attract those of `to`.
  [[nodiscard]] WalkArrays arrays_of(const DeviceParticles& particles, const DeviceParticles& to,
                                     const Tree& tree) const;
  void walk_groups(const GravityRun& what, WalkArrays& arrays, const Groups& groups);
  void walk_hierarchy(const GravityRun& what, WalkArrays& arrays, const HierarchyTargets& targets);
  /// What is not walked by groups, in one image: that of all but the first is added.
  void run_each(Walk walk, const WalkOptions& options, const WalkArrays& arrays, const Groups& groups);
  /// The particles as targets of an image that is shifted so.
  [[nodiscard]] ParticlesView shifted_view(const DeviceParticles& particles, const Vec3& shift);

  HostDevice& device_;
  const Kernels& kernels_;
  void set_shifts(const std::vector<SourceImage>& images, WalkArrays& arrays);

  DeviceArray<pos_t> shifted_[3];
  std::vector<ImageShift> shifts_;
  Interactions interactions_;
};

HB_CLOSE
