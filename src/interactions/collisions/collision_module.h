// SPDX-License-Identifier: Apache-2.0
// Collisions between the particles of a domain.
#pragma once

#include <memory>
#include <vector>

#include "hornbeam/collisions.h"
#include "interactions/module.h"

namespace hornbeam {

/// A law as its table of speeds and coefficients.
struct RestitutionTable {
  std::vector<double> speeds, coefficients;
};
/// Gravity of bodies that are not softened.
struct ContactGravity {
  bool unsoftened = false;    ///< some have no softening
  bool only_gravity = false;  ///< nothing else accelerates bodies
};

/// A power law to 2e-5 of itself.
RestitutionTable table_of(const CollisionOptions& options);

/// totals: of before, counted on. Null if particles do not collide.
///
/// The module attracts nothing: it acts after a step. Bodies that meet bounce or merge, one pair after another: in an
/// order that depends on their indices on input only (of swept ones, first on when they met), so that every backend
/// gives the same bits. Bodies that are removed are marked for Domain::take_out(); swept ones are moved off the tree.
/// only_gravity: nothing else accelerates bodies.
std::shared_ptr<ModuleMaker> collision_maker(const CollisionOptions& options, const CollisionTotals& totals = {},
                                             bool only_gravity = false);

}  // namespace hornbeam
