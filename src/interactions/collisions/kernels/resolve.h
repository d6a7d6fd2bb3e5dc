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
  const u64 of_pair = turn_of_pair(first[p], second[p], in_image[p]);
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

/// In a kernel with the arguments for it.
#define HB_COLLIDE(w)                                                                                               \
  pos_t carried;                                                                                                    \
  const bool met =                                                                                                  \
      collide(bodies, w.a, w.b, images + in_image[w.pair] * HB_IMAGE_VALUES, rule, speeds, coefficients, &carried); \
  collided[w.turn] = met ? 1u : 0u;                                                                                 \
  flux[w.turn] = carried;

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
  if (gone && (gone[w.a] || gone[w.b])) return;
  hb_atomic_min(&claim[w.a], w.turn);
  hb_atomic_min(&claim[w.b], w.turn);
}

/// One round: pairs that come first for both of their bodies, which others may claim then; those that wait on go into
/// the list `later`, *left of them. collided[turn]: whether they did, of pairs whose turn has been.
HB_KERNEL(collide_bodies) {
  const i32 k = hb_item();
  if (k >= count) return;
  HB_BODIES(bodies)
  const WaitingPair w = waiting_pair(waiting[k], order, first, second, place);
  const bool comes = claim[w.a] == w.turn && claim[w.b] == w.turn;
  if (!comes && !is_over(bodies, w.a, w.b)) {
    later[hb_atomic_add(left, 1u)] = w.turn;
    return;
  }
  HB_COLLIDE(w)
  if (!comes) return;
  claim[w.a] = HB_UNCLAIMED;
  claim[w.b] = HB_UNCLAIMED;
}

/// Which of `count` pairs has the last turn before `turn` of those with that body; -1: none.
HB_DEVICE_FN i32 last_before(u32 turn, i32 body, HB_LOCAL const u32* turn_of, HB_LOCAL const i32* a_of,
                             HB_LOCAL const i32* b_of, i32 count) {
  i32 found = -1;
  u32 latest = 0;
  for (i32 k = 0; k < count; ++k) {
    const bool before = (a_of[k] == body || b_of[k] == body) && turn_of[k] < turn;
    if (!before || (found >= 0 && turn_of[k] < latest)) continue;
    found = k;
    latest = turn_of[k];
  }
  return found;
}

/// All that is left, at most HB_LAST_PAIRS, in one block: where many wait for one body each has a round, in which only
/// that of the two pairs before it are looked at. An item goes through pairs of its own, HB_BLOCK apart.
HB_BLOCK_KERNEL(collide_the_last) {
  HB_BLOCK_ARRAY(u32, turn_of, HB_LAST_PAIRS);
  HB_BLOCK_ARRAY(i32, a_of, HB_LAST_PAIRS);
  HB_BLOCK_ARRAY(i32, b_of, HB_LAST_PAIRS);
  HB_BLOCK_ARRAY(u8, done, HB_LAST_PAIRS);
  HB_BLOCK_ARRAY(u32, waits, 2);  // pairs, after a round and the next
  HB_BODIES(bodies)
  const i32 item = hb_block_item();
  for (i32 k = item; k < count; k += HB_BLOCK) {
    const WaitingPair w = waiting_pair(waiting[k], order, first, second, place);
    turn_of[k] = w.turn;
    a_of[k] = w.a;
    b_of[k] = w.b;
    done[k] = 0;
  }
  if (item == 0) waits[0] = 0;
  hb_block_sync();
  i32 before_a[HB_LAST_PAIRS / HB_BLOCK], before_b[HB_LAST_PAIRS / HB_BLOCK];
  for (i32 own = 0; own < HB_LAST_PAIRS / HB_BLOCK; ++own) {
    const i32 k = item + own * HB_BLOCK;
    if (k >= count) continue;
    before_a[own] = last_before(turn_of[k], a_of[k], turn_of, a_of, b_of, count);
    before_b[own] = last_before(turn_of[k], b_of[k], turn_of, a_of, b_of, count);
  }
  u32 left_here = 1;
  for (u32 parity = 0; left_here > 0; parity ^= 1u) {
    u32 now = 0, wait_on = 0;
    for (i32 own = 0; own < HB_LAST_PAIRS / HB_BLOCK; ++own) {
      const i32 k = item + own * HB_BLOCK;
      if (k >= count || done[k]) continue;
      if ((before_a[own] >= 0 && !done[before_a[own]]) || (before_b[own] >= 0 && !done[before_b[own]])) {
        ++wait_on;
        continue;
      }
      now |= 1u << own;
      WaitingPair w;
      w.turn = turn_of[k];
      w.pair = order[w.turn];
      w.a = a_of[k];
      w.b = b_of[k];
      HB_COLLIDE(w)
    }
    hb_block_sync_global();
    for (i32 own = 0; own < HB_LAST_PAIRS / HB_BLOCK; ++own) {
      if ((now >> own) & 1u) done[item + own * HB_BLOCK] = 1;
    }
    if (wait_on > 0) hb_atomic_add(&waits[parity], wait_on);
    hb_block_sync();
    left_here = waits[parity];
    if (item == 0) waits[parity ^ 1u] = 0;
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
