// SPDX-License-Identifier: Apache-2.0
// Pairs on the CPU: the leaves near a group of targets become one list of candidates, which each target then sifts a
// pack at a time. What a target does with those it reaches comes next: pairs_flow.h.
#pragma once

#include <limits>

#include "device/host/room.h"
#include "stages/box.h"
#include "walk/pairs.h"
#include "walk/simd_walk.h"

HB_ISA_OPEN

inline constexpr int pos_lanes = simd_bytes / static_cast<int>(sizeof(pos_t));
using PosPack = Pack<pos_t, pos_lanes>;
inline constexpr unsigned pos_mask = (1u << pos_lanes) - 1u;
/// Coordinates of sibling cells.
typedef Pack<pos_t, sibling_lanes> SiblingPlaces;

/// A coordinate farther than any other: hides a candidate, and completes packs.
inline constexpr pos_t far_away = static_cast<pos_t>(INFINITY);

/// Sources near a group. number: whatever distinguishes them; x is far_away where one is not to be met.
struct Candidates {
  i32 count = 0;
  Room<pos_t> x, y, z;
  Room<u32> number;
  Room<pos_t> reach;  ///< where sources reach

  /// Room for `n` and for the pack that the last of them is in.
  void reserve(i32 n, bool reaches) {
    count = n;
    x.reserve(n + pos_lanes);
    y.reserve(n + pos_lanes);
    z.reserve(n + pos_lanes);
    number.reserve(n + pos_lanes);
    if (reaches) reach.reserve(n + pos_lanes);
    for (i32 i = n; i < n + pos_lanes; ++i) {
      x[i] = y[i] = z[i] = far_away;
      number[i] = 0;
      if (reaches) reach[i] = 0;
    }
  }
};

/// What one target has found.
struct Selection {
  i32 count = 0;
  Room<u32> number;
  Room<pos_t> distance2;

  void reserve(i32 room) {
    number.reserve(room + pos_lanes);
    distance2.reserve(room + pos_lanes);
  }
};

/// One bit a lane: whether values are at most `limit`.
HB_FN unsigned at_most(PosPack values, PosPack limit) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && HB_PRECISION != HB_SINGLE
  return _mm512_cmp_pd_mask((__m512d)values.v, (__m512d)limit.v, _CMP_LE_OQ);
#else
  return mask_bits<pos_t, pos_lanes>(values.v <= limit.v);
#endif
}

/// Appends those lanes of a pack whose bit is set at to_number and to_distance2, which have room for a whole pack.
HB_FN void append_lanes(unsigned bits, const u32* number, PosPack distance2, u32* to_number, pos_t* to_distance2) {
#if defined(__AVX512F__) && defined(__AVX512VL__) && HB_PRECISION != HB_SINGLE
  // in registers: compressing into memory is slow on some processors
  const __m256i kept = _mm256_maskz_compress_epi32((__mmask8)bits, _mm256_loadu_si256((const __m256i*)number));
  _mm256_storeu_si256((__m256i*)to_number, kept);
  _mm512_storeu_pd(to_distance2, _mm512_maskz_compress_pd((__mmask8)bits, (__m512d)distance2.v));
#else
  for (; bits != 0; bits &= bits - 1) {
    const int lane = __builtin_ctz(bits);
    *to_number++ = number[lane];
    *to_distance2++ = distance2.v[lane];
  }
#endif
}

/// Memory of one thread's walks.
template <class Visitor>
struct PairScratch {
  Room<GroupRange> leaves;  ///< particles of the leaves found
  Candidates candidates;
  Room<typename Visitor::Target> targets;
  // of flows of their own
  Room<u64> order, sorted;  ///< index on input << 32 | place along the curve
  Room<i32> own;            ///< where each target stands among the candidates, or -1
  Selection within, best;
  Room<pos_t> bound2;
  Room<u32> row_number;
  Room<pos_t> row_distance2;
};

/// Box of a group of targets.
struct GroupBox {
  pos_t low[3], high[3];
};

HB_FN GroupBox box_of(const pos_t* x, const pos_t* y, const pos_t* z, GroupRange range) {
  GroupBox box;
  const pos_t* axes[3] = {x + range.first, y + range.first, z + range.first};
  for (int k = 0; k < 3; ++k) extent_along(axes[k], range.count, &box.low[k], &box.high[k]);
  return box;
}

/// Whether neighbours within `distance2` may lie across a face of the periodic box, so that images count.
HB_FN bool reaches_images(const GroupBox& group, pos_t distance2, PairBox box) {
  const pos_t edges[3] = {box.x, box.y, box.z};
  for (int k = 0; k < 3; ++k) {
    if (reaches_face(group.low[k], group.high[k], distance2, edges[k])) return true;
  }
  return false;
}

/// Whether the nearest of images counts; without, separations are what shifts leave.
HB_FN bool has_images(PairBox box) { return box.x < far_away || box.y < far_away || box.z < far_away; }

/// The visitor of cells: gathers the leaves that the group's box comes within reach of. Cells that lie wholly within it
/// from everywhere in the box need no look where `whole`.
template <class Visitor>
class NearLeaves {
 public:
  NearLeaves(const typename Visitor::View& view, const CellsView& cells, const GroupBox& group, pos_t reach,
             PairImage at, bool whole, i32 most_at_point, Room<GroupRange>& leaves)
      : view_(view),
        cells_(cells),
        group_(group),
        reach_(reach),
        at_(at),
        nearest_(has_images(at.box)),
        whole_(whole),
        most_at_point_(most_at_point),
        leaves_(leaves) {}

  /// Particles from `end` on along the curve are not wanted.
  void leave_out_from(i32 end) { end_ = end; }

  unsigned settle(i32 first, unsigned all) {
    unsigned open = all & ~beyond(first, least_distance2_to(first));
    for (unsigned left = end_ < everybody ? open : 0; left != 0; left &= left - 1) {
      if (cells_.first[first + __builtin_ctz(left)] >= end_) open &= ~(left & -left);
    }
    if (whole_) {
      const unsigned taken = open & ~beyond(first, largest_distance2_to(first));
      for (unsigned left = taken; left != 0; left &= left - 1) counted_ += cells_.count[first + __builtin_ctz(left)];
      open &= ~taken;
    }
    return open;
  }

  void on_leaf(i32 c) {
    const i32 count = hb_min(candidates_of_leaf(cells_, c, most_at_point_), end_ - cells_.first[c]);
    if (count <= 0) return;
    leaves_.reserve(found_ + 1);
    leaves_[found_++] = {cells_.first[c], count};
    particles_ += count;
  }

  [[nodiscard]] i32 found() const { return found_; }
  [[nodiscard]] i32 particles() const { return particles_; }
  [[nodiscard]] i32 counted() const { return counted_; }

 private:
  /// Squared distances of the siblings' boxes and the group's, by along(low, high, shift, group_low, group_high, edge),
  /// their separation along an axis.
  template <class Along>
  [[nodiscard]] SiblingPlaces distance2_to(i32 first, Along along) const {
    const pos_t* low[3] = {cells_.low_x + first, cells_.low_y + first, cells_.low_z + first};
    const pos_t* high[3] = {cells_.high_x + first, cells_.high_y + first, cells_.high_z + first};
    const pos_t shifts[3] = {at_.x, at_.y, at_.z}, edges[3] = {at_.box.x, at_.box.y, at_.box.z};
    SiblingPlaces d[3];
    for (int k = 0; k < 3; ++k) {
      d[k] = along(SiblingPlaces::load(low[k]), SiblingPlaces::load(high[k]), SiblingPlaces(shifts[k]),
                   SiblingPlaces(group_.low[k]), SiblingPlaces(group_.high[k]), SiblingPlaces(edges[k]));
    }
    return squared_distance(d[0], d[1], d[2]);
  }
  [[nodiscard]] SiblingPlaces least_distance2_to(i32 first) const {
    using Places = SiblingPlaces;
    if (nearest_) {
      return distance2_to(first, [](Places low, Places high, Places shift, Places from, Places to, Places edge) {
        return least_separation(low, high, shift, from, to, edge);
      });
    }
    return distance2_to(first, [](Places low, Places high, Places shift, Places from, Places to, Places /*edge*/) {
      return hb_max(direct_separation(low, high, shift, from, to), Places(static_cast<pos_t>(0)));
    });
  }
  [[nodiscard]] SiblingPlaces largest_distance2_to(i32 first) const {
    using Places = SiblingPlaces;
    return distance2_to(first, [](Places low, Places high, Places shift, Places from, Places to, Places edge) {
      return largest_separation(low, high, shift, from, to, edge);
    });
  }
  [[nodiscard]] unsigned beyond(i32 first, SiblingPlaces distance2) const {
    SiblingPlaces reach(static_cast<pos_t>(0));
    if constexpr (Visitor::sources_reach) reach = SiblingPlaces::load(view_.cell_reach + first);
    return mask_bits<pos_t, sibling_lanes>(distance2 > Visitor::limit2(SiblingPlaces(reach_), reach));
  }

  static constexpr i32 everybody = std::numeric_limits<i32>::max();

  const typename Visitor::View& view_;
  const CellsView& cells_;
  const GroupBox& group_;
  pos_t reach_;
  PairImage at_;
  bool nearest_, whole_;
  i32 most_at_point_;
  Room<GroupRange>& leaves_;
  i32 end_ = everybody;
  i32 found_ = 0;
  i32 particles_ = 0;
  i32 counted_ = 0;  ///< particles of cells that were taken whole
};

/// One group of targets on its walks, with what every flow needs.
template <class Visitor>
class PairGroup {
 public:
  using View = typename Visitor::View;
  using Target = typename Visitor::Target;

  PairGroup(const View& view, const CellsView& cells, GroupRange range, PairScratch<Visitor>& scratch)
      : view_(view),
        cells_(cells),
        range_(range),
        scratch_(scratch),
        box_(box_of(view.target_x, view.target_y, view.target_z, range)),
        at_(image_of_list(view.images, 0, view.pairs.box)) {}

  [[nodiscard]] const View& view() const { return view_; }
  [[nodiscard]] GroupRange range() const { return range_; }
  [[nodiscard]] PairScratch<Visitor>& scratch() const { return scratch_; }
  [[nodiscard]] i32 target(i32 t) const { return range_.first + t; }

  /// Sources are met in this image of the list by targets that reach `reach`, the largest.
  void enter(i32 image, pos_t reach) {
    at_ = image_of_list(view_.images, image, view_.pairs.box);
    pos_t farthest = 0;
    if constexpr (Visitor::sources_reach) farthest = view_.cell_reach[0];
    reach_ = reach;
    moved_ = image > 0 || reaches_images(box_, Visitor::limit2(reach, farthest), view_.pairs.box);
    if (!moved_) at_.box = no_box();
  }

  /// The leaves within reach, to scratch.leaves.
  NearLeaves<Visitor> near_leaves(bool whole) {
    NearLeaves<Visitor> near(view_, cells_, box_, reach_, at_, whole, Visitor::most_at_point(view_), scratch_.leaves);
    if constexpr (Visitor::meets_earlier) near.leave_out_from(range_.first + range_.count);
    for (i32 k = 0; k < view_.pairs.starts; ++k) {
      group_walk(cells_, Siblings{view_.start ? view_.start[k] : 0, 1u}, near);
    }
    return near;
  }

  /// Lays out the particles of the leaves found, from candidate `i` on.
  i32 gather(GroupRange sources, i32 i) {
    Candidates& c = scratch_.candidates;
    for (i32 j = 0; j < sources.count; ++j) c.x[i + j] = view_.x[sources.first + j];
    for (i32 j = 0; j < sources.count; ++j) c.y[i + j] = view_.y[sources.first + j];
    for (i32 j = 0; j < sources.count; ++j) c.z[i + j] = view_.z[sources.first + j];
    for (i32 j = 0; j < sources.count; ++j) c.number[i + j] = static_cast<u32>(sources.first + j);
    if constexpr (Visitor::sources_reach) {
      for (i32 j = 0; j < sources.count; ++j) c.reach[i + j] = Visitor::reaches(view_)[sources.first + j];
    }
    return i + sources.count;
  }

  /// Calls take(j, bits, distance2) for each pack of candidates; bits: those that target t reaches, by limit(j).
  template <class Limit, class Take>
  void sift(i32 t, Limit limit, Take take) const {
    if (!moved_) {
      sift_packs<false, false>(t, limit, take);
    } else if (!has_images(at_.box)) {
      sift_packs<true, false>(t, limit, take);
    } else {
      sift_packs<true, true>(t, limit, take);
    }
  }

  /// The way from target t to candidate j.
  [[nodiscard]] PairWay way(i32 t, i32 j, pos_t distance2) const {
    const Candidates& c = scratch_.candidates;
    const i32 i = target(t);
    return way_in_image((c.x[j] - view_.target_x[i]) + at_.x, (c.y[j] - view_.target_y[i]) + at_.y,
                        (c.z[j] - view_.target_z[i]) + at_.z, distance2, at_.box, at_.image);
  }

  [[nodiscard]] pos_t least_distance2(i32 c) const {
    const PairImage at = at_;
    return squared_distance(
        least_separation(cells_.low_x[c], cells_.high_x[c], at.x, box_.low[0], box_.high[0], at.box.x),
        least_separation(cells_.low_y[c], cells_.high_y[c], at.y, box_.low[1], box_.high[1], at.box.y),
        least_separation(cells_.low_z[c], cells_.high_z[c], at.z, box_.low[2], box_.high[2], at.box.z));
  }
  [[nodiscard]] const CellsView& cells() const { return cells_; }

 private:
  /// nearest: the nearest of images counts.
  template <bool moved, bool nearest, class Limit, class Take>
  void sift_packs(i32 t, Limit limit, Take take) const {
    const pos_t *const cx = scratch_.candidates.x + 0, *const cy = scratch_.candidates.y + 0;
    const pos_t* const cz = scratch_.candidates.z + 0;
    const i32 count = scratch_.candidates.count, i = target(t);
    const PosPack x(view_.target_x[i]), y(view_.target_y[i]), z(view_.target_z[i]);
    const PosPack shift_x(at_.x), shift_y(at_.y), shift_z(at_.z);
    const PosPack box_x(at_.box.x), box_y(at_.box.y), box_z(at_.box.z);
    for (i32 j = 0; j < count; j += pos_lanes) {
      PosPack dx = PosPack::load(cx + j) - x, dy = PosPack::load(cy + j) - y, dz = PosPack::load(cz + j) - z;
      if constexpr (moved) {
        dx = dx + shift_x, dy = dy + shift_y, dz = dz + shift_z;
      }
      if constexpr (nearest) {
        dx = separation(dx, box_x), dy = separation(dy, box_y), dz = separation(dz, box_z);
      }
      const PosPack distance2 = squared_distance(dx, dy, dz);
      take(j, at_most(distance2, limit(j)), distance2);
    }
  }

  const View& view_;
  const CellsView& cells_;
  GroupRange range_;
  PairScratch<Visitor>& scratch_;
  GroupBox box_;
  PairImage at_;
  pos_t reach_ = 0;
  bool moved_ = false;  ///< whether sources may be met elsewhere than where they are
};

HB_ISA_CLOSE
