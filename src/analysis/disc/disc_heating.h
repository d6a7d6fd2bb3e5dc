// SPDX-License-Identifier: Apache-2.0
// How fast the particles of a halo heat a disc: an estimate before a run, from its first snapshot.
#pragma once

#include <optional>

#include "hornbeam/particles.h"

namespace hornbeam::analysis {

/// At the radius that holds half of the disc's stars.
struct DiscHeating {
  double radius = 0;
  double dispersion = 0;    ///< sigma_z of the stars, the root mean square of their vertical velocities
  double halo_mass = 0;     ///< of a halo particle, sum m^2 / sum m
  double halo_density = 0;  ///< there
  double coulomb_log = 0;   ///< ln(radius / b), b the halo's softening or G m / sigma^2, whichever is larger
  double rate = 0;          ///< d sigma_z^2 / dt

  /// sigma_z after a time.
  [[nodiscard]] double dispersion_after(double time) const;
};

/// By Chandrasekhar's diffusion of velocities across a star's motion (Binney & Tremaine 2008, eq. 7.92), as Lacey &
/// Ostriker (1985, ApJ 299, 633) take it for a disc in a halo of heavy particles, times disc_heating_factor. eps: of
/// all particles; negative: their own. Nothing without a halo, and where the stars of the family disc do not turn as
/// one disc.
std::optional<DiscHeating> disc_heating(const Snapshot& snapshot, double eps);

}  // namespace hornbeam::analysis
