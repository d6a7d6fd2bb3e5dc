// SPDX-License-Identifier: Apache-2.0
// Gathering on the CPU: particles of the leaves near a group of targets become one list, which subgroups narrow down
// and each target then sifts a pack at a time, in fp32 from the middle of the group. It sums over what is left by
// packs.
#pragma once

#include "device/kernels/sizes.h"
#include "walk/gather_packs.h"
#include "walk/pairs_simd.h"

HB_ISA_OPEN

/// The functions of a gatherer as the templates below take them.
#define HB_LOAD_STATE(rows, width, quarter, p, q, r, s) \
  load_fours(view.rows + (quarter)*4, width, number, &source.p, &source.q, &source.r, &source.s);
#define HB_REDUCE_SUM(how, name) sums.name = reduce_##how(packs.name);
#define HB_GATHERER(NAME, Type, F, W)                                                                             \
  struct Type##Gather {                                                                                           \
    typedef Type##View View;                                                                                      \
    typedef Type##Source<real> Self;                                                                              \
    typedef Type##Source<RealPack> Source;                                                                        \
    typedef Type##Sums<RealPack> Sums;                                                                            \
    static constexpr bool sources_reach = NAME##_sources_reach != 0;                                              \
    static constexpr real margin = HB_MARGIN_##NAME;                                                              \
    template <class Length>                                                                                       \
    static Length limit2(Length target, Length source) {                                                          \
      const Length reach = hb_max(target, source * Length(static_cast<pos_t>(1 + 1e-5f)));                        \
      return reach * reach;                                                                                       \
    }                                                                                                             \
    static real reach(const View& view, i32 i) { return NAME##_reach(&view, i); }                                 \
    static Self self(const View& view, i32 i) {                                                                   \
      const real* const row = view.places + (u64)i * HB_PLACE_ROW;                                                \
      return NAME##_source(&view, i, hb_four(row));                                                               \
    }                                                                                                             \
    static void load_state(const View& view, const u32* number, Source& source) {                                 \
      (void)view, (void)number, (void)source;                                                                     \
      HB_STATES_##NAME(HB_LOAD_STATE)                                                                             \
    }                                                                                                             \
    static Sums none() { return NAME##_sums_from(RealPack(real(0))); }                                            \
    static Sums add(const View& view, real inverse, const Self& self, const Source& source,                       \
                    const GatherWay<RealPack>& way, const Sums& sums) {                                           \
      return NAME##_add(&view.options, RealPack(inverse), self, source, way, sums);                               \
    }                                                                                                             \
    static bool finish(const View& view, i32 i, const Sums& packs) {                                              \
      Type##Sums<real> sums;                                                                                      \
      HB_SUMS_##NAME(HB_REDUCE_SUM) return NAME##_finish(&view, i, sums) != 0;                                    \
    }                                                                                                             \
    static void put_off(const View& view, i32 i) { NAME##_put_off(&view, i); }                                    \
    static void of_target(const View& view, const CellsView& cells, i32 i) { NAME##_of_target(&view, cells, i); } \
  };

HB_PAIR_GATHERERS(HB_GATHERER, , )

/// Sources, from the middle of a group; with room for a pack behind the last.
struct Sifted {
  i32 count = 0;
  Room<real> x, y, z, reach2;
  Room<u32> place;

  void reserve(i32 n) {
    for (Room<real>* a : {&x, &y, &z, &reach2}) a->reserve(n + real_lanes);
    place.reserve(n + real_lanes);
  }
};

/// Memory of one thread.
struct GatherScratch {
  Room<GroupRange> leaves;
  Sifted near_group, near_some;
  Room<u32> met;  ///< places of what one target sums over
};

/// Targets that narrow the list down together.
inline constexpr i32 gather_subgroup = 16;

/// What a group needs to know of one of its targets.
template <class Gatherer>
struct GatherTarget {
  i32 place;
  bool elsewhere;  ///< whether it has met sources in another image than the first
  real x, y, z;    ///< from the middle
  real reach, limit2;
  SplitPlace split;
  typename Gatherer::Self self;
  typename Gatherer::Sums sums;  ///< of what it has met elsewhere
};

/// One group of at most HB_MAX_GROUP targets, of which something is asked for some.
template <class Gatherer>
class GatherGroup {
 public:
  using View = typename Gatherer::View;
  using Target = GatherTarget<Gatherer>;

  GatherGroup(const View& view, const CellsView& cells, GatherScratch& scratch)
      : view_(view), cells_(cells), scratch_(scratch), frame_(view.options.frame) {}

  void run(GroupRange range) {
    i32 count = 0;
    for (i32 i = range.first; i < range.first + range.count; ++i) {
      const real reach = Gatherer::reach(view_, i);
      if (reach < 0) continue;
      Target& t = targets_[count++];
      t.place = i;
      t.elsewhere = false;
      t.reach = reach;
      t.self = Gatherer::self(view_, i);
    }
    if (count == 0) return;
    bound(count);
    // the first image, where lists serve once more, at the end
    for (i32 image = view_.pairs.images - 1; image >= 0; --image) {
      at_ = image_of_list(view_.images, image, far_away);
      lay_out();
      if (image > 0 && scratch_.near_group.count == 0) continue;
      enter(count);
      for (i32 k = 0; k < count; k += gather_subgroup)
        of_subgroup(targets_ + k, hb_min(gather_subgroup, count - k), image);
    }
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
    middle_ =
        split((box_.low[0] + box_.high[0]) / 2, (box_.low[1] + box_.high[1]) / 2, (box_.low[2] + box_.high[2]) / 2);
    for (i32 k = 0; k < count; ++k) {
      Target& t = targets_[k];
      t.split = split(view_.x[t.place], view_.y[t.place], view_.z[t.place]);
      const auto way = gather_way(middle_, t.split.x.high, t.split.y.high, t.split.z.high, t.split.x.low, t.split.y.low,
                                  t.split.z.low);
      t.x = way.x;
      t.y = way.y;
      t.z = way.z;
    }
  }

  /// As the image sees it.
  [[nodiscard]] SplitPlace split(pos_t x, pos_t y, pos_t z) const {
    return split_in_frame(frame_, x - at_.x, y - at_.y, z - at_.z);
  }

  /// All particles of leaves near the group.
  void lay_out() {
    const pos_t reach = static_cast<pos_t>(reach_) / frame_.unit;
    NearLeaves<Gatherer> near(view_, cells_, box_, reach, at_, false, view_.pairs.sources, scratch_.leaves);
    group_walk(cells_, Siblings{0, 1u}, near);
    Sifted& to = scratch_.near_group;
    to.reserve(near.particles());
    to.count = 0;
    for (i32 l = 0; l < near.found(); ++l) lay_out_leaf(scratch_.leaves[l], to);
  }

  void lay_out_leaf(GroupRange leaf, Sifted& to) const {
    const i32 at = to.count;
    const pos_t* const from[3] = {view_.x + leaf.first, view_.y + leaf.first, view_.z + leaf.first};
    real* const ways[3] = {&to.x[at], &to.y[at], &to.z[at]};
    const pos_t shift[3] = {at_.x, at_.y, at_.z};
    for (int k = 0; k < 3; ++k) {
      const pos_t middle = (box_.low[k] + box_.high[k]) / 2 - shift[k], unit = frame_.unit;
      for (i32 j = 0; j < leaf.count; ++j) ways[k][j] = static_cast<real>((from[k][j] - middle) * unit);
    }
    u32* const place = &to.place[at];
    for (i32 j = 0; j < leaf.count; ++j) place[j] = static_cast<u32>(leaf.first + j);
    if constexpr (Gatherer::sources_reach) {
      const real* const reach = view_.places + (u64)leaf.first * HB_PLACE_ROW + 7;
      for (i32 j = 0; j < leaf.count; ++j) {
        const real far = reach[j * HB_PLACE_ROW] + slack_;
        to.reach2[at + j] = far * far;
      }
    }
    to.count += leaf.count;
  }

  void of_subgroup(Target* targets, i32 count, i32 image) {
    narrow(targets, count);
    for (i32 k = 0; k < count; ++k) {
      Target& t = targets[k];
      const i32 met = sift(t);
      if (image == 0) {
        settle(t, met, sum(t, t.reach, met, t.elsewhere ? t.sums : Gatherer::none()));
      } else if (met > 0) {
        t.sums = sum(t, t.reach, met, t.elsewhere ? t.sums : Gatherer::none());
        t.elsewhere = true;
      }
    }
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
    to.reserve(from.count);
    to.count = 0;
    for (i32 j = 0; j < from.count; j += real_lanes) {
      const auto beyond = [&](const Room<real>& values, int a) {
        const RealPack v = RealPack::load(&values[j]);
        return hb_max(hb_max(RealPack(low[a]) - v, v - RealPack(high[a])), RealPack(real(0)));
      };
      const RealPack dx = beyond(from.x, 0), dy = beyond(from.y, 1), dz = beyond(from.z, 2);
      const unsigned bits = reached(from, j, dx, dy, dz, most2);
      append_reals(bits, &from.x[j], &to.x[to.count]);
      append_reals(bits, &from.y[j], &to.y[to.count]);
      append_reals(bits, &from.z[j], &to.z[to.count]);
      if constexpr (Gatherer::sources_reach) append_reals(bits, &from.reach2[j], &to.reach2[to.count]);
      append_words(bits, &from.place[j], &to.place[to.count]);
      to.count += __builtin_popcount(bits);
    }
  }

  /// A bit for each of the sources from j on that stands so near that one of the two reaches the other.
  static unsigned reached(const Sifted& from, i32 j, RealPack dx, RealPack dy, RealPack dz, real limit2) {
    const RealPack d2 = hb_fma(dx, dx, hb_fma(dy, dy, dz * dz));
    RealPack most(limit2);
    if constexpr (Gatherer::sources_reach) most = hb_max(most, RealPack::load(&from.reach2[j]));
    const unsigned bits = ~mask_bits<real, real_lanes>(d2 > most);
    const i32 left = from.count - j;
    return left >= real_lanes ? bits & lanes_mask : bits & ((1u << left) - 1u);
  }

  /// Where what the target sums over stands, to scratch.met; how many.
  i32 sift(const Target& t) {
    const Sifted& from = scratch_.near_some;
    Room<u32>& met = scratch_.met;
    met.reserve(from.count + real_lanes);
    const RealPack x(t.x), y(t.y), z(t.z);
    i32 count = 0;
    for (i32 j = 0; j < from.count; j += real_lanes) {
      const RealPack dx = RealPack::load(&from.x[j]) - x, dy = RealPack::load(&from.y[j]) - y;
      const RealPack dz = RealPack::load(&from.z[j]) - z;
      const unsigned bits = reached(from, j, dx, dy, dz, t.limit2);
      append_words(bits, &from.place[j], &met[count]);
      count += __builtin_popcount(bits);
    }
    for (int l = 0; l < real_lanes; ++l) met[count + l] = static_cast<u32>(t.place);  // completes the last pack
    return count;
  }

  typename Gatherer::Sums sum(const Target& t, real reach, i32 met, typename Gatherer::Sums sums) const {
    const real inverse = 1 / reach;
    for (i32 j = 0; j < met; j += real_lanes) {
      const u32* const number = &scratch_.met[j];
      typename Gatherer::Source source;
      RealPack x, y, z, low_x, low_y, low_z, own_reach;
      load_fours(view_.places, HB_PLACE_ROW, number, &x, &y, &z, &source.mass);
      load_fours(view_.places + 4, HB_PLACE_ROW, number, &low_x, &low_y, &low_z, &own_reach);
      if (met - j < real_lanes) {  // others than those met have no mass
        for (int l = met - j; l < real_lanes; ++l) source.mass.v[l] = 0;
      }
      Gatherer::load_state(view_, number, source);
      sums = Gatherer::add(view_, inverse, t.self, source, gather_way(t.split, x, y, z, low_x, low_y, low_z), sums);
    }
    return sums;
  }

  void settle(const Target& t, i32 met, const typename Gatherer::Sums& sums) const {
    bool again = Gatherer::finish(view_, t.place, sums);
    for (int turn = 1; again && !t.elsewhere && turn < most_turns; ++turn) {
      const real now = Gatherer::reach(view_, t.place);
      if (!(now <= t.reach * Gatherer::margin)) break;
      again = Gatherer::finish(view_, t.place, sum(t, now, met, Gatherer::none()));
    }
    if (again) Gatherer::put_off(view_, t.place);
  }

  static constexpr unsigned lanes_mask = real_lanes == 32 ? ~0u : (1u << real_lanes) - 1u;
  static constexpr int most_turns = 8;

  const View& view_;
  const CellsView& cells_;
  GatherScratch& scratch_;
  GatherFrame frame_;
  GroupBox box_{};
  PairImage at_{};
  SplitPlace middle_{};
  real reach_ = 0, slack_ = 0;
  Target targets_[HB_MAX_GROUP];
};

/// NAME_of_groups and NAME_of_each of the CPU's table, by all threads.
template <class Gatherer>
HB_FN void gather_of_groups(const typename Gatherer::View& view, CellsView cells, const GroupRange* groups, i32 count) {
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
HB_FN void gather_of_each(const typename Gatherer::View& view, CellsView cells) {
#pragma omp parallel for schedule(dynamic, 256)
  for (i32 i = 0; i < view.pairs.targets; ++i) Gatherer::of_target(view, cells, i);
}

HB_ISA_CLOSE
