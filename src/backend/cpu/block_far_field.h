// SPDX-License-Identifier: Apache-2.0
// The far field that neighbouring groups share. A block of groups is walked first: cells far enough for all of it are
// expanded once about its centre; cells too near for any of its groups are opened; the rest is handed to each group,
// whose walk starts there. This saves the groups most of their expansions and of their way down from the root.
#pragma once

#include "backend/cpu/far_field.h"
#include "backend/cpu/group_geometry.h"
#include "backend/cpu/group_walk.h"
#include "backend/cpu/room.h"
#include "physics/opening.h"

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
        rule_(options, acceleration),
        far_(far),
        frontier_(frontier),
        expansion_reach_(expansion_reach(options.softening, block.reach, options.theta_c)) {
    far_.begin(cells, options, block.centre, block.soft2);
    frontier_.count = 0;
  }

  unsigned settle(i32 first, unsigned which) {
    const SiblingPack d2 = SiblingsSeen(cells_, first, block_, options_.unit).d2;
    const SiblingPack d = d2 * hb_rsqrt0(d2), b = SiblingPack::load(cells_.b + first), radius(block_.radius);
    unsigned expand = which & rule_.accepts(cells_, first, d2, block_);
    if (options_.reaches) {
      const SiblingPack reach = reach_of_siblings(cells_, first, options_.softening, block_.reach);
      const SiblingPack apart = hb_max(reach, SiblingPack(expansion_reach_));
      expand &= bits(d - radius > b + apart) | ~bits(reach > SiblingPack(0));
    }
    for (unsigned left = expand; left != 0; left &= left - 1) far_.add(first + __builtin_ctz(left));
    const unsigned handed = which & ~expand & may_suit_a_group(first, d + radius, b);
    if (handed != 0) frontier_.add({first, handed});
    return which & ~expand & ~handed;
  }

  void on_leaf(i32 c) { frontier_.add({c, 1u}); }

 private:
  /// Siblings that a group at `farthest`, the largest distance any can have, could take whole.
  [[nodiscard]] unsigned may_suit_a_group(i32 first, SiblingPack farthest, SiblingPack b) const {
    const SiblingPack farthest2 = farthest * farthest;
    return bits(b < SiblingPack(options_.theta_c) * farthest) |
           bits(far_enough(options_.mac, options_.order, farthest2, b * b, farthest2,
                           SiblingPack::load(cells_.size2 + first), SiblingPack::load(cells_.cell_mass + first),
                           SiblingPack(block_.accuracy)));
  }

  const CellsView& cells_;
  const WalkOptions& options_;
  const GroupGeometry& block_;
  ExpansionRule rule_;
  FarField& far_;
  Frontier& frontier_;
  const real expansion_reach_;
};

HB_ISA_CLOSE
