// SPDX-License-Identifier: Apache-2.0
#include "interactions/pair_sources.h"

#include <algorithm>

#include "device/transfer.h"
#include "hornbeam/error.h"
#include "memory/need.h"
#include "physics/expansion.h"

HB_OPEN
namespace {

/// Targets that share a walk on the CPU (bench/neighbours: fastest of 16 to 128 for 32 neighbours).
constexpr i32 host_group = 64;
/// Particles of windows wider than this part of the key cube search alone: a group would look at all between them.
constexpr int widest_part = 4;

/// Boxes need no multipoles.
WalkOptions options_of_boxes(i32 moment_order) {
  WalkOptions options{};
  options.unit = 1;
  options.theta = 1;
  options.moment_order = moment_order;
  return options;
}

}  // namespace

std::vector<pos_t> image_values(const std::vector<SourceImage>& images) {
  if (images.empty() || images[0].shift != Vec3{} || images[0].velocity != Vec3{}) {
    throw UsageError("images", "the first one must be where the particles are");
  }
  std::vector<pos_t> values;
  for (const SourceImage& image : images) {
    values.insert(values.end(), image.shift.begin(), image.shift.end());
    values.insert(values.end(), image.velocity.begin(), image.velocity.end());
  }
  return values;
}

HostPoints::HostPoints(const std::vector<Vec3>& position, int leaf_size, bool groups)
    : kernels_(kernels_of(detect_instruction_set())) {
  if (position.empty()) return;
  sort(position);
  const std::vector<real> none(position.size());  // masses and softenings, which boxes do not need
  const ParticlesView points{x_[0].data(), x_[1].data(), x_[2].data(), none.data(), none.data()};
  WalkOptions options = options_of_boxes(1);
  tree_.build(keys_, leaf_size, options.moment_stride);
  options.cells = tree_.size();
  options.particles = count();
  tree_.compute_moments(kernels_, points, cube_, options);
  if (groups) tree_.make_groups(host_group, points);
}

void HostPoints::sort(const std::vector<Vec3>& position) {
  const std::size_t count = position.size();
  constexpr double places = 6 * sizeof(pos_t) + sizeof(real) + sizeof(u32) + sizeof(u64);
  memory::demand(count, {{"places and keys", places}, {"sort", 2 * sizeof(SortEntry)}});
  std::vector<pos_t> given[3];
  for (int k = 0; k < 3; ++k) {
    given[k].resize(count);
    x_[k].resize(count);
    for (std::size_t i = 0; i < count; ++i) given[k][i] = position[i][k];
  }
  input_.resize(count);
  keys_.resize(count);
  const pos_t* const axes[3] = {given[0].data(), given[1].data(), given[2].data()};
  cube_ = key_cube(axes, this->count());
  Array<SortEntry> entries(count), scratch;
  kernels_.keys(axes[0], axes[1], axes[2], nullptr, this->count(), cube_, HB_CURVE_HILBERT, entries.data());
  sort_entries(entries, scratch);
#pragma omp parallel for schedule(static)
  for (i32 i = 0; i < this->count(); ++i) {
    keys_[i] = entries[i].key;
    input_[i] = entries[i].input;
    for (int k = 0; k < 3; ++k) x_[k][i] = given[k][input_[i]];
  }
}

std::vector<pos_t> HostPoints::in_order(std::span<const double> values) const {
  std::vector<pos_t> ordered(input_.size());
  for (std::size_t i = 0; i < ordered.size(); ++i) ordered[i] = values[input_[i]];
  return ordered;
}

Array<pos_t> HostPoints::reach_of_cells(const pos_t* reach) {
  const CellsView cells = tree_.view();
  Array<pos_t> largest(static_cast<std::size_t>(tree_.size()) + read_ahead);
  std::fill(largest.end() - read_ahead, largest.end(), 0);
#pragma omp parallel for schedule(dynamic, 256)
  for (i32 c = 0; c < tree_.size(); ++c) {
    if (cells.children[c] == 0)
      largest[c] = *std::max_element(reach + cells.first[c], reach + cells.first[c] + cells.count[c]);
  }
  for (i32 c = tree_.size() - 1; c >= 0; --c) {  // children stand behind their parents
    if (cells.children[c] == 0) continue;
    const auto first = largest.begin() + cells.child[c];
    largest[c] = *std::max_element(first, first + cells.children[c]);
  }
  return largest;
}

DevicePoints::DevicePoints(Device& device, const std::vector<Vec3>& position, int leaf_size, bool groups)
    : device_(device), points_(device), tree_(device) {
  if (position.empty()) return;
  upload(position);
  WalkOptions options = options_of_boxes(2);  // the least that devices make
  options.moment_stride = HB_MOMENT_STRIDE(2);
  const KeyCube cube = tree_.bound(points_);
  tree_.make_keys(points_, cube, HB_CURVE_HILBERT);
  tree_.sort(points_.n);
  tree_.reorder(points_);
  const GroupPlan plan{.size = groups ? HB_MAX_GROUP : 0, .widest = cube.edge / widest_part};
  tree_.build(points_, cube, HB_CURVE_HILBERT, {leaf_size, options.moment_stride, plan, false});
  options.cells = tree_.cells();
  options.particles = points_.n;
  tree_.compute_moments(points_, cube, options);
}

void DevicePoints::upload(const std::vector<Vec3>& position) {
  const std::size_t n = position.size();
  points_.n = static_cast<i32>(n);
  for (int k = 0; k < 3; ++k) {
    points_.x[k].reserve(n * sizeof(pos_t));
    upload_values<pos_t>(device_, points_.x[k], n, [&](std::size_t i) { return position[i][k]; });
  }
  points_.input.reserve(n * sizeof(u32));
  upload_values<u32>(device_, points_.input, n, [](std::size_t i) { return i; });
  for (DeviceArray<real>* none : {&points_.mass, &points_.soft2}) {  // boxes need neither masses nor softenings
    none->reserve(n * sizeof(real));
    device_.clear(*none, n * sizeof(real));
  }
}

void DevicePoints::put_in_order(DeviceArray<pos_t>& to, std::span<const double> values) const {
  const auto n = static_cast<std::size_t>(points_.n);
  std::vector<u32> input(n);
  device_.download(input.data(), points_.input, 0, n * sizeof(u32));
  to.reserve(n * sizeof(pos_t));
  upload_values<pos_t>(device_, to, n, [&](std::size_t i) { return values[input[i]]; });
}

void DevicePoints::reach_of_cells(DeviceArray<pos_t>& to, const DeviceArray<pos_t>& reach) const {
  if (tree_.cells() == 0) return;
  to.reserve(static_cast<std::size_t>(tree_.cells()) * sizeof(pos_t));
  const LevelTable& levels = tree_.levels();
  for (int level = HB_LEVELS; level >= 0; --level) {
    const i32 begin = levels.begin[level], end = levels.begin[level + 1];
    device_.launch(kernels::reach_of_cells{.begin = begin,
                                           .end = end,
                                           .first = tree_.first(),
                                           .count = tree_.count(),
                                           .child = tree_.child(),
                                           .children = tree_.children(),
                                           .source_reach = reach,
                                           .cell_reach = to},
                   plain_variant, end - begin);
  }
}

PairOptions DevicePoints::pairs(const DevicePoints& targets, pos_t box, std::size_t images) const {
  PairOptions options{};
  options.box = box;
  options.images = static_cast<i32>(images);
  options.starts = tree_.cells() > 0 ? 1 : 0;
  options.sources = points_.n;
  options.targets = targets.points_.n;
  options.apart = &targets == this ? 0 : 1;
  return options;
}

PairArrays DevicePoints::arrays(const DevicePoints& targets, const DeviceArray<pos_t>& images,
                                const DeviceArray<i32>* start, const DeviceArray<pos_t>* cell_reach) const {
  return {.x = points_.x[0],
          .y = points_.x[1],
          .z = points_.x[2],
          .input = points_.input,
          .target_x = targets.points_.x[0],
          .target_y = targets.points_.x[1],
          .target_z = targets.points_.x[2],
          .target_input = targets.points_.input,
          .images = images,
          .start = start,
          .cell_reach = cell_reach};
}

HB_CLOSE
