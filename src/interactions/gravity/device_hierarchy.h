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

  /// Whose forces are wanted, and what attracts them.
  struct Task {
    const GravityRun& what;
    const DeviceParticles& sources;
    const Tree& tree;
    const DeviceParticles& targets;  ///< the sources, or points; targets.last: demanded_pull() of each, or of none
    const Tree& sinks;               ///< their tree, with the boxes of its cells
    Targets due;                     ///< which of them
    Turns turns;                     ///< how ranks share them
    bool are_points = false;         ///< none of the sources
  };
  /// Writes the accelerations and potentials of the targets, on each rank those of its own. Throws UsageError where too
  /// many particles have images.
  void run(const Task& task);
  /// Which targets of the last run were whose.
  [[nodiscard]] const RowsOfRanks& rows() const { return rows_of_ranks_; }
  /// Of the last run: HB_COUNTS for each sink; how many sinks each rank has walked.
  [[nodiscard]] const DeviceArray<u32>& counts() const { return counts_; }
  [[nodiscard]] std::vector<i32> sinks() const;

  /// What a walk keeps, by particle. cells: of a particle.
  [[nodiscard]] static double bytes_per_particle(i32 order, double cells);
  [[nodiscard]] std::vector<Buffer*> buffers();

 private:
  [[nodiscard]] KernelVariant variant() const { return {this_precision, order_}; }
  void take_images(const Task& task);
  [[nodiscard]] OptionalArgument<const pos_t> shifts() const;
  void make_sources(const Task& task);
  /// Cuts the targets into runs that ranks take in turn. Returns how many; 0: ranks share nothing.
  i32 cut_runs(const Task& task);
  /// Finds sinks and units of each rank, level by level and bin by bin; waits for their numbers and the cuts.
  void find_sinks(const Task& task);
  void mark_sinks(const Task& task, i32 runs);
  /// Calls work() for each rank, with its sinks in options_ and bounds_.
  template <class Work>
  void on_each_rank(const Work& work);
  void measure(const Task& task);
  void look_at_field(const Task& task);
  /// All of the walk but for the forces. Returns false if the lists have not had room: they have more the next time.
  [[nodiscard]] bool fill_lists(const Task& task);
  void open_sinks(const Task& task);
  void expand(const Task& task);
  void sum_units(const Task& task);
  /// Calls f(begin, end) for the sinks of each level that has any.
  template <class F>
  void down(F f) const;
  template <class F>
  void up(F f) const;
  /// Units by their number of targets: those of bins first to last.
  struct Bins {
    int first, last;
  };
  template <class Launch>
  void sum_bins(Bins bins, const Task& task);

  Device& device_;
  i32 order_ = 4;
  SinkOptions options_{};
  using Bounds = std::array<i32, HB_SINK_BOUNDS>;
  Turns turns_{};
  RowsOfRanks rows_of_ranks_;
  std::vector<Bounds> bounds_of_rank_;
  Bounds bounds_{};
  std::vector<pos_t> image_shifts_;  ///< x, y, z of each image
  DeviceArray<pos_t> shifts_;
  DeviceArray<SourceCell> sources_;
  DeviceArray<real> rows_, expansions_;
  DeviceArray<u32> marks_;
  DeviceArray<SinkCell> sinks_;
  DeviceArray<i32> units_, bounds_found_, cuts_;
  DeviceArray<SinkLists> lists_;
  DeviceArray<i32> entries_;
  DeviceArray<u32> after_, used_, counts_;
};

HB_CLOSE
