// SPDX-License-Identifier: Apache-2.0
// Spheres of gas with P = K rho^(1 + 1/n) in their own gravity: what the model `polytrope` draws and is compared with.
#pragma once

#include <vector>

#include "hornbeam/exact.h"

namespace hornbeam::analysis {

/// By the equation of Lane (1870) and Emden (1907).
class Polytrope {
 public:
  /// Throws UsageError unless the index is in [0, 5), where spheres end, and at most 4.99, and the others are above 0.
  Polytrope(double index, double mass, double radius, double G = 1);

  /// At rest; nothing beyond the radius.
  [[nodiscard]] GasPoint at(double r) const;
  [[nodiscard]] double mass_within(double r) const;
  /// The radius that holds a fraction of the mass, in [0, 1].
  [[nodiscard]] double radius_of(double fraction) const;
  [[nodiscard]] double central_density() const { return central_.density; }
  [[nodiscard]] double central_pressure() const { return central_.pressure; }
  /// K of P = K rho^(1 + 1/n); none for index 0, whose density is the same everywhere.
  [[nodiscard]] double constant() const;
  /// -3 / (5 - n) G M^2 / R (Chandrasekhar 1939).
  [[nodiscard]] double potential_energy() const;

 private:
  struct Node {
    double xi, theta, mass;  ///< mass: -xi^2 d theta / d xi
  };
  [[nodiscard]] Node node_at(double xi) const;

  double index_, mass_, radius_, G_;
  std::vector<Node> nodes_;  ///< from the centre to the surface
  GasPoint central_;
};

/// Means of |f - exact| of a sphere of gas about its centre of mass, at any time; velocity: mean speed. Throws Error
/// for snapshots without densities and energies.
FlowError error_of_polytrope(const Snapshot& snapshot, const Polytrope& polytrope, double gamma);

}  // namespace hornbeam::analysis
