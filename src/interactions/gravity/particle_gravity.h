// SPDX-License-Identifier: Apache-2.0
// walk, for one particle: gravity as a visitor of the stackless walk. Also what the group walks need at their end.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_PARTICLE_GRAVITY_H
#define HORNBEAM_INTERACTIONS_GRAVITY_PARTICLE_GRAVITY_H
#include "physics/expansion.h"
#include "physics/opening.h"
#include "physics/softening.h"
#include "stages/accept.h"
#include "stages/box.h"
#include "stages/units.h"
#include "stages/views.h"
HB_OPEN

/// Interactions summed in real before they are carried into sum_t.
#define HB_SHORT_RUN 32

/// One target on its way through the tree. Lengths and masses internal but for the position.
typedef struct {
  ParticlesView particles;
  WalkOptions options;
  i32 target;  ///< its number among the sources; -1: none
  pos_t x, y, z;
  real soft2, reach, accuracy;
  HB_FIELD(real) run;
  sum_t acc[4];  ///< acceleration and potential
  i32 in_run;
  u32 particle_interactions, cell_interactions;
} GravityState;

/// last_acceleration: |a| of the evaluation before, for the relative criterion.
HB_FN GravityState gravity_begin(ParticlesView particles, ParticlesView targets, WalkOptions options, i32 target,
                                 real last_acceleration) {
  GravityState s;
  s.particles = particles;
  s.options = options;
  s.target = options.image ? -1 : target;
  s.x = targets.x[target];
  s.y = targets.y[target];
  s.z = targets.z[target];
  s.soft2 = targets.soft2[target];
  s.reach = options.softening == HB_SPLINE ? (real)HB_SPLINE_REACH * hb_sqrt(s.soft2 + s.soft2) : (real)0;
  s.accuracy = relative_tolerance(options.order, options.theta) * last_acceleration;
  s.run.x = 0;
  s.run.y = 0;
  s.run.z = 0;
  s.run.w = 0;
  for (i32 k = 0; k < 4; ++k) s.acc[k] = 0;
  s.in_run = 0;
  s.particle_interactions = 0;
  s.cell_interactions = 0;
  return s;
}

HB_FN void gravity_carry(GravityState* s) {
  s->acc[0] += (sum_t)s->run.x;
  s->acc[1] += (sum_t)s->run.y;
  s->acc[2] += (sum_t)s->run.z;
  s->acc[3] += (sum_t)s->run.w;
  s->run.x = 0;
  s->run.y = 0;
  s->run.z = 0;
  s->run.w = 0;
  s->in_run = 0;
}

HB_FN void gravity_count(GravityState* s) {
  if (++s->in_run == HB_SHORT_RUN) gravity_carry(s);
}

HB_FN bool gravity_accept(GravityState* s, CellsView cells, i32 c) {
  if (cells.count[c] == 1) return false;  // a particle, not a cell (Nakasato 2012 fig. 4)
  const pos_t unit = s->options.unit;
  const real dx = internal_way(s->x, cells.com_x[c], unit), dy = internal_way(s->y, cells.com_y[c], unit),
             dz = internal_way(s->z, cells.com_z[c], unit);
  const real d2 = hb_fma(dx, dx, hb_fma(dy, dy, dz * dz));
  real box2 = 0;
  if (s->options.mac == HB_MAC_MIN_DISTANCE) {
    const real none = 0;
    const real bx = hb_max(gap_between(cells.low_x[c], cells.high_x[c], s->x, s->x, unit), none),
               by = hb_max(gap_between(cells.low_y[c], cells.high_y[c], s->y, s->y, unit), none),
               bz = hb_max(gap_between(cells.low_z[c], cells.high_z[c], s->z, s->z, unit), none);
    box2 = hb_fma(bx, bx, hb_fma(by, by, bz * bz));
  }
  const real b = cells.b[c];
  const bool far =
      far_enough(s->options.mac, s->options.order, d2, b * b, box2, cells.size2[c], cells.cell_mass[c], s->accuracy);
  if (!s->options.reaches) return far;
  const real reach = mutual_reach(s->options.softening, cells.cell_soft2[c], cells.reach[c], s->reach);
  return far_where_plain(far, is_plain(d2, b, reach), b);
}

HB_FN void gravity_on_cell(GravityState* s, CellsView cells, i32 c) {
  const pos_t unit = s->options.unit;
  const real dx = internal_way(s->x, cells.com_x[c], unit), dy = internal_way(s->y, cells.com_y[c], unit),
             dz = internal_way(s->z, cells.com_z[c], unit);
  const real soft2 = cells.cell_soft2[c] + s->soft2;
  if (s->options.order == 0 || cells.b[c] == 0) {
    s->run = pull(s->options.softening, dx, dy, dz, cells.cell_mass[c], soft2, s->run);
  } else {
    real M[6];
    for (i32 k = 0; k < 6; ++k) M[k] = cells.moments[c * (u64)s->options.moment_stride + k];
    // beyond the reach of the spline both softenings are the plain multipole
    s->run =
        pull_quadrupole(dx, dy, dz, cells.cell_mass[c], M, s->options.softening == HB_SPLINE ? (real)0 : soft2, s->run);
  }
  ++s->cell_interactions;
  gravity_count(s);
}

HB_FN void gravity_on_particle(GravityState* s, i32 j) {
  if (j == s->target) return;
  const pos_t unit = s->options.unit;
  s->run = pull(s->options.softening, internal_way(s->x, s->particles.x[j], unit),
                internal_way(s->y, s->particles.y[j], unit), internal_way(s->z, s->particles.z[j], unit),
                s->particles.mass[j], s->particles.soft2[j] + s->soft2, s->run);
  ++s->particle_interactions;
  gravity_count(s);
}

/// Coincident particles are one point mass; a target among them does not feel itself, nor any force of the others.
HB_FN void gravity_on_leaf(GravityState* s, CellsView cells, i32 c) {
  const i32 first = cells.first[c], end = first + cells.count[c];
  if (cells.b[c] > 0 || cells.count[c] == 1) {
    for (i32 j = first; j < end; ++j) gravity_on_particle(s, j);
    return;
  }
  const bool inside = s->target >= first && s->target < end;
  const real own = inside ? s->particles.mass[s->target] : 0;
  const pos_t unit = s->options.unit;
  s->run =
      pull(s->options.softening, internal_way(s->x, cells.com_x[c], unit), internal_way(s->y, cells.com_y[c], unit),
           internal_way(s->z, cells.com_z[c], unit), cells.cell_mass[c] - own, cells.cell_soft2[c] + s->soft2, s->run);
  ++s->particle_interactions;
  gravity_count(s);
}

#define HB_WALKER gravity
#define HB_WALKER_STATE GravityState
#include "walk/stackless.inc"

HB_CLOSE
#endif
