// SPDX-License-Identifier: Apache-2.0
// Expansions of sinks: a warp sums those of a sink's own cells, a lane a cell; then they are passed down, level by
// level. Lengths are times scale_of_size() of the sink.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_HIERARCHY_EXPAND_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_HIERARCHY_EXPAND_H
#include "interactions/gravity/kernels/hierarchy/lists.h"
#include "interactions/gravity/kernels/hierarchy/sinks.h"
HB_KERNELS_OPEN

/// Coefficients of a sink's expansion, and where the next one's begin.
#define HB_LOCALS (HB_COEFFICIENTS(HB_ORDER))
#define HB_LOCAL_ROW ((HB_LOCALS + 3) / 4 * 4)

/// Where the sink that is expanded is.
typedef struct {
  pos_t x, y, z, unit;
  real scale, soft2;  ///< soft2: eps^2 of a pair, or the part of it that is the sink's, in the sink's lengths
} ExpandedSink;

/// M_n times scale^n: moments of orders 2 to p, of which ENDS counts those up to one.
#define HB_SCALE_MOMENTS(M, ENDS)                                \
  {                                                              \
    real factor = at->scale;                                     \
    _Pragma("unroll") for (i32 i = 0; i < ENDS(HB_ORDER); ++i) { \
      if (HB_ORDER_BEGINS(i, ENDS)) factor *= at->scale;         \
      M[i] *= factor;                                            \
    }                                                            \
  }

/// Groups of four values of a cell's row as it is expanded: its head, then thin moments or, with softening, all.
#define HB_HEAD_FOURS (HB_ROW_HEAD / 4)
#define HB_THIN_FOURS (HB_ROW(HB_ORDER) / 4)
#define HB_WHOLE_FOURS (HB_HEAD_FOURS + HB_MOMENTS_READ / 4)
/// Distance of rows in local memory: odd, so that they meet different banks.
#define HB_ROW_STRIDE (HB_WHOLE_FOURS | 1)

/// What the expansions of a sink are made of.
typedef struct {
  SourceImages images;
  HB_GLOBAL const real *rows, *moments;  ///< of all cells: HB_ROW, and whole ones
  HB_GLOBAL const real* soft2;           ///< of cells, the other part of eps^2; null where all pairs have the same
  i32 moment_stride;
  HB_GLOBAL const i32* entries;
  HB_GLOBAL const u32* after;
  HB_LOCAL i32* which;    ///< cells of a batch
  HB_LOCAL Real4* stage;  ///< two batches of rows
} ExpandedCells;

/// Begins to copy the rows of a batch of entries, one a lane, to local memory: neighbouring lanes copy parts of one.
HB_DEVICE_FN void begin_rows(Warp warp, const ExpandedCells* of, i32 whole, i32 entry, HB_LOCAL Real4* stage) {
  const i32 fours = whole ? HB_WHOLE_FOURS : HB_THIN_FOURS;
  warp_sync(); /* before what is laid out changes */
  of->which[warp.lane] = entry_number(of->images, entry);
  warp_sync();
#pragma unroll
  for (i32 k = 0; k < fours; ++k) {
    const i32 at = k * HB_WARP + warp.lane, row = at / fours, part = at % fours;
    const i64 cell = of->which[row];
    HB_GLOBAL const real* const from = whole && part >= HB_HEAD_FOURS
                                           ? of->moments + cell * of->moment_stride + 4 * (part - HB_HEAD_FOURS)
                                           : of->rows + cell * HB_ROW(HB_ORDER) + 4 * part;
    hb_copy_ahead(stage + row * HB_ROW_STRIDE + part, (HB_GLOBAL const Real4*)from);
  }
  hb_copies_begun();
}

/// Adds to L the expansion of the entry whose row is in local memory.
HB_DEVICE_FN void expand_row(const ExpandedCells* of, const ExpandedSink* at, i32 entry, HB_LOCAL const Real4* row,
                             i32 whole, real* L) {
  HB_LOCAL const pos_t* const place = (HB_LOCAL const pos_t*)row;
  pos_t from_x = place[0], from_y = place[1], from_z = place[2];
  move_to_image(of->images, entry, &from_x, &from_y, &from_z);
  const real x = internal_way(from_x, at->x, at->unit) * at->scale,
             y = internal_way(from_y, at->y, at->unit) * at->scale,
             z = internal_way(from_z, at->z, at->unit) * at->scale;
  const real mass = ((HB_LOCAL const real*)row)[HB_ROW_MASS];
  real M[HB_MOMENTS_READ];
#pragma unroll
  for (i32 k = 0; k < 4 * ((whole ? HB_WHOLE_FOURS : HB_THIN_FOURS) - HB_HEAD_FOURS); k += 4) {
    const Real4 four = row[HB_HEAD_FOURS + k / 4];
    M[k] = four.x;
    M[k + 1] = four.y;
    M[k + 2] = four.z;
    M[k + 3] = four.w;
  }
  if (whole) {
    HB_SCALE_MOMENTS(M, HB_MOMENTS)
    const real cell = of->soft2 ? of->soft2[entry_number(of->images, entry)] * at->scale * at->scale : (real)0;
    HB_JOIN(m2l_, HB_ORDER)(x, y, z, at->soft2 + cell, mass, M, L);
  } else {
    HB_SCALE_MOMENTS(M, HB_THIN_MOMENTS)
    HB_JOIN(m2l_thin_, HB_ORDER)(x, y, z, mass, M, L);
  }
}

/// A lane's part of the expansions of a list of cells: the rows of the next batch are under way while one is expanded.
HB_DEVICE_FN void expand_list(Warp warp, const ExpandedCells* of, const ExpandedSink* at, ListReader list, i32 whole,
                              real* L) {
  HB_LOCAL Real4 *now = of->stage, *then = of->stage + HB_ROW_STRIDE * HB_WARP;
  HB_RETURN_IF_UNIFORM(list.count == 0);
  const i32 second = HB_WARP + warp.lane;
  i32 entry = warp.lane < list.count ? list_entry(&list, of->entries, of->after, warp.lane) : 0;
  i32 following = second < list.count ? list_entry(&list, of->entries, of->after, second) : 0;
  begin_rows(warp, of, whole, entry, now);
  i32 begin = 0;
  do { /* on OpenCL once for an empty list, too, with no lane at work: with hb_all_go_on() PoCL 3.1 sums wrongly */
    const i32 next = begin + 2 * HB_WARP + warp.lane, ends = begin + HB_WARP >= list.count;
    const i32 beyond = next < list.count ? list_entry(&list, of->entries, of->after, next) : 0;
    HB_WARP_IF(!ends) begin_rows(warp, of, whole, following, then);
    if (ends) hb_copies_begun(); /* an empty batch, so that one is waited for */
    hb_copies_wait(1);
    warp_sync();
    if (begin + warp.lane < list.count) {
      expand_row(of, at, entry, now + warp.lane * HB_ROW_STRIDE, whole, L);
    }
    entry = following;
    following = beyond;
    HB_LOCAL Real4* const before = now;
    now = then;
    then = before;
    begin += HB_WARP;
  } while (begin < list.count);
  hb_copies_wait(0);
  warp_sync();
}

/// Adds the lanes' sums: coefficient k of lane j stands at rows[k * HB_WARP + j], and its sum comes to sums[k]. Lanes
/// begin at different places of their rows, which lie in different banks.
HB_DEVICE_FN void sum_lanes(Warp warp, HB_LOCAL const real* rows, i32 count, HB_LOCAL real* sums) {
  for (i32 k = warp.lane; k < count; k += HB_WARP) {
    real sum = 0;
    for (i32 j = 0; j < HB_WARP; ++j) sum += rows[k * HB_WARP + (j + warp.lane) % HB_WARP];
    sums[k] = sum;
  }
}

/// Writes a lane's part of `count` coefficients where sum_lanes() adds them, and adds them.
#define HB_SUM_LANES(L, COUNT)                                                               \
  {                                                                                          \
    _Pragma("unroll") for (i32 k = 0; k < COUNT; ++k) parts[k * HB_WARP + warp.lane] = L[k]; \
    warp_sync();                                                                             \
    sum_lanes(warp, parts, COUNT, sums);                                                     \
    warp_sync();                                                                             \
  }

/// The expansion of each sink by its own cells; counts: how many they are.
HB_WARP_KERNEL(expand_cells) {
  HB_WARP_ARRAY(Real4, stage, 2 * HB_ROW_STRIDE * HB_WARP);
  HB_WARP_ARRAY(i32, which, HB_WARP);
  HB_WARP_ARRAY(real, sums, HB_LOCALS);
  HB_WARP_ARRAY(real, all, HB_LOCALS);
  HB_MAKE_WARP(warp);
  HB_CELLS(cells)
  const i32 number = options.sinks - 1 - hb_warp_item(); /* the deepest first, which have the longest lists */
  HB_LEAVE_SURPLUS(number < 0);
  HB_LOCAL real* const parts = (HB_LOCAL real*)stage;
  ExpandedSink at;
  at.x = sinks[number].x;
  at.y = sinks[number].y;
  at.z = sinks[number].z;
  at.unit = options.unit;
  at.scale = scale_of_size(sinks[number].size);
  at.soft2 = (options.each ? sinks[number].soft2 : options.soft2) * at.scale * at.scale;
  const ExpandedCells of = {source_images(shifts, options.bits),
                            cell_rows,
                            cells.moments,
                            options.each ? cells.cell_soft2 : 0,
                            options.moment_stride,
                            entries,
                            after,
                            which,
                            stage};
  const ListReader thin = read_list(lists[number].thin), felt = read_list(lists[number].whole);
  real L[HB_LOCALS];
#pragma unroll
  for (i32 k = 0; k < HB_LOCALS; ++k) L[k] = 0;
  expand_list(warp, &of, &at, thin, 0, L);
  HB_SUM_LANES(L, HB_THIN_COEFFICIENTS(HB_ORDER))
  if (warp.lane == 0) {
    real T[HB_THIN_COEFFICIENTS(HB_ORDER)];
#pragma unroll
    for (i32 k = 0; k < HB_THIN_COEFFICIENTS(HB_ORDER); ++k) T[k] = sums[k];
    HB_JOIN(whole_expansion_, HB_ORDER)(T, L);
#pragma unroll
    for (i32 k = 0; k < HB_LOCALS; ++k) all[k] = L[k];
  }
  warp_sync();
  HB_WARP_IF(felt.count > 0) {
#pragma unroll
    for (i32 k = 0; k < HB_LOCALS; ++k) L[k] = 0;
    expand_list(warp, &of, &at, felt, 1, L);
    HB_SUM_LANES(L, HB_LOCALS)
    for (i32 k = warp.lane; k < HB_LOCALS; k += HB_WARP) all[k] += felt.count > 0 ? sums[k] : (real)0;
    warp_sync();
  }
  for (i32 k = warp.lane; k < HB_LOCAL_ROW; k += HB_WARP) {
    expansions[number * (i64)HB_LOCAL_ROW + k] = k < HB_LOCALS ? all[k] : (real)0;
  }
  const u32 expanded = (u32)(thin.count + felt.count);
  if (warp.lane < HB_COUNTS) counts[HB_COUNTS * (i64)number + warp.lane] = warp.lane == 2 ? expanded : 0u;
}

/// Distance of expansions in local memory: odd, so that they meet different banks.
#define HB_LOCAL_STRIDE (HB_LOCAL_ROW | 1)

/// Adds to the expansions of sinks [begin, end) of a level, `held` of them a warp, those of their parents, which are
/// complete. Rows are read and written by all lanes together.
HB_WARP_KERNEL(hand_down) {
  HB_WARP_ARRAY(real, rows, HB_WARP * HB_LOCAL_STRIDE);
  HB_WARP_ARRAY(i32, parents, HB_WARP);
  HB_MAKE_WARP(warp);
  const i32 base = begin + hb_warp_item() * held, number = base + warp.lane, ends = hb_min(end, base + held);
  HB_LEAVE_SURPLUS(base >= end);
  const i32 known = number < ends ? sinks[number].parent : -1;
  const i32 up = known >= 0 && sinks[known].radius < (real)HB_WIDEST ? known : -1;  // wider ones have expanded nothing
  parents[warp.lane] = up;
  warp_sync();
  for (i32 k = warp.lane; k < held * HB_LOCAL_ROW; k += HB_WARP) {
    const i32 row = k / HB_LOCAL_ROW, column = k % HB_LOCAL_ROW, from = parents[row];
    rows[row * HB_LOCAL_STRIDE + column] = from >= 0 ? expansions[from * (i64)HB_LOCAL_ROW + column] : (real)0;
  }
  warp_sync();
  if (up >= 0) {
    const real scale = scale_of_size(sinks[up].size), ratio = scale / scale_of_size(sinks[number].size);
    const real x = internal_way(sinks[up].x, sinks[number].x, options.unit) * scale,
               y = internal_way(sinks[up].y, sinks[number].y, options.unit) * scale,
               z = internal_way(sinks[up].z, sinks[number].z, options.unit) * scale;
    real L[HB_LOCALS], G[HB_LOCALS], factor = ratio;
#pragma unroll
    for (i32 k = 0; k < HB_LOCALS; ++k) {
      L[k] = rows[warp.lane * HB_LOCAL_STRIDE + k];
      G[k] = 0;
    }
    HB_JOIN(l2l_, HB_ORDER)(L, x, y, z, G);
#pragma unroll
    for (i32 k = 0; k < HB_LOCALS; ++k) {
      if (HB_ORDER_BEGINS(k, HB_COEFFICIENTS)) factor *= ratio;
      rows[warp.lane * HB_LOCAL_STRIDE + k] = G[k] * factor;
    }
  }
  warp_sync();
  const i32 values = (ends - base) * HB_LOCAL_ROW;
  for (i32 k = warp.lane; k < values; k += HB_WARP) {
    expansions[base * (i64)HB_LOCAL_ROW + k] += rows[k / HB_LOCAL_ROW * HB_LOCAL_STRIDE + k % HB_LOCAL_ROW];
  }
}

HB_KERNELS_CLOSE
#endif
