// SPDX-License-Identifier: Apache-2.0
// The tree on the CPU: from positions along the curve to cells, links and groups. Compiled once a precision.
#pragma once

#include <array>
#include <vector>

#include "device/host/array.h"
#include "device/host/kernels.h"
#include "stages/build.h"
#include "stages/groups.h"
#include "stages/key.h"
#include "stages/views.h"

HB_OPEN

/// The cube whose grid the keys count: holds all but the outermost 0.1 % (0.05 % a side and axis) where those lie far
/// out.
KeyCube key_cube(const pos_t* const position[3], i32 n);

/// Sorts `entries`, whatever the number of threads to the same order. scratch: room that is kept from step to step.
void sort_entries(Array<SortEntry>& entries, Array<SortEntry>& scratch);

/// A number for each level.
typedef std::array<i32, HB_LEVELS + 1> LevelCounts;

/// Cells, level by level, with room behind the last for one more row of siblings.
class HostCells {
 public:
  /// Builds cells and links over the sorted keys.
  void build(const Array<u64>& keys, i32 leaf_size, i32 moment_stride);
  /// Fills the cells' moments from the deepest level up.
  void compute_moments(const Kernels& kernels, const ParticlesView& particles, const KeyCube& cube,
                       const WalkOptions& options);
  /// Cuts the particles into groups of at most group_size, and consecutive groups into blocks.
  void make_groups(i32 group_size, const ParticlesView& particles);

  [[nodiscard]] CellsView view();
  [[nodiscard]] i32 size() const { return cells_; }
  [[nodiscard]] const std::vector<GroupRange>& groups() const { return groups_; }
  /// First group of each block, and the number of groups.
  [[nodiscard]] const std::vector<i32>& block_begin() const { return block_begin_; }
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  void resize(i32 moment_stride);
  [[nodiscard]] std::uint64_t cells_bytes() const;
  /// Notes in top_ the levels of the cells that begin at each particle; returns how many begin in each part.
  std::vector<LevelCounts> count_starts(const Array<u64>& keys, i32 leaf_size);
  /// Begins all cells; place: of the first of each part and level.
  void make_cells(std::vector<LevelCounts> place);
  void make_blocks();

  i32 cells_ = 0;
  LevelTable levels_{};
  std::vector<GroupRange> groups_;  ///< along the curve
  std::vector<i32> block_begin_;
  Array<u8> marks_;  ///< one a particle: levels below its window, then whether a group begins there
  Array<u32> top_;   ///< one a particle: levels of the cells that begin there, then the largest of them
#define HB_TREE_ARRAY(type, field) Array<std::remove_const_t<type>> field##_;
  HB_CELL_FIELDS(HB_TREE_ARRAY)
#undef HB_TREE_ARRAY
};

HB_CLOSE
