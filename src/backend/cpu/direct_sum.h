// SPDX-License-Identifier: Apache-2.0
// Direct summation on the CPU: the oracle of every walk, and the `direct` walk itself.
#pragma once

#include "backend/cpu/group_gravity.h"

HB_ISA_OPEN

/// Adds the pull of all `sources` on targets [range.first, range.first + range.count) of `targets` and writes it to
/// acc. number[i] is the place of target i among the sources (it does not pull itself); null: the same place.
HB_FN void sum_directly(const ParticlesView& sources, const ParticlesView& targets, const i32* number, GroupRange range,
                        const WalkOptions& options, real* const* acc, GravityScratch& scratch) {
  const GroupGeometry group = enclose(targets, range, options, nullptr, scratch.targets);
  SourceList& list = scratch.own;
  for (i32 begin = 0; begin < options.particles; begin += list_size) {
    list.count = hb_min(list_size, options.particles - begin);
    for (i32 j = 0; j < list.count; ++j) list.x[j] = internal_way(group.centre[0], sources.x[begin + j], options.unit);
    for (i32 j = 0; j < list.count; ++j) list.y[j] = internal_way(group.centre[1], sources.y[begin + j], options.unit);
    for (i32 j = 0; j < list.count; ++j) list.z[j] = internal_way(group.centre[2], sources.z[begin + j], options.unit);
    for (i32 j = 0; j < list.count; ++j) list.mass[j] = sources.mass[begin + j];
    for (i32 j = 0; j < list.count; ++j) list.soft2[j] = sources.soft2[begin + j];
    pad(list);
    bool holds_targets = false;
    for (i32 t = 0; t < range.count; ++t) {
      const i32 place = (number ? number[range.first + t] : range.first + t) - begin;
      const bool here = place >= 0 && place < list.count;
      scratch.own_place[t] = here ? place : -1;
      holds_targets = holds_targets || here;
    }
    if (options.softening == HB_SPLINE) {
      pull_all(OwnPull<HB_SPLINE>(list, scratch.own_place), list.count, scratch.targets);
    } else if (holds_targets) {
      pull_all(OwnPull<HB_PLUMMER>(list, scratch.own_place), list.count, scratch.targets);
    } else {
      pull_all(PairPull<HB_PLUMMER>(list), list.count, scratch.targets);
    }
  }
  for (i32 t = 0; t < range.count; ++t) {
    for (int k = 0; k < 4; ++k) acc[k][range.first + t] = (real)scratch.targets.acc[t][k];
  }
}

HB_ISA_CLOSE
