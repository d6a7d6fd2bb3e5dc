// SPDX-License-Identifier: Apache-2.0
// How much memory an evaluation will take on a device, before anything is loaded. Compiled once a precision.
#pragma once

#include <cstdint>
#include <string>

#include "stages/views.h"
#include "tree/domain.h"

HB_OPEN

/// Bytes for each particle, by purpose.
struct MemoryNeed {
  double particles;  ///< positions, velocities, masses, forces, indices
  double steps;      ///< rungs, earlier accelerations and those that are due, of block steps; a copy, where one is kept
  double order;      ///< keys and places
  double records;    ///< until there are cells
  double cells;      ///< expected: 4 / leaf_size of them
  double walk;
  /// Records and cells may take each other's place.
  [[nodiscard]] double total() const {
    return particles + steps + order + (records > cells + walk ? records : cells + walk);
  }
};

/// Of an evaluation with these options, leaf_size among them; w: those of its walk.
MemoryNeed memory_need(const GravityOptions& options, const WalkOptions& w, const Holding& holding);

/// options.leaf_size or, where that is 0, the quickest that fits `free` bytes. Throws Error, with all numbers, where n
/// particles do not fit.
int fitting_leaf_size(std::uint64_t n, GravityOptions options, const WalkOptions& w, const Holding& holding,
                      std::uint64_t free, const std::string& device);

HB_CLOSE
