// SPDX-License-Identifier: Apache-2.0
// What a warp knows of its targets before it walks: where they lie, how large the group is, how strongly it is pulled.
#ifndef HORNBEAM_DEVICE_WARP_GROUP_H
#define HORNBEAM_DEVICE_WARP_GROUP_H
#include "backend/device/kernels/group_walk.h"
#include "physics/opening.h"
#include "stages/gravity.h"

HB_KERNELS_OPEN

/// Centre, box and radius of a group, and its demands on cells; internal units but for the positions.
typedef struct {
  pos_t x, y, z;
  HB_LOCAL pos_t* box;  ///< least x, y, z, then largest; seldom read, and not worth registers
  real half_x, half_y, half_z;
  real radius;    ///< largest distance of a particle from the centre
  real soft2;     ///< mean eps^2 / 2
  real reach;     ///< softened_reach() of the targets
  real accuracy;  ///< relative criterion: tolerance times demanding_pull() of the evaluation before, or an estimate
  real pull;      ///< typical_pull() of the evaluation before; 0 where it is not known
} WarpGroup;

/// Half the box's edge, at least the distance of either face from the centre.
HB_DEVICE_FN real half_edge(pos_t low, pos_t centre, pos_t high, pos_t unit) {
  return hb_max(internal_way(centre, high, unit), internal_way(low, centre, unit));
}

/// Box, written to `box`, and centre of particles [first, end).
HB_DEVICE_FN WarpGroup box_of_group(Warp warp, ParticlesView p, i32 first, i32 end, pos_t unit, HB_LOCAL pos_t* box) {
  WarpGroup g;
  i32 i = hb_min(first + warp.lane, end - 1);
  pos_t low_x = p.x[i], low_y = p.y[i], low_z = p.z[i], high_x = low_x, high_y = low_y, high_z = low_z;
  for (i += HB_WARP; i < end; i += HB_WARP) {
    const pos_t x = p.x[i], y = p.y[i], z = p.z[i];
    low_x = hb_min(low_x, x);
    low_y = hb_min(low_y, y);
    low_z = hb_min(low_z, z);
    high_x = hb_max(high_x, x);
    high_y = hb_max(high_y, y);
    high_z = hb_max(high_z, z);
  }
  low_x = warp_least(warp, low_x);
  low_y = warp_least(warp, low_y);
  low_z = warp_least(warp, low_z);
  high_x = -warp_least(warp, -high_x);
  high_y = -warp_least(warp, -high_y);
  high_z = -warp_least(warp, -high_z);
  g.x = low_x + (high_x - low_x) / 2;
  g.y = low_y + (high_y - low_y) / 2;
  g.z = low_z + (high_z - low_z) / 2;
  g.half_x = half_edge(low_x, g.x, high_x, unit);
  g.half_y = half_edge(low_y, g.y, high_y, unit);
  g.half_z = half_edge(low_z, g.z, high_z, unit);
  g.box = box;
  if (warp.lane == 0) {
    box[0] = low_x;
    box[1] = low_y;
    box[2] = low_z;
    box[3] = high_x;
    box[4] = high_y;
    box[5] = high_z;
  }
  warp_sync();
  return g;
}

/// The group of particles [first, end), end > first. last_acceleration: |a| of the evaluation before, or null.
HB_DEVICE_FN WarpGroup enclose(Warp warp, ParticlesView p, i32 first, i32 end, WalkOptions options,
                               HB_GLOBAL const real* last_acceleration, HB_LOCAL pos_t* box) {
  WarpGroup g = box_of_group(warp, p, first, end, options.unit, box);
  real radius2 = 0, soft2 = 0, largest = 0, roots = 0, least = last_acceleration ? last_acceleration[first] : 0;
  for (i32 i = first + warp.lane; i < end; i += HB_WARP) {
    const real x = internal_way(g.x, p.x[i], options.unit), y = internal_way(g.y, p.y[i], options.unit),
               z = internal_way(g.z, p.z[i], options.unit);
    radius2 = hb_max(radius2, x * x + y * y + z * z);
    soft2 += p.soft2[i];
    largest = hb_max(largest, p.soft2[i]);
    if (last_acceleration) {
      least = hb_min(least, last_acceleration[i]);
      roots += eighth_root(last_acceleration[i]);
    }
  }
  g.radius = hb_sqrt(-(real)warp_least(warp, -radius2));
  g.soft2 = warp_sum(warp, soft2) / (real)(end - first);
  largest = -(real)warp_least(warp, -largest);
  g.reach = softened_reach(options.softening, g.soft2, (real)HB_SPLINE_REACH * hb_sqrt(2 * largest));
  g.pull = typical_pull(warp_sum(warp, roots) / (real)(end - first));
  g.accuracy = relative_tolerance(options.order, options.theta) * demanding_pull((real)warp_least(warp, least), g.pull);
  return g;
}

/// The larger of softened_reach() of cell c and of the targets.
HB_DEVICE_FN real mutual_reach(CellsView cells, i32 c, i32 softening, real targets) {
  return hb_max(softened_reach(softening, cells.cell_soft2[c], cells.reach[c]), targets);
}

/// A first look at the field, for the scale of |a| only: the pull of coarse cells at the group's centre. Cells smaller
/// than the group and near it are left out, and their particles counted.
typedef struct {
  WarpGroup group;
  pos_t unit;
  real x, y, z;
  real mass;  ///< of the cells that pull
  i32 near;   ///< particles of those left out
} CoarsePull;

HB_DEVICE_FN i32 coarse_settle(CoarsePull* s, Warp warp, CellsView cells, i32 c, i32 has) {
  const real dx = internal_way(s->group.x, cells.com_x[c], s->unit),
             dy = internal_way(s->group.y, cells.com_y[c], s->unit),
             dz = internal_way(s->group.z, cells.com_z[c], s->unit);
  const real b = cells.b[c], mass = cells.cell_mass[c], soft2 = cells.cell_soft2[c], reach = b + s->group.radius;
  const real d2 = hb_fma(dx, dx, hb_fma(dy, dy, dz * dz));
  const i32 far = d2 > reach * reach;
  if (has && far) {
    const real inv_d = hb_rsqrt0(d2 + soft2);
    const real w = mass * (inv_d * inv_d * inv_d);
    s->x = hb_fma(dx, w, s->x);
    s->y = hb_fma(dy, w, s->y);
    s->z = hb_fma(dz, w, s->z);
    s->mass += mass;
  }
  const i32 open = has && !far && b > s->group.radius;
  if (has && !far && !open && b > 0) s->near += cells.count[c];  // particles at one place are one source
  return open;
}

HB_DEVICE_FN void coarse_on_leaves(CoarsePull* s, Warp warp, CellsView cells, i32 c, i32 is) {
  if (is && cells.b[c] > 0) s->near += cells.count[c];
}

HB_DEVICE_FN i32 coarse_work(CoarsePull* s, Warp warp, CellsView cells, i32 last) { return 0; }

HB_GROUP_WALK(coarse, CoarsePull)

/// |a| of the group: that of the evaluation before where it is known. Else roughly: the pull of what is far at its
/// centre or, where the group reaches about more than half of all mass, the pull of all mass at the farthest that a
/// particle can be from another. near: the particles among the group's.
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
  GroupWalkProgress progress = walk_to_begin();
  coarse_group_walk(&s, warp, cells, stack, 0, options.cells > 0, &progress);
  *near = warp_sum_index(warp, s.near);
  if (group.pull > 0) return group.pull;
  const real x = warp_sum(warp, s.x), y = warp_sum(warp, s.y), z = warp_sum(warp, s.z);
  const real mass = warp_sum(warp, s.mass), all = options.cells > 0 ? cells.cell_mass[0] : 0;
  const real far = hb_sqrt(x * x + y * y + z * z);
  if (!(mass + mass < all)) return far;
  const real inv_d = hb_rsqrt0(4 * group.radius * group.radius + group.soft2 + group.soft2);
  const real widest = all * 2 * group.radius * (inv_d * inv_d * inv_d);
  return hb_max(far, widest);
}

HB_KERNELS_CLOSE
#endif
