// SPDX-License-Identifier: Apache-2.0
// walk, as every device has it: accelerations and potentials of the targets by groups, one by one, or directly.
// Compiled once a precision.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "memory/need.h"
#include "stages/surroundings.h"
#include "tree/guests.h"
#include "tree/images.h"
#include "tree/sample.h"
#include "tree/target_set.h"

HB_OPEN

/// What a walk is to do.
struct GravityRun {
  Walk walk;
  WalkOptions options;
  GroupWalkOptions group;  ///< of devices' walks by groups
  double accuracy;         ///< above 0: as exact as that, from cell to cell
  Surroundings around;     ///< by which demands of an accuracy go
  bool has_far_images;     ///< whether targets have the field of a lattice's far images, for their first demand
  i32 group_size;
  const DeviceArray<u32>* order;           ///< the particle that each step of a one-by-one walk takes, or null
  const std::vector<SourceImage>* images;  ///< of the sources
};

class GravityWalk {
 public:
  virtual ~GravityWalk() = default;

  /// As plan_gravity() does; options are valid.
  [[nodiscard]] virtual GravityOptions plan(u64 n, GravityOptions options, const Holding& holding, u64 held) const = 0;
  /// As gravity_host_need() does.
  [[nodiscard]] virtual memory::Need host_need(const GravityOptions& options, const Holding& holding,
                                               const memory::Need& others) const = 0;
  /// Whether a walk for these targets uses the tree: few are summed for directly. images: of the sources, where forces
  /// are to an accuracy; else 0.
  [[nodiscard]] virtual bool needs_tree(Walk walk, std::size_t images, TargetSet& targets,
                                        const DeviceParticles& particles) const = 0;
  /// Fills the accelerations and potentials of the targets; those of others stay, but for a target's group on the CPU.
  virtual void run(const GravityRun& what, const DeviceParticles& particles, const Tree& tree, TargetSet& targets) = 0;
  /// Adds what the particles, and all images, attract target points with to what these have.
  virtual void run_for(Guests& guests, const GravityRun& what, const DeviceParticles& particles, const Tree& tree) = 0;
  /// Whether the last run added to the field of far images where targets had it.
  [[nodiscard]] virtual bool added_to_far_images() const { return false; }
  /// Tidal tensors at particles `to` that stand in `groups`: component k of target i goes to tide[k n + i], of 8 n
  /// values. last: |a| of each for the relative criterion, or null. Returns false where targets walk one by one.
  virtual bool give_tides(const GravityRun& /*what*/, const DeviceParticles& /*particles*/, const Tree& /*tree*/,
                          const DeviceParticles& /*to*/, const Groups& /*groups*/, const DeviceArray<real>* /*last*/,
                          DeviceArray<real>& /*tide*/) {
    return false;
  }
  /// Forces on a sample by direct sums in fp64, internal; none where its caller sums as fast, or in single precision.
  [[nodiscard]] virtual std::vector<std::array<double, 4>> direct_sums(const DeviceParticles& /*particles*/,
                                                                       const Sample& /*sample*/,
                                                                       const GravityRun& /*what*/) const {
    return {};
  }
  /// Of the last run; waits for it.
  [[nodiscard]] virtual Interactions interactions() const = 0;
  /// Gives the memory of walks back; interactions() are forgotten.
  virtual void release() = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// The one that fits a device.
std::unique_ptr<GravityWalk> make_gravity_walk(Device& device);

HB_CLOSE
