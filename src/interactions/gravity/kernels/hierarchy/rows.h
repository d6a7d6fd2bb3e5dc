// SPDX-License-Identifier: Apache-2.0
// What a device's walk from cell to cell keeps of cells, sinks and lists (docs/hierarchy.md).
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_HIERARCHY_ROWS_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_HIERARCHY_ROWS_H
#include "physics/sink.h"
#include "stages/build.h"
#include "stages/sink_softening.h"
#include "stages/surroundings.h"
HB_OPEN

/// Units by the number of their particles: bins of those up to 16, 24, 32, 48, 64 and 96; the last one has those of
/// more, too.
#define HB_UNIT_BINS 6
#define HB_MOST_OF_UNIT 96
HB_FN i32 bin_of_unit(i32 count) {
  return count <= 32 ? hb_max((count - 1) / 8 - 1, 0) : hb_min(3 + (count - 33) / 16, HB_UNIT_BINS - 1);
}
/// Leaves of more coincident particles are points: few are summed each by itself.
#define HB_MOST_OF_POINT 64
/// Whether leaf c is a point: of many coincident particles. cell_soft2, reach: of cells, null where all pairs have the
/// same eps^2; particles that differ in it are summed.
HB_FN i32 is_point(real rho, i32 count, HB_GLOBAL const real* cell_soft2, HB_GLOBAL const real* reach, i32 c) {
  if (rho != 0 || count <= HB_MOST_OF_POINT) return 0;
  return !cell_soft2 || cell_soft2[c] >= (real)HB_NEARLY_EQUAL * most_soft2_of(reach[c]);
}

/// Sections of marks: sinks, then units by bin. One scan serves all.
#define HB_SINK_SECTIONS (1 + HB_UNIT_BINS)
/// What the host learns of them: the first sink of each level and their number, then the end of each bin of units.
#define HB_SINK_BOUNDS (HB_LEVELS + 2 + HB_UNIT_BINS)

/// Entries of a piece of a list.
#define HB_CHUNK 64

/// Structures that are read and written in a few wide pieces.
#define HB_ROW_ALIGNED __attribute__((aligned(16)))

/// A cell as walks test it. Lengths internal but for the place.
typedef struct HB_ROW_ALIGNED {
  pos_t x, y, z;            ///< centre of mass
  real mass, rho;           ///< rho: no particle is farther from there
  real weights[HB_POWERS];  ///< of truncated_part()
  real octupole;            ///< relative power of the first order that a quadrupole leaves out
  i32 first, number;        ///< children; of a leaf its particles, and their number negative
} SourceCell;

/// A cell as it is expanded, in values of `real`: centre of mass (three pos_t), mass, then its thin moments.
#define HB_ROW_MASS ((i32)(3 * sizeof(pos_t) / sizeof(real)))
#define HB_ROW_HEAD ((HB_ROW_MASS + 4) / 4 * 4)
#define HB_ROW(order) ((HB_ROW_HEAD + HB_THIN_MOMENTS(order) + 3) / 4 * 4)

/// A cell as a sink.
typedef struct {
  pos_t x, y, z;  ///< middle of its box
  real radius, half_x, half_y, half_z;
  real spread;  ///< typical distance of its particles from the middle, by the mean of their eighth powers
  real demand;  ///< the least demanded_pull() of its particles
  real size;    ///< size_of_sink()
  real soft2, least_soft2, most_soft2;  ///< mean and extremes of their eps^2 / 2, where these differ or act as splines
  i32 cell, parent;                     ///< its cell; its parent among the sinks, or -1
  i32 first, count;        ///< its targets: particles of its cell, or places in the list of those that are due
  i32 own_first, own_end;  ///< particles of its cell
  i32 unit, point;         ///< whether it is a unit, and whether also is_point()
} SinkCell;

/// One list: its first piece, and its entries.
typedef struct {
  u32 chunk;
  i32 count;
} CellList;

/// What a sink's walk leaves: cells that are expanded about it, without or with softening; cells for its children or,
/// of a unit, leaves whose particles are summed, ~c for one that may be close; cells whose multipoles are evaluated at
/// its particles.
typedef struct {
  CellList thin, whole, rest, multipoles;
} SinkLists;
#define HB_LISTS 4

/// What is the same for all sinks of a walk.
typedef struct {
  pos_t unit;           ///< internal length per length
  real tolerance;       ///< of one interaction, in units of demanded_pull()
  real close;           ///< pairs closer than this part of a unit's radius take differences of their own positions
  real soft2;           ///< eps^2 of a pair, where all have the same
  i32 softening;        ///< HB_PLUMMER or HB_SPLINE
  i32 each;             ///< whether pairs have an eps^2 of their own
  i32 most;             ///< particles of a unit, but for leaves
  i32 top;              ///< cells of more particles are no sinks: their children begin at the root
  i32 moment_stride;    ///< values of `moments` a cell
  i32 cells, sinks;     ///< cells: of the targets' tree
  i32 images, bits;     ///< of the sources; bits of a number within one (images.h)
  i32 has_far;          ///< whether targets have the field of a lattice's far images, to which theirs is added
  i32 first_image;      ///< 0, or 1 where targets are none of the sources
  i32 due;              ///< particles that are due, where only some are
  i32 lists;            ///< of a sink that begin in a piece of its own: HB_LISTS, or one less where nothing is softened
  u32 chunks;           ///< pieces that lists have room for
  Surroundings around;  ///< by which demands go
} SinkOptions;

HB_CLOSE
#endif
