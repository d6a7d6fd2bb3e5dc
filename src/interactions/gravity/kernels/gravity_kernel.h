// SPDX-License-Identifier: Apache-2.0
// walk, by groups: one warp a group, from the cells its block has left to it.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_GRAVITY_KERNEL_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_GRAVITY_KERNEL_H
#include "interactions/gravity/kernels/group_gravity.h"
#include "interactions/gravity/kernels/spread_groups.h"
HB_KERNELS_OPEN

/// What the group tests cells against, as it is once |a| is known.
HB_DEVICE_FN GroupTests tests_of_group(WarpGroup group, WalkOptions options, i32 knows_accuracy, real acceleration) {
  const GroupDemands g = group.demands;
  GroupTests t = tests_from(g, options, knows_accuracy, acceleration);
  t.half_x = group.half_x;
  t.half_y = group.half_y;
  t.half_z = group.half_z;
  if (options.order != 2 || !(options.theta > 0)) t.multipole_bound = HB_NEVER;  // every cell is weak
  const real close = close_in_walk(g.radius);
  const i32 watched = watches_close(options.reaches, g.soft2, close);
  t.close2 = watched ? close * close : -1;
  t.nearby2 = watched ? (1 + 1 / (real)HB_NEARBY) * close * close : -HB_NEVER;
  return t;
}

HB_DEVICE_FN void begin_gravity(GroupGravity* s, Warp warp, WalkOptions options, GroupWalkOptions walk,
                                ParticlesView particles, ParticlesView targets, HB_GLOBAL const i32* picks) {
  s->particles = particles;
  s->targets = targets;
  s->options = options;
  s->walk = walk;
  s->multipole_count = 0;
  s->source_count = 0;
  s->close_count = 0;
  s->own_first = options.particles;
  s->own_end = 0;
  s->leaf_first = 0;
  s->leaf_count = 0;
  s->point = 0;
  s->close = 0;
  if (warp.lane < 2) s->own_points[warp.lane] = 0;
  warp_sync();
  s->pairs = 0;
  s->multipoles = 0;
  load_targets(s, warp, picks);
}

/// Adds a lane's expansions, its block's and its group's, and writes its targets. picks: see walk_groups; far_field: of
/// the block, or null; (x, y, z): the block's centre.
HB_DEVICE_FN void write_targets(const GroupGravity* s, i32 lane, CellsView cells, HB_GLOBAL const i32* picks,
                                HB_GLOBAL const real* far_field, pos_t x, pos_t y, pos_t z, HB_GLOBAL real* acc_x,
                                HB_GLOBAL real* acc_y, HB_GLOBAL real* acc_z, HB_GLOBAL real* potential) {
  const pos_t unit = s->options.unit;
  const real shift_x = internal_way(x, s->group.x, unit), shift_y = internal_way(y, s->group.y, unit),
             shift_z = internal_way(z, s->group.z, unit);
  real acc[HB_TARGETS][4];
#pragma unroll
  for (i32 k = 0; k < HB_TARGETS; ++k) {
    const Real4 lost = s->lost[k * HB_WARP + lane];
    acc[k][0] = lost.x;
    acc[k][1] = lost.y;
    acc[k][2] = lost.z;
    acc[k][3] = lost.w;
  }
  if (s->far.total > 0) {
    real L[HB_FAR_STRIDE];
#pragma unroll
    for (i32 k = 0; k < HB_FAR_STRIDE; ++k) L[k] = s->far.L[k];
#pragma unroll
    for (i32 k = 0; k < HB_TARGETS; ++k) far_evaluate(L, s->target[k].x, s->target[k].y, s->target[k].z, acc[k]);
  }
  // a block wider than that has expanded nothing
  const real widest = 2 * HB_WIDEST;
  if (far_field && hb_abs(shift_x) < widest && hb_abs(shift_y) < widest && hb_abs(shift_z) < widest) {
    real L[HB_FAR_STRIDE];
#pragma unroll
    for (i32 k = 0; k < HB_FAR_STRIDE; ++k) L[k] = far_field[k];
#pragma unroll
    for (i32 k = 0; k < HB_TARGETS; ++k) {
      const Target* t = &s->target[k];
      far_evaluate(L, t->x + shift_x, t->y + shift_y, t->z + shift_z, acc[k]);
    }
  }
#pragma unroll
  for (i32 k = 0; k < HB_TARGETS; ++k) {
    const Target* t = &s->target[k];
    const i32 held = s->first + k * HB_WARP + lane;
    if (held >= s->end) continue;
    const i32 i = picks ? picks[held] : held;
    if (s->walk.picked && !s->options.image) acc[k][3] -= own_potential(s->walk, s->particles.mass[i], t->soft2);
    for (i32 p = 0; p < 2; ++p) {
      if (s->own_points[p] < 0) acc[k][3] -= own_share(s, t, cells, ~s->own_points[p]);
    }
    HB_FIELD(real) sum;
    sum.x = t->sum.x + acc[k][0];
    sum.y = t->sum.y + acc[k][1];
    sum.z = t->sum.z + acc[k][2];
    sum.w = t->sum.w + acc[k][3];
    put_field(s->options.image, sum, i, acc_x, acc_y, acc_z, potential);
  }
}

/// Groups, then pieces, then single particles, but for those that are spread out (spread_groups.h). Target t is
/// particle picks[t], or t where that is null. counts: sources met by each, particles, multipoles and expansions, and
/// its targets; block_centres: as walk_blocks left them.
HB_WARP_KERNEL(walk_groups) {
  HB_WARP_ARRAY(i32, stack, HB_STACK);
  HB_WARP_ARRAY(i32, waiting, 2 * HB_WARP);
  HB_WARP_ARRAY(real, coefficients, HB_FAR_ROOM);
  HB_WARP_ARRAY(i32, multipole_list, 2 * HB_WARP);
  HB_WARP_ARRAY(i32, source_list, HB_SOURCE_LIST);
  HB_WARP_ARRAY(Real4, stage, 3 * HB_WARP);
  HB_WARP_ARRAY(real, stage_soft2, HB_STAGED);
  HB_WARP_ARRAY(i32, own_points, 2);
  HB_WARP_ARRAY(i32, close_list, HB_CLOSE_LIST);
  HB_WARP_ARRAY(pos_t, box, HB_BOX_VALUES);
  HB_WARP_ARRAY(Real4, lost, HB_MAX_GROUP);
  HB_WARP_ARRAY(GroupTests, tests, 1);
  HB_MAKE_WARP(warp);
  HB_PARTICLES(particles)
  HB_TARGET_PARTICLES(targets)
  HB_CELLS(cells)
  const i32 g = hb_warp_item();
  HB_LEAVE_SURPLUS(g >= walk.groups + walk.pieces + walk.singles);
  GroupGravity s;
  const GroupRange range = targets_of_warp(g, walk, group_first, spread_groups, spread_pieces, spread_counts);
  const i32 block = range.first / walk.block_size;
  const real acceleration = acceleration_of_warp(g, range, walk, own_look, spread_pieces, accelerations[block]);
  s.first = range.first;
  s.end = acceleration < 0 ? range.first : range.first + range.count;
  HB_GLOBAL u32* const row = counts + HB_COUNTS * (i64)(walk.first_row + g);
  const i32 idle = s.end == s.first;  // OpenCL lets no warp leave: these start nowhere, and write nothing
  if (idle && warp.lane == 0) row[0] = row[1] = row[2] = row[3] = 0;
  HB_LEAVE_SURPLUS(idle);
  s.group = enclose(warp, targets, s.first, hb_max(s.end, s.first + 1), options, last_acceleration, box);
  if (warp.lane == 0) *tests = tests_of_group(s.group, options, last_acceleration != 0, acceleration);
  s.tests = tests;
  s.multipole_list = multipole_list;
  s.source_list = source_list;
  s.stage = stage;
  s.stage_soft2 = stage_soft2;
  s.lost = lost;
  s.own_points = own_points;
  s.close_list = close_list;
  far_begin(&s.far, warp, waiting, coefficients, s.group);
  const i32 shared = walk.shares ? frontier_counts[block] : -1;
  begin_gravity(&s, warp, options, walk, particles, targets, picks);
  HB_GLOBAL const i32* start = shared >= 0 ? frontiers + block * (i64)walk.frontier_room : 0;
  const i32 starts = idle ? 0 : (shared >= 0 ? shared : options.cells > 0);
  GroupWalkProgress progress = walk_to_begin(HB_STACK);
  do {
    gravity_group_walk(&s, warp, cells, stack, start, starts, &progress);
    u32 close = 0;
    HB_WARP_IF(progress.busy) close = take_close(&s, warp, cells);
    evaluate_close(&s, warp, cells, close, !progress.busy);
  } while (progress.busy);
  far_finish(&s.far, warp);
  write_targets(&s, warp.lane, cells, picks, shared >= 0 ? far_fields + block * (i64)HB_FAR_STRIDE : 0,
                block_centres[3 * (i64)block], block_centres[3 * (i64)block + 1], block_centres[3 * (i64)block + 2],
                acc_x, acc_y, acc_z, potential);
  const i32 pairs = warp_sum_index(warp, (i32)s.pairs), multipoles = warp_sum_index(warp, (i32)s.multipoles);
  if (warp.lane == 0) {
    const i32 adds = options.image;
    row[0] = (u32)pairs + (adds ? row[0] : 0u);
    row[1] = (u32)multipoles + (adds ? row[1] : 0u);
    row[2] = (u32)s.far.total + (adds ? row[2] : 0u);
    row[3] = (u32)(s.end - s.first);
  }
}

HB_KERNELS_CLOSE
#endif
