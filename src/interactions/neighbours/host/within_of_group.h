// SPDX-License-Identifier: Apache-2.0
// Neighbours within a radius on the CPU, whole packs at a time: numbers by counting bits, rows by compressing them.
#pragma once

#include "interactions/neighbours/host/ordered_sources.h"
#include "interactions/neighbours/within.h"

HB_ISA_OPEN

template <>
class GroupFlow<WithinPairs> : OrderedGroup<WithinPairs> {
 public:
  explicit GroupFlow(const PairGroup<WithinPairs>& group) : OrderedGroup(group) {}

  void run() {
    if (!is_plain_search(group_.view()) || group_.view().radius != nullptr) {
      GeneralFlow<WithinPairs>(group_).run();
    } else if (group_.view().index != nullptr) {
      fill_rows();
    } else {
      count();
    }
  }

 private:
  void fill_rows() {
    const i32 targets = group_.range().count;
    const pos_t radius2 = group_.view().options.radius2;
    for (i32 t = 0; t < targets; ++t) {
      __builtin_prefetch(group_.view().offset + group_.view().input[group_.target(t)]);
    }
    collect(radius2);
    for (i32 t = 0; t < targets; ++t) {
      prefetch_row(row(t));
      select(t, radius2);
      write_row(row(t), scratch_.within.count, scratch_.within.number + 0, scratch_.within.distance2 + 0);
    }
  }

  void count() {
    const pos_t radius2 = group_.view().options.radius2;
    group_.enter(0, radius2);
    const auto near = group_.near_leaves(true);
    scratch_.candidates.reserve(near.particles(), false);
    for (i32 l = 0, i = 0; l < near.found(); ++l) i = group_.gather(scratch_.leaves[l], i);
    const PosPack limit(radius2);
    for (i32 t = 0; t < group_.range().count; ++t) {
      u32 found = static_cast<u32>(near.counted());
      group_.sift(
          t, [=](i32 /*j*/) { return limit; },
          [&](i32 /*j*/, unsigned bits, PosPack /*distance2*/) { found += __builtin_popcount(bits); });
      group_.view().found[group_.view().input[group_.target(t)]] = found - 1;  // the target found itself
    }
  }
};

HB_ISA_CLOSE
