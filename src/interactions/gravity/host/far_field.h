// SPDX-License-Identifier: Apache-2.0
// The far field of one group on the CPU: cells are expanded about its centre, one cell a lane, and the sum of the
// expansions is evaluated at the particles, one particle a lane.
#pragma once

#include "interactions/gravity/host/sources.h"
#include "physics/expansion.h"
#include "stages/units.h"
#include "stages/views.h"

HB_ISA_OPEN

class FarField {
 public:
  /// Starts the far field of a group about `centre`; soft2: mean eps^2 / 2 of its particles.
  void begin(const CellsView& cells, const WalkOptions& options, const pos_t* centre, real soft2) {
    cells_ = cells;
    options_ = options;
    for (int k = 0; k < 3; ++k) centre_[k] = centre[k];
    group_soft2_ = soft2;
    count_ = 0;
    total_ = 0;
    for (auto& l : L_) l = RealPack(0);
  }

  /// A cell whose centre of mass is at (x, y, z) from the centre, internal units.
  void add(i32 c, real x, real y, real z) {
    cell_[count_] = c;
    x_[count_] = x;
    y_[count_] = y;
    z_[count_++] = z;
    if (count_ == lanes) flush();
  }

  /// Expands the cells that still wait; returns how many there are in all.
  i32 finish() {
    if (count_ > 0) flush();
    return total_;
  }

  /// The far field's acceleration at its centre; after finish().
  [[nodiscard]] Field<real> at_centre() const {
    return {-reduce_add(L_[1]), -reduce_add(L_[2]), -reduce_add(L_[3]), reduce_add(L_[0])};
  }

  /// Adds the far field to the sums of targets about `centre`; after finish().
  void evaluate(Targets& targets, const pos_t* centre) const {
    if (total_ == 0) return;
    RealPack L[HB_COEFFICIENTS(HB_MAX_ORDER)], shift[3];
    for (int k = 0; k < HB_COEFFICIENTS(options_.expansion); ++k) L[k] = RealPack(reduce_add(L_[k]));
    for (int k = 0; k < 3; ++k) shift[k] = RealPack(internal_way(centre_[k], centre[k], options_.unit));
    for (int t = 0; t < targets.count; t += lanes) {
      const RealPack x = RealPack::load(targets.x + t) + shift[0], y = RealPack::load(targets.y + t) + shift[1],
                     z = RealPack::load(targets.z + t) + shift[2];
      RealPack acc[4] = {RealPack(0), RealPack(0), RealPack(0), RealPack(0)};
      HB_BY_ORDER(options_.expansion, l2p, (L, x, y, z, acc));
      for (int j = 0; j < lanes && t + j < targets.count; ++j) {
        for (int k = 0; k < 4; ++k) targets.acc[t + j][k] += (sum_t)acc[k].v[j];
      }
    }
  }

 private:
  void flush() {
    alignas(64) real mass[lanes], soft2[lanes];
    for (int j = 0; j < lanes; ++j) {
      const i32 from = j < count_ ? j : 0, c = cell_[from];
      x_[j] = x_[from];
      y_[j] = y_[from];
      z_[j] = z_[from];
      mass[j] = j < count_ ? cells_.cell_mass[c] : 0;
      // the targets' mean is exact for equal softening, and its spread small against d^2 at this distance
      soft2[j] = options_.softening == HB_SPLINE ? 0 : cells_.cell_soft2[c] + group_soft2_;
    }
    RealPack M[(HB_MOMENTS(HB_MAX_ORDER) + lanes - 1) / lanes * lanes];
    load_moments(M);
    // the way back, from the cell to the centre
    const RealPack px = RealPack(0) - RealPack::load(x_), py = RealPack(0) - RealPack::load(y_),
                   pz = RealPack(0) - RealPack::load(z_), pm = RealPack::load(mass), pe = RealPack::load(soft2);
    HB_BY_ORDER(options_.expansion, m2l, (px, py, pz, pe, pm, M, L_));
    total_ += count_;
    count_ = 0;
  }

  /// Moments of the waiting cells, transposed to one cell a lane; empty lanes are 0.
  void load_moments(RealPack* M) const {
    for (int row = 0; row < HB_MOMENTS(options_.expansion); row += lanes) {
      RealPack(&square)[lanes] = *reinterpret_cast<RealPack(*)[lanes]>(M + row);
      for (int j = 0; j < lanes; ++j) {
        square[j] =
            j < count_ ? RealPack::load(cells_.moments + cell_[j] * (u64)options_.moment_stride + row) : RealPack(0);
      }
      transpose(square);
    }
  }

  CellsView cells_;
  WalkOptions options_;
  pos_t centre_[3];
  real group_soft2_ = 0;
  i32 cell_[lanes];  ///< those that wait, and where they are
  alignas(64) real x_[lanes], y_[lanes], z_[lanes];
  i32 count_ = 0, total_ = 0;
  RealPack L_[HB_COEFFICIENTS(HB_MAX_ORDER)];
};

HB_ISA_CLOSE
