// SPDX-License-Identifier: Apache-2.0
// A tree of particles that stays, of a caller's arrays on the host or a device: what ForceTree (hornbeam/force_tree.h)
// does with the host's.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/buffer.h"
#include "hornbeam/boundary.h"
#include "hornbeam/device_arrays.h"
#include "hornbeam/force_tree.h"
#include "hornbeam/gravity.h"
#include "hornbeam/vec3.h"
#include "simulation/target_points.h"
#include "tree/lent_particles.h"

namespace hornbeam {

class Device;
class DeviceFull;
class ParticleSystem;

/// Not thread-safe. Arrays are copied: callers may write to theirs afterwards. Throws as ForceTree does.
class LentForceTree {
 public:
  LentForceTree(const std::string& backend, const Devices& devices, int threads = 0);
  ~LentForceTree();
  LentForceTree(const LentForceTree&) = delete;
  LentForceTree& operator=(const LentForceTree&) = delete;

  [[nodiscard]] Device& device();
  [[nodiscard]] std::string backend() const;
  [[nodiscard]] StageSeconds seconds() const;  ///< since the tree was built last

  /// Positions, masses and perhaps eps, without targets.
  void load(const ParticlesOnDevice& particles, const Boundary& boundary);
  /// At the particles, without their own; all is done when it returns.
  void evaluate(const GravityOptions& options, const ForcesOnDevice& forces);
  /// At other places.
  void evaluate_at(const ArrayOnDevice& places, const std::optional<ArrayOnDevice>& eps, const GravityOptions& options,
                   const ForcesOnDevice& forces);
  [[nodiscard]] TreeNodes nodes(const GravityOptions& options);
  [[nodiscard]] std::vector<std::uint64_t> keys(const GravityOptions& options);
  void refit(const ArrayOnDevice& position);
  [[nodiscard]] std::size_t size() const { return position_.column.rows; }
  /// As they were given last, in its own memory.
  [[nodiscard]] ArrayOnDevice positions() const { return position_.column; }

 private:
  /// Doubles in the device's memory; the host's where it shares none with callers.
  struct Copy {
    explicit Copy(Device& device) : memory(device) {}
    Buffer memory;
    std::vector<double> host;
    ArrayOnDevice column;
  };
  void copy(const ArrayOnDevice& from, std::int64_t axes, Copy& to);
  void copy_all(const ParticlesOnDevice& particles);
  [[nodiscard]] bool take_next_device(const DeviceFull& full);
  template <class Act>
  void on_any(const Act& act);
  template <class Ask>
  auto of_tree(const GravityOptions& options, const Ask& ask);
  [[nodiscard]] ParticlesOnDevice arrays() const;
  void finish();
  [[nodiscard]] Vec3 first_place();
  [[nodiscard]] double reach();   ///< the farthest from there
  [[nodiscard]] double extent();  ///< longest edge of the box of all
  void prepare(const TreeLengths& lengths, bool tides = false);

  std::unique_ptr<ParticleSystem> system_;  ///< first: what lies on its device goes before it
  Copy position_, mass_, eps_;              ///< of the caller's particles
  bool from_host_ = false, loaded_ = false;
  OwnLengths own_;
  LentParticles looked_;  ///< as load() has found them
  Boundary boundary_;
  GravityOptions options_;              ///< of the tree, resolved
  double eps_of_all_ = -1;              ///< TreeLengths::of_all of the tree
  bool built_ = false, moved_ = false;  ///< moved_: since then
  Vec3 built_first_{};                  ///< a particle's place, as it was built
  double built_reach_ = 0;              ///< from there
};

}  // namespace hornbeam
