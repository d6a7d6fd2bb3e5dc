// SPDX-License-Identifier: Apache-2.0
// rungs: which power of two of the longest step a particle takes (docs/dynamics.md). After walk and the closing kick,
// before the opening one.
#ifndef HORNBEAM_STAGES_RUNGS_H
#define HORNBEAM_STAGES_RUNGS_H
#include "physics/portable.h"
HB_OPEN

/// Deepest rung there can be: steps of a block are counted in 32 bits.
#define HB_DEEPEST_RUNG 30
/// Counts of a census: one a rung, particles that requested more than the deepest one allowed, and those whose
/// acceleration is non-finite.
#define HB_CENSUS_BEYOND (HB_DEEPEST_RUNG + 1)
#define HB_CENSUS_NOT_FINITE (HB_DEEPEST_RUNG + 2)
#define HB_CENSUS (HB_DEEPEST_RUNG + 3)

/// What decides rungs, for one device's units.
typedef struct {
  pos_t by_softening;  ///< times |a| / eps, both internal: the squared number of steps of docs/dynamics.md eq. 2
  pos_t by_change;     ///< 1 / eta_change^2 of eq. 3; 0: the change of acceleration does not count
  pos_t half_longest;  ///< half the longest step, times the user's acceleration unit per internal one
  i32 deepest;
  pos_t longest;   ///< the longest step, in the user's units
  i32 gas_adapts;  ///< whether gas is softened by its H: then its eps, the least there is, asks for nothing
} RungRule;

/// |a| / eps of a particle with soft2 = eps^2 / 2 > 0.
HB_FN pos_t pull_over_eps(pos_t acc2, pos_t soft2) { return hb_sqrt(acc2 / (soft2 + soft2)); }

/// The same of any particle, from its acceleration; 0 where it is unsoftened.
HB_FN pos_t pull_in_eps(pos_t x, pos_t y, pos_t z, pos_t soft2) {
  return soft2 > 0 ? pull_over_eps(hb_fma(x, x, hb_fma(y, y, z * z)), soft2) : 0;
}

/// Squared number of steps in the longest one that eq. 2 asks for; unsoftened particles ask for none.
HB_FN pos_t steps2_by_softening(RungRule rule, pos_t acc2, pos_t soft2) {
  return soft2 > 0 ? rule.by_softening * pull_over_eps(acc2, soft2) : 0;
}

/// The same for eq. 3, change2 being the squared change of acceleration over the particle's last step, on `rung`.
HB_FN pos_t steps2_by_change(RungRule rule, i32 rung, pos_t acc2, pos_t change2) {
  const pos_t steps = (pos_t)(1 << rung);
  return acc2 > 0 ? rule.by_change * steps * steps * (change2 / acc2) : 0;
}

/// The same of gas, whose longest step allowed is 1 / asked (docs/gas.md eq. 15).
HB_FN pos_t steps2_of_gas(RungRule rule, pos_t asked) { return (rule.longest * asked) * (rule.longest * asked); }

/// What a particle's acceleration has done over its last two steps.
typedef struct {
  pos_t x, y, z;     ///< acceleration now
  pos_t bx, by, bz;  ///< when that step began
  pos_t ex, ey, ez;  ///< when the step before began
} Accelerations;

/// Rungs of a particle's present step and of the one before, as they are held in one word.
HB_FN u32 held_rungs(i32 rung, i32 before) { return (u32)rung | (u32)before << 8; }
HB_FN i32 rung_of(u32 held) { return (i32)(held & 255u); }
HB_FN i32 rung_before(u32 held) { return (i32)(held >> 8 & 255u); }

/// Next to them, until steps begin: whether the one under way has just been cut short. Such a particle begins none,
/// though its rung may be one whose steps begin now.
#define HB_WOKEN 65536u
HB_FN bool is_woken(u32 held) { return (held & HB_WOKEN) != 0; }

/// The first rung of at least sqrt(steps2) steps (eq. 1); deepest + 1 where none is deep enough, and for a NaN.
HB_FN i32 first_rung_of(pos_t steps2, i32 deepest) {
  pos_t here = 1;
  i32 rung = 0;
  while (rung <= deepest && !(steps2 <= here)) {
    here *= 4;
    ++rung;
  }
  return rung;
}

typedef struct {
  i32 rung;
  i32 beyond;      ///< whether the particle requested more than the deepest one
  i32 not_finite;  ///< whether its acceleration is no finite number
} RungChoice;

/// A particle goes to longer steps only where it would also take this many times the square of theirs (eq. 4).
#define HB_RUNG_MARGIN 2

/// asked: the inverse of the longest step that it allows as gas, below 0 where it is none.
/// The rung that a particle goes to from `rung`, whose step ends now: as deep as it asks for, but no higher than
/// `least`, whose steps also end now, nor by less than a margin. known: whether there was such a step; without one `a`
/// holds only the present acceleration, and an unsoftened particle starts as deep as it may.
HB_FN RungChoice choose_rung(RungRule rule, i32 rung, i32 least, i32 known, Accelerations a, pos_t soft2, pos_t asked) {
  const pos_t acc2 = hb_fma(a.x, a.x, hb_fma(a.y, a.y, a.z * a.z));
  const pos_t dx = a.x - a.bx, dy = a.y - a.by, dz = a.z - a.bz;
  pos_t steps2 = rule.gas_adapts && asked >= 0 ? 0 : steps2_by_softening(rule, acc2, soft2);
  if (rule.by_change > 0 && known) {
    steps2 = hb_max(steps2, steps2_by_change(rule, rung, acc2, hb_fma(dx, dx, hb_fma(dy, dy, dz * dz))));
  }
  if (asked >= 0) steps2 = hb_max(steps2, steps2_of_gas(rule, asked));
  RungChoice choice;
  i32 wanted = first_rung_of(steps2, rule.deepest);
  if (known && wanted < rung) wanted = hb_min(rung, first_rung_of(HB_RUNG_MARGIN * steps2, rule.deepest));
  if (!known && !(soft2 > 0) && asked < 0) wanted = rule.deepest;
  choice.beyond = wanted > rule.deepest;
  choice.not_finite = !(0 * a.x + 0 * a.y + 0 * a.z == 0);
  choice.rung = hb_min(hb_max(wanted, least), rule.deepest);
  return choice;
}

/// Half a step of `rung`, as RungRule::half_longest.
HB_FN pos_t half_step(RungRule rule, i32 rung) { return rule.half_longest / (pos_t)(1 << rung); }

/// Returns the factor of a particle's velocity v at the end of a step that followed one of another length. It makes the
/// energy that leapfrog conserves continue through the change (eq. 5). It is 1 if that would change the kinetic energy
/// by more than half. Lengths are as in half_step().
HB_FN pos_t speed_factor(pos_t old_step, pos_t new_step, pos_t vx, pos_t vy, pos_t vz, Accelerations a) {
  const pos_t new_half = new_step / 2;
  const pos_t old_weight = new_step / (old_step * (old_step + new_step)),
              weight = old_step / (new_step * (old_step + new_step));
  const pos_t jx = hb_fma(old_weight, a.bx - a.ex, weight * (a.x - a.bx));  // da/dt at the change
  const pos_t jy = hb_fma(old_weight, a.by - a.ey, weight * (a.y - a.by));
  const pos_t jz = hb_fma(old_weight, a.bz - a.ez, weight * (a.z - a.bz));
  const pos_t ux = vx - new_half * (a.x + a.bx), uy = vy - new_half * (a.y + a.by), uz = vz - new_half * (a.z + a.bz);
  const pos_t v2 = hb_fma(vx, vx, hb_fma(vy, vy, vz * vz));
  const pos_t b2 = hb_fma(a.bx, a.bx, hb_fma(a.by, a.by, a.bz * a.bz));
  const pos_t twice = hb_fma(ux, jx, hb_fma(uy, jy, uz * jz)) / 6 + b2 / 12;  // -2 G of eq. 5
  const pos_t change = (new_step * new_step - old_step * old_step) * twice;
  return old_step != new_step && hb_abs(change) < v2 / 2 ? hb_sqrt(1 + change / v2) : 1;
}

/// What rungs are chosen from, by particle: accelerations now, when the last step began and when the step before did
/// (of gas those that attract it, without its own forces), eps^2 / 2, what gas asks for (null: there is none),
/// velocities and held_rungs(). Where there is gas: what attracts it now, when each one's step began, in ticks, and how
/// long the step before was, in the user's units.
typedef struct {
  HB_GLOBAL const real *acc_x, *acc_y, *acc_z, *soft2;
  HB_GLOBAL const pos_t* asked;
  HB_GLOBAL real *before_x, *before_y, *before_z, *earlier_x, *earlier_y, *earlier_z;
  HB_GLOBAL pos_t *vx, *vy, *vz;
  HB_GLOBAL u32* rungs;
  HB_GLOBAL const real *fall_x, *fall_y, *fall_z;
  HB_GLOBAL const u32* begun;
  HB_GLOBAL pos_t* span;
} RungsView;

/// What eq. 5 goes by: of gas the acceleration alone, since the work of its own forces is balanced by heat (docs/gas.md
/// eq. 15b).
HB_FN Accelerations pulls_of(i32 i, i32 known, RungsView p) {
  const bool flows = p.fall_x && p.asked[i] >= 0;
  const real x = flows ? p.fall_x[i] : p.acc_x[i], y = flows ? p.fall_y[i] : p.acc_y[i],
             z = flows ? p.fall_z[i] : p.acc_z[i];
  Accelerations a = {x, y, z, x, y, z, x, y, z};
  if (!known) return a;
  a.bx = p.before_x[i];
  a.by = p.before_y[i];
  a.bz = p.before_z[i];
  a.ex = p.earlier_x[i];
  a.ey = p.earlier_y[i];
  a.ez = p.earlier_z[i];
  return a;
}

/// Scales the velocity of a particle whose step ends at `tick` for the change of its length before (eq. 5). Steps of
/// gas may have been cut short: they are as long as what has passed of them.
HB_FN void mend_speed(i32 i, RungRule rule, i32 tick, Accelerations a, RungsView p) {
  const u32 held = p.rungs[i];
  pos_t old_step = 2 * half_step(rule, rung_before(held)), new_step = 2 * half_step(rule, rung_of(held));
  if (p.span) {
    const pos_t unit = 2 * rule.half_longest / rule.longest, ticks = (pos_t)(tick - (i32)p.begun[i]);
    const pos_t length = rule.longest * (ticks / (pos_t)(1 << rule.deepest));
    old_step = p.span[i] * unit;
    new_step = length * unit;
    p.span[i] = length;
  }
  const pos_t factor = speed_factor(old_step, new_step, p.vx[i], p.vy[i], p.vz[i], a);
  p.vx[i] *= factor;
  p.vy[i] *= factor;
  p.vz[i] *= factor;
}

/// Gives particle i its next step if its step ends now, at `tick`, on rung `least` or deeper. It corrects the velocity
/// for the change before, chooses, and shifts the accelerations by a step. known: see choose_rung(). Other particles do
/// not change.
HB_FN RungChoice take_rung(i32 i, RungRule rule, i32 least, i32 known, i32 tick, RungsView p) {
  const u32 held = known ? p.rungs[i] : 0;
  const i32 rung = rung_of(held);
  RungChoice choice = {rung, 0, 0};
  if (rung < least) return choice;
  const pos_t asked = p.asked ? p.asked[i] : -1;
  const Accelerations a = pulls_of(i, known, p);
  if (known) mend_speed(i, rule, tick, a, p);
  Accelerations all = a;  // with what gas adds, of which nothing is known before
  all.x = p.acc_x[i];
  all.y = p.acc_y[i];
  all.z = p.acc_z[i];
  all.bx += all.x - a.x;
  all.by += all.y - a.y;
  all.bz += all.z - a.z;
  choice = choose_rung(rule, rung, least, known, all, p.soft2[i], asked);
  if (!known && p.span) p.span[i] = rule.longest / (pos_t)(1 << choice.rung);
  p.rungs[i] = held_rungs(choice.rung, known ? rung : choice.rung);
  p.before_x[i] = (real)a.x;
  p.before_y[i] = (real)a.y;
  p.before_z[i] = (real)a.z;
  p.earlier_x[i] = (real)a.bx;
  p.earlier_y[i] = (real)a.by;
  p.earlier_z[i] = (real)a.bz;
  return choice;
}

HB_CLOSE
#endif
