// SPDX-License-Identifier: Apache-2.0
// The far field of one group on the CPU: cells are expanded about its centre, one cell a lane, and the sum of the
// expansions is evaluated at the particles, one particle a lane.
#pragma once

#include "backend/cpu/sources.h"
#include "physics/expansion.h"
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

  void add(i32 c) {
    cell_[count_++] = c;
    if (count_ == lanes) flush();
  }

  /// Expands the cells that still wait; returns how many there are in all.
  i32 finish() {
    if (count_ > 0) flush();
    return total_;
  }

  /// Adds the far field to the sums of targets about `centre`; after finish().
  void evaluate(Targets& targets, const pos_t* centre) const {
    if (total_ > 0) {
      real shift[3];
      for (int k = 0; k < 3; ++k) shift[k] = (real)((centre[k] - centre_[k]) * options_.unit);
      switch (options_.expansion) {
        case 1:
          evaluate<1>(targets, shift, [](auto... a) { l2p_1(a...); });
          break;
        case 2:
          evaluate<2>(targets, shift, [](auto... a) { l2p_2(a...); });
          break;
        case 3:
          evaluate<3>(targets, shift, [](auto... a) { l2p_3(a...); });
          break;
        case 4:
          evaluate<4>(targets, shift, [](auto... a) { l2p_4(a...); });
          break;
        case 5:
          evaluate<5>(targets, shift, [](auto... a) { l2p_5(a...); });
          break;
        default:
          evaluate<6>(targets, shift, [](auto... a) { l2p_6(a...); });
          break;
      }
    }
  }

 private:
  void flush() {
    alignas(64) real x[lanes], y[lanes], z[lanes], mass[lanes], soft2[lanes];
    for (int j = 0; j < lanes; ++j) {
      const i32 c = cell_[j < count_ ? j : 0];
      x[j] = (real)((centre_[0] - cells_.com_x[c]) * options_.unit);
      y[j] = (real)((centre_[1] - cells_.com_y[c]) * options_.unit);
      z[j] = (real)((centre_[2] - cells_.com_z[c]) * options_.unit);
      mass[j] = j < count_ ? cells_.cell_mass[c] : 0;
      // the targets' mean is exact for equal softening, and its spread small against d^2 at this distance
      soft2[j] = options_.softening == HB_SPLINE ? 0 : cells_.cell_soft2[c] + group_soft2_;
    }
    RealPack M[(HB_MOMENTS(HB_MAX_ORDER) + lanes - 1) / lanes * lanes];
    load_moments(M);
    const RealPack px = RealPack::load(x), py = RealPack::load(y), pz = RealPack::load(z), pm = RealPack::load(mass),
                   pe = RealPack::load(soft2);
    switch (options_.expansion) {
      case 1:
        m2l_1(px, py, pz, pe, pm, M, L_);
        break;
      case 2:
        m2l_2(px, py, pz, pe, pm, M, L_);
        break;
      case 3:
        m2l_3(px, py, pz, pe, pm, M, L_);
        break;
      case 4:
        m2l_4(px, py, pz, pe, pm, M, L_);
        break;
      case 5:
        m2l_5(px, py, pz, pe, pm, M, L_);
        break;
      default:
        m2l_6(px, py, pz, pe, pm, M, L_);
        break;
    }
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

  template <int p, class L2p>
  void evaluate(Targets& targets, const real* shift, L2p l2p) const {
    RealPack L[HB_COEFFICIENTS(p)];
    for (int k = 0; k < HB_COEFFICIENTS(p); ++k) L[k] = RealPack(reduce_add(L_[k]));
    for (int t = 0; t < targets.count; t += lanes) {
      RealPack acc[4] = {RealPack(0), RealPack(0), RealPack(0), RealPack(0)};
      l2p(static_cast<const RealPack*>(L), RealPack::load(targets.x + t) + RealPack(shift[0]),
          RealPack::load(targets.y + t) + RealPack(shift[1]), RealPack::load(targets.z + t) + RealPack(shift[2]),
          static_cast<RealPack*>(acc));
      for (int j = 0; j < lanes && t + j < targets.count; ++j) {
        for (int k = 0; k < 4; ++k) targets.acc[t + j][k] += (sum_t)acc[k].v[j];
      }
    }
  }

  CellsView cells_;
  WalkOptions options_;
  pos_t centre_[3];
  real group_soft2_ = 0;
  i32 cell_[lanes];
  i32 count_ = 0, total_ = 0;
  RealPack L_[HB_COEFFICIENTS(HB_MAX_ORDER)];
};

HB_ISA_CLOSE
