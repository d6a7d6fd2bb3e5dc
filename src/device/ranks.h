// SPDX-License-Identifier: Apache-2.0
// How several devices that are one (replicated_device.h) share the targets of a launch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace hornbeam {

class Buffer;

/// Runs of a rank in a shared launch: enough that dense and thin places even out, few enough that copies are long.
inline constexpr std::int64_t runs_of_rank = 8;

/// Runs of targets, or of groups of them, that ranks take in turn: run k is rank k % ranks'. Cuts are between whole
/// blocks of a walk, so that groups, blocks and sums are those of one launch. Short runs even the work out wherever it
/// is dense.
struct Turns {
  std::int64_t targets = 0;
  std::int64_t run = 0;  ///< targets; the last run may have fewer
  int ranks = 1;         ///< 1: nothing is shared

  /// Runs of whole `units`.
  static Turns of(std::int64_t targets, std::int64_t unit, int ranks) {
    const std::int64_t run = targets / (runs_of_rank * ranks);
    return {targets, std::max((run + unit - 1) / unit, std::int64_t{1}) * unit, ranks};
  }

  [[nodiscard]] bool are_shared() const { return ranks > 1; }
  [[nodiscard]] std::int64_t runs() const { return (targets + run - 1) / run; }
  /// Targets of a rank.
  [[nodiscard]] std::int64_t of(int rank) const {
    const std::int64_t last = runs() - 1, mine = (last - rank + ranks) / ranks;
    return mine * run - (mine > 0 && last % ranks == rank ? runs() * run - targets : 0);
  }
};

/// The rows of arrays that ranks have written: run k, [begins[k], begins[k + 1]), is rank k % ranks'.
struct RowsOfRanks {
  std::vector<std::int64_t> begins;
  int ranks = 1;

  RowsOfRanks() = default;
  RowsOfRanks(std::vector<std::int64_t> some, int number) : begins(std::move(some)), ranks(number) {}
  RowsOfRanks(const Turns& turns) : ranks(turns.ranks) {  // NOLINT: each target has a row
    if (!turns.are_shared()) return;
    for (std::int64_t k = 0; k <= turns.runs(); ++k) begins.push_back(std::min(k * turns.run, turns.targets));
  }
  [[nodiscard]] bool are_shared() const { return ranks > 1; }
};

/// An array of which each rank has written its rows.
struct Exchanged {
  const Buffer* array;
  std::size_t bytes;       ///< of a row
  std::size_t offset = 0;  ///< where row 0 begins, bytes
};

}  // namespace hornbeam
