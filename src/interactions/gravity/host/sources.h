// SPDX-License-Identifier: Apache-2.0
// Interaction lists of one group and their evaluation: sources in the lanes, targets in the loop.
#pragma once

#include "device/host/kernels.h"
#include "device/host/simd.h"
#include "physics/expansion.h"
#include "physics/softening.h"
#include "stages/place_from.h"
#include "stages/units.h"
#include "stages/views.h"

HB_ISA_OPEN

inline constexpr int lanes = simd_bytes / static_cast<int>(sizeof(real));
typedef Pack<real, lanes> RealPack;

/// Sources that fit the first-level cache; more are evaluated in several rounds, so that fp32 sums stay short.
inline constexpr int list_size = 1024;
/// Room to complete the last pack, or the last eight.
inline constexpr int list_room = list_size + (lanes > 8 ? lanes : 8);
/// Most targets a group may have.
inline constexpr int max_group_size = 1024;

/// Targets of one group relative to its centre, internal units; sums go to acc (x, y, z, potential).
struct Targets {
  i32 count;
  alignas(64) real x[max_group_size + 16], y[max_group_size + 16], z[max_group_size + 16], soft2[max_group_size + 16];
  sum_t acc[max_group_size][4];
};

/// Sources relative to the same centre; moments M[k][j] of source j in quadrupole lists.
struct SourceList {
  i32 count = 0;
  alignas(64) real x[list_room], y[list_room], z[list_room], mass[list_room], soft2[list_room];
};
struct QuadrupoleList : SourceList {
  alignas(64) real M[6][list_room];
};

/// Completes the last pack with copies of the last source (a list that is evaluated has one) that have no mass. Nowhere
/// else may they stand: a target may lie as near to any other place as 1e-15, where the powers of 1 / r that a
/// multipole asks for overflow, and infinity times no moment is not a number.
HB_FN void pad(SourceList& list) {
  for (int j = list.count; j < list.count + lanes - 1; ++j) {
    list.x[j] = list.x[list.count - 1];
    list.y[j] = list.y[list.count - 1];
    list.z[j] = list.z[list.count - 1];
    list.soft2[j] = list.soft2[list.count - 1];
    list.mass[j] = 0;
  }
}
HB_FN void pad(QuadrupoleList& list) {
  pad(static_cast<SourceList&>(list));
  for (int j = list.count; j < list.count + lanes - 1; ++j) {
    for (auto& row : list.M) row[j] = 0;
  }
}

/// One target spread over the lanes, with what each lane's sources attract.
struct TargetLanes {
  int number;
  RealPack x, y, z, soft2;
  Field<RealPack> sum;
};

/// What is summed of the sources on a list: their accelerations and potentials. Another: tide_formula.h.
struct ForceFormula {
  template <class R>
  [[gnu::always_inline]] static inline Field<R> of_point(i32 softening, R dx, R dy, R dz, R mass, R soft2,
                                                         Field<R> sum) {
    return pull(softening, dx, dy, dz, mass, soft2, sum);
  }
  template <class R>
  [[gnu::always_inline]] static inline Field<R> of_cell(R dx, R dy, R dz, R mass, const R* M, R soft2, Field<R> sum) {
    return pull_quadrupole(dx, dy, dz, mass, M, soft2, sum);
  }
  /// Takes from a target what it has from itself, which attracts it nowhere: the potential.
  [[gnu::always_inline]] static inline void remove_own(const Field<real>& share, sum_t* acc) {
    acc[3] -= (sum_t)share.w;
  }
};

/// Attraction by the kinds of list: load() takes a pack of sources, operator() returns a target's sum with theirs.
template <i32 softening, class Formula = ForceFormula>
struct PairPull {
  const SourceList& list;
  RealPack x, y, z, mass, soft2;

  explicit PairPull(const SourceList& sources) : list(sources) {}
  void load(int j) {
    x = RealPack::load(list.x + j);
    y = RealPack::load(list.y + j);
    z = RealPack::load(list.z + j);
    mass = RealPack::load(list.mass + j);
    soft2 = RealPack::load(list.soft2 + j);
  }
  [[nodiscard]] Field<RealPack> operator()(const TargetLanes& t) const {
    return Formula::of_point(softening, x - t.x, y - t.y, z - t.z, mass, soft2 + t.soft2, t.sum);
  }
};

/// As PairPull with Plummer softening, by roots whose errors are below 4e-4 in fp32.
struct RoughPull : PairPull<HB_PLUMMER> {
  using PairPull::PairPull;
  [[nodiscard]] Field<RealPack> operator()(const TargetLanes& t) const {
    const RealPack dx = x - t.x, dy = y - t.y, dz = z - t.z;
    const RealPack r2 = hb_fma(dx, dx, hb_fma(dy, dy, hb_fma(dz, dz, soft2 + t.soft2)));
    return pull_at(dx, dy, dz, mass, hb_rough_rsqrt0(r2), t.sum);
  }
};

/// A list that holds the targets themselves: place[t] is where target t is in it, or negative.
template <i32 softening, class Formula = ForceFormula>
struct OwnPull : PairPull<softening, Formula> {
  const i32* place;
  RealPack first_numbers, numbers, whole_mass;

  OwnPull(const SourceList& sources, const i32* places) : PairPull<softening, Formula>(sources), place(places) {
    for (int i = 0; i < lanes; ++i) first_numbers.v[i] = (real)i;
  }
  void load(int j) {
    PairPull<softening, Formula>::load(j);
    whole_mass = this->mass;
    numbers = first_numbers + RealPack((real)j);
  }
  [[nodiscard]] Field<RealPack> operator()(const TargetLanes& t) {
    this->mass = hb_select(is_itself(t), RealPack(0), whole_mass);
    return PairPull<softening, Formula>::operator()(t);
  }
  [[nodiscard]] typename RealPack::Mask is_itself(const TargetLanes& t) const {
    return numbers == RealPack((real)place[t.number]);
  }
};

/// Where the sources and targets of a list are held, for pairs whose difference of positions must be exact.
struct ExactPlaces {
  const ParticlesView* sources;
  const i32* number;  ///< of each source of the list among them
  const ParticlesView* targets;
  i32 first_target;
  pos_t unit;
  const i32* image;         ///< of each source of the list; null: where they are
  const ImageShift* shift;  ///< of each image
  const i32* picked;        ///< of each target; null: from first_target on
};

/// As OwnPull, from the difference of each pair's positions: several times slower.
template <i32 softening, class Formula>
struct ExactPull : OwnPull<softening, Formula> {
  ExactPlaces places;
  int first = 0;

  ExactPull(const OwnPull<softening, Formula>& own, const ExactPlaces& exact)
      : OwnPull<softening, Formula>(own), places(exact) {}
  void load(int j) {
    OwnPull<softening, Formula>::load(j);
    first = j;
  }
  [[nodiscard]] Field<RealPack> operator()(const TargetLanes& t) {
    const ParticlesView &from = *places.targets, &to = *places.sources;
    const i32 target = places.picked != nullptr ? places.picked[t.number] : places.first_target + t.number;
    for (int i = 0; i < lanes; ++i) {
      const i32 source = places.number[first + i];
      const ImageShift to_image = places.image ? places.shift[places.image[first + i]] : ImageShift{};
      this->x.v[i] = internal_way(from.x[target] - to_image.x, to.x[source], places.unit);
      this->y.v[i] = internal_way(from.y[target] - to_image.y, to.y[source], places.unit);
      this->z.v[i] = internal_way(from.z[target] - to_image.z, to.z[source], places.unit);
    }
    TargetLanes at_origin = t;
    at_origin.x = at_origin.y = at_origin.z = RealPack(0);
    return OwnPull<softening, Formula>::operator()(at_origin);
  }
};

/// As OwnPull, watching for pairs closer than differences to the group's centre can resolve: where there are any, the
/// list is to be summed by exactly(). close2: their squared distance.
template <i32 softening, class Formula>
struct WatchedPull : OwnPull<softening, Formula> {
  ExactPlaces places;
  RealPack close2, closest;

  WatchedPull(const OwnPull<softening, Formula>& own, const ExactPlaces& exact, real closer_than2)
      : OwnPull<softening, Formula>(own), places(exact), close2(closer_than2), closest(closer_than2) {}
  [[nodiscard]] Field<RealPack> operator()(const TargetLanes& t) {
    const RealPack dx = this->x - t.x, dy = this->y - t.y, dz = this->z - t.z;
    // in steps that the acceleration takes, too; softened distances would hide a heavy neighbour, whose acceleration
    // goes as the way to it
    const RealPack eps2 = this->soft2 + t.soft2;
    const RealPack d2 = softening == HB_SPLINE ? hb_fma(dx, dx, hb_fma(dy, dy, dz * dz))
                                               : hb_fma(dx, dx, hb_fma(dy, dy, hb_fma(dz, dz, eps2))) - eps2;
    closest = hb_min(closest, hb_select(this->is_itself(t), close2, d2));
    return OwnPull<softening, Formula>::operator()(t);
  }
  [[nodiscard]] bool is_too_coarse() const { return mask_bits<real, lanes>(closest < close2) != 0; }
  [[nodiscard]] ExactPull<softening, Formula> exactly() const { return {*this, places}; }
};

/// Multipoles up to the quadrupole; `softened` is false for the spline, beyond whose reach cells are far.
template <bool softened, class Formula = ForceFormula>
struct QuadrupolePull {
  const QuadrupoleList& list;
  RealPack x, y, z, mass, soft2, M[6];

  explicit QuadrupolePull(const QuadrupoleList& sources) : list(sources) {}
  void load(int j) {
    x = RealPack::load(list.x + j);
    y = RealPack::load(list.y + j);
    z = RealPack::load(list.z + j);
    mass = RealPack::load(list.mass + j);
    soft2 = RealPack::load(list.soft2 + j);
    for (int k = 0; k < 6; ++k) M[k] = RealPack::load(list.M[k] + j);
  }
  [[nodiscard]] Field<RealPack> operator()(const TargetLanes& t) const {
    return Formula::of_cell(x - t.x, y - t.y, z - t.z, mass, M, softened ? soft2 + t.soft2 : RealPack(0), t.sum);
  }
};

/// `n` targets that share each load of sources. Nested members, not an array: those stay in registers.
template <int n>
struct TargetBlock {
  TargetLanes one;
  TargetBlock<n - 1> rest;

  void begin(const Targets& targets, int t) {
    const RealPack none(0);
    one = {t, targets.x[t], targets.y[t], targets.z[t], targets.soft2[t], {none, none, none, none}};
    rest.begin(targets, t + 1);
  }
  template <class Pull>
  void add(Pull& pull) {
    one.sum = pull(one);
    rest.add(pull);
  }
  /// Writes the four sums of each target, one after the other.
  void list_sums(RealPack* sums) const {
    sums[0] = one.sum.x;
    sums[1] = one.sum.y;
    sums[2] = one.sum.z;
    sums[3] = one.sum.w;
    rest.list_sums(sums + 4);
  }
  /// Adds the sums over all lanes to the targets': whole packs of sums together, which takes a third of the
  /// instructions.
  void finish(Targets& targets) const {
    constexpr int count = 4 * n, together = count / lanes * lanes;
    RealPack sums[count];
    list_sums(sums);
    alignas(64) real totals[count];
    for (int s = 0; s < together; s += lanes) reduce_add_each<real, lanes>(sums + s).store(totals + s);
    for (int s = together; s < count; ++s) totals[s] = reduce_add(sums[s]);
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 4; ++k) targets.acc[one.number + i][k] += (sum_t)totals[4 * i + k];
    }
  }
};
template <>
struct TargetBlock<0> {
  void begin(const Targets& /*targets*/, int /*t*/) {}
  template <class Pull>
  void add(Pull& /*pull*/) {}
  void list_sums(RealPack* /*sums*/) const {}
};

/// Adds the attraction of a whole list on targets [t, t + block).
template <int block, class Pull>
HB_FN void pull_block(Pull pull, int sources, Targets& targets, int t) {
  TargetBlock<block> lanes_of_targets;
  lanes_of_targets.begin(targets, t);
  for (int j = 0; j < sources; j += lanes) {
    pull.load(j);
    lanes_of_targets.add(pull);
  }
  if constexpr (requires { pull.exactly(); }) {
    if (pull.is_too_coarse()) return pull_block<block>(pull.exactly(), sources, targets, t);
  }
  lanes_of_targets.finish(targets);
}

/// Adds the attraction of a whole padded list on all targets. Four targets a round keep both multiply-add units busy.
template <class Pull>
HB_FN void pull_all(Pull pull, int sources, Targets& targets) {
  int t = 0;
  for (; t + 4 <= targets.count; t += 4) pull_block<4>(pull, sources, targets, t);
  for (; t < targets.count; ++t) pull_block<1>(pull, sources, targets, t);
}

HB_ISA_CLOSE
