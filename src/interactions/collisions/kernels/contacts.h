// SPDX-License-Identifier: Apache-2.0
// Contacts of spheres in arrays of callers that lie on the device: how far each may come, and what is reported of the
// pairs found. Before and after the walks over pairs.
#ifndef HORNBEAM_INTERACTIONS_COLLISIONS_KERNELS_CONTACTS_H
#define HORNBEAM_INTERACTIONS_COLLISIONS_KERNELS_CONTACTS_H
#include "device/kernels/language.h"
#include "interactions/collisions/contact.h"
#include "stages/lent.h"
#include "stages/wrap.h"
#include "walk/pairs.h"
HB_KERNELS_OPEN

HB_KERNEL(extend_ahead) {
  const i32 i = hb_item();
  if (i >= n) return;
  const SphereWay v = {vx[i], vy[i], vz[i]};
  extent[i] = extent_ahead(radius[i], v, mean, time);
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
