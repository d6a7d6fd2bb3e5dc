// SPDX-License-Identifier: Apache-2.0
// The walk of a warp for a group of targets (Bonsai: Bedorf et al. 2012, sect. 2.2): 32 cells are tested at a time, one
// a lane; opened cells put their children on a stack. What is done with cells and leaves is the visitor's business:
// warp_walk.inc.
#ifndef HORNBEAM_WALK_WARP_WALK_H
#define HORNBEAM_WALK_WARP_WALK_H
#include "device/kernels/language.h"
#include "stages/views.h"

/// Cells that may wait on a warp's stack. One cell at a time needs 7 * 21 + 1 of them; more are taken only while
/// their children will leave as many free, so that the stack never overflows.
#define HB_STACK 512
#define HB_MOST_CHILDREN 8
/// Of a walk that opens most of what it meets: 32 cells of ten levels may wait, so that no lanes idle for want of room.
#define HB_LARGE_STACK (HB_STACK_RESERVE + 10 * 7 * HB_WARP)
#define HB_STACK_RESERVE (7 * 21 + 1)

HB_KERNELS_OPEN

/// How many of the `depth` cells that wait on a stack of `size` are tested next.
HB_DEVICE_FN i32 cells_to_take(i32 size, i32 depth) {
  const i32 room = size - HB_STACK_RESERVE - depth;
  const i32 most = room >= 7 * HB_WARP ? HB_WARP : room / 7;
  return hb_max(hb_min(depth, most), 1);
}

/// Appends `value` of the lanes with `which` set to a list that has room; the new count.
HB_DEVICE_FN i32 warp_append(Warp warp, HB_LOCAL i32* list, i32 count, i32 value, i32 which) {
  const u32 bits = warp_ballot(warp, which);
  if (which) list[count + hb_popcount(bits & ((1u << warp.lane) - 1u))] = value;
  return count + hb_popcount(bits);
}

/// The children of a cell.
typedef struct {
  i32 first, count;
} Children;

/// What VISITOR_work returns for the walk to pause.
#define HB_PAUSE 2

/// How far a walk is.
typedef struct {
  i32 size;          ///< of the stack
  i32 depth, begun;  ///< cells on the stack; cells taken of those where it starts
  i32 busy, last;    ///< whether there is still to work; whether no cell is left
  i32 first, step;   ///< without a list of cells where it starts the k-th is first + k step: the root
} GroupWalkProgress;

HB_DEVICE_FN GroupWalkProgress walk_to_begin(i32 size) {
  GroupWalkProgress none;
  none.size = size;
  none.depth = 0;
  none.begun = 0;
  none.busy = 0;
  none.last = 0;
  none.first = 0;
  none.step = 0;
  return none;
}

/// The k-th cell where a walk starts: of the list or, where that is null, as progress says.
HB_DEVICE_FN i32 starting_cell(HB_GLOBAL const i32* start, const GroupWalkProgress* progress, i32 k) {
  return start ? start[k] : progress->first + k * progress->step;
}

HB_KERNELS_CLOSE

#endif
