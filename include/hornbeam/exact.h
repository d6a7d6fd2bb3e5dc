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

/// The exact solution of Riemann's problem (Toro 2009, chapter 4): two gases of one gamma, separated by a membrane at x
/// = 0 until t = 0. They must not separate so fast that a vacuum forms.
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
  /// Of the end of the wave that goes to the left, whose side lies at rest or moves.
  [[nodiscard]] double left_tail() const;

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

/// Cold gas that falls on a point from all sides with one speed (Noh 1987): gas at rest within a shock that grows.
class NohFlow {
 public:
  /// Throws UsageError unless density and speed are above 0 and gamma is above 1.
  NohFlow(double density, double speed, double gamma);

  /// Of the shock.
  [[nodiscard]] double radius(double time) const;
  [[nodiscard]] GasPoint at(double radius, double time) const;

 private:
  double density_, speed_, gamma_;
};

/// A ring of gas that turns between radii 0 and 0.4, fastest, with speed 1, at 0.2 (Gresho & Chan 1990). Its velocity
/// is that along the way around.
class GreshoVortex {
 public:
  /// pressure: at the centre.
  GreshoVortex(double density, double pressure) : density_(density), pressure_(pressure) {}

  [[nodiscard]] GasPoint at(double radius) const;
  /// Of one length along its axis.
  [[nodiscard]] double kinetic() const;
  [[nodiscard]] double angular_momentum() const;

 private:
  double density_, pressure_;
};

/// Speeds of 0.01 across two gases that slide along one another (McNally, Lyra & Passy 2012), for their smooth start at
/// 1 : 2 and for equal densities. They come from differences of the eighth order on 256 x 256 (docs/gas-tests.md).
/// Linear between times 0.1 apart; NaN outside of 0 to 1.5 and for other ratios.
double kelvin_helmholtz_amplitude(double ratio, double time);

/// Means of |f - exact| over particles of gas.
struct FlowError {
  std::size_t particles = 0;
  double density = 0, velocity = 0, pressure = 0;
};
/// Errors of a snapshot of the model sod, sedov or noh at its time, of ideal gas. Of the tube only gas within x_limit
/// of the membrane counts, as other waves come in beyond, and of the implosion only gas within `edge`, where the flow
/// is known. Throws Error for snapshots at the start or without densities and energies.
FlowError error_of_tube(const Snapshot& snapshot, const ShockTube& tube, double gamma, double x_limit);
FlowError error_of_blast(const Snapshot& snapshot, const SedovBlast& blast, double gamma);
FlowError error_of_noh(const Snapshot& snapshot, const NohFlow& flow, double gamma, double edge);

/// The state of a tube at its time: means over the exact ones on the two plateaus between tail, contact and shock, 0.03
/// inside. The shock's offset, where density passes half of its jump, is in support radii. Also the rms speed across,
/// and the excess of the largest internal energy of the right plateau.
struct TubeState {  // NaN: no gas is where it is measured
  double left_density = 0, right_density = 0, velocity = 0, pressure = 0;
  double shock_off = 0, transverse_speed = 0, overshoot = 0;
};
TubeState tube_state(const Snapshot& snapshot, const ShockTube& tube, double gamma);

/// Mean densities of gas in spherical shells of equal thickness about the origin, 0 where there is none.
struct ShellDensities {
  std::vector<double> radius, density, smoothing;  ///< of their middles; means of rho and H
};
ShellDensities shell_densities(const Snapshot& snapshot, double thickness, double most);

/// What has become of Gresho's vortex.
struct VortexState {
  double velocity_error = 0;    ///< mean of |v_phi - exact| over all gas
  double binned_error = 0;      ///< the same of means in rings 0.02 wide up to 0.5
  double peak = 0;              ///< largest mean speed of a ring, 1 at first
  double kinetic = 0;           ///< energy over that of the start
  double angular_momentum = 0;  ///< over that of the start
};
VortexState vortex_state(const Snapshot& snapshot, const GreshoVortex& vortex);

/// The wave of length 1 along x that velocities along x hold.
struct WaveState {
  double amplitude = 0;  ///< over that of the start
  double phase = 0;      ///< of sin(2 pi (x - c t) + phase), from -pi to pi: below 0 the wave is ahead
  double error = 0;      ///< mean of |v - exact| over the amplitude of the start
};
WaveState wave_state(const Snapshot& snapshot, double speed_amplitude, double sound_speed);

/// The Kelvin-Helmholtz instability: the speed along y of the mode with that many waves along x near |y| = 1/4 (McNally
/// et al. 2012 eq. 10 to 13), and the largest kinetic energy per volume of motion along y.
struct MixingState {
  double amplitude = 0, largest_kinetic = 0;
};
MixingState mixing_state(const Snapshot& snapshot, int waves);

/// Of the square: how far its corners reach over half of its diagonal, a mean of the four; the rms speed over the sound
/// speed of the thin gas. Gas counts as dense where its energy is below `energy_between`.
struct SquareState {
  double corner = 0, rms_speed = 0;
};
SquareState square_state(const Snapshot& snapshot, double energy_between, double half_edge, double sound_speed);

/// Returns the fraction of a cloud's mass that is still dense and cold: above 0.64 of its first density and below 0.9
/// of the temperature around it (Agertz et al. 2007).
double cloud_share(const Snapshot& snapshot, double cloud_mass, double cloud_density, double energy_outside);

}  // namespace hornbeam::analysis
