// SPDX-License-Identifier: Apache-2.0
// neighbours, for one particle: those within a radius and the k nearest, as visitors of the stackless walk. After
// moments. Boxes and pairs are measured by the same operations in the same order; as rounding is monotonic, no box
// comes out farther than one of its particles, and every walk finds the same neighbours, ties at the radius included.
#ifndef HORNBEAM_INTERACTIONS_NEIGHBOURS_PARTICLE_SEARCH_H
#define HORNBEAM_INTERACTIONS_NEIGHBOURS_PARTICLE_SEARCH_H
#include "stages/views.h"
#include "walk/stackless.h"
HB_OPEN

/// Neighbours of every particle, by its index on input. Row i begins at offset[i] of all rows; see row_of().
#define HB_NEIGHBOUR_FIELDS(F)                                         \
  F(const u32, input)  /* index on input of the particle at a place */ \
  F(const u64, offset) /* where rows begin */                          \
  F(u32, found)        /* how many neighbours, where rows are null */  \
  F(u32, index)        /* rows of indices on input, or null */         \
  F(pos_t, distance2)  /* beside index */

typedef struct {
  HB_NEIGHBOUR_FIELDS(HB_FIELD_MEMBER)
} NeighboursView;

/// What is the same for every particle of one search.
typedef struct {
  pos_t box;      ///< edge of the periodic cube [0, box)^3; infinite where there is none
  pos_t radius2;  ///< square of the radius
  i32 k;          ///< neighbours wanted, for the k nearest
  i32 cells, particles;
  i32 row_begin, row_end;  ///< whose neighbours are searched for; `index` and `distance2` hold their rows alone
} SearchOptions;

/// Whether the neighbours of the particle with this index on input are searched for.
HB_FN bool row_is_wanted(SearchOptions options, u32 input) {
  return (i32)input >= options.row_begin && (i32)input < options.row_end;
}

/// Where its row begins.
HB_FN u64 row_of(NeighboursView out, SearchOptions options, u32 input) {
  return out.offset[input] - out.offset[options.row_begin];
}

/// Order of the k nearest: by distance, ties by index on input.
HB_FN bool is_nearer(pos_t distance2, u32 index, pos_t other_distance2, u32 other_index) {
  return distance2 < other_distance2 || (distance2 == other_distance2 && index < other_index);
}

/// Distance along one axis to the nearest image; d: difference of coordinates.
HB_SUM_FORMULA sum_t separation(sum_t d, sum_t box) {
  const sum_t direct = hb_abs(d);
  return hb_min(direct, box - direct);
}

/// Least separation of a point in [low, high] and one in [other_low, other_high].
HB_SUM_FORMULA sum_t least_separation(sum_t low, sum_t high, sum_t other_low, sum_t other_high, sum_t box) {
  const sum_t direct = hb_max(low - other_high, other_low - high);
  const sum_t around = box - hb_max(high - other_low, other_high - low);
  return hb_max(hb_min(direct, around), (sum_t)0);
}

/// A bound on the largest separation of such points.
HB_SUM_FORMULA sum_t largest_separation(sum_t low, sum_t high, sum_t other_low, sum_t other_high, sum_t box) {
  const sum_t direct = hb_max(low - other_high, other_low - high);
  const sum_t span = hb_max(high - other_low, other_high - low);
  return hb_min(span, box - hb_max(direct, (sum_t)0));
}

/// Targets farther than this from all faces of the periodic cube meet no image within the radius; the margin over the
/// radius is far above the rounding of differences in the cube.
HB_FN pos_t image_margin(pos_t radius2, pos_t box) {
  return hb_sqrt(radius2) * (1 + (pos_t)1 / (1 << 20)) + box / (1 << 20);
}

/// Squared distance from separations; not fused, so that it is the same on every machine.
HB_SUM_FORMULA sum_t squared_distance(sum_t x, sum_t y, sum_t z) { return x * x + y * y + z * z; }

HB_FN pos_t distance2_to_particle(pos_t x, pos_t y, pos_t z, ParticlesView particles, i32 j, pos_t box) {
  return squared_distance(separation(particles.x[j] - x, box), separation(particles.y[j] - y, box),
                          separation(particles.z[j] - z, box));
}

HB_FN pos_t least_distance2_to_cell(pos_t x, pos_t y, pos_t z, CellsView cells, i32 c, pos_t box) {
  return squared_distance(least_separation(cells.low_x[c], cells.high_x[c], x, x, box),
                          least_separation(cells.low_y[c], cells.high_y[c], y, y, box),
                          least_separation(cells.low_z[c], cells.high_z[c], z, z, box));
}

HB_FN pos_t largest_distance2_to_cell(pos_t x, pos_t y, pos_t z, CellsView cells, i32 c, pos_t box) {
  return squared_distance(largest_separation(cells.low_x[c], cells.high_x[c], x, x, box),
                          largest_separation(cells.low_y[c], cells.high_y[c], y, y, box),
                          largest_separation(cells.low_z[c], cells.high_z[c], z, z, box));
}

/// One target on its way through the tree, and where its row of the lists begins.
typedef struct {
  ParticlesView particles;
  NeighboursView out;
  SearchOptions options;
  i32 target;
  pos_t x, y, z;
  u64 row;
  u32 found;  ///< so far, within a radius
} SearchState;

HB_FN SearchState search_begin(ParticlesView particles, NeighboursView out, SearchOptions options, i32 target) {
  SearchState s;
  s.particles = particles;
  s.out = out;
  s.options = options;
  s.target = target;
  s.x = particles.x[target];
  s.y = particles.y[target];
  s.z = particles.z[target];
  s.row = out.index ? row_of(out, options, out.input[target]) : 0;
  s.found = 0;
  return s;
}

// ------------------------------------------------------------------------------------------------- within a radius

HB_FN void neighbours_add(SearchState* s, i32 j, pos_t distance2) {
  if (j == s->target) return;
  if (s->out.index) {
    s->out.index[s->row + s->found] = s->out.input[j];
    s->out.distance2[s->row + s->found] = distance2;
  }
  ++s->found;
}

/// Whether all particles of cell c are neighbours, and only their number is asked.
HB_FN bool neighbours_are_all(SearchState* s, CellsView cells, i32 c) {
  return !s->out.index && largest_distance2_to_cell(s->x, s->y, s->z, cells, c, s->options.box) <= s->options.radius2;
}

HB_FN bool neighbours_accept(SearchState* s, CellsView cells, i32 c) {
  return least_distance2_to_cell(s->x, s->y, s->z, cells, c, s->options.box) > s->options.radius2 ||
         neighbours_are_all(s, cells, c);
}

HB_FN void neighbours_on_cell(SearchState* s, CellsView cells, i32 c) {
  if (!neighbours_are_all(s, cells, c)) return;
  const bool inside = s->target >= cells.first[c] && s->target < cells.first[c] + cells.count[c];
  s->found += (u32)cells.count[c] - (inside ? 1u : 0u);
}

HB_FN void neighbours_on_leaf(SearchState* s, CellsView cells, i32 c) {
  for (i32 j = cells.first[c]; j < cells.first[c] + cells.count[c]; ++j) {
    const pos_t distance2 = distance2_to_particle(s->x, s->y, s->z, s->particles, j, s->options.box);
    if (distance2 <= s->options.radius2) neighbours_add(s, j, distance2);
  }
}

HB_STACKLESS_WALK(neighbours, SearchState)

/// Counts the neighbours of one particle or, where there are rows, writes its row in the order of the walk.
HB_FN void neighbours_of_particle(ParticlesView particles, CellsView cells, NeighboursView out, SearchOptions options,
                                  i32 target) {
  SearchState state = search_begin(particles, out, options, target);
  neighbours_stackless(&state, cells, options.cells);
  if (!out.index) out.found[out.input[target]] = state.found;
}

// -------------------------------------------------------------------------------------------------- the k nearest

/// The row of a target is always sorted by distance, ties by index on input.
HB_FN SearchState nearest_begin(ParticlesView particles, NeighboursView out, SearchOptions options, i32 target) {
  const SearchState s = search_begin(particles, out, options, target);
  for (i32 i = 0; i < options.k; ++i) {
    out.index[s.row + i] = 0xffffffffu;
    out.distance2[s.row + i] = (pos_t)INFINITY;
  }
  return s;
}

/// Particles of leaf c that can be among the k nearest of any target: where they lie at one point, and so stand in the
/// order of the input, no more than the first k and the target.
HB_FN i32 nearest_candidates(CellsView cells, i32 c, i32 k) {
  const bool point =
      cells.low_x[c] == cells.high_x[c] && cells.low_y[c] == cells.high_y[c] && cells.low_z[c] == cells.high_z[c];
  return point && cells.count[c] > k ? k + 1 : cells.count[c];
}

/// Inserts one particle where it belongs; the farthest drops out.
HB_FN void nearest_insert(SearchState* s, u32 index, pos_t distance2) {
  HB_GLOBAL u32* const indices = s->out.index + s->row;
  HB_GLOBAL pos_t* const distances = s->out.distance2 + s->row;
  i32 i = s->options.k;
  while (i > 0 && is_nearer(distance2, index, distances[i - 1], indices[i - 1])) {
    if (i < s->options.k) {
      indices[i] = indices[i - 1];
      distances[i] = distances[i - 1];
    }
    --i;
  }
  if (i == s->options.k) return;
  indices[i] = index;
  distances[i] = distance2;
}

HB_FN bool nearest_accept(SearchState* s, CellsView cells, i32 c) {
  return least_distance2_to_cell(s->x, s->y, s->z, cells, c, s->options.box) >
         s->out.distance2[s->row + (u64)(s->options.k - 1)];
}

HB_FN void nearest_on_cell(SearchState* s, CellsView cells, i32 c) {
  (void)s, (void)cells, (void)c;  // too far to hold a neighbour
}

HB_FN void nearest_on_leaf(SearchState* s, CellsView cells, i32 c) {
  const i32 end = cells.first[c] + nearest_candidates(cells, c, s->options.k);
  for (i32 j = cells.first[c]; j < end; ++j) {
    if (j == s->target) continue;
    nearest_insert(s, s->out.input[j], distance2_to_particle(s->x, s->y, s->z, s->particles, j, s->options.box));
  }
}

HB_STACKLESS_WALK(nearest, SearchState)

/// Writes the row of one particle.
HB_FN void nearest_of_particle(ParticlesView particles, CellsView cells, NeighboursView out, SearchOptions options,
                               i32 target) {
  SearchState state = nearest_begin(particles, out, options, target);
  nearest_stackless(&state, cells, options.cells);
}

HB_CLOSE
#endif
