// SPDX-License-Identifier: Apache-2.0
// Neighbour search as a visitor of the CPU's group walk: the leaves near a group become one list of candidates, which
// each of its targets then sifts a pack at a time. Only for HB_DOUBLE, where real is pos_t.
#pragma once

#include "device/host/room.h"
#include "interactions/neighbours/particle_search.h"
#include "stages/box.h"
#include "walk/simd_walk.h"

HB_ISA_OPEN

inline constexpr int pos_lanes = simd_bytes / static_cast<int>(sizeof(pos_t));
using PosPack = Pack<pos_t, pos_lanes>;
inline constexpr unsigned pos_mask = (1u << pos_lanes) - 1u;

/// A coordinate farther than any other: hides the target among its own candidates, and completes packs.
inline constexpr pos_t far_away = static_cast<pos_t>(INFINITY);

/// Candidates for the neighbours of a group, in the order of the input where rows are written.
struct Candidates {
  i32 count = 0;
  Room<pos_t> x, y, z;
  Room<u32> index;  ///< on input
};

/// What one target has found, ascending by index on input.
struct Selection {
  i32 count = 0;
  Room<u32> index;
  Room<pos_t> distance2;

  void reserve(i32 room) {
    index.reserve(room + pos_lanes);
    distance2.reserve(room + pos_lanes);
  }
};

/// One bit a lane: whether values are at most `limit`.
HB_FN unsigned at_most(PosPack values, PosPack limit) {
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  return _mm512_cmp_pd_mask((__m512d)values.v, (__m512d)limit.v, _CMP_LE_OQ);
#else
  return pos_mask & ~mask_bits<pos_t, pos_lanes>(values > limit);
#endif
}

/// Appends those lanes of a pack whose bit is set at to_index and to_distance2, which have room for a whole pack.
HB_FN void append_lanes(unsigned bits, const u32* index, PosPack distance2, u32* to_index, pos_t* to_distance2) {
#if defined(__AVX512F__) && defined(__AVX512VL__)
  // in registers: compressing into memory is slow on some processors
  const __m256i kept = _mm256_maskz_compress_epi32((__mmask8)bits, _mm256_loadu_si256((const __m256i*)index));
  _mm256_storeu_si256((__m256i*)to_index, kept);
  _mm512_storeu_pd(to_distance2, _mm512_maskz_compress_pd((__mmask8)bits, (__m512d)distance2.v));
#else
  for (; bits != 0; bits &= bits - 1) {
    const int lane = __builtin_ctz(bits);
    *to_index++ = index[lane];
    *to_distance2++ = distance2.v[lane];
  }
#endif
}

/// Memory of one thread's searches.
struct NeighbourScratch {
  Room<GroupRange> leaves;  ///< particles of the leaves found
  Room<u64> order, sorted;  ///< index on input << 32 | place along the curve
  Candidates candidates;
  Room<i32> own;  ///< where each target stands among the candidates, or -1
  Selection within, best;
  Room<pos_t> bound2;  ///< see NearestOfGroup
  Room<u32> row_index;
  Room<pos_t> row_distance2;
};

/// Box of a group.
struct GroupBox {
  pos_t low[3], high[3];
};

HB_FN GroupBox box_of(const ParticlesView& particles, GroupRange range) {
  GroupBox box;
  const pos_t* axes[3] = {particles.x + range.first, particles.y + range.first, particles.z + range.first};
  for (int k = 0; k < 3; ++k) extent_along(axes[k], range.count, &box.low[k], &box.high[k]);
  return box;
}

/// Whether neighbours within `radius2` may lie across a face of the periodic cube; else no image need be considered.
HB_FN bool reaches_images(const GroupBox& group, pos_t radius2, pos_t box) {
  const pos_t margin = image_margin(radius2, box);
  for (int k = 0; k < 3; ++k) {
    if (group.low[k] < margin || group.high[k] > box - margin) return box < far_away;
  }
  return false;
}

/// The visitor: gathers the leaves that come within the radius of the group's box. Cells that lie wholly within it from
/// everywhere in the box need no tests where only the number is asked.
class NearLeaves {
 public:
  NearLeaves(const CellsView& cells, const GroupBox& group, pos_t radius2, pos_t box, bool only_count, i32 k,
             Room<GroupRange>& leaves)
      : cells_(cells), group_(group), radius2_(radius2), box_(box), only_count_(only_count), k_(k), leaves_(leaves) {}

  unsigned settle(i32 first, unsigned all) {
    SiblingPack least[3], largest[3];
    const pos_t* low[3] = {cells_.low_x + first, cells_.low_y + first, cells_.low_z + first};
    const pos_t* high[3] = {cells_.high_x + first, cells_.high_y + first, cells_.high_z + first};
    for (int k = 0; k < 3; ++k) {
      const SiblingPack cell_low = SiblingPack::load(low[k]), cell_high = SiblingPack::load(high[k]);
      const SiblingPack group_low(group_.low[k]), group_high(group_.high[k]), box(box_);
      least[k] = least_separation(cell_low, cell_high, group_low, group_high, box);
      largest[k] = largest_separation(cell_low, cell_high, group_low, group_high, box);
    }
    unsigned open = all & ~beyond(squared_distance(least[0], least[1], least[2]));
    if (only_count_) {
      const unsigned whole = open & ~beyond(squared_distance(largest[0], largest[1], largest[2]));
      for (unsigned left = whole; left != 0; left &= left - 1) counted_ += cells_.count[first + __builtin_ctz(left)];
      open &= ~whole;
    }
    return open;
  }

  void on_leaf(i32 c) {
    const i32 count = k_ > 0 ? nearest_candidates(cells_, c, k_) : cells_.count[c];
    leaves_.reserve(found_ + 1);
    leaves_[found_++] = {cells_.first[c], count};
    particles_ += count;
  }

  [[nodiscard]] i32 found() const { return found_; }
  [[nodiscard]] i32 particles() const { return particles_; }
  [[nodiscard]] i32 counted() const { return counted_; }

 private:
  [[nodiscard]] unsigned beyond(SiblingPack distance2) const {
    return mask_bits<pos_t, sibling_lanes>(distance2 > SiblingPack(radius2_));
  }

  const CellsView& cells_;
  const GroupBox& group_;
  pos_t radius2_, box_;
  bool only_count_;
  i32 k_;  ///< 0: all particles of leaves that lie at one point
  Room<GroupRange>& leaves_;
  i32 found_ = 0;
  i32 particles_ = 0;
  i32 counted_ = 0;  ///< particles of cells that were counted whole
};

/// One group on its search.
class GroupNeighbours {
 public:
  GroupNeighbours(const ParticlesView& particles, const CellsView& cells, const NeighboursView& out,
                  const SearchOptions& options, GroupRange range, NeighbourScratch& scratch)
      : particles_(particles),
        cells_(cells),
        out_(out),
        options_(options),
        range_(range),
        scratch_(scratch),
        group_(box_of(particles, range)) {}

  /// Numbers of neighbours within the radius, or rows where out has them.
  void within() {
    if (out_.index == nullptr) return count_within();
    // rows lie in the order of the input, where the next one is seldom in a cache
    for (i32 t = 0; t < range_.count; ++t) __builtin_prefetch(out_.offset + out_.input[target(t)]);
    collect(options_.radius2, 0);
    for (i32 t = 0; t < range_.count; ++t) {
      const u64 row = row_of(out_, options_, out_.input[target(t)]);
      prefetch_row(row);
      select(t, options_.radius2);
      write_row(row, scratch_.within.count, scratch_.within.index + 0, scratch_.within.distance2 + 0);
    }
  }

 protected:
  [[nodiscard]] i32 target(i32 t) const { return range_.first + t; }

  /// Gathers the candidates within `radius2` of the group, in the order of the input; k: see NearLeaves.
  void collect(pos_t radius2, i32 k) {
    images_ = reaches_images(group_, radius2, options_.box);
    NearLeaves near(cells_, group_, radius2, images_ ? options_.box : far_away, false, k, scratch_.leaves);
    group_walk(cells_, options_.cells, near);
    order_by_input(near);
    Candidates& c = scratch_.candidates;
    reserve_candidates(near.particles());
    for (i32 t = 0; t < range_.count; ++t) scratch_.own[t] = -1;
    for (i32 i = 0; i < c.count; ++i) {
      const i32 place = static_cast<i32>(scratch_.order[i] & 0xffffffffu);
      c.x[i] = particles_.x[place];
      c.y[i] = particles_.y[place];
      c.z[i] = particles_.z[place];
      c.index[i] = static_cast<u32>(scratch_.order[i] >> 32);
      if (place >= range_.first && place < range_.first + range_.count) scratch_.own[place - range_.first] = i;
    }
  }

  /// The candidates within `radius2` of target t, without itself, into scratch.within.
  void select(i32 t, pos_t radius2) {
    const i32 own = scratch_.own[t];
    const pos_t own_x = own >= 0 ? scratch_.candidates.x[own] : 0;
    if (own >= 0) scratch_.candidates.x[own] = far_away;
    Selection& within = scratch_.within;
    within.reserve(scratch_.candidates.count);
    const u32* const from = scratch_.candidates.index + 0;
    u32* const index = within.index + 0;
    pos_t* const distance2 = within.distance2 + 0;
    i32 count = 0;
    sift(t, radius2, [=, &count](i32 j, unsigned bits, PosPack d2) {
      append_lanes(bits, from + j, d2, index + count, distance2 + count);
      count += __builtin_popcount(bits);
    });
    within.count = count;
    if (own >= 0) scratch_.candidates.x[own] = own_x;
  }

  void prefetch_row(u64 row) const {
    __builtin_prefetch(out_.index + row, 1);
    __builtin_prefetch(out_.distance2 + row, 1);
  }

  void write_row(u64 row, i32 count, const u32* index, const pos_t* distance2) {
    std::memcpy(out_.index + row, index, static_cast<std::size_t>(count) * sizeof(u32));
    std::memcpy(out_.distance2 + row, distance2, static_cast<std::size_t>(count) * sizeof(pos_t));
  }

  const ParticlesView& particles_;
  const CellsView& cells_;
  const NeighboursView& out_;
  const SearchOptions& options_;
  GroupRange range_;
  NeighbourScratch& scratch_;
  GroupBox group_;
  bool images_ = false;  ///< whether candidates may be nearest by an image

 private:
  void count_within() {
    images_ = reaches_images(group_, options_.radius2, options_.box);
    NearLeaves near(cells_, group_, options_.radius2, images_ ? options_.box : far_away, true, 0, scratch_.leaves);
    group_walk(cells_, options_.cells, near);
    Candidates& c = scratch_.candidates;
    reserve_candidates(near.particles());
    for (i32 l = 0, i = 0; l < near.found(); ++l) {
      const GroupRange leaf = scratch_.leaves[l];
      for (i32 j = 0; j < leaf.count; ++j) c.x[i + j] = particles_.x[leaf.first + j];
      for (i32 j = 0; j < leaf.count; ++j) c.y[i + j] = particles_.y[leaf.first + j];
      for (i32 j = 0; j < leaf.count; ++j) c.z[i + j] = particles_.z[leaf.first + j];
      i += leaf.count;
    }
    for (i32 t = 0; t < range_.count; ++t) {
      u32 found = static_cast<u32>(near.counted());
      sift(t, options_.radius2, [&](i32, unsigned bits, PosPack) { found += __builtin_popcount(bits); });
      out_.found[out_.input[target(t)]] = found - 1;  // the target found itself
    }
  }

  /// Room for `count` candidates and for the pack that the last of them stands in.
  void reserve_candidates(i32 count) {
    Candidates& c = scratch_.candidates;
    c.count = count;
    c.x.reserve(count + pos_lanes);
    c.y.reserve(count + pos_lanes);
    c.z.reserve(count + pos_lanes);
    c.index.reserve(count + pos_lanes);
    for (i32 i = count; i < count + pos_lanes; ++i) {
      c.x[i] = c.y[i] = c.z[i] = far_away;
      c.index[i] = 0;
    }
    scratch_.own.reserve(range_.count);
  }

  /// scratch.order: the particles of the leaves found, sorted by index on input, a byte at a time.
  void order_by_input(const NearLeaves& near) {
    Room<u64>&order = scratch_.order, &sorted = scratch_.sorted;
    order.reserve(near.particles());
    sorted.reserve(near.particles());
    i32 n = 0;
    for (i32 l = 0; l < near.found(); ++l) {
      const GroupRange leaf = scratch_.leaves[l];
      for (i32 j = leaf.first; j < leaf.first + leaf.count; ++j) order[n++] = (u64)out_.input[j] << 32 | (u64)j;
    }
    for (int shift = 32; (u64)(options_.particles - 1) >> (shift - 32) > 0; shift += 8) {
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

  /// Calls take(j, bits, distance2) for each pack of candidates; bits: those within `radius2` of target t.
  template <class Take>
  void sift(i32 t, pos_t radius2, Take take) const {
    if (images_) {
      sift_packs<true>(t, radius2, take);
    } else {
      sift_packs<false>(t, radius2, take);
    }
  }

  template <bool images, class Take>
  void sift_packs(i32 t, pos_t radius2, Take take) const {
    const pos_t *const cx = scratch_.candidates.x + 0, *const cy = scratch_.candidates.y + 0;
    const pos_t* const cz = scratch_.candidates.z + 0;
    const i32 count = scratch_.candidates.count;
    const PosPack x(particles_.x[target(t)]), y(particles_.y[target(t)]), z(particles_.z[target(t)]);
    const PosPack limit(radius2), box(options_.box);
    for (i32 j = 0; j < count; j += pos_lanes) {
      PosPack dx = PosPack::load(cx + j) - x, dy = PosPack::load(cy + j) - y, dz = PosPack::load(cz + j) - z;
      if constexpr (images) {
        dx = separation(dx, box);
        dy = separation(dy, box);
        dz = separation(dz, box);
      }
      const PosPack distance2 = squared_distance(dx, dy, dz);
      take(j, at_most(distance2, limit), distance2);
    }
  }
};

HB_ISA_CLOSE
