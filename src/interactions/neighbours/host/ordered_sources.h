// SPDX-License-Identifier: Apache-2.0
// What the CPU's own flows of neighbour search share: candidates in the order of the input, so that rows come out
// sorted, and rows written a pack at a time. With a list of images or targets apart the general flow serves, which
// takes 2.8 times as long for counts, 1.2 for lists and 2.5 for 32 nearest (200,000 in a cube, AVX-512).
#pragma once

#include <cstring>

#include "interactions/neighbours/rows.h"
#include "walk/pairs_flow.h"

HB_ISA_OPEN

/// Whether the flows of their own serve: all targets are the sources, none of them its own neighbour, in no image but
/// the nearest.
template <class View>
HB_FN bool is_plain_search(const View& view) {
  const RowWindow rows = view.options.rows;
  return view.pairs.images == 1 && !view.pairs.apart && view.options.others != 0 && rows.begin == 0 &&
         rows.end == view.pairs.sources;
}

/// A group whose candidates are in the order of the input, by their indices on input.
template <class Visitor>
class OrderedGroup {
 public:
  explicit OrderedGroup(PairGroup<Visitor> group) : group_(group), scratch_(group.scratch()) {}

 protected:
  /// Gathers the candidates that targets of this reach may meet.
  void collect(pos_t reach) {
    group_.enter(0, reach);
    const auto near = group_.near_leaves(false);
    order_by_input(near);
    Candidates& c = scratch_.candidates;
    c.reserve(near.particles(), false);
    const GroupRange range = group_.range();
    const auto& view = group_.view();
    scratch_.own.reserve(range.count);
    for (i32 t = 0; t < range.count; ++t) scratch_.own[t] = -1;
    for (i32 i = 0; i < c.count; ++i) {
      const i32 place = static_cast<i32>(scratch_.order[i] & 0xffffffffu);
      c.x[i] = view.x[place];
      c.y[i] = view.y[place];
      c.z[i] = view.z[place];
      c.number[i] = static_cast<u32>(scratch_.order[i] >> 32);
      if (place >= range.first && place < range.first + range.count) scratch_.own[place - range.first] = i;
    }
  }

  /// The candidates within `distance2` of target t, without itself, into scratch.within.
  void select(i32 t, pos_t distance2) {
    const i32 own = scratch_.own[t];
    const pos_t own_x = own >= 0 ? scratch_.candidates.x[own] : 0;
    if (own >= 0) scratch_.candidates.x[own] = far_away;
    Selection& within = scratch_.within;
    within.reserve(scratch_.candidates.count);
    const u32* const from = scratch_.candidates.number + 0;
    u32* const number = within.number + 0;
    pos_t* const found2 = within.distance2 + 0;
    i32 count = 0;
    const PosPack limit(distance2);
    group_.sift(
        t, [=](i32 /*j*/) { return limit; },
        [=, &count](i32 j, unsigned bits, PosPack d2) {
          append_lanes(bits, from + j, d2, number + count, found2 + count);
          count += __builtin_popcount(bits);
        });
    within.count = count;
    if (own >= 0) scratch_.candidates.x[own] = own_x;
  }

  /// Where the row of target t begins.
  [[nodiscard]] u64 row(i32 t) const {
    const auto& view = group_.view();
    return row_of(view.offset, view.options.rows, view.input[group_.target(t)]);
  }

  void prefetch_row(u64 row) const {
    __builtin_prefetch(group_.view().index + row, 1);
    __builtin_prefetch(group_.view().distance2 + row, 1);
  }

  void write_row(u64 row, i32 count, const u32* index, const pos_t* distance2) {
    std::memcpy(group_.view().index + row, index, static_cast<std::size_t>(count) * sizeof(u32));
    std::memcpy(group_.view().distance2 + row, distance2, static_cast<std::size_t>(count) * sizeof(pos_t));
  }

  PairGroup<Visitor> group_;
  PairScratch<Visitor>& scratch_;

 private:
  /// scratch.order: the particles of the leaves found, sorted by index on input, a byte at a time.
  void order_by_input(const NearLeaves<Visitor>& near) {
    Room<u64>&order = scratch_.order, &sorted = scratch_.sorted;
    order.reserve(near.particles());
    sorted.reserve(near.particles());
    const auto& view = group_.view();
    i32 n = 0;
    for (i32 l = 0; l < near.found(); ++l) {
      const GroupRange leaf = scratch_.leaves[l];
      for (i32 j = leaf.first; j < leaf.first + leaf.count; ++j) order[n++] = (u64)view.input[j] << 32 | (u64)j;
    }
    for (int shift = 32; (u64)(view.pairs.sources - 1) >> (shift - 32) > 0; shift += 8) {
      i32 place[256] = {};
      for (i32 i = 0; i < n; ++i) ++place[order[i] >> shift & 255];
      for (i32 b = 0, begin = 0; b < 256; ++b) {
        const i32 count = place[b];
        place[b] = begin;
        begin += count;
      }
      for (i32 i = 0; i < n; ++i) sorted[place[order[i] >> shift & 255]++] = order[i];
      for (i32 i = 0; i < n; ++i) order[i] = sorted[i];
    }
  }
};

HB_ISA_CLOSE
