// SPDX-License-Identifier: Apache-2.0
// Lists of cells without a fixed length: chains of pieces of HB_CHUNK entries, taken from one room as they are needed.
// Which pieces a list gets depends on time, what stands in it does not.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_HIERARCHY_LISTS_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_HIERARCHY_LISTS_H
#include "device/kernels/language.h"
#include "interactions/gravity/kernels/hierarchy/rows.h"
HB_KERNELS_OPEN

/// The room: entries, the piece after each piece, and how many have been asked for behind the `own` pieces that lists
/// begin with: more than `chunks` in all if not all that was noted is there.
typedef struct {
  HB_GLOBAL i32* entries;
  HB_GLOBAL u32* after;
  HB_GLOBAL u32* used;
  u32 own, chunks;
} ListRoom;

/// A list that grows: its first piece and its last one; entries that it has, and has room for.
typedef struct {
  u32 first, last;
  i32 count, room;
} GrowingList;

/// One that begins in piece `first`, which nothing else has: most lists need no other, and no sink waits for the
/// counter that all share.
HB_DEVICE_FN GrowingList empty_list(u32 first) {
  GrowingList none;
  none.first = first;
  none.last = first;
  none.count = 0;
  none.room = HB_CHUNK;
  return none;
}

/// Another piece for the list, if `which`; the last one of the room where there is none.
HB_DEVICE_FN u32 take_chunk(Warp warp, ListRoom room, i32 which) {
  u32 taken = 0;
  if (which && warp.lane == 0) {
    const u32 before = hb_atomic_add(room.used, 1u);  // by itself: as a macro, hb_min() would add twice
    taken = hb_min(room.own + before, room.chunks - 1u);
  }
  return (u32)warp_sum_index(warp, (i32)taken);
}

/// Appends `value` of the lanes with `which` set.
HB_DEVICE_FN void list_append(GrowingList* list, Warp warp, ListRoom room, i32 value, i32 which) {
  const u32 bits = warp_ballot(warp, which);
  HB_RETURN_IF_UNIFORM(!bits);
  const i32 n = hb_popcount(bits), at = list->count + hb_popcount(bits & ((1u << warp.lane) - 1u));
  const i32 room_before = list->room, grows = list->count + n > room_before;
  u32 fresh = list->last;
  HB_WARP_IF(grows) {
    const u32 taken = take_chunk(warp, room, grows);
    if (grows) fresh = taken;
    if (grows && warp.lane == 0) room.after[list->last] = fresh;
    if (grows) list->room += HB_CHUNK;
  }
  if (which) room.entries[(i64)(at < room_before ? list->last : fresh) * HB_CHUNK + at % HB_CHUNK] = value;
  list->last = fresh;
  list->count += n;
}

HB_DEVICE_FN CellList finished_list(const GrowingList* list) {
  CellList done;
  done.chunk = list->first;
  done.count = list->count;
  return done;
}

/// Where a lane reads a list.
typedef struct {
  u32 chunk;
  i32 number, count;  ///< of the piece; entries of the list
} ListReader;

HB_DEVICE_FN ListReader read_list(CellList list) {
  ListReader reader;
  reader.chunk = list.chunk;
  reader.number = 0;
  reader.count = list.count;
  return reader;
}

/// Entry k; a lane asks for entries in rising order.
HB_DEVICE_FN i32 list_entry(ListReader* reader, HB_GLOBAL const i32* entries, HB_GLOBAL const u32* after, i32 k) {
  for (; reader->number < k / HB_CHUNK; ++reader->number) reader->chunk = after[reader->chunk];
  return entries[(i64)reader->chunk * HB_CHUNK + k % HB_CHUNK];
}

HB_KERNELS_CLOSE
#endif
