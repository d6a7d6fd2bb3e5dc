// SPDX-License-Identifier: Apache-2.0
// Evaluations of forces between arrays that lie on the device: a look at their numbers, the particles' path, and
// forces into the caller's memory. Compiled with HB_PRECISION = HB_DOUBLE.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/particle_system.h"
#include "hornbeam/error.h"
#include "hornbeam/forces.h"
#include "simulation/finite.h"
#include "simulation/lent_check.h"
#include "simulation/target_points.h"

namespace hornbeam {

Lending& ForceEvaluator::lending() { return lending_of(system_->hardware()); }

std::uintptr_t ForceEvaluator::stream() const { return const_cast<ForceEvaluator*>(this)->lending().queue(); }
void ForceEvaluator::wait_for(std::uintptr_t stream) { lending().wait_for(stream); }
std::shared_ptr<void> ForceEvaluator::allocate(std::size_t bytes) {
  return lending().lend(std::max<std::size_t>(bytes, 1));
}

void ForceEvaluator::evaluate_copied(const ParticlesOnDevice& particles, const GravityOptions& options,
                                     const ForcesOnDevice& forces, const Boundary& boundary) {
  for (;;) {
    try {
      return evaluate_by_copies(particles, options, forces, boundary);
    } catch (const DeviceFull& full) {  // while they are copied, or before
      if (!system_->take_next_device(full)) throw;
    }
  }
}

void ForceEvaluator::evaluate_by_copies(const ParticlesOnDevice& particles, const GravityOptions& options,
                                        const ForcesOnDevice& forces, const Boundary& boundary) {
  Device& device = system_->hardware();
  if (device.adopt(forces.acceleration) != nullptr) return evaluate(particles, options, forces, boundary);
  std::vector<Buffer> copies;
  const auto copied = [&](std::optional<ArrayOnDevice> array, std::size_t axes) {
    if (!array || array->data == nullptr || array->rows == 0) return array;
    const std::size_t bytes = array->rows * axes * sizeof(double);
    Buffer& copy = copies.emplace_back(device);
    copy.reserve(bytes);
    device.upload(copy, 0, array->data, bytes);
    array->data = copy.handle();
    return array;
  };
  const ParticlesOnDevice there = {*copied(particles.position, 3), *copied(particles.mass, 1), copied(particles.eps, 1),
                                   copied(particles.targets, 3), copied(particles.target_eps, 1)};
  const std::size_t rows = particles.targets ? particles.targets->rows : particles.position.rows;
  if (rows == 0) return evaluate(there, options, forces, boundary);
  Buffer acceleration(device), potential(device);
  acceleration.reserve(rows * 3 * sizeof(double));
  potential.reserve(rows * sizeof(double));
  evaluate(there, options, {acceleration.handle(), potential.handle(), true}, boundary);
  device.download(forces.acceleration, acceleration, 0, rows * 3 * sizeof(double));
  device.download(forces.potential, potential, 0, rows * sizeof(double));
}

void ForceEvaluator::evaluate(const ParticlesOnDevice& particles, const GravityOptions& options,
                              const ForcesOnDevice& forces, const Boundary& boundary) {
  Lending& lending = this->lending();
  Device& device = system_->hardware();
  boundary.validate();
  options.validate();
  const std::optional<ArrayOnDevice>&targets = particles.targets, &eps = particles.target_eps;
  if (targets) demand_targets(options, targets->rows, eps ? std::optional(eps->rows) : std::nullopt);
  GravityOptions common = options;
  common.eps = -1;
  LentParticles sources = looked_at(device, particles, common);
  if (!targets && sources.size() == 0) return;
  OwnLengths own{.some = particles.eps.has_value(), .common = std::nullopt};
  if (own.some && !sources.own_eps && sources.size() > 0) own.common = common.eps;
  const TreeLengths lengths = targets ? tree_lengths(options, own, range_of(device, eps)) : tree_lengths(options, own);
  take_lengths(lengths, sources);
  system_->set_boundary(boundary, 0);
  system_->load(sources, lengths.options);
  system_->build_tree();
  if (targets) {
    forces_at(*system_, boundary, sources.size(), *targets, lengths.of_points ? eps : std::nullopt, forces);
    return lending.finish();
  }
  system_->evaluate();
  if (system_->leapfrog().not_finite() > 0) {
    const Particles host = fetched_particles(device, particles);
    demand_finite(*system_, {"particles", host});
  }
  system_->domain().give(forces);
  lending.finish();
}

}  // namespace hornbeam
