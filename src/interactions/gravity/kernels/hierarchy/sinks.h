// SPDX-License-Identifier: Apache-2.0
// How large sinks are, and what their particles demand.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_HIERARCHY_SINKS_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_HIERARCHY_SINKS_H
#include "interactions/gravity/kernels/hierarchy/cells.h"
#include "stages/enclose.h"
#include "walk/warp_walk.h"
HB_KERNELS_OPEN

/// Particles of a sink that are looked at for its spread.
#define HB_MOST_SAMPLED (4 * HB_WARP)

HB_DEVICE_FN real length_of(real x, real y, real z) { return hb_sqrt(hb_fma(x, x, hb_fma(y, y, z * z))); }

HB_DEVICE_FN real from_middle(SinkCell s, ParticlesView p, i32 i, pos_t unit) {
  return length_of(internal_way(s.x, p.x[i], unit), internal_way(s.y, p.y[i], unit), internal_way(s.z, p.z[i], unit));
}

/// Place, box and spread of each sink, and the radius and demand of units; for others, bounds that raise_sinks()
/// lowers. demands: null where none are known.
HB_WARP_KERNEL(measure_sinks) {
  HB_MAKE_WARP(warp);
  HB_PARTICLES(particles)
  HB_CELLS(cells)
  const i32 number = hb_warp_item();
  HB_LEAVE_SURPLUS(number >= options.sinks);
  const i32 c = sinks[number].cell, begins = cells.first[c], held = cells.count[c];
  SinkCell s;
  s.x = middle_of(cells.low_x[c], cells.high_x[c]);
  s.y = middle_of(cells.low_y[c], cells.high_y[c]);
  s.z = middle_of(cells.low_z[c], cells.high_z[c]);
  s.half_x = half_edge(cells.low_x[c], s.x, cells.high_x[c], options.unit);
  s.half_y = half_edge(cells.low_y[c], s.y, cells.high_y[c], options.unit);
  s.half_z = half_edge(cells.low_z[c], s.z, cells.high_z[c], options.unit);
  s.radius = length_of(s.half_x, s.half_y, s.half_z);
  const real scale = s.radius > 0 ? 1 / s.radius : 0;
  const i32 step = (held + HB_MOST_SAMPLED - 1) / HB_MOST_SAMPLED, sampled = (held + step - 1) / step;
  real sum = 0, radius = 0;
  for (i32 k = warp.lane; k < sampled; k += HB_WARP) {
    const real x = from_middle(s, particles, begins + k * step, options.unit) * scale, x2 = x * x, x4 = x2 * x2;
    sum = hb_fma(x4, x4, sum);
  }
  const i32 unit = makes_unit(cells, c, options);
  pos_t demand = HB_NEVER;
  for (i32 k = warp.lane; k < (unit ? held : 0); k += HB_WARP) {
    radius = hb_max(radius, from_middle(s, particles, begins + k, options.unit));
    if (demands) demand = hb_min(demand, (pos_t)demands[begins + k]);
  }
  sum = warp_sum(warp, sum);
  radius = -(real)warp_least(warp, -(pos_t)radius);
  s.demand = (real)warp_least(warp, demand);
  s.spread = s.radius * hb_min(eighth_root(sum / (real)sampled), (real)1);
  if (unit) s.radius = hb_min(s.radius, radius);
  s.size = 0;
  s.cell = c;
  s.parent = sinks[number].parent;
  s.first = sinks[number].first;
  s.count = sinks[number].count;
  warp_sync_global(); /* the parent has been read by all */
  if (warp.lane == 0) sinks[number] = s;
}

/// A first look at the field of a unit: the attraction of coarse cells at its middle. Cells that reach the unit are
/// opened, and leaves among them left out.
typedef struct {
  HB_GLOBAL const SourceCell* sources;
  pos_t x, y, z, unit;
  real radius, soft2;  ///< soft2: eps^2 / 2
  HB_FIELD(real) field;
} FieldLook;

HB_DEVICE_FN i32 look_settle(FieldLook* s, Warp warp, CellsView cells, i32 c, i32 has) {
  const SourceCell from = hb_read_row(s->sources + c);
  const real dx = internal_way(s->x, from.x, s->unit), dy = internal_way(s->y, from.y, s->unit),
             dz = internal_way(s->z, from.z, s->unit);
  const real d2 = hb_fma(dx, dx, hb_fma(dy, dy, dz * dz));
  const i32 clear = has && lies_clear(d2, from.rho, s->radius);
  const real w = clear ? coarse_pull_over_d(from.mass, d2, s->soft2) : (real)0;
  s->field.x = hb_fma(dx, w, s->field.x);
  s->field.y = hb_fma(dy, w, s->field.y);
  s->field.z = hb_fma(dz, w, s->field.z);
  s->field.w -= w * (d2 + s->soft2);
  return has && !clear;
}

HB_DEVICE_FN void look_on_leaves(FieldLook* s, Warp warp, CellsView cells, i32 c, i32 is) {}

HB_DEVICE_FN i32 look_work(FieldLook* s, Warp warp, CellsView cells, i32 last) { return 0; }

#define HB_WALKER look
#define HB_WALKER_STATE FieldLook
#include "walk/warp_walk.inc"

/// What the particles of units demand where no evaluation came before.
HB_WARP_KERNEL(look_at_field) {
  HB_WARP_ARRAY(i32, stack, HB_STACK);
  HB_MAKE_WARP(warp);
  HB_CELLS(cells)
  const i32 at = hb_warp_item();
  HB_LEAVE_SURPLUS(at >= units);
  const i32 number = unit_sinks[at];
  FieldLook s;
  s.sources = sources;
  s.x = sinks[number].x;
  s.y = sinks[number].y;
  s.z = sinks[number].z;
  s.unit = options.unit;
  s.radius = sinks[number].radius;
  s.soft2 = options.soft2 / 2;
  s.field.x = s.field.y = s.field.z = s.field.w = 0;
  GroupWalkProgress progress = walk_to_begin(HB_STACK);
  look_group_walk(&s, warp, cells, stack, 0, 1, &progress);
  const real x = warp_sum(warp, s.field.x), y = warp_sum(warp, s.field.y), z = warp_sum(warp, s.field.z),
             potential = warp_sum(warp, s.field.w);
  if (warp.lane == 0) sinks[number].demand = (real)HB_TRUST * demanded_pull(x, y, z, potential, sources[0].mass);
}

/// Sinks [begin, end) of a level, those below being done: from their children that are sinks, which stand side by side.
HB_KERNEL(raise_sinks) {
  HB_CELLS(cells)
  const i32 number = begin + hb_item();
  if (number >= end) return;
  const i32 c = sinks[number].cell;
  if (makes_unit(cells, c, options)) return;
  const i32 eldest = (i32)sums[cells.child[c]], behind = (i32)sums[cells.child[c] + cells.children[c]];
  const pos_t x = sinks[number].x, y = sinks[number].y, z = sinks[number].z;
  real radius = 0, demand = HB_NEVER;
  for (i32 k = eldest; k < behind; ++k) {
    const real apart = length_of(internal_way(x, sinks[k].x, options.unit), internal_way(y, sinks[k].y, options.unit),
                                 internal_way(z, sinks[k].z, options.unit));
    radius = hb_max(radius, apart + sinks[k].radius);
    demand = hb_min(demand, sinks[k].demand);
  }
  sinks[number].radius = hb_min(sinks[number].radius, radius);
  sinks[number].demand = demand;
}

/// The sizes of sinks [begin, end) of a level, those above having theirs.
HB_KERNEL(size_sinks) {
  const i32 number = begin + hb_item();
  if (number >= end) return;
  const i32 parent = sinks[number].parent;
  const real radius = sinks[number].radius;
  sinks[number].size = size_of_sink(radius, parent < 0 ? radius : sinks[parent].size);
}

/// Lengths of a sink's expansion are times this.
HB_DEVICE_FN real scale_of_size(real size) { return size > 0 ? power_of_two_below_inverse(size) : (real)1; }

HB_KERNELS_CLOSE
#endif
