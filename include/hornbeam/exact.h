// SPDX-License-Identifier: Apache-2.0
// Flows of ideal gas whose solutions are known: what runs of the models of the same names are compared with.
#pragma once

#include <vector>

#include "hornbeam/particles.h"

namespace hornbeam::analysis {

/// Gas at one place and time; velocity along x of tubes, along the radius of blasts.
struct GasPoint {
  double density = 0, pressure = 0, velocity = 0;
};

/// Two gases of one gamma that a membrane at x = 0 parted until t = 0: the exact solution of Riemann's problem (Toro
/// 2009, chapter 4), where the two do not part and leave nothing between them.
class ShockTube {
 public:
  /// Throws UsageError for states without density, below no pressure, or between which a vacuum opens.
  ShockTube(const GasPoint& left, const GasPoint& right, double gamma);

  [[nodiscard]] GasPoint at(double x_over_t) const;
  /// Between the waves: pressure and velocity of both gases, densities of each.
  [[nodiscard]] double pressure() const { return pressure_; }
  [[nodiscard]] double velocity() const { return velocity_; }
  [[nodiscard]] double left_density() const;
  [[nodiscard]] double right_density() const;
  /// Speed of the shock that goes to the right; where there is none, of the head of the wave.
  [[nodiscard]] double right_speed() const;

 private:
  [[nodiscard]] GasPoint beside(const GasPoint& side, double sign, double speed) const;

  GasPoint left_, right_;
  double gamma_, pressure_ = 0, velocity_ = 0;
};

/// Energy set free at one point of cold gas at t = 0 (Sedov 1946; Landau & Lifshitz 1987, sect. 106), by the equations
/// of similarity.
class SedovBlast {
 public:
  /// Throws UsageError unless all are above 0 and gamma is above 1 and at most 3.
  SedovBlast(double energy, double density, double gamma);

  /// Of the shock.
  [[nodiscard]] double radius(double time) const;
  [[nodiscard]] double speed(double time) const;
  [[nodiscard]] GasPoint at(double radius, double time) const;
  /// xi of radius = xi (E t^2 / rho)^1/5, and the share of the energy that is in motion.
  [[nodiscard]] double xi() const { return xi_; }
  [[nodiscard]] double kinetic_share() const { return kinetic_share_; }

 private:
  double energy_, density_, xi_ = 0, kinetic_share_ = 0;
  std::vector<GasPoint> profile_;  ///< from the centre to the shock, in units of density, density speed^2 and speed
};

/// Means of |f - exact| over particles of gas.
struct FlowError {
  std::size_t particles = 0;
  double density = 0, velocity = 0, pressure = 0;
};
/// Of a snapshot of the model sod or sedov at its time, of ideal gas: of the tube those within x_limit of the membrane,
/// beyond which other waves come in. Throws Error for snapshots at the start or without densities and energies.
FlowError error_of_tube(const Snapshot& snapshot, const ShockTube& tube, double gamma, double x_limit);
FlowError error_of_blast(const Snapshot& snapshot, const SedovBlast& blast, double gamma);

}  // namespace hornbeam::analysis
