// SPDX-License-Identifier: Apache-2.0
// walk, for the tidal tensor at one target: a visitor of the stackless walk that accepts the cells that gravity does.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_PARTICLE_TIDES_H
#define HORNBEAM_INTERACTIONS_GRAVITY_PARTICLE_TIDES_H
#include "interactions/gravity/particle_gravity.h"
#include "physics/tides.h"
HB_OPEN

typedef struct {
  GravityState at;  ///< the target, without its sums
  real run[HB_TIDES];
  sum_t sum[HB_TIDES];
} TidesState;

HB_FN void tides_carry(TidesState* s) {
  for (i32 k = 0; k < HB_TIDES; ++k) {
    s->sum[k] += (sum_t)s->run[k];
    s->run[k] = 0;
  }
  s->at.in_run = 0;
}

HB_FN TidesState tides_begin(GravityState at) {
  TidesState s;
  s.at = at;
  for (i32 k = 0; k < HB_TIDES; ++k) {
    s.run[k] = 0;
    s.sum[k] = 0;
  }
  return s;
}

HB_FN bool tides_accept(TidesState* s, CellsView cells, i32 c) { return gravity_accept(&s->at, cells, c); }

HB_FN void tides_of_point(TidesState* s, pos_t x, pos_t y, pos_t z, real mass, real soft2) {
  const pos_t unit = s->at.options.unit;
  tide_of_point(s->at.options.softening, internal_way(s->at.x, x, unit), internal_way(s->at.y, y, unit),
                internal_way(s->at.z, z, unit), mass, soft2 + s->at.soft2, s->run);
  if (++s->at.in_run == HB_SHORT_RUN) tides_carry(s);
}

HB_FN void tides_on_cell(TidesState* s, CellsView cells, i32 c) {
  if (s->at.options.order == 0 || cells.b[c] == 0) {
    tides_of_point(s, cells.com_x[c], cells.com_y[c], cells.com_z[c], cells.cell_mass[c], cells.cell_soft2[c]);
    return;
  }
  const pos_t unit = s->at.options.unit;
  real M[6];
  for (i32 k = 0; k < 6; ++k) M[k] = cells.moments[c * (u64)s->at.options.moment_stride + k];
  tide_quadrupole(internal_way(s->at.x, cells.com_x[c], unit), internal_way(s->at.y, cells.com_y[c], unit),
                  internal_way(s->at.z, cells.com_z[c], unit), cells.cell_mass[c], M,
                  s->at.options.softening == HB_SPLINE ? (real)0 : cells.cell_soft2[c] + s->at.soft2, s->run);
  if (++s->at.in_run == HB_SHORT_RUN) tides_carry(s);
}

/// Particles first to end but for the target itself.
HB_FN void tides_of_particles(TidesState* s, i32 first, i32 end) {
  const ParticlesView p = s->at.particles;
  for (i32 j = first; j < end; ++j) {
    if (j != s->at.target) tides_of_point(s, p.x[j], p.y[j], p.z[j], p.mass[j], p.soft2[j]);
  }
}

HB_FN void tides_on_leaf(TidesState* s, CellsView cells, i32 c) {
  tides_of_particles(s, cells.first[c], cells.first[c] + cells.count[c]);
}

#define HB_WALKER tides
#define HB_WALKER_STATE TidesState
#include "walk/stackless.inc"

HB_CLOSE
#endif
