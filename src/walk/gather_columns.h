// SPDX-License-Identifier: Apache-2.0
// The functions of a gatherer as the CPU's gathering takes them: rows of sources become packs of their columns, once
// for several targets; sums over packs become those of a target.
#pragma once

#include <type_traits>

#include "walk/gather.h"
#include "walk/gather_packs.h"

HB_ISA_OPEN

/// Columns of places, as place_row() writes their rows; those of states follow.
enum GatherColumn { column_x, column_y, column_z, column_mass, column_low_x, column_low_y, column_low_z, column_reach };

/// Fraction of the margin beyond a target's reach. Walking again for the few whose H changes by more costs less than
/// sums over all within 1.05 H (6 % of a step).
inline constexpr real margin_part = real(0.4f);

/// Columns of the rows number[0 .. lanes); quarters(load) calls load(rows, width) for each four reals of them, in the
/// order of the columns. All that is read of a row is read at a time, of which its place is found once.
template <int columns, class Quarters>
HB_FN void lay_out_columns(const u32* number, RealPack* to, Quarters quarters) {
  alignas(simd_bytes) u64 from[real_lanes];
  for (int l = 0; l < real_lanes; ++l) from[l] = (u64)number[l] * HB_PLACE_ROW;
  if constexpr (real_lanes < 4) {
    quarters([&](const real* rows, auto width) {
      for (int l = 0; l < real_lanes; ++l) {
        for (int k = 0; k < 4; ++k) to[k].v[l] = rows[(u64)number[l] * width + k];
      }
      to += 4;
    });
  } else {
    RealPack blocks[columns / 4][4];
    HB_UNROLL(4)
    for (int k = 0; k < 4; ++k) {
      int quarter = 0;
      quarters([&](const real* rows, auto width) {
        blocks[quarter++][k] = load_blocks<width / HB_PLACE_ROW, real_lanes>(rows, from + k);
      });
    }
    for (int q = 0; q < columns / 4; ++q) columns_of_blocks(blocks[q], to + 4 * q);
  }
}

// one column a time: a structure of packs that is copied whole would be kept in memory, not in registers
#define HB_COUNT_STATE(rows, width, quarter, p, q, r, s) +4
#define HB_LOAD_STATE(rows, width, quarter, p, q, r, s) \
  load(view.rows + (quarter)*4, std::integral_constant<int, width>());
#define HB_TAKE_STATE_OF(rows, width, quarter, p, q, r, s) \
  source.p = from[0], source.q = from[1], source.r = from[2], source.s = from[3], from += 4;
#define HB_PREFETCH_STATE(rows, width, quarter, p, q, r, s) \
  __builtin_prefetch(view.rows + (u64)i * (width) + (quarter)*4);

// sums that are added are reduced together
#define HB_TAKE_add(name) rows[at++] = packs.name;
#define HB_TAKE_fine(name) HB_TAKE_add(name)
#define HB_TAKE_max(name)
#define HB_TAKE_SUM(how, name) HB_TAKE_##how(name)
#define HB_GIVE_add(name) sums.name = all[at++];
#define HB_GIVE_fine(name) HB_GIVE_add(name)
#define HB_GIVE_max(name) sums.name = reduce_max(packs.name);
#define HB_GIVE_SUM(how, name) HB_GIVE_##how(name)

HB_ISA_CLOSE
