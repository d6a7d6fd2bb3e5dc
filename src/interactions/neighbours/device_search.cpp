// SPDX-License-Identifier: Apache-2.0
// Neighbour search on a device, from sorted points to lists. Rows are made a window of the input at a time, as many as
// the device's memory holds, sorted there, and come to the host in one piece. Compiled with HB_PRECISION = HB_DOUBLE.
#include <algorithm>

#include "hornbeam/error.h"
#include "interactions/neighbours/neighbour_search.h"
#include "interactions/pair_sources.h"

namespace hornbeam {

using namespace fp64;

namespace {

constexpr KernelVariant variant{Precision::fp64, 0};
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

 private:
  /// make(rows, offset, index, distance2) writes rows of a window.
  template <class Make>
  void fill(NeighbourLists& lists, bool by_distance, Make make);
  void search(const WithinOptions& options, const DeviceArray<u64>* offset, const DeviceArray<u32>* found,
              const DeviceArray<u32>* index, const DeviceArray<pos_t>* distance2);
  [[nodiscard]] PairOptions pairs() const { return points_.pairs(points_, box_, 1); }
  [[nodiscard]] PairArrays arrays() const { return points_.arrays(points_, images_, nullptr, nullptr); }
  [[nodiscard]] std::uint64_t entries_at_a_time() const;

  std::unique_ptr<Device> device_;
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
      box_(period_of(options)),
      most_entries_(most_entries),
      images_(*device_),
      points_(checked(*device_, options.backend), position, options.leaf_size, walk == Walk::group) {
  const std::vector<pos_t> images = image_values(one_image);
  images_.reserve(images.size() * sizeof(pos_t));
  device_->upload(images_, 0, images.data(), images.size() * sizeof(pos_t));
}

void DeviceSearch::search(const WithinOptions& options, const DeviceArray<u64>* offset, const DeviceArray<u32>* found,
                          const DeviceArray<u32>* index, const DeviceArray<pos_t>* distance2) {
  launch_pairs<kernels::within_of_groups, kernels::within_of_each>(
      *device_, points_, points_, pairs(), options,
      WithinArrays{.pairs = arrays(), .offset = offset, .found = found, .index = index, .distance2 = distance2});
}

std::vector<std::uint32_t> DeviceSearch::count_within(double radius) {
  std::vector<std::uint32_t> counts(static_cast<std::size_t>(points_.count()));
  if (counts.empty()) return counts;
  DeviceArray<u32> found(*device_);
  found.reserve(counts.size() * sizeof(u32));
  search({.radius2 = radius * radius, .rows = {0, points_.count()}, .others = 1}, nullptr, &found, nullptr, nullptr);
  device_->download(counts.data(), found, 0, counts.size() * sizeof(u32));
  return counts;
}

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
    const RowWindow rows{static_cast<i32>(row - begin), static_cast<i32>(next - begin)};
    index.reserve(entries * sizeof(u32));
    distance2.reserve(entries * sizeof(pos_t));
    make(rows, offset, index, distance2);
    device_->launch(
        kernels::sort_rows{
            .rows = rows, .by_distance = by_distance ? 1 : 0, .offset = offset, .index = index, .distance2 = distance2},
        variant, rows.end - rows.begin);
    device_->download(lists.index.data() + first, index, 0, entries * sizeof(u32));
    device_->download(lists.distance2.data() + first, distance2, 0, entries * sizeof(pos_t));
  }
}

void DeviceSearch::fill_within(double radius, NeighbourLists& lists) {
  fill(lists, false, [&](RowWindow rows, const auto& offset, const auto& index, const auto& distance2) {
    search({.radius2 = radius * radius, .rows = rows, .others = 1}, &offset, nullptr, &index, &distance2);
  });
}

void DeviceSearch::fill_nearest(int k, NeighbourLists& lists) {
  fill(lists, true, [&](RowWindow rows, const auto& offset, const auto& index, const auto& distance2) {
    launch_pairs<kernels::nearest_of_groups, kernels::nearest_of_each>(
        *device_, points_, points_, pairs(), NearestOptions{.k = k, .rows = rows, .others = 1},
        NearestArrays{.pairs = arrays(), .offset = offset, .index = index, .distance2 = distance2});
  });
}

}  // namespace

std::unique_ptr<NeighbourSearch> make_device_search(std::unique_ptr<Device> device, const std::vector<Vec3>& position,
                                                    const NeighbourOptions& options, Walk walk,
                                                    std::uint64_t most_entries) {
  return std::make_unique<DeviceSearch>(std::move(device), position, options, walk, most_entries);
}

}  // namespace hornbeam
