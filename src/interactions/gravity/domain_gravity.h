// SPDX-License-Identifier: Apache-2.0
// Gravity on a domain in its precision: softenings, moments, walks. Compiled once a precision.
#pragma once

#include "interactions/gravity/evaluation.h"
#include "interactions/gravity/gravity_module.h"
#include "interactions/gravity/gravity_walk.h"
#include "interactions/gravity/lattice/far_images.h"
#include "interactions/gravity/lattice/scales.h"
#include "tree/particle_domain.h"
#include "tree/particle_sums.h"

HB_OPEN

class DomainGravity final : public Gravity {
 public:
  explicit DomainGravity(ParticleDomain& domain);

  [[nodiscard]] double frame_length(const KeyBox& cube) const override;
  void make_room() override {
    walk_->release();
    far_images_.release();
  }
  void load(const Particles& particles) override;
  void load_lent(const LentParticles& particles) override { take_softening(particles.own_eps, particles.least_eps); }
  void prepare() override;
  void refit_now() override;
  void forget_accelerations() override { p_.last.release(); }
  void refit() override { moved_ = domain_.size() > 0 && options_.walk != Walk::direct; }
  void evaluate() override;
  /// `relative` keeps |a|; where the pass was one with another criterion, to learn it, there is to be another.
  bool finish() override;
  void restore() override;
  [[nodiscard]] Bytes bytes() const override { return {0, 0, walk_->bytes() + far_images_.bytes() + order_.bytes()}; }

  void set_options(const GravityOptions& planned) override { options_ = planned; }
  [[nodiscard]] const GravityOptions& options() const override { return options_; }
  [[nodiscard]] Interactions interactions() const override { return walk_->interactions(); }
  void set_reach(double reach) override { reach_ = reach; }
  void pull_at(const LentTargets& places, const ForcesOnDevice& forces) override;
  void give_tides(const ForcesOnDevice& forces) override;
  TreeNodes nodes() override;
  std::vector<std::uint64_t> keys() override;
  ForceSample sample(const std::vector<std::size_t>& which, bool direct) override;

 private:
  /// Throws UsageError where an accuracy decides: its walk makes none.
  void demand_no_tides(const ForcesOnDevice& forces) const;
  /// At targets whose accelerations are known: the particles, or target points.
  void give_tides_at(const DeviceParticles& targets, const Groups& groups, const ForcesOnDevice& forces);
  void walk_tides(const DeviceParticles& targets, const DeviceArray<real>& last, DeviceArray<real>& tide);
  void take_softening(bool own, double least);
  [[nodiscard]] GravityRun run_of(Mac mac);
  void make_soft2();
  void moments(Mac mac, bool refitted);
  void remember_accelerations();
  void remember_demands();
  void conserve();
  [[nodiscard]] FarImages::Task far_images_at(const GravityRun& run, const DeviceParticles& to, const Targets& targets,
                                              bool has_tree) const;
  void add_far_images(const FarImages::Task& task);
  void add_remaining_far_images(const GravityRun& run, FarImages::Task task);
  [[nodiscard]] Surroundings around();
  [[nodiscard]] bool is_lattice() const { return domain_.lattice() != Vec3{}; }
  [[nodiscard]] bool own_eps() const { return p_.eps.bytes() > 0; }
  [[nodiscard]] bool remembers() const { return p_.last.bytes() > 0; }
  [[nodiscard]] WalkOptions walk_options(Mac mac) const;
  [[nodiscard]] GroupWalkOptions group_options(i32 softening) const;
  [[nodiscard]] real uniform_soft2() const;
  [[nodiscard]] i32 most_near() const;

  ParticleDomain& domain_;
  Device& device_;
  DeviceParticles& p_;
  GravityOptions options_;
  std::unique_ptr<GravityWalk> walk_;
  FarImages far_images_;
  Vec3 periods_{};  ///< of scales_
  LatticeScales scales_;
  std::unique_ptr<ParticleSums> sums_;
  DeviceArray<u32> order_;  ///< places in the order of the input, for walks along it
  bool first_pass_ = false;
  bool moved_ = false;     ///< whether particles have moved since the moments were made
  bool refitted_ = false;  ///< whether these are of particles that had moved since the tree was built
  double eps_for_all_ = 0, least_eps_ = 0;
  double reach_ = 0;
};

HB_CLOSE
