// SPDX-License-Identifier: Apache-2.0
// moments, on a device, of the order that HB_EXPANSION asks for: leaves all at once, one an item and large ones one a
// block, nodes level by level.
#ifndef HORNBEAM_DEVICE_MOMENTS_H
#define HORNBEAM_DEVICE_MOMENTS_H
#include "backend/device/kernels/language.h"
#include "stages/build.h"
#include "stages/moments.h"
HB_KERNELS_OPEN

/// Highest order of moments that are made; known to the compiler, so that they stay in registers.
#define HB_MOMENT_ORDER (HB_EXPANSION > 2 ? HB_EXPANSION : 2)

/// Multipoles that the lanes of a node, or the items of a large leaf, exchange at a time, one for each of eight of them
/// to sum; odd, so that they meet different banks.
#define HB_MOMENT_ROW (HB_CHILDREN + 1)

HB_HEAVY_KERNEL(moments_of_leaves)
(WalkOptions options, KeyCube cube,
 LevelTable levels HB_PARTICLE_FIELDS(HB_FIELD_ARGUMENT) HB_CELL_FIELDS(HB_FIELD_ARGUMENT)) {
  HB_PARTICLES(particles)
  HB_CELLS(cells)
  const i32 c = hb_item();
  if (c >= options.cells || cells.children[c] > 0 || cells.count[c] > HB_LARGE_LEAF) return;
  options.moment_order = HB_MOMENT_ORDER;
  moments_leaf(c, cells, particles, cube, level_of_cell(c, levels), options);
}

/// The large ones among the leaves from `begin` on, one a block: an item for each part, as moments_large_leaf() says.
/// Every item adds the parts' sums up for itself.
HB_HEAVY_KERNEL(moments_of_large_leaves)
(WalkOptions options, KeyCube cube, LevelTable levels,
 i32 begin HB_PARTICLE_FIELDS(HB_FIELD_ARGUMENT) HB_CELL_FIELDS(HB_FIELD_ARGUMENT)) {
  HB_BLOCK_ARRAY(LeafSums, part, HB_LEAF_PARTS);
  HB_BLOCK_ARRAY(sum_t, row, HB_LEAF_PARTS * HB_MOMENT_ROW);
  HB_BLOCK_ARRAY(sum_t, bounds, HB_LEAF_PARTS);
  HB_PARTICLES(particles)
  HB_CELLS(cells)
  const i32 c = begin + hb_block(), own = hb_block_item();
  const i32 is = cells.children[c] == 0 && cells.count[c] > HB_LARGE_LEAF, sums = is && own < HB_LEAF_PARTS;
  HB_LEAVE_SURPLUS(!is);
  options.moment_order = HB_MOMENT_ORDER;
  if (sums) part[own] = sum_part(c, own, cells, particles, options.unit);
  hb_block_sync();
  CellSums s = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  if (is) {
    LeafSums all = part[0];
    for (i32 k = 1; k < HB_LEAF_PARTS; ++k) all = add_parts(all, part[k]);
    s = leaf_of_sums(c, all, cells, particles, options.unit);
  }
  sum_t P[HB_MOMENTS(HB_MOMENT_ORDER)];
  if (sums) bounds[own] = multipoles_of_part(c, own, cells, particles, s, options, P);
#pragma unroll
  for (i32 k = 0; k < HB_MOMENTS(HB_MOMENT_ORDER); k += HB_CHILDREN) {
#pragma unroll
    for (i32 v = 0; v < HB_CHILDREN; ++v) {
      if (sums && k + v < HB_MOMENTS(HB_MOMENT_ORDER)) row[own * HB_MOMENT_ROW + v] = P[k + v];
    }
    hb_block_sync();
    if (is && own < HB_CHILDREN && k + own < HB_MOMENTS(HB_MOMENT_ORDER)) {
      sum_t M = 0;
      for (i32 p = 0; p < HB_LEAF_PARTS; ++p) M += row[p * HB_MOMENT_ROW + own];
      cells.moments[c * (u64)options.moment_stride + k + own] = (real)M;
    }
    hb_block_sync();
  }
  if (is && own == 0) {
    sum_t b2 = 0;
    for (i32 k = 0; k < HB_LEAF_PARTS; ++k) b2 = hb_max(b2, bounds[k]);
    s.b = hb_sqrt(b2);
    write_cell(c, cells, particles, s, cube, level_of_cell(c, levels), options);
  }
}

/// Writes the sums over a node's children, in their order, of their parts P of its multipoles; 0 in lanes without one,
/// so that all are read at once.
HB_DEVICE_FN void sum_children(Warp warp, HB_LOCAL sum_t* row, const sum_t* P, i32 is, i32 c, CellsView cells,
                               i32 moment_stride) {
  const i32 own = warp.lane % HB_CHILDREN, node = warp.lane - own;
#pragma unroll
  for (i32 k = 0; k < HB_MOMENTS(HB_MOMENT_ORDER); k += HB_CHILDREN) {
#pragma unroll
    for (i32 v = 0; v < HB_CHILDREN; ++v) {
      if (k + v < HB_MOMENTS(HB_MOMENT_ORDER)) row[warp.lane * HB_MOMENT_ROW + v] = P[k + v];
    }
    warp_sync();
    sum_t M = 0;
#pragma unroll
    for (i32 child = 0; child < HB_CHILDREN; ++child) M += row[(node + child) * HB_MOMENT_ROW + own];
    if (is && k + own < HB_MOMENTS(HB_MOMENT_ORDER)) cells.moments[c * (u64)moment_stride + k + own] = (real)M;
    warp_sync();
  }
}

/// Nodes of `level`, whose cells are [begin, end): eight lanes a node, one for each child (moments_node() says what).
HB_WARP_KERNEL(moments_of_nodes)
(WalkOptions options, KeyCube cube, i32 level, i32 begin,
 i32 end HB_PARTICLE_FIELDS(HB_FIELD_ARGUMENT) HB_CELL_FIELDS(HB_FIELD_ARGUMENT)) {
  HB_WARP_ARRAY(sum_t, row, HB_WARP * HB_MOMENT_ROW);
  HB_WARP_ARRAY(sum_t, bounds, HB_WARP);
  HB_MAKE_WARP(warp);
  HB_PARTICLES(particles)
  HB_CELLS(cells)
  options.moment_order = HB_MOMENT_ORDER;
  const i32 own = warp.lane % HB_CHILDREN, node = warp.lane - own;
  const i32 c = begin + (hb_warp_item() * HB_WARP + warp.lane) / HB_CHILDREN;
  const i32 has = c < end ? cells.children[c] : 0, is = has > 0;
  CellSums s = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  sum_t P[HB_MOMENTS(HB_MOMENT_ORDER)];
#pragma unroll
  for (i32 k = 0; k < HB_MOMENTS(HB_MOMENT_ORDER); ++k) P[k] = 0;
  if (is) s = sum_node(c, cells, options.unit);
  bounds[warp.lane] = own < has ? multipoles_of_child(cells.child[c] + own, cells, s, options, P) : 0;
  sum_children(warp, row, P, is, c, cells, options.moment_stride);
  if (is && own == 0) {
#pragma unroll
    for (i32 k = 0; k < HB_CHILDREN; ++k) s.b = hb_max(s.b, bounds[node + k]);
    s.b = hb_min(s.b, farthest_corner(s, options.unit));
    write_cell(c, cells, particles, s, cube, level, options);
  }
}

HB_KERNELS_CLOSE
#endif
