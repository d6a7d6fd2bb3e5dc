// SPDX-License-Identifier: Apache-2.0
// kick, drift, rungs, external potentials and energies on the CPU: loops over the stages' bodies. Compiled once a
// precision.
#pragma once

#include <vector>

#include "backend/backend.h"
#include "physics/external.h"
#include "stages/finite.h"
#include "stages/rungs.h"
#include "tree/host_particles.h"

HB_OPEN

/// v += a step, x += v step.
void kick_particles(CpuParticles& particles, pos_t step);
void drift_particles(CpuParticles& particles, pos_t step);

/// Takes accelerations and potentials to an internal length that is `smaller` times the present one: powers of two,
/// which change no digits.
void change_unit(CpuParticles& particles, real smaller);

/// Corrects velocities and gives rungs as Backend::choose_rungs(); rule: in this device's units.
RungCensus choose_particle_rungs(CpuParticles& particles, const RungRule& rule, i32 least);
/// v += a dt / 2, dt the step of its rung, for particles from rung `least` on.
void kick_particles_on_rungs(CpuParticles& particles, const RungRule& rule, i32 least);
/// The largest |a| / eps of particles with eps > 0, internal.
pos_t largest_particle_pull(const CpuParticles& particles);

/// Adds fields to the accelerations and potentials of `targets`.
void add_external(CpuParticles& particles, const std::vector<ExternalField>& fields,
                  const std::vector<GroupRange>& targets);

/// Backend::not_finite(); most: in this device's units.
u64 count_not_finite(const CpuParticles& particles, const FiniteLimits& most);

/// Sums of Backend::energies(). p_unit: user's potential per internal one; mass_unit: internal mass per user's.
Energies sum_energies(const CpuParticles& particles, const std::vector<ExternalField>& fields, double p_unit,
                      double mass_unit);

/// Backend::motions().
std::vector<Motion> motions_of(const CpuParticles& particles, const std::vector<std::size_t>& which);

HB_CLOSE
