// SPDX-License-Identifier: Apache-2.0
// Expansions of sinks: cells are expanded about a sink's middle, a pack at a time, and the sum is handed to its
// children or evaluated at its particles. Lengths are scaled by a power of two that the sink's size asks for: in fp32
// the highest derivatives of 1 / r would else overflow in clumps.
#pragma once

#include "device/host/kept_lanes.h"
#include "interactions/gravity/host/far_field.h"
#include "interactions/gravity/host/hierarchy/families.h"
#include "physics/sink.h"

HB_ISA_OPEN

/// Coefficients of an expansion, of order p in all, of lengths times `scale`.
struct Local {
  real scale;
  real L[HB_COEFFICIENTS(HB_LARGEST_TRANSFER)];
};

#if HB_PRECISION == HB_DOUBLE
inline constexpr real smallest_plain = 1e-18, largest_plain = 1e18;
#else
/// Distances between which no derivative up to order 6 leaves the range, and sizes of sinks from which on none is
/// scaled.
inline constexpr real smallest_plain = 1.0f / 256, largest_plain = 1024;
#endif
/// Powers of distances of points, whose moments are 0, end here.
inline constexpr real largest_factor = sizeof(real) == 4 ? (real)1e37 : (real)1e300;

/// The scale of a sink of that radius whose parent's is `parent`.
HB_FN real scale_of_sink(real radius, real parent) {
  const real size = hb_max(radius, (real)HB_LEAST_PART * parent);
  return size >= 4 * smallest_plain || size == 0 ? (real)1 : power_of_two_below_inverse(size);
}

/// Cells that wait to be expanded about one sink, with or without softening, and what came of those before.
class CellBatch {
 public:
  void begin(bool is_thin, i32 order) {
    thin_ = is_thin;
    order_ = order;
    coefficients_ = is_thin ? HB_THIN_COEFFICIENTS(order) : HB_COEFFICIENTS(order);
    count_ = 0;
    used_ = false;
  }

  /// Those of eight siblings from cell `first` on whose bit is set. Their centres of mass are at (x, y, z) from the
  /// middle, internal units. No more may be added where is_full() is.
  void add(i32 first, unsigned which, const SiblingPack& mass, const SiblingPack& x, const SiblingPack& y,
           const SiblingPack& z, const Families& families) {
    alignas(32) i32 numbers[sibling_lanes];
    for (int i = 0; i < sibling_lanes; ++i) numbers[i] = first + i;
    append_kept<sibling_lanes>(which, numbers, cell_ + count_);
    append_kept<sibling_lanes>(which, reinterpret_cast<const real*>(&mass.v), mass_ + count_);
    append_kept<sibling_lanes>(which, reinterpret_cast<const real*>(&x.v), x_ + count_);
    append_kept<sibling_lanes>(which, reinterpret_cast<const real*>(&y.v), y_ + count_);
    append_kept<sibling_lanes>(which, reinterpret_cast<const real*>(&z.v), z_ + count_);
    for (const i32 end = count_ + __builtin_popcount(which); count_ < end; ++count_) {
      const char* const at = reinterpret_cast<const char*>(row(families, cell_[count_]));
      for (std::size_t line = 0; line < rows_ahead; line += 64) __builtin_prefetch(at + line);
    }
  }
  [[nodiscard]] bool is_full() const { return count_ >= lanes; }
  [[nodiscard]] i32 waiting() const { return count_; }

  /// Expands whole packs of those that wait, or, at the end, all. soft2: eps^2 / 2 of the sink.
  void flush(const Families& families, const CellsView& cells, real sink_soft2, real scale, bool is_end) {
    if (!used_) {
      for (int k = 0; k < coefficients_; ++k) L_[k] = RealPack(0);
      used_ = true;
    }
    i32 done = 0;
    for (; count_ - done >= lanes; done += lanes) expand_pack(done, lanes, families, cells, sink_soft2, scale);
    if (is_end && done < count_) {
      for (i32 j = count_; j < done + lanes; ++j) fill_lane(j, done);
      expand_pack(done, count_ - done, families, cells, sink_soft2, scale);
      done = count_;
    }
    count_ -= done;
    for (i32 j = 0; j < count_; ++j) move_lane(j, j + done);
  }

  /// Adds what has been expanded.
  void add_to(Local& local) {
    if (!used_) return;
    alignas(64) real sums[in_squares(HB_COEFFICIENTS(HB_LARGEST_TRANSFER))];
    for (int k = 0; k < coefficients_; k += lanes) {
      for (int j = coefficients_; j < k + lanes; ++j) L_[j] = RealPack(0);
      reduce_add_each<real, lanes>(L_ + k).store(sums + k);
    }
    const real* whole = sums;
    real harmonic[HB_COEFFICIENTS(HB_LARGEST_TRANSFER)];
    if (thin_) {
      HB_BY_TRANSFER(order_, whole_expansion, (sums, harmonic));
      whole = harmonic;
    }
    for (int k = 0; k < HB_COEFFICIENTS(order_); ++k) local.L[k] += whole[k];
  }

 private:
  /// Bytes of a cell's moments that are fetched as it is added.
  static constexpr std::size_t rows_ahead = 32 * sizeof(real);

  [[nodiscard]] const real* row(const Families& families, i32 c) const {
    return thin_ ? families.thin(c) : families.moments(c);
  }

  void move_lane(i32 to, i32 from) {
    cell_[to] = cell_[from];
    mass_[to] = mass_[from];
    x_[to] = x_[from];
    y_[to] = y_[from];
    z_[to] = z_[from];
  }
  /// One at the place of another, without mass.
  void fill_lane(i32 to, i32 from) {
    move_lane(to, from);
    mass_[to] = 0;
  }

  /// Expands cells [first, first + lanes), of which `count` are cells.
  void expand_pack(i32 first, i32 count, const Families& families, const CellsView& cells, real sink_soft2,
                   real scale) {
    alignas(64) static constexpr real none_of[in_squares(HB_MOMENTS(HB_LARGEST_TRANSFER))] = {};
    alignas(64) real soft2[lanes];
    const real* rows[lanes];
    for (int j = 0; j < lanes; ++j) {
      soft2[j] = thin_ ? 0 : cells.cell_soft2[cell_[first + j]] + sink_soft2;
      rows[j] = j < count ? row(families, cell_[first + j]) : none_of;
    }
    const RealPack none(0), x = none - RealPack::load(x_ + first), y = none - RealPack::load(y_ + first),
                            z = none - RealPack::load(z_ + first), mass = RealPack::load(mass_ + first);
    RealPack M[in_squares(HB_MOMENTS(HB_LARGEST_TRANSFER))];
    load_rows(M, thin_ ? HB_THIN_MOMENTS(order_) : HB_MOMENTS(order_), rows);
    const RealPack d2 = hb_fma(x, x, hb_fma(y, y, z * z));
    const bool plain = scale == 1 && mask_bits<real, lanes>(d2 < RealPack(smallest_plain * smallest_plain)) == 0 &&
                       mask_bits<real, lanes>(d2 > RealPack(largest_plain * largest_plain)) == 0;
    if (plain) {
      expand(x, y, z, RealPack::load(soft2), mass, M, L_);
    } else {
      expand_scaled(d2, x, y, z, RealPack::load(soft2), mass, scale, M);
    }
  }

  void expand(RealPack x, RealPack y, RealPack z, RealPack eps2, RealPack mass, const RealPack* M, RealPack* L) const {
    if (thin_) {
      HB_BY_TRANSFER(order_, m2l_thin, (x, y, z, mass, M, L));
    } else {
      HB_BY_TRANSFER(order_, m2l, (x, y, z, eps2, mass, M, L));
    }
  }

  /// The same with lengths of each cell in units of about its distance.
  void expand_scaled(RealPack d2, RealPack x, RealPack y, RealPack z, RealPack eps2, RealPack mass, real scale,
                     RealPack* M) {
    RealPack t, L[HB_COEFFICIENTS(HB_LARGEST_TRANSFER)];
    for (int j = 0; j < lanes; ++j) t.v[j] = d2.v[j] > 0 ? power_of_two_below_inverse(hb_sqrt(d2.v[j])) : 1;
    RealPack factor = t;
    for (int n = 2, i = 0; n <= order_; ++n) {
      factor = hb_min(factor * t, RealPack(largest_factor));
      const int end = thin_ ? HB_THIN_MOMENTS(n) : HB_MOMENTS(n);
      for (; i < end; ++i) M[i] = M[i] * factor;
    }
    for (int k = 0; k < coefficients_; ++k) L[k] = RealPack(0);
    expand(x * t, y * t, z * t, eps2 * t * t, mass, M, L);
    const RealPack ratio = t * RealPack(1 / scale);
    factor = RealPack(1);
    for (int n = 0, i = 0; n <= order_; ++n) {
      factor = factor * ratio;
      const int end = thin_ ? HB_THIN_COEFFICIENTS(n) : HB_COEFFICIENTS(n);
      for (; i < end; ++i) L_[i] = hb_fma(L[i], factor, L_[i]);
    }
  }

  static constexpr i32 room =
      2 * (lanes > sibling_lanes ? lanes : sibling_lanes);  ///< a pack, and what comes with its last
  bool thin_ = true, used_ = false;
  i32 order_ = 0, coefficients_ = 0, count_ = 0;
  i32 cell_[room];
  alignas(64) real mass_[room], x_[room], y_[room], z_[room];
  RealPack L_[in_squares(HB_COEFFICIENTS(HB_LARGEST_TRANSFER))];
};

/// The expansion in lengths times another scale.
HB_FN void rescale(Local& local, i32 order, real scale) {
  if (scale == local.scale) return;
  const real ratio = local.scale / scale;
  real factor = 1;
  for (int n = 0, i = 0; n <= order; ++n) {
    factor *= ratio;
    for (; i < HB_COEFFICIENTS(n); ++i) local.L[i] *= factor;
  }
  local.scale = scale;
}

/// The expansion of a sink about the middles of up to eight others, at (x, y, z) from its own; internal units.
HB_FN void hand_down(const Local& local, i32 order, i32 count, const real* x, const real* y, const real* z, Local* to) {
  SiblingPack L[HB_COEFFICIENTS(HB_LARGEST_TRANSFER)], G[HB_COEFFICIENTS(HB_LARGEST_TRANSFER)];
  const SiblingPack scale(local.scale), zero(0);
  for (int k = 0; k < HB_COEFFICIENTS(order); ++k) {
    L[k] = SiblingPack(local.L[k]);
    G[k] = zero;
  }
  HB_BY_TRANSFER(order, l2l,
                 (L, SiblingPack::load(x) * scale, SiblingPack::load(y) * scale, SiblingPack::load(z) * scale, G));
  for (int j = 0; j < count; ++j) {
    to[j].scale = local.scale;
    for (int k = 0; k < HB_COEFFICIENTS(order); ++k) to[j].L[k] = G[k].v[j];
  }
}

/// Adds the field of the expansion to the sums of targets, whose centre is at `way` from its own.
HB_FN void evaluate_local(const Local& local, i32 order, const real* way, Targets& targets) {
  RealPack L[HB_COEFFICIENTS(HB_MAX_ORDER)];
  for (int k = 0; k < HB_COEFFICIENTS(order); ++k) L[k] = RealPack(local.L[k]);
  const RealPack scale(local.scale);
  for (int t = 0; t < targets.count; t += lanes) {
    RealPack acc[4] = {RealPack(0), RealPack(0), RealPack(0), RealPack(0)};
    const RealPack x = (RealPack::load(targets.x + t) + RealPack(way[0])) * scale,
                   y = (RealPack::load(targets.y + t) + RealPack(way[1])) * scale,
                   z = (RealPack::load(targets.z + t) + RealPack(way[2])) * scale;
    HB_BY_TRANSFER(order, l2p, (L, x, y, z, acc));
    for (int k = 0; k < 4; ++k) acc[k] = acc[k] * (k < 3 ? scale * scale : scale);
    for (int j = 0; j < lanes && t + j < targets.count; ++j) {
      for (int k = 0; k < 4; ++k) targets.acc[t + j][k] += (sum_t)acc[k].v[j];
    }
  }
}

HB_ISA_CLOSE
