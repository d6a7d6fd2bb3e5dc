// SPDX-License-Identifier: Apache-2.0
// bound, sort, build, moments and groups on the CPU: loops over the stages' bodies. Compiled once a precision.
#include "backend/cpu/tree.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "stages/build.h"

HB_OPEN
namespace {

constexpr int histogram_bins = 1024;

struct Interval {
  pos_t low, high;
};

Interval bounds(const pos_t* x, i32 n) {
  pos_t low = x[0], high = x[0];
#pragma omp parallel for schedule(static) reduction(min : low) reduction(max : high)
  for (i32 i = 0; i < n; ++i) {
    low = std::min(low, x[i]);
    high = std::max(high, x[i]);
  }
  return {low, high};
}

/// How many of x fall into each bin of `range`; those outside go to the outermost bins.
std::array<i32, histogram_bins> histogram(const pos_t* x, i32 n, Interval range) {
  std::array<i32, histogram_bins> bins{};
  const pos_t scale = histogram_bins / (range.high - range.low);
#pragma omp parallel
  {
    std::array<i32, histogram_bins> mine{};
#pragma omp for schedule(static) nowait
    for (i32 i = 0; i < n; ++i) {
      const pos_t t = (x[i] - range.low) * scale;
      ++mine[t <= 0 ? 0 : t >= histogram_bins - 1 ? histogram_bins - 1 : static_cast<std::size_t>(t)];
    }
#pragma omp critical
    for (int b = 0; b < histogram_bins; ++b) bins[b] += mine[b];
  }
  return bins;
}

/// The interval that holds all but `outside` particles at either end, to a bin; refined while one outlier would
/// otherwise decide the size of the bins. Depends on the set of particles only, not on their order.
Interval inner_interval(const pos_t* x, i32 n, Interval range, i32 outside) {
  for (int round = 0; round < 20 && range.high > range.low; ++round) {
    const auto bins = histogram(x, n, range);
    int first = 0, last = histogram_bins - 1;
    for (i32 seen = bins[first]; seen <= outside && first < last; seen += bins[++first]) {
    }
    for (i32 seen = bins[last]; seen <= outside && last > first; seen += bins[--last]) {
    }
    const pos_t width = (range.high - range.low) / histogram_bins;
    const Interval inner = {range.low + first * width, range.low + (last + 1) * width};
    const bool resolved = last - first > histogram_bins / 16;
    if (!(inner.high > inner.low)) return range;
    range = inner;
    if (resolved) break;
  }
  return range;
}

/// Particles that lie this many times farther out than the inner ones are clamped.
constexpr pos_t clamp_factor = 4;

}  // namespace

KeyCube key_cube(const pos_t* const position[3], i32 n) {
  KeyCube cube{};
  std::array<Interval, 3> box;
  for (int k = 0; k < 3; ++k) {
    box[k] = bounds(position[k], n);
    if (n >= 32 && box[k].high > box[k].low) {
      const Interval inner = inner_interval(position[k], n, box[k], (n + 1999) / 2000);
      const pos_t middle = inner.low + (inner.high - inner.low) / 2, half = clamp_factor * (inner.high - middle);
      box[k] = {std::max(box[k].low, middle - half), std::min(box[k].high, middle + half)};
    }
    cube.edge = std::max(cube.edge, box[k].high - box[k].low);
  }
  // all at one point, or closer than positions are resolved: any cube will do
  pos_t size = 0;
  for (const Interval& b : box) size = std::max({size, std::abs(b.low), std::abs(b.high)});
  cube.edge = std::max(cube.edge, size * std::numeric_limits<pos_t>::epsilon() * 4);
  if (!(cube.edge > 0)) cube.edge = 1;
  cube.edge *= pos_t(1) + 64 * std::numeric_limits<pos_t>::epsilon();
  cube.x = box[0].low + (box[0].high - box[0].low) / 2 - cube.edge / 2;
  cube.y = box[1].low + (box[1].high - box[1].low) / 2 - cube.edge / 2;
  cube.z = box[2].low + (box[2].high - box[2].low) / 2 - cube.edge / 2;
  cube.cells_per_length = static_cast<pos_t>(1 << HB_LEVELS) / cube.edge;
  return cube;
}

void sort_entries(std::vector<SortEntry>& entries, std::vector<SortEntry>& scratch) {
  // Scattering by the keys' first bits leaves the library's sort pieces that fit the cache, and all threads busy:
  // 2 times faster than libstdc++'s parallel sort of the whole at N = 1e6 (bench/results/cpu.md).
  constexpr int bucket_bits = 12, buckets = 1 << bucket_bits, shift = 3 * HB_LEVELS - bucket_bits;
  const i64 n = static_cast<i64>(entries.size());
  scratch.resize(entries.size());
  const int parts = omp_get_max_threads();
  std::vector<i64> place(static_cast<std::size_t>(parts) * buckets + 1, 0);  // by bucket, then by part
#pragma omp parallel for schedule(static, 1)
  for (int part = 0; part < parts; ++part) {
    for (i64 i = n * part / parts; i < n * (part + 1) / parts; ++i) {
      ++place[(entries[i].key >> shift) * parts + part + 1];
    }
  }
  std::partial_sum(place.begin(), place.end(), place.begin());
  std::vector<i64> begin(buckets + 1, n);
  for (int b = 0; b < buckets; ++b) begin[b] = place[static_cast<std::size_t>(b) * parts];
#pragma omp parallel for schedule(static, 1)
  for (int part = 0; part < parts; ++part) {
    for (i64 i = n * part / parts; i < n * (part + 1) / parts; ++i) {
      scratch[place[(entries[i].key >> shift) * parts + part]++] = entries[i];
    }
  }
#pragma omp parallel for schedule(dynamic, 16)
  for (int b = 0; b < buckets; ++b) std::sort(scratch.begin() + begin[b], scratch.begin() + begin[b + 1]);
  entries.swap(scratch);
}

void Tree::resize(i32 cells, i32 moment_stride) {
  const std::size_t room = static_cast<std::size_t>(cells) + 8;  // the walk loads eight siblings at a time
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

void Tree::make_groups(i32 group_size, const KeyCube& cube) {
  std::vector<i32> place(static_cast<std::size_t>(cells_) + 1, 0);
  const CellsView cells = view();
  const i32 levels = static_cast<i32>(level_begin_.size()) - 1;
  for (i32 level = 0; level < levels; ++level) {
    const pos_t edge = cube.edge / static_cast<pos_t>(1 << level);
#pragma omp parallel for schedule(static)
    for (i32 c = level_begin_[level]; c < level_begin_[level + 1]; ++c) {
      place[c + 1] = groups_of_cell(c, cells, edge, group_size, nullptr, 0);
    }
  }
  for (i32 c = 0; c < cells_; ++c) place[c + 1] += place[c];
  groups_.resize(static_cast<std::size_t>(place[cells_]));
  for (i32 level = 0; level < levels; ++level) {
    const pos_t edge = cube.edge / static_cast<pos_t>(1 << level);
#pragma omp parallel for schedule(static)
    for (i32 c = level_begin_[level]; c < level_begin_[level + 1]; ++c) {
      groups_of_cell(c, cells, edge, group_size, groups_.data(), place[c]);
    }
  }
}

CellsView Tree::view() {
  CellsView view;
#define HB_TREE_VIEW(type, field) view.field = field##_.data();
  HB_CELL_FIELDS(HB_TREE_VIEW)
#undef HB_TREE_VIEW
  return view;
}

std::uint64_t Tree::bytes() const {
  std::uint64_t sum = groups_.capacity() * sizeof(GroupRange);
#define HB_TREE_BYTES(type, field) sum += field##_.capacity() * sizeof(type);
  HB_CELL_FIELDS(HB_TREE_BYTES)
#undef HB_TREE_BYTES
  return sum;
}

HB_CLOSE
