// SPDX-License-Identifier: Apache-2.0
// Rows of neighbours, one a target by its index on input, which the visitors of neighbour search fill a window at a
// time.
#ifndef HORNBEAM_INTERACTIONS_NEIGHBOURS_ROWS_H
#define HORNBEAM_INTERACTIONS_NEIGHBOURS_ROWS_H
#include "walk/pairs.h"
HB_OPEN

/// Which rows are wanted; `index` and `distance2` hold theirs alone.
typedef struct {
  i32 begin, end;
} RowWindow;

/// No particle's index on input: the target is not to be left out.
#define HB_NOBODY 0xffffffffu

HB_FN bool row_is_wanted(RowWindow rows, u32 input) { return (i32)input >= rows.begin && (i32)input < rows.end; }

/// Where the row of a target begins. offset: where rows begin among all.
HB_FN u64 row_of(HB_GLOBAL const u64* offset, RowWindow rows, u32 input) { return offset[input] - offset[rows.begin]; }

/// Order of the k nearest: by distance, ties by index on input.
HB_FN bool is_nearer(pos_t distance2, u32 index, pos_t other_distance2, u32 other_index) {
  return distance2 < other_distance2 || (distance2 == other_distance2 && index < other_index);
}

HB_CLOSE
#endif
