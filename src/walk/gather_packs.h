// SPDX-License-Identifier: Apache-2.0
// Packs of reals for the CPU's gathering: rows of particles as packs of their columns, and lists that keep some lanes.
#pragma once

#include <utility>

#include "device/host/simd.h"

HB_ISA_OPEN

inline constexpr int real_lanes = simd_bytes / static_cast<int>(sizeof(real));
using RealPack = Pack<real, real_lanes>;

/// The largest of all lanes.
template <class T, int W>
HB_FN T reduce_max(Pack<T, W> a) {
  T largest = a.v[0];
  for (int i = 1; i < W; ++i) largest = hb_max(largest, a.v[i]);
  return largest;
}

/// Lanes by blocks of four: lane `from[k]` of each block of a, or of b from 4 on.
template <int k0, int k1, int k2, int k3, class V, std::size_t... lane>
HB_FN V mix_blocks(V a, V b, std::index_sequence<lane...> /*lanes*/) {
  constexpr int W = sizeof...(lane), from[4] = {k0, k1, k2, k3};
  return __builtin_shufflevector(
      a, b, ((int)(lane & ~std::size_t{3}) + (from[lane & 3] & 3) + (from[lane & 3] >= 4 ? W : 0))...);
}

template <class V, class T, std::size_t... lane>
HB_FN V side_by_side(T a, T b, std::index_sequence<lane...> /*lanes*/) {
  return __builtin_shufflevector(a, b, (int)lane...);
}

/// Lanes 4 L to 4 L + 3: the four reals of row number[4 L].
template <int W>
HB_FN Pack<real, W> load_blocks(const real* rows, int stride, const u32* number) {
  if constexpr (W == 4) {
    return Pack<real, 4>::load(rows + (u64)number[0] * stride);
  } else {
    const auto low = load_blocks<W / 2>(rows, stride, number);
    const auto high = load_blocks<W / 2>(rows, stride, number + W / 2);
    return Pack<real, W>(side_by_side<typename Pack<real, W>::Vector>(low.v, high.v, std::make_index_sequence<W>()));
  }
}

/// Four reals of each of the rows number[0 .. lanes), transposed.
HB_FN void load_fours(const real* rows, int stride, const u32* number, RealPack* a, RealPack* b, RealPack* c,
                      RealPack* d) {
  if constexpr (real_lanes < 4) {
    for (int l = 0; l < real_lanes; ++l) {
      const real* const row = rows + (u64)number[l] * stride;
      a->v[l] = row[0];
      b->v[l] = row[1];
      c->v[l] = row[2];
      d->v[l] = row[3];
    }
  } else {
    constexpr auto lanes = std::make_index_sequence<real_lanes>();
    RealPack::Vector r[4];
    for (int k = 0; k < 4; ++k) r[k] = load_blocks<real_lanes>(rows, stride, number + k).v;
    const auto ab_low = mix_blocks<0, 4, 1, 5>(r[0], r[1], lanes), ab_high = mix_blocks<2, 6, 3, 7>(r[0], r[1], lanes);
    const auto cd_low = mix_blocks<0, 4, 1, 5>(r[2], r[3], lanes), cd_high = mix_blocks<2, 6, 3, 7>(r[2], r[3], lanes);
    a->v = mix_blocks<0, 1, 4, 5>(ab_low, cd_low, lanes);
    b->v = mix_blocks<2, 3, 6, 7>(ab_low, cd_low, lanes);
    c->v = mix_blocks<0, 1, 4, 5>(ab_high, cd_high, lanes);
    d->v = mix_blocks<2, 3, 6, 7>(ab_high, cd_high, lanes);
  }
}

/// Appends those lanes whose bit is set; `to` has room for a whole pack.
HB_FN void append_words(unsigned bits, const u32* values, u32* to) {
#if defined(__AVX512F__)
  if constexpr (real_lanes == 16) {
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32((__mmask16)bits, _mm512_loadu_si512(values)));
    return;
  }
#endif
  for (; bits != 0; bits &= bits - 1) *to++ = values[__builtin_ctz(bits)];
}
HB_FN void append_reals(unsigned bits, const real* values, real* to) {
#if defined(__AVX512F__)
  if constexpr (real_lanes == 16) {
    _mm512_storeu_ps(to, _mm512_maskz_compress_ps((__mmask16)bits, _mm512_loadu_ps(values)));
    return;
  }
#endif
  for (; bits != 0; bits &= bits - 1) *to++ = values[__builtin_ctz(bits)];
}

HB_ISA_CLOSE
