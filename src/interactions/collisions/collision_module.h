// SPDX-License-Identifier: Apache-2.0
// Collisions between the particles of a domain.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "hornbeam/boundary.h"
#include "hornbeam/collisions.h"
#include "interactions/module.h"
#include "memory/need.h"

namespace hornbeam {

/// A law as its table of speeds and coefficients.
struct RestitutionTable {
  std::vector<double> speeds, coefficients;
};
/// A power law to 2e-5 of itself.
RestitutionTable table_of(const CollisionOptions& options);

/// Throws UsageError for particles without radii, or a box too small for them.
void check_bodies(const Particles& particles, const Boundary& boundary);

using IndexPair = std::array<std::uint32_t, 2>;

/// The step that has ended: where images stand, how long it was, and how fast the frame of a sheet turns.
struct CollisionStep {
  std::vector<SourceImage> images;
  double length = 0, omega = 0;
  Vec3 periods{};  ///< of the box; 0: open
};

/// What they take of the host's memory beside the fields of the particles, on the CPU: as many pairs as half of the
/// bodies, and for more the module asks when it knows.
memory::Need collisions_host_need(Precision precision, const Holding& holding);

/// It pulls nobody: the stepper calls resolve() at the end of a step.
class Collisions : public Module {
 public:
  [[nodiscard]] std::string_view name() const override { return "collisions"; }
  void evaluate() override {}
  /// Bodies that meet bounce or merge, one pair after another: in an order that hangs on their indices on input alone
  /// (of swept ones, first on when they met), so that every backend gives the same bits. Those that are no more are
  /// marked for Domain::take_out(). The tree must be that of the present positions; swept bodies are moved off it.
  virtual void resolve(const CollisionStep& step) = 0;
  /// With those it was made with.
  [[nodiscard]] virtual CollisionTotals totals() const = 0;
  /// The pairs that the last resolve() found, where the law is halt: indices on input, ascending, each pair once.
  [[nodiscard]] virtual const std::vector<IndexPair>& met() const = 0;
};

/// totals: of before, counted on.
std::unique_ptr<Collisions> make_collisions(Domain& domain, const CollisionOptions& options,
                                            const CollisionTotals& totals);

}  // namespace hornbeam
