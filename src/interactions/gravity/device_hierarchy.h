// SPDX-License-Identifier: Apache-2.0
// The walk from cell to cell on a device (docs/hierarchy.md): the forces of all particles, or of those that are due, to
// an accuracy. Compiled once a precision.
#pragma once

#include <array>
#include <vector>

#include "interactions/gravity/gravity_walk.h"
#include "interactions/gravity/kernels/hierarchy/launches.h"

HB_OPEN

class DeviceHierarchy {
 public:
  explicit DeviceHierarchy(Device& device);

  /// Writes accelerations and potentials of the targets. particles.last: demanded_pull() of each, or of none.
  void run(const GravityRun& what, const DeviceParticles& particles, const Tree& tree, const Targets& targets);
  /// Of the last run: HB_COUNTS for each of so many sinks.
  [[nodiscard]] const DeviceArray<u32>& counts() const { return counts_; }
  [[nodiscard]] i32 sinks() const { return options_.sinks; }

  /// What a walk keeps, by particle. cells: of a particle.
  [[nodiscard]] static double bytes_per_particle(i32 order, double cells);
  [[nodiscard]] std::vector<Buffer*> buffers();

 private:
  [[nodiscard]] KernelVariant variant() const { return {this_precision, order_}; }
  /// Finds sinks and units, level by level and bin by bin; waits for their numbers.
  void find_sinks(const Tree& tree, const OptionalArgument<const i32>& due);
  void measure(const DeviceParticles& particles, const Tree& tree);
  /// All of the walk but for the forces. Returns false if the lists have not had room: they have more the next time.
  [[nodiscard]] bool fill_lists(i32 n, const Tree& tree);
  void expand(const Tree& tree);
  void sum_units(const DeviceParticles& particles, const Tree& tree, const OptionalArgument<const i32>& due);
  /// Calls f(begin, end) for the sinks of each level that has any.
  template <class F>
  void down(F f) const;
  template <class F>
  void up(F f) const;
  template <class Launch>
  void sum_bin(int bin, const DeviceParticles& particles, const Tree& tree, const OptionalArgument<const i32>& due);

  Device& device_;
  i32 order_ = 4;
  SinkOptions options_{};
  std::array<i32, HB_SINK_BOUNDS> bounds_{};
  DeviceArray<SourceCell> sources_;
  DeviceArray<real> rows_, expansions_;
  DeviceArray<u32> marks_;
  DeviceArray<SinkCell> sinks_;
  DeviceArray<i32> units_, bounds_found_;
  DeviceArray<SinkLists> lists_;
  DeviceArray<i32> entries_;
  DeviceArray<u32> after_, used_, counts_;
};

HB_CLOSE
