// SPDX-License-Identifier: Apache-2.0
// A tree of particles that stays, of a caller's arrays on a device: what ForceTree (hornbeam/force_tree.h) does,
// without a way through the host.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "device/buffer.h"
#include "hornbeam/boundary.h"
#include "hornbeam/device_arrays.h"
#include "hornbeam/gravity.h"
#include "hornbeam/vec3.h"
#include "simulation/target_points.h"
#include "tree/lent_particles.h"

namespace hornbeam {

class Device;
class Lending;
class ParticleSystem;

/// Not thread-safe. Arrays are copied: callers may write to theirs afterwards. Throws as ForceTree does.
class LentForceTree {
 public:
  LentForceTree(const std::string& backend, int device);
  ~LentForceTree();
  LentForceTree(const LentForceTree&) = delete;
  LentForceTree& operator=(const LentForceTree&) = delete;

  [[nodiscard]] Device& device();
  [[nodiscard]] std::string backend() const;

  /// Positions, masses and perhaps eps, without targets.
  void load(const ParticlesOnDevice& particles, const Boundary& boundary);
  /// At the particles, without their own; all is done when it returns.
  void evaluate(const GravityOptions& options, const ForcesOnDevice& forces);
  /// At other places.
  void evaluate_at(const ArrayOnDevice& places, const std::optional<ArrayOnDevice>& eps, const GravityOptions& options,
                   const ForcesOnDevice& forces);
  void refit(const ArrayOnDevice& position);
  [[nodiscard]] std::size_t size() const { return size_; }
  /// As they were given last, in its own memory.
  [[nodiscard]] ArrayOnDevice positions() const { return column(position_); }

 private:
  [[nodiscard]] ArrayOnDevice column(const Buffer& of) const;
  [[nodiscard]] ParticlesOnDevice arrays() const;
  void copy_places(const ArrayOnDevice& position);
  void copy(const ArrayOnDevice& from, Buffer& to);
  [[nodiscard]] Vec3 first_place();
  [[nodiscard]] double reach();   ///< the farthest from there
  [[nodiscard]] double extent();  ///< longest edge of the box of all
  void prepare(const TreeLengths& lengths);

  std::unique_ptr<ParticleSystem> system_;  ///< first: what lies on its device goes before it
  Buffer position_, mass_, eps_;            ///< of the caller's particles: x of all, then y and z
  std::size_t size_ = 0;
  OwnLengths own_;
  LentParticles looked_;  ///< as load() has found them
  Boundary boundary_;
  GravityOptions options_;  ///< as they were asked for
  double eps_of_all_ = -1;  ///< TreeLengths::of_all of the tree
  bool built_ = false;
  Vec3 built_first_{};      ///< a particle's place, as it was built
  double built_reach_ = 0;  ///< from there
};

}  // namespace hornbeam
