// SPDX-License-Identifier: Apache-2.0
// Boxes along the axes: of all particles (bound), of a leaf or node (moments), of a group (groups, walk).
#ifndef HORNBEAM_STAGES_BOX_H
#define HORNBEAM_STAGES_BOX_H
#include "stages/units.h"
#include "stages/views.h"
HB_OPEN

/// Least and largest coordinates, in the user's units.
typedef struct {
  pos_t low_x, low_y, low_z, high_x, high_y, high_z;
} PlaceBox;

HB_FN PlaceBox box_of_place(pos_t x, pos_t y, pos_t z) {
  const PlaceBox box = {x, y, z, x, y, z};
  return box;
}

HB_FN PlaceBox box_of_cell(i32 c, CellsView cells) {
  const PlaceBox box = {cells.low_x[c],  cells.low_y[c],  cells.low_z[c],
                        cells.high_x[c], cells.high_y[c], cells.high_z[c]};
  return box;
}

/// The box around both.
HB_FN PlaceBox join_place_boxes(PlaceBox a, PlaceBox b) {
  a.low_x = hb_min(a.low_x, b.low_x);
  a.low_y = hb_min(a.low_y, b.low_y);
  a.low_z = hb_min(a.low_z, b.low_z);
  a.high_x = hb_max(a.high_x, b.high_x);
  a.high_y = hb_max(a.high_y, b.high_y);
  a.high_z = hb_max(a.high_z, b.high_z);
  return a;
}

/// The box of places first, first + stride, ... before `end`, or of the last one where `first` is behind it.
HB_FN PlaceBox box_of_every(HB_GLOBAL const pos_t* x, HB_GLOBAL const pos_t* y, HB_GLOBAL const pos_t* z, i32 first,
                            i32 end, i32 stride) {
  i32 i = hb_min(first, end - 1);
  PlaceBox box = box_of_place(x[i], y[i], z[i]);
  for (i += stride; i < end; i += stride) box = join_place_boxes(box, box_of_place(x[i], y[i], z[i]));
  return box;
}

/// Least and largest of `count` coordinates along one axis.
HB_FN void extent_along(HB_GLOBAL const pos_t* p, i32 count, pos_t* low, pos_t* high) {
  *low = p[0];
  *high = p[0];
  for (i32 t = 1; t < count; ++t) {
    *low = hb_min(*low, p[t]);
    *high = hb_max(*high, p[t]);
  }
}

HB_FN pos_t longest_edge_of(PlaceBox box) {
  return hb_max(box.high_x - box.low_x, hb_max(box.high_y - box.low_y, box.high_z - box.low_z));
}

HB_FN pos_t middle_of(pos_t low, pos_t high) { return low + (high - low) / 2; }

/// Half an edge of a box in internal units, at least the distance of either face from its middle.
HB_FN real half_edge(pos_t low, pos_t middle, pos_t high, pos_t unit) {
  return hb_max(internal_way(middle, high, unit), internal_way(low, middle, unit));
}

/// The gap between two intervals in internal units; negative by how far they overlap.
HB_FN real gap_between(pos_t low, pos_t high, pos_t other_low, pos_t other_high, pos_t unit) {
  return hb_max(internal_way(other_high, low, unit), internal_way(high, other_low, unit));
}

/// The same along the axis where it is largest, between a box and that of cell c.
HB_FN real largest_gap(PlaceBox box, CellsView cells, i32 c, pos_t unit) {
  const real x = gap_between(cells.low_x[c], cells.high_x[c], box.low_x, box.high_x, unit),
             y = gap_between(cells.low_y[c], cells.high_y[c], box.low_y, box.high_y, unit),
             z = gap_between(cells.low_z[c], cells.high_z[c], box.low_z, box.high_z, unit);
  return hb_max(x, hb_max(y, z));
}

/// Least squared distance between a box and that of cell c, internal units.
HB_FN real distance2_to_box_of_cell(PlaceBox box, CellsView cells, i32 c, pos_t unit) {
  const real none = 0;
  const real x = hb_max(gap_between(cells.low_x[c], cells.high_x[c], box.low_x, box.high_x, unit), none),
             y = hb_max(gap_between(cells.low_y[c], cells.high_y[c], box.low_y, box.high_y, unit), none),
             z = hb_max(gap_between(cells.low_z[c], cells.high_z[c], box.low_z, box.high_z, unit), none);
  return x * x + y * y + z * z;
}

HB_CLOSE
#endif
