// SPDX-License-Identifier: Apache-2.0
// Arrays of callers that lie on the device: looked at, taken into a domain's own, and forces given back.
#ifndef HORNBEAM_DEVICE_KERNELS_LENT_H
#define HORNBEAM_DEVICE_KERNELS_LENT_H
#include "device/kernels/language.h"
#include "stages/lent.h"
#include "stages/rungs.h"
HB_KERNELS_OPEN

/// numbers[i] = i.
HB_KERNEL(number_items) {
  const i32 i = hb_item();
  if (i < n) numbers[i] = (u32)i;
}

/// Of numbers p, p + parts, ... of a column, for each p < parts, HB_SURVEY_VALUES at found[HB_SURVEY_VALUES p].
HB_KERNEL(survey_numbers) {
  const i32 p = hb_item();
  if (p >= parts) return;
  pos_t sum = 0, least = 0, largest = 0;
  i32 known = 0, not_finite = 0;
  for (i32 i = p; i < n; i += parts) {
    const pos_t value = (pos_t)lent_number(memory, column, i);
    if (value - value == 0) {
      sum += value;
      least = known ? hb_min(least, value) : value;
      largest = known ? hb_max(largest, value) : value;
      known = 1;
    } else {
      ++not_finite;
    }
  }
  HB_GLOBAL pos_t* row = found + HB_SURVEY_VALUES * p;
  row[0] = sum;
  row[1] = least;
  row[2] = largest;
  row[3] = (pos_t)not_finite;
}

/// to[i] = value i of the column times `factor`.
HB_KERNEL(take_reals) {
  const i32 i = hb_item();
  if (i < n) to[i] = hb_narrow((pos_t)(lent_number(memory, column, i) * factor));
}

/// A row of each particle, by its index on input, in the caller's units and type.
HB_KERNEL(give_forces) {
  const i32 i = hb_item();
  if (i >= n) return;
  const i64 row = (i64)input[i];
  give_number(accelerations, wide, 3 * row, (f64)acc_x[i] * acceleration_unit);
  give_number(accelerations, wide, 3 * row + 1, (f64)acc_y[i] * acceleration_unit);
  give_number(accelerations, wide, 3 * row + 2, (f64)acc_z[i] * acceleration_unit);
  give_number(potentials, wide, row, (f64)potential[i] * potential_unit);
}

HB_KERNELS_CLOSE
#endif
