// SPDX-License-Identifier: Apache-2.0
// bound, sort, build, moments and groups on the CPU: loops over the stages' bodies. Compiled once a precision.
#include "tree/host/host_cells.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "memory/need.h"
#include "stages/bound.h"
#include "stages/build.h"
#include "tree/host/host_need.h"

HB_OPEN
namespace {

Interval bounds(const pos_t* x, i32 n) {
  pos_t low = x[0], high = x[0];
#pragma omp parallel for schedule(static) reduction(min : low) reduction(max : high)
  for (i32 i = 0; i < n; ++i) {
    low = std::min(low, x[i]);
    high = std::max(high, x[i]);
  }
  return {low, high};
}

/// How many of x fall into each bin of `range`.
std::array<u32, HB_BOUND_BINS> histogram(const pos_t* x, i32 n, Interval range) {
  std::array<u32, HB_BOUND_BINS> bins{};
  const pos_t scale = bin_scale(range.low, range.high);
#pragma omp parallel
  {
    std::array<i32, HB_BOUND_BINS> mine{};
#pragma omp for schedule(static) nowait
    for (i32 i = 0; i < n; ++i) ++mine[static_cast<std::size_t>(bound_bin(x[i], range.low, scale))];
#pragma omp critical
    for (int b = 0; b < HB_BOUND_BINS; ++b) bins[b] += mine[b];
  }
  return bins;
}

/// The interval that holds all but a few particles at either end, to a bin.
Interval inner_interval(const pos_t* x, i32 n, Interval range) {
  bool again = range.high > range.low;
  for (int round = 0; again && round < most_bound_rounds; ++round) {
    again = narrow(range, histogram(x, n, range).data(), outliers_of(n)) && range.high > range.low;
  }
  return range;
}

/// Most particles of a block of groups: several groups, and enough blocks for all threads at N = 1e4.
constexpr i32 block_size = 1024;

constexpr int digit_bits = 11, digits = 6, digit_bins = 1 << digit_bits;

i64 digit_of(const SortEntry& e, int digit) {
  return static_cast<i64>((e.key >> (digit * digit_bits)) & (digit_bins - 1));
}

/// Parts that threads take; part k of n entries begins at n * k / parts.
int parts_of(i64 n) { return static_cast<int>(std::clamp<i64>(n / 4096, 1, omp_get_max_threads())); }

i32 part_begin(i64 n, i64 part, i64 parts) { return static_cast<i32>(n * part / parts); }

/// Sorts by one digit, keeping the order of equal ones. place: room for counts.
void sort_by_digit(Array<SortEntry>& entries, Array<SortEntry>& scratch, int digit, std::vector<i64>& place) {
  const i64 n = static_cast<i64>(entries.size());
  const int parts = parts_of(n);
  place.assign(static_cast<std::size_t>(parts) * digit_bins, 0);
#pragma omp parallel for schedule(static, 1)
  for (int part = 0; part < parts; ++part) {
    i64* const count = &place[static_cast<std::size_t>(part) * digit_bins];
    for (i64 i = n * part / parts; i < n * (part + 1) / parts; ++i) ++count[digit_of(entries[i], digit)];
  }
  i64 sum = 0;
  for (int bin = 0; bin < digit_bins; ++bin) {
    for (int part = 0; part < parts; ++part) {
      sum += std::exchange(place[static_cast<std::size_t>(part) * digit_bins + bin], sum);
    }
  }
#pragma omp parallel for schedule(static, 1)
  for (int part = 0; part < parts; ++part) {
    i64* const next = &place[static_cast<std::size_t>(part) * digit_bins];
    for (i64 i = n * part / parts; i < n * (part + 1) / parts; ++i) {
      scratch[next[digit_of(entries[i], digit)]++] = entries[i];
    }
  }
  entries.swap(scratch);
}

/// Sorts each run of entries that agree in all digits from `digit` on, and gives up on a run longer than `longest`:
/// returns whether there was none.
bool sort_runs(Array<SortEntry>& entries, int digit, i64 longest) {
  const i64 n = static_cast<i64>(entries.size());
  const int parts = parts_of(n);
  const auto begins_run = [&](i64 i) {
    return i == 0 || (entries[i].key ^ entries[i - 1].key) >> (digit * digit_bits) != 0;
  };
  std::vector<i64> begin(static_cast<std::size_t>(parts) + 1, n);
  for (int part = 0; part < parts; ++part) {
    for (begin[part] = n * part / parts; begin[part] < n && !begins_run(begin[part]);) ++begin[part];
  }
  bool done = true;
#pragma omp parallel for schedule(static, 1) reduction(&& : done)
  for (int part = 0; part < parts; ++part) {
    for (i64 first = begin[part], last = first; first < begin[part + 1] && done; first = last) {
      for (last = first + 1; last < begin[part + 1] && !begins_run(last);) ++last;
      if (last - first > longest) {
        done = false;
      } else if (last - first > 1) {
        std::sort(&entries[first], &entries[first] + (last - first));
      }
    }
  }
  return done;
}

}  // namespace

KeyCube key_cube(const pos_t* const position[3], i32 n) {
  Interval whole[3], box[3];
  for (int k = 0; k < 3; ++k) {
    box[k] = whole[k] = bounds(position[k], n);
    if (n >= least_bound_count && box[k].high > box[k].low) {
      box[k] = without_outliers(box[k], inner_interval(position[k], n, box[k]));
    }
  }
  return cube_around(box, whole);
}

void sort_entries(Array<SortEntry>& entries, Array<SortEntry>& scratch) {
  // Radix sort, ours and not the library's: libstdc++'s parallel sort takes 1.7 times as long as one by all digits at
  // N = 1e6 on two threads (docs/performance.md). Half of the digits, 10 levels, show nearly all particles apart; what
  // they leave together is sorted where it stands, unless it is too much, as for a few tight clusters far apart.
  constexpr int coarse = digits / 2;
  constexpr i64 longest_run = 1024;
  scratch.resize(entries.size());
  std::vector<i64> place;
  for (int digit = coarse; digit < digits; ++digit) sort_by_digit(entries, scratch, digit, place);
  if (sort_runs(entries, coarse, longest_run)) return;
  for (int digit = 0; digit < digits; ++digit) sort_by_digit(entries, scratch, digit, place);
  sort_runs(entries, 0, static_cast<i64>(entries.size()));
}

void HostCells::resize(i32 moment_stride) {
  const std::size_t needed = static_cast<std::size_t>(cells_.size()) + read_ahead;
  if (cells_.first.bytes() < needed * sizeof(i32)) {
    const std::size_t room = needed + needed / 64;  // so that a tree that grows a little stays where it is
    const double bytes = static_cast<double>(cell_bytes(moment_stride)) * static_cast<double>(room);
    memory::demand_now(marks_.size(), {{"the " + std::to_string(cells_.size()) + " cells of their tree", 0, bytes}},
                       static_cast<double>(cells_.bytes()), "a larger leaf_size");
#define HB_RESERVE(type, field) cells_.field.reserve(room * sizeof(type));
    HB_CELL_FIELDS(HB_RESERVE)
#undef HB_RESERVE
  }
  const std::size_t room = cells_.first.bytes() / sizeof(i32);
  cells_.moments.reserve((room * static_cast<std::size_t>(moment_stride) + 16) * sizeof(real));
}

void HostCells::build(const Array<u64>& keys, i32 leaf_size, i32 moment_stride) {
  marks_.resize(keys.size());
  top_.resize(keys.size());
  std::vector<LevelCounts> place = count_starts(keys, leaf_size);
  LevelTable& levels = cells_.levels;
  i32 made = 0;
  for (i32 level = 0; level <= HB_LEVELS; ++level) {
    levels.begin[level] = made;
    for (LevelCounts& count : place) made += std::exchange(count[level], made);
  }
  levels.begin[HB_LEVELS + 1] = made;
  resize(moment_stride);
  make_cells(std::move(place));
  const CellsView cells = host_view(cells_);
#pragma omp parallel
  for (i32 level = 0; level <= HB_LEVELS; ++level) {
#pragma omp for schedule(static) nowait
    for (i32 c = levels.begin[level]; c < levels.begin[level + 1]; ++c) {
      link_cell(c, level, cells, levels, keys.data(), top_.data(), static_cast<i32>(keys.size()));
    }
  }
}

std::vector<LevelCounts> HostCells::count_starts(const Array<u64>& keys, i32 leaf_size) {
  const i32 n = static_cast<i32>(keys.size()), parts = parts_of(n);
#pragma omp parallel for schedule(static)
  for (i32 i = 0; i < n; ++i) marks_[i] = static_cast<u8>(levels_below_window(i, n, leaf_size, keys.data()));
  std::vector<LevelCounts> counts(static_cast<std::size_t>(parts));
#pragma omp parallel for schedule(static, 1)
  for (i32 part = 0; part < parts; ++part) {
    LevelCounts count{};
    for (i32 i = part_begin(n, part, parts); i < part_begin(n, part + 1, parts); ++i) {
      top_[i] = packed_starts(first_start_level(i, keys.data()), last_start_level(i, leaf_size, marks_.data()));
      for (i32 level = first_of_starts(top_[i]); level <= last_of_starts(top_[i]); ++level) ++count[level];
    }
    counts[part] = count;
  }
  return counts;
}

void HostCells::make_cells(std::vector<LevelCounts> place) {
  const i64 n = static_cast<i64>(top_.size()), parts = static_cast<i64>(place.size());
  i32 *const first_of = host_values(cells_.first), *const child_of = host_values(cells_.child);
#pragma omp parallel for schedule(static, 1)
  for (i64 part = 0; part < parts; ++part) {
    LevelCounts next = place[part];
    for (i32 i = part_begin(n, part, parts); i < part_begin(n, part + 1, parts); ++i) {
      const i32 first = first_of_starts(top_[i]), last = last_of_starts(top_[i]);
      for (i32 level = first, parent = -1; level <= last; ++level) {
        const i32 c = next[level]++;
        begin_cell(c, parent, i, first_of, child_of, top_.data());
        parent = c;
      }
    }
  }
}

void HostCells::compute_moments(const Kernels& kernels, const ParticlesView& particles, const KeyCube& cube,
                                const WalkOptions& options) {
  for (i32 level = HB_LEVELS; level >= 0; --level) {
    const i32 begin = cells_.levels.begin[level], end = cells_.levels.begin[level + 1];
    if (begin < end) kernels.moments(host_view(cells_), particles, begin, end, cube, level, options);
  }
}

void HostCells::make_groups(i32 group_size, const ParticlesView& particles) {
  groups_.count = groups_.blocks = 0;  // of an evaluation before, with another walk
  if (group_size == 0) return;
  const CellsView cells = host_view(cells_);
  const i32 n = cells_.size() > 0 ? cells.count[0] : 0, parts = parts_of(n);
  std::fill_n(marks_.begin(), n, u8{0});
#pragma omp parallel for schedule(static)
  for (i32 c = 0; c < cells_.size(); ++c) mark_windows_of_cell(c, cells, group_size, marks_.data());
  std::vector<i32> begin(static_cast<std::size_t>(parts) + 1, n), place(static_cast<std::size_t>(parts) + 1, 0);
  for (i32 part = 0; part < parts; ++part) {
    for (begin[part] = part_begin(n, part, parts); begin[part] < n && marks_[begin[part]] == 0;) ++begin[part];
  }
#pragma omp parallel for schedule(static, 1)
  for (i32 part = 0; part < parts; ++part) {
    i32 groups = 0;
    for (i32 i = begin[part], end = i; i < begin[part + 1]; i = end) {
      const i32 most = std::min(i + group_size, begin[part + 1]);  // a large leaf is several windows
      for (end = i + 1; end < most && marks_[end] == 0;) ++end;
      mark_window(i, end, n, particles, marks_.data());
      for (i32 j = i; j < end; ++j) groups += marks_[j];
    }
    place[part + 1] = groups;
  }
  std::partial_sum(place.begin(), place.end(), place.begin());
  GroupRange* const made = new_ranges(groups_, static_cast<std::size_t>(place[parts]));
#pragma omp parallel for schedule(static, 1)
  for (i32 part = 0; part < parts; ++part) {
    GroupRange* group = made + place[part];
    for (i32 i = begin[part], end = i; i < begin[part + 1]; i = end) {
      for (end = i + 1; end < begin[part + 1] && marks_[end] == 0;) ++end;
      *group++ = {i, end - i};
    }
  }
  make_blocks();
}

void HostCells::make_blocks() {
  const std::span<const GroupRange> ranges = host_ranges(groups_);
  groups_.block_first.reserve((ranges.size() + 1) * sizeof(i32));
  i32* const first = host_values(groups_.block_first);
  first[0] = 0;
  i32 particles = 0;
  for (i32 g = 0; g < groups_.count; ++g) {
    const i32 more = ranges[static_cast<std::size_t>(g)].count;
    if (particles > 0 && particles + more > block_size) {
      first[++groups_.blocks] = g;
      particles = 0;
    }
    particles += more;
  }
  if (groups_.count > 0) first[++groups_.blocks] = groups_.count;
}

HB_CLOSE
