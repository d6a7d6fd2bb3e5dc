// SPDX-License-Identifier: Apache-2.0
// The acceleration by all images of a periodic box but the near ones, which the walk visits: added to the targets after
// it (docs/periodic.md). Compiled once a precision.
#pragma once

#include <vector>

#include "device/device.h"
#include "interactions/gravity/lattice/mass_points.h"
#include "interactions/gravity/lattice/transfers.h"
#include "stages/lattice.h"
#include "tree/particle_domain.h"

HB_OPEN

class FarImages {
 public:
  explicit FarImages(Device& device);

  /// Most values of all chunks of particles together, and their bytes: what far images take at most in a box of few
  /// parts.
  static constexpr i32 most_sums = 1 << 22;
  static constexpr double most_bytes = static_cast<double>(most_sums) * sizeof(sum_t);

  /// Whose forces are wanted: `count` particles of `to`, those of `list` or, where that is null, the first ones.
  struct Task {
    const DeviceParticles &sources, &to;
    const DeviceArray<i32>* list;
    i32 count;
    double accuracy;  ///< above 0: the order of expansions that forces as exact as that take
    bool adds = true;
    bool expanded = false;  ///< whether the last call was of the same sources, which have not moved
    /// Of the sources where they are now, and values of `moments` a cell; null: not known, or particles are to be
    /// summed.
    const Cells* cells = nullptr;
    i32 moment_stride = 0;
  };
  /// Adds accelerations and potentials by the far images of the sources, or puts them in the place of others. Periods
  /// are those of each axis, 0 where it is open, and not all 0. Positions are within the box along periodic axes, or a
  /// little outside.
  void add(const Task& task, const Frame& frame, const Vec3& periods);
  /// Adds tidal tensors at the first `count` particles: component k of target i is tide[k count + i].
  void add_tides(const Task& task, const Frame& frame, const Vec3& periods, DeviceArray<real>& tide);

  [[nodiscard]] std::uint64_t bytes() const;
  /// Gives back what add() makes again.
  void release() {
    sums_.release();
    points_.release();
  }

 private:
  /// Divides n particles into chunks, whose sums of `values` values are kept apart.
  struct Chunks {
    i32 size, count;
  };
  [[nodiscard]] static Chunks chunks_of(i32 n, i32 values);
  [[nodiscard]] LatticeExtent extent_of(const Task& task, const Vec3& periods);
  [[nodiscard]] LatticeExtent box_of(const DeviceParticles& particles);
  void take_plan(const LatticePlan& plan);
  void take_units(const Frame& frame);
  void gather(const MassPoints::Points& p);
  void expand_cubes(const LatticePlan& plan, double accuracy);
  void divide(const LatticePlan& plan, const Task& task);
  [[nodiscard]] const DeviceArray<sum_t>& locals_of_cubes() const { return along_ > 1 ? cube_locals_ : locals_; }
  void expand(const Task& task, const Frame& frame, const Vec3& periods);

  Device& device_;
  LatticeTransfers made_;
  MassPoints points_;
  LatticeBox box_{};
  /// The box in cubes, about whose centres targets take expansions of fewer terms: so many along each axis of a part.
  LatticeBox cubes_{};
  int along_ = 1, offsets_along_ = 0;
  Vec3 periods_{};              ///< of the transfers
  std::array<int, 3> parts_{};  ///< of the transfers
  DeviceArray<sum_t> transfers_, sums_, moments_;
  DeviceArray<pos_t> boxes_;
  DeviceArray<sum_t> locals_, offsets_, cube_locals_;
  DeviceArray<LatticeTerm> terms_;
};

HB_CLOSE
