// SPDX-License-Identifier: Apache-2.0
// What a walk knows of its group before it starts: where it lies, how large it is,
// and about how strongly it is attracted.
#pragma once

#include "interactions/gravity/host/far_field.h"
#include "interactions/gravity/host/sources.h"
#include "physics/opening.h"
#include "stages/accept.h"
#include "stages/box.h"
#include "stages/enclose.h"
#include "stages/views.h"
#include "walk/simd_walk.h"

HB_ISA_OPEN

/// Centre and box of a group, and its demands on cells; internal units but for the positions.
struct GroupGeometry : GroupDemands {
  pos_t centre[3];
  PlaceBox box;
  real half[3];
};

/// Least and largest of `count` coordinates, which go to `relative` as ways from their middle; that, and half their
/// extent.
HB_FN void enclose_axis(const pos_t* p, i32 count, pos_t unit, real* relative, pos_t& low, pos_t& high, pos_t& middle,
                        real& half) {
  extent_along(p, count, &low, &high);
  middle = middle_of(low, high);
  for (i32 t = 0; t < count; ++t) relative[t] = internal_way(middle, p[t], unit);
  half = half_edge(low, middle, high, unit);
}

/// Box and centre of the particles of `range`, whose relative positions go to `targets`.
HB_FN GroupGeometry enclose(const ParticlesView& particles, GroupRange range, const WalkOptions& options,
                            const real* last_acceleration, Targets& targets) {
  GroupGeometry g{};
  PlaceBox& b = g.box;
  const i32 first = range.first, count = range.count;
  enclose_axis(particles.x + first, count, options.unit, targets.x, b.low_x, b.high_x, g.centre[0], g.half[0]);
  enclose_axis(particles.y + first, count, options.unit, targets.y, b.low_y, b.high_y, g.centre[1], g.half[1]);
  enclose_axis(particles.z + first, count, options.unit, targets.z, b.low_z, b.high_z, g.centre[2], g.half[2]);
  targets.count = count;
  TargetSums sums = no_targets(first, last_acceleration);
  for (i32 t = 0; t < count; ++t) {
    targets.soft2[t] = particles.soft2[first + t];
    sums = add_target(sums, first + t, targets.x[t], targets.y[t], targets.z[t], targets.soft2[t], last_acceleration);
    for (auto& a : targets.acc[t]) a = 0;
  }
  static_cast<GroupDemands&>(g) = demands_of(sums, count, options);
  return g;
}

/// The group as an image of the sources that stands so sees it: the other way off from where they are.
HB_FN GroupGeometry seen_from(const GroupGeometry& group, ImageShift image) {
  GroupGeometry seen = group;
  seen.centre[0] -= image.x;
  seen.centre[1] -= image.y;
  seen.centre[2] -= image.z;
  seen.box.low_x -= image.x;
  seen.box.low_y -= image.y;
  seen.box.low_z -= image.z;
  seen.box.high_x -= image.x;
  seen.box.high_y -= image.y;
  seen.box.high_z -= image.z;
  return seen;
}

/// mutual_reach() of eight siblings.
HB_FN SiblingPack reach_of_siblings(const CellsView& cells, i32 first, i32 softening, real targets) {
  return mutual_reach(softening, SiblingPack::load(cells.cell_soft2 + first), SiblingPack::load(cells.reach + first),
                      SiblingPack(targets));
}

HB_FN unsigned bits(SiblingPack::Mask mask) { return mask_bits<real, sibling_lanes>(mask); }

/// Centres of mass of eight siblings from the centre of a group, internal units.
struct SiblingsSeen {
  SiblingPack dx, dy, dz, d2;

  SiblingsSeen(const CellsView& cells, i32 first, const GroupGeometry& group, pos_t unit)
      : dx(siblings_relative(cells.com_x + first, group.centre[0], unit)),
        dy(siblings_relative(cells.com_y + first, group.centre[1], unit)),
        dz(siblings_relative(cells.com_z + first, group.centre[2], unit)),
        d2(hb_fma(dx, dx, hb_fma(dy, dy, dz * dz))) {}

  /// Hands sibling i to the far field about that centre.
  void expand(int i, i32 first, FarField& far) const { far.add(first + i, dx.v[i], dy.v[i], dz.v[i]); }
};

/// A first look at the field: the attraction of coarse cells at the group's centre, for the scale of |a| only.
class CoarsePull {
 public:
  CoarsePull(const CellsView& cells, const WalkOptions& options, const GroupGeometry& group, Field<real> known)
      : cells_(cells), options_(options), whole_(group), group_(group), pull_(known) {}

  /// Turns to another image of the sources.
  void see(const WalkImages& images, i32 image) { group_ = seen_from(whole_, images.shift[image]); }

  /// As a visitor: adds cells that do not reach the group, opens the others.
  unsigned settle(i32 first, unsigned which) { return which & ~add(first, which, false); }
  void on_leaf(i32 /*c*/) {}

  /// Adds those of the siblings that do not reach the group, or all: the others as if spread over their reach, which
  /// saves the way down to them. Returns those added.
  unsigned add(i32 first, unsigned which, bool all) {
    const SiblingsSeen seen(cells_, first, group_, options_.unit);
    const SiblingPack b = SiblingPack::load(cells_.b + first), radius(group_.radius), reach = b + radius;
    const auto clear = lies_clear(seen.d2, b, radius);
    const SiblingPack spread2 = hb_select(clear, SiblingPack::load(cells_.cell_soft2 + first), reach * reach);
    const SiblingPack w = coarse_pull_over_d(SiblingPack::load(cells_.cell_mass + first), seen.d2, spread2);
    const unsigned added = all ? which : which & bits(clear);
    for (unsigned rest = added; rest != 0; rest &= rest - 1) {
      const int i = __builtin_ctz(rest);
      pull_.x += seen.dx.v[i] * w.v[i];
      pull_.y += seen.dy.v[i] * w.v[i];
      pull_.z += seen.dz.v[i] * w.v[i];
    }
    return added;
  }

  [[nodiscard]] real size() const { return hb_sqrt(pull_.x * pull_.x + pull_.y * pull_.y + pull_.z * pull_.z); }

 private:
  const CellsView& cells_;
  const WalkOptions& options_;
  const GroupGeometry& whole_;
  GroupGeometry group_;  ///< as the present image of the sources sees it
  Field<real> pull_;
};

/// Walks from the root in all images of the sources.
template <class Visitor>
HB_FN void walk_images(const CellsView& cells, const WalkOptions& options, const WalkImages& images, Visitor& visitor) {
  for (i32 i = 0; i < images.count; ++i) {
    if (i > 0) visitor.see(images, i);
    group_walk(cells, options.cells, visitor);
  }
}

/// |a| of a group, roughly, by a walk from the root.
HB_FN real estimate_acceleration(const CellsView& cells, const WalkOptions& options, const WalkImages& images,
                                 const GroupGeometry& group) {
  CoarsePull coarse(cells, options, group, Field<real>{});
  walk_images(cells, options, images, coarse);
  return coarse.size();
}

HB_ISA_CLOSE
