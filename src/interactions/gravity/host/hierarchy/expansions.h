// SPDX-License-Identifier: Apache-2.0
// Expansions of sinks: cells are expanded about a sink's middle, a pack at a time, and the sum is handed to its
// children or evaluated at its particles. Lengths are scaled by a power of two that the sink's size asks for: in fp32
// the highest derivatives of 1 / r would else overflow in clumps.
#pragma once

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

  /// A cell whose centre of mass is at (x, y, z) from the middle, internal units; whether the batch is full.
  bool add(i32 c, real mass, real x, real y, real z) {
    cell_[count_] = c;
    mass_[count_] = mass;
    x_[count_] = x;
    y_[count_] = y;
    z_[count_++] = z;
    return count_ == lanes;
  }
  [[nodiscard]] i32 waiting() const { return count_; }

  /// Expands those that wait. eps2: of a pair; none where the batch is thin.
  void flush(const Families& families, const CellsView& cells, real sink_soft2, real scale) {
    if (!used_) {
      for (int k = 0; k < coefficients_; ++k) L_[k] = RealPack(0);
      used_ = true;
    }
    alignas(64) real soft2[lanes];
    for (int j = 0; j < lanes; ++j) {
      if (j >= count_) fill_lane(j);
      soft2[j] = thin_ ? 0 : cells.cell_soft2[cell_[j]] + sink_soft2;
    }
    const RealPack none(0), x = none - RealPack::load(x_), y = none - RealPack::load(y_), z = none - RealPack::load(z_);
    RealPack M[(HB_MOMENTS(HB_LARGEST_TRANSFER) + lanes - 1) / lanes * lanes];
    load_rows(M, thin_ ? HB_THIN_MOMENTS(order_) : HB_MOMENTS(order_), [&](int j) -> const real* {
      return j >= count_ ? nullptr : thin_ ? families.thin(cell_[j]) : families.moments(cell_[j]);
    });
    const RealPack d2 = hb_fma(x, x, hb_fma(y, y, z * z));
    const bool plain = scale == 1 && mask_bits<real, lanes>(d2 < RealPack(smallest_plain * smallest_plain)) == 0 &&
                       mask_bits<real, lanes>(d2 > RealPack(largest_plain * largest_plain)) == 0;
    if (plain) {
      expand(x, y, z, RealPack::load(soft2), RealPack::load(mass_), M, L_);
    } else {
      expand_scaled(d2, x, y, z, RealPack::load(soft2), scale, M);
    }
    count_ = 0;
  }

  /// Adds what has been expanded.
  void add_to(Local& local) {
    if (!used_) return;
    alignas(64) real sums[(HB_COEFFICIENTS(HB_LARGEST_TRANSFER) + lanes - 1) / lanes * lanes];
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
  void fill_lane(int j) {
    cell_[j] = cell_[0];
    mass_[j] = 0;
    x_[j] = x_[0];
    y_[j] = y_[0];
    z_[j] = z_[0];
  }

  void expand(RealPack x, RealPack y, RealPack z, RealPack eps2, RealPack mass, const RealPack* M, RealPack* L) const {
    if (thin_) {
      HB_BY_TRANSFER(order_, m2l_thin, (x, y, z, mass, M, L));
    } else {
      HB_BY_TRANSFER(order_, m2l, (x, y, z, eps2, mass, M, L));
    }
  }

  /// The same with lengths of each cell in units of about its distance.
  void expand_scaled(RealPack d2, RealPack x, RealPack y, RealPack z, RealPack eps2, real scale, RealPack* M) {
    RealPack t, L[HB_COEFFICIENTS(HB_LARGEST_TRANSFER)];
    for (int j = 0; j < lanes; ++j) t.v[j] = d2.v[j] > 0 ? power_of_two_below_inverse(hb_sqrt(d2.v[j])) : 1;
    RealPack factor = t;
    for (int n = 2, i = 0; n <= order_; ++n) {
      factor = hb_min(factor * t, RealPack(largest_factor));
      const int end = thin_ ? HB_THIN_MOMENTS(n) : HB_MOMENTS(n);
      for (; i < end; ++i) M[i] = M[i] * factor;
    }
    for (int k = 0; k < coefficients_; ++k) L[k] = RealPack(0);
    expand(x * t, y * t, z * t, eps2 * t * t, RealPack::load(mass_), M, L);
    const RealPack ratio = t * RealPack(1 / scale);
    factor = RealPack(1);
    for (int n = 0, i = 0; n <= order_; ++n) {
      factor = factor * ratio;
      const int end = thin_ ? HB_THIN_COEFFICIENTS(n) : HB_COEFFICIENTS(n);
      for (; i < end; ++i) L_[i] = hb_fma(L[i], factor, L_[i]);
    }
  }

  bool thin_ = true, used_ = false;
  i32 order_ = 0, coefficients_ = 0, count_ = 0;
  i32 cell_[lanes];
  alignas(64) real mass_[lanes], x_[lanes], y_[lanes], z_[lanes];
  RealPack L_[(HB_COEFFICIENTS(HB_LARGEST_TRANSFER) + lanes - 1) / lanes * lanes];
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
