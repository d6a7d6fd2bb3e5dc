// SPDX-License-Identifier: Apache-2.0
// What one thread's walks of groups keep: targets, lists of sources, far fields, counts; and sums over lists that hold
// the targets themselves.
#pragma once

#include "interactions/gravity/host/block_far_field.h"
#include "interactions/gravity/host/far_field.h"
#include "interactions/gravity/host/group_geometry.h"
#include "interactions/gravity/host/sources.h"
#include "stages/views.h"
#include "walk/simd_walk.h"

HB_ISA_OPEN

/// Interactions of the groups one thread has walked.
struct InteractionCounts {
  u64 particle = 0, cell = 0, expansion = 0;
};

/// Memory of one thread's walks.
struct GravityScratch {
  Targets targets;
  SourceList particles, distant, own;
  i32 own_place[max_group_size], own_number[list_room], own_image[list_room];
  QuadrupoleList multipoles;
  FarField far, block_far;
  Frontier frontier;
  InteractionCounts counts;
};

/// The attraction of the list of sources near a group or in it, none of which attracts itself; pairs closer than
/// `close` are summed exactly.
template <class Formula = ForceFormula>
HB_FN void pull_own(SourceList& list, const ExactPlaces& places, real close, i32 softening, GravityScratch& scratch) {
  for (i32 j = list.count; j < list.count + lanes - 1; ++j) {
    scratch.own_number[j] = scratch.own_number[list.count - 1];
    scratch.own_image[j] = scratch.own_image[list.count - 1];
    list.x[j] += 4096 * close;  // so that the padding, which has no mass, is no close pair
  }
  if (close == 0) {  // nothing to watch for: less work
    if (softening == HB_SPLINE) {
      pull_all(OwnPull<HB_SPLINE, Formula>(list, scratch.own_place), list.count, scratch.targets);
    } else {
      pull_all(OwnPull<HB_PLUMMER, Formula>(list, scratch.own_place), list.count, scratch.targets);
    }
  } else if (softening == HB_SPLINE) {
    const OwnPull<HB_SPLINE, Formula> own(list, scratch.own_place);
    pull_all(WatchedPull<HB_SPLINE, Formula>(own, places, close * close), list.count, scratch.targets);
  } else {
    const OwnPull<HB_PLUMMER, Formula> own(list, scratch.own_place);
    pull_all(WatchedPull<HB_PLUMMER, Formula>(own, places, close * close), list.count, scratch.targets);
  }
}

/// Writes what the targets have been attracted by, or adds it to what they have. They are those of `numbers`, or where
/// this is null those from `first` on.
HB_FN void put_targets(const Targets& targets, i32 adds, i32 first, const i32* numbers, real* const* acc) {
  for (i32 t = 0; t < targets.count; ++t) {
    const i32 to = numbers != nullptr ? numbers[t] : first + t;
    for (int k = 0; k < 4; ++k) {
      const real sum = (real)targets.acc[t][k];
      acc[k][to] = adds ? acc[k][to] + sum : sum;
    }
  }
}

HB_ISA_CLOSE
