// SPDX-License-Identifier: Apache-2.0
// The k nearest neighbours of the targets of one group. Particles adjacent along the curve bound every target's k-th
// distance; a search within a radius then gives the candidates, and the nearest of these are ranked.
#pragma once

#include "interactions/neighbours/host/ordered_sources.h"
#include "interactions/neighbours/nearest.h"

HB_ISA_OPEN

/// How many of values[0, n) are at most `limit`; values is infinite to the end of the last pack.
HB_FN i32 count_up_to(const pos_t* values, i32 n, pos_t limit) {
  i32 count = 0;
  for (i32 j = 0; j < n; j += pos_lanes) {
    count += __builtin_popcount(at_most(PosPack::load(values + j), PosPack(limit)));
  }
  return count;
}

/// A limit that at least k of the n values do not exceed, and few more where bisection finds one; values >= 0.
HB_FN pos_t limit_of_nearest(const pos_t* values, i32 n, i32 k) {
  pos_t low = 0, high = 0;
  for (i32 i = 0; i < n; ++i) high = hb_max(high, values[i]);
  i32 count = n;
  for (int round = 0; round < 16 && count > k + k / 8; ++round) {
    const pos_t middle = low + (high - low) / 2;
    const i32 below = count_up_to(values, n, middle);
    if (below >= k) {
      high = middle;
      count = below;
    } else {
      low = middle;
    }
  }
  return high;
}

template <>
class GroupFlow<NearestPairs> : OrderedGroup<NearestPairs> {
 public:
  explicit GroupFlow(const PairGroup<NearestPairs>& group) : OrderedGroup(group) {}

  void run() {
    if (!is_plain_search(group_.view())) return GeneralFlow<NearestPairs>(group_).run();
    // The first radius is that of the target best enclosed by its neighbours on the curve, with some room; it leaves
    // few to search for again. The last finds k for all.
    const i32 targets = group_.range().count;
    scratch_.bound2.reserve(targets);
    pos_t least = far_away;
    for (i32 t = 0; t < targets; ++t) {
      scratch_.bound2[t] = bound_along_curve(t);
      least = hb_min(least, scratch_.bound2[t]);
    }
    search(least * first_room);
    search(far_away);
  }

 private:
  /// First radius^2 over the least bound^2 of the group (bench/neighbours: fastest of 1 to 3).
  static constexpr pos_t first_room = 1.5;

  /// Squared distance within which target t has at least k neighbours.
  pos_t bound_along_curve(i32 t) {
    const NearestView& view = group_.view();
    const GroupRange range = group_.range();
    const i32 k = view.options.k, side = k / 2 + 1;
    const i32 room = hb_min(view.pairs.sources, range.count + 2 * side);
    const i32 first = hb_min(hb_max(range.first - side, 0), view.pairs.sources - room);
    const i32 i = group_.target(t);
    Room<pos_t>& distance2 = scratch_.within.distance2;
    scratch_.within.reserve(room);
    for (i32 j = 0; j < room; ++j) {
      distance2[j] = distance2_in_image(view.x[first + j] - view.x[i], view.y[first + j] - view.y[i],
                                        view.z[first + j] - view.z[i], view.pairs.box);
    }
    complete_pack(distance2, room);
    return limit_of_nearest(distance2 + 0, room, k + 1);  // one of them is the target
  }

  static void complete_pack(Room<pos_t>& distance2, i32 count) {
    for (i32 j = count; j < count + pos_lanes; ++j) distance2[j] = far_away;
  }

  /// Writes the rows of targets that have k neighbours within `radius2` and had none before; searches no farther than
  /// they all need.
  void search(pos_t radius2) {
    pos_t needed = -1;
    for (i32 t = 0; t < group_.range().count; ++t) needed = hb_max(needed, scratch_.bound2[t]);
    if (needed < 0) return;
    radius2 = hb_min(radius2, needed);
    collect(radius2);
    for (i32 t = 0; t < group_.range().count; ++t) {
      if (scratch_.bound2[t] < 0) continue;
      select(t, hb_min(radius2, scratch_.bound2[t]));
      if (scratch_.within.count < group_.view().options.k) continue;
      rank();
      write_row(row(t), group_.view().options.k, scratch_.row_number + 0, scratch_.row_distance2 + 0);
      scratch_.bound2[t] = -1;  // done
    }
  }

  /// Puts the k nearest of scratch.within into scratch.row: each stands where as many as are nearer leave it; ties keep
  /// the order of the input.
  void rank() {
    const i32 k = group_.view().options.k;
    Selection &all = scratch_.within, &best = scratch_.best;
    complete_pack(all.distance2, all.count);
    const PosPack limit(limit_of_nearest(all.distance2 + 0, all.count, k));
    best.reserve(all.count);
    best.count = 0;
    for (i32 j = 0; j < all.count; j += pos_lanes) {
      const PosPack distance2 = PosPack::load(all.distance2 + j);
      const unsigned bits = at_most(distance2, limit);
      append_lanes(bits, all.number + j, distance2, best.number + best.count, best.distance2 + best.count);
      best.count += __builtin_popcount(bits);
    }
    scratch_.row_number.reserve(k);
    scratch_.row_distance2.reserve(k);
    u32* const row_number = scratch_.row_number + 0;
    pos_t* const row_distance2 = scratch_.row_distance2 + 0;
    constexpr u32 empty = 0xffffffffu;
    for (i32 i = 0; i < k; ++i) row_number[i] = empty;
    for (i32 first = 0; first < best.count; first += pos_lanes) {
      const PosPack mine = PosPack::load(best.distance2 + first);
      PosPack::Mask nearer{};
      for (i32 j = 0; j < best.count; ++j) nearer -= PosPack(best.distance2[j]) < mine;
      for (i32 i = 0; i < hb_min(pos_lanes, best.count - first); ++i) {
        i64 place = nearer[i];
        while (place < k && row_number[place] != empty) ++place;
        if (place >= k) continue;
        row_number[place] = best.number[first + i];
        row_distance2[place] = best.distance2[first + i];
      }
    }
  }
};

HB_ISA_CLOSE
