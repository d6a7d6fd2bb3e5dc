// SPDX-License-Identifier: Apache-2.0
// Coordinates in a periodic box about the origin, or from it on.
#ifndef HORNBEAM_STAGES_WRAP_H
#define HORNBEAM_STAGES_WRAP_H
#include "physics/portable.h"
HB_OPEN

/// DeviceParticles::gone of those beyond the walls of an open box.
#define HB_GONE_OUTSIDE 2u

/// Periods along the axes, 0 where they are open; how far along y the box beyond this one along x has drifted, and how
/// fast.
typedef struct {
  pos_t x, y, z;
  pos_t drift, speed;
} PeriodicBox;

/// x by whole periods in [-period / 2, period / 2); period 0: an open axis. One that lies there keeps its digits.
HB_FN pos_t wrapped(pos_t x, pos_t period) {
  const pos_t edge = period / 2;
  if (!(period > 0) || (x >= -edge && x < edge)) return x;
  pos_t y = x - period * hb_floor(x / period + (pos_t)0.5);
  if (y >= edge) y -= period;  // by the rounding of the quotient
  if (y < -edge) y += period;
  return y >= edge ? -edge : y;  // not a number stays none
}

/// x by whole periods in [0, period); period 0: an open axis. Not a number stays none.
HB_FN pos_t wrapped_from_zero(pos_t x, pos_t period) {
  if (!(period > 0) || (x >= 0 && x < period)) return x;
  const pos_t y = x - period * hb_floor(x / period);
  return y < 0 || y >= period ? 0 : y;  // rounding: a hair below 0 comes out at the far face
}

/// How many boxes along x lie between a coordinate and where it was wrapped to.
HB_FN pos_t boxes_crossed(pos_t from, pos_t to, pos_t period) {
  return from == to ? 0 : hb_floor((from - to) / period + (pos_t)0.5);
}

/// A particle back in the box: where it is, and what is added to its velocity along y.
typedef struct {
  pos_t x, y, z, vy;
} WrappedPlace;

HB_FN WrappedPlace wrapped_place(PeriodicBox box, pos_t x, pos_t y, pos_t z) {
  WrappedPlace to;
  to.x = wrapped(x, box.x);
  const pos_t crossed = boxes_crossed(x, to.x, box.x);
  to.y = wrapped(y - crossed * box.drift, box.y);
  to.z = wrapped(z, box.z);
  to.vy = -(crossed * box.speed);
  return to;
}

HB_CLOSE
#endif
