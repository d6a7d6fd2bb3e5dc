// SPDX-License-Identifier: Apache-2.0
// The launch of walks that gather (walk/gather.h): all points of a tree sum over one another. Compiled once a
// precision.
#pragma once

#include <cstddef>
#include <vector>

#include "device/kernels/sizes.h"
#include "interactions/pair_sources.h"

HB_OPEN

/// The kernels of one gatherer: gatherers::NAME.
namespace gatherers {
#define HB_KERNELS_OF_GATHERER(NAME, Type, F, W) \
  struct NAME {                                  \
    using Groups = kernels::NAME##_of_groups;    \
    using Each = kernels::NAME##_of_each;        \
    using Crowded = kernels::NAME##_of_crowded;  \
    using Parts = kernels::NAME##_of_parts;      \
  };
HB_PAIR_GATHERERS(HB_KERNELS_OF_GATHERER, , )
#undef HB_KERNELS_OF_GATHERER
}  // namespace gatherers

class Gathering {
 public:
  explicit Gathering(Device& device) : crowded_(device), shares_(device) {}

  /// host_groups: see launch_pairs().
  template <class Gatherer, class Options, class Arrays>
  void run(const PairPoints& points, const PairOptions& pairs, const Options& options, const Arrays& arrays,
           const std::vector<GroupRange>* host_groups) {
    Device& device = points.device();
    if (device.is_host()) {
      return run_pairs_on_host(points, points, pairs, options, arrays,
                               host_groups != nullptr ? *host_groups : points.host_cells().groups());
    }
    const DeviceGroups& groups = points.device_tree().groups();
    const CellArrays cells = points.device_tree().arrays();
    if (groups.count == 0) {
      using Each = typename Gatherer::Each;
      return device.launch(Each{.pairs = pairs, .options = options, .arrays = arrays, .cells = cells}, plain_variant,
                           points.count());
    }
    crowded_.reserve((static_cast<std::size_t>(points.count()) + 1) * sizeof(u32));
    device.clear(crowded_, sizeof(u32));
    using Groups = typename Gatherer::Groups;
    device.launch(Groups{.pairs = pairs,
                         .options = options,
                         .groups = groups.count,
                         .group_first = groups.first,
                         .crowded = crowded_,
                         .arrays = arrays,
                         .cells = cells},
                  plain_variant, groups.count * HB_TARGETS);
    if (pairs.sources >= HB_ROUND) share_crowded<Gatherer>(points, pairs, options, arrays);
  }

  [[nodiscard]] std::uint64_t bytes() const { return crowded_.bytes() + shares_.bytes(); }

 private:
  template <class Gatherer, class Options, class Arrays>
  void share_crowded(const PairPoints& points, const PairOptions& pairs, const Options& options, const Arrays& arrays) {
    Device& device = points.device();
    shares_.reserve(std::size_t{HB_CROWD_ROWS} * HB_MOST_SUMS * sizeof(real));
    const LevelTable& levels = points.device_tree().levels();
    const int level = shared_level(levels);
    using Crowded = typename Gatherer::Crowded;
    device.launch(Crowded{.pairs = pairs,
                          .options = options,
                          .blocks = blocks,
                          .begin = levels.begin[level],
                          .end = levels.begin[level + 1],
                          .crowded = crowded_,
                          .shares = shares_,
                          .arrays = arrays,
                          .cells = points.device_tree().arrays()},
                  plain_variant, std::int64_t{blocks} * HB_BLOCK);
    using Parts = typename Gatherer::Parts;
    device.launch(Parts{.pairs = pairs, .options = options, .crowded = crowded_, .shares = shares_, .arrays = arrays},
                  plain_variant, HB_CROWD_ROWS / 2);
  }

  /// Blocks for crowded targets: more than any device runs at a time.
  static constexpr i32 blocks = 1024;
  /// Cells below which the items of all blocks of a target find about as many particles each.
  static constexpr i32 even_cells = HB_CROWD_PARTS * HB_BLOCK;

  /// The first level of so many cells, or the deepest.
  static int shared_level(const LevelTable& levels) {
    int level = 0;
    while (level < HB_LEVELS && levels.begin[level + 1] - levels.begin[level] < even_cells &&
           levels.begin[level + 2] > levels.begin[level + 1]) {
      ++level;
    }
    return level;
  }

  DeviceArray<u32> crowded_;  ///< how many targets the walks of groups leave, then which
  DeviceArray<real> shares_;  ///< of their sums, a row a block
};

HB_CLOSE
