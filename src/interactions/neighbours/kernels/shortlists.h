// SPDX-License-Identifier: Apache-2.0
// Shortlists of the k nearest: each lane of a warp has one target, and notes the sources that may be among its nearest
// in local memory. Distances are compared in 32 bits, from the centre of the group, with room for their rounding; only
// when a list is put in order are they measured as everywhere else. After place_group; the walk over them comes next:
// nearest_rows.h.
#ifndef HORNBEAM_INTERACTIONS_NEIGHBOURS_KERNELS_SHORTLISTS_H
#define HORNBEAM_INTERACTIONS_NEIGHBOURS_KERNELS_SHORTLISTS_H
#include "interactions/neighbours/nearest.h"
#include "walk/pairs_group.h"
HB_KERNELS_OPEN

/// Sources that a target may note as its k nearest: as many as leave room for 16 warps on a multiprocessor.
#if !defined(HB_LIST_LENGTH)
#define HB_LIST_LENGTH 48
#endif
/// Sources that are tested between two looks at the length of lists.
#if !defined(HB_SIFTED)
#define HB_SIFTED 4
#endif
/// Bins in which notes are counted at once, a byte each, the largest being of 1 << HB_LARGEST_BIN notes, and rounds of
/// that at most to find a limit that k of a list do not exceed.
#define HB_NOTE_BINS 8
#define HB_LARGEST_BIN 13
#define HB_EVERY_BYTE ((u64)0x0101010101010101)
#if !defined(HB_ROUNDS)
#define HB_ROUNDS 4
#endif
/// Entries of a list that a lane has in hand when it is put in order.
#define HB_LIST_TURNS ((HB_LIST_LENGTH + HB_WARP - 1) / HB_WARP)
/// Relative and absolute bounds, where the group and its reach are of size 1, on what rounding does to a distance in 32
/// bits: coordinates up to 2 are 2^-24 off, differences as much again, along three axes.
#define HB_NEAR_ROUNDING ((f32)1 / (1 << 20))
#define HB_NEAR_OFFSET ((f32)1 / (1 << 19))
/// The latter of distances that are exact before they are squared: squares of less vanish.
#define HB_NEAR_VANISHED 1e-18f
/// Reaches less than this part of the group are compared exactly.
#define HB_NEAR_SMALL ((pos_t)1 / (1 << 12))
/// No square in 32 bits is larger: coordinates are at most 1.
#define HB_FAR_AWAY 16.0f
/// Squares are noted as whole numbers, rounded up, of which the limit is this.
#define HB_LARGEST_NOTE 65534
typedef unsigned short NotedSquare;

/// A source, from the group's centre, where the group and its reach are of size 1.
typedef struct __attribute__((aligned(16))) {
  f32 x, y, z;
  i32 place;
} NearSource;

typedef struct {
  const NearestView* view;
  PairWarp group;
  HB_LOCAL NearSource* source;   ///< HB_WARP
  HB_LOCAL NotedSquare* square;  ///< HB_LIST_LENGTH of each lane: entry n of lane l is number n * HB_WARP + l
  HB_LOCAL i32* place;
  HB_LOCAL i32* counts;     ///< HB_WARP
  HB_LOCAL pos_t* ordered;  ///< HB_LIST_LENGTH: squared distances of the list that is put in order
  HB_LOCAL u32* ordered_input;
  pos_t centre_x, centre_y, centre_z;
  pos_t size;     ///< what is 1 in 32 bits
  pos_t inverse;  ///< 1 / size
  i32 exact;      ///< whether distances are measured exactly before they are compared
  pos_t x, y, z;  ///< the lane's target
  f32 near_x, near_y, near_z;
  i32 self;        ///< the source that is left out, or -1
  i32 wanted;      ///< whether the target's row is
  i32 count;       ///< of its list
  f32 limit;       ///< squared distance in 32 bits up to which sources are noted; -1: none is
  f32 scale;       ///< of squares, for what is noted of them
  pos_t reach;     ///< distance within which they matter
  i32 is_certain;  ///< whether k are within `reach`
} ShortlistGroup;

HB_DEVICE_FN f32 near_coordinate(const ShortlistGroup* s, pos_t x, pos_t centre) {
  return (f32)((x - centre) * s->inverse);
}

/// What squares in 32 bits are at most where distances, where the group is of size 1, are at most `distance`.
HB_DEVICE_FN f32 largest_square(const ShortlistGroup* s, f32 distance) {
  const f32 far = distance * (1 + HB_NEAR_ROUNDING) + (s->exact ? HB_NEAR_VANISHED : HB_NEAR_OFFSET);
  return hb_min(far * far * (1 + HB_NEAR_ROUNDING), HB_FAR_AWAY);
}

/// What distances are at most where squares in 32 bits are at most `square`.
HB_DEVICE_FN f32 largest_distance(const ShortlistGroup* s, f32 square) {
  return hb_sqrt(square * (1 + HB_NEAR_ROUNDING)) * (1 + HB_NEAR_ROUNDING) +
         (s->exact ? HB_NEAR_VANISHED : HB_NEAR_OFFSET);
}

/// Squared distance of source j and a target, as every search measures it.
HB_DEVICE_FN pos_t exact_distance2(const ShortlistGroup* s, i32 j, pos_t x, pos_t y, pos_t z) {
  return distance2_in_image(s->view->x[j] - x, s->view->y[j] - y, s->view->z[j] - z, s->group.edge);
}

HB_DEVICE_FN i32 entry_of(i32 lane, i32 n) { return n * HB_WARP + lane; }

/// Lets sources be noted up to this square.
HB_DEVICE_FN void set_limit(ShortlistGroup* s, f32 limit) {
  s->limit = limit;
  s->scale = HB_LARGEST_NOTE / hb_max(limit, 1e-30f);
}

HB_DEVICE_FN NotedSquare note_of(const ShortlistGroup* s, f32 square) {
  return (NotedSquare)((i32)(square * s->scale) + 1);
}

/// Tests HB_SIFTED of the sources laid out, from `first` on. Those behind the last are far away.
HB_DEVICE_FN void sift_sources(ShortlistGroup* s, Warp warp, i32 first) {
  i32 end = entry_of(warp.lane, s->count);
  HB_UNROLL(8)
  for (i32 n = 0; n < HB_SIFTED; ++n) {
    const NearSource source = s->source[first + n];
    const f32 x = source.x - s->near_x, y = source.y - s->near_y, z = source.z - s->near_z;
    const f32 distance2 = hb_fma(x, x, hb_fma(y, y, z * z));
    if (distance2 <= s->limit && source.place != s->self) {
      s->square[end] = note_of(s, distance2);
      s->place[end] = source.place;
      end += HB_WARP;
    }
  }
  s->count = end / HB_WARP;
}

/// The same by exact distances.
HB_DEVICE_FN void sift_exactly(ShortlistGroup* s, Warp warp, i32 first) {
  for (i32 n = 0; n < HB_SIFTED; ++n) {
    const i32 place = s->source[first + n].place;
    if (place < 0) continue;
    const PairBox edge = s->group.edge;
    const f32 x = (f32)(separation(s->view->x[place] - s->x, edge.x) * s->inverse);
    const f32 y = (f32)(separation(s->view->y[place] - s->y, edge.y) * s->inverse);
    const f32 z = (f32)(separation(s->view->z[place] - s->z, edge.z) * s->inverse);
    const f32 distance2 = hb_fma(x, x, hb_fma(y, y, z * z));
    if (distance2 <= s->limit && place != s->self) {
      s->square[entry_of(warp.lane, s->count)] = note_of(s, distance2);
      s->place[entry_of(warp.lane, s->count)] = place;
      ++s->count;
    }
  }
}

/// How many of the lane's list are at most at the end of each of HB_NOTE_BINS bins of 1 << shift notes behind `base`: a
/// byte each. Notes up to `base` are in the first bin, and all behind the last in the last one.
HB_DEVICE_FN u64 count_in_bins(const ShortlistGroup* s, Warp warp, i32 base, i32 shift) {
  HB_LOCAL const NotedSquare* note = s->square + warp.lane;
  u64 counts = 0;
  for (i32 n = 0; n < s->count; ++n, note += HB_WARP)
    counts += HB_EVERY_BYTE << 8 * hb_min(hb_max((i32)*note - base, 0) >> shift, HB_NOTE_BINS - 1);
  return counts;
}

/// The first of these bins at whose end there are at least k <= 128.
HB_DEVICE_FN i32 bin_of_nearest(u64 counts, i32 k) {
  const u64 has_enough = (counts + (u64)(128 - k) * HB_EVERY_BYTE) & (128 * HB_EVERY_BYTE);
  const u32 near = (u32)has_enough, far = (u32)(has_enough >> 32);
  return (near != 0 ? hb_lowest_bit(near) : 32 + hb_lowest_bit(far)) / 8;
}

/// A note that at least k of the lane's list do not exceed, and `more` besides at most where HB_ROUNDS find one.
HB_DEVICE_FN i32 note_of_nearest(const ShortlistGroup* s, Warp warp, i32 more) {
  const i32 k = s->view->options.k;
  i32 low = 0, high = hb_min((i32)note_of(s, s->limit), HB_LARGEST_NOTE) + 1, above = s->count;
  // most are in the farther half, unless the limit is a mere guess
  i32 parts = s->limit < HB_FAR_AWAY ? 2 : 1;
  for (i32 round = 0; round < HB_ROUNDS && above >= k && high > low + 1; ++round) {
    if (round > 0 && above <= k + more) break;
    i32 shift = HB_LARGEST_BIN;
    while (shift > 0 && parts * HB_NOTE_BINS << (shift - 1) >= high - low) --shift;
    const i32 base = hb_max(low, high - (HB_NOTE_BINS << shift)) + 1;
    const u64 counts = count_in_bins(s, warp, base, shift);
    const i32 bin = bin_of_nearest(counts, k);
    above = bin < HB_NOTE_BINS - 1 ? (i32)(counts >> 8 * bin) & 255 : above;
    high = hb_min(high, base + ((bin + 1) << shift) - 1);
    low = bin == 0 ? low : base + (bin << shift) - 1;
    parts = 1;
  }
  return high;
}

/// Within what distance the lane has k, as far as its list shows; by how many entries more.
HB_DEVICE_FN f32 distance_of_nearest(const ShortlistGroup* s, Warp warp, i32 more) {
  return largest_distance(s, (f32)note_of_nearest(s, warp, more) / s->scale);
}

/// Leaves in the lane's list what may be among the k nearest, and no longer notes what cannot be.
HB_DEVICE_FN void shorten_list(ShortlistGroup* s, Warp warp, i32 more) {
  if (s->limit < 0 || s->count < s->view->options.k) return;
  const f32 distance = distance_of_nearest(s, warp, more);
  if ((pos_t)distance * s->size <= s->reach) {
    s->reach = (pos_t)distance * s->size;
    s->is_certain = 1;
  }
  s->limit = hb_min(s->limit, largest_square(s, distance));
  const i32 largest = note_of(s, s->limit);
  HB_LOCAL NotedSquare *square = s->square + warp.lane, *to_square = square;
  HB_LOCAL i32 *place = s->place + warp.lane, *to_place = place;
  i32 left = 0;
  for (i32 n = 0; n < s->count; ++n, square += HB_WARP, place += HB_WARP) {
    const NotedSquare note = *square;
    *to_square = note;
    *to_place = *place;
    if (note <= largest) {
      to_square += HB_WARP;
      to_place += HB_WARP;
      ++left;
    }
  }
  s->count = left;
}

/// A lane's entries of the list that is put in order.
typedef struct {
  i32 place[HB_LIST_TURNS];
  i32 rank[HB_LIST_TURNS];  ///< k or more for those that are not among the k nearest, or of no entry
  pos_t distance2[HB_LIST_TURNS];
  u32 input[HB_LIST_TURNS];
} OrderedEntries;

/// Puts lane t's list in order: entries lane, lane + 32, ... with their places among all, by exact distances.
HB_DEVICE_FN OrderedEntries order_list(ShortlistGroup* s, Warp warp, i32 t) {
  OrderedEntries found;
  const i32 count = s->counts[t];
  HB_LOCAL const pos_t* target = s->group.room.targets + t;
  HB_UNROLL(4)
  for (i32 turn = 0; turn < HB_LIST_TURNS; ++turn) {
    const i32 n = turn * HB_WARP + warp.lane;
    found.rank[turn] = n < count ? 0 : HB_LIST_LENGTH;
    found.distance2[turn] = 0;
    if (n >= count) continue;
    const i32 j = s->place[entry_of(t, n)];
    found.place[turn] = j;
    found.distance2[turn] = exact_distance2(s, j, target[0], target[HB_WARP], target[2 * HB_WARP]);
    found.input[turn] = s->view->input[j];
    s->ordered[n] = found.distance2[turn];
    s->ordered_input[n] = found.input[turn];
  }
  warp_sync();
  i32 ranks = 0;
  for (i32 n = 0; n < count; ++n) {
    const pos_t distance2 = s->ordered[n];
    HB_UNROLL(4)
    for (i32 turn = 0; turn < HB_LIST_TURNS; ++turn)
      if (turn * HB_WARP < count) found.rank[turn] += distance2 < found.distance2[turn];
  }
  HB_UNROLL(4)
  for (i32 turn = 0; turn < HB_LIST_TURNS; ++turn) ranks += turn * HB_WARP + warp.lane < count ? found.rank[turn] : 0;
  const i32 has_ties = warp_sum_index(warp, ranks) != count * (count - 1) / 2;
  for (i32 n = 0; n < (has_ties ? count : 0); ++n) {
    const pos_t distance2 = s->ordered[n];
    const u32 input = s->ordered_input[n];
    HB_UNROLL(4)
    for (i32 turn = 0; turn < HB_LIST_TURNS; ++turn)
      found.rank[turn] += distance2 == found.distance2[turn] && input < found.input[turn];
  }
  warp_sync();
  return found;
}

/// Cuts lane t's list, of which many are as good as equally far, to its k nearest.
HB_DEVICE_FN void cut_list(ShortlistGroup* s, Warp warp, i32 t) {
  const i32 k = s->view->options.k;
  const OrderedEntries found = order_list(s, warp, t);
  HB_UNROLL(4)
  for (i32 turn = 0; turn < HB_LIST_TURNS; ++turn) {
    if (found.rank[turn] == k - 1) s->ordered[0] = found.distance2[turn];
  }
  warp_sync();
  if (warp.lane == t) {
    const pos_t distance = hb_sqrt(s->ordered[0]) * (1 + (pos_t)HB_NEAR_ROUNDING);
    if (distance <= s->reach) {
      s->reach = distance;
      s->is_certain = 1;
    }
    set_limit(s, hb_min(s->limit, largest_square(s, (f32)(distance * s->inverse))));
    s->count = hb_min(s->count, k);
  }
  warp_sync();
  if (warp.lane == t) s->ordered[0] = (pos_t)s->scale;
  warp_sync();
  const f32 scale = (f32)s->ordered[0];
  HB_UNROLL(4)
  for (i32 turn = 0; turn < HB_LIST_TURNS; ++turn) {
    if (found.rank[turn] >= k) continue;
    const f32 distance = (f32)(hb_sqrt(found.distance2[turn]) * s->inverse);
    const f32 note = hb_min(distance * distance * scale, (f32)HB_LARGEST_NOTE);
    s->square[entry_of(t, found.rank[turn])] = (NotedSquare)((i32)note + 1);
    s->place[entry_of(t, found.rank[turn])] = found.place[turn];
  }
  warp_sync();
}

/// Makes room for HB_SIFTED sources in every list; whether there was too little.
HB_DEVICE_FN i32 make_room(ShortlistGroup* s, Warp warp) {
  const i32 is_full = warp_any(warp, s->count > HB_LIST_LENGTH - HB_SIFTED);
  HB_WARP_BRANCH(is_full) {
    shorten_list(s, warp, HB_LIST_LENGTH - HB_SIFTED - s->view->options.k);
    u32 full = warp_ballot(warp, s->count > HB_LIST_LENGTH - HB_SIFTED);
    for (; hb_all_go_on(full != 0); full &= full - 1) {
      s->counts[warp.lane] = s->count;
      warp_sync();
      cut_list(s, warp, hb_lowest_bit(full));
    }
  }
  return is_full;
}

HB_KERNELS_CLOSE
#endif
