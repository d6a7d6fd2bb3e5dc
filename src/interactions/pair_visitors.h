// SPDX-License-Identifier: Apache-2.0
// All visitors of pairs (walk/pairs.h), a header and a row each: from it come their kernels, launches and the CPU's
// tables. HB_PAIR_ROWS_ONLY: for those who need the names alone, of no precision; so it may be included twice.
#if !defined(HB_PAIR_ROWS_ONLY)
#include "interactions/collisions/colliding.h"
#include "interactions/collisions/touching.h"
#include "interactions/groups/linking.h"
#include "interactions/neighbours/nearest.h"
#include "interactions/neighbours/within.h"
#include "interactions/sph/gas_density.h"
#include "interactions/sph/gas_force.h"
#include "interactions/sph/gas_force_midway.h"
#include "interactions/sph/gas_limit.h"
#include "interactions/sph/gas_pull.h"
#include "interactions/sph/gas_zeta.h"
#endif

#ifndef HB_PAIR_VISITORS
/// ROW(name, prefix of its types, F, W); F and W are handed on. Those that decide each pair by itself (walk/pairs.h):
#define HB_PAIR_SEARCHES(ROW, F, W) \
  ROW(within, Within, F, W)         \
  ROW(nearest, Nearest, F, W)       \
  ROW(touching, Touching, F, W)     \
  ROW(colliding, Colliding, F, W)   \
  ROW(gas_limit, GasLimit, F, W)    \
  ROW(linking, Linking, F, W)
/// Those that sum over all within reach (walk/gather.h):
#define HB_PAIR_GATHERERS(ROW, F, W) \
  ROW(gas_density, GasDensity, F, W) \
  ROW(gas_zeta, GasZeta, F, W)       \
  ROW(gas_pull, GasPull, F, W)       \
  ROW(gas_force, GasForce, F, W)     \
  ROW(gas_force_midway, GasForceMidway, F, W)
#define HB_PAIR_VISITORS(ROW, F, W) HB_PAIR_SEARCHES(ROW, F, W) HB_PAIR_GATHERERS(ROW, F, W)
#endif
