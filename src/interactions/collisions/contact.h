// SPDX-License-Identifier: Apache-2.0
// What is reported of two spheres that touch or will, and how far one may come meanwhile. After the search for pairs.
#ifndef HORNBEAM_INTERACTIONS_COLLISIONS_CONTACT_H
#define HORNBEAM_INTERACTIONS_COLLISIONS_CONTACT_H
#include "physics/collision.h"
HB_OPEN

/// Velocity that all have in common.
typedef struct {
  pos_t x, y, z;
} MeanMotion;

/// Where and how far ahead contacts are looked for.
typedef struct {
  pos_t period;  ///< of a cube from the origin on; 0: none
  pos_t time;
  i32 moving;  ///< whether there are velocities
} ContactSpace;

/// A vector from one sphere to the other.
typedef struct {
  pos_t x, y, z;
} SphereWay;

typedef struct {
  pos_t overlap;  ///< radii less the distance now
  pos_t time;     ///< from now until they touch
} ContactTerms;

HB_FN pos_t product_of_ways(SphereWay a, SphereWay b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }

/// Of two spheres the sum of whose radii is `touch`: now, and at the end of the time, v being how one moves as the
/// other sees it.
HB_FN ContactTerms contact_terms(SphereWay now, SphereWay end, SphereWay v, pos_t touch, ContactSpace space) {
  ContactTerms terms;
  terms.overlap = touch - hb_sqrt(product_of_ways(now, now));
  terms.time = 0;
  if (!space.moving) return terms;
  const pos_t ago =
      time_since_contact(product_of_ways(end, end), product_of_ways(v, end), product_of_ways(v, v), touch, space.time);
  terms.time = space.time - hb_max(ago, (pos_t)0);
  return terms;
}

/// A radius, and how far a sphere may come within the time relative to the mean motion; rounding included.
HB_FN pos_t extent_ahead(pos_t radius, SphereWay velocity, MeanMotion mean, pos_t time) {
  if (time == 0) return radius;
  const SphereWay v = {velocity.x - mean.x, velocity.y - mean.y, velocity.z - mean.z};
  return (radius + hb_sqrt(product_of_ways(v, v)) * time) * (1 + (pos_t)1e-9);
}

HB_CLOSE
#endif
