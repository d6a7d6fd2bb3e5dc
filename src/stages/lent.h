// SPDX-License-Identifier: Apache-2.0
// Numbers in memory borrowed from a caller: float or double, at any stride. Read before bound, written after walk.
#ifndef HORNBEAM_STAGES_LENT_H
#define HORNBEAM_STAGES_LENT_H
#include "physics/portable.h"
HB_OPEN

/// A column of numbers: the i-th is number begin + i stride of the memory or, where that is null, `value`.
typedef struct {
  i64 begin, stride;
  f64 value;
  i32 wide;  ///< whether they are f64; else f32
} LentColumn;

/// Those of x, y and z.
typedef struct {
  LentColumn x, y, z;
} LentVectors;

/// What survey_numbers() finds: sum, least, largest, and how many are non-finite; of numbers that are.
#define HB_SURVEY_VALUES 4

HB_FN f64 lent_number(HB_GLOBAL const u8* memory, LentColumn column, i32 i) {
  if (!memory) return column.value;
  const i64 at = column.begin + i * column.stride;
  return column.wide ? ((HB_GLOBAL const f64*)memory)[at] : (f64)((HB_GLOBAL const f32*)memory)[at];
}

HB_FN void give_number(HB_GLOBAL u8* memory, i32 wide, i64 at, f64 value) {
  if (wide) {
    ((HB_GLOBAL f64*)memory)[at] = value;
  } else {
    ((HB_GLOBAL f32*)memory)[at] = (f32)value;
  }
}

HB_CLOSE
#endif
