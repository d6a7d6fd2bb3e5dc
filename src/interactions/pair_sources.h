// SPDX-License-Identifier: Apache-2.0
// Points sorted into a tree of their own, on the CPU or on a device: the sources, or the targets, of a walk over pairs.
// After positions; before the walks of neighbour and collision search. Compiled once a precision.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "interactions/neighbours/kept_neighbours.h"
#include "interactions/pair_visitors.h"
#include "tree/device_tree.h"
#include "tree/host_cells.h"

HB_OPEN

template <class T>
void upload_all(Device& device, DeviceArray<T>& to, const std::vector<T>& values) {
  to.reserve(values.size() * sizeof(T));
  if (!values.empty()) device.upload(to, 0, values.data(), values.size() * sizeof(T));
}
/// As many as `to` holds.
template <class T>
void download_all(Device& device, std::vector<T>& to, const DeviceArray<T>& values) {
  if (!to.empty()) device.download(to.data(), values, 0, to.size() * sizeof(T));
}

/// What pairs.h calls view.images, from a list whose first image is where the sources are: throws UsageError for
/// others.
std::vector<pos_t> image_values(const std::vector<SourceImage>& images);

/// On the CPU.
class HostPoints {
 public:
  /// groups: whether a walk by groups is to come.
  HostPoints(const std::vector<Vec3>& position, int leaf_size, bool groups);

  [[nodiscard]] i32 count() const { return static_cast<i32>(input_.size()); }
  [[nodiscard]] CellsView cells() { return tree_.view(); }
  [[nodiscard]] const std::vector<GroupRange>& groups() const { return tree_.groups(); }
  [[nodiscard]] const Kernels& kernels() const { return kernels_; }
  [[nodiscard]] const u32* input() const { return input_.data(); }
  /// Values by index on input in the order of the points.
  [[nodiscard]] std::vector<pos_t> in_order(std::span<const double> values) const;
  /// The largest of `reach`, in the order of the points, in each cell.
  [[nodiscard]] Array<pos_t> reach_of_cells(const pos_t* reach);
  /// Sources, targets and cells of a view, for `images` as image_values() gives them.
  template <class View>
  void give(View& view, const HostPoints& targets, pos_t box, const std::vector<pos_t>& images) const {
    const auto count_of_images = static_cast<i32>(images.size() / HB_IMAGE_VALUES);
    view.pairs = {box, count_of_images, tree_.size() > 0 ? 1 : 0, count(), targets.count(), &targets != this};
    view.x = x_[0].data();
    view.y = x_[1].data();
    view.z = x_[2].data();
    view.input = input_.data();
    view.target_x = targets.x_[0].data();
    view.target_y = targets.x_[1].data();
    view.target_z = targets.x_[2].data();
    view.target_input = targets.input_.data();
    view.images = images.data();
    view.start = nullptr;
    view.cell_reach = nullptr;
  }

 private:
  void sort(const std::vector<Vec3>& position);

  const Kernels& kernels_;
  KeyCube cube_{};
  std::vector<pos_t> x_[3];
  std::vector<u32> input_;  ///< index on input
  Array<u64> keys_;
  HostCells tree_;
};

/// On a device.
class DevicePoints {
 public:
  DevicePoints(Device& device, const std::vector<Vec3>& position, int leaf_size, bool groups);

  [[nodiscard]] i32 count() const { return points_.n; }
  [[nodiscard]] const DeviceTree& tree() const { return tree_; }
  [[nodiscard]] const DeviceParticles& points() const { return points_; }
  /// Values by index on input in the order of the points.
  void put_in_order(DeviceArray<pos_t>& to, std::span<const double> values) const;
  /// The largest of `reach`, in the order of the points, in each cell.
  void reach_of_cells(DeviceArray<pos_t>& to, const DeviceArray<pos_t>& reach) const;
  [[nodiscard]] PairOptions pairs(const DevicePoints& targets, pos_t box, std::size_t images) const;
  /// start and cell_reach may be null.
  [[nodiscard]] PairArrays arrays(const DevicePoints& targets, const DeviceArray<pos_t>& images,
                                  const DeviceArray<i32>* start, const DeviceArray<pos_t>* cell_reach) const;

 private:
  void upload(const std::vector<Vec3>& position);

  Device& device_;
  DeviceParticles points_;
  DeviceTree tree_;
};

/// Runs a visitor for all targets, by groups where these have any, else each by itself.
template <class Groups, class Each, class Options, class Arrays>
void launch_pairs(Device& device, const DevicePoints& sources, const DevicePoints& targets, const PairOptions& pairs,
                  const Options& options, const Arrays& arrays) {
  const DeviceGroups& groups = targets.tree().groups();
  if (groups.count > 0) {
    device.launch(Groups{.pairs = pairs,
                         .options = options,
                         .groups = groups.count,
                         .group_first = groups.first,
                         .arrays = arrays,
                         .cells = sources.tree().arrays()},
                  plain_variant, groups.count);
  } else {
    device.launch(Each{.pairs = pairs, .options = options, .arrays = arrays, .cells = sources.tree().arrays()},
                  plain_variant, targets.count());
  }
}

HB_CLOSE
