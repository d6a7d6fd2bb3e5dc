// SPDX-License-Identifier: Apache-2.0
// Cells as the walk from cell to cell tests them, and which of them are sinks and units.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_HIERARCHY_CELLS_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_HIERARCHY_CELLS_H
#include "device/kernels/rows.h"
#include "interactions/gravity/kernels/hierarchy/rows.h"
#include "stages/box.h"
#include "stages/place_from.h"
#include "stages/units.h"
HB_KERNELS_OPEN

#define HB_ORDER HB_HIERARCHY
/// Values of a cell's moments as they are read, four at a time.
#define HB_MOMENTS_READ ((HB_MOMENTS(HB_ORDER) + 3) / 4 * 4)

/// A cell as it is expanded (HB_ROW).
typedef struct HB_ROW_ALIGNED {
  pos_t x, y, z;
  real mass, rest[HB_ROW(HB_ORDER) - HB_ROW_MASS - 1];
} CellRow;

HB_DEVICE_FN void read_fours(HB_GLOBAL const real* from, i32 count, real* to) {
  HB_GLOBAL const Real4* const fours = (HB_GLOBAL const Real4*)from;
#pragma unroll
  for (i32 k = 0; k < count; k += 4) {
    const Real4 four = fours[k / 4];
    to[k] = four.x;
    to[k + 1] = four.y;
    to[k + 2] = four.z;
    to[k + 3] = four.w;
  }
}

/// Sets the weights of a cell's estimates from its moments, which become relative to m rho^n. Where symmetry leaves a
/// cell without some power, as two equal particles without all odd ones, errors are those of the next one.
HB_DEVICE_FN void weigh_cell(SourceCell* cell, real* M) {
  const i32 may = may_expand(cell->mass, cell->rho, HB_ORDER);
  const real scale = cell->rho > 0 ? 1 / cell->rho : 0;
  real scaled = cell->mass > 0 ? scale / cell->mass : 0, power[HB_LARGEST_TRANSFER + 1],
       squares[HB_LARGEST_TRANSFER + 1];
#pragma unroll
  for (i32 i = 0; i < HB_MOMENTS(HB_ORDER); ++i) {
    if (HB_ORDER_BEGINS(i, HB_MOMENTS)) scaled *= scale;
    M[i] *= scaled;
  }
  HB_JOIN(squared_powers_, HB_ORDER)(M, squares);
#pragma unroll
  for (i32 k = 2; k <= HB_ORDER; ++k) power[k] = hb_min(hb_sqrt(hb_max(squares[k], (real)1e-4f)), (real)1);
  cell->octupole = may ? hb_max(power[3], power[4]) : (real)1;
  power[HB_ORDER] = hb_max(power[HB_ORDER], power[HB_ORDER - 1] / 2);
#pragma unroll
  for (i32 k = 2; k <= HB_LARGEST_TRANSFER; ++k) {
    cell->weights[k - 2] = k > HB_ORDER ? (real)0 : may ? binomial(HB_ORDER, k) * power[k] : (real)HB_NEVER;
  }
}

/// Row c of each array, from cell c.
HB_KERNEL(make_source_cells) {
  HB_CELLS(cells)
  const i32 c = hb_item();
  if (c >= source_cells) return;
  SourceCell cell;
  cell.x = cells.com_x[c];
  cell.y = cells.com_y[c];
  cell.z = cells.com_z[c];
  cell.mass = cells.cell_mass[c];
  cell.rho = cells.b[c];
  const i32 kids = cells.children[c];
  cell.first = kids > 0 ? cells.child[c] : cells.first[c];
  cell.number = kids > 0 ? kids : -cells.count[c];
  real M[HB_MOMENTS_READ], T[HB_THIN_MOMENTS(HB_ORDER)];
  read_fours(cells.moments + c * (u64)moment_stride, HB_MOMENTS_READ, M);
  HB_JOIN(thin_moments_, HB_ORDER)(M, T);
  CellRow row;
  row.x = cell.x;
  row.y = cell.y;
  row.z = cell.z;
  row.mass = cell.mass;
#pragma unroll
  for (i32 k = 0; k < HB_ROW(HB_ORDER) - HB_ROW_MASS - 1; ++k) {
    const i32 moment = k - (HB_ROW_HEAD - HB_ROW_MASS - 1);
    row.rest[k] = moment >= 0 && moment < HB_THIN_MOMENTS(HB_ORDER) ? T[moment] : (real)0;
  }
  hb_write_row((HB_GLOBAL CellRow*)rows + c, row);
  weigh_cell(&cell, M);
  hb_write_row(sources + c, cell);
}

HB_DEVICE_FN i32 makes_unit(CellsView cells, i32 c, SinkOptions options) {
  return cells.count[c] <= options.most || cells.children[c] == 0;
}

/// Targets: particles of a cell, or places in the list of those that are due.
typedef struct {
  i32 first, count;
} TargetRange;

/// Those of cell k. due: null where all are.
HB_DEVICE_FN TargetRange targets_of_cell(CellsView cells, i32 k, SinkOptions options, HB_GLOBAL const i32* due) {
  TargetRange range;
  range.first = cells.first[k];
  range.count = cells.count[k];
  if (due) {
    const i32 end = range.first + range.count;
    range.first = place_from(due, range.first, 0, options.due);
    range.count = place_from(due, end, range.first, options.due) - range.first;
  }
  return range;
}

/// Whether cell k, whose parent is none of the units, makes a sink.
HB_DEVICE_FN i32 makes_sink(CellsView cells, i32 k, SinkOptions options) {
  return cells.count[k] <= options.top || makes_unit(cells, k, options);
}

/// Moves the even cuts that lie in cell k, a sink without a parent, behind it.
HB_DEVICE_FN void cut_behind(CellsView cells, i32 k, SinkOptions options, i32 run, HB_GLOBAL const i32* due,
                             HB_GLOBAL i32* cuts) {
  if (!makes_sink(cells, k, options)) return;
  const TargetRange range = targets_of_cell(cells, k, options, due);
  const i32 end = range.first + range.count;
  for (i32 r = (range.first + run - 1) / run; r * run < end; ++r) cuts[r] = r * run == range.first ? range.first : end;
}

/// Where the runs of targets begin that ranks take in turn: about `run` apart, between sinks without a parent. So a
/// rank has all that its sinks need. cuts: runs + 1.
HB_KERNEL(cut_runs) {
  HB_CELLS(cells)
  const i32 c = hb_item();
  if (c >= options.cells) return;
  if (c == 0) {
    cuts[runs] = targets;
    cut_behind(cells, 0, options, run, due, cuts);
  }
  if (makes_sink(cells, c, options)) return;
  for (i32 k = 0; k < cells.children[c]; ++k) cut_behind(cells, cells.child[c] + k, options, run, due, cuts);
}

/// Marks cell k, whose parent is none of the units, in the sections that it belongs to. Without targets, or with those
/// of another rank, it is in none.
HB_DEVICE_FN void mark_sink(CellsView cells, i32 k, SinkOptions options, RankShare share, i32 runs,
                            HB_GLOBAL const i32* due, HB_GLOBAL const i32* cuts, HB_GLOBAL u32* marks) {
  if (!makes_sink(cells, k, options)) return;
  const TargetRange targets = targets_of_cell(cells, k, options, due);
  if (targets.count == 0) return;
  if (cuts && is_of_other_rank(share, place_from(cuts, targets.first + 1, 0, runs + 1) - 1)) return;
  marks[k] = 1;
  if (makes_unit(cells, k, options)) marks[(1 + bin_of_unit(targets.count)) * (i64)options.cells + k] = 1;
}

/// marks: HB_SINK_SECTIONS of options.cells each, and one more; zeros before. share: of runs of targets.
HB_KERNEL(mark_sinks) {
  HB_CELLS(cells)
  const i32 c = hb_item();
  if (c >= options.cells) return;
  if (c == 0) mark_sink(cells, 0, options, share, runs, due, cuts, marks);
  if (makes_unit(cells, c, options)) return;
  for (i32 k = 0; k < cells.children[c]; ++k) {
    mark_sink(cells, cells.child[c] + k, options, share, runs, due, cuts, marks);
  }
}

/// sums: of the marks. Sinks and units stand in the order of their cells, units bin after bin; bounds: HB_SINK_BOUNDS.
HB_KERNEL(list_sinks) {
  HB_CELLS(cells)
  const i32 c = hb_item();
  if (c < HB_LEVELS + 2) bounds[c] = (i32)sums[hb_min(levels.begin[c], options.cells)];
  const i32 sinks_end = (i32)sums[options.cells];
  if (c < HB_UNIT_BINS) bounds[HB_LEVELS + 2 + c] = (i32)sums[(2 + c) * (i64)options.cells] - sinks_end;
  if (c >= options.cells) return;
  const u32 s = sums[c];
  const i32 sink = sums[c + 1] > s;
  if (sink) {
    sinks[s].cell = c;
    const TargetRange targets = targets_of_cell(cells, c, options, due);
    sinks[s].first = targets.first;
    sinks[s].count = targets.count;
  }
  if (c == 0 && sink) sinks[s].parent = -1;
  for (i32 bin = 0; bin < HB_UNIT_BINS; ++bin) {
    const i64 at = (1 + bin) * (i64)options.cells + c;
    if (sums[at + 1] > sums[at]) units[(i32)sums[at] - sinks_end] = (i32)s;
  }
  if (makes_unit(cells, c, options)) return;
  for (i32 k = cells.child[c]; k < cells.child[c] + cells.children[c]; ++k) {
    if (sums[k + 1] > sums[k]) sinks[sums[k]].parent = sink ? (i32)s : -1;
  }
}

HB_KERNELS_CLOSE
#endif
