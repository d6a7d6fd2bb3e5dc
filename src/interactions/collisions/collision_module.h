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
/// A power law to 2e-5 of itself.
RestitutionTable table_of(const CollisionOptions& options);

/// totals: of before, counted on. Null if particles do not collide.
///
/// The module attracts nothing: it acts after a step. Bodies that meet bounce or merge, one pair after another: in an
/// order that depends on their indices on input only (of swept ones, first on when they met), so that every backend
/// gives the same bits. Bodies that are removed are marked for Domain::take_out(); swept ones are moved off the tree.
std::shared_ptr<ModuleMaker> collision_maker(const CollisionOptions& options, const CollisionTotals& totals = {});

}  // namespace hornbeam
