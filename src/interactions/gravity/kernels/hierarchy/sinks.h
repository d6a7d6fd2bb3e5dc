// SPDX-License-Identifier: Apache-2.0
// How large sinks are, and what their particles demand.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_HIERARCHY_SINKS_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_HIERARCHY_SINKS_H
#include "interactions/gravity/kernels/hierarchy/cells.h"
#include "interactions/gravity/kernels/hierarchy/images.h"
#include "stages/enclose.h"
#include "walk/warp_walk.h"
HB_KERNELS_OPEN

/// Particles of a sink that are looked at for its spread.
#define HB_MOST_SAMPLED (4 * HB_WARP)

HB_DEVICE_FN real length_of(real x, real y, real z) { return hb_sqrt(hb_fma(x, x, hb_fma(y, y, z * z))); }

/// Exact where all are equal.
HB_DEVICE_FN real mean_soft2(real sum, i32 count, real least, real most) {
  return least == most || count == 0 ? most : sum / (real)count;
}

HB_DEVICE_FN real from_middle(SinkCell s, ParticlesView p, i32 i, pos_t unit) {
  return length_of(internal_way(s.x, p.x[i], unit), internal_way(s.y, p.y[i], unit), internal_way(s.z, p.z[i], unit));
}

/// The softening of particles [begin, begin + count).
HB_DEVICE_FN void measure_softening(SinkCell* s, Warp warp, ParticlesView p, i32 begin, i32 count) {
  pos_t sum = 0, least = HB_NEVER, most = 0;
  for (i32 k = warp.lane; k < count; k += HB_WARP) {
    const pos_t soft2 = (pos_t)p.soft2[begin + k];
    sum += soft2;
    least = hb_min(least, soft2);
    most = hb_max(most, soft2);
  }
  sum = (pos_t)warp_sum(warp, (real)sum);
  s->least_soft2 = (real)warp_least(warp, least);
  s->most_soft2 = (real)-warp_least(warp, -most);
  s->soft2 = mean_soft2((real)sum, count, s->least_soft2, s->most_soft2);
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
  s.own_first = begins;
  s.own_end = begins + held;
  s.unit = unit;
  s.point = is_point(cells.b[c], held, options.each ? cells.cell_soft2 : 0, cells.reach, c);
  measure_softening(&s, warp, particles, begins, unit && options.each ? held : 0);
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
  SourceImages images;
  pos_t x, y, z, unit;
  real radius, soft2;  ///< soft2: eps^2 of all pairs or, where each has its own, the largest eps^2 / 2 of those there
  i32 each;            ///< see SinkOptions
  i32 target;          ///< one that stands there, or near
  HB_FIELD(real) field;
} FieldLook;

HB_DEVICE_FN i32 look_settle(FieldLook* s, Warp warp, CellsView cells, i32 entry, i32 has) {
  SourceCell from = hb_read_row(s->sources + entry_number(s->images, entry));
  move_to_image(s->images, entry, &from.x, &from.y, &from.z);
  const real dx = internal_way(s->x, from.x, s->unit), dy = internal_way(s->y, from.y, s->unit),
             dz = internal_way(s->z, from.z, s->unit);
  const real d2 = hb_fma(dx, dx, hb_fma(dy, dy, dz * dz));
  const i32 clear = has && lies_clear(d2, from.rho, s->radius);
  const real soft2 = s->soft2 + (s->each ? cells.cell_soft2[entry_number(s->images, entry)] : (real)0);
  const real w = clear ? coarse_pull_over_d(from.mass, d2, soft2) : (real)0;
  s->field.x = hb_fma(dx, w, s->field.x);
  s->field.y = hb_fma(dy, w, s->field.y);
  s->field.z = hb_fma(dz, w, s->field.z);
  s->field.w -= w * (d2 + soft2);
  return has && !clear;
}

HB_DEVICE_FN void look_on_leaves(FieldLook* s, Warp warp, CellsView cells, i32 entry, i32 is) {}

HB_DEVICE_FN i32 look_work(FieldLook* s, Warp warp, CellsView cells, i32 last) { return 0; }

#define HB_WALKER_CELL(state, entry) entry_number((state)->images, entry)
#define HB_WALKER look
#define HB_WALKER_STATE FieldLook
#include "walk/warp_walk.inc"

/// Looks at some targets of a unit that is large where few of the sources are targets.
#define HB_MOST_LOOKS 8

/// Turns to target k of some of the unit's, or to its middle where `step` is 0.
HB_DEVICE_FN void begin_look(FieldLook* s, SinkCell sink, ParticlesView targets, HB_GLOBAL const i32* due, i32 k,
                             i32 step) {
  const i32 place = sink.first + k * step, i = due ? due[place] : place;
  s->x = step ? targets.x[i] : sink.x;
  s->y = step ? targets.y[i] : sink.y;
  s->z = step ? targets.z[i] : sink.z;
  s->radius = step ? (real)0 : sink.radius;
  if (s->each) s->soft2 = step ? targets.soft2[i] : sink.most_soft2;
  s->target = i;
}

/// What the targets of units demand where no evaluation came before.
HB_WARP_KERNEL(look_at_field) {
  HB_WARP_ARRAY(i32, stack, HB_STACK);
  HB_MAKE_WARP(warp);
  HB_TARGET_PARTICLES(targets)
  HB_CELLS(cells)
  const i32 at = hb_warp_item();
  HB_LEAVE_SURPLUS(at >= units);
  const i32 number = unit_sinks[at];
  const SinkCell sink = sinks[number];
  const Surroundings around = options.around;
  FieldLook s;
  s.sources = sources;
  s.images = source_images(shifts, options.bits);
  s.unit = options.unit;
  s.soft2 = options.soft2;
  s.each = options.each;
  const i32 some = due != 0 || options.first_image != 0;
  const i32 step = some ? (sink.count + HB_MOST_LOOKS - 1) / HB_MOST_LOOKS : 0;
  const i32 looks = some ? (sink.count + step - 1) / step : 1;
  real least = HB_NEVER;
  for (i32 k = 0; hb_all_go_on(k < looks); ++k) {
    begin_look(&s, sink, targets, due, k, step);
    const i32 knows = options.has_far && warp.lane == 0;
    s.field.x = knows ? acc_x[s.target] : (real)0;
    s.field.y = knows ? acc_y[s.target] : (real)0;
    s.field.z = knows ? acc_z[s.target] : (real)0;
    s.field.w = knows ? potential[s.target] : (real)0;
    GroupWalkProgress progress = walk_to_begin(HB_STACK);
    progress.step = (i32)(1u << options.bits); /* from the root of one image to that of the next */
    progress.first = options.first_image ? progress.step : 0;
    look_group_walk(&s, warp, cells, stack, 0, options.images, &progress);
    const real x = warp_sum(warp, s.field.x), y = warp_sum(warp, s.field.y), z = warp_sum(warp, s.field.z),
               w = warp_sum(warp, s.field.w);
    least = hb_min(least, demanded_among(around.images, around.zero, around.least, x, y, z, w, sources[0].mass));
  }
  if (warp.lane == 0) sinks[number].demand = (real)HB_TRUST * least;
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
  real radius = 0, demand = HB_NEVER, soft2 = 0, least = HB_NEVER, most = 0;
  i32 held = 0;
  real dx[HB_MOST_CHILDREN], dy[HB_MOST_CHILDREN], dz[HB_MOST_CHILDREN], radii[HB_MOST_CHILDREN];
  HB_UNROLL(8)
  for (i32 k = 0; k < HB_MOST_CHILDREN; ++k) { /* all are asked for at once, and waited for once */
    const i32 child = eldest + k < behind ? eldest + k : number;
    dx[k] = internal_way(x, sinks[child].x, options.unit);
    dy[k] = internal_way(y, sinks[child].y, options.unit);
    dz[k] = internal_way(z, sinks[child].z, options.unit);
    radii[k] = sinks[child].radius;
    demand = hb_min(demand, sinks[child].demand);
  }
  HB_UNROLL(8)
  for (i32 k = 0; k < HB_MOST_CHILDREN; ++k) {
    const real reach = length_of(dx[k], dy[k], dz[k]) + radii[k];
    radius = eldest + k < behind ? hb_max(radius, reach) : radius;
  }
  for (i32 k = eldest; options.each && k < behind; ++k) {
    soft2 += (real)sinks[k].count * sinks[k].soft2;
    least = hb_min(least, sinks[k].least_soft2);
    most = hb_max(most, sinks[k].most_soft2);
    held += sinks[k].count;
  }
  sinks[number].radius = hb_min(sinks[number].radius, radius);
  sinks[number].demand = demand;
  if (!options.each) return;
  sinks[number].soft2 = mean_soft2(soft2, held, least, most);
  sinks[number].least_soft2 = least;
  sinks[number].most_soft2 = most;
}

/// The sizes of all sinks, each from the radii of those that it is in: one launch, not one for each level.
HB_KERNEL(size_sinks) {
  const i32 number = hb_item();
  if (number >= all) return;
  i32 chain[HB_LEVELS + 1], held = 0;
  for (i32 up = number; up >= 0; up = sinks[up].parent) chain[held++] = up;
  real size = sinks[chain[held - 1]].radius;
  for (i32 k = held - 1; k >= 0; --k) size = size_of_sink(sinks[chain[k]].radius, size);
  sinks[number].size = size;
}

/// Lengths of a sink's expansion are times this.
HB_DEVICE_FN real scale_of_size(real size) { return size > 0 ? power_of_two_below_inverse(size) : (real)1; }

HB_KERNELS_CLOSE
#endif
