// SPDX-License-Identifier: Apache-2.0
// Direct summation on a device: a block's targets, HB_DIRECT_TARGETS an item and neighbours along the curve, meet its
// share of the particles tile by tile, as differences to the block's centre.
#ifndef HORNBEAM_DEVICE_DIRECT_H
#define HORNBEAM_DEVICE_DIRECT_H
#include "backend/device/kernels/targets.h"
#include "stages/units.h"
#include "stages/views.h"
HB_KERNELS_OPEN

HB_DEVICE_FN Target direct_target(ParticlesView p, WalkOptions options, i32 i, i32 centre) {
  Target t;
  const i32 held = hb_min(i, options.particles - 1);
  t.particle = i;
  t.x = internal_way(p.x[centre], p.x[held], options.unit);
  t.y = internal_way(p.y[centre], p.y[held], options.unit);
  t.z = internal_way(p.z[centre], p.z[held], options.unit);
  t.soft2 = p.soft2[held];
  clear_field(&t.run), clear_field(&t.sum);
  return t;
}

/// One tile; `own`: it holds targets of this block.
HB_DEVICE_FN void meet_tile(GroupWalkOptions walk, HB_LOCAL const Real4* stage, HB_LOCAL const real* stage_soft2,
                            i32 first, i32 count, i32 own, HB_LOCAL Real4* lost, Target* t) {
  if (own) {
    if (walk.pairs == HB_PAIRS_UNIFORM)
      pull_own(HB_PAIRS_UNIFORM, stage, stage_soft2, first, count, walk.soft2, HB_DIRECT_TARGETS, t);
    if (walk.pairs == HB_PAIRS_EACH)
      pull_own(HB_PAIRS_EACH, stage, stage_soft2, first, count, walk.soft2, HB_DIRECT_TARGETS, t);
    if (walk.pairs == HB_PAIRS_SPLINE)
      pull_own(HB_PAIRS_SPLINE, stage, stage_soft2, first, count, walk.soft2, HB_DIRECT_TARGETS, t);
  } else if (walk.pairs == HB_PAIRS_UNIFORM) {
    pull_many_sources(HB_PAIRS_UNIFORM, stage, stage_soft2, count, walk.soft2, t);
  } else if (walk.pairs == HB_PAIRS_EACH) {
    pull_many_sources(HB_PAIRS_EACH, stage, stage_soft2, count, walk.soft2, t);
  } else {
    pull_many_sources(HB_PAIRS_SPLINE, stage, stage_soft2, count, walk.soft2, t);
  }
  carry_runs(HB_DIRECT_TARGETS, t, lost, HB_BLOCK);
}

/// Block b sums share b % shares of the tiles for span b / shares of the targets: parts[4 (i shares + share) ...],
/// acceleration and potential of particle i.
HB_BLOCK_KERNEL(sum_direct)
(WalkOptions options, GroupWalkOptions walk, i32 shares, HB_GLOBAL real* parts HB_PARTICLE_FIELDS(HB_FIELD_ARGUMENT)) {
  HB_BLOCK_ARRAY(Real4, stage, HB_BLOCK);
  HB_BLOCK_ARRAY(real, stage_soft2, HB_BLOCK);
  HB_BLOCK_ARRAY(Real4, lost, HB_DIRECT_SPAN);
  HB_PARTICLES(particles)
  const i32 item = hb_block_item(), share = hb_block() % shares;
  const i32 n = options.particles, begin = hb_block() / shares * HB_DIRECT_SPAN;
  const i32 end = hb_min(begin + HB_DIRECT_SPAN, n), centre = begin + (end - begin) / 2;
  Target t[HB_DIRECT_TARGETS];
#pragma unroll
  for (i32 k = 0; k < HB_DIRECT_TARGETS; ++k) {
    t[k] = direct_target(particles, options, begin + k * HB_BLOCK + item, centre);
    lost[k * HB_BLOCK + item] = hb_real4(0, 0, 0, 0);
  }
  for (i64 at = share * HB_BLOCK; at < n; at += shares * (i64)HB_BLOCK) {
    const i32 tile = (i32)at, count = hb_min(n - tile, HB_BLOCK), j = hb_min(tile + item, n - 1);
    hb_block_sync();
    stage[item] = hb_real4(internal_way(particles.x[centre], particles.x[j], options.unit),
                           internal_way(particles.y[centre], particles.y[j], options.unit),
                           internal_way(particles.z[centre], particles.z[j], options.unit), particles.mass[j]);
    stage_soft2[item] = particles.soft2[j];
    hb_block_sync();
    meet_tile(walk, stage, stage_soft2, tile, count, tile < end && tile + count > begin, lost + item, t);
  }
#pragma unroll
  for (i32 k = 0; k < HB_DIRECT_TARGETS; ++k) {
    if (t[k].particle >= n) continue;
    const Real4 l = lost[k * HB_BLOCK + item];
    HB_GLOBAL real* part = parts + 4 * (t[k].particle * (i64)shares + share);
    part[0] = t[k].sum.x + l.x, part[1] = t[k].sum.y + l.y, part[2] = t[k].sum.z + l.z, part[3] = t[k].sum.w + l.w;
  }
}

HB_KERNELS_CLOSE
#endif
