// SPDX-License-Identifier: Apache-2.0
// Neighbour search on the CPU, from sorted points to lists. Compiled with HB_PRECISION = HB_DOUBLE.
#include "interactions/neighbours/neighbour_search.h"

#include <omp.h>

#include <algorithm>

#include "device/host/threads.h"
#include "device/threads.h"
#include "interactions/pair_sources.h"

namespace hornbeam {

using namespace fp64;

namespace {

/// Sorts each row, by index or by distance, ties by index: the walk of one target leaves them in its own order.
void sort_rows(NeighbourLists& lists, bool by_distance) {
  const auto rows = static_cast<std::int64_t>(lists.offset.size()) - 1;
  const std::uint64_t base = lists.offset.front();
#pragma omp parallel
  {
    std::vector<std::pair<double, std::uint32_t>> row;
#pragma omp for schedule(dynamic, 256)
    for (std::int64_t i = 0; i < rows; ++i) {
      const std::uint64_t begin = lists.offset[i] - base, end = lists.offset[i + 1] - base;
      row.clear();
      for (auto j = begin; j < end; ++j) row.emplace_back(lists.distance2[j], lists.index[j]);
      if (by_distance) {
        std::sort(row.begin(), row.end());
      } else {
        std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
      }
      for (std::size_t j = 0; j < row.size(); ++j) {
        lists.distance2[begin + j] = row[j].first;
        lists.index[begin + j] = row[j].second;
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
  /// Runs the kernels of a visitor.
  template <class View, class OfGroups, class OfEach>
  void search(View& view, OfGroups of_groups, OfEach of_each);
  WithinView within_view(double radius);
  [[nodiscard]] RowWindow all_rows() const { return {0, points_.count()}; }

  Walk walk_;
  int threads_;
  double box_;
  HostPoints points_;
  std::vector<pos_t> images_ = image_values(one_image);
};

/// Throws UsageError; how many threads to use.
int threads_of(const NeighbourOptions& options) {
  check_threads(options.threads, "threads = " + std::to_string(options.threads));
  return options.threads > 0 ? options.threads : omp_get_num_procs();
}

HostPoints sort_by_threads(const std::vector<Vec3>& position, const NeighbourOptions& options, Walk walk, int threads) {
  const Threads scope(threads);
  return HostPoints(position, options.leaf_size, walk == Walk::group);
}

CpuSearch::CpuSearch(const std::vector<Vec3>& position, const NeighbourOptions& options, Walk walk)
    : walk_(walk),
      threads_(threads_of(options)),
      box_(period_of(options)),
      points_(sort_by_threads(position, options, walk, threads_)) {}

template <class View, class OfGroups, class OfEach>
void CpuSearch::search(View& view, OfGroups of_groups, OfEach of_each) {
  const Threads scope(threads_);
  points_.give(view, points_, box_, images_);
  const auto& groups = points_.groups();
  if (walk_ == Walk::group) {
    of_groups(view, points_.cells(), groups.data(), static_cast<i32>(groups.size()));
  } else {
    of_each(view, points_.cells());
  }
}

WithinView CpuSearch::within_view(double radius) {
  WithinView view{};
  view.options = {.radius2 = radius * radius, .rows = all_rows(), .others = 1};
  return view;
}

std::vector<std::uint32_t> CpuSearch::count_within(double radius) {
  std::vector<std::uint32_t> found(static_cast<std::size_t>(points_.count()), 0);
  WithinView view = within_view(radius);
  view.found = found.data();
  search(view, points_.kernels().within_of_groups, points_.kernels().within_of_each);
  return found;
}

void CpuSearch::fill_within(double radius, NeighbourLists& lists) {
  WithinView view = within_view(radius);
  view.offset = lists.offset.data();
  view.index = lists.index.data();
  view.distance2 = lists.distance2.data();
  search(view, points_.kernels().within_of_groups, points_.kernels().within_of_each);
  if (walk_ == Walk::stackless) sort_rows(lists, false);
}

void CpuSearch::fill_nearest(int k, NeighbourLists& lists) {
  NearestView view{};
  view.options = {.k = k, .rows = all_rows(), .others = 1};
  view.offset = lists.offset.data();
  view.index = lists.index.data();
  view.distance2 = lists.distance2.data();
  search(view, points_.kernels().nearest_of_groups, points_.kernels().nearest_of_each);
  if (walk_ == Walk::stackless) sort_rows(lists, true);
}

}  // namespace

std::unique_ptr<NeighbourSearch> make_cpu_search(const std::vector<Vec3>& position, const NeighbourOptions& options,
                                                 Walk walk) {
  return std::make_unique<CpuSearch>(position, options, walk);
}

}  // namespace hornbeam
