// SPDX-License-Identifier: Apache-2.0
// The far field that neighbouring groups share. A block of groups is walked first: cells far enough for all of it are
// expanded once about its centre; cells too near for any of its groups are opened; the rest is handed to each group,
// whose walk starts there. This saves the groups most of their expansions and of their way down from the root.
#pragma once

#include "device/host/room.h"
#include "interactions/gravity/host/far_field.h"
#include "interactions/gravity/host/group_geometry.h"
#include "physics/opening.h"
#include "walk/simd_walk.h"

HB_ISA_OPEN

/// Where the walks of a block's groups start.
struct Frontier {
  i32 count = 0;
  Room<Siblings> families;

  void add(Siblings family) {
    families.reserve(count + 1);
    families[count++] = family;
  }
};

/// The visitor of a block's walk.
class BlockFarField {
 public:
  BlockFarField(const CellsView& cells, const WalkOptions& options, const GroupGeometry& block, real acceleration,
                FarField& far, Frontier& frontier)
      : cells_(cells),
        options_(options),
        block_(block),
        theta2_(options.theta_c * options.theta_c),
        bound_(expansion_bound(options.theta_c, acceleration)),
        far_(far),
        frontier_(frontier) {
    far_.begin(cells, options, block.centre, block.soft2);
    frontier_.count = 0;
  }

  unsigned settle(i32 first, unsigned which) {
    const SiblingPack d2 = SiblingsSeen(cells_, first, block_, options_.unit).d2;
    const SiblingPack d = d2 * hb_rsqrt0(d2), b = SiblingPack::load(cells_.b + first), radius(block_.radius),
                      mass = SiblingPack::load(cells_.cell_mass + first);
    unsigned expand = which & bits(expandable(d2, b + radius, SiblingPack(theta2_), mass, SiblingPack(bound_)));
    if (options_.reaches) {
      const SiblingPack reach = reach_of_siblings(cells_, first, options_.softening, block_.reach);
      expand &= bits(is_plain_for_all(d, radius, b, hb_max(reach, SiblingPack(block_.expansion_reach))));
    }
    for (unsigned left = expand; left != 0; left &= left - 1) far_.add(first + __builtin_ctz(left));
    // the largest distance that any group can have, whose radius may be nothing
    const SiblingPack farthest = d + radius;
    const unsigned handed = which & ~expand &
                            bits(suits_a_group(&options_, farthest, farthest * farthest, b, b, mass,
                                               SiblingPack::load(cells_.size2 + first), SiblingPack(block_.accuracy)));
    if (handed != 0) frontier_.add({first, handed});
    return which & ~expand & ~handed;
  }

  void on_leaf(i32 c) { frontier_.add({c, 1u}); }

 private:
  const CellsView& cells_;
  const WalkOptions& options_;
  const GroupGeometry& block_;
  real theta2_, bound_;  ///< of expandable()
  FarField& far_;
  Frontier& frontier_;
};

HB_ISA_CLOSE
