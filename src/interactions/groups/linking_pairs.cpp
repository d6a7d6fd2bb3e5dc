// SPDX-License-Identifier: Apache-2.0
// Friends of friends from positions to labels, on the CPU or a device: a tree of the particles, its units and the tree
// over them, the walk that joins units, and what the sets are called. Compiled with HB_PRECISION = HB_DOUBLE.
#include <algorithm>
#include <cmath>
#include <limits>

#include "device/devices.h"
#include "hornbeam/error.h"
#include "interactions/groups/friends.h"
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
  void make_groups();
  void make_groups_on_host();
  [[nodiscard]] LinkingArrays arrays() const;
  [[nodiscard]] PairOptions pairs() const;

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
  DeviceGroups groups_;
  std::vector<GroupRange> host_groups_;
};

UnitTree::UnitTree(const PairPoints& points, double length, double box, const std::vector<SourceImage>& images)
    : points_(points),
      device_(points.device()),
      box_(static_cast<pos_t>(box)),
      image_count_(images.size()),
      particle_cells_(points.cells()),
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
  points_.reach_of_cells(cell_reach_, extent_, cells_);
}

/// Marks where units begin, and counts them: sums_.
void UnitTree::count_units() {
  const auto n = static_cast<std::size_t>(points_.count());
  sums_.reserve((n + 1) * sizeof(u32));
  device_.clear(sums_, (n + 1) * sizeof(u32));
  device_.launch(
      kernels::mark_units{
          .cell_count = points_.cell_count(), .length2 = options_.length2, .cells = particle_cells_, .marks = sums_},
      plain_variant, points_.cell_count());
  device_.exclusive_scan(sums_, static_cast<std::int64_t>(n) + 1);
  u32 found = 0;
  device_.download(&found, sums_, n * sizeof(u32), sizeof found);
  units_ = static_cast<i32>(found);
}

void UnitTree::make_room() {
  const auto units = static_cast<std::size_t>(units_), cells = static_cast<std::size_t>(points_.cell_count());
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
  device_.launch(kernels::name_units{.cell_count = points_.cell_count(),
                                     .length2 = options_.length2,
                                     .cells = particle_cells_,
                                     .sums = sums_,
                                     .first_unit = first_unit_,
                                     .unit_count = unit_count_,
                                     .unit_children = unit_children_,
                                     .unit_first = unit_first_,
                                     .unit_cell = unit_cell_},
                 plain_variant, points_.cell_count());
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

/// The tree's groups of particles, as the units that begin in them; those that are left with few are put together where
/// the next is near.
void UnitTree::make_groups_on_host() {
  const u32* const sums = host_values(sums_);
  const pos_t* const place[3] = {host_values(places_.x[0]), host_values(places_.x[1]), host_values(places_.x[2])};
  const pos_t near = 8 * options_.half_length;
  for (const GroupRange& group : points_.host_cells().groups()) {
    const GroupRange next = {static_cast<i32>(sums[group.first]),
                             static_cast<i32>(sums[group.first + group.count] - sums[group.first])};
    if (next.count == 0) continue;
    const auto follows = [&](const GroupRange& last) {
      if (last.count + next.count > units_together) return false;
      return std::all_of(place, place + 3,
                         [&](const pos_t* x) { return std::abs(x[next.first] - x[last.first]) <= near; });
    };
    if (!host_groups_.empty() && follows(host_groups_.back())) {
      host_groups_.back().count += next.count;
    } else {
      host_groups_.push_back(next);
    }
  }
}

/// On a device as the tree makes its own of particles.
void UnitTree::make_groups() {
  const auto units = static_cast<std::size_t>(units_);
  DeviceArray<u8> begins(device_);
  DeviceArray<u32> marks(device_);
  begins.reserve(units);
  marks.reserve((units + 2) * sizeof(u32));
  groups_.first.reserve((units + 1) * sizeof(i32));
  points_.device_tree().mark_groups(places_, {.size = units_together}, begins);
  device_.launch(kernels::mark_begins{.begins = begins, .targets = units_, .marks = marks}, plain_variant, units_ + 2);
  device_.exclusive_scan(marks, units_ + 2);
  device_.launch(kernels::list_marks{.sums = marks, .count = units_ + 1, .list = groups_.first}, plain_variant,
                 units_ + 1);
  u32 found = 0;
  device_.download(&found, marks, (units + 1) * sizeof(u32), sizeof found);
  groups_.count = static_cast<i32>(found) - 1;
}

PairOptions UnitTree::pairs() const {
  PairOptions options = points_.pairs(points_, box_, image_count_);
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
  if (device_.is_host()) {
    if (by_groups) make_groups_on_host();
    CellsView view = points_.host_cells().view();
    view.first = host_values(first_unit_);
    view.count = host_values(unit_count_);
    view.children = host_values(unit_children_);
    const auto& host = static_cast<const HostDevice&>(device_);
    return run_on_host(kernels_of(host.instruction_set()), pairs(), options_, arrays(), view, host_groups_);
  }
  if (!by_groups) {
    device_.launch(kernels::linking_of_each{.pairs = pairs(), .options = options_, .arrays = arrays(), .cells = cells_},
                   plain_variant, units_);
    return;
  }
  make_groups();
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
    throw UsageError("backend = " + options.backend, "has no fp64, in which friends are searched for",
                     "use backend cpu");
  }
  Friends found;
  found.backend = device->backend();
  if (position.empty()) return found;
  const Threads scope(device->threads());
  const int begin = device->stamp();
  const PairPoints points(*device, position, options.leaf_size, walk == Walk::group);
  const double box = options.box_size > 0 ? options.box_size : std::numeric_limits<double>::infinity();
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
