// SPDX-License-Identifier: Apache-2.0
// Neighbour search on a device, from sorted points to lists. Rows are made a window of the input at a time, as many as
// the device's memory holds, sorted there, and come to the host in one piece. Compiled with HB_PRECISION = HB_DOUBLE.
#include <algorithm>
#include <optional>

#include "hornbeam/error.h"
#include "interactions/neighbours/neighbour_search.h"
#include "interactions/pair_sources.h"

namespace hornbeam {

using namespace fp64;

namespace {

constexpr KernelVariant variant{Precision::fp64, 0};
/// Leaves of targets that are points of their own; no walk goes down to them.
constexpr int target_leaf_size = 16;
/// Bytes of a neighbour on the device: index and squared distance.
constexpr std::uint64_t entry_bytes = sizeof(u32) + sizeof(pos_t);

class DeviceSearch final : public NeighbourSearch {
 public:
  DeviceSearch(std::unique_ptr<Device> device, const std::vector<Vec3>& position, const NeighbourOptions& options,
               Walk walk, std::uint64_t most_entries);

  [[nodiscard]] std::string backend() const override { return device_->backend(); }
  std::vector<std::uint32_t> count_within(double radius) override;
  void fill_within(double radius, NeighbourLists& lists) override;
  void fill_nearest(int k, NeighbourLists& lists) override;
  [[nodiscard]] std::unique_ptr<KeptNeighbours> keep_within(double radius, const KeptTargets& targets) override;
  [[nodiscard]] std::unique_ptr<KeptNeighbours> keep_nearest(int k, const KeptTargets& targets) override;

 private:
  /// Targets of a search, and the images of its sources.
  struct Space {
    const DevicePoints& targets;
    const DeviceArray<pos_t>& images;
    std::size_t image_count;
    i32 others;  ///< whether targets are the sources, none of them its own neighbour
  };
  [[nodiscard]] Space own_space() const { return {points_, images_, 1, 1}; }
  /// Rows of a window on the device; null for what is not asked for.
  struct Rows {
    RowWindow window;
    const DeviceArray<u64>* offset;
    const DeviceArray<u32>*found, *index;
    const DeviceArray<pos_t>* distance2;
  };
  void search_within(const Space& space, double radius, const Rows& rows);
  void search_nearest(const Space& space, int k, const Rows& rows);
  [[nodiscard]] std::vector<u32> count(const Space& space, double radius);
  void sort(const Rows& rows, bool by_distance);
  /// Rows for the host, a window at a time: make(rows).
  template <class Make>
  void fill(NeighbourLists& lists, bool by_distance, Make make);
  /// Rows that stay: counts(space), then make(space, rows).
  template <class Counts, class Make>
  std::unique_ptr<KeptNeighbours> keep(const KeptTargets& targets, bool by_distance, Counts counts, Make make);
  [[nodiscard]] PairArrays arrays(const Space& space) const {
    return points_.arrays(space.targets, space.images, nullptr, nullptr);
  }
  [[nodiscard]] PairOptions pairs(const Space& space) const {
    return points_.pairs(space.targets, box_, space.image_count);
  }
  [[nodiscard]] std::uint64_t entries_at_a_time() const;

  std::unique_ptr<Device> device_;
  Walk walk_;
  double box_;
  std::uint64_t most_entries_;
  DeviceArray<pos_t> images_;
  DevicePoints points_;
};

/// The device, where it has fp64.
Device& checked(Device& device, const std::string& backend) {
  if (!device.has(Precision::fp64)) {
    throw UsageError("backend = " + backend,
                     "neighbours are searched for in fp64, which " + device.description() + " lacks",
                     "use backend cpu");
  }
  return device;
}

DeviceSearch::DeviceSearch(std::unique_ptr<Device> device, const std::vector<Vec3>& position,
                           const NeighbourOptions& options, Walk walk, std::uint64_t most_entries)
    : device_(std::move(device)),
      walk_(walk),
      box_(period_of(options)),
      most_entries_(most_entries),
      images_(*device_),
      points_(checked(*device_, options.backend), position, options.leaf_size, walk == Walk::group) {
  upload_all(*device_, images_, image_values(one_image));
}

void DeviceSearch::search_within(const Space& space, double radius, const Rows& rows) {
  launch_pairs<kernels::within_of_groups, kernels::within_of_each>(
      *device_, points_, space.targets, pairs(space),
      WithinOptions{.radius2 = radius * radius, .rows = rows.window, .others = space.others},
      WithinArrays{.pairs = arrays(space),
                   .offset = rows.offset,
                   .found = rows.found,
                   .index = rows.index,
                   .distance2 = rows.distance2});
}

void DeviceSearch::search_nearest(const Space& space, int k, const Rows& rows) {
  launch_pairs<kernels::nearest_of_groups, kernels::nearest_of_each>(
      *device_, points_, space.targets, pairs(space),
      NearestOptions{.k = k, .rows = rows.window, .others = space.others},
      NearestArrays{.pairs = arrays(space), .offset = rows.offset, .index = rows.index, .distance2 = rows.distance2});
}

void DeviceSearch::sort(const Rows& rows, bool by_distance) {
  device_->launch(kernels::sort_rows{.rows = rows.window,
                                     .by_distance = by_distance ? 1 : 0,
                                     .offset = *rows.offset,
                                     .index = *rows.index,
                                     .distance2 = *rows.distance2},
                  variant, rows.window.end - rows.window.begin);
}

std::vector<u32> DeviceSearch::count(const Space& space, double radius) {
  std::vector<u32> counts(static_cast<std::size_t>(space.targets.count()));
  if (counts.empty()) return counts;
  DeviceArray<u32> found(*device_);
  found.reserve(counts.size() * sizeof(u32));
  search_within(space, radius, {{0, space.targets.count()}, nullptr, &found, nullptr, nullptr});
  download_all(*device_, counts, found);
  return counts;
}

std::vector<std::uint32_t> DeviceSearch::count_within(double radius) { return count(own_space(), radius); }

std::uint64_t DeviceSearch::entries_at_a_time() const {
  if (most_entries_ > 0) return most_entries_;
  const std::uint64_t room = device_->free_bytes() / 4;  // a CPU's OpenCL device shares it with the lists themselves
  return std::min(room / entry_bytes, device_->largest_buffer() / sizeof(pos_t));
}

/// The end of the rows from `row` on that have at most `most` neighbours together; `end`: where all offsets end.
const std::uint64_t* rows_that_fit(const std::uint64_t* row, const std::uint64_t* end, std::uint64_t most) {
  const std::uint64_t* const next = std::upper_bound(row, end, *row + most) - 1;
  if (next == row) {
    throw Error("neighbours",
                std::to_string(row[1] - row[0]) + " of one particle are more than the " + std::to_string(most) +
                    " that the device's memory holds",
                "use a smaller radius or k, or backend cpu");
  }
  return next;
}

template <class Make>
void DeviceSearch::fill(NeighbourLists& lists, bool by_distance, Make make) {
  if (points_.count() == 0) return;
  const std::uint64_t *const begin = lists.offset.data(), *const end = begin + lists.offset.size();
  DeviceArray<u64> offset(*device_);
  DeviceArray<u32> index(*device_);
  DeviceArray<pos_t> distance2(*device_);
  offset.reserve(lists.offset.size() * sizeof(u64));
  device_->upload(offset, 0, begin, lists.offset.size() * sizeof(u64));
  const std::uint64_t most = entries_at_a_time();
  for (const std::uint64_t *row = begin, *next; row + 1 < end; row = next) {
    next = rows_that_fit(row, end, most);
    const std::uint64_t entries = *next - *row, first = *row - *begin;
    if (entries == 0) continue;
    const RowWindow window{static_cast<i32>(row - begin), static_cast<i32>(next - begin)};
    index.reserve(entries * sizeof(u32));
    distance2.reserve(entries * sizeof(pos_t));
    const Rows made{window, &offset, nullptr, &index, &distance2};
    make(made);
    sort(made, by_distance);
    device_->download(lists.index.data() + first, index, 0, entries * sizeof(u32));
    device_->download(lists.distance2.data() + first, distance2, 0, entries * sizeof(pos_t));
  }
}

void DeviceSearch::fill_within(double radius, NeighbourLists& lists) {
  fill(lists, false, [&](const Rows& rows) { search_within(own_space(), radius, rows); });
}

void DeviceSearch::fill_nearest(int k, NeighbourLists& lists) {
  fill(lists, true, [&](const Rows& rows) { search_nearest(own_space(), k, rows); });
}

template <class Counts, class Make>
std::unique_ptr<KeptNeighbours> DeviceSearch::keep(const KeptTargets& targets, bool by_distance, Counts counts,
                                                   Make make) {
  DeviceArray<pos_t> images(*device_);
  upload_all(*device_, images, image_values(targets.images));
  std::optional<DevicePoints> apart;
  if (targets.points != nullptr) apart.emplace(*device_, *targets.points, target_leaf_size, walk_ == Walk::group);
  const Space space{apart ? *apart : points_, images, targets.images.size(), apart ? 0 : 1};
  auto kept = std::make_unique<NeighboursOnDevice>(*device_, counts(space));
  if (kept->entries() == 0) return kept;
  const Rows rows{{0, kept->rows()}, &kept->offset(), nullptr, &kept->index(), &kept->distance2()};
  make(space, rows);
  sort(rows, by_distance);
  return kept;
}

std::unique_ptr<KeptNeighbours> DeviceSearch::keep_within(double radius, const KeptTargets& targets) {
  return keep(
      targets, false, [&](const Space& space) { return count(space, radius); },
      [&](const Space& space, const Rows& rows) { search_within(space, radius, rows); });
}

std::unique_ptr<KeptNeighbours> DeviceSearch::keep_nearest(int k, const KeptTargets& targets) {
  const auto counts = [&](const Space& space) {
    return std::vector<u32>(static_cast<std::size_t>(space.targets.count()), static_cast<u32>(k));
  };
  return keep(targets, true, counts, [&](const Space& space, const Rows& rows) { search_nearest(space, k, rows); });
}

}  // namespace

std::unique_ptr<NeighbourSearch> make_device_search(std::unique_ptr<Device> device, const std::vector<Vec3>& position,
                                                    const NeighbourOptions& options, Walk walk,
                                                    std::uint64_t most_entries) {
  return std::make_unique<DeviceSearch>(std::move(device), position, options, walk, most_entries);
}

}  // namespace hornbeam
