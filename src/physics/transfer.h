// SPDX-License-Identifier: Apache-2.0
// Expansions from cell to cell, of orders 4 to 6 (docs/hierarchy.md): what the walk down two trees needs besides
// physics/expansion.h. Moments and coefficients without c >= 2 in (a, b, c) are called thin: where no softening is
// felt, fields are harmonic, and these fix the others.
#ifndef HORNBEAM_PHYSICS_TRANSFER_H
#define HORNBEAM_PHYSICS_TRANSFER_H
#include "physics/expansion.h"
HB_OPEN

#define HB_LEAST_TRANSFER 4
#define HB_LARGEST_TRANSFER 6
/// Thin moments of orders 2 to p, and coefficients of orders 0 to p.
#define HB_THIN_MOMENTS(p) (((p) + 1) * ((p) + 1) - 4)
#define HB_THIN_COEFFICIENTS(p) (((p) + 1) * ((p) + 1))

// Each order P offers
//   m2l_thin_P(x, y, z, mass, T, L)   as m2l_P without softening, from thin moments to thin coefficients
//   thin_moments_P(M, T)              the thin moments of M
//   whole_expansion_P(T, L)           all coefficients from the thin ones
//   l2l_P(L, x, y, z, G)              adds to G the expansion L, about a point at (x, y, z) from its centre
//   squared_powers_P(M, P)            sets P[2 ... p] to the squared powers of M
#include "physics/transfer/transfer_order_4.h"
#include "physics/transfer/transfer_order_5.h"
#include "physics/transfer/transfer_order_6.h"

/// Calls that one of m2l_thin_4 ... m2l_thin_6 (l2l ...) which is of the given order.
#define HB_BY_TRANSFER(order, function, arguments) \
  do {                                             \
    if ((order) == 4) function##_4 arguments;      \
    if ((order) == 5) function##_5 arguments;      \
    if ((order) == 6) function##_6 arguments;      \
  } while (0)

HB_CLOSE
#endif
