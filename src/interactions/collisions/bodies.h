// SPDX-License-Identifier: Apache-2.0
// Two bodies that may collide, and the order in which pairs do.
#ifndef HORNBEAM_INTERACTIONS_COLLISIONS_BODIES_H
#define HORNBEAM_INTERACTIONS_COLLISIONS_BODIES_H
#include "physics/collision.h"
#include "walk/pairs.h"
HB_OPEN

/// What the law of collisions is: a table, and the least speed at which bodies part (physics/collision.h).
typedef struct {
  i32 points;
  pos_t least;
} CollisionRule;

/// The pairs' turn: no two have the same, and pairs whose numbers are near one another are far apart in it, as a chain
/// of bodies in the order of their numbers would have to be resolved one after the other. Each step can be undone
/// (Steele, Lea & Flood 2014, mix64).
HB_FN u64 turn_of_pair(u32 first, u32 second) {
  u64 turn = ((u64)first << 32) | second;
  turn = (turn ^ (turn >> 30)) * 0xbf58476d1ce4e5b9UL;
  turn = (turn ^ (turn >> 27)) * 0x94d049bb133111ebUL;
  return turn ^ (turn >> 31);
}

/// Where the bodies are and go, along the curve.
typedef struct {
  HB_GLOBAL const pos_t *x, *y, *z;
  HB_GLOBAL pos_t *vx, *vy, *vz;
  HB_GLOBAL const pos_t *mass, *radius;
} BodiesView;

/// Lets bodies a and b bounce, b standing in an image (shift, then velocity), if they still approach one another; what
/// is left of a collision that came before may have parted them. Whether they did; flux: the way along x from a to b
/// times the momentum along y that b receives.
HB_FN bool bounce(BodiesView p, i32 a, i32 b, HB_GLOBAL const pos_t* image, CollisionRule rule,
                  HB_GLOBAL const pos_t* speeds, HB_GLOBAL const pos_t* coefficients, pos_t* flux) {
  const pos_t x = (p.x[b] - p.x[a]) + image[0], y = (p.y[b] - p.y[a]) + image[1], z = (p.z[b] - p.z[a]) + image[2];
  const pos_t vx = (p.vx[b] + image[3]) - p.vx[a], vy = (p.vy[b] + image[4]) - p.vy[a],
              vz = (p.vz[b] + image[5]) - p.vz[a];
  const pos_t d2 = (x * x + y * y) + z * z, along = (vx * x + vy * y) + vz * z;
  *flux = 0;
  if (!(along < 0) || !(d2 > 0)) return false;
  const pos_t d = hb_sqrt(d2), speed = -along / d;
  const pos_t coefficient = restitution(speeds, coefficients, rule.points, speed);
  const pos_t change = speed_change(speed, coefficient, d, p.radius[a], p.radius[b], rule.least) / d;
  const pos_t share = share_of_mass(p.mass[a], p.mass[b]), rest = share_of_mass(p.mass[b], p.mass[a]);
  p.vx[b] += share * (change * x);
  p.vy[b] += share * (change * y);
  p.vz[b] += share * (change * z);
  p.vx[a] -= rest * (change * x);
  p.vy[a] -= rest * (change * y);
  p.vz[a] -= rest * (change * z);
  *flux = x * (p.mass[b] * (share * (change * y)));
  return true;
}

HB_CLOSE
#endif
