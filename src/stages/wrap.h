// SPDX-License-Identifier: Apache-2.0
// Coordinates of a periodic axis.
#ifndef HORNBEAM_STAGES_WRAP_H
#define HORNBEAM_STAGES_WRAP_H
#include "physics/portable.h"
HB_OPEN

/// x by whole periods in [-period / 2, period / 2); period 0: an open axis. One that lies there keeps its digits.
HB_FN pos_t wrapped(pos_t x, pos_t period) {
  const pos_t edge = period / 2;
  if (!(period > 0) || (x >= -edge && x < edge)) return x;
  pos_t y = x - period * hb_floor(x / period + (pos_t)0.5);
  if (y >= edge) y -= period;  // by the rounding of the quotient
  if (y < -edge) y += period;
  return y >= edge ? -edge : y;  // not a number stays none
}

HB_CLOSE
#endif
