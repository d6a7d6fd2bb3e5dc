// SPDX-License-Identifier: Apache-2.0
// The tree on the CPU: from positions along the curve to cells, links and groups. Compiled once a precision.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "device/host/array.h"
#include "device/host/host_device.h"
#include "device/host/kernels.h"
#include "stages/build.h"
#include "stages/groups.h"
#include "stages/key.h"
#include "stages/views.h"
#include "tree/cells.h"

HB_OPEN

/// The cube whose grid the keys count: holds all but the outermost 0.1 % (0.05 % a side and axis) where those lie far
/// out.
KeyCube key_cube(const pos_t* const position[3], i32 n);

/// Sorts `entries`, whatever the number of threads to the same order. scratch: room that is kept from step to step.
void sort_entries(Array<SortEntry>& entries, Array<SortEntry>& scratch);

/// A number for each level.
typedef std::array<i32, HB_LEVELS + 1> LevelCounts;

/// Makes the cells and groups of the CPU; behind the last cell is memory for one more row of siblings.
class HostCells {
 public:
  HostCells(Cells& cells, Groups& groups) : cells_(cells), groups_(groups) {}

  /// Builds cells and links over the sorted keys.
  void build(const Array<u64>& keys, i32 leaf_size, i32 moment_stride);
  /// Fills the cells' moments from the deepest level up.
  void compute_moments(const Kernels& kernels, const ParticlesView& particles, const KeyCube& cube,
                       const WalkOptions& options);
  /// Cuts the particles into groups of at most group_size, and consecutive groups into blocks.
  void make_groups(i32 group_size, const ParticlesView& particles);
  [[nodiscard]] std::uint64_t scratch_bytes() const { return bytes_of(marks_) + bytes_of(top_); }

 private:
  void resize(i32 moment_stride);
  /// Notes in top_ the levels of the cells that begin at each particle; returns how many begin in each part.
  std::vector<LevelCounts> count_starts(const Array<u64>& keys, i32 leaf_size);
  /// Begins all cells; place: of the first of each part and level.
  void make_cells(std::vector<LevelCounts> place);
  void make_blocks();

  Cells& cells_;
  Groups& groups_;
  Array<u8> marks_;  ///< one a particle: levels below its window, then whether a group begins there
  Array<u32> top_;   ///< one a particle: levels of the cells that begin there, then the largest of them
};

/// What the CPU's walks and stages see of cells.
inline CellsView host_view(const CellArrays& arrays) {
  CellsView view;
#define HB_SET_VIEW(type, field) view.field = host_values(arrays.field);
  HB_CELL_FIELDS(HB_SET_VIEW)
#undef HB_SET_VIEW
  return view;
}
inline CellsView host_view(const Cells& cells) { return host_view(cells.arrays()); }

/// Along the curve.
inline std::span<const GroupRange> host_ranges(const Groups& groups) {
  return {static_cast<const GroupRange*>(groups.first.handle()), static_cast<std::size_t>(groups.count)};
}
/// Memory for as many, which are not there yet.
inline GroupRange* new_ranges(Groups& groups, std::size_t count) {
  groups.first.reserve(count * sizeof(GroupRange));
  groups.count = static_cast<i32>(count);
  return static_cast<GroupRange*>(groups.first.handle());
}

HB_CLOSE
