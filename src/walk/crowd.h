// SPDX-License-Identifier: Apache-2.0
// The targets of a walk that gathers which leave their groups, to be summed by warps of their own (gather_crowded.h):
// those near their sources by one each, those that reach far by many.
#ifndef HORNBEAM_WALK_CROWD_H
#define HORNBEAM_WALK_CROWD_H
#include "device/kernels/language.h"
#include "device/kernels/sizes.h"
HB_KERNELS_OPEN

/// An array of 2 + 2 n numbers for n targets: how many of each kind there are, then which.
HB_DEVICE_FN i32 crowd_place(i32 n, i32 kind, i32 k) { return 2 + kind * n + k; }

HB_DEVICE_FN void join_crowd(HB_GLOBAL u32* crowded, i32 n, i32 kind, i32 target) {
  crowded[crowd_place(n, kind, (i32)hb_count_up(crowded + kind))] = (u32)target;
}

HB_KERNELS_CLOSE
#endif
