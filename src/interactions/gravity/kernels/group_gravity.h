// SPDX-License-Identifier: Apache-2.0
// Gravity as a visitor of the warp's group walk. A far cell is expanded once about the group's centre, a nearer one is
// evaluated at each particle, a near one is opened; lists are evaluated as soon as they fill a warp, and at the end.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_GROUP_GRAVITY_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_GROUP_GRAVITY_H
#include "device/kernels/box.h"
#include "interactions/gravity/kernels/far_field.h"
#include "interactions/gravity/kernels/targets.h"
HB_KERNELS_OPEN

/// Particles of one leaf that are put on the list in one go.
#define HB_LEAF_CHUNK 8
/// Sources evaluated in one go: two loads a lane are under way at a time.
#define HB_STAGED (2 * HB_WARP)
/// Room for what does not fill the stage, the points of one step and one chunk a lane.
#define HB_SOURCE_LIST (HB_STAGED + HB_WARP + HB_WARP * HB_LEAF_CHUNK)
/// Room for leaves that may be close. The walk pauses when the next step may overfill it.
#define HB_CLOSE_LIST (2 * HB_WARP)

/// Whether a particle within b of a centre of mass at squared distance d2 may be nearer than `close`. From
/// (b + close)^2 <= (1 + e) b^2 + (1 + 1 / e) close^2, whose second part is nearby2, with e = HB_NEARBY.
#define HB_NEARBY (1 / 1024.0f)
HB_DEVICE_FN i32 may_be_close(real d2, real b, real nearby2) {
  return d2 < hb_fma(b * b, 1 + (real)HB_NEARBY, nearby2);
}

typedef struct {
  ParticlesView particles, targets;
  WalkOptions options;
  GroupWalkOptions walk;
  WarpGroup group;
  HB_LOCAL const GroupTests* tests;  ///< in local memory: registers are short, and what a compiler moves out of them
                                     ///< is often as far away as the second cache, once for each value and batch
  i32 first, end;                    ///< targets
  FarField far;
  Target target[HB_TARGETS];
  HB_LOCAL i32* multipole_list;  ///< cells for their quadrupoles, 2 * HB_WARP
  HB_LOCAL i32* source_list;     ///< particles, and cells c as points by their complement ~c
  HB_LOCAL Real4* stage;         ///< 3 * HB_WARP: sources about to be evaluated
  HB_LOCAL real* stage_soft2;
  HB_LOCAL Real4* lost;      ///< HB_MAX_GROUP: see carry_runs()
  HB_LOCAL i32* close_list;  ///< HB_CLOSE_LIST: leaves that may be close, cells c of coincident particles as ~c
  i32 multipole_count, source_count, close_count;
  i32 own_first, own_end;      ///< a lane's part of the particles of the targets' own leaves
  HB_LOCAL i32* own_points;    ///< complements of at most two leaves of more coincident particles than a group holds,
                               ///< which begin before the targets or among them; 0 for none
  i32 point;                   ///< whether the lane's cell is a point mass
  i32 close;                   ///< whether it may be close
  i32 leaf_first, leaf_count;  ///< the rest of the lane's leaf
  u32 pairs, multipoles;       ///< a lane's sources met so far
} GroupGravity;

/// What target t has from itself in the sum of the coincident particles of leaf c, if it is one of them.
HB_DEVICE_FN real own_share(const GroupGravity* s, const Target* t, CellsView cells, i32 c) {
  HB_FIELD(real) share;
  const real none = 0;
  clear_field(&share);
  if (t->particle < cells.first[c] || t->particle >= cells.first[c] + cells.count[c]) return 0;
  return pull(s->options.softening, none, none, none, s->particles.mass[t->particle], cells.cell_soft2[c] + t->soft2,
              share)
      .w;
}

/// What the kernel keeps of the lanes' positions: place relative to the group's centre, and the run and sums at 0.
/// picks: see walk_groups.
HB_DEVICE_FN void load_targets(GroupGravity* s, Warp warp, HB_GLOBAL const i32* picks) {
  const ParticlesView targets = s->targets;
#pragma unroll
  for (i32 k = 0; k < HB_TARGETS; ++k) {
    Target* t = &s->target[k];
    const i32 i = s->first + k * HB_WARP + warp.lane, held = hb_max(hb_min(i, s->end - 1), s->first);
    t->particle = s->options.image ? -1 : picks ? picks[held] : held;
    t->x = internal_way(s->group.x, targets.x[held], s->options.unit);
    t->y = internal_way(s->group.y, targets.y[held], s->options.unit);
    t->z = internal_way(s->group.z, targets.z[held], s->options.unit);
    t->soft2 = targets.soft2[held];
    clear_field(&t->run);
    clear_field(&t->sum);
    s->lost[k * HB_WARP + warp.lane] = hb_real4(0, 0, 0, 0);
  }
}

HB_DEVICE_FN Real4 staged(GroupGravity* s, pos_t x, pos_t y, pos_t z, real mass) {
  const pos_t unit = s->options.unit;
  return hb_real4(internal_way(s->group.x, x, unit), internal_way(s->group.y, y, unit),
                  internal_way(s->group.z, z, unit), mass);
}

/// Lays source `j` of the list out on the stage: a particle, or a cell as a point. Without a branch, so that the loads
/// of the lane's next source need not wait for this one's.
HB_DEVICE_FN void stage_source(GroupGravity* s, CellsView cells, i32 at, i32 j) {
  const ParticlesView* p = &s->particles;
  const i32 i = j >= 0 ? j : ~j;
  HB_GLOBAL const pos_t *x = j >= 0 ? p->x : cells.com_x, *y = j >= 0 ? p->y : cells.com_y,
                        *z = j >= 0 ? p->z : cells.com_z;
  HB_GLOBAL const real *mass = j >= 0 ? p->mass : cells.cell_mass, *soft2 = j >= 0 ? p->soft2 : cells.cell_soft2;
  s->stage[at] = staged(s, x[i], y[i], z[i], mass[i]);
  if (s->walk.pairs != HB_PAIRS_UNIFORM) s->stage_soft2[at] = soft2[i];
}

/// Evaluates sources from the list's end, where they fill the stage; all that are left if `last`.
HB_DEVICE_FN void evaluate_sources(GroupGravity* s, Warp warp, CellsView cells, i32 last) {
  HB_WARP_WHILE(s->source_count >= (last ? 1 : HB_STAGED)) {
    const i32 n = s->source_count < HB_STAGED && !last ? 0 : hb_min(s->source_count, HB_STAGED);
    s->source_count -= n;
    if (n > 0) {
#pragma unroll
      for (i32 at = warp.lane; at < HB_STAGED; at += HB_WARP) {  // what is beyond n, nothing reads
        stage_source(s, cells, at, at < n ? s->source_list[s->source_count + at] : 0);
      }
    }
    warp_sync();
    if (s->walk.pairs == HB_PAIRS_UNIFORM) {
      pull_sources(HB_PAIRS_UNIFORM, s->stage, s->stage_soft2, n, s->walk.soft2, s->target);
    } else if (s->walk.pairs == HB_PAIRS_EACH) {
      pull_sources(HB_PAIRS_EACH, s->stage, s->stage_soft2, n, s->walk.soft2, s->target);
    } else {
      pull_sources(HB_PAIRS_SPLINE, s->stage, s->stage_soft2, n, s->walk.soft2, s->target);
    }
    carry_runs(HB_TARGETS, s->target, s->lost + warp.lane, HB_WARP);
    warp_sync();
  }
}

/// The same with cells waiting for their quadrupoles.
HB_DEVICE_FN void evaluate_multipoles(GroupGravity* s, Warp warp, CellsView cells, i32 last) {
  const i32 n = s->multipole_count < HB_WARP && !last ? 0 : hb_min(s->multipole_count, HB_WARP);
  HB_WARP_IF(n > 0) {
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
    if (s->walk.pairs == HB_PAIRS_EACH) {
      pull_quadrupoles(HB_PAIRS_EACH, s->stage, n, s->target);
    } else {
      pull_quadrupoles(HB_PAIRS_UNIFORM, s->stage, n, s->target);
    }
    carry_runs(HB_TARGETS, s->target, s->lost + warp.lane, HB_WARP);
    warp_sync();
  }
}

/// Puts the next particles of each lane's leaf on the list, once what fills the stage has left it.
HB_DEVICE_FN void list_leaf_particles(GroupGravity* s, Warp warp) {
  const i32 n = s->source_count < HB_STAGED + HB_WARP ? hb_min(s->leaf_count, HB_LEAF_CHUNK) : 0;
  i32 total;
  const i32 at = s->source_count + warp_exclusive_scan(warp, n, &total);
  for (i32 k = 0; k < n; ++k) s->source_list[at + k] = s->leaf_first + k;
  s->leaf_first += n;
  s->leaf_count -= n;
  s->source_count += total;
  warp_sync();
}

/// Least squared distance between the group's box and that of cell c.
HB_DEVICE_FN real between_boxes(const GroupGravity* s, CellsView cells, i32 c) {
  HB_LOCAL const pos_t* box = s->group.box;
  const PlaceBox mine = {box[0], box[1], box[2], box[3], box[4], box[5]};
  return distance2_to_box_of_cell(mine, cells, c, s->options.unit);
}

/// Takes from the targets among the coincident particles of leaf c what they have from themselves in their sum. The
/// lanes that find such a leaf note it in local memory; the targets are served at the end.
HB_DEVICE_FN void remove_own_shares(GroupGravity* s, CellsView cells, i32 c) {
  s->own_points[cells.first[c] > s->first ? 1 : 0] = ~c;
}

HB_DEVICE_FN i32 gravity_settle(GroupGravity* s, Warp warp, CellsView cells, i32 c, i32 has) {
  const WalkOptions* o = &s->options;
  const WarpGroup* g = &s->group;
  HB_LOCAL const GroupTests* t = s->tests;
  const real none = 0;
  // what is read of every cell stands before its first use, so that one wait serves all
  const pos_t com_x = cells.com_x[c], com_y = cells.com_y[c], com_z = cells.com_z[c];
  const real b = cells.b[c], mass = cells.cell_mass[c], size2 = cells.size2[c];
  const real box2 = o->mac == HB_MAC_MIN_DISTANCE ? between_boxes(s, cells, c) : none;
  const real dx = internal_way(g->x, com_x, o->unit), dy = internal_way(g->y, com_y, o->unit),
             dz = internal_way(g->z, com_z, o->unit);
  // `relative` holds quadrupoles to a part of |a| by itself
  const HB_TAKEN(real) taken = take_cell(o, t, o->mac != HB_MAC_RELATIVE, dx, dy, dz, b, mass, size2, box2);
  i32 expand = HB_EXPANSION > 0 && has && taken.expand, far = has && taken.far;
  if (o->reaches) {
    const i32 plain = is_plain(taken.d2, b, mutual_reach(o->softening, cells.cell_soft2[c], cells.reach[c], t->reach));
    far = far_where_plain(far, plain, b);
    expand = expand && plain && is_plain(taken.d2, b, t->expansion_reach);
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
  far_add(&s->far, warp, c, expand);
  s->multipole_count = warp_append(warp, s->multipole_list, s->multipole_count, c, far && !point);
  s->point = point;  // on_leaves, which follows, puts it on the list
  s->close = may_be_close(taken.d2, b, t->nearby2);
  return has && !expand && !far;
}

HB_DEVICE_FN void gravity_on_leaves(GroupGravity* s, Warp warp, CellsView cells, i32 c, i32 is) {
  i32 point = s->point, close = 0;
  if (is) {
    const i32 first = cells.first[c], count = cells.count[c];
    // leaves of picked targets are sources like others: at no distance a particle does not attract itself
    const i32 mine = !s->walk.picked && first < s->end && first + count > s->first;
    // particles at one place are a point; few among the targets are distinguished with the targets' own leaves
    point = count > 1 && cells.b[c] == 0 && (!mine || count > HB_MAX_GROUP);
    close = s->close && !mine;
    if (point) {
      ++s->multipoles;
      if (mine) remove_own_shares(s, cells, c);
    } else if (mine) {
      s->own_first = hb_min(s->own_first, first);
      s->own_end = hb_max(s->own_end, first + count);
    } else {
      s->leaf_first = first;
      s->leaf_count = close ? 0 : count;
      s->pairs += (u32)count;
    }
  }
  HB_WARP_IF(warp_any(warp, close)) {
    s->close_count = warp_append(warp, s->close_list, s->close_count, point ? ~c : c, close);
    point = point && !close;
  }
  s->source_count = warp_append(warp, s->source_list, s->source_count, ~c, point);
}

HB_DEVICE_FN i32 gravity_work(GroupGravity* s, Warp warp, CellsView cells, i32 last) {
  const i32 ends = last && s->close_count == 0;  // leaves that are not close after all are sources like others
  HB_WARP_IF(warp_any(warp, s->leaf_count > 0)) list_leaf_particles(s, warp);
  far_work(&s->far, warp, cells, s->options, ends);
  evaluate_multipoles(s, warp, cells, ends);
  evaluate_sources(s, warp, cells, ends);
  if (warp_any(warp, s->leaf_count > 0) || s->source_count >= HB_STAGED) return 1;
  if (s->close_count > HB_CLOSE_LIST - HB_WARP || (last && s->close_count > 0)) return HB_PAUSE;
  return ends && (s->far.count > 0 || s->multipole_count > 0 || s->source_count > 0);
}

#define HB_WALKER gravity
#define HB_WALKER_STATE GroupGravity
#include "walk/warp_walk.inc"

/// Evaluates sources near the targets, a warp of them at a time; pairs too close for differences to the group's centre
/// are summed again from their own.
HB_DEVICE_FN void evaluate_near(GroupGravity* s, Warp warp, NearSources near) {
  const ParticlesView* p = &s->particles;
  const real close = close_in_walk(s->tests->radius);
  for (; hb_all_go_on(near.count > 0); near = beyond(near, HB_WARP)) {
    const NearSources now = among_first(near, HB_WARP);
    if (warp.lane < now.count) {
      const i32 j = now.first + warp.lane;
      s->stage[warp.lane] = staged(s, p->x[j], p->y[j], p->z[j], now.mass[warp.lane]);
      if (s->walk.pairs != HB_PAIRS_UNIFORM) s->stage_soft2[warp.lane] = now.soft2[warp.lane];
    }
    warp_sync();
    real closest;
    if (s->walk.pairs == HB_PAIRS_UNIFORM) {
      closest = pull_near(HB_TARGETS, HB_PAIRS_UNIFORM, s->stage, s->stage_soft2, now, s->walk.soft2, s->target);
    } else if (s->walk.pairs == HB_PAIRS_EACH) {
      closest = pull_near(HB_TARGETS, HB_PAIRS_EACH, s->stage, s->stage_soft2, now, s->walk.soft2, s->target);
    } else {
      closest = pull_near(HB_TARGETS, HB_PAIRS_SPLINE, s->stage, s->stage_soft2, now, s->walk.soft2, s->target);
    }
    if (closest < close * close) {
      const TargetPlaces places = {s->targets, s->first + warp.lane, s->end - 1};
      pull_exactly(s->walk.pairs, s->particles, places, s->options.unit, now, s->walk.soft2, HB_TARGETS, s->target);
    }
    carry_runs(HB_TARGETS, s->target, s->lost + warp.lane, HB_WARP);
    warp_sync();
  }
}

/// Takes the last leaves, a warp of them at most, from the list of those that may be close, for which the group's box
/// spoke, and looks where targets lie: gives all but those that are close to one back to the walk, as its lanes' leaves
/// and points. Which of the leaves, still lying at close_list[s->close_count], are close.
HB_DEVICE_FN u32 take_close(GroupGravity* s, Warp warp, CellsView cells) {
  HB_LOCAL const GroupTests* t = s->tests;
  const pos_t unit = s->options.unit;
  const i32 n = hb_min(s->close_count, HB_WARP);
  s->close_count -= n;
  const i32 has = warp.lane < n;
  const i32 listed = has ? s->close_list[s->close_count + warp.lane] : 0, c = listed < 0 ? ~listed : listed;
  Box leaf, group;
  leaf.low = hb_real4(internal_way(s->group.x, cells.low_x[c], unit), internal_way(s->group.y, cells.low_y[c], unit),
                      internal_way(s->group.z, cells.low_z[c], unit), 0);
  leaf.high = hb_real4(internal_way(s->group.x, cells.high_x[c], unit), internal_way(s->group.y, cells.high_y[c], unit),
                       internal_way(s->group.z, cells.high_z[c], unit), 0);
  group.low = hb_real4(-t->half_x, -t->half_y, -t->half_z, 0);
  group.high = hb_real4(t->half_x, t->half_y, t->half_z, 0);
  s->stage[2 * warp.lane] = leaf.low;
  s->stage[2 * warp.lane + 1] = leaf.high;
  u32 near = warp_ballot(warp, has && between_boxes2(leaf, group) < t->close2), close = 0;
  warp_sync();
  for (; hb_all_go_on(near != 0); near &= near - 1u) {
    const u32 first = near & (0u - near);
    const i32 lane = hb_popcount(first - 1u);
    leaf.low = s->stage[2 * lane];
    leaf.high = s->stage[2 * lane + 1];
    real least2 = HB_NEVER;
#pragma unroll
    for (i32 k = 0; k < HB_TARGETS; ++k) {
      const Target* target = &s->target[k];
      least2 = hb_min(least2, between_boxes2(leaf, box_of_point(target->x, target->y, target->z)));
    }
    if (warp_any(warp, least2 < t->close2)) close |= first;
  }
  const i32 back = has && !(close >> warp.lane & 1u);
  s->leaf_first = cells.first[c];
  s->leaf_count = back && listed >= 0 ? cells.count[c] : 0;
  s->source_count = warp_append(warp, s->source_list, s->source_count, listed, back && listed < 0);
  warp_sync();
  return close;
}

/// Evaluates the leaves that take_close() found close and, if `last`, the targets' own, which are neighbours along the
/// curve. It stands outside of the walk, whose code it would drive out of the instruction cache.
HB_DEVICE_FN void evaluate_close(GroupGravity* s, Warp warp, CellsView cells, u32 close, i32 last) {
  const ParticlesView* p = &s->particles;
  const i32 own_first = warp_least_index(warp, s->own_first), own_end = -warp_least_index(warp, -s->own_end);
  i32 own = last && own_end > own_first;
  if (own && warp.lane == 0) s->pairs += (u32)(own_end - own_first - 1);
  while (hb_all_go_on(own || close)) {
    const i32 k = own ? 0 : hb_lowest_bit(close);
    const i32 listed = own ? 0 : s->close_list[s->close_count + k], c = listed < 0 ? ~listed : listed;
    NearSources near;
    near.first = own ? own_first : cells.first[c];
    near.count = own ? own_end - own_first : (listed < 0 ? 1 : cells.count[c]);
    near.pull_themselves = s->walk.picked;  // taken off at the end
    near.mass = listed < 0 ? cells.cell_mass + c : p->mass + near.first;
    near.soft2 = listed < 0 ? cells.cell_soft2 + c : p->soft2 + near.first;
    evaluate_near(s, warp, near);
    if (!own) close &= close - 1u;
    own = 0;
  }
}

HB_KERNELS_CLOSE
#endif
