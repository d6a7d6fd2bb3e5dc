// SPDX-License-Identifier: Apache-2.0
// accept: which cells a group of targets, or a block of groups, takes whole. On packs the same of several cells at
// once. The heart of every group walk; what is done with a cell that is taken is the walk's business.
#ifndef HORNBEAM_STAGES_ACCEPT_H
#define HORNBEAM_STAGES_ACCEPT_H
#include "physics/opening.h"
#include "stages/enclose.h"
#include "stages/views.h"
HB_OPEN

/// What cells are tested against, internal units.
typedef struct {
  real half_x, half_y, half_z, radius;  ///< of the group
  real accuracy;                        ///< of its demands, an estimate where none is known
  real reach, expansion_reach;          ///< of its demands
  real expansion_bound;                 ///< of expandable()
  real multipole_bound;                 ///< of is_weak()
  real close2;   ///< cells nearer than this, squared, are reported by their particles' own differences of positions;
                 ///< negative where none is
  real nearby2;  ///< of may_be_close() on devices; negative likewise
} GroupTests;

/// Those that follow from a group's demands and its |a|.
HB_FN GroupTests tests_from(GroupDemands g, WalkOptions options, i32 knows_accuracy, real acceleration) {
  GroupTests t;
  t.radius = g.radius;
  t.accuracy = knows_accuracy ? g.accuracy : relative_tolerance(options.order, options.theta) * acceleration;
  t.reach = g.reach;
  t.expansion_reach = g.expansion_reach;
  t.expansion_bound = expansion_bound(options.theta_c, acceleration);
  t.multipole_bound = multipole_bound(options.expansion, options.theta, options.theta_c, acceleration);
  return t;
}

/// How a cell may be taken whole: expanded about the group's centre, or otherwise evaluated at each target; and its
/// squared distance from the group's box.
#if defined(__OPENCL_VERSION__)
typedef struct {
  int expand, far;
  real d2;
} Taken;
#define HB_TAKEN(real) Taken
#else
template <class real>
struct Taken {
  HB_MASK(real) expand, far;
  real d2;
};
#define HB_TAKEN(real) Taken<real>
#endif

/// The larger of softened_reach() of a cell and of the targets.
HB_FORMULA real mutual_reach(i32 softening, real cell_soft2, real cell_reach, real targets) {
  return hb_max(softened_reach(softening, cell_soft2, cell_reach), targets);
}

/// Whether softening leaves the multipole of a cell at squared distance d2 what it is.
HB_FORMULA HB_MASK(real) is_plain(real d2, real b, real reach) {
  const real clear = b + reach;
  return hb_either(d2 > clear * clear, hb_not(reach > HB_C(0)));
}

/// The same for all groups of a block of that radius at distance d.
HB_FORMULA HB_MASK(real) is_plain_for_all(real d, real radius, real b, real reach) {
  return hb_either(d - radius > b + reach, hb_not(reach > HB_C(0)));
}

/// far_enough() where the multipole is plain or not; a point mass is softened as one.
HB_FORMULA HB_MASK(real) far_where_plain(HB_MASK(real) far, HB_MASK(real) plain, real b) {
  return hb_both(far, hb_either(plain, hb_not(b > HB_C(0))));
}

/// Tests a cell at (dx, dy, dz) from the group's centre, without its softening; far_where_plain() follows. box2:
/// squared distance of the boxes, needed only for min-distance; weighs: whether to call is_weak().
HB_FORMULA HB_TAKEN(real) take_cell(const WalkOptions* o, HB_LOCAL const GroupTests* t, i32 weighs, real dx, real dy,
                                    real dz, real b, real mass, real size2, real box2) {
  const real none = HB_C(0);
  const real centre2 = hb_fma(dx, dx, hb_fma(dy, dy, dz * dz));
  const real ox = hb_max(hb_abs(dx) - (real)t->half_x, none), oy = hb_max(hb_abs(dy) - (real)t->half_y, none),
             oz = hb_max(hb_abs(dz) - (real)t->half_z, none);
  HB_TAKEN(real) taken;
  const real d2 = hb_fma(ox, ox, hb_fma(oy, oy, oz * oz));
  taken.d2 = d2;
  taken.expand =
      expandable(centre2, b + (real)t->radius, (real)(o->theta_c * o->theta_c), mass, (real)t->expansion_bound);
  taken.far = far_enough(o->mac, o->order, d2, b * b, box2, size2, mass, (real)t->accuracy);
  if (weighs) {
    taken.far = hb_both(taken.far, hb_either(is_weak(d2, b, mass, (real)t->multipole_bound), hb_not(b > none)));
  }
  taken.far = hb_both(taken.far, d2 > (real)t->close2);
  return taken;
}

/// Whether a group of a block may take a cell whole, as it would at distance d, its radius and b adding up to `reach`.
HB_FORMULA HB_MASK(real)
    suits_a_group(const WalkOptions* o, real d, real d2, real reach, real b, real mass, real size2, real accuracy) {
  return hb_either(reach < (real)o->theta_c * d, far_enough(o->mac, o->order, d2, b * b, d2, size2, mass, accuracy));
}

HB_CLOSE
#endif
