// SPDX-License-Identifier: Apache-2.0
// Lengths in internal units, from positions in the user's.
#ifndef HORNBEAM_STAGES_UNITS_H
#define HORNBEAM_STAGES_UNITS_H
#include "physics/portable.h"
HB_OPEN

/// Returns a length in internal units, as the sums take it. A difference is made in pos_t first, so that nothing is
/// lost far from the origin. unit: internal length per length.
HB_FN sum_t internal(pos_t d, pos_t unit) { return (sum_t)(d * unit); }

/// The way from one position to another in internal units, along one axis.
HB_FN real internal_way(pos_t from, pos_t to, pos_t unit) { return hb_narrow((to - from) * unit); }

/// Pairs closer than these parts of the radius of their group of targets are summed exactly. fp32 differences to its
/// centre have errors of 1e-4 of a pair's acceleration in walks, below their truncation, and of 1e-5 in direct sums.
#define HB_CLOSE_IN_WALK (1 / 1024.0f)
#define HB_CLOSE_IN_SUM (1 / 128.0f)

/// Softening below HB_LEAST_EPS (internal; the key cube's edge is about 2^9) counts as none, and above HB_MOST_EPS as
/// that. Their squares, and m / eps^3 of coincident pairs, would overflow `real`.
#if HB_PRECISION == HB_DOUBLE
#define HB_LEAST_EPS ((pos_t)1e-90)
#define HB_MOST_EPS ((pos_t)1e90)
#else
#define HB_LEAST_EPS ((pos_t)1e-12f)
#define HB_MOST_EPS ((pos_t)1e18f)
#endif

/// eps^2 / 2 in internal units, as pairs add it up.
HB_FN real half_squared_eps(pos_t eps, pos_t unit) {
  const pos_t e = hb_min(eps * unit, HB_MOST_EPS);
  return e < HB_LEAST_EPS ? (real)0 : (real)(e * e / 2);
}

/// That of particle i, where `eps` is null of all particles alike.
HB_FN real soft2_of_particle(i32 i, HB_GLOBAL const real* eps, pos_t eps_for_all, pos_t unit) {
  return half_squared_eps(eps ? (pos_t)eps[i] : eps_for_all, unit);
}

HB_CLOSE
#endif
