// SPDX-License-Identifier: Apache-2.0
// Neighbour search on a device, from positions to lists: bound, key, sort, reorder, build, groups, moments (for the
// boxes), then the search. Rows are made a window of the input at a time, as many as the device's memory holds, sorted
// there, and come to the host in one piece. Compiled with HB_PRECISION = HB_DOUBLE.
#include <algorithm>
#include <type_traits>

#include "device/kernels/sizes.h"
#include "device/transfer.h"
#include "hornbeam/error.h"
#include "interactions/neighbours/neighbour_search.h"
#include "interactions/neighbours/particle_search.h"
#include "physics/expansion.h"
#include "tree/device_tree.h"

namespace hornbeam {

using namespace fp64;

namespace {

constexpr KernelVariant variant{Precision::fp64, 0};
/// Particles of windows wider than this part of the key cube search alone: a group would look at all between them.
constexpr int widest_part = 4;
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
  void upload(const std::vector<Vec3>& position);
  void build(int leaf_size);
  [[nodiscard]] SearchOptions search_options() const;
  void fill(NeighbourLists& lists, SearchOptions options);
  /// The k nearest, or all within a radius; null for what is not asked for.
  void search(const SearchOptions& options, const NeighbourArrays& out);
  [[nodiscard]] std::uint64_t entries_at_a_time() const;

  std::unique_ptr<Device> device_;
  Walk walk_;
  double box_;
  std::uint64_t most_entries_;
  DeviceParticles p_;
  DeviceTree tree_;
};

DeviceSearch::DeviceSearch(std::unique_ptr<Device> device, const std::vector<Vec3>& position,
                           const NeighbourOptions& options, Walk walk, std::uint64_t most_entries)
    : device_(std::move(device)),
      walk_(walk),
      box_(period_of(options)),
      most_entries_(most_entries),
      p_(*device_),
      tree_(*device_) {
  if (!device_->has(Precision::fp64)) {
    throw UsageError("backend = " + options.backend,
                     "neighbours are searched for in fp64, which " + device_->description() + " lacks",
                     "use backend cpu");
  }
  if (position.empty()) return;
  upload(position);
  build(options.leaf_size);
}

void DeviceSearch::upload(const std::vector<Vec3>& position) {
  const std::size_t n = position.size();
  p_.n = static_cast<i32>(n);
  for (int k = 0; k < 3; ++k) {
    p_.x[k].reserve(n * sizeof(pos_t));
    upload_values<pos_t>(*device_, p_.x[k], n, [&](std::size_t i) { return position[i][k]; });
  }
  p_.input.reserve(n * sizeof(u32));
  upload_values<u32>(*device_, p_.input, n, [](std::size_t i) { return i; });
  for (DeviceArray<real>* none : {&p_.mass, &p_.soft2}) {  // boxes need neither masses nor softenings
    none->reserve(n * sizeof(real));
    device_->clear(*none, n * sizeof(real));
  }
}

void DeviceSearch::build(int leaf_size) {
  WalkOptions options{};
  options.unit = 1;
  options.theta = 1;
  options.moment_order = 2;  // the least that devices make
  options.moment_stride = HB_MOMENT_STRIDE(2);
  const KeyCube cube = tree_.bound(p_);
  tree_.make_keys(p_, cube, HB_CURVE_HILBERT);
  tree_.sort(p_.n);
  tree_.reorder(p_);
  const GroupPlan groups{.size = walk_ == Walk::group ? HB_MAX_GROUP : 0, .widest = cube.edge / widest_part};
  tree_.build(p_, cube, HB_CURVE_HILBERT, {leaf_size, options.moment_stride, groups, false});
  options.cells = tree_.cells();
  options.particles = p_.n;
  tree_.compute_moments(p_, cube, options);
}

SearchOptions DeviceSearch::search_options() const {
  SearchOptions options{};
  options.box = box_;
  options.cells = tree_.cells();
  options.particles = p_.n;
  options.row_begin = 0;
  options.row_end = p_.n;
  return options;
}

void DeviceSearch::search(const SearchOptions& options, const NeighbourArrays& out) {
  const auto of_groups = [&]<class Launch>(std::type_identity<Launch>) {
    device_->launch(Launch{.options = options,
                           .groups = tree_.groups().count,
                           .group_first = tree_.groups().first,
                           .particles = p_.arrays(),
                           .cells = tree_.arrays(),
                           .neighbours = out},
                    variant, tree_.groups().count);
  };
  const auto of_each = [&]<class Launch>(std::type_identity<Launch>) {
    device_->launch(Launch{.options = options, .particles = p_.arrays(), .cells = tree_.arrays(), .neighbours = out},
                    variant, p_.n);
  };
  const bool nearest = options.k > 0;
  if (walk_ == Walk::group) {
    nearest ? of_groups(std::type_identity<kernels::nearest_of_groups>{})
            : of_groups(std::type_identity<kernels::neighbours_of_groups>{});
  } else {
    nearest ? of_each(std::type_identity<kernels::nearest_of_each>{})
            : of_each(std::type_identity<kernels::neighbours_of_each>{});
  }
}

std::vector<std::uint32_t> DeviceSearch::count_within(double radius) {
  std::vector<std::uint32_t> counts(static_cast<std::size_t>(p_.n));
  if (counts.empty()) return counts;
  DeviceArray<u32> found(*device_);
  found.reserve(counts.size() * sizeof(u32));
  SearchOptions options = search_options();
  options.radius2 = radius * radius;
  search(options, {.input = p_.input, .offset = nullptr, .found = found, .index = nullptr, .distance2 = nullptr});
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

void DeviceSearch::fill(NeighbourLists& lists, SearchOptions options) {
  if (p_.n == 0) return;
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
    options.row_begin = static_cast<i32>(row - begin);
    options.row_end = static_cast<i32>(next - begin);
    index.reserve(entries * sizeof(u32));
    distance2.reserve(entries * sizeof(pos_t));
    search(options, {.input = p_.input, .offset = offset, .found = nullptr, .index = index, .distance2 = distance2});
    device_->launch(kernels::sort_rows{.options = options,
                                       .by_distance = options.k > 0 ? 1 : 0,
                                       .offset = offset,
                                       .index = index,
                                       .distance2 = distance2},
                    variant, options.row_end - options.row_begin);
    device_->download(lists.index.data() + first, index, 0, entries * sizeof(u32));
    device_->download(lists.distance2.data() + first, distance2, 0, entries * sizeof(pos_t));
  }
}

void DeviceSearch::fill_within(double radius, NeighbourLists& lists) {
  SearchOptions options = search_options();
  options.radius2 = radius * radius;
  fill(lists, options);
}

void DeviceSearch::fill_nearest(int k, NeighbourLists& lists) {
  SearchOptions options = search_options();
  options.k = k;
  fill(lists, options);
}

}  // namespace

std::unique_ptr<NeighbourSearch> make_device_search(std::unique_ptr<Device> device, const std::vector<Vec3>& position,
                                                    const NeighbourOptions& options, Walk walk,
                                                    std::uint64_t most_entries) {
  return std::make_unique<DeviceSearch>(std::move(device), position, options, walk, most_entries);
}

}  // namespace hornbeam
