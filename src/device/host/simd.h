// SPDX-License-Identifier: Apache-2.0
// SIMD packs for the CPU's group walk: a fixed number of lanes with ordinary operators, so that the formulas of
// physics/ run on them unchanged. Built on the vector types of GCC and Clang; intrinsics only where those lack a word.
#pragma once

#include <cstring>
#include <utility>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "physics/portable.h"

// Everything here and in the headers above it lies in a namespace of its instruction set: the linker must never merge
// the copies that are compiled with different ones.
#if defined(__AVX512F__)
#define HB_ISA with_avx512
#elif defined(__AVX2__)
#define HB_ISA with_avx2
#else
#define HB_ISA with_baseline
#endif
#define HB_ISA_OPEN HB_OPEN inline namespace HB_ISA {
#define HB_ISA_CLOSE \
  }                  \
  HB_CLOSE

HB_ISA_OPEN

#if defined(__AVX512F__)
inline constexpr int simd_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int simd_bytes = 32;
#else
inline constexpr int simd_bytes = 16;
#endif

/// The compiler's vector types, spelled out: the attribute does not take sizes that depend on a template's arguments.
template <class T, int W>
struct VectorTypes;
#define HB_VECTOR_TYPES(T, Int, W)                                \
  template <>                                                     \
  struct VectorTypes<T, W> {                                      \
    typedef T Vector __attribute__((vector_size(W * sizeof(T)))); \
    typedef Int Mask __attribute__((vector_size(W * sizeof(T)))); \
  };
HB_VECTOR_TYPES(float, std::int32_t, 2)
HB_VECTOR_TYPES(float, std::int32_t, 4)
HB_VECTOR_TYPES(float, std::int32_t, 8)
HB_VECTOR_TYPES(float, std::int32_t, 16)
HB_VECTOR_TYPES(double, std::int64_t, 2)
HB_VECTOR_TYPES(double, std::int64_t, 4)
HB_VECTOR_TYPES(double, std::int64_t, 8)
#undef HB_VECTOR_TYPES

/// W lanes of T (float or double).
template <class T, int W>
struct Pack {
  typedef typename VectorTypes<T, W>::Vector Vector;
  typedef typename VectorTypes<T, W>::Mask Mask;
  Vector v;

  Pack() = default;
  Pack(T scalar) : v(scalar - Vector{}) {}  // NOLINT(google-explicit-constructor): a scalar is a pack of itself
  explicit Pack(Vector vector) : v(vector) {}

  static Pack load(const T* p) {
    Pack r;
    std::memcpy(&r.v, p, sizeof(r.v));
    return r;
  }
  void store(T* p) const { std::memcpy(p, &v, sizeof(v)); }

  friend Pack operator+(Pack a, Pack b) { return Pack(a.v + b.v); }
  friend Pack operator-(Pack a, Pack b) { return Pack(a.v - b.v); }
  friend Pack operator*(Pack a, Pack b) { return Pack(a.v * b.v); }
  friend Pack operator/(Pack a, Pack b) { return Pack(a.v / b.v); }
  friend Pack operator-(Pack a) { return Pack(-a.v); }
  friend Mask operator<(Pack a, Pack b) { return a.v < b.v; }
  friend Mask operator>(Pack a, Pack b) { return a.v > b.v; }
  friend Mask operator==(Pack a, Pack b) { return a.v == b.v; }

  friend Pack hb_select(Mask mask, Pack a, Pack b) { return Pack(mask ? a.v : b.v); }
  friend Pack hb_max(Pack a, Pack b) { return Pack(a.v > b.v ? a.v : b.v); }
  friend Pack hb_min(Pack a, Pack b) { return Pack(a.v < b.v ? a.v : b.v); }
  friend Pack hb_abs(Pack a) { return hb_max(a, -a); }

  /// a * b + c, rounded once where the machine can.
  friend Pack hb_fma(Pack a, Pack b, Pack c) {
#if defined(__AVX512F__)
    if constexpr (sizeof(Vector) == 64 && sizeof(T) == 4) {
      return Pack((Vector)_mm512_fmadd_ps((__m512)a.v, (__m512)b.v, (__m512)c.v));
    } else if constexpr (sizeof(Vector) == 64) {
      return Pack((Vector)_mm512_fmadd_pd((__m512d)a.v, (__m512d)b.v, (__m512d)c.v));
    }
#endif
#if defined(__FMA__)
    if constexpr (sizeof(Vector) == 32 && sizeof(T) == 4) {
      return Pack((Vector)_mm256_fmadd_ps((__m256)a.v, (__m256)b.v, (__m256)c.v));
    } else if constexpr (sizeof(Vector) == 32) {
      return Pack((Vector)_mm256_fmadd_pd((__m256d)a.v, (__m256d)b.v, (__m256d)c.v));
    }
#endif
    return Pack(a.v * b.v + c.v);
  }

  /// 1 / sqrt(x), 0 at x = 0: the machine's estimate with one Newton step in fp32 (relative error below 2e-7), exact
  /// division and square root in fp64 and in strict builds.
  friend Pack hb_rsqrt0(Pack x) {
    if constexpr (has_rough_root) {
      const Pack y = hb_rough_rsqrt0(x);
      return y * hb_fma(-(x * y * T(0.5)), y, T(1.5));
    } else {
      return hb_select(x > Pack(T(0)), Pack(T(1)) / hb_sqrt(x), Pack(T(0)));
    }
  }

  /// The same without a Newton step: relative errors are below 4e-4 in fp32.
  friend Pack hb_rough_rsqrt0(Pack x) {
#if defined(__AVX512F__)
    if constexpr (has_rough_root && sizeof(Vector) == 64) {
      const __mmask16 positive = _mm512_cmp_ps_mask((__m512)x.v, _mm512_setzero_ps(), _CMP_GT_OQ);
      return Pack((Vector)_mm512_maskz_rsqrt14_ps(positive, (__m512)x.v));
    }
#endif
#if defined(__AVX2__)
    if constexpr (has_rough_root && sizeof(Vector) == 32) {
      // the estimate takes numbers below the normal ones for 0, of which it makes infinity
      const __m256 normal = _mm256_cmp_ps((__m256)x.v, _mm256_set1_ps(1.17549435e-38f), _CMP_GE_OQ);
      return Pack((Vector)_mm256_and_ps(normal, _mm256_rsqrt_ps((__m256)x.v)));
    }
#endif
    if constexpr (!has_rough_root) return hb_rsqrt0(x);
  }

  friend Pack hb_sqrt(Pack x) {
    if constexpr (sizeof(Vector) > simd_bytes) {
      Pack<T, W / 2> halves[2];
      std::memcpy(&halves, &x.v, sizeof(x.v));
      for (auto& half : halves) half = hb_sqrt(half);
      std::memcpy(&x.v, &halves, sizeof(x.v));
      return x;
    }
#if defined(__AVX512F__)
    if constexpr (sizeof(Vector) == 64 && sizeof(T) == 4) return Pack((Vector)_mm512_sqrt_ps((__m512)x.v));
    if constexpr (sizeof(Vector) == 64 && sizeof(T) == 8) return Pack((Vector)_mm512_sqrt_pd((__m512d)x.v));
#endif
#if defined(__AVX2__)
    if constexpr (sizeof(Vector) == 32 && sizeof(T) == 4) return Pack((Vector)_mm256_sqrt_ps((__m256)x.v));
    if constexpr (sizeof(Vector) == 32 && sizeof(T) == 8) return Pack((Vector)_mm256_sqrt_pd((__m256d)x.v));
#endif
#if defined(__SSE2__)
    if constexpr (sizeof(Vector) == 16 && sizeof(T) == 4) return Pack((Vector)_mm_sqrt_ps((__m128)x.v));
    if constexpr (sizeof(Vector) == 16 && sizeof(T) == 8) return Pack((Vector)_mm_sqrt_pd((__m128d)x.v));
#endif
    for (int i = 0; i < W; ++i) x.v[i] = hb_sqrt(x.v[i]);
    return x;
  }

 private:
#if !defined(HB_STRICT) && defined(__AVX2__)
  static constexpr bool has_rough_root = sizeof(T) == 4 && sizeof(Vector) >= 32;
#else
  static constexpr bool has_rough_root = false;
#endif
};

HB_ISA_CLOSE
HB_OPEN
template <class T, int W>
struct hb_scalar<Pack<T, W>> {
  typedef T type;
  typedef typename Pack<T, W>::Mask mask;
};
/// Both of two comparisons of packs.
template <class Mask>
HB_FN Mask hb_both(Mask a, Mask b) requires(sizeof(Mask) >= 16) {
  return a & b;
}
/// At least one of two.
template <class Mask>
HB_FN Mask hb_either(Mask a, Mask b) requires(sizeof(Mask) >= 16) {
  return a | b;
}
template <class Mask>
HB_FN Mask hb_not(Mask a) requires(sizeof(Mask) >= 16) {
  return ~a;
}
HB_CLOSE
HB_ISA_OPEN

/// Rows a and b with the blocks of `step` lanes exchanged: the two halves of one stage of a transposition.
template <int step, class T, int W, std::size_t... lane>
HB_FN void exchange_blocks(Pack<T, W>& a, Pack<T, W>& b, std::index_sequence<lane...> /*lanes*/) {
  constexpr int s = step;
  const auto low = __builtin_shufflevector(a.v, b.v, ((lane & s) ? W + (int)(lane ^ s) : (int)lane)...);
  b.v = __builtin_shufflevector(a.v, b.v, ((lane & s) ? W + (int)lane : (int)(lane ^ s))...);
  a.v = low;
}

/// Exchanges rows and columns.
template <int step = 1, class T, int W>
HB_FN void transpose(Pack<T, W> (&rows)[W]) {
  for (int i = 0; i < W; ++i) {
    if ((i & step) == 0) exchange_blocks<step>(rows[i], rows[i | step], std::make_index_sequence<W>());
  }
  if constexpr (2 * step < W) transpose<2 * step>(rows);
}

/// Sum of all lanes, halves first, in a fixed order.
template <class T, int W>
HB_FN T reduce_add(Pack<T, W> a) {
  if constexpr (W == 2) {
    return a.v[0] + a.v[1];
  } else {
    Pack<T, W / 2> low, high;
    std::memcpy(&low.v, &a.v, sizeof(low.v));
    std::memcpy(&high.v, reinterpret_cast<const char*>(&a.v) + sizeof(low.v), sizeof(high.v));
    return reduce_add(low + high);
  }
}

/// a and b in runs of 2 * half lanes: the first halves of all runs plus the second halves, those of a first.
template <int half, class T, int W, std::size_t... lane>
HB_FN Pack<T, W> fold_runs(Pack<T, W> a, Pack<T, W> b, std::index_sequence<lane...> /*lanes*/) {
  return Pack<T, W>(__builtin_shufflevector(a.v, b.v, (int)(2 * lane - lane % half)...) +
                    __builtin_shufflevector(a.v, b.v, (int)(2 * lane - lane % half + half)...));
}

/// The sums of all lanes of W packs, sum i in lane i; each is that of reduce_add(), to the bit. Overwrites the packs.
template <class T, int W, int n = W>
HB_FN Pack<T, W> reduce_add_each(Pack<T, W>* rows) {
  if constexpr (n == 1) {
    return rows[0];
  } else {
    for (int i = 0; i < n; i += 2) {
      rows[i / 2] = fold_runs<n / 2>(rows[i], rows[i + 1], std::make_index_sequence<W>());
    }
    return reduce_add_each<T, W, n / 2>(rows);
  }
}

/// One bit a lane.
template <class T, int W>
HB_FN unsigned mask_bits(typename Pack<T, W>::Mask mask) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
  if constexpr (sizeof(mask) == 64 && sizeof(T) == 4) return _mm512_movepi32_mask((__m512i)mask);
  if constexpr (sizeof(mask) == 64 && sizeof(T) == 8) return _mm512_movepi64_mask((__m512i)mask);
#endif
#if defined(__AVX2__)
  if constexpr (sizeof(mask) == 32 && sizeof(T) == 4) return (unsigned)_mm256_movemask_ps((__m256)mask);
  if constexpr (sizeof(mask) == 32 && sizeof(T) == 8) return (unsigned)_mm256_movemask_pd((__m256d)mask);
#endif
  unsigned bits = 0;
  for (int i = 0; i < W; ++i) bits |= (mask[i] ? 1u : 0u) << i;
  return bits;
}

HB_ISA_CLOSE
