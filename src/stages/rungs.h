// SPDX-License-Identifier: Apache-2.0
// rungs: which power of two of the longest step a particle takes (docs/dynamics.md). After walk and the closing kick,
// before the opening one.
#ifndef HORNBEAM_STAGES_RUNGS_H
#define HORNBEAM_STAGES_RUNGS_H
#include "physics/portable.h"
HB_OPEN

/// Deepest rung there can be: steps of a block are counted in 32 bits.
#define HB_DEEPEST_RUNG 30
/// Counts of a census: one a rung, and last the particles that asked for more than the deepest one allowed.
#define HB_CENSUS 32
#define HB_CENSUS_BEYOND (HB_CENSUS - 1)

/// What decides rungs, for one device's units.
typedef struct {
  pos_t by_softening;  ///< times |a| / eps, both internal: the squared number of steps of docs/dynamics.md eq. 2
  pos_t by_change;     ///< 1 / eta_change^2 of eq. 3; 0: the change of acceleration does not count
  i32 deepest;
} RungRule;

/// |a| / eps of a particle with soft2 = eps^2 / 2 > 0.
HB_FN pos_t pull_over_eps(pos_t acc2, pos_t soft2) { return hb_sqrt(acc2 / (soft2 + soft2)); }

/// Squared number of steps in the longest one that eq. 2 asks for; unsoftened particles ask for none.
HB_FN pos_t steps2_by_softening(RungRule rule, pos_t acc2, pos_t soft2) {
  return soft2 > 0 ? rule.by_softening * pull_over_eps(acc2, soft2) : 0;
}

/// The same for eq. 3, change2 being the squared change of acceleration over the particle's last step, on `rung`.
HB_FN pos_t steps2_by_change(RungRule rule, i32 rung, pos_t acc2, pos_t change2) {
  const pos_t steps = (pos_t)(1 << rung);
  return acc2 > 0 ? rule.by_change * steps * steps * (change2 / acc2) : 0;
}

/// The first rung of at least sqrt(steps2) steps (eq. 1), also at the end of its step, where |a| will have grown by
/// `growth` times its step over the last one, which was on `last` (eq. 4); deepest + 1 where none is deep enough, and
/// for a NaN.
HB_FN i32 first_rung_of(pos_t steps2, pos_t growth, i32 last, i32 deepest) {
  pos_t here = 1, ahead = hb_max(growth, (pos_t)0) * (pos_t)(1 << last);
  i32 rung = 0;
  while (rung <= deepest && !(steps2 * (1 + ahead) <= here)) here *= 4, ahead /= 2, ++rung;
  return rung;
}

typedef struct {
  i32 rung;
  i32 beyond;  ///< whether the particle asked for more than the deepest one
} RungChoice;

/// The rung that a particle goes to from `rung`, whose step ends now: as deep as it asks for, but no higher than
/// `least`, whose steps also end now. (x, y, z): its acceleration, (bx, by, bz): that when its step began. known:
/// whether there was such a step; without one an unsoftened particle starts as deep as it may.
HB_FN RungChoice choose_rung(RungRule rule, i32 rung, i32 least, i32 known, pos_t x, pos_t y, pos_t z, pos_t bx,
                             pos_t by, pos_t bz, pos_t soft2) {
  const pos_t acc2 = hb_fma(x, x, hb_fma(y, y, z * z));
  const pos_t before2 = known ? hb_fma(bx, bx, hb_fma(by, by, bz * bz)) : acc2;
  const pos_t growth = acc2 > 0 ? 1 - hb_sqrt(before2 / acc2) : 0;
  RungChoice choice;
  i32 wanted = first_rung_of(steps2_by_softening(rule, acc2, soft2), growth, rung, rule.deepest);
  if (rule.by_change > 0 && known) {
    const pos_t dx = x - bx, dy = y - by, dz = z - bz;
    const pos_t change2 = hb_fma(dx, dx, hb_fma(dy, dy, dz * dz));
    wanted = hb_max(wanted, first_rung_of(steps2_by_change(rule, rung, acc2, change2), growth, rung, rule.deepest));
  }
  if (!known && !(soft2 > 0)) wanted = rule.deepest;
  choice.beyond = wanted > rule.deepest;
  choice.rung = hb_min(hb_max(wanted, least), rule.deepest);
  return choice;
}

/// Half a step of `rung`; half_longest: half the longest step.
HB_FN pos_t half_step(pos_t half_longest, i32 rung) { return half_longest / (pos_t)(1 << rung); }

HB_CLOSE
#endif
