// SPDX-License-Identifier: Apache-2.0
// Sets of units that many threads join at once: each unit points to one of its set that stands no later, the root, the
// first of all, to itself. Whoever joins another first, the sets and their roots come out the same.
#ifndef HORNBEAM_INTERACTIONS_GROUPS_UNION_FIND_H
#define HORNBEAM_INTERACTIONS_GROUPS_UNION_FIND_H
#include "physics/portable.h"
HB_OPEN

/// The root of unit u as far as is known now; halves the way to it.
HB_FN u32 root_of(HB_GLOBAL u32* parent, u32 u) {
  u32 above = hb_peek(&parent[u]);
  while (above != u) {
    const u32 next = hb_peek(&parent[above]);
    // An atomic minimum of another thread that this overwrites has told that thread what stood there before, which it
    // then joins: nothing is lost.
    if (next != above) hb_poke(&parent[u], next);
    u = above;
    above = next;
  }
  return u;
}

/// Joins the sets of units a and b. The later root is linked to the earlier one. If it is no longer a root, what it
/// points to is joined instead.
HB_FN void join_units(HB_GLOBAL u32* parent, u32 a, u32 b) {
  for (;;) {
    a = root_of(parent, a);
    b = root_of(parent, b);
    if (a == b) return;
    const u32 later = hb_max(a, b), earlier = hb_min(a, b);
    const u32 before = hb_lower(&parent[later], earlier);
    if (before == later) return;
    a = before;
    b = earlier;
  }
}

HB_CLOSE
#endif
