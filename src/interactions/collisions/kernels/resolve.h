// SPDX-License-Identifier: Apache-2.0
// Pairs that collide, in the order of their turns, on a device: in each round those do that come first for both of
// their bodies, which gives what one after another would.
#ifndef HORNBEAM_INTERACTIONS_COLLISIONS_KERNELS_RESOLVE_H
#define HORNBEAM_INTERACTIONS_COLLISIONS_KERNELS_RESOLVE_H
#include "device/kernels/block_sum.h"
#include "interactions/collisions/bodies.h"
HB_KERNELS_OPEN

#define HB_UNCLAIMED 0xffffffffu

HB_KERNEL(rank_collisions) {
  const i32 p = hb_item();
  if (p >= pairs) return;
  HB_BODIES(bodies)
  const u64 of_pair = turn_of_pair(first[p], second[p]);
  turn[p] = turn_of_meeting(bodies, (i32)place[first[p]], (i32)place[second[p]], images + in_image[p] * HB_IMAGE_VALUES,
                            time, of_pair);
  order[p] = (u32)p;
  waiting[p] = (u32)p;
}

/// A pair that waits for its turn, and where its bodies stand.
typedef struct {
  u32 turn, pair;
  i32 a, b;
} WaitingPair;

HB_DEVICE_FN WaitingPair waiting_pair(u32 turn, HB_GLOBAL const u32* order, HB_GLOBAL const u32* first,
                                      HB_GLOBAL const u32* second, HB_GLOBAL const u32* place) {
  WaitingPair w;
  w.turn = turn;
  w.pair = order[turn];
  w.a = (i32)place[first[w.pair]];
  w.b = (i32)place[second[w.pair]];
  return w;
}

HB_KERNEL(free_bodies) {
  const i32 k = hb_item();
  if (k >= count) return;
  const WaitingPair w = waiting_pair(waiting[k], order, first, second, place);
  claim[w.a] = HB_UNCLAIMED;
  claim[w.b] = HB_UNCLAIMED;
}

HB_KERNEL(claim_bodies) {
  const i32 k = hb_item();
  if (k >= count) return;
  const WaitingPair w = waiting_pair(waiting[k], order, first, second, place);
  hb_atomic_min(&claim[w.a], w.turn);
  hb_atomic_min(&claim[w.b], w.turn);
}

/// collided[turn]: whether they did, of pairs whose turn has been; the others go into the list `later`, *left of them.
HB_KERNEL(collide_bodies) {
  const i32 k = hb_item();
  if (k >= count) return;
  const WaitingPair w = waiting_pair(waiting[k], order, first, second, place);
  if (claim[w.a] != w.turn || claim[w.b] != w.turn) {
    later[hb_atomic_add(left, 1u)] = w.turn;
    return;
  }
  HB_BODIES(bodies)
  pos_t carried;
  collided[w.turn] =
      collide(bodies, w.a, w.b, images + in_image[w.pair] * HB_IMAGE_VALUES, rule, speeds, coefficients, &carried) ? 1u
                                                                                                                   : 0u;
  flux[w.turn] = carried;
}

/// All rounds of a list so short that one block goes through it: where many wait for one body, a round each. The lists
/// take turns, *left counts the other one.
HB_BLOCK_KERNEL(collide_the_last) {
  HB_BODIES(bodies)
  const i32 item = hb_block_item();
  HB_GLOBAL u32* now = waiting;
  HB_GLOBAL u32* next = later;
  i32 here = count;
  while (here > 0) {
    if (item == 0) *left = 0;
    for (i32 k = item; k < here; k += HB_BLOCK) {
      const WaitingPair w = waiting_pair(now[k], order, first, second, place);
      claim[w.a] = HB_UNCLAIMED;
      claim[w.b] = HB_UNCLAIMED;
    }
    hb_block_sync_global();
    for (i32 k = item; k < here; k += HB_BLOCK) {
      const WaitingPair w = waiting_pair(now[k], order, first, second, place);
      hb_atomic_min(&claim[w.a], w.turn);
      hb_atomic_min(&claim[w.b], w.turn);
    }
    hb_block_sync_global();
    for (i32 k = item; k < here; k += HB_BLOCK) {
      const WaitingPair w = waiting_pair(now[k], order, first, second, place);
      if (claim[w.a] != w.turn || claim[w.b] != w.turn) {
        next[hb_atomic_add(left, 1u)] = w.turn;
      } else {
        pos_t carried;
        collided[w.turn] =
            collide(bodies, w.a, w.b, images + in_image[w.pair] * HB_IMAGE_VALUES, rule, speeds, coefficients, &carried)
                ? 1u
                : 0u;
        flux[w.turn] = carried;
      }
    }
    hb_block_sync_global();
    here = (i32)*left;
    HB_GLOBAL u32* const done = now;
    now = next;
    next = done;
    hb_block_sync_global();  // all have read *left
  }
}

/// sums[2 b], sums[2 b + 1]: the flux and the number of the collisions of block b.
HB_BLOCK_KERNEL(sum_collisions) {
  HB_BLOCK_ARRAY(pos_t, part, 2 * HB_BLOCK);
  const i32 item = hb_block_item();
  pos_t carried = 0, number = 0;
  for (i32 k = hb_item(); k < pairs; k += blocks * HB_BLOCK) {
    carried += flux[k];
    number += (pos_t)collided[k];
  }
  part[item] = carried;
  part[HB_BLOCK + item] = number;
  HB_SUM_BLOCK(part, 2, item)
  if (item < 2) sums[2 * hb_block() + item] = part[item * HB_BLOCK];
}

HB_KERNELS_CLOSE
#endif
