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
  const auto first_target = static_cast<i32>(particles.sources());
  const auto take_places = [&](const ArrayOnDevice& from, i32 first) {
    const auto n = static_cast<i32>(from.rows);
    for (int k = 0; k < 3; ++k) {
      device_.launch(
          kernels::take_positions{
              .memory = memory_of(from), .column = column_of(from, k), .n = n, .first = first, .to = p_.x[k]},
          plain_variant, n);
    }
  };
  take_places(arrays.position, 0);
  if (arrays.targets) take_places(*arrays.targets, first_target);
  device_.clear(p_.mass, size() * sizeof(real));
  take_reals(device_, arrays.mass, frame_.mass, 0, p_.mass);
  if (!holding.own_eps) return;
  take_reals(device_, *arrays.eps, 1 / p_.eps_unit, 0, p_.eps);
  if (arrays.target_eps) take_reals(device_, *arrays.target_eps, 1 / p_.eps_unit, first_target, p_.eps);
}

void ParticleDomain::move(const ArrayOnDevice& position) {
  const StageTimer::Scope timed(timer_, &StageSeconds::transfer);
  for (int k = 0; k < 3; ++k) take_places(device_, {position}, k, &p_.input, p_.n, p_.x[k]);
}

void ParticleDomain::mark_targets(std::size_t first) {
  p_.rung.reserve(size() * sizeof(u32));
  device_.launch(
      kernels::mark_targets{.input = p_.input, .first = static_cast<i32>(first), .n = p_.n, .rungs = p_.rung},
      plain_variant, p_.n);
}

void ParticleDomain::give(std::size_t first, const ForcesOnDevice& to) {
  const StageTimer::Scope timed(timer_, &StageSeconds::transfer);
  device_.launch(kernels::give_forces{.input = p_.input,
                                      .acc = p_.acc,
                                      .n = p_.n,
                                      .first = static_cast<i32>(first),
                                      .acceleration_unit = frame_.acceleration(),
                                      .potential_unit = frame_.potential(),
                                      .wide = to.is_double ? 1 : 0,
                                      .accelerations = ArrayArgument<u8>::lent(to.acceleration),
                                      .potentials = ArrayArgument<u8>::lent(to.potential)},
                 plain_variant, p_.n);
}

HB_CLOSE
