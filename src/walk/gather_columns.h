// SPDX-License-Identifier: Apache-2.0
// The functions of a gatherer as the CPU's gathering takes them: rows of sources become packs of their columns, once
// for several targets; sums over packs become those of a target.
#pragma once

#include <type_traits>

#include "pair_visitors.h"
#include "walk/gather.h"
#include "walk/gather_packs.h"

HB_ISA_OPEN

/// Columns of places, as place_row() writes their rows; those of states follow.
enum GatherColumn { column_x, column_y, column_z, column_mass, column_low_x, column_low_y, column_low_z, column_reach };

/// Of the margin beyond a target's reach: to walk anew for the few whose H changes by more costs less than sums over
/// all that stand within 1.05 H (6 % of a step).
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
  source.p = from[0];                                      \
  source.q = from[1];                                      \
  source.r = from[2];                                      \
  source.s = from[3];                                      \
  from += 4;
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

#define HB_GATHERER(NAME, Type, F, W)                                                                             \
  struct Type##Gather {                                                                                           \
    typedef Type##View View;                                                                                      \
    typedef Type##Options Options;                                                                                \
    typedef Type##Source<real> Self;                                                                              \
    typedef Type##Source<RealPack> Source;                                                                        \
    typedef Type##Sums<RealPack> Sums;                                                                            \
    static constexpr bool sources_reach = NAME##_sources_reach != 0;                                              \
    static constexpr real margin = 1 + (HB_MARGIN_##NAME - 1) * margin_part;                                      \
    static constexpr int columns = HB_PLACE_ROW HB_STATES_##NAME(HB_COUNT_STATE);                                 \
    template <class Length>                                                                                       \
    static Length limit2(Length target, Length source) {                                                          \
      const Length reach = hb_max(target, source * Length(static_cast<pos_t>(1 + 1e-5f)));                        \
      return reach * reach;                                                                                       \
    }                                                                                                             \
    static real reach(const View& view, i32 i) { return NAME##_reach(&view, i); }                                 \
    static Self self(const View& view, i32 i) {                                                                   \
      const real* const row = view.places + (u64)i * HB_PLACE_ROW;                                                \
      return NAME##_source(&view, i, hb_four(row));                                                               \
    }                                                                                                             \
    static void prefetch(const View& view, i32 i) {                                                               \
      __builtin_prefetch(view.places + (u64)i * HB_PLACE_ROW);                                                    \
      HB_STATES_##NAME(HB_PREFETCH_STATE)                                                                         \
    }                                                                                                             \
    /** The rows of sources number[0 .. lanes), as columns. */                                                    \
    static void lay_out(const View& view, const u32* number, RealPack* to) {                                      \
      lay_out_columns<columns>(number, to, [&](auto load) {                                                       \
        load(view.places, std::integral_constant<int, HB_PLACE_ROW>());                                           \
        load(view.places + 4, std::integral_constant<int, HB_PLACE_ROW>());                                       \
        HB_STATES_##NAME(HB_LOAD_STATE)                                                                           \
      });                                                                                                         \
    }                                                                                                             \
    static Source source(const RealPack* from) {                                                                  \
      Source source;                                                                                              \
      source.mass = from[column_mass];                                                                            \
      from += HB_PLACE_ROW;                                                                                       \
      HB_STATES_##NAME(HB_TAKE_STATE_OF) return source;                                                           \
    }                                                                                                             \
    static Sums none() { return NAME##_sums_from(RealPack(real(0))); }                                            \
    static Sums add(const Options& options, real inverse, const Self& self, const Source& source,                 \
                    const GatherWay<RealPack>& way, const Sums& sums) {                                           \
      return NAME##_add(&options, RealPack(inverse), self, source, way, sums);                                    \
    }                                                                                                             \
    static bool finish(const View& view, i32 i, const Sums& packs) {                                              \
      constexpr int room = (NAME##_sum_count + real_lanes - 1) / real_lanes * real_lanes;                         \
      RealPack rows[room];                                                                                        \
      alignas(simd_bytes) real all[room];                                                                         \
      int at = 0;                                                                                                 \
      HB_SUMS_##NAME(HB_TAKE_SUM) while (at < room) rows[at++] = RealPack(real(0));                               \
      for (int k = 0; k < room; k += real_lanes) reduce_add_each(rows + k).store(all + k);                        \
      Type##Sums<real> sums;                                                                                      \
      at = 0;                                                                                                     \
      HB_SUMS_##NAME(HB_GIVE_SUM) return NAME##_finish(&view, i, sums) != 0;                                      \
    }                                                                                                             \
    static void put_off(const View& view, i32 i) { NAME##_put_off(&view, i); }                                    \
    static void of_target(const View& view, const CellsView& cells, i32 i) { NAME##_of_target(&view, cells, i); } \
  };

HB_PAIR_GATHERERS(HB_GATHERER, , )

HB_ISA_CLOSE
