// SPDX-License-Identifier: Apache-2.0
// Particles in arrays of a caller on the device, looked at before they are loaded. Only where something is wrong do
// they come to the host, for the words of it.
#pragma once

#include "hornbeam/device_arrays.h"
#include "hornbeam/gravity.h"
#include "hornbeam/particles.h"
#include "tree/lent_particles.h"

namespace hornbeam {

class Device;

/// The particles on the host, without target points.
Particles fetched_particles(Device& device, const ParticlesOnDevice& arrays);
/// Throws as Particles::validate() does. options: eps becomes the length that all particles have.
LentParticles looked_at(Device& device, const ParticlesOnDevice& arrays, GravityOptions& options);

}  // namespace hornbeam
