// SPDX-License-Identifier: Apache-2.0
// Collisions between the particles of a domain.
#pragma once

#include <memory>
#include <vector>

#include "hornbeam/boundary.h"
#include "hornbeam/collisions.h"
#include "interactions/module.h"

namespace hornbeam {

/// A law as its table of speeds and coefficients.
struct RestitutionTable {
  std::vector<double> speeds, coefficients;
};
/// A power law to 2e-5 of itself.
RestitutionTable table_of(const CollisionOptions& options);

/// Throws UsageError for particles without radii, or a box too small for them.
void check_bodies(const Particles& particles, const Boundary& boundary);

/// It pulls nobody: the stepper calls resolve() at the end of a step.
class Collisions : public Module {
 public:
  [[nodiscard]] std::string_view name() const override { return "collisions"; }
  void evaluate() override {}
  /// Bodies that touch and approach one another bounce, one pair after another: in an order that hangs on their
  /// indices on input alone, so that every backend gives the same bits. The tree must be that of the present positions.
  virtual void resolve(const std::vector<SourceImage>& images) = 0;
  /// Since it was made.
  [[nodiscard]] virtual CollisionTotals totals() const = 0;
};

std::unique_ptr<Collisions> make_collisions(Domain& domain, const CollisionOptions& options);

}  // namespace hornbeam
