// SPDX-License-Identifier: Apache-2.0
// The launch of walks that gather (walk/gather.h): all points of a tree sum over one another. Compiled once a
// precision.
#pragma once

#include <cstddef>
#include <vector>

#include "device/kernels/sizes.h"
#include "interactions/pair_sources.h"

HB_OPEN

/// The targets that are summed for.
struct GatherTargets {
  u32 due;               ///< how many of the points ask for something
  double sources;        ///< how many sources each reaches, about
  const Groups* groups;  ///< as launch_pairs() takes them
  const PairShare& share;
};

class Gathering {
 public:
  explicit Gathering(Device& device) : crowded_(device), shares_(device) {}

  template <class Gatherer, class Options, class Arrays>
  void run(const PairPoints& points, const PairOptions& pairs, const Options& options, const Arrays& arrays,
           const GatherTargets& targets) {
    Device& device = points.device();
    const Groups& groups = targets.groups != nullptr ? *targets.groups : points.tree().groups();
    const CellArrays cells = points.tree().cells().arrays();
    if (groups.count == 0) {
      using Each = typename Gatherer::Each;
      return device.launch(Each{.pairs = pairs, .options = options, .arrays = arrays, .cells = cells}, plain_variant,
                           points.count());
    }
    const bool leaves_some = device.runs(Gatherer::Crowded::kernel);  // the CPU's groups sum for all of their targets
    if (leaves_some) {
      crowded_.reserve(2 * (static_cast<std::size_t>(points.count()) + 1) * sizeof(u32));
      device.clear(crowded_, 2 * sizeof(u32));
    }
    const bool each = targets.due < static_cast<u32>(points.count()) / few_of;
    using ByGroups = typename Gatherer::ByGroups;
    targets.share.on_each_rank(device, groups.count, [&](const RankShare& own, i32 count) {
      device.launch(ByGroups{.pairs = of_rank(pairs, own),
                             .options = options,
                             .groups = count,
                             .group_first = groups.first,
                             .each = each ? 1 : 0,
                             .most = static_cast<i32>(crowd * targets.sources),
                             .crowded = crowded_,
                             .arrays = arrays,
                             .cells = cells},
                    plain_variant, count * HB_TARGETS);
    });
    if (leaves_some && (each || pairs.sources >= HB_ROUND)) {
      sum_crowded<Gatherer>(points, pairs, options, arrays, targets);
    }
  }

  [[nodiscard]] std::uint64_t bytes() const { return crowded_.bytes() + shares_.bytes(); }

 private:
  /// Targets that left their groups: a warp each, which gives up those of more than `most` sources; these and others
  /// that reach far are shared by many. Each rank has those of its own groups.
  template <class Gatherer, class Options, class Arrays>
  void sum_crowded(const PairPoints& points, const PairOptions& pairs, const Options& options, const Arrays& arrays,
                   const GatherTargets& targets) {
    Device& device = points.device();
    shares_.reserve(std::size_t{HB_CROWD_ROWS} * HB_MOST_SUMS * sizeof(real));
    const LevelTable& levels = points.tree().cells().levels;
    const int level = shared_level(levels);
    using Crowded = typename Gatherer::Crowded;
    i32 far_ones = -1;
    for (const auto kind : {HB_CROWD_NEAR, HB_CROWD_FAR}) {
      if (kind == HB_CROWD_FAR && targets.share.is_shared()) {  // into how many parts a sum goes is a matter of all
        far_ones = static_cast<i32>(targets.share.total(device, crowded_, HB_CROWD_FAR));
      }
      device.launch(Crowded{.pairs = pairs,
                            .options = options,
                            .warps = HB_CROWD_ROWS,
                            .kind = kind,
                            .far = far_ones,
                            .most = static_cast<i32>(far * targets.sources),
                            .begin = levels.begin[level],
                            .end = levels.begin[level + 1],
                            .crowded = crowded_,
                            .shares = shares_,
                            .arrays = arrays,
                            .cells = points.tree().cells().arrays()},
                    plain_variant, HB_CROWD_ROWS);
    }
    using Parts = typename Gatherer::Parts;
    device.launch(Parts{.pairs = pairs,
                        .options = options,
                        .far = far_ones,
                        .crowded = crowded_,
                        .shares = shares_,
                        .arrays = arrays},
                  plain_variant, HB_CROWD_ROWS / 2);
  }

  /// A target that reaches more than this many times the sources that others do is summed by a warp of its own.
  static constexpr double crowd = 3;
  /// One of more than this many times reaches far.
  static constexpr double far = 16;
  /// If no more than one of so many targets is due, each is summed by a warp of its own.
  static constexpr u32 few_of = 8;
  /// Cells of which the warps of a target find about as many sources each.
  static constexpr i32 even_cells = HB_CROWD_PARTS * 2;

  /// The first level of so many cells, or the deepest.
  static int shared_level(const LevelTable& levels) {
    int level = 0;
    while (level < HB_LEVELS && levels.begin[level + 1] - levels.begin[level] < even_cells &&
           levels.begin[level + 2] > levels.begin[level + 1]) {
      ++level;
    }
    return level;
  }

  DeviceArray<u32> crowded_;  ///< those whom walks of groups leave: walk/gather_group.h
  DeviceArray<real> shares_;  ///< of their sums, a row a warp
};

HB_CLOSE
