// SPDX-License-Identifier: Apache-2.0
// What the walk from cell to cell needs of cells besides their moments: families of siblings that are tested together,
// thin moments, and sinks with their extent and what their particles demand.
#pragma once

#include "device/host/room.h"
#include "interactions/gravity/host/group_geometry.h"
#include "physics/accuracy.h"
#include "stages/box.h"

HB_ISA_OPEN

/// The children of one cell as sources, a lane each; others have no mass.
struct Family {
  pos_t x[sibling_lanes], y[sibling_lanes], z[sibling_lanes];  ///< centres of mass
  real mass[sibling_lanes], rho[sibling_lanes];                ///< rho: no particle is farther from there
  real weights[HB_POWERS][sibling_lanes];                      ///< of truncated_part()
  real octupole[sibling_lanes];  ///< relative power of the first order that a quadrupole leaves out
  i32 kids[sibling_lanes];       ///< the families of their own children
  i32 first;                     ///< cell of the first lane
  unsigned leaves;               ///< a bit for each that has none
};

/// A cell as a sink: its middle is that of its box.
struct Sink {
  pos_t x, y, z;
  real radius, half[3];
  real spread;  ///< typical distance of its particles from the middle, by the mean of their eighth powers
  real demand;  ///< the least demanded_pull() of its particles
  real soft2;   ///< mean eps^2 / 2
};

/// Cells whose numbers leave the range of their precision are not expanded: too small for their highest moment, or too
/// wide. They are opened.
HB_FN bool may_expand(real mass, real rho, i32 order) {
#if HB_PRECISION == HB_DOUBLE
  constexpr real least = 1e-280;
#else
  constexpr real least = 1e-32f;
#endif
  real highest = mass;
  for (i32 k = 0; k < order; ++k) highest *= rho;
  return rho < (real)HB_WIDEST && (rho == 0 || mass == 0 || highest > least);
}

/// Loads `used` values of each of W rows, value by value a pack and row by row a lane: row(j) is where lane j's begin,
/// null for 0. M has room for whole squares.
template <class T, int W, class Row>
HB_FN void load_rows(Pack<T, W>* M, int used, const Row& row) {
  for (int k = 0; k < used; k += W) {
    Pack<T, W>(&square)[W] = *reinterpret_cast<Pack<T, W>(*)[W]>(M + k);
    for (int j = 0; j < W; ++j) {
      const T* const from = row(j);
      square[j] = from != nullptr ? Pack<T, W>::load(from + k) : Pack<T, W>(0);
    }
    transpose(square);
  }
}

class Families {
 public:
  Families(const ParticlesView& particles, const CellsView& cells, const WalkOptions& options)
      : particles_(particles),
        cells_(cells),
        options_(options),
        row_((HB_THIN_MOMENTS(options.expansion) + lanes - 1) / lanes * lanes) {}

  /// May throw OutOfRoom.
  void reserve() {
    i32 families = 1;  // the root alone is the first
    family_of_.reserve(options_.cells);
    for (i32 c = 0; c < options_.cells; ++c) family_of_[c] = cells_.children[c] > 0 ? families++ : -1;
    families_.reserve(families);
    sinks_.reserve(options_.cells + 1);
    rows_.reserve(((i64)options_.cells + lanes) * row_);
  }

  /// demand: of each particle; null: set_demand() and hand_up_demands() follow.
  void fill(const real* demand) {
#pragma omp parallel
    {
#pragma omp for schedule(static)
      for (i32 c = 0; c < (options_.cells + lanes - 1) / lanes; ++c) thin_rows(c * lanes);
#pragma omp for schedule(static)
      for (i32 c = 0; c < options_.cells; ++c) {
        begin_sink(c);
        if (cells_.children[c] == 0) finish_leaf(c, demand);
      }
    }
    for (i32 c = options_.cells - 1; c >= 0; --c) {  // children stand behind their parents
      if (cells_.children[c] > 0) finish_sink(c);
    }
#pragma omp parallel for schedule(static)
    for (i32 c = -1; c < options_.cells; ++c) {
      if (c < 0) fill_family(0, 0, 1);
      if (c >= 0 && cells_.children[c] > 0) fill_family(family_of_[c], cells_.child[c], cells_.children[c]);
    }
  }

  void set_demand(i32 c, real demand) const { sinks_[c].demand = demand; }
  /// To the sinks above those that have been set, below which none count.
  void hand_up_demands() const {
    for (i32 c = options_.cells - 1; c >= 0; --c) {
      if (cells_.children[c] == 0) continue;
      real least = sinks_[cells_.child[c]].demand;
      for (i32 k = cells_.child[c] + 1; k < cells_.child[c] + cells_.children[c]; ++k)
        least = hb_min(least, sinks_[k].demand);
      sinks_[c].demand = hb_min(sinks_[c].demand, least);
    }
  }

  [[nodiscard]] const Family& family(i32 f) const { return families_[f]; }
  /// Asks for a family that is looked at soon.
  void expect(i32 f) const {
    const char* const at = reinterpret_cast<const char*>(&families_[f]);
    for (std::size_t line = 0; line < sizeof(Family); line += 64) __builtin_prefetch(at + line);
  }
  [[nodiscard]] const Sink& sink(i32 c) const { return sinks_[c]; }
  [[nodiscard]] const real* thin(i32 c) const { return rows_at((i64)c); }
  [[nodiscard]] const real* moments(i32 c) const { return cells_.moments + c * (u64)options_.moment_stride; }

 private:
  [[nodiscard]] real* rows_at(i64 c) const { return &rows_[0] + c * row_; }

  /// Thin moments of `lanes` cells from `first` on.
  void thin_rows(i32 first) {
    const i32 p = options_.expansion;
    RealPack M[(HB_MOMENTS(HB_MAX_ORDER) + lanes - 1) / lanes * lanes];
    RealPack T[(HB_THIN_MOMENTS(HB_MAX_ORDER) + lanes - 1) / lanes * lanes];
    load_rows(M, HB_MOMENTS(p), [&](int j) { return moments(hb_min(first + j, options_.cells - 1)); });
    for (auto& t : T) t = RealPack(0);
    HB_BY_TRANSFER(p, thin_moments, (M, T));
    for (int row = 0; row < row_; row += lanes) {
      RealPack(&square)[lanes] = *reinterpret_cast<RealPack(*)[lanes]>(T + row);
      transpose(square);
      for (int j = 0; j < lanes; ++j) square[j].store(rows_at((i64)first + j) + row);
    }
  }

  /// Relative powers of `count` siblings.
  void weigh(i32 first, i32 count, Family& f) const {
    const i32 p = options_.expansion;
    SiblingPack M[(HB_MOMENTS(HB_MAX_ORDER) + 7) / 8 * 8], P[HB_LARGEST_TRANSFER + 1];
    load_rows(M, HB_MOMENTS(p), [&](int j) { return moments(first + hb_min(j, count - 1)); });
    SiblingPack scale(0), scaled(0);  // 1 / rho, and 1 / (m rho^k)
    for (int j = 0; j < count; ++j) {
      scale.v[j] = f.rho[j] > 0 ? 1 / f.rho[j] : 0;
      scaled.v[j] = f.mass[j] > 0 ? scale.v[j] / f.mass[j] : 0;
    }
    for (int n = 2, i = 0; n <= p; ++n) {
      scaled = scaled * scale;
      for (; i < HB_MOMENTS(n); ++i) M[i] = M[i] * scaled;
    }
    HB_BY_TRANSFER(p, squared_powers, (M, P));
    for (int j = 0; j < count; ++j) weigh_lane(f, j, P);
  }

  /// Where symmetry leaves a cell without some power, as two equal particles without all odd ones, errors are those of
  /// the next one.
  void weigh_lane(Family& f, int j, const SiblingPack* P) const {
    const i32 p = options_.expansion;
    real power[HB_LARGEST_TRANSFER + 1];
    for (int k = 2; k <= p; ++k) power[k] = hb_min(hb_sqrt(hb_max(P[k].v[j], (real)1e-4f)), (real)1);
    const bool may = may_expand(f.mass[j], f.rho[j], p);
    f.octupole[j] = may ? hb_max(power[3], power[4]) : 1;
    power[p] = hb_max(power[p], power[p - 1] / 2);
    for (int k = 2; k <= p; ++k) f.weights[k - 2][j] = may ? binomial(p, k) * power[k] : (real)HB_NEVER;
  }

  void fill_family(i32 number, i32 first, i32 count) const {
    Family& f = families_[number];
    f = Family{};
    f.first = first;
    for (i32 j = 0; j < sibling_lanes; ++j) {
      const i32 c = first + hb_min(j, count - 1);
      f.x[j] = cells_.com_x[c];
      f.y[j] = cells_.com_y[c];
      f.z[j] = cells_.com_z[c];
      if (j >= count) continue;
      f.mass[j] = cells_.cell_mass[c];
      f.rho[j] = cells_.b[c];
      f.kids[j] = family_of_[c];
      f.leaves |= (cells_.children[c] == 0 ? 1u : 0u) << j;
    }
    weigh(first, count, f);
  }

  void begin_sink(i32 c) const {
    Sink& s = sinks_[c];
    const auto axis = [&](pos_t low, pos_t high, pos_t& middle, real& half) {
      middle = middle_of(low, high);
      half = half_edge(low, middle, high, options_.unit);
    };
    axis(cells_.low_x[c], cells_.high_x[c], s.x, s.half[0]);
    axis(cells_.low_y[c], cells_.high_y[c], s.y, s.half[1]);
    axis(cells_.low_z[c], cells_.high_z[c], s.z, s.half[2]);
    s.soft2 = cells_.cell_soft2[c];
    s.radius = length(s.half[0], s.half[1], s.half[2]);
    s.spread = spread_of(c, s);
  }

  /// Of at most `most_sampled` of its particles, the same distance apart along the curve.
  [[nodiscard]] real spread_of(i32 c, const Sink& s) const {
    constexpr i32 most_sampled = 128;
    const i32 step = (cells_.count[c] + most_sampled - 1) / most_sampled, end = cells_.first[c] + cells_.count[c];
    const real scale = s.radius > 0 ? 1 / s.radius : 0;
    real sum = 0;
    i32 sampled = 0;
    for (i32 i = cells_.first[c]; i < end; i += step, ++sampled) {
      const real x = internal_way(s.x, particles_.x[i], options_.unit) * scale,
                 y = internal_way(s.y, particles_.y[i], options_.unit) * scale,
                 z = internal_way(s.z, particles_.z[i], options_.unit) * scale;
      const real d2 = hb_fma(x, x, hb_fma(y, y, z * z)), d4 = d2 * d2;
      sum = hb_fma(d4, d4, sum);
    }
    return s.radius * hb_min(eighth_root(sum / (real)sampled), (real)1);
  }

  [[nodiscard]] static real length(real x, real y, real z) { return hb_sqrt(hb_fma(x, x, hb_fma(y, y, z * z))); }

  void finish_leaf(i32 c, const real* demand) const {
    Sink& s = sinks_[c];
    real radius = 0;
    s.demand = demand != nullptr ? demand[cells_.first[c]] : (real)HB_NEVER;
    for (i32 i = cells_.first[c]; i < cells_.first[c] + cells_.count[c]; ++i) {
      radius = hb_max(radius, length(internal_way(s.x, particles_.x[i], options_.unit),
                                     internal_way(s.y, particles_.y[i], options_.unit),
                                     internal_way(s.z, particles_.z[i], options_.unit)));
      if (demand != nullptr) s.demand = hb_min(s.demand, demand[i]);
    }
    s.radius = hb_min(s.radius, radius);
  }

  void finish_sink(i32 c) const {
    Sink& s = sinks_[c];
    real radius = 0;
    s.demand = sinks_[cells_.child[c]].demand;
    for (i32 k = cells_.child[c]; k < cells_.child[c] + cells_.children[c]; ++k) {
      const Sink& t = sinks_[k];
      radius =
          hb_max(radius, t.radius + length(internal_way(s.x, t.x, options_.unit), internal_way(s.y, t.y, options_.unit),
                                           internal_way(s.z, t.z, options_.unit)));
      s.demand = hb_min(s.demand, t.demand);
    }
    s.radius = hb_min(s.radius, radius);
  }

  const ParticlesView& particles_;
  const CellsView& cells_;
  const WalkOptions& options_;
  i32 row_;  ///< values of a cell's thin moments
  Room<i32> family_of_;
  Room<Family> families_;
  Room<Sink> sinks_;
  Room<real> rows_;
};

HB_ISA_CLOSE
