// SPDX-License-Identifier: Apache-2.0
// What a warp knows of its targets before it walks: where they lie, how large the
// group is, how strongly it is attracted.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_WARP_GROUP_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_WARP_GROUP_H
#include "device/kernels/box.h"
#include "interactions/gravity/particle_gravity.h"
#include "physics/opening.h"
#include "stages/accept.h"
#include "stages/enclose.h"
#include "walk/warp_walk.h"

HB_KERNELS_OPEN

/// Centre and box of a group, and its demands on cells; internal units but for the positions.
typedef struct {
  pos_t x, y, z;
  HB_LOCAL pos_t* box;  ///< least x, y, z, then largest; seldom read, and not worth registers
  real half_x, half_y, half_z;
  GroupDemands demands;
} WarpGroup;

/// Box, written to `box`, and centre of particles [first, end).
HB_DEVICE_FN WarpGroup box_of_group(Warp warp, ParticlesView p, i32 first, i32 end, pos_t unit, HB_LOCAL pos_t* box) {
  WarpGroup g;
  const PlaceBox b = box_of_lanes(warp, box_of_every(p.x, p.y, p.z, first + warp.lane, end, HB_WARP));
  g.x = middle_of(b.low_x, b.high_x);
  g.y = middle_of(b.low_y, b.high_y);
  g.z = middle_of(b.low_z, b.high_z);
  g.half_x = half_edge(b.low_x, g.x, b.high_x, unit);
  g.half_y = half_edge(b.low_y, g.y, b.high_y, unit);
  g.half_z = half_edge(b.low_z, g.z, b.high_z, unit);
  g.box = box;
  if (warp.lane == 0) {
    box[0] = b.low_x;
    box[1] = b.low_y;
    box[2] = b.low_z;
    box[3] = b.high_x;
    box[4] = b.high_y;
    box[5] = b.high_z;
  }
  warp_sync();
  return g;
}

/// The group of particles [first, end), end > first. last_acceleration: |a| of the evaluation before, or null.
HB_DEVICE_FN WarpGroup enclose(Warp warp, ParticlesView p, i32 first, i32 end, WalkOptions options,
                               HB_GLOBAL const real* last_acceleration, HB_LOCAL pos_t* box) {
  WarpGroup g = box_of_group(warp, p, first, end, options.unit, box);
  TargetSums sums = no_targets(first, last_acceleration);
  for (i32 i = first + warp.lane; i < end; i += HB_WARP) {
    sums = add_target(sums, i, internal_way(g.x, p.x[i], options.unit), internal_way(g.y, p.y[i], options.unit),
                      internal_way(g.z, p.z[i], options.unit), p.soft2[i], last_acceleration);
  }
  sums.radius2 = -(real)warp_least(warp, -sums.radius2);
  sums.soft2 = warp_sum(warp, sums.soft2);
  sums.largest_soft2 = -(real)warp_least(warp, -sums.largest_soft2);
  sums.roots = warp_sum(warp, sums.roots);
  sums.least_pull = (real)warp_least(warp, sums.least_pull);
  g.demands = demands_of(sums, end - first, options);
  return g;
}

/// A first look at the field, for the scale of |a| only: the attraction of coarse cells at the group's centre. Cells
/// smaller than the group and near it are left out, and their particles counted.
typedef struct {
  WarpGroup group;
  pos_t unit;
  real x, y, z;
  real mass;  ///< of the cells that attract
  i32 near;   ///< particles of those left out
} CoarsePull;

HB_DEVICE_FN i32 coarse_settle(CoarsePull* s, Warp warp, CellsView cells, i32 c, i32 has) {
  const real dx = internal_way(s->group.x, cells.com_x[c], s->unit),
             dy = internal_way(s->group.y, cells.com_y[c], s->unit),
             dz = internal_way(s->group.z, cells.com_z[c], s->unit);
  const real b = cells.b[c], mass = cells.cell_mass[c], soft2 = cells.cell_soft2[c], radius = s->group.demands.radius;
  const real d2 = hb_fma(dx, dx, hb_fma(dy, dy, dz * dz));
  const i32 far = lies_clear(d2, b, radius);
  if (has && far) {
    const real w = coarse_pull_over_d(mass, d2, soft2);
    s->x = hb_fma(dx, w, s->x);
    s->y = hb_fma(dy, w, s->y);
    s->z = hb_fma(dz, w, s->z);
    s->mass += mass;
  }
  const i32 open = has && !far && b > radius;
  if (has && !far && !open && b > 0) s->near += cells.count[c];  // particles at one place are one source
  return open;
}

HB_DEVICE_FN void coarse_on_leaves(CoarsePull* s, Warp warp, CellsView cells, i32 c, i32 is) {
  if (is && cells.b[c] > 0) s->near += cells.count[c];
}

HB_DEVICE_FN i32 coarse_work(CoarsePull* s, Warp warp, CellsView cells, i32 last) { return 0; }

#define HB_WALKER coarse
#define HB_WALKER_STATE CoarsePull
#include "walk/warp_walk.inc"

/// |a| of the group: that of the evaluation before where it is known. Else roughly: the attraction of what is far at
/// its centre or, where the group reaches about more than half of all mass, the attraction of all mass at the
/// farthest that a particle can be from another. near: the particles among the group's.
HB_DEVICE_FN real estimate_acceleration(Warp warp, CellsView cells, WarpGroup group, WalkOptions options,
                                        HB_LOCAL i32* stack, i32* near) {
  CoarsePull s;
  s.group = group;
  s.unit = options.unit;
  s.x = 0;
  s.y = 0;
  s.z = 0;
  s.mass = 0;
  s.near = 0;
  GroupWalkProgress progress = walk_to_begin(HB_STACK);
  coarse_group_walk(&s, warp, cells, stack, 0, options.cells > 0, &progress);
  *near = warp_sum_index(warp, s.near);
  const GroupDemands g = group.demands;
  real pull = g.pull;
  HB_WARP_IF(!(g.pull > 0)) {
    const real x = warp_sum(warp, s.x), y = warp_sum(warp, s.y), z = warp_sum(warp, s.z);
    const real mass = warp_sum(warp, s.mass), all = options.cells > 0 ? cells.cell_mass[0] : 0;
    const real far = hb_sqrt(x * x + y * y + z * z);
    const real edge = coarse_pull_over_d(all * 2 * g.radius, 4 * g.radius * g.radius + g.soft2, g.soft2);
    pull = g.pull > 0 ? g.pull : mass + mass < all ? hb_max(far, edge) : far;
  }
  return pull;
}

HB_KERNELS_CLOSE
#endif
