// SPDX-License-Identifier: Apache-2.0
// Two bodies that meet, what becomes of them, and the order in which pairs do.
#ifndef HORNBEAM_INTERACTIONS_COLLISIONS_BODIES_H
#define HORNBEAM_INTERACTIONS_COLLISIONS_BODIES_H
#include "physics/collision.h"
#include "walk/pairs.h"
HB_OPEN

/// What becomes of bodies that meet (hornbeam/collisions.h).
typedef struct {
  i32 points;       ///< of the table of coefficients of restitution
  i32 merges;       ///< they become one
  pos_t least;      ///< speed at which they part that lie in one another
  pos_t lost_slip;  ///< 1 - tangential restitution
  pos_t friction;   ///< the tangential impulse over that along the line of centres, at most; negative: any
  pos_t time;       ///< how long before now contacts count; 0: those that touch now
  pos_t mass_unit;  ///< internal mass per mass
  pos_t omega;      ///< at which the frame turns about z, relative to which spins are
  pos_t noted;      ///< meetings with a larger relative speed are noted; negative: all
} CollisionRule;

typedef struct {
  HB_BODY_FIELDS(HB_FIELD_MEMBER)
} BodiesView;

#define HB_BODIES(bodies) \
  BodiesView bodies;      \
  HB_BODY_FIELDS(HB_SET_BODIES)
#define HB_SET_BODIES(type, field) bodies.field = field;

/// Returns the turn of a pair. No two pairs have the same, and those of close indices are far apart. Otherwise a chain
/// of bodies in the order of their indices would have to be resolved one after the other. Each step can be undone
/// (Steele, Lea & Flood 2014, mix64). Large bodies may touch in two images at once, whose numbers are below 32.
HB_FN u64 turn_of_pair(u32 first, u32 second, i32 image) {
  u64 turn = ((u64)first << 32) | second;
  turn = (turn ^ (turn >> 30)) * 0xbf58476d1ce4e5b9UL;
  turn = (turn ^ (turn >> 27)) * 0x94d049bb133111ebUL;
  return ((turn ^ (turn >> 31)) & ~(u64)31) | (u64)image;
}

/// Two bodies when they touched: the way from the first to the second, which may be in an image, its velocity next to
/// the first, and how long ago that was.
typedef struct {
  pos_t x, y, z, vx, vy, vz;
  pos_t ago;
} Meeting;

HB_FN Meeting meeting_of(BodiesView p, i32 a, i32 b, HB_GLOBAL const pos_t* image, pos_t time) {
  Meeting m;
  m.x = (p.x[b] - p.x[a]) + image[0];
  m.y = (p.y[b] - p.y[a]) + image[1];
  m.z = (p.z[b] - p.z[a]) + image[2];
  m.vx = (p.vx[b] + image[3]) - p.vx[a];
  m.vy = (p.vy[b] + image[4]) - p.vy[a];
  m.vz = (p.vz[b] + image[5]) - p.vz[a];
  const pos_t d2 = (m.x * m.x + m.y * m.y) + m.z * m.z, along = (m.vx * m.x + m.vy * m.y) + m.vz * m.z;
  m.ago = time_since_contact(d2, along, (m.vx * m.vx + m.vy * m.vy) + m.vz * m.vz, p.radius[a] + p.radius[b], time);
  if (m.ago > 0) {
    m.x -= m.vx * m.ago;
    m.y -= m.vy * m.ago;
    m.z -= m.vz * m.ago;
  }
  return m;
}

/// Their turn where contacts lie in the past: the earlier first, in 2^16 parts of the time.
HB_FN u64 turn_of_meeting(BodiesView p, i32 a, i32 b, HB_GLOBAL const pos_t* image, pos_t time, u64 turn) {
  if (time == 0) return turn;
  const Meeting m = meeting_of(p, a, b, image, time);
  const pos_t part = (1 - hb_max(m.ago, (pos_t)0) / time) * 65535;
  return ((u64)part << 48) | (turn >> 16);
}

/// Values of a meeting that is noted: displacement and velocity of the second relative to the first, masses, time
/// since.
#define HB_NOTED_VALUES 9

/// Notes a meeting as it was before anything became of it, with the pair's place in the order, where notes are taken.
HB_FN void note_meeting(BodiesView p, i32 a, i32 b, u32 order, Meeting m, pos_t above) {
  if (!p.noted) return;
  if (above >= 0 && !((m.vx * m.vx + m.vy * m.vy) + m.vz * m.vz > above * above)) return;
  const u32 at = hb_count_up(p.noted);
  p.noted_pairs[3 * at] = order;
  p.noted_pairs[3 * at + 1] = p.input[a];
  p.noted_pairs[3 * at + 2] = p.input[b];
  HB_GLOBAL pos_t* value = p.noted_values + HB_NOTED_VALUES * (i64)at;
  value[0] = m.x;
  value[1] = m.y;
  value[2] = m.z;
  value[3] = m.vx;
  value[4] = m.vy;
  value[5] = m.vz;
  value[6] = p.mass[a];
  value[7] = p.mass[b];
  value[8] = hb_max(m.ago, (pos_t)0);
}

/// The same of two bodies to which nothing happens.
HB_FN void note_pair(BodiesView p, i32 a, i32 b, u32 order, HB_GLOBAL const pos_t* image, pos_t time) {
  note_meeting(p, a, b, order, meeting_of(p, a, b, image, time), -1);
}

/// The impulses of a meeting, over the reduced mass, as the second receives them.
typedef struct {
  pos_t x, y, z;
} Impulse;

/// Adds the friction at the point of contact. Of the speed at which the surfaces slide, `lost_slip` is lost, as far as
/// friction allows. The spins take their part (solid spheres, I = 2/5 m r^2). share, rest: fractions of the first and
/// the second in the mass of both; pressing: the impulse along the line of centres.
HB_FN Impulse with_friction(BodiesView p, i32 a, i32 b, Meeting m, pos_t d, pos_t share, pos_t rest, pos_t pressing,
                            CollisionRule rule, Impulse impulse) {
  const pos_t r1 = p.radius[a], r2 = p.radius[b];
  if (!(r1 > 0) || !(r2 > 0)) return impulse;
  const pos_t x = m.x / d, y = m.y / d, z = m.z / d;
  const pos_t lever1 = d * (r1 / (r1 + r2)), lever2 = d * (r2 / (r1 + r2));
  const pos_t wx = lever1 * p.spin_x[a] + lever2 * p.spin_x[b], wy = lever1 * p.spin_y[a] + lever2 * p.spin_y[b],
              wz = lever1 * p.spin_z[a] + lever2 * p.spin_z[b];
  const pos_t ux = m.vx - (wy * z - wz * y), uy = m.vy - (wz * x - wx * z), uz = m.vz - (wx * y - wy * x);
  const pos_t along = (ux * x + uy * y) + uz * z;
  const pos_t slip_x = ux - along * x, slip_y = uy - along * y, slip_z = uz - along * z;
  const pos_t slip = hb_sqrt((slip_x * slip_x + slip_y * slip_y) + slip_z * slip_z);
  const pos_t turn1 = (pos_t)2.5 * rest * lever1 / (r1 * r1), turn2 = (pos_t)2.5 * share * lever2 / (r2 * r2);
  pos_t part = rule.lost_slip / (1 + turn1 * lever1 + turn2 * lever2);
  if (rule.friction >= 0 && part * slip > rule.friction * pressing) part = rule.friction * pressing / slip;
  const pos_t jx = -part * slip_x, jy = -part * slip_y, jz = -part * slip_z;
  const pos_t tx = y * jz - z * jy, ty = z * jx - x * jz, tz = x * jy - y * jx;
  p.spin_x[a] -= turn1 * tx;
  p.spin_y[a] -= turn1 * ty;
  p.spin_z[a] -= turn1 * tz;
  p.spin_x[b] -= turn2 * tx;
  p.spin_y[b] -= turn2 * ty;
  p.spin_z[b] -= turn2 * tz;
  impulse.x += jx;
  impulse.y += jy;
  impulse.z += jz;
  return impulse;
}

/// Lets them bounce. Returns the momentum flux: the way along x from a to b times the momentum along y that b receives.
HB_FN pos_t bounce(BodiesView p, i32 a, i32 b, Meeting m, CollisionRule rule, HB_GLOBAL const pos_t* speeds,
                   HB_GLOBAL const pos_t* coefficients) {
  const pos_t d = hb_sqrt((m.x * m.x + m.y * m.y) + m.z * m.z);
  if (!(d > 0)) return 0;  // no line through their centres
  const pos_t speed = -((m.vx * m.x + m.vy * m.y) + m.vz * m.z) / d;
  const pos_t coefficient = restitution(speeds, coefficients, rule.points, speed);
  const pos_t pressing = speed_change(speed, coefficient, d, p.radius[a], p.radius[b], rule.least);
  const pos_t change = pressing / d;
  const pos_t share = share_of_mass(p.mass[a], p.mass[b]), rest = share_of_mass(p.mass[b], p.mass[a]);
  Impulse impulse;
  impulse.x = change * m.x;
  impulse.y = change * m.y;
  impulse.z = change * m.z;
  if (rule.lost_slip > 0) impulse = with_friction(p, a, b, m, d, share, rest, pressing, rule, impulse);
  p.vx[b] += share * impulse.x;
  p.vy[b] += share * impulse.y;
  p.vz[b] += share * impulse.z;
  p.vx[a] -= rest * impulse.x;
  p.vy[a] -= rest * impulse.y;
  p.vz[a] -= rest * impulse.z;
  if (m.ago > 0) {  // on from where they touched
    p.x[b] += share * impulse.x * m.ago;
    p.y[b] += share * impulse.y * m.ago;
    p.z[b] += share * impulse.z * m.ago;
    p.x[a] -= rest * impulse.x * m.ago;
    p.y[a] -= rest * impulse.y * m.ago;
    p.z[a] -= rest * impulse.z * m.ago;
  }
  if (p.since) p.since[a] = p.since[b] = m.ago;
  return m.x * (p.mass[b] * (share * impulse.y));
}

/// One component of the spin of two bodies as one, all at rest in space: orbit, that of the way times the velocity;
/// share and rest as above.
HB_FN pos_t joined_spin(pos_t spin1, pos_t spin2, pos_t r1, pos_t r2, pos_t share, pos_t rest, pos_t orbit, pos_t r) {
  if (!(r > 0)) return 0;
  return (share * (r1 * r1) * spin1 + rest * (r2 * r2) * spin2 + (pos_t)2.5 * share * rest * orbit) / (r * r);
}

/// Makes them one, which is the heavier of them, or the first of equals, and keeps mass, volume, momentum, centre of
/// mass and angular momentum.
HB_FN void merge(BodiesView p, i32 a, i32 b, Meeting m, CollisionRule rule) {
  const pos_t share = share_of_mass(p.mass[a], p.mass[b]), rest = share_of_mass(p.mass[b], p.mass[a]);
  const pos_t r1 = p.radius[a], r2 = p.radius[b], r = joined_radius(r1, r2), mass = p.mass[a] + p.mass[b];
  const bool first_stays = p.mass[a] >= p.mass[b];
  const i32 stays = first_stays ? a : b, goes = first_stays ? b : a;
  const pos_t way = first_stays ? rest : -share;
  p.x[stays] += way * (m.x + m.vx * m.ago);
  p.y[stays] += way * (m.y + m.vy * m.ago);
  p.z[stays] += way * (m.z + m.vz * m.ago);
  p.vx[stays] += way * m.vx;
  p.vy[stays] += way * m.vy;
  p.vz[stays] += way * m.vz;
  const pos_t vx = m.vx - rule.omega * m.y, vy = m.vy + rule.omega * m.x;  // at rest in space, as spins are for a while
  p.spin_x[stays] = joined_spin(p.spin_x[a], p.spin_x[b], r1, r2, share, rest, m.y * m.vz - m.z * vy, r);
  p.spin_y[stays] = joined_spin(p.spin_y[a], p.spin_y[b], r1, r2, share, rest, m.z * vx - m.x * m.vz, r);
  p.spin_z[stays] =
      joined_spin(p.spin_z[a] + rule.omega, p.spin_z[b] + rule.omega, r1, r2, share, rest, m.x * vy - m.y * vx, r) -
      (r > 0 ? rule.omega : 0);
  p.mass[stays] = mass;
  p.pull[stays] = (real)(mass * rule.mass_unit);
  p.radius[stays] = r;
  p.gone[goes] = 1;
  if (p.since) p.since[stays] = m.ago;  // it moves straight since then
}

/// Whether one of them is no more.
HB_FN bool is_over(BodiesView p, i32 a, i32 b) { return p.gone && (p.gone[a] || p.gone[b]); }

/// Resolves the collision of bodies a and b, with b in an image (shift, then velocity), if they still collide. An
/// earlier collision may have separated them. Returns whether they did; order: as in note_meeting(); flux: see
/// bounce().
HB_FN bool collide(BodiesView p, i32 a, i32 b, u32 order, HB_GLOBAL const pos_t* image, CollisionRule rule,
                   HB_GLOBAL const pos_t* speeds, HB_GLOBAL const pos_t* coefficients, pos_t* flux) {
  *flux = 0;
  if (is_over(p, a, b)) return false;
  const Meeting m = meeting_of(p, a, b, image, p.since ? hb_min(p.since[a], p.since[b]) : (pos_t)0);
  if (m.ago < 0) return false;
  note_meeting(p, a, b, order, m, rule.noted);
  if (rule.merges) {
    merge(p, a, b, m, rule);
  } else {
    *flux = bounce(p, a, b, m, rule, speeds, coefficients);
  }
  return true;
}

HB_CLOSE
#endif
