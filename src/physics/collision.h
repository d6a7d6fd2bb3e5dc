// SPDX-License-Identifier: Apache-2.0
// What two hard spheres do to one another. Additions, products, quotients and roots alone, so that every backend gives
// the same bits.
#ifndef HORNBEAM_PHYSICS_COLLISION_H
#define HORNBEAM_PHYSICS_COLLISION_H
#include "physics/portable.h"
HB_OPEN

/// The coefficient of normal restitution: linear between the `count` points of a table of speeds, which ascend; the
/// first and the last one's beyond them.
HB_FN pos_t restitution(HB_GLOBAL const pos_t* speeds, HB_GLOBAL const pos_t* coefficients, i32 count, pos_t speed) {
  i32 low = 0, high = count - 1;
  if (!(speed > speeds[0])) return coefficients[0];
  if (!(speed < speeds[high])) return coefficients[high];
  while (high - low > 1) {
    const i32 middle = (low + high) / 2;
    if (speeds[middle] <= speed) {
      low = middle;
    } else {
      high = middle;
    }
  }
  const pos_t share = (speed - speeds[low]) / (speeds[high] - speeds[low]);
  return coefficients[low] + share * (coefficients[high] - coefficients[low]);
}

/// By how much the speed of two spheres of radii r1, r2 apart changes along the line of their centres, which they
/// approach at `speed` > 0, at a distance d. At least `least` times their overlap over the smaller radius, as in
/// REBOUND (there in units of the smaller radius): what rests on one another does not sink.
HB_FN pos_t speed_change(pos_t speed, pos_t coefficient, pos_t d, pos_t r1, pos_t r2, pos_t least) {
  const pos_t smaller = hb_min(r1, r2), larger = hb_max(r1, r2), change = (1 + coefficient) * speed;
  if (!(smaller > 0)) return change;
  const pos_t wanted = hb_min(least * (1 - (d - larger) / smaller), least * (larger / smaller));
  return hb_max(change, wanted);
}

/// Returns how long ago two spheres that do not part came to touch, within the last `time`. `along` is the scalar
/// product of the displacement (x) and the velocity (v) from one to the other now; paths were straight. It is the whole
/// of `time` if they touched before it already, and negative if they did not touch.
HB_FN pos_t time_since_contact(pos_t distance2, pos_t along, pos_t speed2, pos_t reach, pos_t time) {
  const pos_t outside = distance2 - reach * reach;
  if (time == 0) return along <= 0 && outside <= 0 ? 0 : -1;
  const pos_t square = along * along - speed2 * outside;
  if (!(speed2 > 0) || !(square >= 0)) return -1;
  const pos_t contact = hb_min((along + hb_sqrt(square)) / speed2, time);
  return contact >= 0 && contact * speed2 > along ? contact : -1;
}

/// The radius of a sphere as large as two together, the cube root of r1^3 + r2^3, by Newton's steps.
HB_FN pos_t joined_radius(pos_t r1, pos_t r2) {
  const pos_t smaller = hb_min(r1, r2), larger = hb_max(r1, r2);
  if (!(larger > 0)) return larger;
  const pos_t share = smaller / larger, cube = 1 + share * share * share;
  pos_t root = 1 + (cube - 1) * (pos_t)0.26;
  for (i32 k = 0; k < 4; ++k) root -= (root - cube / (root * root)) / 3;
  return larger * root;
}

/// The share of the first of two masses in their sum; half where both are 0.
HB_FN pos_t share_of_mass(pos_t first, pos_t second) {
  const pos_t sum = first + second;
  return sum > 0 ? first / sum : (pos_t)0.5;
}

HB_CLOSE
#endif
