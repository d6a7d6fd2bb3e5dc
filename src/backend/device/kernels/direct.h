// SPDX-License-Identifier: Apache-2.0
// Direct summation on a device: a block's targets, HB_DIRECT_TARGETS an item and neighbours along the curve, meet its
// share of the particles tile by tile, as differences to the block's centre. Targets on either side of a gap make these
// coarse, so that in tiles near the block the least distance is watched, and pairs closer than differences to one
// centre can tell are summed again, each from its own difference of positions.
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
  clear_field(&t.run);
  clear_field(&t.sum);
  return t;
}

/// Targets of a warp, which are neighbours along the curve, and warps of a block.
#define HB_WARP_SPAN (HB_WARP * HB_DIRECT_TARGETS)
#define HB_BLOCK_WARPS (HB_BLOCK / HB_WARP)

/// Boxes of the targets of each of the block's warps, least x, y, z, then largest, as seen from particle `centre`, by
/// an item a value. begin, end: the block's targets.
HB_DEVICE_FN void boxes_of_warps(ParticlesView p, i32 begin, i32 end, i32 centre, pos_t unit, HB_LOCAL real* boxes,
                                 i32 item) {
  if (item >= HB_BLOCK_WARPS * HB_BOX_VALUES) return;
  const i32 value = item % HB_BOX_VALUES, axis = value % 3;
  const pos_t sign = value < 3 ? 1 : -1;
  HB_GLOBAL const pos_t* x = axis == 0 ? p.x : (axis == 1 ? p.y : p.z);
  const i32 first = hb_min(begin + item / HB_BOX_VALUES * HB_WARP_SPAN, end - 1);
  pos_t least = sign * x[first];
#pragma unroll 8
  for (i32 i = first + 1; i < hb_min(first + HB_WARP_SPAN, end); ++i) least = hb_min(least, sign * x[i]);
  boxes[item] = internal_way(x[centre], sign * least, unit);
}

/// Squared distance below which pairs of the block's targets are summed exactly.
HB_DEVICE_FN real too_close2(HB_LOCAL const real* boxes) {
  real diagonal2 = 0;
#pragma unroll
  for (i32 axis = 0; axis < 3; ++axis) {
    real low = boxes[axis], high = boxes[3 + axis];
    for (i32 w = 1; w < HB_BLOCK_WARPS; ++w) {
      low = hb_min(low, boxes[w * HB_BOX_VALUES + axis]);
      high = hb_max(high, boxes[w * HB_BOX_VALUES + 3 + axis]);
    }
    diagonal2 = hb_fma(high - low, high - low, diagonal2);
  }
  return diagonal2 * (real)(0.25f * HB_CLOSE_IN_SUM * HB_CLOSE_IN_SUM);
}

/// Squared distance between the box of a warp's targets and the interval [low, high] along each axis.
HB_DEVICE_FN real gap2_to_box(HB_LOCAL const real* box, Real4 low, Real4 high) {
  const real none = 0;
  const real x = hb_max(hb_max(low.x - box[3], box[0] - high.x), none),
             y = hb_max(hb_max(low.y - box[4], box[1] - high.y), none),
             z = hb_max(hb_max(low.z - box[5], box[2] - high.z), none);
  return hb_fma(x, x, hb_fma(y, y, z * z));
}

/// The same for a tile, as seen from particle `centre`. boxes: of the `tiles` tiles, as bound_blocks leaves them.
HB_DEVICE_FN real gap2_to_tile(HB_LOCAL const real* box, ParticlesView p, i32 centre, pos_t unit,
                               HB_GLOBAL const pos_t* boxes, i32 tiles, i32 tile) {
  const pos_t x = p.x[centre], y = p.y[centre], z = p.z[centre];
  HB_GLOBAL const pos_t *low = boxes + tile, *high = low + 3 * (i64)tiles;
  return gap2_to_box(box,
                     hb_real4(internal_way(x, low[0], unit), internal_way(y, low[tiles], unit),
                              internal_way(z, low[2 * (i64)tiles], unit), 0),
                     hb_real4(internal_way(x, high[0], unit), internal_way(y, high[tiles], unit),
                              internal_way(z, high[2 * (i64)tiles], unit), 0));
}

/// Least squared distance of a lane's targets from those sources of a tile that are close to the warp's box: few.
HB_DEVICE_FN real closest_in_tile(HB_LOCAL const Real4* stage, i32 count, HB_LOCAL const real* box, real close2,
                                  const Target* t) {
  real closest = HB_NEVER;
#pragma unroll 1
  for (i32 j = 0; j < count; ++j) {
    const Real4 s = stage[j];
    if (gap2_to_box(box, s, s) < close2) {
#pragma unroll
      for (i32 k = 0; k < HB_DIRECT_TARGETS; ++k) {
        closest = hb_min(closest, pair_distance2(HB_PAIRS_SPLINE, s, 0, &t[k]));
      }
    }
  }
  return closest;
}

/// One tile. own: whether it holds targets of the warp; close: whether it may hold sources too close to them; box: of
/// the warp's targets.
HB_DEVICE_FN void meet_tile(ParticlesView p, WalkOptions options, GroupWalkOptions walk, HB_LOCAL const Real4* stage,
                            HB_LOCAL const real* stage_soft2, i32 first, i32 count, i32 own, i32 close, real close2,
                            HB_LOCAL const real* box, HB_LOCAL Real4* lost, Target* t) {
  const NearSources near = {first, count, 0, p.mass + first, p.soft2 + first};
  real closest = close2;
  if (own) {
    if (walk.pairs == HB_PAIRS_UNIFORM)
      closest = pull_near_tile(HB_PAIRS_UNIFORM, stage, stage_soft2, near, walk.soft2, t);
    if (walk.pairs == HB_PAIRS_EACH) closest = pull_near_tile(HB_PAIRS_EACH, stage, stage_soft2, near, walk.soft2, t);
    if (walk.pairs == HB_PAIRS_SPLINE)
      closest = pull_near_tile(HB_PAIRS_SPLINE, stage, stage_soft2, near, walk.soft2, t);
  } else if (walk.pairs == HB_PAIRS_UNIFORM) {
    pull_many_sources(HB_PAIRS_UNIFORM, stage, stage_soft2, count, walk.soft2, t);
  } else if (walk.pairs == HB_PAIRS_EACH) {
    pull_many_sources(HB_PAIRS_EACH, stage, stage_soft2, count, walk.soft2, t);
  } else {
    pull_many_sources(HB_PAIRS_SPLINE, stage, stage_soft2, count, walk.soft2, t);
  }
  if (close && !own) closest = closest_in_tile(stage, count, box, close2, t);
  if (closest < close2) pull_exactly(walk.pairs, p, options, near, walk.soft2, HB_DIRECT_TARGETS, t);
  carry_runs(HB_DIRECT_TARGETS, t, lost, HB_BLOCK);
}

/// Block b sums share b % shares of the tiles for span b / shares of the targets: parts[4 (i shares + share) ...],
/// acceleration and potential of particle i. boxes: of the `tiles` tiles, as bound_blocks leaves them.
HB_CROWDED_KERNEL(sum_direct)
(WalkOptions options, GroupWalkOptions walk, i32 shares, i32 tiles, HB_GLOBAL const pos_t* boxes,
 HB_GLOBAL real* parts HB_PARTICLE_FIELDS(HB_FIELD_ARGUMENT)) {
  HB_BLOCK_ARRAY(Real4, stage, HB_BLOCK);
  HB_BLOCK_ARRAY(real, stage_soft2, HB_BLOCK);
  HB_BLOCK_ARRAY(Real4, lost, HB_DIRECT_SPAN);
  HB_BLOCK_ARRAY(real, warp_boxes, HB_BLOCK_WARPS * HB_BOX_VALUES);
  HB_PARTICLES(particles)
  const i32 item = hb_block_item(), share = hb_block() % shares;
  const i32 n = options.particles, begin = hb_block() / shares * HB_DIRECT_SPAN;
  const i32 end = hb_min(begin + HB_DIRECT_SPAN, n), centre = begin + (end - begin) / 2;
  const i32 mine = begin + item / HB_WARP * HB_WARP_SPAN;  // the warp's targets begin here
  Target t[HB_DIRECT_TARGETS];
#pragma unroll
  for (i32 k = 0; k < HB_DIRECT_TARGETS; ++k) {
    t[k] = direct_target(particles, options, mine + k * HB_WARP + item % HB_WARP, centre);
    lost[k * HB_BLOCK + item] = hb_real4(0, 0, 0, 0);
  }
  boxes_of_warps(particles, begin, end, centre, options.unit, warp_boxes, item);
  hb_block_sync();
  const real close2 = too_close2(warp_boxes);
  HB_LOCAL const real* const box = warp_boxes + item / HB_WARP * HB_BOX_VALUES;
  for (i32 tile = share; tile < tiles; tile += shares) {
    const i32 first = tile * HB_BLOCK, count = hb_min(n - first, HB_BLOCK), j = hb_min(first + item, n - 1);
    hb_block_sync();
    stage[item] = hb_real4(internal_way(particles.x[centre], particles.x[j], options.unit),
                           internal_way(particles.y[centre], particles.y[j], options.unit),
                           internal_way(particles.z[centre], particles.z[j], options.unit), particles.mass[j]);
    stage_soft2[item] = particles.soft2[j];
    const i32 own = first < mine + HB_WARP_SPAN && first + count > mine;
    const i32 close = gap2_to_tile(box, particles, centre, options.unit, boxes, tiles, tile) < close2;
    hb_block_sync();
    meet_tile(particles, options, walk, stage, stage_soft2, first, count, own, close, close2, box, lost + item, t);
  }
#pragma unroll
  for (i32 k = 0; k < HB_DIRECT_TARGETS; ++k) {
    if (t[k].particle >= n) continue;
    const Real4 l = lost[k * HB_BLOCK + item];
    HB_GLOBAL real* part = parts + 4 * (t[k].particle * (i64)shares + share);
    part[0] = t[k].sum.x + l.x;
    part[1] = t[k].sum.y + l.y;
    part[2] = t[k].sum.z + l.z;
    part[3] = t[k].sum.w + l.w;
  }
}

HB_KERNELS_CLOSE
#endif
