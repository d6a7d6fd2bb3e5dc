// SPDX-License-Identifier: Apache-2.0
// Gathering on the CPU: particles of the leaves near a group of targets become one list, from the middle of the group
// in fp32, which subgroups narrow down. A few targets that stand together sift the rest by what any of them reaches;
// the rows of these sources are laid out as packs of columns, over which each of the few sums.
#pragma once

#include "device/kernels/sizes.h"
#include "walk/gather_columns.h"
#include "walk/pairs_simd.h"

HB_ISA_OPEN

/// Memory of one thread.
struct GatherScratch {
  Room<GroupRange> leaves;
  Sifted near_group, near_some;
  Sifted met;                 ///< places of what some targets sum over
  PackRoom<RealPack> staged;  ///< these, a pack's columns after another's
};

/// Targets that narrow the list down together.
inline constexpr i32 gather_subgroup = 32;
/// And those, next to one another, that sum over the same list: two to six take the same time.
inline constexpr i32 gather_few = 4;
/// So many leaves ahead what is read of particles is requested, which is 6 % of a step.
inline constexpr i32 gather_ahead = 4;

/// What a group needs to know of one of its targets.
template <class Gatherer>
struct GatherTarget {
  i32 place;
  real x, y, z;  ///< from the middle
  real reach, limit2;
  SplitPlace split;
  typename Gatherer::Self self;
};

/// One group of at most HB_MAX_GROUP targets, with some active ones.
template <class Gatherer>
class GatherGroup {
 public:
  using View = typename Gatherer::View;
  using Target = GatherTarget<Gatherer>;
  using Sums = typename Gatherer::Sums;

  GatherGroup(const View& view, const CellsView& cells, GatherScratch& scratch)
      : view_(view), cells_(cells), scratch_(scratch), frame_(view.options.frame) {}

  void run(GroupRange range) {
    i32 count = 0;
    for (i32 i = range.first; i < range.first + range.count; ++i) {
      const real reach = Gatherer::reach(view_, i);
      if (reach < 0) continue;
      Target& t = targets_[count++];
      t.place = i;
      t.reach = reach;
      t.self = Gatherer::self(view_, i);
    }
    if (count == 0) return;
    bound(count);
    enter(count);
    scratch_.near_group.clear();
    for (i32 image = 0; image < view_.pairs.images; ++image) lay_out(image_of_list(view_.images, image, no_box()));
    for (i32 k = 0; k < count; k += gather_subgroup) of_subgroup(targets_ + k, hb_min(gather_subgroup, count - k));
  }

 private:
  /// The targets' box and the largest reach.
  void bound(i32 count) {
    for (int k = 0; k < 3; ++k) box_.low[k] = far_away, box_.high[k] = -far_away;
    reach_ = 0;
    for (i32 t = 0; t < count; ++t) {
      const i32 i = targets_[t].place;
      const pos_t at[3] = {view_.x[i], view_.y[i], view_.z[i]};
      for (int k = 0; k < 3; ++k) {
        box_.low[k] = hb_min(box_.low[k], at[k]);
        box_.high[k] = hb_max(box_.high[k], at[k]);
      }
      reach_ = hb_max(reach_, targets_[t].reach * Gatherer::margin);
    }
    pos_t extent = 0;
    for (int k = 0; k < 3; ++k) extent += (box_.high[k] - box_.low[k]) / 2;
    slack_ = real(1e-6f) * (hb_narrow(extent * frame_.unit) + reach_);
    reach_ += slack_;
    for (i32 t = 0; t < count; ++t) {
      const real limit = targets_[t].reach * Gatherer::margin + slack_;
      targets_[t].limit2 = limit * limit;
    }
  }

  void enter(i32 count) {
    for (int k = 0; k < 3; ++k) middle_[k] = (box_.low[k] + box_.high[k]) / 2;
    for (i32 k = 0; k < count; ++k) {
      Target& t = targets_[k];
      const pos_t x = view_.x[t.place], y = view_.y[t.place], z = view_.z[t.place];
      t.split = split_in_frame(frame_, x, y, z);
      t.x = internal_way(middle_[0], x, frame_.unit);
      t.y = internal_way(middle_[1], y, frame_.unit);
      t.z = internal_way(middle_[2], z, frame_.unit);
    }
  }

  /// All particles of leaves near the group, in one image.
  void lay_out(PairImage at) {
    const pos_t reach = static_cast<pos_t>(reach_) / frame_.unit;
    NearLeaves<Gatherer> near(view_, cells_, box_, reach, at, false, view_.pairs.sources, scratch_.leaves);
    group_walk(cells_, Siblings{0, 1u}, near);
    Sifted& to = scratch_.near_group;
    to.begin(at.image);
    to.reserve(near.particles());
    const pos_t middle[3] = {middle_[0] - at.x, middle_[1] - at.y, middle_[2] - at.z};
    for (i32 l = 0; l < near.found(); ++l) {
      if (l + gather_ahead < near.found()) prefetch(scratch_.leaves[l + gather_ahead]);
      lay_out_leaf(scratch_.leaves[l], middle, to);
    }
  }

  void prefetch(GroupRange leaf) const {
    constexpr i32 line = 64 / static_cast<i32>(sizeof(pos_t));
    for (i32 j = 0; j < leaf.count; ++j) Gatherer::prefetch(view_, leaf.first + j);
    for (i32 j = 0; j < leaf.count; j += line) {
      for (const pos_t* const x : {view_.x, view_.y, view_.z}) __builtin_prefetch(x + leaf.first + j);
    }
  }

  /// Packs run over the end of the leaf where there are particles behind it.
  void lay_out_leaf(GroupRange leaf, const pos_t* middle, Sifted& to) const {
    const i32 at = to.count;
    const pos_t* const from[3] = {view_.x + leaf.first, view_.y + leaf.first, view_.z + leaf.first};
    real* const ways[3] = {&to.x[at], &to.y[at], &to.z[at]};
    const bool packs = leaf.first + leaf.count + sibling_lanes <= view_.pairs.sources;
    for (int k = 0; k < 3; ++k) {
      if (packs) {
        for (i32 j = 0; j < leaf.count; j += sibling_lanes) {
          siblings_relative(from[k] + j, middle[k], frame_.unit).store(ways[k] + j);
        }
      } else {
        for (i32 j = 0; j < leaf.count; ++j) ways[k][j] = internal_way(middle[k], from[k][j], frame_.unit);
      }
    }
    u32* const place = &to.place[at];
    for (i32 j = 0; j < leaf.count; j += sibling_lanes) {
      for (i32 l = 0; l < sibling_lanes; ++l) place[j + l] = static_cast<u32>(leaf.first + j + l);
    }
    if constexpr (Gatherer::sources_reach) {
      const real* const reach = view_.places + (u64)leaf.first * HB_PLACE_ROW + column_reach;
      for (i32 j = 0; j < leaf.count; ++j) {
        const real far = reach[j * HB_PLACE_ROW] + slack_;
        to.reach2[at + j] = far * far;
      }
    }
    to.count += leaf.count;
  }

  void of_subgroup(const Target* targets, i32 count) {
    narrow(targets, count);
    for (i32 k = 0, few; k < count; k += few) {
      few = together(targets + k, count - k);
      if (few > 1) {
        sift<gather_few>(targets + k, few);
      } else {
        sift<1>(targets + k, few);
      }
      for (i32 t = k; t < k + few; ++t) settle(targets[t]);
    }
  }

  /// Returns how many of the targets from here on sum over the same list: those that are close to one another and reach
  /// about as far, so that each has few sources that only others reach.
  static i32 together(const Target* targets, i32 left) {
    real low[3] = {targets[0].x, targets[0].y, targets[0].z}, high[3] = {low[0], low[1], low[2]};
    real least = targets[0].reach, most = least;
    i32 few = 1;
    for (; few < hb_min(left, gather_few); ++few) {
      const Target& t = targets[few];
      const real at[3] = {t.x, t.y, t.z};
      for (int a = 0; a < 3; ++a) low[a] = hb_min(low[a], at[a]), high[a] = hb_max(high[a], at[a]);
      least = hb_min(least, t.reach);
      most = hb_max(most, t.reach);
      const real edges = (high[0] - low[0]) + (high[1] - low[1]) + (high[2] - low[2]);
      if (edges > real(2) * least || most > real(1.3f) * least) break;
    }
    return few;
  }

  /// Those of the group's sources that come near the box of some targets.
  void narrow(const Target* targets, i32 count) {
    real low[3] = {targets[0].x, targets[0].y, targets[0].z}, high[3] = {low[0], low[1], low[2]}, most2 = 0;
    for (i32 k = 0; k < count; ++k) {
      const real at[3] = {targets[k].x, targets[k].y, targets[k].z};
      for (int a = 0; a < 3; ++a) low[a] = hb_min(low[a], at[a]), high[a] = hb_max(high[a], at[a]);
      most2 = hb_max(most2, targets[k].limit2);
    }
    const Sifted& from = scratch_.near_group;
    Sifted& to = scratch_.near_some;
    to.clear();
    to.reserve(from.count);
    for (i32 p = 0; p < from.parts; ++p) {
      to.begin(from.part[p].image);
      const i32 end = from.end(p);
      i32 found = to.count;
      for (i32 j = from.part[p].first; j < end; j += real_lanes) {
        const auto beyond = [&](const Room<real>& values, int a) {
          const RealPack v = RealPack::load(&values[j]);
          return hb_max(hb_max(RealPack(low[a]) - v, v - RealPack(high[a])), RealPack(real(0)));
        };
        const RealPack dx = beyond(from.x, 0), dy = beyond(from.y, 1), dz = beyond(from.z, 2);
        const unsigned bits = reached(end - j, above(from, j, dx, dy, dz, most2));
        append_lanes(bits, &from.x[j], &to.x[found]);
        append_lanes(bits, &from.y[j], &to.y[found]);
        append_lanes(bits, &from.z[j], &to.z[found]);
        if constexpr (Gatherer::sources_reach) append_lanes(bits, &from.reach2[j], &to.reach2[found]);
        append_lanes(bits, &from.place[j], &to.place[found]);
        found += __builtin_popcount(bits);
      }
      to.count = found;
    }
  }

  /// How far the squares of the ways are above those at which one of the two reaches the other.
  static RealPack above(const Sifted& from, i32 j, RealPack dx, RealPack dy, RealPack dz, real limit2) {
    RealPack most(limit2);
    if constexpr (Gatherer::sources_reach) most = hb_max(most, RealPack::load(&from.reach2[j]));
    return hb_fma(dx, dx, hb_fma(dy, dy, hb_fma(dz, dz, -most)));
  }

  /// A bit for each of the next `left` sources that is within reach.
  static unsigned reached(i32 left, RealPack above) {
    const unsigned bits = not_above(above, RealPack(real(0)));
    return left >= real_lanes ? bits : bits & ((1u << left) - 1u);
  }

  /// Where those stand that at least one of some targets is to meet, to scratch.met.
  template <i32 most>
  void sift(const Target* targets, i32 count) {
    const Sifted& from = scratch_.near_some;
    Sifted& to = scratch_.met;
    to.clear();
    to.place.reserve(from.count + 2 * real_lanes);
    real at[most][3], limit2[most];
    for (i32 k = 0; k < most; ++k) {
      const Target& t = targets[hb_min(k, count - 1)];
      at[k][0] = t.x, at[k][1] = t.y, at[k][2] = t.z;
      limit2[k] = t.limit2;
    }
    for (i32 p = 0; p < from.parts; ++p) {
      to.begin(from.part[p].image);
      const i32 end = from.end(p);
      i32 found = to.count;
      for (i32 j = from.part[p].first; j < end; j += real_lanes) {
        const RealPack x = RealPack::load(&from.x[j]), y = RealPack::load(&from.y[j]), z = RealPack::load(&from.z[j]);
        RealPack least(static_cast<real>(far_away));
        for (i32 k = 0; k < most; ++k) {
          least = hb_min(least, above(from, j, x - at[k][0], y - at[k][1], z - at[k][2], limit2[k]));
        }
        const unsigned bits = reached(end - j, least);
        append_lanes(bits, &from.place[j], &to.place[found]);
        found += __builtin_popcount(bits);
      }
      to.count = found;
    }
    for (int l = 0; l < real_lanes; ++l) to.place[to.count + l] = static_cast<u32>(targets[0].place);  // fills a pack
    staged_ = -1;
  }

  /// Lays out what has been met from `first` on, as much as there is room for. Most lists are short, and laid out once.
  void stage(i32 first) {
    staged_ = first;
    const Sifted& met = scratch_.met;
    const i32 count = hb_min(met.count - first, stage_packs * real_lanes);
    packs_ = (count + real_lanes - 1) / real_lanes;
    scratch_.staged.reserve(packs_ * Gatherer::columns);
    for (i32 p = 0; p < packs_; ++p) Gatherer::lay_out(view_, &met.place[first + p * real_lanes], columns_of(p));
    // others than those met have no mass
    for (i32 l = count; l < packs_ * real_lanes; ++l) columns_of(packs_ - 1)[column_mass].v[l % real_lanes] = 0;
    for (i32 p = 0; p < met.parts; ++p) {
      if (met.part[p].image == 0) continue;
      shift(hb_max(met.part[p].first - first, 0), hb_min(met.end(p) - first, count), met.part[p].image);
    }
  }

  [[nodiscard]] RealPack* columns_of(i32 pack) const { return &scratch_.staged[pack * Gatherer::columns]; }

  /// To where the image has those from `first` to `end` of what is laid out.
  void shift(i32 first, i32 end, i32 image) const {
    const PairImage at = image_of_list(view_.images, image, no_box());
    const pos_t way[3] = {at.x * frame_.unit, at.y * frame_.unit, at.z * frame_.unit};
    for (i32 s = first; s < end; ++s) {
      RealPack* const columns = columns_of(s / real_lanes);
      for (int k = 0; k < 3; ++k) {
        auto &high = columns[column_x + k].v, &low = columns[column_low_x + k].v;
        const int lane = s % real_lanes;
        const pos_t there = (static_cast<pos_t>(high[lane]) + static_cast<pos_t>(low[lane])) + way[k];
        high[lane] = hb_narrow(there);
        low[lane] = hb_narrow(there - static_cast<pos_t>(high[lane]));
      }
    }
  }

  void sum(const Target& t, real reach, Sums& sums) {
    i32 first = 0;
    do {
      if (first != staged_) stage(first);
      if (view_.options.rule.shape == HB_WENDLAND_C2) {
        add<HB_WENDLAND_C2>(t, 1 / reach, first > 0, sums);
      } else {
        add<any_shape>(t, 1 / reach, first > 0, sums);
      }
      first += stage_packs * real_lanes;
    } while (first < scratch_.met.count);
  }

  /// What is laid out; the compiler knows the usual kernel, whose formulas then mix with all others.
  template <i32 shape>
  void add(const Target& t, real inverse, bool goes_on, Sums& sums) const {
    typename Gatherer::Options options = view_.options;
    if constexpr (shape != any_shape) options.rule.shape = shape;
    Sums now = Gatherer::none();
    if (goes_on) now = sums;
    const RealPack* at = columns_of(0);
    for (i32 p = 0; p < packs_; ++p, at += Gatherer::columns) {
      now = Gatherer::add(options, inverse, t.self, Gatherer::source(at),
                          gather_way(t.split, at[column_x], at[column_y], at[column_z], at[column_low_x],
                                     at[column_low_y], at[column_low_z]),
                          now);
    }
    sums = now;
  }

  void settle(const Target& t) {
    Sums sums;
    sum(t, t.reach, sums);
    bool again = Gatherer::finish(view_, t.place, sums);
    for (int turn = 1; again && turn < most_turns; ++turn) {
      const real now = Gatherer::reach(view_, t.place);
      if (!(now <= t.reach * Gatherer::margin)) break;
      sum(t, now, sums);
      again = Gatherer::finish(view_, t.place, sums);
    }
    if (again) Gatherer::put_off(view_, t.place);
  }

  static constexpr int most_turns = 8;
  static constexpr i32 any_shape = -1;
  static constexpr i32 stage_packs = 128;

  const View& view_;
  const CellsView& cells_;
  GatherScratch& scratch_;
  GatherFrame frame_;
  GroupBox box_{};
  pos_t middle_[3] = {0, 0, 0};
  real reach_ = 0, slack_ = 0;
  i32 packs_ = 0;    ///< of what has been laid out
  i32 staged_ = -1;  ///< from where on in scratch.met; below 0: nothing
  Target targets_[HB_MAX_GROUP];
};

/// NAME_of_groups and NAME_of_each of the CPU's table, by all threads.
template <class Gatherer>
HB_FN void gather_of_groups(const void* given, CellsView cells, const GroupRange* groups, i32 count) {
  const auto& view = *static_cast<const typename Gatherer::View*>(given);
  Rescue rescue;
#pragma omp parallel
  {
    GatherScratch scratch;
#pragma omp for schedule(dynamic, 16)
    for (i32 g = 0; g < count; ++g) {
      rescue.run([&] {
        GatherGroup<Gatherer> group(view, cells, scratch);
        for (i32 from = 0; from < groups[g].count; from += HB_MAX_GROUP) {
          group.run({groups[g].first + from, hb_min(groups[g].count - from, (i32)HB_MAX_GROUP)});
        }
      });
    }
  }
  rescue.check();
}

template <class Gatherer>
HB_FN void gather_of_each(const void* given, CellsView cells) {
  const auto& view = *static_cast<const typename Gatherer::View*>(given);
#pragma omp parallel for schedule(dynamic, 256)
  for (i32 i = 0; i < view.pairs.targets; ++i) Gatherer::of_target(view, cells, i);
}

HB_ISA_CLOSE
