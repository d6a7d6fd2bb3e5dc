// SPDX-License-Identifier: Apache-2.0
// Places that are attracted by the particles of a domain without being among them: sorted into groups of their own, so
// that the domain's tree stays as it is. Compiled once a precision.
#pragma once

#include <memory>
#include <vector>

#include "hornbeam/vec3.h"
#include "tree/lent_particles.h"
#include "tree/tree.h"

HB_OPEN

class Guests {
 public:
  explicit Guests(Device& device) : device_(device), particles_(device) {}

  struct Sorting {
    i32 group_size;     ///< 0: no groups are needed
    i32 leaf_size;      ///< of the cells that they are made of
    bool direct;        ///< for direct sums alone
    i32 moment_stride;  ///< of measure(), or 0
    double unit;        ///< internal length per length, of the domain
    double eps_unit;    ///< DeviceParticles::eps_unit of the domain
    double eps;         ///< of all, where they have none of their own
  };
  void load(const LentTargets& places, const Sorting& how);
  /// In order; the accelerations are 0 until a walk has added to them.
  [[nodiscard]] DeviceParticles& particles() { return particles_; }
  /// Gives the cells of their tree boxes; options: of a walk whose moments they have been sorted for.
  void measure(WalkOptions options);
  /// Its groups and cells alone are made.
  [[nodiscard]] Tree& tree() { return *tree_; }

 private:
  bool begin(std::size_t n, bool own_eps);
  void sort(const Sorting& how);

  Device& device_;
  DeviceParticles particles_;
  std::unique_ptr<Tree> tree_;
  KeyCube cube_{};
};

HB_CLOSE
