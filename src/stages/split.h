// SPDX-License-Identifier: Apache-2.0
// Places in two parts of `real`, whose differences are about as good as those of pos_t wherever two of them lie.
#ifndef HORNBEAM_STAGES_SPLIT_H
#define HORNBEAM_STAGES_SPLIT_H
#include "physics/portable.h"
HB_OPEN

/// One coordinate, in internal units from an origin.
typedef struct {
  real high, low;
} Split;

typedef struct {
  Split x, y, z;
} SplitPlace;

HB_FN Split split(pos_t x, pos_t origin, pos_t unit) {
  const pos_t way = (x - origin) * unit;
  Split s;
  s.high = (real)way;
  s.low = (real)(way - (pos_t)s.high);
  return s;
}

/// The way from `from` to a coordinate of these parts: of near ones the difference of the first parts is exact.
HB_FORMULA real way_between(Split from, real high, real low) { return (high - from.high) + (low - from.low); }

HB_CLOSE
#endif
