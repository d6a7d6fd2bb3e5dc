// SPDX-License-Identifier: Apache-2.0
// The stackless walk of one particle (Nakasato 2012 fig. 6): the readable form of every walk, and the oracle of the
// rest.
#ifndef HORNBEAM_WALK_STACKLESS_H
#define HORNBEAM_WALK_STACKLESS_H
#include "stages/views.h"

/// Defines VISITOR_stackless(state, cells, cell_count), and VISITOR_stackless_below(state, cells, start) of the tree
/// below one cell, for a visitor, which is three functions over a STATE of its own:
///   bool VISITOR_accept(STATE*, CellsView, c)     is cell c dealt with as a whole?
///   void VISITOR_on_cell(STATE*, CellsView, c)    deal with it
///   void VISITOR_on_leaf(STATE*, CellsView, c)    deal with the particles of leaf c
#define HB_STACKLESS_WALK(VISITOR, STATE)                                          \
  HB_FN void VISITOR##_stackless_below(STATE* state, CellsView cells, i32 start) { \
    const i32 end = cells.next[start];                                             \
    i32 c = start;                                                                 \
    while (c != end) {                                                             \
      if (VISITOR##_accept(state, cells, c)) {                                     \
        VISITOR##_on_cell(state, cells, c);                                        \
        c = cells.next[c];                                                         \
      } else if (cells.children[c] == 0) {                                         \
        VISITOR##_on_leaf(state, cells, c);                                        \
        c = cells.next[c];                                                         \
      } else {                                                                     \
        c = cells.child[c];                                                        \
      }                                                                            \
    }                                                                              \
  }                                                                                \
                                                                                   \
  HB_FN void VISITOR##_stackless(STATE* state, CellsView cells, i32 cell_count) {  \
    if (cell_count > 0) VISITOR##_stackless_below(state, cells, 0);                \
  }

#endif
