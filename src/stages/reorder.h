// SPDX-License-Identifier: Apache-2.0
// reorder: what a particle carries from its old place to its new one. After sort, before build.
#ifndef HORNBEAM_STAGES_REORDER_H
#define HORNBEAM_STAGES_REORDER_H
#include "physics/portable.h"
HB_OPEN

/// One particle side by side in memory, so that one read brings all of it wherever it stood.
typedef struct __attribute__((aligned(16))) {
  pos_t x, y, z;
  real mass;
  u32 input;  ///< index on input
} ParticleRecord;

HB_CLOSE
#endif
