// SPDX-License-Identifier: Apache-2.0
// A lane's targets, and the loops in which they meet sources laid out in local memory.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_TARGETS_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_TARGETS_H
#include "device/kernels/language.h"
#include "physics/expansion.h"
#include "physics/opening.h"
#include "physics/softening.h"
#include "stages/units.h"
#include "stages/views.h"
HB_KERNELS_OPEN

/// One target: place relative to the group's centre, eps^2 / 2, the present short run of its sums, and the sums
/// carried; what their rounding lost is kept in local memory.
typedef struct {
  i32 particle;  ///< its number among the sources; -1: none
  real x, y, z, soft2;
  HB_FIELD(real) run, sum;
} Target;

HB_DEVICE_FN void clear_field(HB_FIELD(real) * field) {
  field->x = 0;
  field->y = 0;
  field->z = 0;
  field->w = 0;
}

/// Writes what target i has been attracted by, or adds it to what it has.
HB_DEVICE_FN void put_field(i32 adds, HB_FIELD(real) sum, i32 i, HB_GLOBAL real* acc_x, HB_GLOBAL real* acc_y,
                            HB_GLOBAL real* acc_z, HB_GLOBAL real* potential) {
  if (adds) {
    sum.x += acc_x[i];
    sum.y += acc_y[i];
    sum.z += acc_z[i];
    sum.w += potential[i];
  }
  acc_x[i] = sum.x;
  acc_y[i] = sum.y;
  acc_z[i] = sum.z;
  potential[i] = sum.w;
}

/// sum += v, and what rounding takes from it to lost (Dekker's fast sum; exact where |sum| >= |v|, which only the first
/// runs may miss, by a rounding of v).
#define add_compensated(v, sum, lost) \
  {                                   \
    const real carried = (sum) + (v); \
    lost += (v) - (carried - (sum));  \
    sum = carried;                    \
  }

/// Carries the short runs of `targets` targets; lost[k * stride]: what the sums of target k lost by rounding.
HB_DEVICE_FN void carry_runs(i32 targets, Target* t, HB_LOCAL Real4* lost, i32 stride) {
#pragma unroll
  for (i32 k = 0; k < targets; ++k) {
    Real4 l = lost[k * stride];
    add_compensated(t[k].run.x, t[k].sum.x, l.x);
    add_compensated(t[k].run.y, t[k].sum.y, l.y);
    add_compensated(t[k].run.z, t[k].sum.z, l.z);
    add_compensated(t[k].run.w, t[k].sum.w, l.w);
    lost[k * stride] = l;
    clear_field(&t[k].run);
  }
}

/// One pair; soft2: eps^2 / 2 of the source, or the sum of both where it is one for all.
HB_DEVICE_FN HB_FIELD(real) pull_pair(i32 pairs, Real4 source, real soft2, const Target* t) {
  const real dx = source.x - t->x, dy = source.y - t->y, dz = source.z - t->z;
  if (pairs == HB_PAIRS_UNIFORM) return pull_softened(dx, dy, dz, source.w, soft2, t->run);
  if (pairs == HB_PAIRS_EACH) return pull_plummer(dx, dy, dz, source.w, soft2 + t->soft2, t->run);
  return pull_spline(dx, dy, dz, source.w, soft2 + t->soft2, t->run);
}

/// The squared distance of a pair and, unless the softening is a spline, its squared softening: in steps that
/// pull_pair() takes, too.
HB_DEVICE_FN real softened_distance2(i32 pairs, Real4 source, real soft2, const Target* t) {
  const real dx = source.x - t->x, dy = source.y - t->y, dz = source.z - t->z;
  if (pairs == HB_PAIRS_SPLINE) return hb_fma(dx, dx, hb_fma(dy, dy, dz * dz));
  return hb_fma(dx, dx, hb_fma(dy, dy, hb_fma(dz, dz, pairs == HB_PAIRS_UNIFORM ? soft2 : soft2 + t->soft2)));
}

/// The potential of a particle from its own mass, where that stood among the sources.
HB_DEVICE_FN real own_potential(GroupWalkOptions walk, real mass, real soft2) {
  Target t;
  t.x = 0;
  t.y = 0;
  t.z = 0;
  t.soft2 = soft2;
  clear_field(&t.run);
  const Real4 itself = hb_real4(0, 0, 0, mass);
  if (walk.pairs == HB_PAIRS_UNIFORM) return pull_pair(HB_PAIRS_UNIFORM, itself, walk.soft2, &t).w;
  if (walk.pairs == HB_PAIRS_EACH) return pull_pair(HB_PAIRS_EACH, itself, soft2, &t).w;
  return pull_pair(HB_PAIRS_SPLINE, itself, soft2, &t).w;
}

/// Defines NAME(pairs, source, soft2, count, soft2_for_all, targets): the attraction of `count` sources on TARGETS
/// targets of a lane. soft2: of each source, or of all pairs. UNROLL: how far the loop is unrolled.
#define HB_PULL_SOURCES(NAME, TARGETS, UNROLL)                                                           \
  HB_DEVICE_FN void NAME(i32 pairs, HB_LOCAL const Real4* source, HB_LOCAL const real* soft2, i32 count, \
                         real soft2_for_all, Target* t) {                                                \
    _Pragma(UNROLL) for (i32 j = 0; j < count; ++j) {                                                    \
      const Real4 s = source[j];                                                                         \
      const real e = pairs == HB_PAIRS_UNIFORM ? soft2_for_all : soft2[j];                               \
      _Pragma("unroll") for (i32 k = 0; k < TARGETS; ++k) t[k].run = pull_pair(pairs, s, e, &t[k]);      \
    }                                                                                                    \
  }

HB_PULL_SOURCES(pull_sources, HB_TARGETS, "unroll 2")  // in the walk, whose code would not fit the instruction cache
HB_PULL_SOURCES(pull_many_sources, HB_DIRECT_TARGETS, "unroll 8")  // in direct summation

/// Particles first, ..., first + count - 1 as sources that may be as close to targets as they like, or one particle in
/// the place of all that coincide with it.
typedef struct {
  i32 first, count;
  i32 pull_themselves;                 ///< 1 if a target among them attracts itself, which is subtracted later; else 0
  HB_GLOBAL const real *mass, *soft2;  ///< of the sources, from 0
} NearSources;

/// The first `count` of them, and those beyond.
HB_DEVICE_FN NearSources among_first(NearSources all, i32 count) {
  all.count = hb_min(all.count, count);
  return all;
}
HB_DEVICE_FN NearSources beyond(NearSources all, i32 count) {
  all.first += count;
  all.count -= count;
  all.mass += count;
  all.soft2 += count;
  return all;
}

/// The attraction of sources near the targets, the j-th of which lies at source[j], on `targets` targets of a lane.
/// Returns the least squared distance met, without softening: that would hide a heavy neighbour, whose softened
/// acceleration goes as the way to it.
HB_DEVICE_FN real pull_near(i32 targets, i32 pairs, HB_LOCAL const Real4* source, HB_LOCAL const real* soft2,
                            NearSources near, real soft2_for_all, Target* t) {
  real closest = HB_NEVER;
#pragma unroll 1
  for (i32 j = 0; j < near.count; ++j) {
    const Real4 s = source[j];
    const real e = pairs == HB_PAIRS_UNIFORM ? soft2_for_all : soft2[j], own = s.w * (real)near.pull_themselves;
#pragma unroll
    for (i32 k = 0; k < targets; ++k) {
      const i32 itself = near.first + j == t[k].particle;
      Real4 other = s;
      other.w = itself ? own : s.w;
      real d2 = softened_distance2(pairs, s, e, &t[k]);
      if (pairs == HB_PAIRS_EACH) d2 -= e + t[k].soft2;
      closest = hb_least(closest, itself ? HB_NEVER : d2);
      t[k].run = pull_pair(pairs, other, e, &t[k]);
    }
  }
  return pairs == HB_PAIRS_UNIFORM ? closest - soft2_for_all : closest;
}

/// Where a lane's targets stand: the k-th is number first + k HB_WARP of `of`, or the last.
typedef struct {
  ParticlesView of;
  i32 first, last;
} TargetPlaces;

/// Sets the runs of a lane's targets to the attraction of `near` from the difference of each pair's positions. Seldom
/// needed, and several times slower.
HB_DEVICE_FN void pull_exactly(i32 pairs, ParticlesView p, TargetPlaces places, pos_t unit, NearSources near,
                               real soft2_for_all, i32 targets, Target* t) {
#pragma unroll
  for (i32 k = 0; k < targets; ++k) {
    const i32 i = hb_not_ahead(hb_min(places.first + k * HB_WARP, places.last));
    const pos_t x = places.of.x[i], y = places.of.y[i], z = places.of.z[i];
    Target here = t[k];
    here.x = 0;
    here.y = 0;
    here.z = 0;
    here.soft2 = places.of.soft2[i];
    clear_field(&here.run);
#pragma unroll 1
    for (i32 j = 0; j < near.count; ++j) {
      const i32 at = near.first + j;
      const Real4 source =
          hb_real4(internal_way(x, p.x[at], unit), internal_way(y, p.y[at], unit), internal_way(z, p.z[at], unit),
                   at == t[k].particle && !near.pull_themselves ? (real)0 : near.mass[j]);
      here.run = pull_pair(pairs, source, pairs == HB_PAIRS_UNIFORM ? soft2_for_all : near.soft2[j], &here);
    }
    t[k].run = here.run;
  }
}

/// Attraction by `count` cells with quadrupoles; three Real4 a cell: place and mass, Q[0 .. 3], then Q[4 .. 5],
/// trace and eps^2 / 2 (of all pairs where pairs are uniform, 0 for the spline, beyond whose reach cells are plain).
HB_DEVICE_FN void pull_quadrupoles(i32 pairs, HB_LOCAL const Real4* source, i32 count, Target* t) {
#pragma unroll 1
  for (i32 j = 0; j < count; ++j) {
    const Real4 s = source[3 * j], a = source[3 * j + 1], b = source[3 * j + 2];
    const real Q[6] = {a.x, a.y, a.z, a.w, b.x, b.y};
#pragma unroll
    for (i32 k = 0; k < HB_TARGETS; ++k) {
      const real dx = s.x - t[k].x, dy = s.y - t[k].y, dz = s.z - t[k].z;
      const real soft2 = pairs == HB_PAIRS_EACH ? b.w + t[k].soft2 : b.w;
      const real inv_r = hb_rsqrt(hb_fma(dx, dx, hb_fma(dy, dy, hb_fma(dz, dz, soft2))));
      t[k].run = pull_quadrupole_at(dx, dy, dz, s.w, Q, b.z, inv_r, t[k].run);
    }
  }
}

HB_KERNELS_CLOSE
#endif
