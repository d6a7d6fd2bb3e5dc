// SPDX-License-Identifier: Apache-2.0
// Direct summation on the CPU: the oracle of every walk, and the `direct` walk itself.
#pragma once

#include "backend/cpu/group_gravity.h"

HB_ISA_OPEN

/// Whether a source of the padded list may be closer to a target than differences to the group's centre can tell.
HB_FN bool is_near(const SourceList& list, const GroupGeometry& group, real close) {
  const real* axes[3] = {list.x, list.y, list.z};
  real gap = 0;
  for (int k = 0; k < 3; ++k) {
    RealPack least = RealPack::load(axes[k]), most = least;
    for (i32 j = lanes; j < list.count; j += lanes) {
      const RealPack x = RealPack::load(axes[k] + j);
      least = hb_min(least, x);
      most = hb_max(most, x);
    }
    real low = least.v[0], high = most.v[0];
    for (int i = 1; i < lanes; ++i) {
      low = hb_min(low, least.v[i]);
      high = hb_max(high, most.v[i]);
    }
    gap = hb_max(gap, hb_max(low - group.half[k], -high - group.half[k]));
  }
  return gap < close;
}

/// Adds the pull of all `sources` on targets [range.first, range.first + range.count) of `targets` and writes it to
/// acc. number[i] is the place of target i among the sources (it does not pull itself); null: the same place.
HB_FN void sum_directly(const ParticlesView& sources, const ParticlesView& targets, const i32* number, GroupRange range,
                        const WalkOptions& options, real* const* acc, GravityScratch& scratch) {
  const GroupGeometry group = enclose(targets, range, options, nullptr, scratch.targets);
  const real close = (real)HB_CLOSE_IN_SUM * group.radius;
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
    if (holds_targets || is_near(list, group, close)) {
      for (i32 j = 0; j < list.count; ++j) scratch.own_number[j] = begin + j;
      pull_own(list, {&sources, scratch.own_number, &targets, range.first, options.unit}, close, options.softening,
               scratch);
    } else if (options.softening == HB_SPLINE) {
      pull_all(PairPull<HB_SPLINE>(list), list.count, scratch.targets);
    } else {
      pull_all(PairPull<HB_PLUMMER>(list), list.count, scratch.targets);
    }
  }
  for (i32 t = 0; t < range.count; ++t) {
    for (int k = 0; k < 4; ++k) acc[k][range.first + t] = (real)scratch.targets.acc[t][k];
  }
}

HB_ISA_CLOSE
