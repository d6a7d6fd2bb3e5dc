// SPDX-License-Identifier: Apache-2.0
// kick, drift, rungs and energies on a device: launches of kernels/dynamics.h and kernels/rungs.h. Compiled once a
// precision.
#pragma once

#include "backend/backend.h"
#include "interactions/gravity/device_walk.h"
#include "stages/finite.h"
#include "stages/rungs.h"
#include "tree/device_tree.h"

HB_OPEN

/// v += a step, x += v step.
void kick_particles(Device& device, DeviceParticles& particles, pos_t step);
void drift_particles(Device& device, DeviceParticles& particles, pos_t step);

/// Takes accelerations and potentials to an internal length that is `smaller` times the present one: powers of two,
/// which change no digits.
void scale_accelerations(Device& device, DeviceParticles& particles, real smaller);

// room: lends its scratch buffer.

/// Corrects velocities and gives rungs as Backend::choose_rungs(); rule: in this device's units. Waits for
/// the census.
RungCensus choose_particle_rungs(Device& device, DeviceParticles& particles, const RungRule& rule, i32 least,
                                 DeviceWalk& room);
/// v += a dt / 2, dt the step of its rung, for particles from rung `least` on.
void kick_particles_on_rungs(Device& device, DeviceParticles& particles, const RungRule& rule, i32 least);
/// The largest |a| / eps of particles with eps > 0, internal.
pos_t largest_particle_pull(Device& device, const DeviceParticles& particles, DeviceWalk& room);

/// Backend::not_finite(); most: in this device's units.
u64 count_not_finite(Device& device, const DeviceParticles& particles, const FiniteLimits& most, DeviceWalk& room);

/// Sums of Backend::energies(). p_unit: user's potential per internal one; mass_unit: internal mass per user's.
Energies sum_energies(Device& device, const DeviceParticles& particles, const ExternalFields& fields, double p_unit,
                      double mass_unit, DeviceWalk& room);

HB_CLOSE
