// SPDX-License-Identifier: Apache-2.0
// The look at every result that leaves a walk: numbers that are non-finite become an error that names a particle and
// fits the cause. After the backend; before whoever writes, prints or compares.
#pragma once

#include <span>
#include <string>

#include "hornbeam/error.h"
#include "hornbeam/gravity.h"
#include "hornbeam/particles.h"
#include "hornbeam/potential.h"

namespace hornbeam {

class ParticleSystem;

/// What an error about results needs to know.
struct Evaluated {
  std::string subject;         ///< of the error: a file, a model, a time
  const Particles& particles;  ///< as they were loaded: identities, masses, softening
  std::span<const ExternalPotential> potentials{};
  double time = 0;  ///< where the potentials stand
};

/// Throws NotFinite where positions, velocities, accelerations or potentials that `backend` holds are non-finite.
void demand_finite(ParticleSystem& system, const Evaluated& what);
/// The same of what.particles themselves, whose accelerations and potentials are of `options`.
void demand_finite(const GravityOptions& options, const Evaluated& what);
/// system.leapfrog().energies(); throws NotFinite where they are non-finite.
Energies finite_energies(ParticleSystem& system, const Evaluated& what);
/// Throws NotFinite for a backend whose numbers are known not to be finite.
[[noreturn]] void report_not_finite(ParticleSystem& system, const Evaluated& what);

}  // namespace hornbeam
