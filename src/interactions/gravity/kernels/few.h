// SPDX-License-Identifier: Apache-2.0
// Direct summation for few of the particles, those that are due in a short block step: less work than the tree's refit
// and a walk that leaves most of the device idle. HB_FEW targets, the same for all items of a block, meet its share of
// the particles, an item one particle after the other. Also the end of all direct sums, which adds the shares up.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_FEW_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_FEW_H
#include "device/kernels/block_sum.h"
#include "interactions/gravity/kernels/targets.h"
#include "stages/split.h"
#include "stages/views.h"
HB_KERNELS_OPEN

/// The place of particle i from that of number `origin` of `origins`, near the block's first target: targets may be far
/// from one another, and each may have near neighbours.
HB_DEVICE_FN SplitPlace split_place(ParticlesView p, i32 i, ParticlesView origins, i32 origin, pos_t unit) {
  SplitPlace place;
  place.x = split(p.x[i], origins.x[origin], unit);
  place.y = split(p.y[i], origins.y[origin], unit);
  place.z = split(p.z[i], origins.z[origin], unit);
  return place;
}

/// Particles first, first + step, ... below n attract the targets, which are at `place` from target `origin`.
HB_DEVICE_FN void pull_few(i32 pairs, ParticlesView p, i32 first, i32 step, i32 n, ParticlesView targets, i32 origin,
                           pos_t unit, real soft2_for_all, const SplitPlace* place, Target* t) {
  for (i32 j = first; j < n; j += step) {
    const SplitPlace source = split_place(p, j, targets, origin, unit);
    const real mass = p.mass[j], soft2 = pairs == HB_PAIRS_UNIFORM ? soft2_for_all : p.soft2[j];
#pragma unroll
    for (i32 k = 0; k < HB_FEW; ++k) {
      const Real4 way = hb_real4(way_between(place[k].x, source.x.high, source.x.low),
                                 way_between(place[k].y, source.y.high, source.y.low),
                                 way_between(place[k].z, source.z.high, source.z.low), mass);
      t[k].run = pull_pair(pairs, way, soft2, &t[k]);
    }
  }
}

/// Sums block b's share (b % shares) of the particles for walkers HB_FEW (b / shares) on, of the rank's. Walker t is
/// target picks[t], or t if that is null. parts[4 (t shares + share) ...] gets acceleration and potential.
HB_BLOCK_KERNEL(sum_few) {
  HB_BLOCK_ARRAY(real, part, 4 * HB_BLOCK);
  HB_PARTICLES(particles)
  HB_TARGET_PARTICLES(targets)
  const i32 item = hb_block_item(), share = hb_block() % shares;
  const i32 begin = unit_of_rank(walk.share, hb_block() / shares, HB_FEW) * HB_FEW;
  const i32 first = share * HB_BLOCK + item, step = shares * HB_BLOCK, n = options.particles;
  Target t[HB_FEW];
  SplitPlace place[HB_FEW];
  const i32 origin = picks ? picks[begin] : begin;
#pragma unroll
  for (i32 k = 0; k < HB_FEW; ++k) {
    const i32 walker = hb_min(begin + k, walkers - 1), i = picks ? picks[walker] : walker;
    place[k] = split_place(targets, i, targets, origin, options.unit);
    t[k].x = 0;
    t[k].y = 0;
    t[k].z = 0;
    t[k].soft2 = targets.soft2[i];
    clear_field(&t[k].run);
  }
  if (walk.pairs == HB_PAIRS_UNIFORM) {
    pull_few(HB_PAIRS_UNIFORM, particles, first, step, n, targets, origin, options.unit, walk.soft2, place, t);
  } else if (walk.pairs == HB_PAIRS_EACH) {
    pull_few(HB_PAIRS_EACH, particles, first, step, n, targets, origin, options.unit, walk.soft2, place, t);
  } else {
    pull_few(HB_PAIRS_SPLINE, particles, first, step, n, targets, origin, options.unit, walk.soft2, place, t);
  }
#pragma unroll
  for (i32 k = 0; k < HB_FEW; ++k) {
    part[item] = t[k].run.x;
    part[HB_BLOCK + item] = t[k].run.y;
    part[2 * HB_BLOCK + item] = t[k].run.z;
    part[3 * HB_BLOCK + item] = t[k].run.w;
    HB_SUM_BLOCK(part, 4, item)
    if (item < 4 && begin + k < walkers) {
      parts[4 * ((begin + k) * (i64)shares + share) + item] = part[item * HB_BLOCK];
    }
    hb_block_sync();
  }
}

/// Adds the shares up and writes the accelerations of targets picks[t], or t where that is null. Picked ones, but for
/// those of an image, have met themselves: what each has from that is taken off.
HB_KERNEL(add_shares) {
  const i32 t = hb_item();
  if (t >= targets) return;
  sum_t x = 0, y = 0, z = 0, w = 0;
  for (i64 share = t * (i64)shares; share < (t + 1) * (i64)shares; ++share) {
    x += (sum_t)parts[4 * share];
    y += (sum_t)parts[4 * share + 1];
    z += (sum_t)parts[4 * share + 2];
    w += (sum_t)parts[4 * share + 3];
  }
  const i32 i = picks ? picks[t] : t;
  HB_FIELD(real) sum;
  sum.x = (real)x;
  sum.y = (real)y;
  sum.z = (real)z;
  sum.w = walk.picked && !image ? (real)w - own_potential(walk, mass[i], soft2[i]) : (real)w;
  put_field(image, sum, i, acc_x, acc_y, acc_z, potential);
}

HB_KERNELS_CLOSE
#endif
