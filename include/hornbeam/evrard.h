// SPDX-License-Identifier: Apache-2.0
// The collapse of a cold sphere of gas (Evrard 1988) in one dimension: what runs of the model `evrard` are compared
// with.
#pragma once

#include <vector>

#include "hornbeam/exact.h"
#include "hornbeam/gravity.h"

namespace hornbeam::analysis {

/// Gas of density M / (2 pi R^2 r), at rest and without softening, in shells that move with it (docs/gas-tests.md).
/// Everything given and told is in units in which G is as said.
class EvrardCollapse {
 public:
  /// The start. energy: internal, in units of G M / R. zones: numerical errors fall as 1 / zones; steps go
  /// with zones^2. Throws UsageError unless all are above 0, gamma is at least 1.5 (softer gas falls so deep that steps
  /// are too many) and there are at least 10 zones.
  EvrardCollapse(double mass, double radius, double energy, double gamma, double G = 1, int zones = 1500);

  /// Onwards to a time, 10 (R^3 / G M)^1/2 at most; throws UsageError for others. To 3 of these it takes 2 s.
  void advance(double time);

  /// At the time reached; nothing beyond the surface.
  [[nodiscard]] GasPoint at(double r) const;
  [[nodiscard]] double mass_within(double r) const;
  /// The radius that holds a fraction of the mass, in [0, 1].
  [[nodiscard]] double radius_of(double fraction) const;
  /// Where gas runs into gas fastest; 0 where it does so nowhere as in a shock.
  [[nodiscard]] double shock_radius() const;
  [[nodiscard]] Energies energies() const;

 private:
  /// The end of a step, as far as it is known.
  struct Trial {
    std::vector<double> radius, velocity, energy;
    std::vector<double> push;  ///< of zones: pressure and viscosity at the middle of the step
  };
  [[nodiscard]] double sound_speed(double energy) const;
  [[nodiscard]] double viscosity(double closing, double energy) const;
  [[nodiscard]] double zone_density(std::size_t zone) const;
  [[nodiscard]] double longest_step() const;
  void find_push(double step);
  void move_edges(double step);
  void step_by(double step);

  double mass_, length_, G_, gamma_;
  // from here on with G = M = R = 1; edges are one more than zones, the first at the centre
  double time_ = 0, step_ = 1e-5;
  std::vector<double> radius_, velocity_, acceleration_, inside_, edge_mass_;  ///< of edges; inside_: mass within
  std::vector<double> zone_mass_, energy_;                                     ///< of zones; energy per unit mass
  Trial trial_;
};

/// Means of |f - exact| of gas about the origin, at the time that the collapse has reached; velocities along the
/// radius. Throws Error for snapshots at the start or without densities and energies.
FlowError error_of_evrard(const Snapshot& snapshot, const EvrardCollapse& collapse, double gamma);

}  // namespace hornbeam::analysis
