// SPDX-License-Identifier: Apache-2.0
// Pairs on the CPU, from groups of targets to what the visitor does: the functions of its header, one pair at a time.
// GroupFlow may be specialised for a visitor where a flow of its own is measured to be faster.
#pragma once

#include "walk/pairs_simd.h"

HB_ISA_OPEN

/// How a group meets its sources, by the visitor's functions alone.
template <class Visitor>
class GeneralFlow {
 public:
  explicit GeneralFlow(PairGroup<Visitor> group) : group_(group) {}

  void run() {
    Room<typename Visitor::Target>& targets = group_.scratch().targets;
    const i32 count = group_.range().count;
    targets.reserve(count);
    for (i32 t = 0; t < count; ++t) targets[t] = Visitor::begin(group_.view(), group_.target(t));
    const i32 beside = Visitor::beside(group_.view());
    if (beside > 0) meet_beside(beside);
    for (i32 image = 0; image < group_.view().pairs.images && largest_reach() >= 0; ++image) {
      group_.enter(image, largest_reach());
      walk();
      met_ = {};
    }
    for (i32 t = 0; t < count; ++t) {
      if (wanted(t)) Visitor::finish(group_.view(), targets[t]);
    }
  }

 private:
  [[nodiscard]] typename Visitor::Target& state(i32 t) const { return group_.scratch().targets[t]; }
  [[nodiscard]] bool wanted(i32 t) const { return Visitor::reach(state(t)) >= 0; }
  [[nodiscard]] pos_t largest_reach() const {
    pos_t largest = -1;
    for (i32 t = 0; t < group_.range().count; ++t) largest = hb_max(largest, Visitor::reach(state(t)));
    return largest;
  }

  /// Targets whose reach shrinks meet sources next to them first.
  void meet_beside(i32 beside) {
    const PairOptions& pairs = group_.view().pairs;
    const GroupRange range = group_.range();
    const i32 met = hb_min(pairs.sources, range.count + 2 * beside);
    const i32 from = pairs.apart ? nearest_sources(met) : range.first - beside;
    met_ = {hb_min(hb_max(from, 0), pairs.sources - met), met};
    group_.enter(0, far_away);
    group_.scratch().candidates.reserve(met, Visitor::sources_reach);
    group_.gather(met_, 0);
    meet_candidates();
  }

  /// Where sources begin around the nearest cell of about `met`.
  [[nodiscard]] i32 nearest_sources(i32 met) const {
    const CellsView& cells = group_.cells();
    i32 c = 0;
    while (cells.children[c] > 0 && cells.count[c] > met) {
      i32 nearest = cells.child[c];
      for (i32 child = nearest + 1; child < cells.child[c] + cells.children[c]; ++child) {
        if (group_.least_distance2(child) < group_.least_distance2(nearest)) nearest = child;
      }
      c = nearest;
    }
    return cells.first[c] + cells.count[c] / 2 - met / 2;
  }

  void walk() {
    const auto near = group_.near_leaves(Visitor::takes_whole(group_.view()));
    Candidates& candidates = group_.scratch().candidates;
    candidates.reserve(near.particles(), Visitor::sources_reach);
    for (i32 l = 0, i = 0; l < near.found(); ++l) {
      const GroupRange leaf = group_.scratch().leaves[l];
      const i32 begin = i, end = begin + leaf.count;
      i = group_.gather(leaf, i);
      for (i32 j = begin; j < end && met_.count > 0; ++j) {
        const i32 place = static_cast<i32>(candidates.number[j]);
        if (place >= met_.first && place < met_.first + met_.count) candidates.x[j] = far_away;
      }
    }
    if (near.counted() > 0) {
      for (i32 t = 0; t < group_.range().count; ++t) {
        if (wanted(t)) Visitor::meet_cell(group_.view(), state(t), near.counted());
      }
    }
    meet_candidates();
  }

  void meet_candidates() {
    const Candidates& candidates = group_.scratch().candidates;
    if (candidates.count == 0) return;  // as in most images of a list
    for (i32 t = 0; t < group_.range().count; ++t) {
      if (!wanted(t)) continue;
      PosPack own(Visitor::reach(state(t)));
      const auto limit = [&](i32 j) {
        PosPack reach(static_cast<pos_t>(0));
        if constexpr (Visitor::sources_reach) reach = PosPack::load(candidates.reach + j);
        return Visitor::limit2(own, reach);
      };
      group_.sift(t, limit, [&](i32 j, unsigned bits, PosPack distance2) {
        if (bits == 0) return;
        for (; bits != 0; bits &= bits - 1) {
          const int lane = __builtin_ctz(bits);
          if (!(candidates.x[j + lane] < far_away)) continue;  // hidden, and within reach of a target without bound
          Visitor::meet(group_.view(), state(t), static_cast<i32>(candidates.number[j + lane]),
                        group_.way(t, j + lane, distance2.v[lane]));
        }
        own = PosPack(Visitor::reach(state(t)));  // a search for the nearest ones shrinks it
      });
    }
  }

  PairGroup<Visitor> group_;
  GroupRange met_{};  ///< sources met before the walk
};

/// How a group of this visitor does.
template <class Visitor>
class GroupFlow : public GeneralFlow<Visitor> {
 public:
  using GeneralFlow<Visitor>::GeneralFlow;
};

/// NAME_of_groups and NAME_of_each of the CPU's table, by all threads.
template <class Visitor>
HB_FN void pairs_of_groups(const void* given, CellsView cells, const GroupRange* groups, i32 count) {
  const auto& view = *static_cast<const typename Visitor::View*>(given);
  Rescue rescue;
#pragma omp parallel
  {
    PairScratch<Visitor> scratch;
#pragma omp for schedule(dynamic, 16)
    for (i32 g = 0; g < count; ++g) {
      rescue.run([&] { GroupFlow<Visitor>(PairGroup<Visitor>(view, cells, groups[g], scratch)).run(); });
    }
  }
  rescue.check();
}

template <class Visitor>
HB_FN void pairs_of_each(const void* given, CellsView cells) {
  const auto& view = *static_cast<const typename Visitor::View*>(given);
#pragma omp parallel for schedule(dynamic, 256)
  for (i32 i = 0; i < view.pairs.targets; ++i) Visitor::of_target(view, cells, i);
}

HB_ISA_CLOSE
