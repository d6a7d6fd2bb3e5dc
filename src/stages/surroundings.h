// SPDX-License-Identifier: Apache-2.0
// What is around all particles, by which demanded_among() of physics/accuracy.h goes.
#ifndef HORNBEAM_STAGES_SURROUNDINGS_H
#define HORNBEAM_STAGES_SURROUNDINGS_H
#include "physics/portable.h"
HB_OPEN

/// How many images count with the mass of one. Of an infinite lattice, per mass: the potential from which that of a
/// compact system counts, and the least usual acceleration (docs/hierarchy.md eq. 1).
typedef struct {
  real images, zero, least;
} Surroundings;

HB_CLOSE
#endif
