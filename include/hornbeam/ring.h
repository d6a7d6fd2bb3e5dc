// SPDX-License-Identifier: Apache-2.0
// Measures of a patch of a planetary ring (docs/collisions.md).
#pragma once

#include <string_view>

#include "hornbeam/boundary.h"
#include "hornbeam/particles.h"

namespace hornbeam {

/// Velocities are taken from the shear: v_y + 3/2 omega x along the orbit.
struct RingState {
  std::size_t bodies = 0;
  double mass = 0;
  double optical_depth = 0;   ///< dynamical: sum of pi r^2 over the area
  Vec3 dispersion{};          ///< root mean squares of the velocities, each body counting once
  double filling_factor = 0;  ///< of the mid-plane: sum of pi (r^2 - z^2) over the bodies that cut it, over the area
  double translational_viscosity = 0;  ///< 2/3 <v_x v_y> / omega, by mass
  /// omega c_x / (3.36 G surface density); 0 without masses, and with masses so small that Q is beyond double precision
  double toomre_q = 0;
};

/// Throws Error for particles without radii, UsageError for a boundary that is no sheet: so do all measures.
void check_ring(const Particles& particles, const Boundary& sheet);

RingState measure_ring(const Particles& particles, const Boundary& sheet, double G);

/// Returns the viscosity of the gravity between bodies (the third term of Daisaka, Tanaka & Ida 2001). It is -1/3 G
/// / omega times the mean by mass of the sum of m dx dy / d^3 over all others, above 0 if wakes trail. Pairs count
/// to 3 critical wavelengths, or to n_ghost + 1/2 boxes, across walls, and fade out over the outer half. Bodies
/// that overlap attract as if they touched. Many bodies are sampled, and those far from a sample are taken in
/// lumps.
double gravitational_viscosity(const Particles& particles, const Boundary& sheet, double G, double time);

/// How deep bodies overlap: the sum of two radii less their distance, over the smaller radius. Points are not counted.
struct RingOverlap {
  std::size_t pairs = 0;  ///< that overlap
  double mean = 0;        ///< over these
  double largest = 0;
};
RingOverlap ring_overlap(const Particles& particles, const Boundary& sheet, double time);

/// -ln of the share of light that comes through from above: rays through a net of 1024 x 1024 points, the shadows of
/// bodies beyond the walls among them. Infinite where none does. time: of the snapshot, by which neighbours have
/// drifted.
double photometric_depth(const Particles& particles, const Boundary& sheet, double time);

/// The direction along which the surface density correlates best with itself. Distances go from a quarter of a critical
/// wavelength (below it shows clumps, not their order) to one and a half, at most 0.45 of the box. Without gravity (G =
/// 0) a sixth of the box replaces the wavelength.
struct WakePitch {
  double angle = 0;     ///< degrees from the orbit, above 0 where wakes trail
  double contrast = 0;  ///< mean excess of the autocorrelation in it
};
WakePitch wake_pitch(const Particles& particles, const Boundary& sheet, double G);

}  // namespace hornbeam
