// SPDX-License-Identifier: Apache-2.0
// Packs of reals for the CPU's gathering: rows of particles as packs of their columns, lists that keep some lanes,
// memory that packs are read from without crossing the lines of caches, and lists of sources.
#pragma once

#include <cstdlib>
#include <utility>

#include "device/host/kept_lanes.h"
#include "device/host/room.h"
#include "walk/simd_walk.h"

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

/// Lanes 4 L to 4 L + 3: the four reals at rows + times * from[4 L].
template <int times, int W>
HB_FN Pack<real, W> load_blocks(const real* rows, const u64* from) {
#if defined(__AVX512F__)
  if constexpr (W == 16) {  // each but the first straight to its place: no shuffles
    const auto row = [&](int k) { return _mm_loadu_ps(reinterpret_cast<const float*>(rows + times * from[4 * k])); };
    __m512 all = _mm512_castps128_ps512(row(0));
    all = _mm512_mask_broadcast_f32x4(all, 0x00f0, row(1));
    all = _mm512_mask_broadcast_f32x4(all, 0x0f00, row(2));
    return Pack<real, W>((typename Pack<real, W>::Vector)_mm512_mask_broadcast_f32x4(all, 0xf000, row(3)));
  }
#endif
  if constexpr (W <= 4) {
    return Pack<real, W>::load(rows + times * from[0]);
  } else {
    const auto low = load_blocks<times, W / 2>(rows, from);
    const auto high = load_blocks<times, W / 2>(rows, from + W / 2);
    return Pack<real, W>(side_by_side<typename Pack<real, W>::Vector>(low.v, high.v, std::make_index_sequence<W>()));
  }
}

/// Four packs, of which blocks of four lanes are rows, as columns.
template <int W>
HB_FN void columns_of_blocks(const Pack<real, W>* r, Pack<real, W>* to) {
  constexpr auto lanes = std::make_index_sequence<W>();
  const auto ab_low = mix_blocks<0, 4, 1, 5>(r[0].v, r[1].v, lanes);
  const auto ab_high = mix_blocks<2, 6, 3, 7>(r[0].v, r[1].v, lanes);
  const auto cd_low = mix_blocks<0, 4, 1, 5>(r[2].v, r[3].v, lanes);
  const auto cd_high = mix_blocks<2, 6, 3, 7>(r[2].v, r[3].v, lanes);
  to[0].v = mix_blocks<0, 1, 4, 5>(ab_low, cd_low, lanes);
  to[1].v = mix_blocks<2, 3, 6, 7>(ab_low, cd_low, lanes);
  to[2].v = mix_blocks<0, 1, 4, 5>(ab_high, cd_high, lanes);
  to[3].v = mix_blocks<2, 3, 6, 7>(ab_high, cd_high, lanes);
}

/// One bit a lane: whether values are not above `limit`.
HB_FN unsigned not_above(RealPack values, RealPack limit) {
#if defined(__AVX512F__)
  if constexpr (real_lanes == 16) return _mm512_cmp_ps_mask((__m512)values.v, (__m512)limit.v, _CMP_NGT_UQ);
  if constexpr (real_lanes == 8) return _mm512_cmp_pd_mask((__m512d)values.v, (__m512d)limit.v, _CMP_NGT_UQ);
#endif
  return ~mask_bits<real, real_lanes>(values > limit) & ((1u << real_lanes) - 1u);
}

/// Appends those lanes whose bit is set; `to` has room for a whole pack.
template <class T>
HB_FN void append_lanes(unsigned bits, const T* values, T* to) {
  append_kept<real_lanes>(bits, values, to);
}

/// Memory for values that hold packs; what it holds is lost as it grows.
template <class T>
class PackRoom {
 public:
  PackRoom() = default;
  ~PackRoom() { std::free(data_); }
  PackRoom(const PackRoom&) = delete;
  PackRoom& operator=(const PackRoom&) = delete;
  void reserve(i64 n) {
    if (n <= size_) return;
    std::free(data_);
    size_ = n + n / 2;
    const std::size_t bytes = static_cast<std::size_t>(size_) * sizeof(T);
    data_ = static_cast<T*>(std::aligned_alloc(alignof(T), bytes));
    if (data_ != nullptr) return;
    size_ = 0;
    throw OutOfRoom{bytes};
  }
  T& operator[](i32 i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
  i64 size_ = 0;
};

/// Of a list of sources: those from `first` to the next part's are met in this image.
struct SiftedPart {
  i32 first, image;
};

/// Sources from the middle of a group; with room for a pack behind the last.
struct Sifted {
  i32 count = 0, parts = 0;
  Room<real> x, y, z, reach2;
  Room<u32> place;
  Room<SiftedPart> part;

  void clear() { count = parts = 0; }
  /// For so many more.
  void reserve(i32 n) {
    constexpr int spare = real_lanes > sibling_lanes ? real_lanes : sibling_lanes;
    for (Room<real>* a : {&x, &y, &z, &reach2}) a->reserve(count + n + spare);
    place.reserve(count + n + spare);
  }
  /// What follows is met in this image.
  void begin(i32 image) {
    if (parts > 0 && part[parts - 1].first == count) --parts;
    part.reserve(parts + 1);
    part[parts++] = {count, image};
  }
  [[nodiscard]] i32 end(i32 p) const { return p + 1 < parts ? part[p + 1].first : count; }
};

HB_ISA_CLOSE
