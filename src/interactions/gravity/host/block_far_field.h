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

/// Cells of an image of the sources at which the walks of a block's groups start.
struct Start {
  Siblings family;
  i32 image;
};

/// All of them, image after image.
struct Frontier {
  i32 count = 0;
  Room<Start> starts;

  void add(Siblings family, i32 image) {
    starts.reserve(count + 1);
    starts[count++] = {family, image};
  }
};

/// The visitor of a block's walk.
class BlockFarField {
 public:
  BlockFarField(const CellsView& cells, const WalkOptions& options, const GroupGeometry& block, real acceleration,
                FarField& far, Frontier& frontier)
      : cells_(cells),
        options_(options),
        whole_(block),
        block_(block),
        theta2_(options.theta_c * options.theta_c),
        bound_(expansion_bound(options.theta_c, acceleration)),
        far_(far),
        frontier_(frontier) {
    far_.begin(cells, options, block.centre, block.soft2);
    frontier_.count = 0;
  }

  /// Turns to another image of the sources.
  void see(const WalkImages& images, i32 image) {
    block_ = seen_from(whole_, images.shift[image]);
    image_ = image;
  }

  unsigned settle(i32 first, unsigned which) {
    const SiblingsSeen seen(cells_, first, block_, options_.unit);
    const SiblingPack d2 = seen.d2;
    const SiblingPack d = d2 * hb_rsqrt0(d2), b = SiblingPack::load(cells_.b + first), radius(block_.radius),
                      mass = SiblingPack::load(cells_.cell_mass + first);
    unsigned expand = which & bits(expandable(d2, b + radius, SiblingPack(theta2_), mass, SiblingPack(bound_)));
    if (options_.reaches) {
      const SiblingPack reach = reach_of_siblings(cells_, first, options_.softening, block_.reach);
      expand &= bits(is_plain_for_all(d, radius, b, hb_max(reach, SiblingPack(block_.expansion_reach))));
    }
    for (unsigned left = expand; left != 0; left &= left - 1) seen.expand(__builtin_ctz(left), first, far_);
    // the largest distance that any group can have, whose radius may be nothing
    const SiblingPack farthest = d + radius;
    const unsigned handed = which & ~expand &
                            bits(suits_a_group(&options_, farthest, farthest * farthest, b, b, mass,
                                               SiblingPack::load(cells_.size2 + first), SiblingPack(block_.accuracy)));
    if (handed != 0) frontier_.add({first, handed}, image_);
    return which & ~expand & ~handed;
  }

  void on_leaf(i32 c) { frontier_.add({c, 1u}, image_); }

 private:
  const CellsView& cells_;
  const WalkOptions& options_;
  const GroupGeometry& whole_;
  GroupGeometry block_;  ///< as the present image of the sources sees it
  i32 image_ = 0;
  real theta2_, bound_;  ///< of expandable()
  FarField& far_;
  Frontier& frontier_;
};

HB_ISA_CLOSE
