// SPDX-License-Identifier: Apache-2.0
// What a walk knows of its group before it starts: where it lies, how large it is, and about how strongly it is pulled.
#pragma once

#include "backend/cpu/group_walk.h"
#include "backend/cpu/sources.h"
#include "physics/opening.h"
#include "physics/softening.h"
#include "stages/views.h"

HB_ISA_OPEN

/// Centre, box and radius of a group, and its demands on cells; internal units but for the positions.
struct GroupGeometry {
  pos_t centre[3], low[3], high[3];
  real half[3];
  real radius;    ///< largest distance of a particle from the centre
  real soft2;     ///< mean eps^2 / 2
  real reach;     ///< softened_reach() of the targets
  real accuracy;  ///< relative criterion: tolerance times demanding_pull() of the evaluation before, or an estimate
};

/// Box and centre of the particles of `range`, whose relative positions go to `targets`.
HB_FN GroupGeometry enclose(const ParticlesView& particles, GroupRange range, const WalkOptions& options,
                            const real* last_acceleration, Targets& targets) {
  GroupGeometry g{};
  const pos_t* axes[3] = {particles.x + range.first, particles.y + range.first, particles.z + range.first};
  real* relative[3] = {targets.x, targets.y, targets.z};
  targets.count = range.count;
  for (int k = 0; k < 3; ++k) {
    pos_t low = axes[k][0], high = low;
    for (i32 t = 1; t < range.count; ++t) {
      low = hb_min(low, axes[k][t]);
      high = hb_max(high, axes[k][t]);
    }
    g.low[k] = low;
    g.high[k] = high;
    g.centre[k] = low + (high - low) / 2;
    for (i32 t = 0; t < range.count; ++t) relative[k][t] = internal_way(g.centre[k], axes[k][t], options.unit);
    g.half[k] = hb_max(internal_way(g.centre[k], high, options.unit), internal_way(low, g.centre[k], options.unit));
  }
  real radius2 = 0, soft2 = 0, largest = 0, roots = 0, least = last_acceleration ? last_acceleration[range.first] : 0;
  for (i32 t = 0; t < range.count; ++t) {
    const real x = targets.x[t], y = targets.y[t], z = targets.z[t], s = particles.soft2[range.first + t];
    radius2 = hb_max(radius2, x * x + y * y + z * z);
    targets.soft2[t] = s;
    soft2 += s;
    largest = hb_max(largest, s);
    if (last_acceleration) {
      least = hb_min(least, last_acceleration[range.first + t]);
      roots += eighth_root(last_acceleration[range.first + t]);
    }
    for (auto& a : targets.acc[t]) a = 0;
  }
  g.radius = hb_sqrt(radius2);
  g.soft2 = soft2 / (real)range.count;
  g.reach = softened_reach(options.softening, g.soft2, (real)HB_SPLINE_REACH * hb_sqrt(2 * largest));
  g.accuracy =
      relative_tolerance(options.order, options.theta) * demanding_pull(least, typical_pull(roots / (real)range.count));
  return g;
}

/// The larger of softened_reach() of eight siblings and of the targets.
HB_FN SiblingPack reach_of_siblings(const CellsView& cells, i32 first, i32 softening, real targets) {
  return hb_max(
      softened_reach(softening, SiblingPack::load(cells.cell_soft2 + first), SiblingPack::load(cells.reach + first)),
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
};

/// expandable() for the cells about one group, whose |a| is about `acceleration`.
struct ExpansionRule {
  real theta2, bound;

  ExpansionRule(const WalkOptions& options, real acceleration)
      : theta2(options.theta_c * options.theta_c),
        bound((real)HB_DOMINANCE_EXPANSION * theta2 * theta2 * acceleration) {}

  [[nodiscard]] unsigned accepts(const CellsView& cells, i32 first, SiblingPack d2, const GroupGeometry& group) const {
    return bits(expandable(d2, SiblingPack::load(cells.b + first) + SiblingPack(group.radius), SiblingPack(theta2),
                           SiblingPack::load(cells.cell_mass + first), SiblingPack(bound)));
  }
};

/// A first look at the field: the pull of coarse cells at the group's centre, for the scale of |a| only.
class CoarsePull {
 public:
  CoarsePull(const CellsView& cells, const WalkOptions& options, const GroupGeometry& group, Field<real> known)
      : cells_(cells), options_(options), group_(group), pull_(known) {}

  /// As a visitor: adds cells that do not reach the group, opens the others.
  unsigned settle(i32 first, unsigned which) { return which & ~add(first, which, false); }
  void on_leaf(i32 /*c*/) {}

  /// Adds those of the siblings that do not reach the group, or all: the others as if spread over their reach, which
  /// saves the way down to them. Returns those added.
  unsigned add(i32 first, unsigned which, bool all) {
    const SiblingsSeen seen(cells_, first, group_, options_.unit);
    const SiblingPack reach = SiblingPack::load(cells_.b + first) + SiblingPack(group_.radius);
    const auto clear = seen.d2 > reach * reach;
    const SiblingPack spread2 = hb_select(clear, SiblingPack::load(cells_.cell_soft2 + first), reach * reach);
    const SiblingPack inv_d = hb_rsqrt0(seen.d2 + spread2);
    const SiblingPack w = SiblingPack::load(cells_.cell_mass + first) * (inv_d * inv_d * inv_d);
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
  const GroupGeometry& group_;
  Field<real> pull_;
};

/// |a| of a group, roughly, by a walk from the root.
HB_FN real estimate_acceleration(const CellsView& cells, const WalkOptions& options, const GroupGeometry& group) {
  CoarsePull coarse(cells, options, group, Field<real>{});
  group_walk(cells, options.cells, coarse);
  return coarse.size();
}

HB_ISA_CLOSE
