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

/// Of all pairs that were found, to which nothing happens.
HB_KERNEL(note_meetings) {
  const i32 p = hb_item();
  if (p >= pairs) return;
  HB_BODIES(bodies)
  note_pair(bodies, (i32)place[first[p]], (i32)place[second[p]], (u32)p, images + in_image[p] * HB_IMAGE_VALUES, time);
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
  if (gone && (gone[w.a] || gone[w.b])) return;
  hb_atomic_min(&claim[w.a], w.turn);
  hb_atomic_min(&claim[w.b], w.turn);
}

/// Lets a pair collide that comes first for both of its bodies, or of which one is no more, and gives up what it has
/// claimed; false where it waits on.
/// collided[turn]: whether they did, of pairs whose turn has been.
HB_DEVICE_FN bool collide_if_first(WaitingPair w, BodiesView bodies, HB_GLOBAL u32* claim, HB_GLOBAL const pos_t* image,
                                   CollisionRule rule, HB_GLOBAL const pos_t* speeds,
                                   HB_GLOBAL const pos_t* coefficients, HB_GLOBAL u32* collided,
                                   HB_GLOBAL pos_t* flux) {
  const bool comes = claim[w.a] == w.turn && claim[w.b] == w.turn;
  if (!comes && !is_over(bodies, w.a, w.b)) return false;
  pos_t carried;
  collided[w.turn] = collide(bodies, w.a, w.b, w.turn, image, rule, speeds, coefficients, &carried) ? 1u : 0u;
  flux[w.turn] = carried;
  if (claim[w.a] == w.turn) claim[w.a] = HB_UNCLAIMED;
  if (claim[w.b] == w.turn) claim[w.b] = HB_UNCLAIMED;
  return true;
}

/// One round; those that wait on go into the list `later`, *left of them.
HB_KERNEL(collide_bodies) {
  const i32 k = hb_item();
  if (k >= count) return;
  HB_BODIES(bodies)
  const WaitingPair w = waiting_pair(waiting[k], order, first, second, place);
  if (!collide_if_first(w, bodies, claim, images + in_image[w.pair] * HB_IMAGE_VALUES, rule, speeds, coefficients,
                        collided, flux)) {
    later[hb_atomic_add(left, 1u)] = w.turn;
  }
}

/// All rounds of at most HB_LAST_PAIRS, which one block goes through: where many wait for one body, there is a round
/// for each.
HB_BLOCK_KERNEL(collide_the_last) {
  HB_BLOCK_ARRAY(u32, turn_of, HB_LAST_PAIRS);
  HB_BLOCK_ARRAY(u32, pair_of, HB_LAST_PAIRS);
  HB_BLOCK_ARRAY(i32, a_of, HB_LAST_PAIRS);
  HB_BLOCK_ARRAY(i32, b_of, HB_LAST_PAIRS);
  HB_BLOCK_ARRAY(u32, waits, 2);  // pairs, after a round and the next
  HB_BODIES(bodies)
  const i32 item = hb_block_item();
  for (i32 k = item; k < count; k += HB_BLOCK) {
    const WaitingPair w = waiting_pair(waiting[k], order, first, second, place);
    turn_of[k] = w.turn;
    pair_of[k] = w.pair;
    a_of[k] = w.a;
    b_of[k] = w.b;
  }
  if (item == 0) waits[0] = 0;
  u32 left_here = 1;
  for (u32 parity = 0; left_here > 0; parity ^= 1u) {  // an item goes through its own pairs alone
    for (i32 k = item; k < count; k += HB_BLOCK) {
      if (turn_of[k] == HB_UNCLAIMED) continue;
      hb_atomic_min(&claim[a_of[k]], turn_of[k]);
      hb_atomic_min(&claim[b_of[k]], turn_of[k]);
    }
    hb_block_sync_global();
    u32 mine = 0;
    for (i32 k = item; k < count; k += HB_BLOCK) {
      if (turn_of[k] == HB_UNCLAIMED) continue;
      WaitingPair w;
      w.turn = turn_of[k];
      w.pair = pair_of[k];
      w.a = a_of[k];
      w.b = b_of[k];
      const bool done = collide_if_first(w, bodies, claim, images + in_image[w.pair] * HB_IMAGE_VALUES, rule, speeds,
                                         coefficients, collided, flux);
      if (done) turn_of[k] = HB_UNCLAIMED;
      mine += done ? 0u : 1u;
    }
    if (mine > 0) hb_atomic_add(&waits[parity], mine);
    hb_block_sync_global();
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
