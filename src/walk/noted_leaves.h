// SPDX-License-Identifier: Apache-2.0
// Leaves that the lanes of a warp have come upon on their walk: their particles, numbered across leaves.
#ifndef HORNBEAM_WALK_NOTED_LEAVES_H
#define HORNBEAM_WALK_NOTED_LEAVES_H
#include "device/kernels/language.h"
HB_KERNELS_OPEN

typedef struct {
  HB_LOCAL i32* first;     ///< HB_WARP: first particle of the leaf that a lane has noted
  HB_LOCAL i32* start;     ///< HB_WARP: particles in the leaves of the lanes before
  i32 candidates, staged;  ///< particles of the leaves noted; those laid out so far
} NotedLeaves;

#define HB_MAKE_NOTED_LEAVES(leaves)           \
  HB_WARP_ARRAY(i32, leaves##_first, HB_WARP); \
  HB_WARP_ARRAY(i32, leaves##_start, HB_WARP); \
  NotedLeaves leaves;                          \
  leaves.first = leaves##_first;               \
  leaves.start = leaves##_start;               \
  leaves.candidates = 0;                       \
  leaves.staged = 0

/// Notes the first `count` particles, from `first` on, of each lane's leaf; 0
/// for none. All that were noted before have been met, unless no lane has a
/// leaf.
HB_DEVICE_FN void note_candidates(NotedLeaves* s, Warp warp, i32 first, i32 count) {
  i32 total;
  const i32 start = warp_exclusive_scan(warp, count, &total);
  if (total > 0) {
    s->start[warp.lane] = start;
    s->first[warp.lane] = first;
    s->candidates = total;
    s->staged = 0;
  }
  warp_sync();
}

/// The particle that is candidate `number` of those noted: its leaf is the last
/// that starts no later.
HB_DEVICE_FN i32 noted_candidate(const NotedLeaves* s, i32 number) {
  i32 lane = 0;
#pragma unroll
  for (i32 step = HB_WARP / 2; step > 0; step /= 2) {
    if (s->start[lane + step] <= number) lane += step;
  }
  return s->first[lane] + number - s->start[lane];
}

HB_KERNELS_CLOSE
#endif
