// SPDX-License-Identifier: Apache-2.0
// Gravity as a visitor of the warp's group walk. A far cell is expanded once about the group's centre, a nearer one is
// evaluated at each particle, a near one is opened; lists are evaluated as soon as they fill a warp, and at the end.
#ifndef HORNBEAM_DEVICE_GROUP_GRAVITY_H
#define HORNBEAM_DEVICE_GROUP_GRAVITY_H
#include "backend/device/kernels/far_field.h"
#include "backend/device/kernels/targets.h"
HB_KERNELS_OPEN

/// Particles of one leaf that are put on the list in one go.
#define HB_LEAF_CHUNK 16
#define HB_SOURCE_LIST (HB_WARP - 1 + HB_WARP * HB_LEAF_CHUNK)

typedef struct {
  ParticlesView particles;
  WalkOptions options;
  GroupWalkOptions walk;
  WarpGroup group;
  i32 first, end;  ///< targets
  FarField far;
  Target target[HB_TARGETS];
  HB_LOCAL i32* multipole_list;  ///< cells for their quadrupoles, 2 * HB_WARP
  HB_LOCAL i32* source_list;     ///< particles, and cells c as points by their complement ~c
  HB_LOCAL Real4* stage;         ///< 3 * HB_WARP: sources about to be evaluated
  HB_LOCAL real* stage_soft2;
  i32 multipole_count, source_count;
  real theta2, expansion_bound, multipole_bound;
  i32 own_first, own_end;  ///< a lane's part of the particles of the targets' own leaves
  i32 own_point;           ///< complement of the coincident particles' leaf that all targets belong to; 0 for none
  u32 pairs, multipoles;   ///< a lane's sources met so far
} GroupGravity;

/// What the kernel keeps of the lanes' positions: place relative to the group's centre, and the run and sums at 0.
HB_DEVICE_FN void load_targets(GroupGravity* s, Warp warp) {
#pragma unroll
  for (i32 k = 0; k < HB_TARGETS; ++k) {
    Target* t = &s->target[k];
    const i32 i = s->first + k * HB_WARP + warp.lane, held = hb_min(i, s->end - 1);
    t->particle = i;
    t->x = (real)((s->particles.x[held] - s->group.x) * s->options.unit);
    t->y = (real)((s->particles.y[held] - s->group.y) * s->options.unit);
    t->z = (real)((s->particles.z[held] - s->group.z) * s->options.unit);
    t->soft2 = s->particles.soft2[held];
    clear_field(&t->run), clear_field(&t->sum), clear_field(&t->lost);
  }
}

HB_DEVICE_FN Real4 staged(GroupGravity* s, pos_t x, pos_t y, pos_t z, real mass) {
  const pos_t unit = s->options.unit;
  return hb_real4((real)((x - s->group.x) * unit), (real)((y - s->group.y) * unit), (real)((z - s->group.z) * unit),
                  mass);
}

HB_DEVICE_FN void stage_particle(GroupGravity* s, i32 at, i32 j) {
  s->stage[at] = staged(s, s->particles.x[j], s->particles.y[j], s->particles.z[j], s->particles.mass[j]);
  if (s->walk.pairs != HB_PAIRS_UNIFORM) s->stage_soft2[at] = s->particles.soft2[j];
}

/// Evaluates the `n` <= HB_WARP sources on the stage at all targets.
HB_DEVICE_FN void evaluate_stage(GroupGravity* s, i32 n) {
  const i32 wide = s->end - s->first > HB_WARP;
  const real soft2 = s->walk.soft2;
  if (s->walk.pairs == HB_PAIRS_UNIFORM) {
    if (wide) {
      pull_sources(HB_PAIRS_UNIFORM, 2, s->stage, s->stage_soft2, n, soft2, s->target);
    } else {
      pull_sources(HB_PAIRS_UNIFORM, 1, s->stage, s->stage_soft2, n, soft2, s->target);
    }
  } else if (s->walk.pairs == HB_PAIRS_EACH) {
    pull_sources(HB_PAIRS_EACH, 2, s->stage, s->stage_soft2, n, soft2, s->target);
  } else {
    pull_sources(HB_PAIRS_SPLINE, 2, s->stage, s->stage_soft2, n, soft2, s->target);
  }
  carry_runs(s->target);
}

/// Evaluates the last `n` <= HB_WARP sources of the list.
HB_DEVICE_FN void evaluate_sources(GroupGravity* s, Warp warp, CellsView cells, i32 n) {
  warp_sync();
  s->source_count -= n;
  if (warp.lane < n) {
    const i32 j = s->source_list[s->source_count + warp.lane];
    if (j >= 0) {
      stage_particle(s, warp.lane, j);
    } else {
      s->stage[warp.lane] = staged(s, cells.com_x[~j], cells.com_y[~j], cells.com_z[~j], cells.cell_mass[~j]);
      s->stage_soft2[warp.lane] = cells.cell_soft2[~j];
    }
  }
  warp_sync();
  evaluate_stage(s, n);
  warp_sync();
}

/// Evaluates the last `n` <= HB_WARP cells waiting for their quadrupoles.
HB_DEVICE_FN void evaluate_multipoles(GroupGravity* s, Warp warp, CellsView cells, i32 n) {
  warp_sync();
  s->multipole_count -= n;
  if (warp.lane < n) {
    const i32 c = s->multipole_list[s->multipole_count + warp.lane];
    HB_GLOBAL const Real4* row = (HB_GLOBAL const Real4*)(cells.moments + c * (u64)s->options.moment_stride);
    const Real4 a = row[0], b = row[1];
    const real soft2 = s->walk.pairs == HB_PAIRS_UNIFORM
                           ? s->walk.soft2
                           : (s->walk.pairs == HB_PAIRS_EACH ? cells.cell_soft2[c] : (real)0);
    s->stage[3 * warp.lane] = staged(s, cells.com_x[c], cells.com_y[c], cells.com_z[c], cells.cell_mass[c]);
    s->stage[3 * warp.lane + 1] = hb_real4(a.x + a.x, a.y, a.z, a.w + a.w);
    s->stage[3 * warp.lane + 2] = hb_real4(b.x, b.y + b.y, a.x + a.w + b.y, soft2);
  }
  warp_sync();
  const i32 wide = s->end - s->first > HB_WARP;
  if (s->walk.pairs == HB_PAIRS_EACH) {
    pull_quadrupoles(HB_PAIRS_EACH, 2, s->stage, n, s->target);
  } else if (wide) {
    pull_quadrupoles(HB_PAIRS_UNIFORM, 2, s->stage, n, s->target);
  } else {
    pull_quadrupoles(HB_PAIRS_UNIFORM, 1, s->stage, n, s->target);
  }
  carry_runs(s->target);
  warp_sync();
}

/// Takes cell c of the lanes with `which` set as a point mass.
HB_DEVICE_FN void add_points(GroupGravity* s, Warp warp, CellsView cells, i32 c, i32 which) {
  s->source_count = warp_append(warp, s->source_list, s->source_count, ~c, which);
  if (s->source_count >= HB_WARP) evaluate_sources(s, warp, cells, HB_WARP);
}

/// Takes the particles [first, first + count) of each lane.
HB_DEVICE_FN void add_particles(GroupGravity* s, Warp warp, CellsView cells, i32 first, i32 count) {
  while (warp_any(warp, count > 0)) {
    const i32 n = hb_min(count, HB_LEAF_CHUNK);
    i32 total;
    const i32 at = s->source_count + warp_exclusive_scan(warp, n, &total);
    for (i32 k = 0; k < n; ++k) s->source_list[at + k] = first + k;
    first += n;
    count -= n;
    s->source_count += total;
    while (s->source_count >= HB_WARP) evaluate_sources(s, warp, cells, HB_WARP);
  }
}

/// Least squared distance between the group's box and that of cell c.
HB_DEVICE_FN real between_boxes(const GroupGravity* s, CellsView cells, i32 c) {
  const WarpGroup* g = &s->group;
  const pos_t none = 0, unit = s->options.unit;
  const real x = (real)(hb_max(hb_max(cells.low_x[c] - g->high_x, g->low_x - cells.high_x[c]), none) * unit);
  const real y = (real)(hb_max(hb_max(cells.low_y[c] - g->high_y, g->low_y - cells.high_y[c]), none) * unit);
  const real z = (real)(hb_max(hb_max(cells.low_z[c] - g->high_z, g->low_z - cells.high_z[c]), none) * unit);
  return x * x + y * y + z * z;
}

/// Whether quadrupoles are held to a part of |a|; `relative` does that by itself.
HB_DEVICE_FN i32 guards_multipoles(WalkOptions options) {
  return options.order == 2 && options.mac != HB_MAC_RELATIVE && options.theta > 0;
}

HB_DEVICE_FN i32 gravity_settle(GroupGravity* s, Warp warp, CellsView cells, i32 c, i32 has) {
  const WalkOptions* o = &s->options;
  const WarpGroup* g = &s->group;
  const real dx = (real)((cells.com_x[c] - g->x) * o->unit), dy = (real)((cells.com_y[c] - g->y) * o->unit),
             dz = (real)((cells.com_z[c] - g->z) * o->unit);
  const real b = cells.b[c], mass = cells.cell_mass[c];
  const real centre2 = hb_fma(dx, dx, hb_fma(dy, dy, dz * dz));
  const real none = 0;
  const real ox = hb_max(hb_abs(dx) - g->half_x, none), oy = hb_max(hb_abs(dy) - g->half_y, none),
             oz = hb_max(hb_abs(dz) - g->half_z, none);
  const real d2 = hb_fma(ox, ox, hb_fma(oy, oy, oz * oz));
  i32 expand = HB_EXPANSION > 0 && has && expandable(centre2, b + g->radius, s->theta2, mass, s->expansion_bound);
  const real box2 = o->mac >= HB_MAC_MIN_DISTANCE ? between_boxes(s, cells, c) : none;
  i32 far = has && far_enough(o->mac, o->order, d2, box2, cells.size2[c], mass, g->accuracy);
  if (guards_multipoles(*o)) far = far && (is_weak(d2, b, mass, s->multipole_bound) || !(b > 0));
  if (o->reaches) {
    const real reach = mutual_reach(cells, c, o->softening, g->reach), clear = b + reach;
    const i32 plain = d2 > clear * clear || !(reach > 0);
    far = far && (plain || !(b > 0));
    expand = expand && plain;
  }
  far = far && !expand;
  const i32 point = far && (o->order == 0 || b == 0);
  if (far) {
    if (point && cells.count[c] == 1) {
      ++s->pairs;
    } else {
      ++s->multipoles;
    }
  }
  far_add(&s->far, warp, cells, *o, c, expand);
  add_points(s, warp, cells, c, point);
  s->multipole_count = warp_append(warp, s->multipole_list, s->multipole_count, c, far && !point);
  if (s->multipole_count >= HB_WARP) evaluate_multipoles(s, warp, cells, HB_WARP);
  return has && !expand && !far;
}

HB_DEVICE_FN void gravity_on_leaves(GroupGravity* s, Warp warp, CellsView cells, i32 c, i32 is) {
  if (!warp_any(warp, is)) return;
  const i32 first = cells.first[c], count = cells.count[c];
  const i32 mine = is && first < s->end && first + count > s->first;
  // one place: a point, but for targets among its few particles, which are told apart with the targets' own leaves
  const i32 coincident = is && count > 1 && cells.b[c] == 0;
  const i32 own_point = coincident && mine && count > HB_MAX_GROUP;
  const i32 point = (coincident && !mine) || own_point;
  const i32 own = mine && !own_point;
  if (own_point) s->own_point = ~c;
  if (own) s->own_first = hb_min(s->own_first, first), s->own_end = hb_max(s->own_end, first + count);
  const i32 others = is && !own && !point ? count : 0;
  s->pairs += (u32)others;
  s->multipoles += point ? 1u : 0u;
  add_points(s, warp, cells, c, point);
  add_particles(s, warp, cells, first, others);
}

HB_GROUP_WALK(gravity, GroupGravity)

/// The targets' own leaves, which are neighbours along the curve, each without the target itself.
HB_DEVICE_FN void evaluate_own(GroupGravity* s, Warp warp) {
  const i32 first = warp_least_index(warp, s->own_first), end = -warp_least_index(warp, -s->own_end);
  for (i32 j = first; j < end; j += HB_WARP) {
    const i32 n = hb_min(end - j, HB_WARP);
    if (warp.lane < n) stage_particle(s, warp.lane, j + warp.lane);
    warp_sync();
    if (s->walk.pairs == HB_PAIRS_UNIFORM) {
      pull_own(HB_PAIRS_UNIFORM, s->stage, s->stage_soft2, j, n, s->walk.soft2, s->target);
    } else if (s->walk.pairs == HB_PAIRS_EACH) {
      pull_own(HB_PAIRS_EACH, s->stage, s->stage_soft2, j, n, s->walk.soft2, s->target);
    } else {
      pull_own(HB_PAIRS_SPLINE, s->stage, s->stage_soft2, j, n, s->walk.soft2, s->target);
    }
    carry_runs(s->target);
    warp_sync();
  }
  if (warp.lane == 0 && end > first) s->pairs += (u32)(end - first - 1);
}

/// Evaluates what is left on the lists.
HB_DEVICE_FN void finish_lists(GroupGravity* s, Warp warp, CellsView cells) {
  if (s->source_count > 0) evaluate_sources(s, warp, cells, s->source_count);
  if (s->multipole_count > 0) evaluate_multipoles(s, warp, cells, s->multipole_count);
  evaluate_own(s, warp);
  far_finish(&s->far, warp, cells, s->options);
}

/// What target t has from itself in the sum of the coincident particles of leaf c.
HB_DEVICE_FN real own_share(const GroupGravity* s, const Target* t, CellsView cells, i32 c) {
  HB_FIELD(real) share;
  const real none = 0;
  clear_field(&share);
  return pull(s->options.softening, none, none, none, s->particles.mass[t->particle], cells.cell_soft2[c] + t->soft2,
              share)
      .w;
}

HB_KERNELS_CLOSE
#endif
