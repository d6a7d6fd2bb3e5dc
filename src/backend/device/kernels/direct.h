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
  clear_field(&t.run), clear_field(&t.sum);
  return t;
}

/// Box of the block's targets, from those of its tiles: least x, y, z, then largest, by the first six items.
HB_DEVICE_FN void box_of_span(HB_GLOBAL const pos_t* boxes, i32 tiles, i32 first, HB_LOCAL pos_t* box, i32 item) {
  if (item >= HB_BOX_VALUES) return;
  HB_GLOBAL const pos_t* row = boxes + item * (i64)tiles;
  pos_t value = row[first];
  for (i32 tile = first + 1; tile < hb_min(first + HB_DIRECT_TARGETS, tiles); ++tile) {
    value = item < 3 ? hb_min(value, row[tile]) : hb_max(value, row[tile]);
  }
  box[item] = value;
}

/// Squared distance below which pairs of the block's targets are summed exactly.
HB_DEVICE_FN real too_close2(HB_LOCAL const pos_t* box, pos_t unit) {
  const real x = internal_way(box[0], box[3], unit), y = internal_way(box[1], box[4], unit),
             z = internal_way(box[2], box[5], unit);
  return hb_fma(x, x, hb_fma(y, y, z * z)) * (real)(0.25f * HB_CLOSE_IN_SUM * HB_CLOSE_IN_SUM);
}

/// Squared distance of a tile's box from the block's.
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

#define HB_FAR_TILE 0
#define HB_NEAR_TILE 1  ///< pairs of it may be too close
#define HB_OWN_TILE 2   ///< it holds targets of the block, which do not pull themselves

/// pull_own() or watch_many_sources().
HB_DEVICE_FN real meet_near_tile(i32 pairs, HB_LOCAL const Real4* stage, HB_LOCAL const real* stage_soft2, i32 first,
                                 i32 count, real soft2_for_all, i32 kind, Target* t) {
  return kind == HB_OWN_TILE ? pull_own(pairs, stage, stage_soft2, first, count, soft2_for_all, HB_DIRECT_TARGETS, t)
                             : watch_many_sources(pairs, stage, stage_soft2, count, soft2_for_all, t);
}

/// One tile of a kind.
HB_DEVICE_FN void meet_tile(ParticlesView p, WalkOptions options, GroupWalkOptions walk, HB_LOCAL const Real4* stage,
                            HB_LOCAL const real* stage_soft2, i32 first, i32 count, i32 kind, real close2,
                            HB_LOCAL Real4* lost, Target* t) {
  if (kind != HB_FAR_TILE) {
    real closest = close2;
    if (walk.pairs == HB_PAIRS_UNIFORM)
      closest = meet_near_tile(HB_PAIRS_UNIFORM, stage, stage_soft2, first, count, walk.soft2, kind, t);
    if (walk.pairs == HB_PAIRS_EACH)
      closest = meet_near_tile(HB_PAIRS_EACH, stage, stage_soft2, first, count, walk.soft2, kind, t);
    if (walk.pairs == HB_PAIRS_SPLINE)
      closest = meet_near_tile(HB_PAIRS_SPLINE, stage, stage_soft2, first, count, walk.soft2, kind, t);
    if (closest < close2) {
      pull_exactly(walk.pairs, p, options, first, count, walk.soft2, HB_DIRECT_TARGETS, t);
    }
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
  HB_BLOCK_ARRAY(pos_t, box, HB_BOX_VALUES);
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
  box_of_span(boxes, tiles, begin / HB_BLOCK, box, item);
  hb_block_sync();
  const real close2 = too_close2(box, options.unit);
  for (i32 tile = share; tile < tiles; tile += shares) {
    const i32 first = tile * HB_BLOCK, count = hb_min(n - first, HB_BLOCK), j = hb_min(first + item, n - 1);
    hb_block_sync();
    stage[item] = hb_real4(internal_way(particles.x[centre], particles.x[j], options.unit),
                           internal_way(particles.y[centre], particles.y[j], options.unit),
                           internal_way(particles.z[centre], particles.z[j], options.unit), particles.mass[j]);
    stage_soft2[item] = particles.soft2[j];
    const i32 near = gap2_to_tile(box, boxes, tiles, tile, options.unit) < close2;
    const i32 kind = first < end && first + count > begin ? HB_OWN_TILE : (near ? HB_NEAR_TILE : HB_FAR_TILE);
    hb_block_sync();
    meet_tile(particles, options, walk, stage, stage_soft2, first, count, kind, close2, lost + item, t);
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
