// SPDX-License-Identifier: Apache-2.0
// Friends of friends from positions to labels, on the CPU or a device: a tree of the particles, its units and the tree
// over them, the walk that joins units, and what the sets are called. Compiled with HB_PRECISION = HB_DOUBLE.
#include <algorithm>
#include <cmath>
#include <limits>

#include "device/devices.h"
#include "device/host/kernels.h"
#include "device/host/threads.h"
#include "device/kernels/sizes.h"
#include "hornbeam/error.h"
#include "interactions/groups/friends.h"
#include "interactions/groups/kernels/launches.h"
#include "interactions/groups/linking.h"
#include "interactions/neighbours/neighbour_search.h"
#include "interactions/pair_sources.h"
#include "tree/host/host_need.h"

namespace hornbeam {

using namespace fp64;

namespace {

/// Most units of a group of the walk.
constexpr i32 units_together = HB_MAX_GROUP;

class UnitTree {
 public:
  UnitTree(const PairPoints& points, double length, double box, const std::vector<SourceImage>& images);
  void walk(bool by_groups);
  void label();
  [[nodiscard]] std::vector<std::uint32_t> labels() const;
  [[nodiscard]] i32 units() const { return units_; }

 private:
  void count_units();
  void make_room();
  void make_units();
  [[nodiscard]] LinkingArrays arrays() const;
  [[nodiscard]] PairOptions pairs() const;
  [[nodiscard]] i32 cell_count() const { return points_.tree().cells().size(); }

  const PairPoints& points_;
  Device& device_;
  pos_t box_;
  std::size_t image_count_;
  LinkingOptions options_{};
  CellArrays particle_cells_, cells_;  ///< of particles; of units
  i32 units_ = 0;
  DeviceArray<u32> sums_, parent_, least_, label_;
  DeviceArray<i32> first_unit_, unit_count_, unit_children_, unit_first_, unit_cell_;
  DeviceArray<pos_t> extent_, cell_reach_, images_;
  DeviceParticles places_;  ///< of units
  Groups groups_;
};

UnitTree::UnitTree(const PairPoints& points, double length, double box, const std::vector<SourceImage>& images)
    : points_(points),
      device_(points.device()),
      box_(static_cast<pos_t>(box)),
      image_count_(images.size()),
      particle_cells_(points.tree().cells().arrays()),
      cells_(particle_cells_),
      sums_(device_),
      parent_(device_),
      least_(device_),
      label_(device_),
      first_unit_(device_),
      unit_count_(device_),
      unit_children_(device_),
      unit_first_(device_),
      unit_cell_(device_),
      extent_(device_),
      cell_reach_(device_),
      images_(device_),
      places_(device_),
      groups_(device_) {
  const auto link = static_cast<pos_t>(length);
  options_.length2 = link * link;
  options_.half_length = link / 2 * (1 + HB_LINK_MARGIN);
  upload_all(device_, images_, image_values(images));
  make_units();
  if (cell_count() > 0) points_.tree().largest_in_cells(cell_reach_, extent_, cells_);
}

/// Marks where units begin, and counts them: sums_.
void UnitTree::count_units() {
  const auto n = static_cast<std::size_t>(points_.count());
  sums_.reserve((n + 1) * sizeof(u32));
  device_.clear(sums_, (n + 1) * sizeof(u32));
  device_.launch(
      kernels::mark_units{
          .cell_count = cell_count(), .length2 = options_.length2, .cells = particle_cells_, .marks = sums_},
      plain_variant, cell_count());
  device_.exclusive_scan(sums_, static_cast<std::int64_t>(n) + 1);
  u32 found = 0;
  device_.download(&found, sums_, n * sizeof(u32), sizeof found);
  units_ = static_cast<i32>(found);
}

void UnitTree::make_room() {
  const auto units = static_cast<std::size_t>(units_), cells = static_cast<std::size_t>(cell_count());
  for (DeviceArray<i32>* of_cells : {&first_unit_, &unit_count_, &unit_children_}) {
    of_cells->reserve((cells + read_ahead) * sizeof(i32));
    device_.clear(*of_cells, (cells + read_ahead) * sizeof(i32));
  }
  for (DeviceArray<i32>* of_units : {&unit_first_, &unit_cell_}) of_units->reserve(units * sizeof(i32));
  for (DeviceArray<u32>* of_units : {&parent_, &least_}) of_units->reserve(units * sizeof(u32));
  for (DeviceArray<pos_t>* of_units : {&places_.x[0], &places_.x[1], &places_.x[2], &extent_}) {
    of_units->reserve((units + read_ahead) * sizeof(pos_t));
  }
  for (DeviceArray<real>* none : {&places_.mass, &places_.soft2}) none->reserve(sizeof(real));
  places_.n = units_;
}

void UnitTree::make_units() {
  count_units();
  make_room();
  device_.launch(kernels::name_units{.cell_count = cell_count(),
                                     .length2 = options_.length2,
                                     .cells = particle_cells_,
                                     .sums = sums_,
                                     .first_unit = first_unit_,
                                     .unit_count = unit_count_,
                                     .unit_children = unit_children_,
                                     .unit_first = unit_first_,
                                     .unit_cell = unit_cell_},
                 plain_variant, cell_count());
  const DeviceParticles& p = points_.points();
  device_.launch(kernels::place_units{.units = units_,
                                      .half_length = options_.half_length,
                                      .cells = particle_cells_,
                                      .of_particle_x = p.x[0],
                                      .of_particle_y = p.x[1],
                                      .of_particle_z = p.x[2],
                                      .unit_first = unit_first_,
                                      .unit_cell = unit_cell_,
                                      .unit_x = places_.x[0],
                                      .unit_y = places_.x[1],
                                      .unit_z = places_.x[2],
                                      .extent = extent_,
                                      .parent = parent_,
                                      .least = least_},
                 plain_variant, units_);
  cells_.first = first_unit_;
  cells_.count = unit_count_;
  cells_.children = unit_children_;
}

PairOptions UnitTree::pairs() const {
  PairOptions options = points_.pairs(points_, cube_of_edge(box_), image_count_);
  options.sources = units_;
  options.targets = units_;
  return options;
}

LinkingArrays UnitTree::arrays() const {
  const DeviceParticles& p = points_.points();
  return {.pairs = {.x = places_.x[0],
                    .y = places_.x[1],
                    .z = places_.x[2],
                    .input = nullptr,
                    .target_x = places_.x[0],
                    .target_y = places_.x[1],
                    .target_z = places_.x[2],
                    .target_input = nullptr,
                    .images = images_,
                    .start = nullptr,
                    .cell_reach = cell_reach_},
          .extent = extent_,
          .target_extent = extent_,
          .parent = parent_,
          .unit_first = unit_first_,
          .unit_cell = unit_cell_,
          .particle_x = p.x[0],
          .particle_y = p.x[1],
          .particle_z = p.x[2],
          .tree_first = particle_cells_.first,
          .tree_count = particle_cells_.count,
          .tree_child = particle_cells_.child,
          .tree_children = particle_cells_.children,
          .tree_next = particle_cells_.next,
          .tree_low_x = particle_cells_.low_x,
          .tree_low_y = particle_cells_.low_y,
          .tree_low_z = particle_cells_.low_z,
          .tree_high_x = particle_cells_.high_x,
          .tree_high_y = particle_cells_.high_y,
          .tree_high_z = particle_cells_.high_z};
}

void UnitTree::walk(bool by_groups) {
  if (by_groups) points_.tree().group_points(groups_, places_, sums_, units_together, 8 * options_.half_length);
  if (groups_.count == 0) {
    device_.launch(kernels::linking_of_each{.pairs = pairs(), .options = options_, .arrays = arrays(), .cells = cells_},
                   plain_variant, units_);
    return;
  }
  device_.launch(kernels::linking_of_groups{.pairs = pairs(),
                                            .options = options_,
                                            .groups = groups_.count,
                                            .group_first = groups_.first,
                                            .arrays = arrays(),
                                            .cells = cells_},
                 plain_variant, groups_.count);
}

/// Of each particle, by its index on input: label_.
void UnitTree::label() {
  const DeviceParticles& p = points_.points();
  label_.reserve(static_cast<std::size_t>(p.n) * sizeof(u32));
  device_.launch(kernels::least_of_units{.n = p.n, .sums = sums_, .input = p.input, .parent = parent_, .least = least_},
                 plain_variant, p.n);
  device_.launch(
      kernels::label_particles{
          .n = p.n, .sums = sums_, .input = p.input, .parent = parent_, .least = least_, .label = label_},
      plain_variant, p.n);
}

std::vector<std::uint32_t> UnitTree::labels() const {
  std::vector<std::uint32_t> labels(static_cast<std::size_t>(points_.count()));
  download_all(device_, labels, label_);
  return labels;
}

}  // namespace

/// As UnitTree reserves, of as many units as there are particles.
memory::Need friends_need(int leaf_size) {
  const double unit = 4 * sizeof(u32) + 2 * sizeof(i32) + 4 * sizeof(pos_t), label = sizeof(u32);
  const double cells = cells_per_particle(leaf_size) * (3 * sizeof(i32) + sizeof(pos_t));
  return points_need(leaf_size) + memory::Need{{"units that are linked", unit + label + cells}};
}

Friends find_friends(const std::vector<Vec3>& position, double length, const NeighbourOptions& options, Walk walk,
                     const std::vector<SourceImage>& images) {
  const std::unique_ptr<Device> device = open_device(options.backend, options.device, options.threads);
  if (!device->has(Precision::fp64)) {
    throw UsageError("backend = " + options.backend, "has no double precision, which the search for groups needs",
                     "use backend cpu");
  }
  Friends found;
  found.backend = device->backend();
  if (position.empty()) return found;
  const Threads scope(device->threads());
  const int begin = device->stamp();
  const PairPoints points(*device, places_of(position), options.leaf_size, walk == Walk::group);
  const double box = period_of(options);
  UnitTree tree(points, length, box, images);
  const int middle = device->stamp();
  tree.walk(walk == Walk::group);
  tree.label();
  const int labelled = device->stamp();
  found.label = tree.labels();
  const int end = device->stamp();
  found.units = tree.units();
  found.upload = device->seconds(begin, points.uploaded());
  found.tree = device->seconds(points.uploaded(), middle);
  found.walk = device->seconds(middle, labelled);
  found.download = device->seconds(labelled, end);
  return found;
}

}  // namespace hornbeam
