// SPDX-License-Identifier: Apache-2.0
// Lists that take some lanes of a pack.
#pragma once

#include "device/host/simd.h"

HB_ISA_OPEN

#if defined(__AVX2__) && !defined(__AVX512F__)
/// For each set of bits its lanes, from the least on, a byte each.
inline constexpr auto lanes_of_bits = [] {
  struct {
    u64 of[256];
  } lanes{};
  for (u32 bits = 0; bits < 256; ++bits) {
    u32 at = 0;
    for (u32 lane = 0; lane < 8; ++lane) {
      if ((bits >> lane & 1u) != 0) lanes.of[bits] |= u64{lane} << (8 * at++);
    }
  }
  return lanes;
}();
#endif

/// Appends those of W values whose bit is set; `to` has room for all.
template <int W, class T>
HB_FN void append_kept(unsigned bits, const T* values, T* to) {
#if defined(__AVX512F__) && defined(__AVX512VL__)
  if constexpr (W == 16 && sizeof(T) == 4) {
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32((__mmask16)bits, _mm512_loadu_si512(values)));
    return;
  } else if constexpr (W == 8 && sizeof(T) == 4) {
    const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_maskz_compress_epi32((__mmask8)bits, all));
    return;
  }
#elif defined(__AVX2__)
  if constexpr (W == 8 && sizeof(T) == 4) {
    const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values));
    const __m256i order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(lanes_of_bits.of[bits])));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_permutevar8x32_epi32(all, order));
    return;
  }
#endif
  for (; bits != 0; bits &= bits - 1) *to++ = values[__builtin_ctz(bits)];
}

HB_ISA_CLOSE
