// SPDX-License-Identifier: Apache-2.0
// moments, on a device, of the order that HB_EXPANSION asks for: leaves all at once, nodes level by level.
#ifndef HORNBEAM_DEVICE_MOMENTS_H
#define HORNBEAM_DEVICE_MOMENTS_H
#include "backend/device/kernels/language.h"
#include "stages/build.h"
#include "stages/moments.h"
HB_KERNELS_OPEN

/// Highest order of moments that are made; known to the compiler, so that they stay in registers.
#define HB_MOMENT_ORDER (HB_EXPANSION > 2 ? HB_EXPANSION : 2)

HB_HEAVY_KERNEL(moments_of_leaves)
(WalkOptions options, KeyCube cube,
 LevelTable levels HB_PARTICLE_FIELDS(HB_FIELD_ARGUMENT) HB_CELL_FIELDS(HB_FIELD_ARGUMENT)) {
  HB_PARTICLES(particles)
  HB_CELLS(cells)
  const i32 c = hb_item();
  if (c >= options.cells || cells.children[c] > 0) return;
  options.moment_order = HB_MOMENT_ORDER;
  moments_leaf(c, cells, particles, cube, level_of_cell(c, levels), options);
}

/// Nodes of `level`, whose cells are [begin, end).
HB_HEAVY_KERNEL(moments_of_nodes)
(WalkOptions options, KeyCube cube, i32 level, i32 begin,
 i32 end HB_PARTICLE_FIELDS(HB_FIELD_ARGUMENT) HB_CELL_FIELDS(HB_FIELD_ARGUMENT)) {
  HB_PARTICLES(particles)
  HB_CELLS(cells)
  const i32 c = begin + hb_item();
  if (c >= end || cells.children[c] == 0) return;
  options.moment_order = HB_MOMENT_ORDER;
  moments_node(c, cells, particles, cube, level, options);
}

HB_KERNELS_CLOSE
#endif
