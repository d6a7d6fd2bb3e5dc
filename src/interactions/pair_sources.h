// SPDX-License-Identifier: Apache-2.0
// Points in a tree on a device, the sources or the targets of a walk over pairs, and the launch of such a walk. After
// positions or a domain; before the walks of neighbour and collision search. Compiled once a precision.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "interactions/neighbours/kept_neighbours.h"
#include "interactions/pair_share.h"
#include "tree/lent_particles.h"
#include "tree/particle_domain.h"
#include "walk/pair_launches.h"

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

class PairPoints {
 public:
  /// Sorted into a tree of their own; groups: whether a walk by groups is to come.
  PairPoints(Device& device, const LentPlaces& places, int leaf_size, bool groups);
  /// Those of a domain in its tree, as long as that stays as it is: its boxes must be those of the present positions.
  explicit PairPoints(ParticleDomain& domain);

  /// Other positions of points of their own, by index on input: order and cells stay, boxes are made again.
  void move(const LentPlaces& places);

  [[nodiscard]] i32 count() const { return points_->n; }
  /// Stamp of when they lay on the device: before a tree of their own was built.
  [[nodiscard]] int uploaded() const { return uploaded_; }
  [[nodiscard]] Device& device() const { return device_; }
  /// One axis of values by index on input, in the order of the points.
  void put_in_order(DeviceArray<pos_t>& to, const ArrayOnDevice& values, i64 axis = 0) const;
  /// The largest of `reach`, in the order of the points, in each cell.
  void reach_of_cells(DeviceArray<pos_t>& to, const DeviceArray<pos_t>& reach) const;
  /// Of the box of all points.
  [[nodiscard]] double largest_edge() const;
  [[nodiscard]] const Tree& tree() const { return *tree_; }
  [[nodiscard]] const DeviceParticles& points() const { return *points_; }
  [[nodiscard]] PairOptions pairs(const PairPoints& targets, const PairBox& box, std::size_t images) const;
  /// start and cell_reach may be null.
  [[nodiscard]] PairArrays arrays(const PairPoints& targets, const DeviceArray<pos_t>& images,
                                  const DeviceArray<i32>* start, const DeviceArray<pos_t>* cell_reach) const;

 private:
  /// Of points that no domain holds.
  struct Own {
    explicit Own(Device& device) : points(device), tree(make_tree(device)) {}
    DeviceParticles points;
    std::unique_ptr<Tree> tree;
    KeyCube cube{};
  };
  void begin(std::size_t n, int leaf_size);
  void build(int leaf_size, bool groups);
  void make_boxes(i32 refitted);

  Device& device_;
  std::unique_ptr<Own> own_;
  DeviceParticles* points_;
  Tree* tree_;
  int uploaded_ = 0;
};

/// Runs a visitor for all targets: by groups if these have any and `by_groups`, otherwise each by itself. due: the
/// groups with requested results, if the targets' tree has others. share: how ranks share the groups; the caller
/// exchanges what they write.
template <class ByGroups, class Each, class Options, class Arrays>
void launch_pairs(const PairPoints& sources, const PairPoints& targets, bool by_groups, const PairOptions& pairs,
                  const Options& options, const Arrays& arrays, const Groups* due = nullptr,
                  const PairShare& share = {}) {
  Device& device = sources.device();
  const Groups& groups = due != nullptr ? *due : targets.tree().groups();
  const CellArrays cells = sources.tree().cells().arrays();
  if (by_groups && groups.count > 0) {
    share.on_each_rank(device, groups.count, [&](const RankShare& own, i32 count) {
      device.launch(ByGroups{.pairs = of_rank(pairs, own),
                             .options = options,
                             .groups = count,
                             .group_first = groups.first,
                             .arrays = arrays,
                             .cells = cells},
                    plain_variant, count);
    });
  } else {
    device.launch(Each{.pairs = pairs, .options = options, .arrays = arrays, .cells = cells}, plain_variant,
                  targets.count());
  }
}

HB_CLOSE
