// SPDX-License-Identifier: Apache-2.0
// A first look at the field, where no acceleration is known yet: what units demand of their walk.
#pragma once

#include "interactions/gravity/host/hierarchy/sink_tree.h"
#include "physics/accuracy.h"
#include "physics/sink.h"

HB_ISA_OPEN

/// Sums the attraction of coarse cells, which do not reach the targets, at their middle.
class FirstLook {
 public:
  /// soft2: eps^2 / 2 of the target there; 0 is that of a test particle without softening of its own.
  FirstLook(const CellsView& cells, pos_t unit, const GroupGeometry& group, real soft2)
      : cells_(cells), unit_(unit), whole_(group), group_(group), soft2_(soft2) {
    for (int i = 0; i < sibling_lanes; ++i) lane_.v[i] = (real)i;
  }

  /// Turns to another image of the sources.
  void see(const WalkImages& images, i32 image) { group_ = seen_from(whole_, images.shift[image]); }

  /// As a visitor of group_walk(). which: the first of eight siblings, as many as there are.
  unsigned settle(i32 first, unsigned which) {
    const SiblingsSeen seen(cells_, first, group_, unit_);
    const auto clear = hb_both(lies_clear(seen.d2, SiblingPack::load(cells_.b + first), SiblingPack(group_.radius)),
                               lane_ < SiblingPack((real)__builtin_popcount(which)));
    const SiblingPack soft2 = SiblingPack::load(cells_.cell_soft2 + first) + SiblingPack(soft2_);
    const SiblingPack w = coarse_pull_over_d(SiblingPack::load(cells_.cell_mass + first), seen.d2, soft2);
    // lanes behind the last cell hold anything
    const auto taken = [&](SiblingPack way) { return hb_select(clear, way * w, SiblingPack(0)); };
    x_ = x_ + taken(seen.dx);
    y_ = y_ + taken(seen.dy);
    z_ = z_ + taken(seen.dz);
    potential_ = potential_ - taken(seen.d2 + soft2);
    return which & ~bits(clear);
  }
  void on_leaf(i32 /*c*/) {}

  /// What the targets demand. known: the field of all that is not seen; mass: of all particles.
  [[nodiscard]] real demanded(const Surroundings& around, const Field<real>& known, real mass) const {
    return demanded_among(around.images, around.zero, around.least, known.x + reduce_add(x_), known.y + reduce_add(y_),
                          known.z + reduce_add(z_), known.w + reduce_add(potential_), mass);
  }

 private:
  const CellsView& cells_;
  pos_t unit_;
  const GroupGeometry& whole_;
  GroupGeometry group_;  ///< as the present image of the sources sees it
  real soft2_;
  SiblingPack lane_, x_ = 0, y_ = 0, z_ = 0, potential_ = 0;
};

/// What targets within a radius of a place demand. `target` is one of them. soft2 is their largest eps^2 / 2, for what
/// is softened most is attracted least.
HB_FN real first_demand(pos_t x, pos_t y, pos_t z, real radius, i32 target, real soft2, const WalkArrays& arrays,
                        const WalkOptions& options, const HierarchyOptions& what) {
  GroupGeometry group{};
  group.centre[0] = x;
  group.centre[1] = y;
  group.centre[2] = z;
  group.radius = radius;
  Field<real> known{};
  if (what.has_far_images != 0) {
    known = {arrays.acc[0][target], arrays.acc[1][target], arrays.acc[2][target], arrays.acc[3][target]};
  }
  FirstLook look(arrays.cells, options.unit, group, soft2);
  walk_images(arrays.cells, options, arrays.images, look);
  return (real)HB_TRUST * look.demanded(what.around, known, arrays.cells.cell_mass[0]);
}

/// The demand at the middle of a unit. Where few of the sources are targets units are large: the least at some of them.
HB_FN real first_demand(const Sink& unit, const SinkTree& sinks, const WalkArrays& arrays, const WalkOptions& options,
                        const HierarchyOptions& what) {
  if (sinks.are_all_of(arrays.particles)) {
    return first_demand(unit.x, unit.y, unit.z, unit.radius, unit.first, unit.most_soft2, arrays, options, what);
  }
  constexpr i32 most_looks = 8;
  const i32 step = (unit.count + most_looks - 1) / most_looks;
  real least = (real)HB_NEVER;
  for (i32 t = unit.first; t < unit.first + unit.count; t += step) {
    const i32 i = sinks.particle(t);
    const ParticlesView& at = arrays.targets;
    least = hb_min(least, first_demand(at.x[i], at.y[i], at.z[i], 0, i, at.soft2[i], arrays, options, what));
  }
  return least;
}

HB_ISA_CLOSE
