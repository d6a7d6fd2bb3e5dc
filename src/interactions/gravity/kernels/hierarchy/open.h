// SPDX-License-Identifier: Apache-2.0
// The walk of sinks, a warp each: it starts from the cells that the parent could not take. Those whose estimated error
// is small enough go onto the list of those that are expanded, the others are opened, or handed on. What remains for
// the smallest sinks, units, is summed at their particles.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_HIERARCHY_OPEN_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_HIERARCHY_OPEN_H
#include "interactions/gravity/kernels/hierarchy/lists.h"
#include "interactions/gravity/kernels/hierarchy/sinks.h"
#include "walk/warp_walk.h"
HB_KERNELS_OPEN

typedef struct {
  HB_GLOBAL const SourceCell* sources;
  SourceImages images;
  ListRoom room;
  SinkCell sink;
  i32 first_image;                   ///< see SinkOptions
  real spread, reach;                ///< of the sink, as they are tested
  real expansion, multipole;         ///< 1 / the largest error of an expansion and of a quadrupole
  real soft2;                        ///< eps^2 of a pair, where all have the same
  i32 each;                          ///< see SinkOptions
  HB_LOCAL SinkSoftening* softened;  ///< of the sink, where eps^2 is each pair's own
  real close;                        ///< distance of pairs that take differences of their own positions
  pos_t length;                      ///< internal length per length
  ListReader start;                  ///< what the parent has left
  Children children;                 ///< of the cell at hand
  GrowingList thin, whole, rest, multipoles;
} OpenSink;

/// What a sink is tested with. Sinks so wide that powers of distances in them would leave the range take no cell.
HB_DEVICE_FN void begin_tests(OpenSink* s, SinkOptions options) {
  const SinkCell sink = s->sink;
  const real tolerance = sink.radius < (real)HB_WIDEST ? options.tolerance * sink.demand : (real)0;
  s->spread = hb_min(sink.spread, sink.radius);
  s->reach = hb_max(sink.radius, (real)HB_LEAST_REACH / scale_of_size(sink.size));
  s->expansion = hb_min(1 / expansion_tolerance(HB_ORDER, tolerance), (real)HB_NEVER);
  s->multipole = hb_min(1 / quadrupole_tolerance(tolerance), (real)HB_NEVER);
  s->soft2 = options.soft2;
  s->each = options.each;
  s->close = options.close * sink.radius;
  s->length = options.unit;
}

/// Each list begins in a piece of the sink's own.
HB_DEVICE_FN void begin_lists(OpenSink* s, i32 number, SinkOptions options) {
  const u32 own = (u32)(number * options.lists);
  s->room.own = (u32)(options.sinks * options.lists);
  s->room.chunks = options.chunks;
  s->thin = empty_list(own);
  s->rest = empty_list(own + 1);
  s->multipoles = empty_list(own + 2);
  s->whole = empty_list(own + 3); /* stays empty where there are three */
}

/// The radii of both cells of an expansion add up to less than this times the distance. No cell that holds the sink
/// itself passes, and of a pair in two cells neither is so near the other cell that the estimate misses its attraction.
/// 0.9 would take a tenth longer.
#define HB_APART ((real)0.99f)

/// Squared distance from the sink's box.
HB_DEVICE_FN real to_box_of_sink(const OpenSink* s, real dx, real dy, real dz) {
  const real none = 0;
  const real x = hb_max(hb_abs(dx) - s->sink.half_x, none), y = hb_max(hb_abs(dy) - s->sink.half_y, none),
             z = hb_max(hb_abs(dz) - s->sink.half_z, none);
  return hb_fma(x, x, hb_fma(y, y, z * z));
}

/// Whether a quadrupole of cell c at the unit's particles is exact enough. d2: from the unit's box.
HB_DEVICE_FN i32 far_from_unit(const OpenSink* s, CellsView cells, i32 c, real d2, real mass, real rho, real octupole) {
  const real inv = hb_rsqrt0(d2), part = rho * inv;
  const real error = mass * inv * inv * octupole * part * part * part;
  const i32 far = error * s->multipole < 1 && (real)HB_CONVERGENCE * (d2 * inv) > rho && rho > 0;
  if (!s->each) return far;
  return far &&
         is_plain_for_sink(s->softened, cells.cell_soft2[c], cells.reach[c], rho, inv, mass * inv * inv * s->multipole);
}

HB_DEVICE_FN i32 sink_settle(OpenSink* s, Warp warp, CellsView cells, i32 entry, i32 has) {
  const i32 c = entry_number(s->images, entry);
  SourceCell from = hb_read_row(s->sources + c);
  s->children.first = from.first;
  s->children.count = hb_max(from.number, 0);
  move_to_image(s->images, entry, &from.x, &from.y, &from.z);
  const real dx = internal_way(s->sink.x, from.x, s->length), dy = internal_way(s->sink.y, from.y, s->length),
             dz = internal_way(s->sink.z, from.z, s->length);
  const real d2 = hb_max(hb_fma(dx, dx, hb_fma(dy, dy, dz * dz)), (real)1e-30f), inv = hb_rsqrt(d2);
  const real per_d2 = from.mass * inv * inv;
  const real error = per_d2 * truncated_part(HB_ORDER, from.rho * inv, s->spread * inv, from.weights);
  i32 taken = has && error * s->expansion < 1 && (from.rho + s->reach) * inv < HB_APART;
  i32 felt = s->soft2 > 0 && !softening_is_hidden(per_d2 * s->expansion, s->soft2, inv);
  if (s->each) {
    const SoftenedCell cell =
        softened_cell(s->softened, cells.cell_soft2[c], cells.reach[c], from.rho, inv, per_d2 * s->expansion, s->reach);
    taken = taken && cell.expandable;
    felt = !cell.harmonic;
  }
  felt = taken && felt;
  const i32 left = has && !taken, leaf = from.number < 0;
  const i32 point = is_point(from.rho, -from.number, s->each ? cells.cell_soft2 : 0, cells.reach, c);
  const real box2 = to_box_of_sink(s, dx, dy, dz), reach = from.rho + s->close;
  const i32 far =
      left && s->sink.unit && (point || far_from_unit(s, cells, c, box2, from.mass, from.rho, from.octupole));
  const i32 near = s->sink.unit && !(box2 > (real)1.0001f * reach * reach);
  const i32 open = left && !far && !leaf && (s->sink.unit || from.rho > s->sink.radius);
  list_append(&s->thin, warp, s->room, entry, taken && !felt);
  list_append(&s->whole, warp, s->room, entry, felt);
  list_append(&s->multipoles, warp, s->room, entry, far);
  list_append(&s->rest, warp, s->room, near ? ~entry : entry, left && !far && !open);
  return open;
}

HB_DEVICE_FN void sink_on_leaves(OpenSink* s, Warp warp, CellsView cells, i32 entry, i32 is) {}

HB_DEVICE_FN i32 sink_work(OpenSink* s, Warp warp, CellsView cells, i32 last) { return 0; }

/// The k-th entry that a sink begins with: of its parent's rest, or the root of an image.
HB_DEVICE_FN i32 sink_start(OpenSink* s, i32 k) {
  return s->sink.parent < 0 ? (s->first_image + k) << bits_of_number(s->images)
                            : list_entry(&s->start, s->room.entries, s->room.after, k);
}

#define HB_WALKER_START(state, start, progress, k) sink_start(state, k)
#define HB_WALKER_CELL(state, entry) entry_number((state)->images, entry)
#define HB_WALKER_CHILDREN(state) (state)->children
#define HB_WALKER sink
#define HB_WALKER_STATE OpenSink
#include "walk/warp_walk.inc"

/// Sinks [begin, end) of a level; the lists of those above are there.
HB_WARP_KERNEL(open_sinks) {
  HB_WARP_ARRAY(i32, stack, HB_STACK);
  HB_WARP_ARRAY(SinkSoftening, softened, 1);
  HB_MAKE_WARP(warp);
  HB_CELLS(cells)
  const i32 number = begin + hb_warp_item();
  HB_LEAVE_SURPLUS(number >= end);
  OpenSink s;
  s.sources = sources;
  s.images = source_images(shifts, options.bits);
  s.room.entries = entries;
  s.room.after = after;
  s.room.used = used;
  s.sink = sinks[number];
  s.first_image = options.first_image;
  s.softened = softened;
  if (options.each && warp.lane == 0) {
    *softened = sink_softening(options.softening, s.sink.soft2, s.sink.least_soft2, s.sink.most_soft2);
  }
  begin_tests(&s, options);
  warp_sync();
  begin_lists(&s, number, options);
  CellList all;
  all.chunk = 0;
  all.count = options.images;
  if (s.sink.parent >= 0) all = lists[s.sink.parent].rest;
  /* where the room has not sufficed nothing is there to begin with */
  if (warp_any(warp, warp.lane == 0 && s.room.own + *used > options.chunks)) all.count = 0;
  s.start = read_list(all);
  GroupWalkProgress progress = walk_to_begin(HB_STACK);
  sink_group_walk(&s, warp, cells, stack, entries, s.start.count, &progress);
  if (warp.lane == 0) {
    SinkLists made;
    made.thin = finished_list(&s.thin);
    made.whole = finished_list(&s.whole);
    made.rest = finished_list(&s.rest);
    made.multipoles = finished_list(&s.multipoles);
    lists[number] = made;
  }
}

HB_KERNELS_CLOSE
#endif
