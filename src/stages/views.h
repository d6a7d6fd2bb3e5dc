// SPDX-License-Identifier: Apache-2.0
// The arrays that travel together down the particle's path. Each view is one list of fields (fields.inc), from which
// both the struct and (in OpenCL, whose kernels cannot take structs that hold pointers) the flat kernel arguments are
// made.
#ifndef HORNBEAM_STAGES_VIEWS_H
#define HORNBEAM_STAGES_VIEWS_H
#include "kernel_list.h"
#include "physics/portable.h"
HB_OPEN

#define HB_FIELD_MEMBER(type, field) HB_GLOBAL type* field;
#define HB_FIELD_ARGUMENT(type, field) , HB_GLOBAL type* field

typedef struct {
  HB_PARTICLE_FIELDS(HB_FIELD_MEMBER)
} ParticlesView;

typedef struct {
  HB_CELL_FIELDS(HB_FIELD_MEMBER)
} CellsView;

/// A kernel's view of the particles or cells, by that name, from its flat arguments.
#define HB_PARTICLES(particles) \
  ParticlesView particles;      \
  HB_PARTICLE_FIELDS(HB_SET_PARTICLES)
#define HB_CELLS(cells) \
  CellsView cells;      \
  HB_CELL_FIELDS(HB_SET_CELLS)
#define HB_SET_PARTICLES(type, field) particles.field = field;
/// The same for the particles whose forces are wanted, which need not be all: arguments target_x, target_y, ...
#define HB_TARGET_ARGUMENT(type, field) , HB_GLOBAL type* target_##field
#define HB_TARGET_PARTICLES(targets) \
  ParticlesView targets;             \
  HB_PARTICLE_FIELDS(HB_SET_TARGETS)
#define HB_SET_TARGETS(type, field) targets.field = target_##field;
#define HB_SET_CELLS(type, field) cells.field = field;

/// Targets that share one traversal: [first, first + count).
typedef struct {
  i32 first, count;
} GroupRange;

/// A group, or a piece of one, that is spread out among many more particles than it holds.
typedef struct {
  i32 first, count;
  real acceleration;  ///< |a|, roughly, as one look at the field shows
} SpreadRange;

/// What is the same for every item of one evaluation.
typedef struct {
  pos_t unit;  ///< internal length per length: a power of two
  i32 mac, order, expansion, softening;
  i32 refitted;       ///< whether the moments are made again for a tree whose particles have moved since it was built
  i32 reaches;        ///< whether softened_reach() can be above 0: spline, or particles of unequal eps
  i32 moment_stride;  ///< values of `moments` a cell: HB_MOMENT_STRIDE
  i32 moment_order;   ///< highest order kept in `moments`
  i32 cells, particles;
  i32 image;  ///< whether the walk is for an image of the sources: targets stand shifted the other way, none is among
              ///< the sources, and the acceleration is added to what they have
  real theta, theta_c;
} WalkOptions;

/// Which targets of a launch, or groups of them, a device has that shares it with others: run k is rank k % ranks'.
typedef struct {
  i32 ranks, rank;  ///< below 2 ranks: all are its own
  i32 run;          ///< targets, or groups, that a rank has in a row
} RankShare;

/// Whether `target` belongs to another rank.
HB_FN i32 is_of_other_rank(RankShare share, i32 target) {
  return share.ranks > 1 && target / share.run % share.ranks != share.rank;
}

/// The k-th of a rank's units of `unit` targets, which divides a run.
HB_FN i32 unit_of_rank(RankShare share, i32 k, i32 unit) {
  const i32 in_run = share.ranks > 1 ? share.run / unit : 1;
  return share.ranks > 1 ? (k / in_run * share.ranks + share.rank) * in_run + k % in_run : k;
}

/// How pairs of a device's group walk are softened: one eps > 0 for all, each its own (or none), or the spline.
#define HB_PAIRS_UNIFORM 0
#define HB_PAIRS_EACH 1
#define HB_PAIRS_SPLINE 2

/// What is the same for all groups of one walk on a device.
typedef struct {
  i32 groups;         ///< number of them
  i32 targets;        ///< particles that walk, in the order of the curve
  i32 picked;         ///< whether they are laid out apart from the sources, among which they may be; 0: they are all
  i32 block_size;     ///< targets [b, b + 1) * block_size are block b; no group reaches over its end
  i32 shares;         ///< whether the groups of a block share expansions and the start of their walks
  i32 frontier_room;  ///< cells a block can hand to its groups
  i32 pairs;          ///< HB_PAIRS_...
  real soft2;         ///< eps^2 of all pairs, where they are uniform
  i32 most_near;      ///< particles that may stand among a group's before it is spread out; 0: any number
  i32 block_near;     ///< particles among a block's below which none of its groups is looked at for that
  i32 pieces;         ///< places for pieces of spread-out groups, walked next to the groups, HB_PIECES of each
  i32 piece;          ///< targets of a piece
  i32 singles;        ///< places for particles of spread-out pieces, walked each alone, HB_PIECES for a piece
  i32 first_row;      ///< of the counts of the walk's items
  RankShare share;    ///< of the targets: runs are of whole blocks
} GroupWalkOptions;

HB_CLOSE
#endif
