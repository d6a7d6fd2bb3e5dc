// SPDX-License-Identifier: Apache-2.0
// Interaction lists of one group and their evaluation: sources in the lanes, targets in the loop.
#pragma once

#include "backend/cpu/simd.h"
#include "physics/expansion.h"
#include "physics/softening.h"

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

/// Completes the last pack with sources that do not pull.
HB_FN void pad(SourceList& list) {
  for (int j = list.count; j < list.count + lanes - 1; ++j) {
    list.x[j] = list.y[j] = list.z[j] = list.mass[j] = list.soft2[j] = 0;
  }
}
HB_FN void pad(QuadrupoleList& list) {
  pad(static_cast<SourceList&>(list));
  for (int j = list.count; j < list.count + lanes - 1; ++j) {
    for (auto& row : list.M) row[j] = 0;
  }
}

/// One target spread over the lanes, with what each lane's sources pull.
struct TargetLanes {
  int number;
  RealPack x, y, z, soft2;
  Field<RealPack> sum;
};

/// The pulls of the kinds of list: load() takes a pack of sources, operator() gives a target's sum with their pull.
template <i32 softening>
struct PairPull {
  const SourceList& list;
  RealPack x, y, z, mass, soft2;

  explicit PairPull(const SourceList& sources) : list(sources) {}
  void load(int j) {
    x = RealPack::load(list.x + j), y = RealPack::load(list.y + j), z = RealPack::load(list.z + j);
    mass = RealPack::load(list.mass + j), soft2 = RealPack::load(list.soft2 + j);
  }
  [[nodiscard]] Field<RealPack> operator()(const TargetLanes& t) const {
    return pull(softening, x - t.x, y - t.y, z - t.z, mass, soft2 + t.soft2, t.sum);
  }
};

/// A list that holds the targets themselves: place[t] is where target t stands in it, or negative.
template <i32 softening>
struct OwnPull : PairPull<softening> {
  const i32* place;
  RealPack first_numbers, numbers, whole_mass;

  OwnPull(const SourceList& sources, const i32* places) : PairPull<softening>(sources), place(places) {
    for (int i = 0; i < lanes; ++i) first_numbers.v[i] = (real)i;
  }
  void load(int j) {
    PairPull<softening>::load(j);
    whole_mass = this->mass;
    numbers = first_numbers + RealPack((real)j);
  }
  [[nodiscard]] Field<RealPack> operator()(const TargetLanes& t) {
    this->mass = hb_select(numbers == RealPack((real)place[t.number]), RealPack(0), whole_mass);
    return PairPull<softening>::operator()(t);
  }
};

/// Multipoles up to the quadrupole; `softened` is false for the spline, beyond whose reach cells are far.
template <bool softened>
struct QuadrupolePull {
  const QuadrupoleList& list;
  RealPack x, y, z, mass, soft2, M[6];

  explicit QuadrupolePull(const QuadrupoleList& sources) : list(sources) {}
  void load(int j) {
    x = RealPack::load(list.x + j), y = RealPack::load(list.y + j), z = RealPack::load(list.z + j);
    mass = RealPack::load(list.mass + j), soft2 = RealPack::load(list.soft2 + j);
    for (int k = 0; k < 6; ++k) M[k] = RealPack::load(list.M[k] + j);
  }
  [[nodiscard]] Field<RealPack> operator()(const TargetLanes& t) const {
    return pull_quadrupole(x - t.x, y - t.y, z - t.z, mass, M, softened ? soft2 + t.soft2 : RealPack(0), t.sum);
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
    sums[0] = one.sum.x, sums[1] = one.sum.y, sums[2] = one.sum.z, sums[3] = one.sum.w;
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

/// Adds the pull of a whole list on targets [t, t + block).
template <int block, class Pull>
HB_FN void pull_block(Pull pull, int sources, Targets& targets, int t) {
  TargetBlock<block> lanes_of_targets;
  lanes_of_targets.begin(targets, t);
  for (int j = 0; j < sources; j += lanes) {
    pull.load(j);
    lanes_of_targets.add(pull);
  }
  lanes_of_targets.finish(targets);
}

/// Adds the pull of a whole padded list on all targets. Four targets a round keep both multiply-add units busy.
template <class Pull>
HB_FN void pull_all(Pull pull, int sources, Targets& targets) {
  int t = 0;
  for (; t + 4 <= targets.count; t += 4) pull_block<4>(pull, sources, targets, t);
  for (; t < targets.count; ++t) pull_block<1>(pull, sources, targets, t);
}

HB_ISA_CLOSE
