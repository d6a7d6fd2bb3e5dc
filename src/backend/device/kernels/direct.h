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

/// Boxes of the targets of each of the block's warps, least x, y, z, then largest, by an item a value. begin, end: the
/// block's targets.
HB_DEVICE_FN void boxes_of_warps(ParticlesView p, i32 begin, i32 end, HB_LOCAL pos_t* boxes, i32 item) {
  if (item >= HB_BLOCK_WARPS * HB_BOX_VALUES) return;
  const i32 value = item % HB_BOX_VALUES, axis = value % 3;
  const pos_t sign = value < 3 ? 1 : -1;
  HB_GLOBAL const pos_t* x = axis == 0 ? p.x : (axis == 1 ? p.y : p.z);
  const i32 first = hb_min(begin + item / HB_BOX_VALUES * HB_WARP_SPAN, end - 1);
  pos_t least = sign * x[first];
#pragma unroll 8
  for (i32 i = first + 1; i < hb_min(first + HB_WARP_SPAN, end); ++i) least = hb_min(least, sign * x[i]);
  boxes[item] = sign * least;
}

/// Squared distance below which pairs of the block's targets are summed exactly.
HB_DEVICE_FN real too_close2(HB_LOCAL const pos_t* boxes, pos_t unit) {
  real diagonal2 = 0;
#pragma unroll
  for (i32 axis = 0; axis < 3; ++axis) {
    pos_t low = boxes[axis], high = boxes[3 + axis];
    for (i32 w = 1; w < HB_BLOCK_WARPS; ++w) {
      low = hb_min(low, boxes[w * HB_BOX_VALUES + axis]);
      high = hb_max(high, boxes[w * HB_BOX_VALUES + 3 + axis]);
    }
    const real edge = internal_way(low, high, unit);
    diagonal2 = hb_fma(edge, edge, diagonal2);
  }
  return diagonal2 * (real)(0.25f * HB_CLOSE_IN_SUM * HB_CLOSE_IN_SUM);
}

/// Squared distance of a tile's box from that of a warp's targets.
HB_DEVICE_FN real gap2_to_tile(HB_LOCAL const pos_t* box, HB_GLOBAL const pos_t* boxes, i32 tiles, i32 tile,
                               pos_t unit) {
  real gap2 = 0;
#pragma unroll
  for (i32 k = 0; k < 3; ++k) {
    const real none = 0, above = internal_way(box[3 + k], boxes[k * (i64)tiles + tile], unit),
               below = internal_way(boxes[(3 + k) * (i64)tiles + tile], box[k], unit);
    const real gap = hb_max(hb_max(above, below), none);
    gap2 = hb_fma(gap, gap, gap2);
  }
  return gap2;
}

/// One tile; `close`: whether it holds targets of the warp, or pairs that may be too close.
HB_DEVICE_FN void meet_tile(ParticlesView p, WalkOptions options, GroupWalkOptions walk, HB_LOCAL const Real4* stage,
                            HB_LOCAL const real* stage_soft2, i32 first, i32 count, i32 close, real close2,
                            HB_LOCAL Real4* lost, Target* t) {
  if (close) {
    const NearSources near = {first, count, 0, p.mass + first, p.soft2 + first};
    real closest = close2;
    if (walk.pairs == HB_PAIRS_UNIFORM)
      closest = pull_near_tile(HB_PAIRS_UNIFORM, stage, stage_soft2, near, walk.soft2, t);
    if (walk.pairs == HB_PAIRS_EACH) closest = pull_near_tile(HB_PAIRS_EACH, stage, stage_soft2, near, walk.soft2, t);
    if (walk.pairs == HB_PAIRS_SPLINE)
      closest = pull_near_tile(HB_PAIRS_SPLINE, stage, stage_soft2, near, walk.soft2, t);
    if (closest < close2) pull_exactly(walk.pairs, p, options, near, walk.soft2, HB_DIRECT_TARGETS, t);
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
/// acceleration and potential of particle i. boxes: of the `tiles` tiles, as bound_blocks leaves them.
HB_CROWDED_KERNEL(sum_direct)
(WalkOptions options, GroupWalkOptions walk, i32 shares, i32 tiles, HB_GLOBAL const pos_t* boxes,
 HB_GLOBAL real* parts HB_PARTICLE_FIELDS(HB_FIELD_ARGUMENT)) {
  HB_BLOCK_ARRAY(Real4, stage, HB_BLOCK);
  HB_BLOCK_ARRAY(real, stage_soft2, HB_BLOCK);
  HB_BLOCK_ARRAY(Real4, lost, HB_DIRECT_SPAN);
  HB_BLOCK_ARRAY(pos_t, warp_boxes, HB_BLOCK_WARPS * HB_BOX_VALUES);
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
  boxes_of_warps(particles, begin, end, warp_boxes, item);
  hb_block_sync();
  const real close2 = too_close2(warp_boxes, options.unit);
  HB_LOCAL const pos_t* const box = warp_boxes + item / HB_WARP * HB_BOX_VALUES;
  for (i32 tile = share; tile < tiles; tile += shares) {
    const i32 first = tile * HB_BLOCK, count = hb_min(n - first, HB_BLOCK), j = hb_min(first + item, n - 1);
    hb_block_sync();
    stage[item] = hb_real4(internal_way(particles.x[centre], particles.x[j], options.unit),
                           internal_way(particles.y[centre], particles.y[j], options.unit),
                           internal_way(particles.z[centre], particles.z[j], options.unit), particles.mass[j]);
    stage_soft2[item] = particles.soft2[j];
    const i32 own = first < mine + HB_WARP_SPAN && first + count > mine;
    const i32 close = own || gap2_to_tile(box, boxes, tiles, tile, options.unit) < close2;
    hb_block_sync();
    meet_tile(particles, options, walk, stage, stage_soft2, first, count, close, close2, lost + item, t);
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
