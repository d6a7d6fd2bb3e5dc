// SPDX-License-Identifier: Apache-2.0
// The steps from positions to sorted keys, cells, links, groups and moments, as every device has them. The CPU's forms
// are HostTree's, those of kernels DeviceTree's. Compiled once a precision.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "stages/key.h"
#include "stages/views.h"
#include "tree/cells.h"
#include "tree/device/device_particles.h"

HB_OPEN

/// Groups of at most `size` consecutive particles, each within one window of that many; none for 0. Particles of
/// windows wider than `widest` are groups of their own.
struct GroupPlan {
  i32 size = 0;
  pos_t widest = std::numeric_limits<pos_t>::max();
};

/// What build() makes.
struct TreePlan {
  i32 leaf_size, moment_stride;
  GroupPlan groups;
  bool direct;  ///< for direct sums alone, which need no cells
};

class Tree {
 public:
  explicit Tree(Device& device) : device_(device), cells_(device), groups_(device) {}
  virtual ~Tree() = default;

  /// bound: the key cube of the present positions.
  [[nodiscard]] virtual KeyCube bound(const DeviceParticles& particles) = 0;
  /// Whether what sorting n particles takes fits besides what is stored. Cells are of no use before there are keys:
  /// release_cells() makes room.
  [[nodiscard]] virtual bool has_room(i32 /*n*/) const { return true; }
  virtual void release_cells() {}
  /// Throws Error if what n points take in a tree of their own does not fit the memory of the host.
  virtual void demand_room(std::size_t /*n*/, i32 /*leaf_size*/) const {}
  virtual void make_keys(const DeviceParticles& particles, const KeyCube& cube, i32 curve) = 0;
  virtual void sort(i32 n) = 0;
  /// Places, masses and indices on input follow the keys. Their order is not final until build().
  virtual void reorder(DeviceParticles& particles) = 0;
  /// Cells and links over the sorted keys, and groups.
  virtual void build(DeviceParticles& particles, const KeyCube& cube, i32 curve, const TreePlan& plan) = 0;
  /// All other fields of the particles follow them.
  virtual void reorder_rest(DeviceParticles& particles) = 0;
  /// moments and boxes of the present positions.
  virtual void compute_moments(const DeviceParticles& particles, const KeyCube& cube, const WalkOptions& options) = 0;

  /// Of the moments that compute_moments() makes, whatever is requested.
  [[nodiscard]] virtual i32 least_moment_order() const = 0;
  /// Of cells that are only searched for neighbours.
  [[nodiscard]] virtual i32 gathering_leaf_size() const = 0;
  /// Of cells whose boxes alone are wanted.
  [[nodiscard]] virtual i32 box_stride() const = 0;

  /// The largest value, one a particle, in each cell whose particles and children stand where `cells` say.
  virtual void largest_in_cells(DeviceArray<pos_t>& largest, const DeviceArray<pos_t>& values,
                                const CellArrays& cells) const = 0;
  /// Makes groups of at most `size` points that are sorted among the particles: sums[i] of them come before particle i.
  /// near: largest distance along each axis in groups that are joined from few points.
  virtual void group_points(Groups& groups, const DeviceParticles& points, const DeviceArray<u32>& sums, i32 size,
                            pos_t near) const = 0;

  [[nodiscard]] const Cells& cells() const { return cells_; }
  [[nodiscard]] const Groups& groups() const { return groups_; }
  [[nodiscard]] virtual std::uint64_t tree_bytes() const = 0;
  [[nodiscard]] virtual std::uint64_t scratch_bytes() const = 0;

 protected:
  Device& device_;
  Cells cells_;
  Groups groups_;
};

/// The one that fits a device.
std::unique_ptr<Tree> make_tree(Device& device);

HB_CLOSE
