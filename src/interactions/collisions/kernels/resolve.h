// SPDX-License-Identifier: Apache-2.0
// Pairs that collide, in the order of their turns, on a device: in each round those bounce that come first for both of
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
  turn[p] = turn_of_pair(first[p], second[p]);
  order[p] = (u32)p;
}

/// Of the pairs that have yet to bounce.
HB_KERNEL(free_bodies) {
  const i32 turn = hb_item();
  if (turn >= pairs || bounced[turn]) return;
  const u32 p = order[turn];
  claim[place[first[p]]] = HB_UNCLAIMED;
  claim[place[second[p]]] = HB_UNCLAIMED;
}

HB_KERNEL(claim_bodies) {
  const i32 turn = hb_item();
  if (turn >= pairs || bounced[turn]) return;
  const u32 p = order[turn];
  hb_atomic_min(&claim[place[first[p]]], (u32)turn);
  hb_atomic_min(&claim[place[second[p]]], (u32)turn);
}

/// bounced[turn]: 0 waiting, 1 done without a bounce, 2 with; *left: how many wait still.
HB_KERNEL(collide_bodies) {
  const i32 turn = hb_item();
  if (turn >= pairs || bounced[turn]) return;
  const u32 p = order[turn];
  const i32 a = (i32)place[first[p]], b = (i32)place[second[p]];
  if (claim[a] != (u32)turn || claim[b] != (u32)turn) {
    hb_atomic_add(left, 1u);
    return;
  }
  BodiesView bodies;
  bodies.x = x;
  bodies.y = y;
  bodies.z = z;
  bodies.vx = vx;
  bodies.vy = vy;
  bodies.vz = vz;
  bodies.mass = mass;
  bodies.radius = radius;
  pos_t carried;
  const bool did = bounce(bodies, a, b, images + in_image[p] * HB_IMAGE_VALUES, rule, speeds, coefficients, &carried);
  flux[turn] = carried;
  bounced[turn] = did ? 2u : 1u;
}

/// sums[2 b], sums[2 b + 1]: the flux and the number of the collisions of block b.
HB_BLOCK_KERNEL(sum_collisions) {
  HB_BLOCK_ARRAY(pos_t, part, 2 * HB_BLOCK);
  const i32 item = hb_block_item();
  pos_t carried = 0, number = 0;
  for (i32 k = hb_item(); k < pairs; k += blocks * HB_BLOCK) {
    carried += flux[k];
    number += bounced[k] == 2u ? 1 : 0;
  }
  part[item] = carried;
  part[HB_BLOCK + item] = number;
  HB_SUM_BLOCK(part, 2, item)
  if (item < 2) sums[2 * hb_block() + item] = part[item * HB_BLOCK];
}

HB_KERNELS_CLOSE
#endif
