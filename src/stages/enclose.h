// SPDX-License-Identifier: Apache-2.0
// enclose: what a walk knows of its group of targets before it starts, next to their box: how large the group is, how
// strongly it is attracted, and what that demands of cells. After groups, before walk.
#ifndef HORNBEAM_STAGES_ENCLOSE_H
#define HORNBEAM_STAGES_ENCLOSE_H
#include "physics/opening.h"
#include "physics/softening.h"
#include "stages/units.h"
#include "stages/views.h"
HB_OPEN

/// Sums over targets; those that a thread or lane has met.
typedef struct {
  real radius2, largest_soft2, least_pull;  ///< extremes; least_pull, roots: 0 where |a| is not known
  real soft2, roots;                        ///< sums of eps^2 / 2 and of eighth_root(|a|)
} TargetSums;

/// last: |a| of the evaluation before, or null; first: of the targets.
HB_FN TargetSums no_targets(i32 first, HB_GLOBAL const real* last) {
  TargetSums sums;
  sums.radius2 = 0;
  sums.largest_soft2 = 0;
  sums.least_pull = last ? last[first] : 0;
  sums.soft2 = 0;
  sums.roots = 0;
  return sums;
}

/// With target i, at (x, y, z) from the group's centre.
HB_FN TargetSums add_target(TargetSums sums, i32 i, real x, real y, real z, real soft2, HB_GLOBAL const real* last) {
  sums.radius2 = hb_max(sums.radius2, x * x + y * y + z * z);
  sums.soft2 += soft2;
  sums.largest_soft2 = hb_max(sums.largest_soft2, soft2);
  if (last) {
    sums.least_pull = hb_min(sums.least_pull, last[i]);
    sums.roots += eighth_root(last[i]);
  }
  return sums;
}

/// What a group demands of cells, internal units.
typedef struct {
  real radius;           ///< largest distance of a particle from the centre
  real soft2;            ///< mean eps^2 / 2
  real reach;            ///< softened_reach() of the targets
  real expansion_reach;  ///< expansion_reach() of that
  real pull;             ///< typical_pull() of the evaluation before; 0 where it is not known
  real accuracy;  ///< relative criterion: tolerance times demanding_pull() of the evaluation before, or an estimate
} GroupDemands;

/// From the sums over its `count` targets.
HB_FN GroupDemands demands_of(TargetSums sums, i32 count, WalkOptions options) {
  GroupDemands g;
  g.radius = hb_sqrt(sums.radius2);
  g.soft2 = sums.soft2 / (real)count;
  g.reach = softened_reach(options.softening, g.soft2, (real)HB_SPLINE_REACH * hb_sqrt(2 * sums.largest_soft2));
  g.expansion_reach = expansion_reach(options.softening, g.reach, options.theta_c);
  g.pull = typical_pull(sums.roots / (real)count);
  g.accuracy = relative_tolerance(options.order, options.theta) * demanding_pull(sums.least_pull, g.pull);
  return g;
}

/// Pairs closer than this to one another are not told by differences to the centre of a group of that radius.
HB_FN real close_in_walk(real radius) { return (real)HB_CLOSE_IN_WALK * radius; }

/// Whether they are watched for: not where all are softened by more than that, which leaves errors of 1e-4.
HB_FN bool watches_close(i32 reaches, real mean_soft2, real close) { return reaches || 2 * mean_soft2 < close * close; }

/// `bound` of expandable() for a group whose |a| is about `acceleration`.
HB_FN real expansion_bound(real theta_c, real acceleration) {
  const real theta2 = theta_c * theta_c;
  return (real)HB_DOMINANCE_EXPANSION * theta2 * theta2 * acceleration;
}

/// `bound` of is_weak() for the same.
HB_FN real multipole_bound(i32 expansion, real theta, real theta_c, real acceleration) {
  const real least = expansion > 0 ? hb_min(theta, theta_c) : theta;
  return (real)HB_DOMINANCE_MULTIPOLE * least * least * least * acceleration;
}

/// Whether a cell at squared distance d2 contains no target of a group; b bounds the distance of its particles from its
/// centre of mass. The first pass over the field, which only finds the scale of |a|, takes such a cell as a point.
HB_FORMULA HB_MASK(real) lies_clear(real d2, real b, real radius) {
  const real reach = b + radius;
  return d2 > reach * reach;
}

/// |a| over d of a point mass that is spread out by sqrt(spread2), in that look.
HB_FORMULA real coarse_pull_over_d(real mass, real d2, real spread2) {
  const real inv_d = hb_rsqrt0(d2 + spread2);
  return mass * (inv_d * inv_d * inv_d);
}

HB_CLOSE
#endif
