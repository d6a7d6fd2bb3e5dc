// SPDX-License-Identifier: Apache-2.0
// The ways of a domain's particles that no host has a part in: from a caller's arrays on the device, and forces back
// into such arrays. Compiled once a precision (HB_PRECISION).
#include "tree/lent_columns.h"
#include "tree/particle_domain.h"

HB_OPEN
void ParticleDomain::load_lent(const LentParticles& particles, const DomainOptions& options, const Holding& holding) {
  timer_.clear();
  const StageTimer::Scope timed(timer_, &StageSeconds::transfer);
  begin_load(particles.size(), options, holding);
  if (p_.n == 0) return;
  choose_scales(particles.mass, particles.extent);
  const ParticlesOnDevice& arrays = particles.arrays;
  for (int k = 0; k < 3; ++k) take_axis(device_, {arrays.position}, k, nullptr, p_.n, p_.x[k]);
  take_reals(device_, arrays.mass, frame_.mass, p_.mass);
  if (holding.own_eps) take_reals(device_, *arrays.eps, 1 / p_.eps_unit, p_.eps);
}

void ParticleDomain::move(const ArrayOnDevice& position) {
  const StageTimer::Scope timed(timer_, &StageSeconds::transfer);
  for (int k = 0; k < 3; ++k) take_axis(device_, {position}, k, &p_.input, p_.n, p_.x[k]);
}

void ParticleDomain::give(const ForcesOnDevice& to) {
  const StageTimer::Scope timed(timer_, &StageSeconds::transfer);
  give_forces(device_, p_, {frame_.acceleration(), frame_.potential()}, to);
}

HB_CLOSE
