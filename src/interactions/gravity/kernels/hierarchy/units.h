// SPDX-License-Identifier: Apache-2.0
// The forces on the particles of units, a warp each, by kernels for units of up to HB_CAPACITY particles. A warp is
// HB_COLUMNS columns of targets, HB_DEPTH of them a lane, and HB_SLICES rows of lanes that share the sources. Sources
// are laid out a warp at a time; the rows' sums are added at the end, with the field of the unit's expansion.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_HIERARCHY_UNITS_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_HIERARCHY_UNITS_H
#include "interactions/gravity/kernels/hierarchy/expand.h"
#include "physics/softening.h"
HB_KERNELS_OPEN

#define HB_DEPTH (HB_CAPACITY / HB_COLUMNS)
#define HB_SLICES (HB_WARP / HB_COLUMNS)
/// Sources that are noted in one go.
#define HB_UNIT_LIST (8 * HB_WARP)

/// What a unit's warp reads, and where it is.
typedef struct {
  ParticlesView particles, targets;
  SourceImages images;
  pos_t x, y, z, unit;  ///< middle of the unit; internal length per length
  real soft2, close2;   ///< eps^2 of a pair; squared distance below which pairs take differences of their own positions
  i32 softening;        ///< of kernels in which eps^2 is each pair's own: HB_PLUMMER or HB_SPLINE
  real guard2;          ///< soft2, or little where that is less: keeps pairs finite until they are corrected
  HB_GLOBAL const i32* due;  ///< null where all particles are targets
  i32 first, end;            ///< targets of this turn
  i32 own_first, own_end;    ///< particles of the unit's cell
  HB_LOCAL Real4* stage;
  HB_LOCAL i32* list;          ///< HB_UNIT_LIST entries: particles of leaves, those that may be close last
  HB_LOCAL i32* number;        ///< those laid out
  HB_LOCAL i32* slot;          ///< which of the targets each of these is, or none
  HB_LOCAL real* stage_soft2;  ///< their eps^2 / 2; null where all pairs have the same
  i32 listed, distant;         ///< particles on the list; those before any that may be close
  i32 leaf_first, leaf_count;  ///< the rest of the lane's leaf
  i32 leaf_close;              ///< whether that may be close
} UnitWalk;

/// The particle that is target `at`; the last one beyond the end.
HB_DEVICE_FN i32 unit_target(const UnitWalk* u, i32 at) {
  const i32 place = hb_min(at, u->end - 1);
  return u->due ? u->due[place] : place;
}

/// Which of the targets of this turn the entry is; -1: none.
HB_DEVICE_FN i32 slot_of(const UnitWalk* u, i32 particle) {
  if (particle > u->images.mask) return -1;
  if (!u->due) return hb_max(particle - u->first, -1);
  const i32 place = place_from(u->due, particle, u->first, u->end);
  return place < u->end && u->due[place] == particle ? place - u->first : -1;
}

/// A place and a mass as the unit sees them.
HB_DEVICE_FN Real4 seen_by_unit(const UnitWalk* u, pos_t x, pos_t y, pos_t z, real mass) {
  return hb_real4(internal_way(u->x, x, u->unit), internal_way(u->y, y, u->unit), internal_way(u->z, z, u->unit), mass);
}

/// Notes the particles of the lanes' leaves, as many as there is room for.
HB_DEVICE_FN void list_unit_sources(UnitWalk* u, Warp warp) {
  i32 both;  // counts of both kinds in one word: 32 leaves have no more than 2^13
  const u32 count = (u32)hb_min(u->leaf_count, HB_UNIT_LIST);
  const u32 before = (u32)warp_exclusive_scan(warp, (i32)(u->leaf_close ? count << 16 : count), &both);
  const i32 distant = (i32)((u32)both & 0xffffu);
  u->distant = hb_min(distant, HB_UNIT_LIST);
  u->listed = hb_min(distant + (i32)((u32)both >> 16), HB_UNIT_LIST);
  const i32 at = u->leaf_close ? distant + (i32)(before >> 16) : (i32)(before & 0xffffu);
  const i32 n = hb_max(hb_min(HB_UNIT_LIST - at, u->leaf_count), 0);
  warp_sync(); /* before the list changes */
  for (i32 k = 0; k < n; ++k) u->list[at + k] = u->leaf_first + k;
  u->leaf_first += n;
  u->leaf_count -= n;
  warp_sync();
}

/// A source on its way to where it is laid out.
typedef struct {
  Real4 source;
  real soft2;
  i32 number;  ///< its entry, or -1
} ComingSource;

/// A particle of an image.
HB_DEVICE_FN Real4 source_of_unit(const UnitWalk* u, i32 entry) {
  const i32 i = entry_number(u->images, entry);
  pos_t x = u->particles.x[i], y = u->particles.y[i], z = u->particles.z[i];
  move_to_image(u->images, entry, &x, &y, &z);
  return seen_by_unit(u, x, y, z, u->particles.mass[i]);
}

/// The lane's one of the sources from `begin` on.
HB_DEVICE_FN ComingSource take_unit_source(const UnitWalk* u, Warp warp, i32 begin) {
  ComingSource coming;
  coming.source = hb_real4(0, 0, 0, 0);
  coming.soft2 = 0;
  coming.number = -1;
  if (begin + warp.lane < u->listed) {
    coming.number = u->list[begin + warp.lane];
    coming.source = source_of_unit(u, coming.number);
    if (u->stage_soft2) coming.soft2 = u->particles.soft2[entry_number(u->images, coming.number)];
  }
  return coming;
}

/// Lays it out.
HB_DEVICE_FN void stage_unit_source(const UnitWalk* u, Warp warp, ComingSource coming, i32 has_own) {
  warp_sync(); /* before what is laid out changes */
  u->stage[warp.lane] = coming.source;
  u->number[warp.lane] = coming.number;
  if (u->stage_soft2) u->stage_soft2[warp.lane] = coming.soft2;
  if (has_own) u->slot[warp.lane] = slot_of(u, coming.number);
  warp_sync();
}

/// Part of close2 that guard2 is at least: it changes pairs that are not corrected by half as much again, at most.
#define HB_GUARD (sizeof(real) == sizeof(float) ? (real)1e-5f : (real)1e-13f)
/// A guard that is less does not keep the third power of 1 / distance within the range.
#define HB_LEAST_GUARD ((real)1e-22f)

#define HB_EACH 0
#define HB_CAPACITY 16
#include "interactions/gravity/kernels/hierarchy/units.inc"
#define HB_CAPACITY 24
#include "interactions/gravity/kernels/hierarchy/units.inc"
#define HB_CAPACITY 32
#include "interactions/gravity/kernels/hierarchy/units.inc"
#define HB_CAPACITY 48
#include "interactions/gravity/kernels/hierarchy/units.inc"
#define HB_CAPACITY 64
#include "interactions/gravity/kernels/hierarchy/units.inc"
#define HB_CAPACITY 96
#include "interactions/gravity/kernels/hierarchy/units.inc"
#undef HB_EACH

/* of pairs that each have their own softening, for which two sizes suffice */
#define HB_EACH 1
#define HB_CAPACITY 32
#include "interactions/gravity/kernels/hierarchy/units.inc"
#define HB_CAPACITY 96
#include "interactions/gravity/kernels/hierarchy/units.inc"
#undef HB_EACH

HB_KERNELS_CLOSE
#endif
