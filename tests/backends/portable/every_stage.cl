// SPDX-License-Identifier: Apache-2.0
// All stages inside an OpenCL kernel, which takes the views field by field. Compiled by portable_test.cpp; never run.
#include "backends/portable/every_stage.h"

__kernel void every(HB_GLOBAL u64* keys, HB_GLOBAL u8* marks, HB_GLOBAL u32* top, HB_GLOBAL pos_t* out,
                    __constant LevelTable* levels, __constant KeyCube* cube, __constant WalkOptions* options,
                    __constant PairOptions* pairs, __constant WithinOptions* radius,
                    __constant NearestOptions* number HB_PARTICLE_FIELDS(HB_FIELD_ARGUMENT)
                        HB_CELL_FIELDS(HB_FIELD_ARGUMENT),
                    HB_GLOBAL u32* input, HB_GLOBAL pos_t* target_x, HB_GLOBAL pos_t* target_y,
                    HB_GLOBAL pos_t* target_z, HB_GLOBAL u32* target_input, HB_GLOBAL pos_t* images,
                    HB_GLOBAL i32* start, HB_GLOBAL pos_t* cell_reach HB_ARRAYS_within(HB_FIELD_ARGUMENT)) {
  HB_PARTICLES(particles)
  HB_CELLS(cells)
  WithinView within;
  NearestView nearest;
  within.pairs = nearest.pairs = *pairs;
  within.options = *radius;
  nearest.options = *number;
#define HB_SET_WITHIN(type, field) within.field = field;
#define HB_SET_NEAREST(type, field) nearest.field = field;
  HB_PAIR_FIELDS(HB_SET_WITHIN)
  HB_PAIR_FIELDS(HB_SET_NEAREST)
  HB_ARRAYS_within(HB_SET_WITHIN) HB_ARRAYS_nearest(HB_SET_NEAREST) every_stage(
      (i32)get_global_id(0), particles, cells, keys, marks, top, *levels, out, *cube, *options, within, nearest);
}
