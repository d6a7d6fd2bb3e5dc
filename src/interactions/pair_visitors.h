// SPDX-License-Identifier: Apache-2.0
// All visitors of pairs (walk/pairs.h), a row each: from it come their kernels, launches and the CPU's tables. With
// HB_PAIR_ROWS alone, for what knows no precision.
#if !defined(HB_PAIR_ROWS)
#include "interactions/collisions/touching.h"
#include "interactions/neighbours/nearest.h"
#include "interactions/neighbours/within.h"
#endif

#if !defined(HB_PAIR_VISITORS)
/// ROW(name, prefix of its types, F, W); F and W are handed on.
#define HB_PAIR_VISITORS(ROW, F, W) \
  ROW(within, Within, F, W)         \
  ROW(nearest, Nearest, F, W)       \
  ROW(touching, Touching, F, W)
#endif
