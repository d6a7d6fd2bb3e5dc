// SPDX-License-Identifier: Apache-2.0
// moments, on a device, of the order that HB_EXPANSION asks for: leaves all at once, one a lane and large ones one a
// block, nodes level by level.
#ifndef HORNBEAM_DEVICE_KERNELS_MOMENTS_H
#define HORNBEAM_DEVICE_KERNELS_MOMENTS_H
#include "device/kernels/language.h"
#include "stages/build.h"
#include "stages/moments.h"
HB_KERNELS_OPEN

/// Highest order of moments that are made; known to the compiler, so that they stay in registers.
#define HB_MOMENT_ORDER (HB_EXPANSION > 2 ? HB_EXPANSION : 2)

/// Values of a cell that hold them, to the next multiple of four.
#define HB_MOMENT_ROOM ((HB_MOMENTS(HB_MOMENT_ORDER) + 3) / 4 * 4)

/// Multipoles that lanes, or the items of a large leaf, exchange at a time; odd, so that they meet different banks.
#define HB_MOMENT_ROW (HB_CHILDREN + 1)

/// Writes the multipoles M of each lane's cell, that lane's of the HB_WARP from `begin` on, if its bit of `leaves` is
/// set. Eight lanes write a cell side by side, since single values would cost the memory as much as 32 bytes each.
HB_DEVICE_FN void write_leaves(Warp warp, HB_LOCAL real* row, const sum_t* M, u32 leaves, i32 begin, CellsView cells,
                               i32 moment_stride) {
  const i32 own = warp.lane % HB_CHILDREN;
#pragma unroll
  for (i32 k = 0; k < HB_MOMENTS(HB_MOMENT_ORDER); k += HB_CHILDREN) {
#pragma unroll
    for (i32 v = 0; v < HB_CHILDREN; ++v) {
      if (k + v < HB_MOMENTS(HB_MOMENT_ORDER)) row[warp.lane * HB_MOMENT_ROW + v] = (real)M[k + v];
    }
    warp_sync();
#pragma unroll
    for (i32 v = 0; v < HB_CHILDREN; ++v) {
      const i32 cell = warp.lane / HB_CHILDREN + v * (HB_WARP / HB_CHILDREN);
      if ((leaves >> cell & 1u) && k + own < HB_MOMENTS(HB_MOMENT_ORDER)) {
        cells.moments[(begin + cell) * (u64)moment_stride + k + own] = row[cell * HB_MOMENT_ROW + own];
      }
    }
    warp_sync();
  }
}

/// All leaves but large ones: a lane each.
HB_WARP_KERNEL(moments_of_leaves) {
  HB_WARP_ARRAY(real, row, HB_WARP * HB_MOMENT_ROW);
  HB_MAKE_WARP(warp);
  HB_PARTICLES(particles)
  HB_CELLS(cells)
  options.moment_order = HB_MOMENT_ORDER;
  const i32 begin = hb_warp_item() * HB_WARP, c = begin + warp.lane;
  i32 is = c < options.cells, start = 0, n = 0;
  if (is) {  // all three at once
    start = cells.first[c];
    n = cells.count[c];
    is = (cells.children[c] == 0) & (n <= HB_LARGE_LEAF);
  }
  const u32 leaves = warp_ballot(warp, is);
  sum_t M[HB_MOMENTS(HB_MOMENT_ORDER)];
#pragma unroll
  for (i32 k = 0; k < HB_MOMENTS(HB_MOMENT_ORDER); ++k) M[k] = 0;
  if (is) leaf_of_one_part(c, start, n, cells, particles, cube, level_of_cell(c, levels), options, M);
  write_leaves(warp, row, M, leaves, begin, cells, options.moment_stride);
}

/// The large ones among the leaves from `begin` on, one a block: an item for each part, as moments_large_leaf() says.
/// Every item adds the parts' sums up for itself.
HB_HEAVY_KERNEL(moments_of_large_leaves) {
  HB_BLOCK_ARRAY(LeafSums, part, HB_LEAF_PARTS);
  HB_BLOCK_ARRAY(sum_t, row, HB_LEAF_PARTS * HB_MOMENT_ROW);
  HB_BLOCK_ARRAY(sum_t, bounds, HB_LEAF_PARTS);
  HB_PARTICLES(particles)
  HB_CELLS(cells)
  const i32 c = begin + hb_block(), own = hb_block_item();
  const i32 start = cells.first[c], n = cells.count[c];
  const i32 is = cells.children[c] == 0 && n > HB_LARGE_LEAF, sums = is && own < HB_LEAF_PARTS;
  HB_LEAVE_SURPLUS(!is);
  options.moment_order = HB_MOMENT_ORDER;
  if (sums) part[own] = sum_part(start, n, own, particles, options.unit);
  hb_block_sync();
  CellSums s = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  if (is) {
    LeafSums all = part[0];
    for (i32 k = 1; k < HB_LEAF_PARTS; ++k) all = add_parts(all, part[k]);
    s = leaf_of_sums(start, n, all, particles, options.unit);
  }
  sum_t P[HB_MOMENTS(HB_MOMENT_ORDER)];
  if (sums) bounds[own] = multipoles_of_part(start, n, own, particles, s, options, P);
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
    s.b = leaf_bound(s, b2);
    const i32 level = level_of_cell(c, levels);
    write_cell(c, cells, s, centre_of_cell(start, particles, cube, level), cube, level, options);
  }
}

/// A node, and where its particles and children are.
typedef struct {
  i32 cell, first, child, children;
} NodeLinks;

/// What the lanes of a warp show each other of them.
typedef struct {
  NodeLinks node[HB_WARP];           ///< those that were found
  CellCentre centre[HB_WARP_NODES];  ///< kept here, as the sums, for want of registers
  CellSums sums[HB_WARP_NODES];
  ChildCell child[HB_WARP_NODES * HB_MOMENT_ROW];  ///< with a gap between nodes, that they meet different banks
  sum_t row[HB_WARP * HB_MOMENT_ROW];
} SharedNodes;

/// Reads a cell's multipoles four at a time (HB_MOMENT_STRIDE).
HB_DEVICE_FN void read_multipoles(i32 k, CellsView cells, i32 moment_stride, real* C) {
  HB_GLOBAL const Real4* const fours = (HB_GLOBAL const Real4*)(cells.moments + k * (u64)moment_stride);
#pragma unroll
  for (i32 v = 0; v < HB_MOMENT_ROOM; v += 4) {
    const Real4 four = fours[v / 4];
    C[v] = four.x;
    C[v + 1] = four.y;
    C[v + 2] = four.z;
    C[v + 3] = four.w;
  }
}

/// Box, centre of mass and softening of a node from its children.
HB_DEVICE_FN CellSums sum_shared(NodeLinks node, HB_LOCAL const ChildCell* children, CellsView cells, pos_t unit) {
  NodeSums s = no_children(children[0].com_x, children[0].com_y, children[0].com_z);
  for (i32 k = 0; k < node.children; ++k) s = add_child(s, children[k], unit);
  return node_of_sums(node.cell, s, cells, unit);
}

/// Writes the sums over a node's children, in their order, of their parts P of its multipoles; 0 in lanes without one,
/// so that all are read at once.
HB_DEVICE_FN void sum_multipoles(Warp warp, HB_LOCAL sum_t* row, const sum_t* P, NodeLinks node, CellsView cells,
                                 i32 moment_stride) {
  const i32 own = warp.lane % HB_CHILDREN, lane = warp.lane - own;
#pragma unroll
  for (i32 k = 0; k < HB_MOMENTS(HB_MOMENT_ORDER); k += HB_CHILDREN) {
#pragma unroll
    for (i32 v = 0; v < HB_CHILDREN; ++v) {
      if (k + v < HB_MOMENTS(HB_MOMENT_ORDER)) row[warp.lane * HB_MOMENT_ROW + v] = P[k + v];
    }
    warp_sync();
    sum_t M = 0;
#pragma unroll
    for (i32 child = 0; child < HB_CHILDREN; ++child) M += row[(lane + child) * HB_MOMENT_ROW + own];
    if (node.children > 0 && k + own < HB_MOMENTS(HB_MOMENT_ORDER)) {
      cells.moments[node.cell * (u64)moment_stride + k + own] = (real)M;
    }
    warp_sync();
  }
}

/// Four nodes, each by eight lanes, one for each child (moments_node() says what). All that they read is requested
/// before any of it is used: a level of few nodes takes as long as the memory is waited for.
HB_DEVICE_FN void moments_of_four(Warp warp, HB_LOCAL SharedNodes* shared, NodeLinks node, CellsView cells,
                                  ParticlesView particles, KeyCube cube, i32 level, WalkOptions options) {
  const i32 own = warp.lane % HB_CHILDREN, place = warp.lane / HB_CHILDREN, first = own == 0 && node.children > 0;
  HB_LOCAL ChildCell* const siblings = shared->child + place * HB_MOMENT_ROW;
  ChildCell child = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  CellCentre centre = {0, 0, 0};
  real C[HB_MOMENT_ROOM];
  if (own < node.children) {
    read_multipoles(node.child + own, cells, options.moment_stride, C);
    child = child_cell(node.child + own, cells);
    centre = centre_of_cell(node.first, particles, cube, level);
  }
  if (first) shared->centre[place] = centre;
  siblings[own] = child;
  warp_sync();
  CellSums s = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  if (node.children > 0) s = sum_shared(node, siblings, cells, options.unit);
  if (first) shared->sums[place] = s;
  sum_t P[HB_MOMENTS(HB_MOMENT_ORDER)];
#pragma unroll
  for (i32 k = 0; k < HB_MOMENTS(HB_MOMENT_ORDER); ++k) P[k] = 0;
  const sum_t bound = own < node.children ? multipoles_of_child(child, C, s, options, P) : 0;
  warp_sync();
  siblings[own].b = bound;
  sum_multipoles(warp, shared->row, P, node, cells, options.moment_stride);
  if (first) {
    s = shared->sums[place];
#pragma unroll
    for (i32 k = 0; k < HB_CHILDREN; ++k) s.b = hb_max(s.b, siblings[k].b);
    s.b = node_bound(s, options.unit);
    write_cell(node.cell, cells, s, shared->centre[place], cube, level, options);
  }
  warp_sync();
}

/// Nodes of `level`, whose cells are [begin, end). Each of `warps` looks for them among every warps-th four of cells,
/// HB_WARP cells at most: nodes stand close together, and of warps that looked among neighbours some would find none
/// and others too many.
HB_WARP_KERNEL(moments_of_nodes) {
  HB_WARP_ARRAY(SharedNodes, shared, 1);
  HB_MAKE_WARP(warp);
  HB_PARTICLES(particles)
  HB_CELLS(cells)
  options.moment_order = HB_MOMENT_ORDER;
  const i32 item = hb_warp_item(), four = item + warp.lane / HB_WARP_NODES * warps;
  const i32 c = begin + four * HB_WARP_NODES + warp.lane % HB_WARP_NODES;
  NodeLinks link = {c, 0, 0, 0};
  if (item < warps && c < end) {
    link.children = cells.children[c];
    link.child = cells.child[c];
    link.first = cells.first[c];
  }
  const u32 bits = warp_ballot(warp, link.children > 0);
  if (link.children > 0) shared->node[hb_popcount(bits & ((1u << warp.lane) - 1u))] = link;
  warp_sync();
  const i32 found = hb_popcount(bits);
  for (i32 k = 0; hb_all_go_on(k < found); k += HB_WARP_NODES) {
    const i32 at = k + warp.lane / HB_CHILDREN;
    NodeLinks node = {0, 0, 0, 0};
    if (at < found) node = shared->node[at];
    moments_of_four(warp, shared, node, cells, particles, cube, level, options);
  }
}

HB_KERNELS_CLOSE
#endif
