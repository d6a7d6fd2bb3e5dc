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

/// Puts entries of equal keys, which stand together, in the order of the input.
void order_ties(std::vector<SortEntry>& entries) {
  for (auto first = entries.begin(); first != entries.end();) {
    const auto last = std::find_if(first, entries.end(), [&](const SortEntry& e) { return e.key != first->key; });
    if (last - first > 1) std::sort(first, last);
    first = last;
  }
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

void sort_entries(std::vector<SortEntry>& entries, std::vector<SortEntry>& scratch) {
  // Radix sort, least significant digit first. Ours, not the library's: libstdc++'s parallel sort takes 1.7 times as
  // long at N = 1e6 on two threads (docs/performance.md).
  constexpr int digit_bits = 11, digits = 6, bins = 1 << digit_bits;
  const i64 n = static_cast<i64>(entries.size());
  const int parts = static_cast<int>(std::clamp<i64>(n / 4096, 1, omp_get_max_threads()));
  const auto begin_of = [&](int part) { return n * part / parts; };
  scratch.resize(entries.size());
  std::vector<i64> place(static_cast<std::size_t>(parts) * bins);
  for (int digit = 0; digit < digits; ++digit) {
    const int shift = digit * digit_bits;
    const auto bin_of = [&](const SortEntry& e) { return static_cast<i64>((e.key >> shift) & (bins - 1)); };
    std::fill(place.begin(), place.end(), 0);
#pragma omp parallel for schedule(static, 1)
    for (int part = 0; part < parts; ++part) {
      i64* const count = &place[static_cast<std::size_t>(part) * bins];
      for (i64 i = begin_of(part); i < begin_of(part + 1); ++i) ++count[bin_of(entries[i])];
    }
    i64 sum = 0;
    for (int bin = 0; bin < bins; ++bin) {
      for (int part = 0; part < parts; ++part) {
        sum += std::exchange(place[static_cast<std::size_t>(part) * bins + bin], sum);
      }
    }
#pragma omp parallel for schedule(static, 1)
    for (int part = 0; part < parts; ++part) {
      i64* const next = &place[static_cast<std::size_t>(part) * bins];
      for (i64 i = begin_of(part); i < begin_of(part + 1); ++i) scratch[next[bin_of(entries[i])]++] = entries[i];
    }
    entries.swap(scratch);
  }
  order_ties(entries);
}

void Tree::resize(i32 cells, i32 moment_stride) {
  const std::size_t room = static_cast<std::size_t>(cells) + read_ahead;
  if (first_.size() < room) {
#define HB_TREE_RESIZE(type, field) field##_.resize(room);
    HB_CELL_FIELDS(HB_TREE_RESIZE)
#undef HB_TREE_RESIZE
  }
  moments_.resize(std::max(moments_.size(), room * moment_stride + 16));
}

void Tree::build(const std::vector<u64>& keys, i32 leaf_size, i32 moment_stride) {
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
