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
        std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) {
          return a.second < b.second || (a.second == b.second && a.first < b.first);
        });
      }
      for (std::size_t j = 0; j < row.size(); ++j) {
        lists.distance2[begin + j] = row[j].first;
        lists.index[begin + j] = row[j].second;
      }
    }
  }
}

/// Leaves of targets that are points of their own; no walk goes down to them.
constexpr int target_leaf_size = 16;

/// Room for rows of these lengths.
NeighbourLists lists_of_counts(const std::vector<std::uint32_t>& counts) {
  NeighbourLists lists;
  lists.offset.assign(counts.size() + 1, 0);
  for (std::size_t i = 0; i < counts.size(); ++i) lists.offset[i + 1] = lists.offset[i] + counts[i];
  lists.index.resize(lists.offset.back());
  lists.distance2.resize(lists.offset.back());
  return lists;
}

class CpuSearch final : public NeighbourSearch {
 public:
  CpuSearch(const std::vector<Vec3>& position, const NeighbourOptions& options, Walk walk);

  [[nodiscard]] std::string backend() const override { return "cpu"; }
  std::vector<std::uint32_t> count_within(double radius) override;
  void fill_within(double radius, NeighbourLists& lists) override;
  void fill_nearest(int k, NeighbourLists& lists) override;
  [[nodiscard]] std::unique_ptr<KeptNeighbours> keep_within(double radius, const KeptTargets& targets) override;
  [[nodiscard]] std::unique_ptr<KeptNeighbours> keep_nearest(int k, const KeptTargets& targets) override;

 private:
  /// Targets of a search, and the images of its sources.
  struct Space {
    const HostPoints& targets;
    std::vector<pos_t> images;
    [[nodiscard]] RowWindow rows() const { return {0, targets.count()}; }
  };
  [[nodiscard]] Space own_space() const { return {points_, image_values(one_image)}; }
  /// Runs the kernels of a visitor.
  template <class View, class OfGroups, class OfEach>
  void search(const Space& space, View& view, OfGroups of_groups, OfEach of_each);
  std::vector<std::uint32_t> count_within(const Space& space, double radius);
  void fill_within(const Space& space, double radius, NeighbourLists& lists);
  void fill_nearest(const Space& space, int k, NeighbourLists& lists);
  /// Whether points are the sources, none of them its own neighbour.
  [[nodiscard]] i32 others(const Space& space) const { return &space.targets == &points_ ? 1 : 0; }
  /// find(space) for these targets.
  template <class Find>
  NeighbourLists keep(const KeptTargets& targets, Find find);

  Walk walk_;
  int threads_;
  double box_;
  HostPoints points_;
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
void CpuSearch::search(const Space& space, View& view, OfGroups of_groups, OfEach of_each) {
  const Threads scope(threads_);
  points_.give(view, space.targets, box_, space.images);
  const auto& groups = space.targets.groups();
  if (walk_ == Walk::group) {
    of_groups(view, points_.cells(), groups.data(), static_cast<i32>(groups.size()));
  } else {
    of_each(view, points_.cells());
  }
}

std::vector<std::uint32_t> CpuSearch::count_within(const Space& space, double radius) {
  std::vector<std::uint32_t> found(static_cast<std::size_t>(space.targets.count()), 0);
  WithinView view{};
  view.options = {.radius2 = radius * radius, .rows = space.rows(), .others = others(space)};
  view.found = found.data();
  search(space, view, points_.kernels().within_of_groups, points_.kernels().within_of_each);
  return found;
}

void CpuSearch::fill_within(const Space& space, double radius, NeighbourLists& lists) {
  WithinView view{};
  view.options = {.radius2 = radius * radius, .rows = space.rows(), .others = others(space)};
  view.offset = lists.offset.data();
  view.index = lists.index.data();
  view.distance2 = lists.distance2.data();
  search(space, view, points_.kernels().within_of_groups, points_.kernels().within_of_each);
}

void CpuSearch::fill_nearest(const Space& space, int k, NeighbourLists& lists) {
  NearestView view{};
  view.options = {.k = k, .rows = space.rows(), .others = others(space)};
  view.offset = lists.offset.data();
  view.index = lists.index.data();
  view.distance2 = lists.distance2.data();
  search(space, view, points_.kernels().nearest_of_groups, points_.kernels().nearest_of_each);
}

std::vector<std::uint32_t> CpuSearch::count_within(double radius) { return count_within(own_space(), radius); }

void CpuSearch::fill_within(double radius, NeighbourLists& lists) {
  fill_within(own_space(), radius, lists);
  if (walk_ == Walk::stackless) sort_rows(lists, false);
}

void CpuSearch::fill_nearest(int k, NeighbourLists& lists) {
  fill_nearest(own_space(), k, lists);
  if (walk_ == Walk::stackless) sort_rows(lists, true);
}

template <class Find>
NeighbourLists CpuSearch::keep(const KeptTargets& targets, Find find) {
  const std::vector<pos_t> images = image_values(targets.images);
  if (targets.points == nullptr) return find(Space{points_, images});
  const HostPoints points(*targets.points, target_leaf_size, walk_ == Walk::group);
  return find(Space{points, images});
}

std::unique_ptr<KeptNeighbours> CpuSearch::keep_within(double radius, const KeptTargets& targets) {
  return std::make_unique<NeighboursOnHost>(keep(targets, [&](const Space& space) {
    NeighbourLists lists = lists_of_counts(count_within(space, radius));
    if (!lists.index.empty()) fill_within(space, radius, lists);
    sort_rows(lists, false);
    return lists;
  }));
}

std::unique_ptr<KeptNeighbours> CpuSearch::keep_nearest(int k, const KeptTargets& targets) {
  return std::make_unique<NeighboursOnHost>(keep(targets, [&](const Space& space) {
    const std::size_t rows = static_cast<std::size_t>(space.targets.count());
    NeighbourLists lists = lists_of_counts(std::vector<std::uint32_t>(rows, static_cast<std::uint32_t>(k)));
    fill_nearest(space, k, lists);
    sort_rows(lists, true);
    return lists;
  }));
}

}  // namespace

std::unique_ptr<NeighbourSearch> make_cpu_search(const std::vector<Vec3>& position, const NeighbourOptions& options,
                                                 Walk walk) {
  return std::make_unique<CpuSearch>(position, options, walk);
}

}  // namespace hornbeam
