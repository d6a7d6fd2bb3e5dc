// SPDX-License-Identifier: Apache-2.0
// Direct summation on a device: a block's targets, HB_DIRECT_TARGETS an item and neighbours along the curve, meet its
// share of the particles tile by tile, as differences to the block's centre. Targets on either side of a gap make these
// coarse, so that sources close to a warp's targets are marked, and pairs closer than differences to one centre can
// show are summed again, each from its own difference of positions.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_DIRECT_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_DIRECT_H
#include "device/kernels/box.h"
#include "interactions/gravity/kernels/targets.h"
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
/// Words of HB_WARP bits, one bit a source of a tile.
#define HB_MARK_WORDS (HB_BLOCK / HB_WARP)

/// boxes[w]: of the targets of warp w; boxes[HB_BLOCK_WARPS]: of all the block's. rooms: 2 HB_BLOCK, used meanwhile.
HB_DEVICE_FN void boxes_of_warps(const Target* t, HB_LOCAL Real4* rooms, HB_LOCAL Box* boxes, i32 item) {
  Box box = box_of_point(t->x, t->y, t->z);
#pragma unroll
  for (i32 k = 1; k < HB_DIRECT_TARGETS; ++k) box = join_boxes(box, box_of_point(t[k].x, t[k].y, t[k].z));
  rooms[2 * item] = box.low;
  rooms[2 * item + 1] = box.high;
  hb_block_sync();
  if (item < HB_BLOCK_WARPS) {
    for (i32 k = item * HB_WARP; k < (item + 1) * HB_WARP; ++k) {
      Box other;
      other.low = rooms[2 * k];
      other.high = rooms[2 * k + 1];
      box = k > item * HB_WARP ? join_boxes(box, other) : other;
    }
    boxes[item] = box;
  }
  hb_block_sync();
  if (item == 0) {
    for (i32 w = 0; w < HB_BLOCK_WARPS; ++w) box = join_boxes(box, boxes[w]);
    boxes[HB_BLOCK_WARPS] = box;
  }
  hb_block_sync();
}

/// Marks source `item` of a tile, which is at s, for each warp whose targets' box is close to it: a source in 300 is.
HB_DEVICE_FN void mark_close(HB_LOCAL const Box* boxes, Real4 s, real close2, i32 item, HB_LOCAL u32* marks) {
  const Box source = box_of_point(s.x, s.y, s.z);
  if (between_boxes2(boxes[HB_BLOCK_WARPS], source) >= close2) return;
  for (i32 w = 0; w < HB_BLOCK_WARPS; ++w) {
    if (between_boxes2(boxes[w], source) < close2) {
      hb_atomic_or(&marks[w * HB_MARK_WORDS + item / HB_WARP], 1u << (item % HB_WARP));
    }
  }
}

/// A tile of sources laid out in local memory, and what a warp knows of it. What is seldom needed stays in local
/// memory, too: more registers for the loop over sources are worth 2 % of all time.
typedef struct {
  HB_LOCAL const Real4* stage;
  HB_LOCAL const real* stage_soft2;
  HB_LOCAL const u32* marks;          ///< sources close to the warp's targets
  HB_LOCAL const real* target_soft2;  ///< of the lane's targets, HB_BLOCK apart
  HB_LOCAL const real* close2;        ///< squared distance below which pairs are summed exactly
  i32 first, count;
  i32 own;  ///< whether it holds targets of the warp
} Tile;

/// Least squared distance of a lane's targets from the marked sources, no less than close2 where there is none.
HB_DEVICE_FN real closest_marked(const Tile* tile, const Target* t) {
  real closest = *tile->close2;
  u32 any = 0;
#pragma unroll
  for (i32 word = 0; word < HB_MARK_WORDS; ++word) any |= tile->marks[word];
  if (!any) return closest;
#pragma unroll 1
  for (i32 word = 0; word < HB_MARK_WORDS; ++word) {
    for (u32 bits = tile->marks[word]; bits; bits &= bits - 1u) {
      const Real4 s = tile->stage[word * HB_WARP + hb_lowest_bit(bits)];
#pragma unroll
      for (i32 k = 0; k < HB_DIRECT_TARGETS; ++k) {
        closest = hb_least(closest, softened_distance2(HB_PAIRS_SPLINE, s, 0, &t[k]));
      }
    }
  }
  return closest;
}

/// Sums a tile's attraction of a lane's targets. Returns the least squared distance in one with targets, or close2.
HB_DEVICE_FN real pull_tile(i32 pairs, const Tile* tile, NearSources sources, real soft2_for_all, Target* t) {
  if (pairs != HB_PAIRS_UNIFORM) {
#pragma unroll
    for (i32 k = 0; k < HB_DIRECT_TARGETS; ++k) t[k].soft2 = tile->target_soft2[k * HB_BLOCK];
  }
  if (tile->own) {
    return pull_near(HB_DIRECT_TARGETS, pairs, tile->stage, tile->stage_soft2, sources, soft2_for_all, t);
  }
  pull_many_sources(pairs, tile->stage, tile->stage_soft2, sources.count, soft2_for_all, t);
  return *tile->close2;
}

/// The same, pairs that are too close from their own differences of positions.
HB_DEVICE_FN void meet_tile(const Tile* tile, ParticlesView p, WalkOptions options, GroupWalkOptions walk, Target* t) {
  const i32 first = tile->first;
  const NearSources sources = {first, tile->count, 0, p.mass + first, p.soft2 + first};
  real closest;
  if (walk.pairs == HB_PAIRS_UNIFORM) {
    closest = pull_tile(HB_PAIRS_UNIFORM, tile, sources, walk.soft2, t);
  } else if (walk.pairs == HB_PAIRS_EACH) {
    closest = pull_tile(HB_PAIRS_EACH, tile, sources, walk.soft2, t);
  } else {
    closest = pull_tile(HB_PAIRS_SPLINE, tile, sources, walk.soft2, t);
  }
  if (!tile->own) closest = closest_marked(tile, t);
  if (closest < *tile->close2) {
    const TargetPlaces places = {p, t[0].particle, options.particles - 1};
    pull_exactly(walk.pairs, p, places, options.unit, sources, walk.soft2, HB_DIRECT_TARGETS, t);
  }
}

/// Block b sums share b % shares of the tiles for span b / shares of the rank's targets: parts[4 (i shares + share)
/// ...], acceleration and potential of particle i.
HB_CROWDED_KERNEL(sum_direct) {
  HB_BLOCK_ARRAY(Real4, stage, HB_BLOCK);
  HB_BLOCK_ARRAY(real, stage_soft2, HB_BLOCK);
  HB_BLOCK_ARRAY(Real4, lost, HB_DIRECT_SPAN);
  HB_BLOCK_ARRAY(real, target_soft2, HB_DIRECT_SPAN);
  HB_BLOCK_ARRAY(real, close2, 1);
  HB_BLOCK_ARRAY(Box, boxes, HB_BLOCK_WARPS + 1);
  HB_BLOCK_ARRAY(u32, marks, 2 * HB_BLOCK_WARPS * HB_MARK_WORDS);
  HB_PARTICLES(particles)
  const i32 item = hb_block_item(), share = hb_block() % shares;
  const i32 n = options.particles,
            begin = unit_of_rank(walk.share, hb_block() / shares, HB_DIRECT_SPAN) * HB_DIRECT_SPAN;
  const i32 end = hb_min(begin + HB_DIRECT_SPAN, n), centre = begin + (end - begin) / 2;
  const i32 mine = begin + item / HB_WARP * HB_WARP_SPAN;  // the warp's targets begin here
  Target t[HB_DIRECT_TARGETS];
#pragma unroll
  for (i32 k = 0; k < HB_DIRECT_TARGETS; ++k) {
    t[k] = direct_target(particles, options, mine + k * HB_WARP + item % HB_WARP, centre);
  }
  boxes_of_warps(t, lost, boxes, item);
#pragma unroll
  for (i32 k = 0; k < HB_DIRECT_TARGETS; ++k) {
    lost[k * HB_BLOCK + item] = hb_real4(0, 0, 0, 0);
    target_soft2[k * HB_BLOCK + item] = t[k].soft2;
  }
  if (item == 0) close2[0] = diagonal2(boxes[HB_BLOCK_WARPS]) * (real)(0.25f * HB_CLOSE_IN_SUM * HB_CLOSE_IN_SUM);
  if (item < HB_BLOCK_WARPS * HB_MARK_WORDS) marks[item] = 0;
  hb_block_sync();
  Tile tile;
  tile.stage = stage;
  tile.stage_soft2 = stage_soft2;
  tile.target_soft2 = target_soft2 + item;
  tile.close2 = close2;
  const i32 tiles = (n + HB_BLOCK - 1) / HB_BLOCK, all_marks = HB_BLOCK_WARPS * HB_MARK_WORDS;
  i32 marked = 0, next = all_marks;  // where the marks of this tile and of the next one begin
  for (i32 number = share; hb_all_go_on(number < tiles); number += shares) {
    const i32 first = number * HB_BLOCK, count = hb_min(n - first, HB_BLOCK), j = hb_min(first + item, n - 1);
    hb_block_sync();
    const Real4 source = hb_real4(internal_way(particles.x[centre], particles.x[j], options.unit),
                                  internal_way(particles.y[centre], particles.y[j], options.unit),
                                  internal_way(particles.z[centre], particles.z[j], options.unit), particles.mass[j]);
    stage[item] = source;
    stage_soft2[item] = particles.soft2[j];
    if (item < all_marks) marks[next + item] = 0;
    if (item < count) mark_close(boxes, source, close2[0], item, marks + marked);
    hb_block_sync();
    tile.marks = marks + marked + item / HB_WARP * HB_MARK_WORDS;
    tile.first = first;
    tile.count = count;
    tile.own = first < mine + HB_WARP_SPAN && first + count > mine;
    meet_tile(&tile, particles, options, walk, t);
    carry_runs(HB_DIRECT_TARGETS, t, lost + item, HB_BLOCK);
    marked = next;
    next = all_marks - marked;
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
