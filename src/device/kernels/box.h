// SPDX-License-Identifier: Apache-2.0
// Boxes along the axes in internal units, as seen from the centre of a group or block of targets.
#ifndef HORNBEAM_DEVICE_KERNELS_BOX_H
#define HORNBEAM_DEVICE_KERNELS_BOX_H
#include "device/kernels/language.h"
#include "stages/box.h"
HB_KERNELS_OPEN

/// Least and largest coordinates; w is not used.
typedef struct {
  Real4 low, high;
} Box;

HB_DEVICE_FN Box box_of_point(real x, real y, real z) {
  Box box;
  box.low = hb_real4(x, y, z, 0);
  box.high = box.low;
  return box;
}

/// The box around both.
HB_DEVICE_FN Box join_boxes(Box a, Box b) {
  a.low = hb_real4(hb_min(a.low.x, b.low.x), hb_min(a.low.y, b.low.y), hb_min(a.low.z, b.low.z), 0);
  a.high = hb_real4(hb_max(a.high.x, b.high.x), hb_max(a.high.y, b.high.y), hb_max(a.high.z, b.high.z), 0);
  return a;
}

HB_DEVICE_FN real diagonal2(Box box) {
  const real x = box.high.x - box.low.x, y = box.high.y - box.low.y, z = box.high.z - box.low.z;
  return hb_fma(x, x, hb_fma(y, y, z * z));
}

/// Squared distance between two boxes.
HB_DEVICE_FN real between_boxes2(Box a, Box b) {
  const real none = 0;
  const real x = hb_max(hb_max(a.low.x - b.high.x, b.low.x - a.high.x), none),
             y = hb_max(hb_max(a.low.y - b.high.y, b.low.y - a.high.y), none),
             z = hb_max(hb_max(a.low.z - b.high.z, b.low.z - a.high.z), none);
  return hb_fma(x, x, hb_fma(y, y, z * z));
}

/// The box around those of a warp's lanes.
HB_DEVICE_FN PlaceBox box_of_lanes(Warp warp, PlaceBox box) {
  box.low_x = warp_least(warp, box.low_x);
  box.low_y = warp_least(warp, box.low_y);
  box.low_z = warp_least(warp, box.low_z);
  box.high_x = -warp_least(warp, -box.high_x);
  box.high_y = -warp_least(warp, -box.high_y);
  box.high_z = -warp_least(warp, -box.high_z);
  return box;
}

HB_KERNELS_CLOSE
#endif
