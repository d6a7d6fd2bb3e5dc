// SPDX-License-Identifier: Apache-2.0
// All stages inside an OpenCL kernel, which takes the views field by field. Compiled by portable_test.cpp; never run.
#include "backends/portable/every_stage.h"

__kernel void every(HB_GLOBAL u64* keys, HB_GLOBAL u8* marks, HB_GLOBAL u32* top, HB_GLOBAL pos_t* out,
                    __constant LevelTable* levels, __constant KeyCube* cube, 
                    __constant WalkOptions* options HB_PARTICLE_FIELDS(HB_FIELD_ARGUMENT)
                        HB_CELL_FIELDS(HB_FIELD_ARGUMENT)) {
  HB_PARTICLES(particles)
  HB_CELLS(cells)
#define HB_MAKE_VIEW(NAME, Type, F, W) Type##View NAME;  // with whatever in it
#define HB_GIVE_VIEW(NAME, Type, F, W) , NAME
  HB_PAIR_VISITORS(HB_MAKE_VIEW, , )
  every_stage((i32)get_global_id(0), particles, cells, keys, marks, top, *levels, out, *cube, *options HB_PAIR_VISITORS(HB_GIVE_VIEW, , ));
}
