// SPDX-License-Identifier: Apache-2.0
// Direct summation on the CPU: the oracle of every walk, and the `direct` walk itself.
#pragma once

#include "interactions/gravity/host/group_gravity.h"

HB_ISA_OPEN

/// Whether a source of the padded list is closer to a target than differences to the group's centre can resolve. Only
/// the few that are close to the group's box are compared with its targets. place[t]: where target t is in the list, or
/// negative.
HB_FN bool has_close_pair(const SourceList& list, const Targets& targets, const i32* place, const GroupGeometry& group,
                          real close) {
  RealPack first_numbers;
  for (int i = 0; i < lanes; ++i) first_numbers.v[i] = (real)i;
  for (i32 j = 0; j < list.count; j += lanes) {
    const RealPack x = RealPack::load(list.x + j), y = RealPack::load(list.y + j), z = RealPack::load(list.z + j);
    const RealPack gap = hb_max(hb_abs(x) - RealPack(group.half[0]),
                                hb_max(hb_abs(y) - RealPack(group.half[1]), hb_abs(z) - RealPack(group.half[2])));
    if (mask_bits<real, lanes>(gap < RealPack(close)) == 0) continue;
    const RealPack numbers = first_numbers + RealPack((real)j);
    for (i32 t = 0; t < targets.count; ++t) {
      const RealPack dx = x - RealPack(targets.x[t]), dy = y - RealPack(targets.y[t]), dz = z - RealPack(targets.z[t]);
      const RealPack d2 = hb_fma(dx, dx, hb_fma(dy, dy, dz * dz));
      const unsigned itself = mask_bits<real, lanes>(numbers == RealPack((real)place[t]));
      if ((mask_bits<real, lanes>(d2 < RealPack(close * close)) & ~itself) != 0) return true;
    }
  }
  return false;
}

/// Sums the acceleration by all `sources` of targets [range.first, range.first + range.count) of `targets`. Writes it
/// to acc, or adds it for an image. number[i] is the index of target i among the sources, which does not attract
/// itself; null: the same index.
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
      const bool here = place >= 0 && place < list.count && !options.image;
      scratch.own_place[t] = here ? place : -1;
      holds_targets = holds_targets || here;
    }
    const bool is_close = has_close_pair(list, scratch.targets, scratch.own_place, group, close);
    if (holds_targets || is_close) {
      for (i32 j = 0; j < list.count; ++j) scratch.own_number[j] = begin + j;
      pull_own(list, {&sources, scratch.own_number, &targets, range.first, options.unit, nullptr, nullptr, nullptr},
               is_close ? close : 0, options.softening, scratch);
    } else if (options.softening == HB_SPLINE) {
      pull_all(PairPull<HB_SPLINE>(list), list.count, scratch.targets);
    } else {
      pull_all(PairPull<HB_PLUMMER>(list), list.count, scratch.targets);
    }
  }
  put_targets(scratch.targets, options.image, range.first, nullptr, acc);
}

HB_ISA_CLOSE
