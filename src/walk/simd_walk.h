// SPDX-License-Identifier: Apache-2.0
// The CPU's group walk: one traversal for a group of targets, eight sibling cells tested at a time. What is done with a
// cell or a leaf is the visitor's business; gravity and neighbour search are two of them.
#pragma once

#include "device/host/simd.h"
#include "stages/units.h"
#include "stages/views.h"

HB_ISA_OPEN

/// Siblings tested together: all children of a cell.
inline constexpr int sibling_lanes = 8;
typedef Pack<real, sibling_lanes> SiblingPack;

// Arrays that the walk reads eight at a time have read_ahead values of room behind the last (kernels.h).

/// Cells waiting to be tested: those siblings from `first` on whose bit is set.
struct Siblings {
  i32 first;
  unsigned which;
};

/// Depth first, a stack never holds more than seven waiting families a level and the eight last opened.
inline constexpr int stack_size = 7 * 21 + 8 + 1;

/// Walks the tree below `start` once for `visitor`, which offers
///   unsigned settle(i32 first, unsigned which)   deals with those of the siblings it can; a bit for each still to open
///   void on_leaf(i32 c)                          deals with the particles of an opened leaf
template <class Visitor>
HB_FN void group_walk(const CellsView& cells, Siblings start, Visitor& visitor) {
  // two arrays: a family read back as one word just after its halves were written would wait for the stores
  i32 first[stack_size];
  unsigned which[stack_size];
  int depth = 0;
  first[depth] = start.first;
  which[depth++] = start.which;
  while (depth > 0) {
    --depth;
    const Siblings family = {first[depth], which[depth]};
    for (unsigned open = visitor.settle(family.first, family.which); open != 0; open &= open - 1) {
      const i32 c = family.first + __builtin_ctz(open);
      if (cells.children[c] == 0) {
        visitor.on_leaf(c);
      } else {
        first[depth] = cells.child[c];
        which[depth++] = (1u << cells.children[c]) - 1u;
      }
    }
  }
}

/// The same from the root.
template <class Visitor>
HB_FN void group_walk(const CellsView& cells, i32 cell_count, Visitor& visitor) {
  if (cell_count > 0) group_walk(cells, Siblings{0, 1u}, visitor);
}

/// Eight consecutive values as differences to `origin`, in internal units.
HB_FN SiblingPack siblings_relative(const pos_t* p, pos_t origin, pos_t unit) {
  SiblingPack d;
#if defined(__AVX512F__) && HB_PRECISION == HB_MIXED
  const __m512d x = _mm512_mul_pd(_mm512_sub_pd(_mm512_loadu_pd(p), _mm512_set1_pd(origin)), _mm512_set1_pd(unit));
  d.v = (SiblingPack::Vector)_mm512_cvtpd_ps(x);
#else
  for (int i = 0; i < sibling_lanes; ++i) d.v[i] = internal_way(origin, p[i], unit);
#endif
  return d;
}

HB_ISA_CLOSE
