// SPDX-License-Identifier: Apache-2.0
// moments: what the walk must know of a cell, from its particles (leaves) or its children (nodes), bottom-up.
// After build, before walk. Sums are in sum_t about the centre of mass.
#ifndef HORNBEAM_STAGES_MOMENTS_H
#define HORNBEAM_STAGES_MOMENTS_H
#include "physics/expansion.h"
#include "physics/opening.h"
#include "stages/box.h"
#include "stages/key.h"
#include "stages/units.h"
#include "stages/views.h"
HB_OPEN

/// A cell while its sums are made; lengths and masses internal, positions in the user's units.
typedef struct {
  pos_t com_x, com_y, com_z;
  PlaceBox box;
  sum_t mass, b, soft2, reach;
} CellSums;

HB_FN sum_t length3(sum_t x, sum_t y, sum_t z) { return hb_sqrt(hb_fma(x, x, hb_fma(y, y, z * z))); }

/// Adds a particle at (x, y, z) from the centre of mass; returns its squared distance.
HB_FN sum_t add_particle_moments(i32 order, sum_t mass, sum_t x, sum_t y, sum_t z, sum_t* M) {
  HB_BY_ORDER(order, p2m, (mass, x, y, z, M));
  return hb_fma(x, x, hb_fma(y, y, z * z));
}

/// The same with a child; returns its distance.
HB_FN sum_t add_cell_moments(i32 order, sum_t mass, const sum_t* C, sum_t x, sum_t y, sum_t z, sum_t* M) {
  HB_BY_ORDER(order, m2m, (mass, C, x, y, z, M));
  return length3(x, y, z);
}

/// Distance from the centre of mass to the farthest corner of the tight box, internal.
HB_FN sum_t farthest_corner(CellSums s, pos_t unit) {
  return length3(internal(hb_max(s.box.high_x - s.com_x, s.com_x - s.box.low_x), unit),
                 internal(hb_max(s.box.high_y - s.com_y, s.com_y - s.box.low_y), unit),
                 internal(hb_max(s.box.high_z - s.com_z, s.com_z - s.box.low_z), unit));
}

/// The centre of mass from sums of m d about `x`, kept inside the box against rounding; massless cells: the box centre.
HB_FN pos_t centre_of_mass(pos_t x, sum_t m_d, sum_t mass, pos_t unit, pos_t low, pos_t high) {
  const pos_t com = mass > 0 ? x + (pos_t)(m_d / (mass * (sum_t)unit)) : middle_of(low, high);
  return hb_min(hb_max(com, low), high);
}

/// Centre of a cell of the key cube.
typedef struct {
  pos_t x, y, z;
} CellCentre;

/// That of the cell of `level` which holds particle p.
HB_FN CellCentre centre_of_cell(i32 p, ParticlesView particles, KeyCube cube, i32 level) {
  const pos_t half_edge = cube.edge / (pos_t)(1 << level) / 2;
  const CellCentre centre = {cell_low(particles.x[p], cube.x, cube, level) + half_edge,
                             cell_low(particles.y[p], cube.y, cube, level) + half_edge,
                             cell_low(particles.z[p], cube.z, cube, level) + half_edge};
  return centre;
}

/// Writes all of cell c but its multipoles.
HB_FN void write_cell(i32 c, CellsView cells, CellSums s, CellCentre centre, KeyCube cube, i32 level,
                      WalkOptions options) {
  const pos_t edge = cube.edge / (pos_t)(1 << level);
  const pos_t box_edge = longest_edge_of(s.box);
  const sum_t box_delta = length3(internal(s.com_x - (s.box.low_x + s.box.high_x) / 2, options.unit),
                                  internal(s.com_y - (s.box.low_y + s.box.high_y) / 2, options.unit),
                                  internal(s.com_z - (s.box.low_z + s.box.high_z) / 2, options.unit));
  const sum_t delta = length3(internal(s.com_x - centre.x, options.unit), internal(s.com_y - centre.y, options.unit),
                              internal(s.com_z - centre.z, options.unit));
  const i32 blurred = box_edge == 0 && s.b > 0;         // particles at one place that are no point mass: leaf_bound()
  const i32 clamped = box_edge > edge * (pos_t)1.001f;  // holds particles from outside the key cube
  cells.com_x[c] = s.com_x;
  cells.com_y[c] = s.com_y;
  cells.com_z[c] = s.com_z;
  cells.low_x[c] = s.box.low_x;
  cells.low_y[c] = s.box.low_y;
  cells.low_z[c] = s.box.low_z;
  cells.high_x[c] = s.box.high_x;
  cells.high_y[c] = s.box.high_y;
  cells.high_z[c] = s.box.high_z;
  cells.cell_mass[c] = (real)s.mass;
  cells.b[c] = (real)s.b;
  cells.cell_soft2[c] = (real)s.soft2;
  cells.reach[c] = (real)s.reach;
  if (blurred) {
    cells.size2[c] = opening_size2(options.mac, options.theta, (real)s.reach, 0, (real)s.reach, 0);
  } else if (options.refitted) {
    // particles may have left the cell that their keys name: its radius stays, and grows where the box has outgrown it
    const real by_box = opening_size2(options.mac, options.theta, (real)internal(box_edge, options.unit),
                                      (real)box_delta, (real)internal(box_edge, options.unit), (real)box_delta);
    cells.size2[c] = hb_max(cells.size2[c], by_box);
  } else {
    cells.size2[c] =
        opening_size2(options.mac, options.theta, (real)internal(clamped ? box_edge : edge, options.unit),
                      (real)(clamped ? box_delta : delta), (real)internal(box_edge, options.unit), (real)box_delta);
  }
}

HB_FN void write_multipoles(i32 c, CellsView cells, const sum_t* M, WalkOptions options) {
  for (i32 k = 0; k < HB_MOMENTS(options.moment_order); ++k)
    cells.moments[c * (u64)options.moment_stride + k] = (real)M[k];
}

/// Particles whose masses are summed before the sum is added to the leaf's: 1e5 equal ones at one place, one after the
/// other, would be wrong by 1e-3 in `single`.
#define HB_MASS_RUN 256
/// A leaf of more than HB_LARGE_LEAF particles is summed in this many parts, in their order. On a device the items of a
/// block take one each, and the result is bit-identical to that of one item.
#define HB_LEAF_PARTS 128
#define HB_LARGE_LEAF HB_MASS_RUN

/// Sums over particles of a leaf, or children of a node, about the place of the first one.
typedef struct {
  PlaceBox box;
  sum_t mass, m_x, m_y, m_z, m_soft2;
} MassSums;

/// With mass m at (x, y, z) from that place, but for its box and its softening.
HB_FN MassSums add_mass(MassSums s, sum_t m, sum_t x, sum_t y, sum_t z) {
  s.m_x = hb_fma(m, x, s.m_x);
  s.m_y = hb_fma(m, y, s.m_y);
  s.m_z = hb_fma(m, z, s.m_z);
  return s;
}

/// Box, centre of mass and mass-weighted softening of `count` particles; (x, y, z): the place that the sums are about;
/// soft2: the sum of all eps^2 / 2, for massless ones.
HB_FN CellSums cell_of_sums(MassSums all, pos_t x, pos_t y, pos_t z, i32 count, sum_t soft2, sum_t reach, pos_t unit) {
  CellSums s;
  s.com_x = centre_of_mass(x, all.m_x, all.mass, unit, all.box.low_x, all.box.high_x);
  s.com_y = centre_of_mass(y, all.m_y, all.mass, unit, all.box.low_y, all.box.high_y);
  s.com_z = centre_of_mass(z, all.m_z, all.mass, unit, all.box.low_z, all.box.high_z);
  s.box = all.box;
  s.mass = all.mass;
  s.b = 0;
  s.soft2 = all.mass > 0 ? all.m_soft2 / all.mass : soft2 / (sum_t)count;
  s.reach = reach;
  return s;
}

/// Sums over particles of a leaf.
typedef struct {
  MassSums all;
  sum_t soft2, largest_soft2;
} LeafSums;

/// First particle of part k of a leaf; that behind the last begins where the leaf ends. Smaller leaves are one part.
HB_FN i32 begin_of_part(i32 first, i32 count, i32 k) {
  if (count <= HB_LARGE_LEAF) return k > 0 ? first + count : first;
  const i32 size = count / HB_LEAF_PARTS, longer = count % HB_LEAF_PARTS;
  return first + k * size + hb_min(k, longer);
}

/// The sums of part k of a leaf of `count` particles from `first` on.
HB_FN LeafSums sum_part(i32 first, i32 count, i32 k, ParticlesView particles, pos_t unit) {
  const pos_t x0 = particles.x[first], y0 = particles.y[first], z0 = particles.z[first];
  LeafSums s = {{box_of_place(x0, y0, z0), 0, 0, 0, 0, 0}, 0, 0};
  const i32 end = begin_of_part(first, count, k + 1);
  for (i32 run = begin_of_part(first, count, k); run < end; run += HB_MASS_RUN) {
    sum_t run_mass = 0, run_soft2 = 0;
    const i32 run_end = hb_min(run + HB_MASS_RUN, end);
    for (i32 i = run; i < run_end; ++i) {
      const pos_t x = particles.x[i], y = particles.y[i], z = particles.z[i];
      const sum_t m = (sum_t)particles.mass[i], soft2 = (sum_t)particles.soft2[i];
      s.all.box = join_place_boxes(s.all.box, box_of_place(x, y, z));
      run_mass += m;
      s.all = add_mass(s.all, m, internal(x - x0, unit), internal(y - y0, unit), internal(z - z0, unit));
      run_soft2 = hb_fma(m, soft2, run_soft2);
      s.soft2 += soft2;
      s.largest_soft2 = hb_max(s.largest_soft2, soft2);
    }
    s.all.mass += run_mass;
    s.all.m_soft2 += run_soft2;
  }
  return s;
}

HB_FN LeafSums add_parts(LeafSums a, LeafSums b) {
  a.all.box = join_place_boxes(a.all.box, b.all.box);
  a.all.mass += b.all.mass;
  a.all.m_x += b.all.m_x;
  a.all.m_y += b.all.m_y;
  a.all.m_z += b.all.m_z;
  a.all.m_soft2 += b.all.m_soft2;
  a.soft2 += b.soft2;
  a.largest_soft2 = hb_max(a.largest_soft2, b.largest_soft2);
  return a;
}

/// A leaf from the sums of all its parts.
HB_FN CellSums leaf_of_sums(i32 first, i32 count, LeafSums sums, ParticlesView particles, pos_t unit) {
  return cell_of_sums(sums.all, particles.x[first], particles.y[first], particles.z[first], count, sums.soft2,
                      (sum_t)HB_SPLINE_REACH * hb_sqrt(2 * sums.largest_soft2), unit);
}

/// Sets M to the multipoles of part k of a leaf about s.com; returns the largest squared distance from it. Particles at
/// one place have no multipoles, however many they are.
HB_FN sum_t multipoles_of_part(i32 first, i32 count, i32 k, ParticlesView particles, CellSums s, WalkOptions options,
                               sum_t* M) {
  for (i32 v = 0; v < HB_MOMENTS(options.moment_order); ++v) M[v] = 0;
  sum_t b2 = 0;
  const i32 begin = begin_of_part(first, count, k);
  const i32 end = longest_edge_of(s.box) > 0 ? begin_of_part(first, count, k + 1) : begin;
  for (i32 i = begin; i < end; ++i) {
    const sum_t distance2 = add_particle_moments(
        options.moment_order, (sum_t)particles.mass[i], internal(particles.x[i] - s.com_x, options.unit),
        internal(particles.y[i] - s.com_y, options.unit), internal(particles.z[i] - s.com_z, options.unit), M);
    b2 = hb_max(b2, distance2);
  }
  return b2;
}

/// Distance bound of particles at one place that differ in eps: they are no point mass, which a bound of 0 says.
#define HB_BLURRED ((sum_t)1e-15f)

/// The bound that a leaf of largest squared distance b2 is given. soft2 and reach of `s` are those of all its
/// particles.
HB_FN sum_t leaf_bound(CellSums s, sum_t b2) {
  const sum_t largest2 = s.reach * s.reach, mean2 = s.soft2 * (sum_t)(2 * HB_SPLINE_REACH * HB_SPLINE_REACH);
  const i32 unequal = mean2 < largest2 * (sum_t)0.999f;
  return hb_max(hb_sqrt(b2), unequal ? HB_BLURRED : (sum_t)0);
}

/// Leaf c of one part, `count` particles from `first` on; sets M to its multipoles, which are not written.
HB_FN void leaf_of_one_part(i32 c, i32 first, i32 count, CellsView cells, ParticlesView particles, KeyCube cube,
                            i32 level, WalkOptions options, sum_t* M) {
  CellSums s = leaf_of_sums(first, count, sum_part(first, count, 0, particles, options.unit), particles, options.unit);
  s.b = leaf_bound(s, multipoles_of_part(first, count, 0, particles, s, options, M));
  write_cell(c, cells, s, centre_of_cell(first, particles, cube, level), cube, level, options);
}

HB_FN void moments_leaf(i32 c, CellsView cells, ParticlesView particles, KeyCube cube, i32 level, WalkOptions options) {
  sum_t M[HB_MOMENTS(HB_MAX_ORDER)];
  leaf_of_one_part(c, cells.first[c], cells.count[c], cells, particles, cube, level, options, M);
  write_multipoles(c, cells, M, options);
}

/// The same, of many parts.
HB_FN void moments_large_leaf(i32 c, CellsView cells, ParticlesView particles, KeyCube cube, i32 level,
                              WalkOptions options) {
  const i32 first = cells.first[c], count = cells.count[c];
  LeafSums all = sum_part(first, count, 0, particles, options.unit);
  for (i32 k = 1; k < HB_LEAF_PARTS; ++k) all = add_parts(all, sum_part(first, count, k, particles, options.unit));
  CellSums s = leaf_of_sums(first, count, all, particles, options.unit);
  sum_t M[HB_MOMENTS(HB_MAX_ORDER)], P[HB_MOMENTS(HB_MAX_ORDER)];
  for (i32 v = 0; v < HB_MOMENTS(options.moment_order); ++v) M[v] = 0;
  sum_t b2 = 0;
  for (i32 k = 0; k < HB_LEAF_PARTS; ++k) {
    b2 = hb_max(b2, multipoles_of_part(first, count, k, particles, s, options, P));
    for (i32 v = 0; v < HB_MOMENTS(options.moment_order); ++v) M[v] += P[v];
  }
  s.b = leaf_bound(s, b2);
  write_cell(c, cells, s, centre_of_cell(first, particles, cube, level), cube, level, options);
  write_multipoles(c, cells, M, options);
}

/// What a node takes from a child, but its multipoles.
typedef struct {
  pos_t com_x, com_y, com_z;
  PlaceBox box;
  sum_t mass, soft2, count, reach, b;
} ChildCell;

HB_FN ChildCell child_cell(i32 k, CellsView cells) {
  const ChildCell child = {cells.com_x[k],
                           cells.com_y[k],
                           cells.com_z[k],
                           box_of_cell(k, cells),
                           (sum_t)cells.cell_mass[k],
                           (sum_t)cells.cell_soft2[k],
                           (sum_t)cells.count[k],
                           (sum_t)cells.reach[k],
                           (sum_t)cells.b[k]};
  return child;
}

/// Sums over children of a node about (x0, y0, z0), the centre of mass of the first one.
typedef struct {
  pos_t x0, y0, z0;
  MassSums all;
  sum_t n_soft2, reach;
} NodeSums;

HB_FN NodeSums no_children(pos_t x0, pos_t y0, pos_t z0) {
  const NodeSums s = {x0, y0, z0, {box_of_place(x0, y0, z0), 0, 0, 0, 0, 0}, 0, 0};
  return s;
}

HB_FN NodeSums add_child(NodeSums s, ChildCell child, pos_t unit) {
  s.all.box = join_place_boxes(s.all.box, child.box);
  s.all.mass += child.mass;
  s.all = add_mass(s.all, child.mass, internal(child.com_x - s.x0, unit), internal(child.com_y - s.y0, unit),
                   internal(child.com_z - s.z0, unit));
  s.all.m_soft2 = hb_fma(child.mass, child.soft2, s.all.m_soft2);
  s.n_soft2 = hb_fma(child.count, child.soft2, s.n_soft2);
  s.reach = hb_max(s.reach, child.reach);
  return s;
}

/// Node c from the sums over its children.
HB_FN CellSums node_of_sums(i32 c, NodeSums s, CellsView cells, pos_t unit) {
  return cell_of_sums(s.all, s.x0, s.y0, s.z0, cells.count[c], s.n_soft2, s.reach, unit);
}

HB_FN CellSums sum_node(i32 c, CellsView cells, pos_t unit) {
  const i32 child = cells.child[c], end = child + cells.children[c];
  NodeSums s = no_children(cells.com_x[child], cells.com_y[child], cells.com_z[child]);
  for (i32 k = child; k < end; ++k) s = add_child(s, child_cell(k, cells), unit);
  return node_of_sums(c, s, cells, unit);
}

/// Sets P to what a child of multipoles C adds to those of its parent with sums s. Returns the bound on the distance of
/// its particles from the parent's centre of mass.
HB_FN sum_t multipoles_of_child(ChildCell child, const real* C, CellSums s, WalkOptions options, sum_t* P) {
  sum_t M[HB_MOMENTS(HB_MAX_ORDER)];
  for (i32 v = 0; v < HB_MOMENTS(options.moment_order); ++v) {
    M[v] = (sum_t)C[v];
    P[v] = 0;
  }
  return child.b + add_cell_moments(options.moment_order, child.mass, M, internal(child.com_x - s.com_x, options.unit),
                                    internal(child.com_y - s.com_y, options.unit),
                                    internal(child.com_z - s.com_z, options.unit), P);
}

/// The bound on the distance of a node's particles: the smaller of that through its children, in s.b, and of that by
/// its box, unless this has no extent: leaf_bound().
HB_FN sum_t node_bound(CellSums s, pos_t unit) {
  const sum_t by_box = farthest_corner(s, unit);
  return by_box > 0 ? hb_min(s.b, by_box) : s.b;
}

/// Node c from its children; b is the smaller of two bounds, through the children and by the box's corner. Children
/// are added one after the other, so that an item a child gives the same bits.
HB_FN void moments_node(i32 c, CellsView cells, ParticlesView particles, KeyCube cube, i32 level, WalkOptions options) {
  CellSums s = sum_node(c, cells, options.unit);
  sum_t M[HB_MOMENTS(HB_MAX_ORDER)], P[HB_MOMENTS(HB_MAX_ORDER)];
  for (i32 v = 0; v < HB_MOMENTS(options.moment_order); ++v) M[v] = 0;
  for (i32 k = cells.child[c]; k < cells.child[c] + cells.children[c]; ++k) {
    real C[HB_MOMENTS(HB_MAX_ORDER)];
    for (i32 v = 0; v < HB_MOMENTS(options.moment_order); ++v) C[v] = cells.moments[k * (u64)options.moment_stride + v];
    const sum_t bound = multipoles_of_child(child_cell(k, cells), C, s, options, P);
    s.b = hb_max(s.b, bound);
    for (i32 v = 0; v < HB_MOMENTS(options.moment_order); ++v) M[v] += P[v];
  }
  s.b = node_bound(s, options.unit);
  write_cell(c, cells, s, centre_of_cell(cells.first[c], particles, cube, level), cube, level, options);
  write_multipoles(c, cells, M, options);
}

HB_CLOSE
#endif
