// SPDX-License-Identifier: Apache-2.0
// bound, sort, build, moments and groups on the CPU: loops over the stages' bodies. Compiled once a precision.
#include "backend/cpu/tree.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "stages/bound.h"
#include "stages/build.h"

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
std::array<i32, HB_BOUND_BINS> histogram(const pos_t* x, i32 n, Interval range) {
  std::array<i32, HB_BOUND_BINS> bins{};
  const pos_t scale = HB_BOUND_BINS / (range.high - range.low);
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

/// Parts that threads sort; part k of n entries begins at n * k / parts.
int sort_parts(i64 n) { return static_cast<int>(std::clamp<i64>(n / 4096, 1, omp_get_max_threads())); }

/// Sorts by one digit, keeping the order of equal ones. place: room for counts.
void sort_by_digit(Array<SortEntry>& entries, Array<SortEntry>& scratch, int digit, std::vector<i64>& place) {
  const i64 n = static_cast<i64>(entries.size());
  const int parts = sort_parts(n);
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
  const int parts = sort_parts(n);
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
  Interval box[3];
  for (int k = 0; k < 3; ++k) {
    box[k] = bounds(position[k], n);
    if (n >= least_bound_count && box[k].high > box[k].low) {
      box[k] = without_outliers(box[k], inner_interval(position[k], n, box[k]));
    }
  }
  return cube_around(box);
}

void sort_entries(Array<SortEntry>& entries, Array<SortEntry>& scratch) {
  // Radix sort, ours and not the library's: libstdc++'s parallel sort takes 1.7 times as long as one by all digits at
  // N = 1e6 on two threads (docs/performance.md). Half of the digits, 10 levels, tell nearly all particles apart; what
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

void Tree::resize(i32 cells, i32 moment_stride) {
  const std::size_t room = static_cast<std::size_t>(cells) + read_ahead;
  if (first_.size() < room) {
    // no more than this: doubling would take half of the memory in vain
#define HB_TREE_RESIZE(type, field) field##_.reserve(room), field##_.resize(room);
    HB_CELL_FIELDS(HB_TREE_RESIZE)
#undef HB_TREE_RESIZE
  }
  const std::size_t values = std::max(moments_.size(), room * moment_stride + 16);
  moments_.reserve(values), moments_.resize(values);
}

void Tree::build(const Array<u64>& keys, i32 leaf_size, i32 moment_stride) {
  cells_ = keys.empty() ? 0 : 1;
  level_begin_.assign({0, cells_});
  // half of all nodes lie on the last levels, so that growing by level seldom moves the arrays
  resize(std::max<i32>(cells_, static_cast<i32>(keys.size() / 4)), moment_stride);
  if (keys.empty()) return;
  first_[0] = 0, count_[0] = static_cast<i32>(keys.size()), next_[0] = -1;
  child_[0] = children_[0] = 0;
  std::vector<i32> place;
  for (i32 level = 0; level_begin_[level] < level_begin_[level + 1]; ++level) {
    const i32 begin = level_begin_[level], end = level_begin_[level + 1];
    place.resize(static_cast<std::size_t>(end - begin) + 1);
    CellsView cells = view();
#pragma omp parallel for schedule(dynamic, 64)
    for (i32 c = begin; c < end; ++c) place[c - begin + 1] = count_children(c, cells, keys.data(), level, leaf_size);
    place[0] = end;
    for (i32 k = 0; k < end - begin; ++k) place[k + 1] += place[k];
    cells_ = place[end - begin];
    resize(cells_, moment_stride);
    cells = view();
#pragma omp parallel for schedule(dynamic, 64)
    for (i32 c = begin; c < end; ++c) {
      make_children(c, cells, keys.data(), level, place[c - begin], place[c - begin + 1] - place[c - begin]);
    }
    level_begin_.push_back(cells_);
  }
}

void Tree::compute_moments(const Kernels& kernels, const ParticlesView& particles, const KeyCube& cube,
                           const WalkOptions& options) {
  for (i32 level = static_cast<i32>(level_begin_.size()) - 2; level >= 0; --level) {
    kernels.moments(view(), particles, level_begin_[level], level_begin_[level + 1], cube, level, options);
  }
}

void Tree::make_groups(i32 group_size, const ParticlesView& particles) {
  const CellsView cells = view();
  const i32 n = cells_ > 0 ? count_[0] : 0;
  gaps_.resize(static_cast<std::size_t>(n));
#pragma omp parallel for schedule(static)
  for (i32 i = 0; i < n; ++i) gaps_[i] = static_cast<char>(is_gap(i, n, particles));
  std::vector<i32> place(static_cast<std::size_t>(cells_) + 1, 0);
#pragma omp parallel for schedule(static)
  for (i32 c = 0; c < cells_; ++c)
    place[c + 1] = groups_of_cell(c, cells, group_size, particles, gaps_.data(), nullptr, 0);
  for (i32 c = 0; c < cells_; ++c) place[c + 1] += place[c];
  groups_.resize(static_cast<std::size_t>(place[cells_]));
#pragma omp parallel for schedule(static)
  for (i32 c = 0; c < cells_; ++c)
    groups_of_cell(c, cells, group_size, particles, gaps_.data(), groups_.data(), place[c]);
  std::sort(groups_.begin(), groups_.end(), [](GroupRange a, GroupRange b) { return a.first < b.first; });
  make_blocks();
}

void Tree::make_blocks() {
  block_begin_.assign(1, 0);
  i32 particles = 0;
  for (i32 g = 0; g < static_cast<i32>(groups_.size()); ++g) {
    if (particles > 0 && particles + groups_[g].count > block_size) {
      block_begin_.push_back(g);
      particles = 0;
    }
    particles += groups_[g].count;
  }
  if (!groups_.empty()) block_begin_.push_back(static_cast<i32>(groups_.size()));
}

CellsView Tree::view() {
  CellsView view;
#define HB_TREE_VIEW(type, field) view.field = field##_.data();
  HB_CELL_FIELDS(HB_TREE_VIEW)
#undef HB_TREE_VIEW
  return view;
}

std::uint64_t Tree::bytes() const {
  std::uint64_t sum =
      groups_.capacity() * sizeof(GroupRange) + block_begin_.capacity() * sizeof(i32) + gaps_.capacity();
#define HB_TREE_BYTES(type, field) sum += field##_.capacity() * sizeof(type);
  HB_CELL_FIELDS(HB_TREE_BYTES)
#undef HB_TREE_BYTES
  return sum;
}

HB_CLOSE
