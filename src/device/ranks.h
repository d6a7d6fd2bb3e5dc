// SPDX-License-Identifier: Apache-2.0
// How several devices that are one (replicated_device.h) share the targets of a launch.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hornbeam {

class Buffer;

/// Runs of targets that ranks take in turn: run k is rank k % ranks'. Cuts are between whole blocks of a walk, so that
/// groups, blocks and sums are those of one launch. Short runs even the work out wherever it is dense.
struct Turns {
  std::int64_t targets = 0;
  std::int64_t run = 0;  ///< targets; the last run may have fewer
  int ranks = 1;         ///< 1: nothing is shared

  [[nodiscard]] bool are_shared() const { return ranks > 1; }
  [[nodiscard]] std::int64_t runs() const { return (targets + run - 1) / run; }
  /// Targets of a rank.
  [[nodiscard]] std::int64_t of(int rank) const {
    const std::int64_t last = runs() - 1, mine = (last - rank + ranks) / ranks;
    return mine * run - (mine > 0 && last % ranks == rank ? runs() * run - targets : 0);
  }
};

/// An array of which each rank has written its runs.
struct Exchanged {
  const Buffer* array;
  std::size_t bytes;  ///< of a target
};

}  // namespace hornbeam
