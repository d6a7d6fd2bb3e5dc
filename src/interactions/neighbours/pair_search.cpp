// SPDX-License-Identifier: Apache-2.0
// Neighbour search on a device, from points in a tree to lists. Devices with memory of their own make rows a window of
// the input at a time, as many as that memory holds, sort them there and send them to the host in one piece; the CPU
// writes them where they are wanted. Compiled once a precision (HB_PRECISION).
#include "interactions/neighbours/pair_search.h"

#include "interactions/neighbours/kept_rows.h"

HB_OPEN

PairSearch::PairSearch(Device& device, std::unique_ptr<Device> own, const LentPlaces& places,
                       const NeighbourOptions& options, Walk walk, std::uint64_t most_entries)
    : own_device_(std::move(own)),
      device_(device),
      by_groups_(walk == Walk::group),
      box_(box_of_edges(periods_of(options))),
      most_entries_(most_entries),
      images_(device_),
      points_(device_, places, options.leaf_size, by_groups_) {
  upload_all(device_, images_, image_values(one_image));
}

PairSearch::PairSearch(ParticleDomain& domain, double box)
    : device_(domain.device()),
      by_groups_(true),
      box_(cube_of_edge(static_cast<pos_t>(box))),
      images_(device_),
      points_(domain) {
  upload_all(device_, images_, image_values(one_image));
}
void PairSearch::search_within(const Space& space, const Radii& radius, const Rows& rows) {
  const auto length = static_cast<pos_t>(radius.length);
  launch_pairs<kernels::within_of_groups, kernels::within_of_each>(
      points_, space.targets, by_groups_, pairs(space),
      WithinOptions{.radius2 = length * length, .rows = rows.window, .others = space.others},
      WithinArrays{.pairs = arrays(space),
                   .radius = radius.each,
                   .offset = rows.offset,
                   .found = rows.found,
                   .index = rows.index,
                   .distance2 = rows.distance2});
  if (rows.index.handle() != nullptr && (radius.each.handle() != nullptr || !leaves_sorted(space, rows)))
    sort(rows, false);
}

void PairSearch::search_nearest(const Space& space, int k, const Rows& rows) {
  const NearestOptions options{.k = k, .rows = rows.window, .others = space.others, .roots = 0};
  if (uses_shortlists(space, k)) return launch_shortlists(space, options, rows);
  launch_pairs<kernels::nearest_of_groups, kernels::nearest_of_each>(
      points_, space.targets, by_groups_, pairs(space), options,
      NearestArrays{.pairs = arrays(space), .offset = rows.offset, .index = rows.index, .distance2 = rows.distance2});
  if (!leaves_sorted(space, rows)) sort(rows, true);
}

void PairSearch::launch_shortlists(const Space& space, const NearestOptions& options, const Rows& rows) {
  const Groups& groups = space.targets.tree().groups();
  device_.launch(
      kernels::nearest_rows{
          .pairs = pairs(space),
          .options = options,
          .groups = groups.count,
          .group_first = groups.first,
          .arrays = {.pairs = arrays(space), .offset = rows.offset, .index = rows.index, .distance2 = rows.distance2},
          .cells = points_.tree().cells().arrays()},
      plain_variant, std::int64_t{HB_TARGETS} * groups.count);
}

void PairSearch::sort(const Rows& rows, bool by_distance) {
  const ArrayArgument<const u64> offset = rows.offset.array();
  device_.launch(kernels::sort_rows{.rows = rows.window,
                                    .by_distance = by_distance ? 1 : 0,
                                    .offset = offset,
                                    .index = rows.index.array(),
                                    .distance2 = rows.distance2.array()},
                 plain_variant, rows.window.end - rows.window.begin);
}

std::vector<u32> PairSearch::count(const Space& space, const Radii& radius) {
  std::vector<u32> counts(static_cast<std::size_t>(space.targets.count()));
  if (counts.empty() || points_.count() == 0) return counts;
  DeviceArray<u32> found(device_);
  found.reserve(counts.size() * sizeof(u32));
  search_within(space, radius, {{0, space.targets.count()}, nullptr, found, nullptr, nullptr});
  download_all(device_, counts, found);
  return counts;
}

std::uint64_t PairSearch::entries_at_a_time() const {
  if (most_entries_ > 0) return most_entries_;
  const std::uint64_t room = device_.free_bytes() / 4;  // a CPU's OpenCL device shares it with the lists themselves
  return std::min(room / entry_bytes, device_.largest_buffer() / sizeof(pos_t));
}

/// Straight into the lists.
template <class Make>
void PairSearch::fill_in_place(const Space& space, NeighbourLists& lists, Make make) {
  const Rows rows{{0, space.targets.count()},
                  ArrayArgument<const u64>::lent(device_.adopt(lists.offset.data())),
                  nullptr,
                  ArrayArgument<u32>::lent(device_.adopt(lists.index.data())),
                  ArrayArgument<pos_t>::lent(device_.adopt(lists.distance2.data()))};
  make(rows);
}

template <class Make>
void PairSearch::fill(const Space& space, NeighbourLists& lists, Make make) {
  if (points_.count() == 0 || space.targets.count() == 0) return;
  const bool in_place = device_.adopt(lists.index.data()) != nullptr && sizeof(pos_t) == sizeof(double);
  if (in_place) return fill_in_place(space, lists, make);
  const std::uint64_t *const begin = lists.offset.data(), *const end = begin + lists.offset.size();
  DeviceArray<u64> offset(device_);
  DeviceArray<u32> index(device_);
  DeviceArray<pos_t> distance2(device_);
  offset.reserve(lists.offset.size() * sizeof(u64));
  device_.upload(offset, 0, begin, lists.offset.size() * sizeof(u64));
  const std::uint64_t most = entries_at_a_time();
  for (const std::uint64_t *row = begin, *next; row + 1 < end; row = next) {
    next = rows_that_fit(row, end, most);
    const std::uint64_t entries = *next - *row, first = *row - *begin;
    if (entries == 0) continue;
    const RowWindow window{static_cast<i32>(row - begin), static_cast<i32>(next - begin)};
    index.reserve(entries * sizeof(u32));
    distance2.reserve(entries * sizeof(pos_t));
    const Rows made{window, offset, nullptr, index, distance2};
    make(made);
    device_.download(lists.index.data() + first, index, 0, entries * sizeof(u32));
    if (sizeof(pos_t) == sizeof(double)) {
      device_.download(lists.distance2.data() + first, distance2, 0, entries * sizeof(pos_t));
    } else {
      download_values<pos_t>(device_, distance2, entries,
                             [&](std::size_t i, pos_t v) { lists.distance2[first + i] = v; });
    }
  }
}

std::vector<std::uint32_t> PairSearch::count_within(const SearchRadius& radius, const KeptTargets& targets) {
  return with(targets, [&](const Space& space) {
    return with_radii(space, radius, [&](const Radii& radii) { return count(space, radii); });
  });
}

void PairSearch::fill_within(const SearchRadius& radius, NeighbourLists& lists, const KeptTargets& targets) {
  with(targets, [&](const Space& space) {
    with_radii(space, radius, [&](const Radii& radii) {
      fill(space, lists, [&](const Rows& rows) { search_within(space, radii, rows); });
    });
  });
}

void PairSearch::fill_nearest(int k, NeighbourLists& lists, const KeptTargets& targets) {
  with(targets,
       [&](const Space& space) { fill(space, lists, [&](const Rows& rows) { search_nearest(space, k, rows); }); });
}

template <class Counts, class Make>
std::unique_ptr<KeptNeighbours> PairSearch::keep(const KeptTargets& targets, Counts counts, Make make) {
  return with(targets, [&](const Space& space) {
    auto kept = std::make_unique<KeptRows>(device_, counts(space));
    if (kept->entries() == 0) return kept;
    const Rows rows{{0, kept->rows()}, kept->offset(), nullptr, kept->index(), kept->distance2()};
    make(space, rows);
    return kept;
  });
}

std::unique_ptr<KeptNeighbours> PairSearch::keep_within(const SearchRadius& radius, const KeptTargets& targets) {
  return keep(
      targets,
      [&](const Space& space) {
        return with_radii(space, radius, [&](const Radii& radii) { return count(space, radii); });
      },
      [&](const Space& space, const Rows& rows) {
        with_radii(space, radius, [&](const Radii& radii) { search_within(space, radii, rows); });
      });
}

std::unique_ptr<KeptNeighbours> PairSearch::keep_nearest(int k, const KeptTargets& targets) {
  const auto counts = [&](const Space& space) {
    return std::vector<u32>(static_cast<std::size_t>(space.targets.count()), static_cast<u32>(k));
  };
  return keep(targets, counts, [&](const Space& space, const Rows& rows) { search_nearest(space, k, rows); });
}

std::unique_ptr<NeighbourSearch> make_pair_search(Device& device, std::unique_ptr<Device> own, const LentPlaces& places,
                                                  const NeighbourOptions& options, Walk walk,
                                                  std::uint64_t most_entries) {
  return std::make_unique<PairSearch>(device, std::move(own), places, options, walk, most_entries);
}

std::unique_ptr<NeighbourSearch> make_pair_search_of(Domain& domain, double box) {
  return std::make_unique<PairSearch>(static_cast<ParticleDomain&>(domain), box);
}

HB_CLOSE
