// SPDX-License-Identifier: Apache-2.0
// Neighbour search on the CPU, from positions to lists: key, sort, reorder, build, moments (for the boxes), then the
// search. Compiled with HB_PRECISION = HB_DOUBLE.
#include "interactions/neighbours/neighbour_search.h"

#include <omp.h>

#include <algorithm>

#include "device/host/threads.h"
#include "device/threads.h"
#include "interactions/neighbours/particle_search.h"
#include "memory/need.h"
#include "tree/host_cells.h"

namespace hornbeam {

using namespace fp64;

namespace {

/// Targets that share a walk (bench/neighbours: fastest of 16 to 128 for 32 neighbours).
constexpr i32 group_size = 64;

/// Sorts each row by index: the stackless walk leaves them in its own order.
void sort_rows(NeighbourLists& lists) {
  const auto rows = static_cast<std::int64_t>(lists.offset.size()) - 1;
  const std::uint64_t base = lists.offset.front();
#pragma omp parallel
  {
    std::vector<std::pair<std::uint32_t, double>> row;
#pragma omp for schedule(dynamic, 256)
    for (std::int64_t i = 0; i < rows; ++i) {
      const std::uint64_t begin = lists.offset[i] - base, end = lists.offset[i + 1] - base;
      row.clear();
      for (auto j = begin; j < end; ++j) row.emplace_back(lists.index[j], lists.distance2[j]);
      std::sort(row.begin(), row.end());
      for (std::size_t j = 0; j < row.size(); ++j) {
        lists.index[begin + j] = row[j].first;
        lists.distance2[begin + j] = row[j].second;
      }
    }
  }
}

class CpuSearch final : public NeighbourSearch {
 public:
  CpuSearch(const std::vector<Vec3>& position, const NeighbourOptions& options, Walk walk);

  [[nodiscard]] std::string backend() const override { return "cpu"; }
  std::vector<std::uint32_t> count_within(double radius) override;
  void fill_within(double radius, NeighbourLists& lists) override;
  void fill_nearest(int k, NeighbourLists& lists) override;

 private:
  void sort(const std::vector<Vec3>& position);
  void build(int leaf_size);
  /// Runs the kernels: counts or rows within a radius where options.k = 0, else the k nearest.
  void search(const NeighboursView& out, SearchOptions options);
  [[nodiscard]] i32 n() const { return static_cast<i32>(input_.size()); }
  [[nodiscard]] ParticlesView view() const {
    return {x_[0].data(), x_[1].data(), x_[2].data(), none_.data(), none_.data()};
  }

  Walk walk_;
  int threads_;
  double box_;
  const Kernels& kernels_;
  KeyCube cube_{};
  std::vector<pos_t> x_[3];
  std::vector<real> none_;  ///< masses and softenings, which boxes do not need
  std::vector<u32> input_;  ///< index on input
  Array<u64> keys_;
  HostCells tree_;
};

CpuSearch::CpuSearch(const std::vector<Vec3>& position, const NeighbourOptions& options, Walk walk)
    : walk_(walk),
      threads_(options.threads > 0 ? options.threads : omp_get_num_procs()),
      box_(period_of(options)),
      kernels_(kernels_of(detect_instruction_set())) {
  check_threads(options.threads, "threads = " + std::to_string(options.threads));
  const Threads scope(threads_);
  if (position.empty()) return;
  sort(position);
  build(options.leaf_size);
}

void CpuSearch::sort(const std::vector<Vec3>& position) {
  const std::size_t count = position.size();
  constexpr double places = 6 * sizeof(pos_t) + sizeof(real) + sizeof(u32) + sizeof(u64);
  memory::demand(count, {{"places and keys", places}, {"sort", 2 * sizeof(SortEntry)}});
  std::vector<pos_t> given[3];
  for (int k = 0; k < 3; ++k) {
    given[k].resize(count);
    x_[k].resize(count);
    for (std::size_t i = 0; i < count; ++i) given[k][i] = position[i][k];
  }
  none_.assign(count, 0);
  input_.resize(count);
  keys_.resize(count);
  const pos_t* const axes[3] = {given[0].data(), given[1].data(), given[2].data()};
  cube_ = key_cube(axes, n());
  Array<SortEntry> entries(count), scratch;
  kernels_.keys(axes[0], axes[1], axes[2], nullptr, n(), cube_, HB_CURVE_HILBERT, entries.data());
  sort_entries(entries, scratch);
#pragma omp parallel for schedule(static)
  for (i32 i = 0; i < n(); ++i) {
    keys_[i] = entries[i].key;
    input_[i] = entries[i].input;
    for (int k = 0; k < 3; ++k) x_[k][i] = given[k][input_[i]];
  }
}

void CpuSearch::build(int leaf_size) {
  WalkOptions options{};
  options.unit = 1;
  options.theta = 1;
  options.moment_order = 1;  // boxes, no multipoles
  tree_.build(keys_, leaf_size, options.moment_stride);
  options.cells = tree_.size();
  options.particles = n();
  tree_.compute_moments(kernels_, view(), cube_, options);
  if (walk_ == Walk::group) tree_.make_groups(group_size, view());
}

void CpuSearch::search(const NeighboursView& out, SearchOptions options) {
  const Threads scope(threads_);
  options.box = box_;
  options.cells = tree_.size();
  options.particles = n();
  options.row_begin = 0;
  options.row_end = n();
  const auto& groups = tree_.groups();
  const i32 count = static_cast<i32>(groups.size());
  if (walk_ == Walk::group) {
    const auto run = options.k > 0 ? kernels_.nearest_of_groups : kernels_.neighbours_of_groups;
    run(view(), tree_.view(), out, groups.data(), count, options);
  } else {
    const auto run = options.k > 0 ? kernels_.nearest_of_particles : kernels_.neighbours_of_particles;
    run(view(), tree_.view(), out, options);
  }
}

std::vector<std::uint32_t> CpuSearch::count_within(double radius) {
  std::vector<std::uint32_t> found(input_.size(), 0);
  SearchOptions options{};
  options.radius2 = radius * radius;
  search({input_.data(), nullptr, found.data(), nullptr, nullptr}, options);
  return found;
}

void CpuSearch::fill_within(double radius, NeighbourLists& lists) {
  SearchOptions options{};
  options.radius2 = radius * radius;
  search({input_.data(), lists.offset.data(), nullptr, lists.index.data(), lists.distance2.data()}, options);
  if (walk_ == Walk::stackless) sort_rows(lists);
}

void CpuSearch::fill_nearest(int k, NeighbourLists& lists) {
  SearchOptions options{};
  options.k = k;
  search({input_.data(), lists.offset.data(), nullptr, lists.index.data(), lists.distance2.data()}, options);
}

}  // namespace

std::unique_ptr<NeighbourSearch> make_cpu_search(const std::vector<Vec3>& position, const NeighbourOptions& options,
                                                 Walk walk) {
  return std::make_unique<CpuSearch>(position, options, walk);
}

}  // namespace hornbeam
