// SPDX-License-Identifier: Apache-2.0
// Lengths in internal units, from positions in the user's.
#ifndef HORNBEAM_STAGES_UNITS_H
#define HORNBEAM_STAGES_UNITS_H
#include "physics/portable.h"
HB_OPEN

/// A length in internal units, as the sums take it: a difference is made in pos_t first, so that nothing is lost far
/// from the origin. unit: internal length per length.
HB_FN sum_t internal(pos_t d, pos_t unit) { return (sum_t)(d * unit); }

/// The way from one position to another in internal units, along one axis.
HB_FN real internal_way(pos_t from, pos_t to, pos_t unit) { return hb_narrow((to - from) * unit); }

HB_CLOSE
#endif
