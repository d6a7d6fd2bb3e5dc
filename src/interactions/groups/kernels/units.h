// SPDX-License-Identifier: Apache-2.0
// Units of friends of friends from a tree: the largest cells no wider than the linking length, and the particles
// outside of these, in the order of the curve; and the labels that their sets give to particles in the end. Between:
// linking.h.
#ifndef HORNBEAM_INTERACTIONS_GROUPS_KERNELS_UNITS_H
#define HORNBEAM_INTERACTIONS_GROUPS_KERNELS_UNITS_H
#include "device/kernels/language.h"
#include "interactions/groups/linking.h"
HB_KERNELS_OPEN

/// Whether all particles of cell c are friends of one another.
HB_DEVICE_FN bool are_all_friends(CellsView cells, i32 c, pos_t length2) {
  return squared_distance(cells.high_x[c] - cells.low_x[c], cells.high_y[c] - cells.low_y[c],
                          cells.high_z[c] - cells.low_z[c]) <= length2;
}

/// Marks where the units begin that cell c makes of its children or, a leaf, of its particles; marks are 0 before.
HB_KERNEL(mark_units) {
  const i32 c = hb_item();
  if (c >= cell_count) return;
  HB_CELLS(cells)
  if (are_all_friends(cells, c, length2)) {
    if (c == 0) marks[0] = 1;
  } else if (cells.children[c] == 0) {
    for (i32 i = cells.first[c]; i < cells.first[c] + cells.count[c]; ++i) marks[i] = 1;
  } else {
    for (i32 k = cells.child[c]; k < cells.child[c] + cells.children[c]; ++k) {
      if (are_all_friends(cells, k, length2)) marks[cells.first[k]] = 1;
    }
  }
}

/// The tree over units, whose leaves are the units that are cells and what the other leaves are; sums: of marks before
/// each particle, and of all. Cells within a unit say what does no harm.
HB_KERNEL(name_units) {
  const i32 c = hb_item();
  if (c >= cell_count) return;
  HB_CELLS(cells)
  const i32 begin = cells.first[c], end = begin + cells.count[c];
  const bool friends = are_all_friends(cells, c, length2);
  first_unit[c] = (i32)sums[begin + 1] - 1;
  unit_count[c] = (i32)sums[end] - first_unit[c];
  unit_children[c] = friends ? 0 : cells.children[c];
  if (c == 0 && friends) {
    unit_first[0] = 0;
    unit_cell[0] = cells.count[0] > 1 ? 0 : -1;
  }
  if (friends) return;
  if (cells.children[c] == 0) {
    for (i32 i = begin; i < end; ++i) {
      unit_first[sums[i]] = i;
      unit_cell[sums[i]] = -1;
    }
    return;
  }
  for (i32 k = cells.child[c]; k < cells.child[c] + cells.children[c]; ++k) {
    if (!are_all_friends(cells, k, length2)) continue;
    unit_first[sums[cells.first[k]]] = cells.first[k];
    unit_cell[sums[cells.first[k]]] = cells.count[k] > 1 ? k : -1;
  }
}

/// Between low and high.
HB_DEVICE_FN pos_t middle_between(pos_t low, pos_t high) { return hb_min(low + (high - low) / 2, high); }

/// Where units stand, how far they reach, each a set of its own. half_length: of the linking length, widened by the
/// margin.
HB_KERNEL(place_units) {
  const i32 u = hb_item();
  if (u >= units) return;
  HB_CELLS(cells)
  const i32 c = unit_cell[u], i = unit_first[u];
  parent[u] = (u32)u;
  least[u] = 0xffffffffu;
  if (c < 0) {
    unit_x[u] = of_particle_x[i];
    unit_y[u] = of_particle_y[i];
    unit_z[u] = of_particle_z[i];
    extent[u] = half_length;
    return;
  }
  const pos_t x = middle_between(cells.low_x[c], cells.high_x[c]), y = middle_between(cells.low_y[c], cells.high_y[c]);
  const pos_t z = middle_between(cells.low_z[c], cells.high_z[c]);
  const pos_t wide_x = hb_max(cells.high_x[c] - x, x - cells.low_x[c]);
  const pos_t wide_y = hb_max(cells.high_y[c] - y, y - cells.low_y[c]);
  const pos_t wide_z = hb_max(cells.high_z[c] - z, z - cells.low_z[c]);
  unit_x[u] = x;
  unit_y[u] = y;
  unit_z[u] = z;
  extent[u] = half_length + hb_sqrt(squared_distance(wide_x, wide_y, wide_z)) * (1 + HB_LINK_MARGIN);
}

/// The unit of particle i.
HB_DEVICE_FN u32 unit_of(HB_GLOBAL const u32* sums, i32 i) { return sums[i + 1] - 1; }

/// The least index on input of the particles of each set, at its root.
HB_KERNEL(least_of_units) {
  const i32 i = hb_item();
  if (i >= n) return;
  HB_GLOBAL u32* found = &least[root_of(parent, unit_of(sums, i))];
  if (input[i] < hb_peek(found)) hb_lower(found, input[i]);
}

/// Of each particle, by its index on input.
HB_KERNEL(label_particles) {
  const i32 i = hb_item();
  if (i < n) label[input[i]] = least[root_of(parent, unit_of(sums, i))];
}

HB_KERNELS_CLOSE
#endif
