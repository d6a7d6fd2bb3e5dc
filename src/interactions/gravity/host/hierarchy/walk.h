// SPDX-License-Identifier: Apache-2.0
// The walk of all sinks: the few at the top one after the other, and then what is below each by itself.
#pragma once

#include "interactions/gravity/host/hierarchy/sinks.h"

HB_ISA_OPEN

/// Part of what a first look at the field has that particles are taken to demand: |a| may be less.
inline constexpr real trust = 0.7f;

/// What the particles of a cell demand where no evaluation came before: as a first look at the field has it.
HB_FN real coarse_demand(i32 c, const CellsView& cells, const WalkOptions& options, const Families& families) {
  const Sink& sink = families.sink(c);
  GroupGeometry group{};
  group.centre[0] = sink.x;
  group.centre[1] = sink.y;
  group.centre[2] = sink.z;
  group.radius = sink.radius;
  CoarsePull coarse(cells, options, group, Field<real>{});
  group_walk(cells, options.cells, coarse);
  return trust * coarse.demanded(cells.cell_mass[0]);
}

/// The walk of all sinks. demand: demanded_pull() of each particle, or null where it is not known.
class HierarchyWalk {
 public:
  HierarchyWalk(const ParticlesView& particles, const CellsView& cells, const WalkOptions& options,
                const HierarchyOptions& what)
      : cells_(cells), options_(options), what_(what), families_(particles, cells, options) {}

  /// May throw OutOfRoom.
  void reserve() { families_.reserve(); }

  /// Before open(). demand: demanded_pull() of each particle, or null where none is known.
  void prepare(const real* demand, Rescue& rescue) {
    families_.fill(demand);
    if (demand != nullptr) return;
#pragma omp parallel for schedule(dynamic, 16)
    for (i32 c = 0; c < options_.cells; ++c) rescue.run([&] { look_below(c); });
    families_.hand_up_demands();
  }

  [[nodiscard]] const Families& families() const { return families_; }
  [[nodiscard]] i32 sinks() const { return left_; }
  [[nodiscard]] const OpenSink& sink(i32 i) const { return queue_[tasks_[i]]; }

  /// Walks the sinks at the top, one after the other: their descendants are left in sinks().
  void open(const Hierarchy& hierarchy, HierarchyScratch& scratch) {
    scratch.lists.reserve(1);  // the root alone
    scratch.lists[0] = {0, 1u};
    scratch.listed = 1;
    push({0, {&scratch.lists, 0, 1}, 0, {1, {}}});
    for (i32 i = 0; i < queued_; ++i) {
      const OpenSink now = queue_[i];
      if (cells_.count[now.cell] > what_.top && cells_.children[now.cell] > 0) {
        hierarchy.walk(now, scratch, [&](const OpenSink& child) { push(child); });
      } else {
        tasks_.reserve(left_ + 1);
        tasks_[left_++] = i;
      }
    }
  }

 private:
  void push(const OpenSink& sink) {
    queue_.reserve(queued_ + 1);
    queue_[queued_++] = sink;
  }

  /// Looks at the field at those children of cell c that are units, and at the root.
  void look_below(i32 c) {
    if (c == 0 && makes_unit(c, cells_, what_)) families_.set_demand(0, coarse_demand(0, cells_, options_, families_));
    if (makes_unit(c, cells_, what_)) return;
    for (i32 k = cells_.child[c]; k < cells_.child[c] + cells_.children[c]; ++k) {
      if (makes_unit(k, cells_, what_)) families_.set_demand(k, coarse_demand(k, cells_, options_, families_));
    }
  }

  const CellsView& cells_;
  const WalkOptions& options_;
  const HierarchyOptions& what_;
  Families families_;
  Room<OpenSink> queue_;
  Room<i32> tasks_;
  i32 queued_ = 0, left_ = 0;
};

HB_ISA_CLOSE
