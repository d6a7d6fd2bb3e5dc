// SPDX-License-Identifier: Apache-2.0
// Searches among arrays of callers that lie on the device: places taken in the order of a tree, and rows of neighbours
// and pairs of spheres given back. Before key and after the walks over pairs.
#ifndef HORNBEAM_DEVICE_KERNELS_LENT_SEARCH_H
#define HORNBEAM_DEVICE_KERNELS_LENT_SEARCH_H
#include "device/kernels/language.h"
#include "interactions/collisions/contact.h"
#include "stages/lent.h"
#include "stages/wrap.h"
#include "walk/pairs.h"
HB_KERNELS_OPEN

/// to[i] = number input[i] (or i) of the column, in the box, as far on as it comes within the time, in the box again.
HB_KERNEL(take_places) {
  const i32 i = hb_item();
  if (i >= n) return;
  const i32 from = input ? (i32)input[i] : i;
  const pos_t now = wrapped_from_zero((pos_t)lent_number(memory, column, from), period);
  to[i] = time == 0 ? now : wrapped_from_zero((pos_t)(now + lent_number(speeds, speed, from) * time), period);
}

/// marks[i]: whether sum i + 1 has gone once more around what 32 bits hold; of n rows, and 0 behind them.
HB_KERNEL(mark_wraps) {
  const i32 i = hb_item();
  if (i <= n) marks[i] = i < n && sums[i + 1] < sums[i] ? 1 : 0;
}

/// Where rows begin: by sums in 32 bits and how often these have gone around, or of rows that are all `alike` long.
HB_KERNEL(give_offsets) {
  const i32 i = hb_item();
  if (i >= n) return;
  to[i] = sums ? ((u64)wraps[i] << 32) + sums[i] : (u64)i * (u64)alike;
}

/// Number first + i in the caller's type = root i.
HB_KERNEL(give_roots) {
  const i32 i = hb_item();
  if (i < n) give_number(to, wide, first + i, (f64)hb_sqrt(squares[i]));
}

HB_KERNEL(extend_ahead) {
  const i32 i = hb_item();
  if (i >= n) return;
  const SphereWay v = {vx[i], vy[i], vz[i]};
  extent[i] = extent_ahead(radius[i], v, mean, time);
}

/// Pairs as numbers that are in the order of their indices.
HB_KERNEL(pair_keys) {
  const i32 i = hb_item();
  if (i < n) keys[i] = ((u64)first[i] << 32) + second[i];
}

/// The same of rows of partners.
HB_KERNEL(row_keys) {
  const i32 i = hb_item();
  if (i >= n) return;
  for (u64 k = offset[i]; k < offset[i + 1]; ++k) keys[k] = ((u64)(u32)i << 32) + partner[k];
}

HB_FN pos_t lent_place(HB_GLOBAL const u8* memory, LentColumn column, i32 i, pos_t period) {
  return wrapped_from_zero((pos_t)lent_number(memory, column, i), period);
}

/// Where b stands as a sees it along an axis, in the nearest image: now, how fast, and at the end of the time.
typedef struct {
  pos_t now, speed, end;
} AxisWay;

HB_FN AxisWay way_along(HB_GLOBAL const u8* positions, LentColumn position, HB_GLOBAL const u8* velocities,
                        LentColumn velocity, i32 a, i32 b, ContactSpace space) {
  AxisWay way;
  const pos_t box = space.period > 0 ? space.period : (pos_t)INFINITY;
  const pos_t x_a = lent_place(positions, position, a, space.period);
  const pos_t x_b = lent_place(positions, position, b, space.period);
  way.now = nearest_difference(x_b - x_a, box);
  way.speed = 0;
  way.end = way.now;
  if (!space.moving) return way;
  const pos_t v_a = (pos_t)lent_number(velocities, velocity, a), v_b = (pos_t)lent_number(velocities, velocity, b);
  way.speed = v_b - v_a;
  if (space.time == 0) return way;
  const pos_t end_a = wrapped_from_zero(x_a + v_a * space.time, space.period);
  const pos_t end_b = wrapped_from_zero(x_b + v_b * space.time, space.period);
  way.end = nearest_difference(end_b - end_a, box);
  return way;
}

/// Row i of pairs, overlaps and times, of the pair that key i names.
HB_KERNEL(give_contacts) {
  const i32 i = hb_item();
  if (i >= n) return;
  const u32 a = (u32)(keys[i] >> 32), b = (u32)keys[i];
  const AxisWay x = way_along(positions, position.x, velocities, velocity.x, (i32)a, (i32)b, space);
  const AxisWay y = way_along(positions, position.y, velocities, velocity.y, (i32)a, (i32)b, space);
  const AxisWay z = way_along(positions, position.z, velocities, velocity.z, (i32)a, (i32)b, space);
  const pos_t touch = (pos_t)lent_number(radii, radius, (i32)a) + (pos_t)lent_number(radii, radius, (i32)b);
  const SphereWay now = {x.now, y.now, z.now}, end = {x.end, y.end, z.end}, v = {x.speed, y.speed, z.speed};
  const ContactTerms terms = contact_terms(now, end, v, touch, space);
  pairs[2 * (i64)i] = a;
  pairs[2 * (i64)i + 1] = b;
  give_number(overlaps, wide, i, (f64)terms.overlap);
  give_number(times, wide, i, (f64)terms.time);
}

HB_KERNELS_CLOSE
#endif
