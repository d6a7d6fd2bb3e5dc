// SPDX-License-Identifier: Apache-2.0
// key: the place of each particle along the curve. After bound, before sort.
#ifndef HORNBEAM_STAGES_KEY_H
#define HORNBEAM_STAGES_KEY_H
#include "physics/curve.h"
#include "stages/views.h"
HB_OPEN

/// The cube that keys divide: all but the outermost 0.1 % of the particles; the others are clamped to its faces.
typedef struct {
  pos_t x, y, z;           ///< lower corner
  pos_t edge;              ///< > 0
  pos_t cells_per_length;  ///< 2^21 / edge
  pos_t extent;            ///< longest edge of the box of all particles
} KeyCube;

HB_FN u64 particle_key(pos_t x, pos_t y, pos_t z, KeyCube cube, i32 curve) {
  return curve_key(curve, grid_coordinate(x, cube.x, cube.cells_per_length),
                   grid_coordinate(y, cube.y, cube.cells_per_length),
                   grid_coordinate(z, cube.z, cube.cells_per_length));
}

/// Lower face, along one axis, of the cell of `level` that holds coordinate x.
HB_FN pos_t cell_low(pos_t x, pos_t low, KeyCube cube, i32 level) {
  const i32 shift = HB_LEVELS - level;
  const u32 grid = (grid_coordinate(x, low, cube.cells_per_length) >> shift) << shift;
  return low + (pos_t)grid * (cube.edge * (pos_t)(1.0f / (1 << HB_LEVELS)));
}

HB_CLOSE
#endif
