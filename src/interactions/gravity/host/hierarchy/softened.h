// SPDX-License-Identifier: Apache-2.0
// What softening demands of cells in the walk from cell to cell: where it changes nothing that counts, fields are
// harmonic; where cells or targets differ in eps, expansions with their mean are wrong (docs/hierarchy.md eq. 8).
#pragma once

#include "interactions/gravity/host/hierarchy/sink_tree.h"
#include "physics/softening.h"

HB_ISA_OPEN

/// Siblings that a sink may expand, and those of them whose field is harmonic there.
struct SoftenedSiblings {
  unsigned expandable, harmonic;
};

/// The softening of a sink's targets.
class SoftenedSink {
 public:
  SoftenedSink(const WalkOptions& options, const Sink& sink)
      : is_spline_(options.softening == HB_SPLINE),
        differs_(options.reaches),
        soft2_(sink.soft2),
        most_(sink.most_soft2),
        unequal_(sink.least_soft2 < nearly * sink.most_soft2 ? sink.most_soft2 : 0),
        reach_(is_spline_ ? (real)HB_SPLINE_REACH * hb_sqrt(2 * sink.most_soft2) : 0) {}

  /// Of siblings from cell `first` on; rho: of their particles, inv: 1 / distance; weight: m / d^2 relative to the
  /// error that an expansion may have; radius: of the sink.
  [[nodiscard]] SoftenedSiblings of_siblings(const CellsView& cells, i32 first, SiblingPack rho, SiblingPack inv,
                                             SiblingPack weight, real radius) const {
    if (is_spline_) {
      const SiblingPack clear = rho + SiblingPack(radius) + spline_reach(cells, first);
      return {bits(clear * inv < SiblingPack(1)), ~0u};
    }
    const SiblingPack mean = SiblingPack::load(cells.cell_soft2 + first);
    if (!differs_) return {~0u, shows_not(weight, mean + SiblingPack(soft2_), inv)};
    const SiblingPack most = most_of(cells, first);
    const SiblingPack unequal = SiblingPack(unequal_) + uneven(differing(mean, most), rho, inv);
    return {shows_not(weight, unequal, inv), shows_not(weight, most + SiblingPack(most_), inv)};
  }

  /// Whether quadrupoles may be evaluated at the targets, which each has its own softening; inv: 1 / distance from
  /// their box; weight: m / d^2 relative to the error that a quadrupole may have.
  [[nodiscard]] SiblingPack::Mask is_plain(const CellsView& cells, i32 first, SiblingPack rho, SiblingPack inv,
                                           SiblingPack weight) const {
    if (is_spline_) return (rho + spline_reach(cells, first)) * inv < SiblingPack(1);
    if (!differs_) return inv < SiblingPack((real)HB_NEVER);
    const SiblingPack unequal = differing(SiblingPack::load(cells.cell_soft2 + first), most_of(cells, first));
    return weight * (uneven(unequal, rho, inv) * inv * inv) * SiblingPack((real)16) < SiblingPack(1);
  }

 private:
  /// Parts of the largest eps^2 above which a mean is that of equal ones.
  static constexpr real nearly = (real)0.999f;
  /// 1.5 eps^2 / d^2 of the acceleration, relative to the error that an expansion may have.
  [[nodiscard]] static unsigned shows_not(SiblingPack weight, SiblingPack eps2, SiblingPack inv) {
    return bits(weight * (eps2 * inv * inv) * SiblingPack((real)0.3f) < SiblingPack((real)0.01f));
  }
  /// The largest eps^2 / 2 in cells.
  [[nodiscard]] static SiblingPack most_of(const CellsView& cells, i32 first) {
    const SiblingPack eps = SiblingPack::load(cells.reach + first) * SiblingPack(1 / (real)HB_SPLINE_REACH);
    return SiblingPack((real)0.5f) * eps * eps;
  }
  [[nodiscard]] static SiblingPack differing(SiblingPack mean, SiblingPack most) {
    return hb_select(mean < SiblingPack(nearly) * most, most, SiblingPack(0));
  }
  /// What is left of that in the field of a cell, of which the mean is right to first order: by eps that go with
  /// places, and to second order.
  [[nodiscard]] static SiblingPack uneven(SiblingPack differing, SiblingPack rho, SiblingPack inv) {
    return differing * hb_min(rho * inv + differing * inv * inv, SiblingPack(1));
  }
  [[nodiscard]] SiblingPack spline_reach(const CellsView& cells, i32 first) const {
    return hb_max(SiblingPack::load(cells.reach + first), SiblingPack(reach_));
  }

  bool is_spline_, differs_;
  real soft2_, most_, unequal_, reach_;
};

HB_ISA_CLOSE
