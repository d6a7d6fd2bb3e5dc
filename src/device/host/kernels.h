// SPDX-License-Identifier: Apache-2.0
// The stages that are compiled once for each instruction set, as tables of functions over plain arrays. Nothing with
// external linkage (no library containers) may be used behind them: the linker would merge it across instruction sets.
#pragma once

#include "device/host/instruction_set.h"
#include "hornbeam/gravity.h"
#include "kernel_list.h"
#include "stages/key.h"
#include "stages/surroundings.h"
#include "stages/views.h"

HB_OPEN

/// Values of room behind the last in arrays of particles and cells: walks read them eight at a time.
inline constexpr int read_ahead = 8;

/// A particle's place along the curve. Ties go by the index on input, so that the order is the same however it began.
struct SortEntry {
  u64 key;
  u32 input;  ///< index on input
  u32 place;  ///< index before sorting
  friend bool operator<(const SortEntry& a, const SortEntry& b) {
    return a.key < b.key || (a.key == b.key && a.input < b.input);
  }
};

/// Targets of a direct sum that share a load of sources.
inline constexpr i32 direct_group_size = 64;

/// Throws Error: the machine has not the memory for `bytes` more.
[[noreturn]] void refuse_memory(u64 bytes);

/// Where an image of all sources stands, from where they are.
struct ImageShift {
  pos_t x, y, z;
};

/// Images of the sources: the first is where they are.
struct WalkImages {
  const ImageShift* shift = nullptr;
  i32 count = 0;
};

/// Where a walk reads and writes. acc: x, y, z, potential, each (N), internal units.
struct WalkArrays {
  ParticlesView particles;
  /// The same or, of an image in a direct sum or the stackless walk, where they represent it; or places of others.
  ParticlesView targets;
  CellsView cells;
  const real* last_acceleration;  ///< (N) |a| of the evaluation before, or null
  const u32* order;               ///< targets in the order the stackless walk takes them, or null: along the curve
  i32 walkers;                    ///< targets of the stackless walk
  real* acc[4];
  WalkImages images = {};  ///< of the walk by groups
};

/// Groups in the order of the curve; block b is groups [block_begin[b], block_begin[b + 1]).
typedef Interactions WalkOfGroups(WalkArrays arrays, const GroupRange* groups, const i32* block_begin, i32 blocks,
                                  WalkOptions options);

/// Options of the walk from cell to cell that WalkOptions does not have.
struct HierarchyOptions {
  real tolerance;  ///< of one interaction, in units of demanded_pull()
  real close;      ///< pairs closer than this part of a unit's radius take differences of their own positions
  i32 unit;        ///< most particles of a unit, but for leaves
  i32 top;         ///< cells of more particles are walked one after the other, before the rest
  Surroundings around;
  i32 has_far_images;  ///< whether arrays.acc have the acceleration by a lattice's far images, for first demands
  i32 rough_roots;     ///< whether roots of pairs may be wrong by 4e-4
};

/// Whose forces that walk is for, in a tree of cells of which it reads first, count, child and children.
struct HierarchyTargets {
  CellsView cells;  ///< of the sources, or of arrays.targets where these are others
  const i32* list;  ///< (count) those that are wanted, ascending; null: all
  i32 count;
};

struct Kernels {
  /// entries[i] of particle i, whose index on input is input[i], or i where input is null.
  void (*keys)(const pos_t* x, const pos_t* y, const pos_t* z, const u32* input, i32 n, KeyCube cube, i32 curve,
               SortEntry* entries);
  /// Cells [begin, end) of one level, whose children are done.
  void (*moments)(CellsView cells, ParticlesView particles, i32 begin, i32 end, KeyCube cube, i32 level,
                  WalkOptions options);
  WalkOfGroups* walk_groups;
  /// Of tidal tensors, without expansions: acc are the components xx, xy, xz, yy, or yz, zz and two of nothing.
  WalkOfGroups *walk_tides, *walk_more_tides;
  /// From cell to cell; arrays.last_acceleration: demanded_pull() of each particle, or null.
  Interactions (*walk_hierarchy)(WalkArrays arrays, HierarchyTargets targets, WalkOptions options,
                                 HierarchyOptions what);
  Interactions (*walk_stackless)(WalkArrays arrays, WalkOptions options);
  /// Direct sum over arrays.particles for `count` groups of targets; number: see sum_directly().
  void (*sum_direct)(WalkArrays arrays, const i32* number, const GroupRange* groups, i32 count, WalkOptions options);
  /// What the kernels of those names do on devices, `view` being the visitor's; rows of neighbours may come out sorted,
  /// see neighbour_search.cpp.
#define HB_PAIR_FUNCTIONS(NAME, Type, F, W)                                                         \
  void (*NAME##_of_groups)(const void* view, CellsView cells, const GroupRange* groups, i32 count); \
  void (*NAME##_of_each)(const void* view, CellsView cells);
  HB_PAIR_VISITORS(HB_PAIR_FUNCTIONS, , )
#undef HB_PAIR_FUNCTIONS
};

/// The table of one instruction set; the generic one where it is not built for this processor.
const Kernels& kernels_of(InstructionSet isa);
const Kernels& kernels_generic();
const Kernels& kernels_avx2();
const Kernels& kernels_avx512();

HB_CLOSE
