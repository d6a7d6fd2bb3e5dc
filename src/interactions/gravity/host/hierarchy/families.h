// SPDX-License-Identifier: Apache-2.0
// What the walk from cell to cell needs of sources besides their moments: families of siblings that are tested
// together, and thin moments. Where few targets meet few of them they are made when they are first met.
#pragma once

#include <omp.h>

#include <cstring>

#include "device/host/room.h"
#include "interactions/gravity/host/group_geometry.h"
#include "physics/accuracy.h"
#include "physics/sink.h"

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

/// Loads `used` values of each of W rows, value by value a pack and row by row a lane. M has room for whole squares,
/// and so has each row.
template <class T, int W>
HB_FN void load_rows(Pack<T, W>* M, int used, const T* const (&rows)[W]) {
  for (int k = 0; k < used; k += W) {
    Pack<T, W>(&square)[W] = *reinterpret_cast<Pack<T, W>(*)[W]>(M + k);
    for (int j = 0; j < W; ++j) square[j] = Pack<T, W>::load(rows[j] + k);
    transpose(square);
  }
}

/// Room for values of a cell in whole squares of a pack's lanes.
HB_FN constexpr int in_squares(int values) { return (values + lanes - 1) / lanes * lanes; }

class Families {
 public:
  Families(const CellsView& cells, const WalkOptions& options)
      : cells_(cells), options_(options), row_(in_squares(HB_THIN_MOMENTS(options.expansion))) {
    for (omp_lock_t& lock : locks_) omp_init_lock(&lock);
  }
  ~Families() {
    for (omp_lock_t& lock : locks_) omp_destroy_lock(&lock);
  }
  Families(const Families&) = delete;
  Families& operator=(const Families&) = delete;

  /// Numbers the families. May throw OutOfRoom.
  void reserve() {
    i32 families = 1;  // the root alone is the first
    family_of_.reserve(options_.cells);
    for (i32 c = 0; c < options_.cells; ++c) family_of_[c] = cells_.children[c] > 0 ? families++ : -1;
    families_.reserve(families);
    rows_.reserve(((i64)options_.cells + lanes) * row_);
    made_.reserve(families);
    std::memset(&made_[0], 0, (std::size_t)families);
  }

  /// Makes all of them.
  void fill() {
    makes_all_ = true;
#pragma omp parallel
    {
#pragma omp for schedule(static)
      for (i32 c = 0; c < (options_.cells + lanes - 1) / lanes; ++c) thin_rows(c * lanes, lanes);
#pragma omp for schedule(static)
      for (i32 c = -1; c < options_.cells; ++c) {
        if (c < 0) fill_family(0, 0, 1);
        if (c >= 0 && cells_.children[c] > 0) fill_family(family_of_[c], cells_.child[c], cells_.children[c]);
      }
    }
  }

  /// Makes that of the root alone, and leaves the others to expect().
  void fill_root() {
    thin_rows(0, 1);
    fill_family(0, 0, 1);
  }

  [[nodiscard]] const Family& family(i32 f) const { return families_[f]; }
  /// Asks for the family of the children of cell `parent`, which is looked at soon.
  void expect(i32 f, i32 parent) const {
    if (!makes_all_ && __atomic_load_n(&made_[f], __ATOMIC_ACQUIRE) == 0) make(f, parent);
    const char* const at = reinterpret_cast<const char*>(&families_[f]);
    for (std::size_t line = 0; line < sizeof(Family); line += 64) __builtin_prefetch(at + line);
  }
  [[nodiscard]] const real* thin(i32 c) const { return rows_at((i64)c); }
  [[nodiscard]] const real* moments(i32 c) const { return cells_.moments + c * (u64)options_.moment_stride; }

 private:
  [[nodiscard]] real* rows_at(i64 c) const { return &rows_[0] + c * row_; }

  /// The same bits whichever thread comes first.
  void make(i32 f, i32 parent) const {
    omp_lock_t& lock = locks_[f % lock_count];
    omp_set_lock(&lock);
    if (made_[f] == 0) {
      const i32 first = cells_.child[parent], count = cells_.children[parent];
      for (i32 c = 0; c < count; c += lanes) thin_rows(first + c, hb_min(count - c, (i32)lanes));
      fill_family(f, first, count);
      __atomic_store_n(&made_[f], (unsigned char)1, __ATOMIC_RELEASE);
    }
    omp_unset_lock(&lock);
  }

  /// Thin moments of `count` cells, at most as many as there are lanes, from `first` on.
  void thin_rows(i32 first, i32 count) const {
    const i32 p = options_.expansion;
    RealPack M[in_squares(HB_MOMENTS(HB_MAX_ORDER))], T[in_squares(HB_THIN_MOMENTS(HB_MAX_ORDER))];
    const real* rows[lanes];
    for (int j = 0; j < lanes; ++j) rows[j] = moments(hb_min(first + j, options_.cells - 1));
    load_rows(M, HB_MOMENTS(p), rows);
    for (auto& t : T) t = RealPack(0);
    HB_BY_TRANSFER(p, thin_moments, (M, T));
    for (int row = 0; row < row_; row += lanes) {
      RealPack(&square)[lanes] = *reinterpret_cast<RealPack(*)[lanes]>(T + row);
      transpose(square);
      for (int j = 0; j < count; ++j) square[j].store(rows_at((i64)first + j) + row);
    }
  }

  /// Relative powers of `count` siblings.
  void weigh(i32 first, i32 count, Family& f) const {
    const i32 p = options_.expansion;
    SiblingPack M[(HB_MOMENTS(HB_MAX_ORDER) + 7) / 8 * 8], P[HB_LARGEST_TRANSFER + 1];
    const real* rows[sibling_lanes];
    for (int j = 0; j < sibling_lanes; ++j) rows[j] = moments(first + hb_min(j, count - 1));
    load_rows(M, HB_MOMENTS(p), rows);
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
    const bool may = may_expand(f.mass[j], f.rho[j], p) != 0;
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

  const CellsView& cells_;
  const WalkOptions& options_;
  i32 row_;  ///< values of a cell's thin moments
  bool makes_all_ = false;
  Room<i32> family_of_;
  Room<Family> families_;
  Room<real> rows_;
  Room<unsigned char> made_;  ///< whether a family is, unless all are
  static constexpr i32 lock_count = 64;
  mutable omp_lock_t locks_[lock_count];
};

HB_ISA_CLOSE
