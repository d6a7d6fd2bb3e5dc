// SPDX-License-Identifier: Apache-2.0
// Neighbour search from positions to lists: key, sort, reorder, build, moments (for the boxes), then the search.
// Compiled with HB_PRECISION = HB_DOUBLE.
#include "neighbours/search.h"

#include <omp.h>

#include <algorithm>
#include <limits>
#include <new>
#include <stdexcept>

#include "backend/cpu/pipeline.h"
#include "backend/cpu/tree.h"
#include "hornbeam/error.h"
#include "stages/neighbours.h"

namespace hornbeam {

using namespace fp64;

struct NeighbourTree::Parts {
  Parts(const std::vector<Vec3>& position, const NeighbourOptions& options, Walk chosen);

  void sort(const std::vector<Vec3>& position);
  void build(int leaf_size);
  /// Runs the kernels: counts or rows within a radius where options.k = 0, else the k nearest.
  void search(const NeighboursView& out, SearchOptions options);
  [[nodiscard]] i32 n() const { return static_cast<i32>(input.size()); }
  [[nodiscard]] ParticlesView view() const { return {x[0].data(), x[1].data(), x[2].data(), none.data(), none.data()}; }

  Walk walk;
  int threads;
  double box;
  const Kernels& kernels;
  KeyCube cube{};
  std::vector<pos_t> x[3];
  std::vector<real> none;  ///< masses and softenings, which boxes do not need
  std::vector<u32> input;  ///< index on input
  Array<u64> keys;
  Tree tree;
};

namespace {

/// Targets that share a walk (bench/neighbours: fastest of 16 to 128 for 32 neighbours).
constexpr i32 group_size = 64;

/// Memory for `rows` entries of lists.
void reserve(NeighbourLists& lists, std::uint64_t rows) {
  try {
    lists.index.resize(rows);
    lists.distance2.resize(rows);
  } catch (const std::exception&) {  // bad_alloc or length_error
    throw Error("memory", std::to_string(rows) + " neighbours do not fit", "count them, or use a smaller radius or k");
  }
}

/// Sorts each row by index: the stackless walk leaves them in its own order.
void sort_rows(NeighbourLists& lists) {
  const auto rows = static_cast<std::int64_t>(lists.offset.size()) - 1;
#pragma omp parallel
  {
    std::vector<std::pair<std::uint32_t, double>> row;
#pragma omp for schedule(dynamic, 256)
    for (std::int64_t i = 0; i < rows; ++i) {
      row.clear();
      for (auto j = lists.offset[i]; j < lists.offset[i + 1]; ++j) row.emplace_back(lists.index[j], lists.distance2[j]);
      std::sort(row.begin(), row.end());
      for (std::size_t j = 0; j < row.size(); ++j) {
        lists.index[lists.offset[i] + j] = row[j].first;
        lists.distance2[lists.offset[i] + j] = row[j].second;
      }
    }
  }
}

}  // namespace

NeighbourTree::Parts::Parts(const std::vector<Vec3>& position, const NeighbourOptions& options, Walk chosen)
    : walk(chosen),
      threads(options.threads > 0 ? options.threads : omp_get_num_procs()),
      box(options.box_size > 0 ? options.box_size : std::numeric_limits<double>::infinity()),
      kernels(kernels_of(detect_instruction_set())) {
  omp_set_num_threads(threads);
  if (position.empty()) return;
  sort(position);
  build(options.leaf_size);
}

void NeighbourTree::Parts::sort(const std::vector<Vec3>& position) {
  const std::size_t count = position.size();
  std::vector<pos_t> given[3];
  for (int k = 0; k < 3; ++k) {
    given[k].resize(count);
    x[k].resize(count);
    for (std::size_t i = 0; i < count; ++i) given[k][i] = position[i][k];
  }
  none.assign(count, 0), input.resize(count), keys.resize(count);
  const pos_t* const axes[3] = {given[0].data(), given[1].data(), given[2].data()};
  cube = key_cube(axes, n());
  Array<SortEntry> entries(count), scratch;
  kernels.keys(axes[0], axes[1], axes[2], nullptr, n(), cube, HB_CURVE_HILBERT, entries.data());
  sort_entries(entries, scratch);
#pragma omp parallel for schedule(static)
  for (i32 i = 0; i < n(); ++i) {
    keys[i] = entries[i].key;
    input[i] = entries[i].input;
    for (int k = 0; k < 3; ++k) x[k][i] = given[k][input[i]];
  }
}

void NeighbourTree::Parts::build(int leaf_size) {
  WalkOptions options{};
  options.unit = 1, options.theta = 1;
  options.moment_order = 1;  // boxes, no multipoles
  tree.build(keys, leaf_size, options.moment_stride);
  options.cells = tree.size(), options.particles = n();
  tree.compute_moments(kernels, view(), cube, options);
  if (walk == Walk::group) tree.make_groups(group_size, view());
}

void NeighbourTree::Parts::search(const NeighboursView& out, SearchOptions options) {
  omp_set_num_threads(threads);
  options.box = box;
  options.cells = tree.size(), options.particles = n();
  const auto& groups = tree.groups();
  const i32 count = static_cast<i32>(groups.size());
  if (walk == Walk::group) {
    const auto run = options.k > 0 ? kernels.nearest_of_groups : kernels.neighbours_of_groups;
    run(view(), tree.view(), out, groups.data(), count, options);
  } else {
    const auto run = options.k > 0 ? kernels.nearest_of_particles : kernels.neighbours_of_particles;
    run(view(), tree.view(), out, options);
  }
}

NeighbourTree::NeighbourTree(const std::vector<Vec3>& position, const NeighbourOptions& options, Walk walk)
    : parts_(std::make_unique<Parts>(position, options, walk)) {}

NeighbourTree::~NeighbourTree() = default;

std::vector<std::uint32_t> NeighbourTree::count_within(double radius) {
  std::vector<std::uint32_t> found(parts_->input.size(), 0);
  SearchOptions options{};
  options.radius2 = radius * radius;
  parts_->search({parts_->input.data(), nullptr, found.data(), nullptr, nullptr}, options);
  return found;
}

NeighbourLists NeighbourTree::within(double radius) {
  NeighbourLists lists;
  const std::vector<std::uint32_t> found = count_within(radius);
  lists.offset.assign(found.size() + 1, 0);
  for (std::size_t i = 0; i < found.size(); ++i) lists.offset[i + 1] = lists.offset[i] + found[i];
  reserve(lists, lists.offset.back());
  if (lists.index.empty()) return lists;
  SearchOptions options{};
  options.radius2 = radius * radius;
  parts_->search({parts_->input.data(), lists.offset.data(), nullptr, lists.index.data(), lists.distance2.data()},
                 options);
  if (parts_->walk == Walk::stackless) sort_rows(lists);
  return lists;
}

NeighbourLists NeighbourTree::nearest(int k) {
  NeighbourLists lists;
  lists.offset.resize(parts_->input.size() + 1);
  for (std::size_t i = 0; i < lists.offset.size(); ++i) lists.offset[i] = i * static_cast<std::uint64_t>(k);
  reserve(lists, lists.offset.back());
  SearchOptions options{};
  options.k = k;
  parts_->search({parts_->input.data(), nullptr, nullptr, lists.index.data(), lists.distance2.data()}, options);
  return lists;
}

}  // namespace hornbeam
