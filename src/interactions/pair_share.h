// SPDX-License-Identifier: Apache-2.0
// How several devices that are one (device/replicated_device.h) share a walk over pairs: each takes runs of groups, and
// writes the rows of their particles. After the tree and its groups; around the launches. Compiled once a precision.
#pragma once

#include <initializer_list>
#include <vector>

#include "device/launches.h"
#include "tree/tree.h"
#include "walk/pairs.h"

HB_OPEN

/// Pairs for the groups of one rank.
inline PairOptions of_rank(PairOptions pairs, const RankShare& share) {
  pairs.share = share;
  return pairs;
}

class PairShare {
 public:
  /// Nothing is shared.
  PairShare() = default;
  /// The groups of a tree, of whose particles so many ask for something.
  PairShare(Device& device, const Groups& groups, i32 particles, i64 asked);

  [[nodiscard]] bool is_shared() const { return turns_.are_shared(); }
  /// Calls start(share, groups) for each rank, with how many of so many groups are its own; else once, for all.
  template <class Start>
  void on_each_rank(Device& device, i32 groups, const Start& start) const {
    launch_shared(device, turns_, groups,
                  [&](const RankShare& share, i64 own) { start(share, static_cast<i32>(own)); });
  }
  /// The end of shared walks: every rank gets the rows that the others have written. Nothing where none is shared.
  void exchange(Device& device, std::initializer_list<Exchanged> arrays) const;
  /// The same for n values that ranks have lowered anywhere: every rank gets the least ones. spare: for as many.
  void exchange_least(Device& device, const DeviceArray<u32>& values, DeviceArray<u32>& spare, i32 n) const;
  /// The number at that place, of each rank; of all ranks together.
  [[nodiscard]] std::vector<std::int64_t> each(Device& device, const DeviceArray<u32>& counts, std::size_t at) const;
  [[nodiscard]] u64 total(Device& device, const DeviceArray<u32>& counts, std::size_t at) const;

 private:
  Turns turns_{};  ///< of groups
  RowsOfRanks rows_;
};

HB_CLOSE
