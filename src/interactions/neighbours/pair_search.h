// SPDX-License-Identifier: Apache-2.0
// Neighbour search on a device, from points in a tree to lists: what its two halves share, rows for the host
// (pair_search.cpp) and rows in memory of the caller's (lent_rows.cpp). Compiled once a precision.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/devices.h"
#include "device/kernels/sizes.h"
#include "hornbeam/error.h"
#include "interactions/neighbours/host/sorted_rows.h"
#include "interactions/neighbours/kernels/launches.h"
#include "interactions/neighbours/nearest.h"
#include "interactions/neighbours/neighbour_search.h"
#include "interactions/neighbours/row_offsets.h"
#include "interactions/neighbours/within.h"
#include "interactions/pair_sources.h"
#include "tree/lent_columns.h"

HB_OPEN

/// Leaves of targets that are points of their own; no walk goes down to them.
inline constexpr int target_leaf_size = 16;
/// Bytes of a neighbour on the device: index and squared distance.
inline constexpr std::uint64_t entry_bytes = sizeof(u32) + sizeof(pos_t);

/// Rows of a window; null for what is not requested.
struct Rows {
  RowWindow window;
  OptionalArgument<const u64> offset;
  OptionalArgument<u32> found, index;
  OptionalArgument<pos_t> distance2;
};

/// The end of the rows from `row` on that have at most `most` neighbours together; `end`: where all offsets end.
inline const std::uint64_t* rows_that_fit(const std::uint64_t* row, const std::uint64_t* end, std::uint64_t most) {
  const std::uint64_t* const next = std::upper_bound(row, end, *row + most) - 1;
  if (next == row) {
    throw Error("neighbours",
                "one particle has " + std::to_string(row[1] - row[0]) + ", more than the " + std::to_string(most) +
                    " for which the device has memory",
                "use a smaller radius or k, or backend cpu");
  }
  return next;
}

inline PairBox box_of_edges(const Vec3& edges) {
  const auto edge = [&](std::size_t k) {
    return edges[k] > 0 ? static_cast<pos_t>(edges[k]) : std::numeric_limits<pos_t>::infinity();
  };
  return {edge(0), edge(1), edge(2)};
}

/// How far targets reach, as walks take it.
struct Radii {
  double length;                       ///< of all
  OptionalArgument<const pos_t> each;  ///< or one each, by index on input
};

class PairSearch final : public NeighbourSearch {
 public:
  PairSearch(Device& device, std::unique_ptr<Device> own, const LentPlaces& places, const NeighbourOptions& options,
             Walk walk, std::uint64_t most_entries);
  PairSearch(ParticleDomain& domain, double box);

  [[nodiscard]] std::string backend() const override { return device_.backend(); }
  void move(const LentPlaces& places) override { points_.move(places); }
  std::vector<std::uint32_t> count_within(const SearchRadius& radius, const KeptTargets& targets) override;
  void fill_within(const SearchRadius& radius, NeighbourLists& lists, const KeptTargets& targets) override;
  void fill_nearest(int k, NeighbourLists& lists, const KeptTargets& targets) override;
  [[nodiscard]] std::unique_ptr<KeptNeighbours> keep_within(const SearchRadius& radius,
                                                            const KeptTargets& targets) override;
  [[nodiscard]] std::unique_ptr<KeptNeighbours> keep_nearest(int k, const KeptTargets& targets) override;
  [[nodiscard]] std::shared_ptr<void> lend_counts(const SearchRadius& radius, const LentPoints& points) override;
  [[nodiscard]] LentRows lend_within(const SearchRadius& radius, bool wide, const LentPoints& points) override;
  [[nodiscard]] LentRows lend_nearest(int k, bool wide, const LentPoints& points) override;

 private:
  /// Targets of a search, and the images of its sources.
  struct Space {
    const PairPoints& targets;
    const DeviceArray<pos_t>& images;
    std::size_t image_count;
    i32 others;  ///< whether targets are the sources, none of them its own neighbour
  };
  /// act(space) of these targets.
  template <class Act>
  auto with(const KeptTargets& targets, const Act& act);
  template <class Act>
  auto with(const LentPoints& points, const Act& act, const std::vector<SourceImage>& list = one_image);
  /// Counts, or rows in order of the index.
  void search_within(const Space& space, const Radii& radius, const Rows& rows);
  /// Rows in order of the distance.
  void search_nearest(const Space& space, int k, const Rows& rows);
  void launch_shortlists(const Space& space, const NearestOptions& options, const Rows& rows);
  /// Whether warps note the k nearest in local memory, and write rows in order: not on a CPU through OpenCL, where its
  /// compiler takes minutes for each shape of the kernel, and local memory is no faster.
  [[nodiscard]] bool uses_shortlists(const Space& space, int k) const {
    if (device_.shares_host_memory()) return false;
    return by_groups_ && device_.runs(Kernel::nearest_rows) && space.image_count == 1 && k <= HB_MOST_NEAREST &&
           space.targets.tree().groups().count > 0;
  }
  /// act(radii) of the targets of a space.
  template <class Act>
  auto with_radii(const Space& space, const SearchRadius& radius, const Act& act);
  [[nodiscard]] std::vector<u32> count(const Space& space, const Radii& radius);
  void sort(const Rows& rows, bool by_distance);
  /// Whether a search leaves rows sorted: walks by groups on the CPU do, of all particles where they are.
  [[nodiscard]] bool leaves_sorted(const Space& space, const Rows& rows) const {
    return walks_sort_rows(device_) && by_groups_ && space.others == 1 && space.image_count == 1 &&
           rows.window.begin == 0 && rows.window.end == space.targets.count();
  }
  /// Rows for the host: make(rows).
  template <class Make>
  void fill(const Space& space, NeighbourLists& lists, Make make);
  template <class Make>
  void fill_in_place(const Space& space, NeighbourLists& lists, Make make);
  /// Rows that stay: counts(space), then make(space, rows).
  template <class Counts, class Make>
  std::unique_ptr<KeptNeighbours> keep(const KeptTargets& targets, Counts counts, Make make);
  /// Memory for rows that callers borrow, with their offsets.
  [[nodiscard]] LentRows lent_rows(const RowOffsets& offsets, bool wide);
  /// Rows that callers borrow, in a window at a time: make(rows).
  template <class Make>
  LentRows lend(const RowOffsets& offsets, bool wide, Make make);
  [[nodiscard]] PairArrays arrays(const Space& space) const {
    return points_.arrays(space.targets, space.images, nullptr, nullptr);
  }
  [[nodiscard]] PairOptions pairs(const Space& space) const {
    return points_.pairs(space.targets, box_, space.image_count);
  }
  [[nodiscard]] std::uint64_t entries_at_a_time() const;

  std::unique_ptr<Device> own_device_;
  Device& device_;
  bool by_groups_;
  PairBox box_;
  std::uint64_t most_entries_ = 0;
  DeviceArray<pos_t> images_;
  PairPoints points_;
};

template <class Act>
auto PairSearch::with(const KeptTargets& targets, const Act& act) {
  const std::optional<LentPlaces> points = targets.points ? std::optional(places_of(*targets.points)) : std::nullopt;
  return with(LentPoints{points ? &*points : nullptr, nullptr}, act, targets.images);
}

template <class Act>
auto PairSearch::with(const LentPoints& points, const Act& act, const std::vector<SourceImage>& list) {
  DeviceArray<pos_t> images(device_);
  const std::vector<pos_t> values = image_values(list);
  if (list.size() > 1) upload_all(device_, images, values);
  std::optional<PairPoints> made;
  if (points.places != nullptr) made.emplace(device_, *points.places, target_leaf_size, by_groups_);
  const PairPoints* const apart = points.search != nullptr ? &static_cast<const PairSearch*>(points.search)->points_
                                  : made                   ? &*made
                                                           : nullptr;
  return act(Space{apart != nullptr ? *apart : points_, list.size() > 1 ? images : images_, list.size(),
                   apart != nullptr ? 0 : 1});
}

template <class Act>
auto PairSearch::with_radii(const Space& space, const SearchRadius& radius, const Act& act) {
  DeviceArray<pos_t> each(device_);
  if (!radius.each || space.targets.count() == 0) return act(Radii{radius.length, nullptr});
  each.reserve(static_cast<std::size_t>(space.targets.count()) * sizeof(pos_t));
  take_axis(device_, {.position = *radius.each}, 0, nullptr, space.targets.count(), each);
  return act(Radii{0, each});
}

HB_CLOSE
