// SPDX-License-Identifier: Apache-2.0
// All stages inside an OpenCL kernel, which takes the views field by field. Compiled by portable_test.cpp; never run.
#include "backends/portable/every_stage.h"

__kernel void every(HB_GLOBAL u64* keys, HB_GLOBAL GroupRange* groups, HB_GLOBAL char* gaps, HB_GLOBAL pos_t* out,
                    __constant KeyCube* cube, __constant WalkOptions* options, __constant SearchOptions* search
                    HB_PARTICLE_FIELDS(HB_FIELD_ARGUMENT) HB_CELL_FIELDS(HB_FIELD_ARGUMENT)
                    HB_NEIGHBOUR_FIELDS(HB_FIELD_ARGUMENT)) {
  ParticlesView particles;
  CellsView cells;
  NeighboursView neighbours;
  {
    ParticlesView view;
    HB_PARTICLE_FIELDS(HB_FIELD_SET)
    particles = view;
  }
  {
    CellsView view;
    HB_CELL_FIELDS(HB_FIELD_SET)
    cells = view;
  }
  {
    NeighboursView view;
    HB_NEIGHBOUR_FIELDS(HB_FIELD_SET)
    neighbours = view;
  }
  every_stage((i32)get_global_id(0), particles, cells, keys, groups, gaps, out, *cube, *options, neighbours, *search);
}
