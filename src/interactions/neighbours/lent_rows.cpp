// SPDX-License-Identifier: Apache-2.0
// Rows of neighbours in memory of the device that is the caller's from then on, offsets and distances with them.
// Compiled once a precision (HB_PRECISION).
#include "interactions/neighbours/pair_search.h"

HB_OPEN

LentRows PairSearch::lent_rows(const RowOffsets& offsets, bool wide) {
  Lending& lending = lending_of(device_);
  const std::uint64_t entries = offsets.entries();
  LentRows lent{lending.lend((static_cast<std::size_t>(offsets.rows()) + 1) * sizeof(u64)),
                lending.lend(std::max<std::size_t>(1, entries * sizeof(u32))),
                lending.lend(std::max<std::size_t>(1, entries * (wide ? sizeof(double) : sizeof(float)))), entries};
  offsets.write(ArrayArgument<u64>::lent(lent.offset.get()));
  return lent;
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
  LentRows lent = lent_rows(offsets, wide);
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
  lending_of(device_).finish();
  return lent;
}

LentRows PairSearch::lend_within(const SearchRadius& radius, bool wide, const LentPoints& points) {
  return with(points, [&](const Space& space) {
    return with_radii(space, radius, [&](const Radii& radii) {
      RowOffsets offsets(device_, space.targets.count(), 0);
      const DeviceArray<u32>& counts = offsets.counts();
      if (points_.count() > 0 && space.targets.count() > 0)
        search_within(space, radii, {{0, space.targets.count()}, nullptr, counts, nullptr, nullptr});
      offsets.sum();
      return lend(offsets, wide, [&](const Rows& rows) { search_within(space, radii, rows); });
    });
  });
}

LentRows PairSearch::lend_nearest(int k, bool wide, const LentPoints& points) {
  return with(points, [&](const Space& space) {
    RowOffsets offsets(device_, space.targets.count(), k);
    offsets.sum();
    if (!uses_shortlists(space, k)) {
      return lend(offsets, wide, [&](const Rows& rows) { search_nearest(space, k, rows); });
    }
    LentRows lent = lent_rows(offsets, wide);  // distances at once: squares would take as much memory again
    launch_shortlists(space, {.k = k, .rows = {0, offsets.rows()}, .others = space.others, .roots = wide ? 2 : 1},
                      {{},
                       offsets.begins(),
                       nullptr,
                       ArrayArgument<u32>::lent(lent.index.get()),
                       ArrayArgument<pos_t>::lent(lent.distance.get())});
    lending_of(device_).finish();
    return lent;
  });
}

std::shared_ptr<void> PairSearch::lend_counts(const SearchRadius& radius, const LentPoints& points) {
  return with(points, [&](const Space& space) {
    Lending& lending = lending_of(device_);
    const auto n = static_cast<std::size_t>(space.targets.count());
    std::shared_ptr<void> counts = lending.lend(std::max<std::size_t>(1, n * sizeof(u32)));
    const ArrayArgument<u32> found = ArrayArgument<u32>::lent(counts.get());
    if (n > 0 && points_.count() > 0) {
      with_radii(space, radius, [&](const Radii& radii) {
        search_within(space, radii, {{0, space.targets.count()}, nullptr, found, nullptr, nullptr});
      });
    }
    lending.finish();
    return counts;
  });
}

HB_CLOSE
