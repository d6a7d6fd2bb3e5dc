// SPDX-License-Identifier: Apache-2.0
// Places in ascending lists of particles, such as those that are due.
#ifndef HORNBEAM_STAGES_PLACE_FROM_H
#define HORNBEAM_STAGES_PLACE_FROM_H
#include "physics/portable.h"
HB_OPEN

/// The first place in [begin, end) of ascending numbers that holds none below `number`.
HB_FN i32 place_from(HB_GLOBAL const i32* numbers, i32 number, i32 begin, i32 end) {
  while (begin < end) {
    const i32 middle = begin + (end - begin) / 2;
    if (numbers[middle] < number) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

HB_CLOSE
#endif
