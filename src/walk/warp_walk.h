// SPDX-License-Identifier: Apache-2.0
// The walk of a warp for a group of targets (Bonsai: Bedorf et al. 2012, sect. 2.2): 32 cells are tested at a time, one
// a lane; opened cells put their children on a stack. What is done with cells and leaves is the visitor's business.
#ifndef HORNBEAM_WALK_WARP_WALK_H
#define HORNBEAM_WALK_WARP_WALK_H
#include "device/kernels/language.h"
#include "stages/views.h"

/// Cells that may wait on a warp's stack. One cell at a time needs 7 * 21 + 1 of them; more are taken only while
/// their children will leave as many free, so that the stack never overflows.
#define HB_STACK 512
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

/// Defines VISITOR_group_walk(state, warp, cells, stack, start, starts, progress): walks the tree below `starts` cells
/// (starting_cell()) until it ends, or pauses: progress->busy, to be called again. A visitor is three functions over a
/// STATE, reached by all lanes:
///   i32 VISITOR_settle(STATE*, Warp, CellsView, c, has)    deals with cell c if it can; whether it is still to open
///   void VISITOR_on_leaves(STATE*, Warp, CellsView, c, is) takes note of leaf c where `is` is set
///   i32 VISITOR_work(STATE*, Warp, CellsView, last)        evaluates what has been noted, all of it if `last`; whether
///                                                          it is to be called again before more cells are tested
///                                                          (HB_PAUSE: once the walk's caller has done its part)
/// All evaluation stands in `work`, once: code that is repeated does not fit the instruction cache.
#define HB_GROUP_WALK(VISITOR, STATE)                                                                           \
  HB_DEVICE_FN void VISITOR##_group_walk(STATE* state, Warp warp, CellsView cells, HB_LOCAL i32* stack,         \
                                         HB_GLOBAL const i32* start, i32 starts, GroupWalkProgress* progress) { \
    i32 depth = progress->depth, begun = progress->begun, busy = progress->busy, last = progress->last;         \
    do {                                                                                                        \
      last = last || (!busy && depth == 0 && begun == starts);                                                  \
      const i32 tests = !busy && !last;                                                                         \
      HB_WARP_IF(tests) {                                                                                       \
        const i32 more = tests && depth < HB_WARP ? hb_min(starts - begun, HB_WARP) : 0;                        \
        HB_WARP_IF(more > 0) { /* lanes are free for more of the cells where the walk starts */                 \
          if (warp.lane < more) stack[depth + warp.lane] = starting_cell(start, progress, begun + warp.lane);   \
          depth += more;                                                                                        \
          begun += more;                                                                                        \
          warp_sync();                                                                                          \
        }                                                                                                       \
        const i32 take = tests ? cells_to_take(progress->size, depth) : 0;                                      \
        depth -= take;                                                                                          \
        const i32 has = warp.lane < take;                                                                       \
        const i32 c = has ? stack[depth + warp.lane] : 0;                                                       \
        warp_sync(); /* before others put their children there */                                               \
        const i32 children = cells.children[c], child = cells.child[c];                                         \
        const i32 open = VISITOR##_settle(state, warp, cells, c, has);                                          \
        VISITOR##_on_leaves(state, warp, cells, c, open&& children == 0);                                       \
        i32 total;                                                                                              \
        const i32 count = open ? children : 0;                                                                  \
        const i32 at = depth + warp_exclusive_scan(warp, count, &total);                                        \
        for (i32 k = 0; k < count; ++k) stack[at + k] = child + k;                                              \
        depth += total;                                                                                         \
        warp_sync();                                                                                            \
      }                                                                                                         \
      busy = VISITOR##_work(state, warp, cells, last);                                                          \
    } while (busy != HB_PAUSE && (busy || !last));                                                              \
    progress->depth = depth;                                                                                    \
    progress->begun = begun;                                                                                    \
    progress->busy = busy;                                                                                      \
    progress->last = last;                                                                                      \
  }

#endif
