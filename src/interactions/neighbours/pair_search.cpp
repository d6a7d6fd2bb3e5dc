// SPDX-License-Identifier: Apache-2.0
// Neighbour search on a device, from points in a tree to lists. Devices with memory of their own make rows a window of
// the input at a time, as many as that memory holds, sort them there and send them to the host in one piece; the CPU
// writes them where they are wanted. Compiled once a precision (HB_PRECISION).
#include <algorithm>
#include <optional>
#include <string>

#include "device/devices.h"
#include "device/kernels/sizes.h"
#include "hornbeam/error.h"
#include "interactions/neighbours/host/sorted_rows.h"
#include "interactions/neighbours/kept_rows.h"
#include "interactions/neighbours/kernels/launches.h"
#include "interactions/neighbours/nearest.h"
#include "interactions/neighbours/neighbour_search.h"
#include "interactions/neighbours/row_offsets.h"
#include "interactions/neighbours/within.h"
#include "interactions/pair_sources.h"

HB_OPEN
namespace {

/// Leaves of targets that are points of their own; no walk goes down to them.
constexpr int target_leaf_size = 16;
/// Bytes of a neighbour on the device: index and squared distance.
constexpr std::uint64_t entry_bytes = sizeof(u32) + sizeof(pos_t);

/// Rows of a window; null for what is not asked for.
struct Rows {
  RowWindow window;
  OptionalArgument<const u64> offset;
  OptionalArgument<u32> found, index;
  OptionalArgument<pos_t> distance2;
};

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

class PairSearch final : public NeighbourSearch {
 public:
  PairSearch(Device& device, std::unique_ptr<Device> own, const LentPlaces& places, const NeighbourOptions& options,
             Walk walk, std::uint64_t most_entries);
  PairSearch(ParticleDomain& domain, double box);

  [[nodiscard]] std::string backend() const override { return device_.backend(); }
  void move(const LentPlaces& places) override { points_.move(places); }
  std::vector<std::uint32_t> count_within(double radius, const KeptTargets& targets) override;
  void fill_within(double radius, NeighbourLists& lists, const KeptTargets& targets) override;
  void fill_nearest(int k, NeighbourLists& lists, const KeptTargets& targets) override;
  [[nodiscard]] std::unique_ptr<KeptNeighbours> keep_within(double radius, const KeptTargets& targets) override;
  [[nodiscard]] std::unique_ptr<KeptNeighbours> keep_nearest(int k, const KeptTargets& targets) override;
  [[nodiscard]] std::shared_ptr<void> lend_counts(double radius, const LentPlaces* points) override;
  [[nodiscard]] LentRows lend_within(double radius, bool wide, const LentPlaces* points) override;
  [[nodiscard]] LentRows lend_nearest(int k, bool wide, const LentPlaces* points) override;

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
  auto with(const LentPlaces* points, const Act& act, const std::vector<SourceImage>& list = one_image);
  /// Counts, or rows in order of the index.
  void search_within(const Space& space, double radius, const Rows& rows);
  /// Rows in order of the distance.
  void search_nearest(const Space& space, int k, const Rows& rows);
  /// Whether warps note the k nearest in local memory, and write rows in order.
  [[nodiscard]] bool uses_shortlists(const Space& space, int k) const {
    return by_groups_ && device_.runs(Kernel::nearest_rows) && space.image_count == 1 && k <= HB_MOST_NEAREST &&
           space.targets.tree().groups().count > 0;
  }
  [[nodiscard]] std::vector<u32> count(const Space& space, double radius);
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
  /// Rows that are lent, in a window at a time: make(rows).
  template <class Make>
  LentRows lend(const RowOffsets& offsets, bool wide, Make make);
  [[nodiscard]] PairArrays arrays(const Space& space) const {
    return points_.arrays(space.targets, space.images, nullptr, nullptr);
  }
  [[nodiscard]] PairOptions pairs(const Space& space) const {
    return points_.pairs(space.targets, static_cast<pos_t>(box_), space.image_count);
  }
  [[nodiscard]] std::uint64_t entries_at_a_time() const;

  std::unique_ptr<Device> own_device_;
  Device& device_;
  bool by_groups_;
  double box_;
  std::uint64_t most_entries_ = 0;
  DeviceArray<pos_t> images_;
  PairPoints points_;
};

PairSearch::PairSearch(Device& device, std::unique_ptr<Device> own, const LentPlaces& places,
                       const NeighbourOptions& options, Walk walk, std::uint64_t most_entries)
    : own_device_(std::move(own)),
      device_(device),
      by_groups_(walk == Walk::group),
      box_(period_of(options)),
      most_entries_(most_entries),
      images_(device_),
      points_(device_, places, options.leaf_size, by_groups_) {
  upload_all(device_, images_, image_values(one_image));
}

PairSearch::PairSearch(ParticleDomain& domain, double box)
    : device_(domain.device()), by_groups_(true), box_(box), images_(device_), points_(domain) {
  upload_all(device_, images_, image_values(one_image));
}

template <class Act>
auto PairSearch::with(const KeptTargets& targets, const Act& act) {
  const std::optional<LentPlaces> points = targets.points ? std::optional(places_of(*targets.points)) : std::nullopt;
  return with(points ? &*points : nullptr, act, targets.images);
}

template <class Act>
auto PairSearch::with(const LentPlaces* points, const Act& act, const std::vector<SourceImage>& list) {
  DeviceArray<pos_t> images(device_);
  const std::vector<pos_t> values = image_values(list);
  if (list.size() > 1) upload_all(device_, images, values);
  std::optional<PairPoints> apart;
  if (points != nullptr) apart.emplace(device_, *points, target_leaf_size, by_groups_);
  return act(Space{apart ? *apart : points_, list.size() > 1 ? images : images_, list.size(), apart ? 0 : 1});
}

void PairSearch::search_within(const Space& space, double radius, const Rows& rows) {
  const auto length = static_cast<pos_t>(radius);
  launch_pairs<kernels::within_of_groups, kernels::within_of_each>(
      points_, space.targets, by_groups_, pairs(space),
      WithinOptions{.radius2 = length * length, .rows = rows.window, .others = space.others},
      WithinArrays{.pairs = arrays(space),
                   .offset = rows.offset,
                   .found = rows.found,
                   .index = rows.index,
                   .distance2 = rows.distance2});
  if (rows.index.handle() != nullptr && !leaves_sorted(space, rows)) sort(rows, false);
}

void PairSearch::search_nearest(const Space& space, int k, const Rows& rows) {
  const NearestOptions options{.k = k, .rows = rows.window, .others = space.others};
  const NearestArrays given{
      .pairs = arrays(space), .offset = rows.offset, .index = rows.index, .distance2 = rows.distance2};
  if (uses_shortlists(space, k)) {
    const Groups& groups = space.targets.tree().groups();
    device_.launch(kernels::nearest_rows{.pairs = pairs(space),
                                         .options = options,
                                         .groups = groups.count,
                                         .group_first = groups.first,
                                         .arrays = given,
                                         .cells = points_.tree().cells().arrays()},
                   plain_variant, std::int64_t{HB_TARGETS} * groups.count);
    return;
  }
  launch_pairs<kernels::nearest_of_groups, kernels::nearest_of_each>(points_, space.targets, by_groups_, pairs(space),
                                                                     options, given);
  if (!leaves_sorted(space, rows)) sort(rows, true);
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

std::vector<u32> PairSearch::count(const Space& space, double radius) {
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

std::vector<std::uint32_t> PairSearch::count_within(double radius, const KeptTargets& targets) {
  return with(targets, [&](const Space& space) { return count(space, radius); });
}

void PairSearch::fill_within(double radius, NeighbourLists& lists, const KeptTargets& targets) {
  with(targets,
       [&](const Space& space) { fill(space, lists, [&](const Rows& rows) { search_within(space, radius, rows); }); });
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

std::unique_ptr<KeptNeighbours> PairSearch::keep_within(double radius, const KeptTargets& targets) {
  return keep(
      targets, [&](const Space& space) { return count(space, radius); },
      [&](const Space& space, const Rows& rows) { search_within(space, radius, rows); });
}

std::unique_ptr<KeptNeighbours> PairSearch::keep_nearest(int k, const KeptTargets& targets) {
  const auto counts = [&](const Space& space) {
    return std::vector<u32>(static_cast<std::size_t>(space.targets.count()), static_cast<u32>(k));
  };
  return keep(targets, counts, [&](const Space& space, const Rows& rows) { search_nearest(space, k, rows); });
}

template <class Make>
LentRows PairSearch::lend(const RowOffsets& offsets, bool wide, Make make) {
  constexpr std::uint64_t most_at_a_time = std::uint64_t{1} << 30;  // items of a launch
  const std::uint64_t entries = offsets.entries(), most = std::min(most_at_a_time, entries_at_a_time());
  std::vector<std::uint64_t> begins = {0, entries};
  if (entries > most) {
    begins.resize(static_cast<std::size_t>(offsets.rows()) + 1);
    download_all(device_, begins, offsets.begins());
  }
  Lending& lending = lending_of(device_);
  LentRows lent{lending.lend((static_cast<std::size_t>(offsets.rows()) + 1) * sizeof(u64)),
                lending.lend(std::max<std::size_t>(1, entries * sizeof(u32))),
                lending.lend(std::max<std::size_t>(1, entries * (wide ? sizeof(double) : sizeof(float)))), entries};
  offsets.write(ArrayArgument<u64>::lent(lent.offset.get()));
  DeviceArray<pos_t> squares(device_);
  const std::uint64_t *const begin = begins.data(), *const end = begin + begins.size();
  for (const std::uint64_t *row = begin, *next; row + 1 < end && entries > 0; row = next) {
    next = entries > most ? rows_that_fit(row, end, most) : row + 1;
    if (*next == *row) continue;
    squares.reserve((*next - *row) * sizeof(pos_t));
    const RowWindow window = entries > most ? RowWindow{static_cast<i32>(row - begin), static_cast<i32>(next - begin)}
                                            : RowWindow{0, offsets.rows()};
    const Rows rows{window, offsets.begins(), nullptr,
                    ArrayArgument<u32>::lent(static_cast<u32*>(lent.index.get()) + *row), squares};
    make(rows);
    device_.launch(kernels::give_roots{.squares = squares,
                                       .n = static_cast<i32>(*next - *row),
                                       .first = static_cast<i64>(*row),
                                       .wide = wide ? 1 : 0,
                                       .to = ArrayArgument<u8>::lent(lent.distance.get())},
                   plain_variant, static_cast<i64>(*next - *row));
  }
  lending.finish();
  return lent;
}

LentRows PairSearch::lend_within(double radius, bool wide, const LentPlaces* points) {
  return with(points, [&](const Space& space) {
    RowOffsets offsets(device_, space.targets.count(), 0);
    const DeviceArray<u32>& counts = offsets.counts();
    if (points_.count() > 0 && space.targets.count() > 0)
      search_within(space, radius, {{0, space.targets.count()}, nullptr, counts, nullptr, nullptr});
    offsets.sum();
    return lend(offsets, wide, [&](const Rows& rows) { search_within(space, radius, rows); });
  });
}

LentRows PairSearch::lend_nearest(int k, bool wide, const LentPlaces* points) {
  return with(points, [&](const Space& space) {
    RowOffsets offsets(device_, space.targets.count(), k);
    offsets.sum();
    return lend(offsets, wide, [&](const Rows& rows) { search_nearest(space, k, rows); });
  });
}

std::shared_ptr<void> PairSearch::lend_counts(double radius, const LentPlaces* points) {
  return with(points, [&](const Space& space) {
    Lending& lending = lending_of(device_);
    const auto n = static_cast<std::size_t>(space.targets.count());
    std::shared_ptr<void> counts = lending.lend(std::max<std::size_t>(1, n * sizeof(u32)));
    const ArrayArgument<u32> found = ArrayArgument<u32>::lent(counts.get());
    if (n > 0 && points_.count() > 0) {
      search_within(space, radius, {{0, space.targets.count()}, nullptr, found, nullptr, nullptr});
    }
    lending.finish();
    return counts;
  });
}

}  // namespace

std::unique_ptr<NeighbourSearch> make_pair_search(Device& device, std::unique_ptr<Device> own, const LentPlaces& places,
                                                  const NeighbourOptions& options, Walk walk,
                                                  std::uint64_t most_entries) {
  return std::make_unique<PairSearch>(device, std::move(own), places, options, walk, most_entries);
}

std::unique_ptr<NeighbourSearch> make_pair_search_of(Domain& domain, double box) {
  return std::make_unique<PairSearch>(static_cast<ParticleDomain&>(domain), box);
}

HB_CLOSE
