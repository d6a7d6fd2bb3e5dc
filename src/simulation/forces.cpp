// SPDX-License-Identifier: Apache-2.0
// Evaluations of forces, one after the other on one device: a check of the caller's arrays, the particles' path, and
// forces into the caller's memory. Compiled with HB_PRECISION = HB_DOUBLE.
#include "hornbeam/forces.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "dynamics/particle_system.h"
#include "hornbeam/error.h"
#include "simulation/columns.h"
#include "simulation/finite.h"
#include "simulation/lent_check.h"
#include "simulation/target_points.h"
#include "tree/adopted.h"

namespace hornbeam {
namespace {

/// Positions as they came, neither wrapped into a box nor rounded, and velocities, which play no part in forces: put
/// back at the end.
class Kept {
 public:
  explicit Kept(Particles& particles) : particles_(particles), position_(particles.position) {
    velocity_.swap(particles.velocity);
  }
  ~Kept() {
    position_.swap(particles_.position);
    velocity_.swap(particles_.velocity);
  }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

 private:
  Particles& particles_;
  std::vector<Vec3> position_, velocity_;
};

bool lie_on_device(const ParticlesOnDevice& p, const ForcesOnDevice& forces) {
  const auto lies = [](const std::optional<ArrayOnDevice>& column) {
    return column && column->data != nullptr && !column->on_host;
  };
  return !forces.on_host || lies(p.position) || lies(p.mass) || lies(p.eps) || lies(p.targets) || lies(p.target_eps);
}

}  // namespace

ForceEvaluator::ForceEvaluator(const std::string& backend, const Devices& devices, int threads)
    : system_(std::make_unique<ParticleSystem>(open_device(backend, devices, threads))) {}
ForceEvaluator::~ForceEvaluator() = default;
ForceEvaluator::ForceEvaluator(ForceEvaluator&&) noexcept = default;
ForceEvaluator& ForceEvaluator::operator=(ForceEvaluator&&) noexcept = default;

Lending& ForceEvaluator::lending() { return lending_of(system_->hardware()); }
std::uintptr_t ForceEvaluator::stream() const { return const_cast<ForceEvaluator*>(this)->lending().queue(); }
void ForceEvaluator::wait_for(std::uintptr_t stream) { lending().wait_for(stream); }
std::shared_ptr<void> ForceEvaluator::allocate(std::size_t bytes) {
  return lending().lend(std::max<std::size_t>(bytes, 1));
}

void ForceEvaluator::evaluate(Particles& particles, const GravityOptions& options, const Boundary& boundary) {
  particles.validate("particles");
  boundary.validate();
  options.validate();
  const Kept kept(particles);
  system_->set_boundary(boundary, 0);
  system_->load(particles, with_common_eps(options, particles));
  system_->build_tree();
  system_->evaluate();
  demand_finite(*system_, {"particles", particles});
  system_->domain().store(particles);
}

ForceField ForceEvaluator::evaluate_at(const Particles& particles, const std::vector<Vec3>& points,
                                       const std::vector<double>& eps, const GravityOptions& options,
                                       const Boundary& boundary) {
  demand_targets(options, points.size(), eps.empty() ? std::nullopt : std::optional(eps.size()));
  validate_sources(particles);
  ParticlesOnDevice columns = columns_of(particles);
  columns.targets = column_of(points);
  if (!eps.empty()) columns.target_eps = column_of(eps);
  ForceField found = forces_of(points.size());
  evaluate(columns, options, columns_of(found), boundary);
  return found;
}

void ForceEvaluator::evaluate(const ParticlesOnDevice& particles, const GravityOptions& options,
                              const ForcesOnDevice& forces, const Boundary& boundary) {
  const bool on_device = lie_on_device(particles, forces);
  if (on_device) static_cast<void>(lending());
  for (;;) {
    try {
      Adopted adopted(system_->hardware());
      const std::size_t rows = (particles.targets ? *particles.targets : particles.position).rows;
      const ForcesOnDevice found = adopted.written(forces, rows);
      evaluate_there(adopted.read(particles), options, found, boundary);
      adopted.finish();
      if (on_device) lending().finish();
      return;
    } catch (const DeviceFull& full) {  // while they are copied, or before
      if (on_device || !system_->take_next_device(full)) throw;
    }
  }
}

void ForceEvaluator::evaluate_there(const ParticlesOnDevice& particles, const GravityOptions& options,
                                    const ForcesOnDevice& forces, const Boundary& boundary) {
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
  GravityOptions wanted = lengths.options;  // what a default accuracy means is up to load(), which knows the memory
  if (forces.tide != nullptr) wanted = system_->resolved(wanted, sources.size(), sources.own_eps, true);
  system_->load(sources, wanted);
  system_->build_tree();
  if (targets) {
    return forces_at(*system_, boundary, sources.size(), *targets, lengths.of_points ? eps : std::nullopt, forces);
  }
  system_->evaluate();
  if (system_->leapfrog().not_finite() > 0) {
    const Particles host = fetched_particles(device, particles);
    demand_finite(*system_, {"particles", host});
  }
  system_->domain().give(forces);
}

std::string ForceEvaluator::backend() const { return system_->name(); }
std::string ForceEvaluator::device_note() const { return system_->device_note(); }
StageSeconds ForceEvaluator::seconds() const { return system_->seconds(); }
Interactions ForceEvaluator::interactions() const { return system_->interactions(); }
Bytes ForceEvaluator::bytes() const { return system_->bytes(); }
std::uint64_t ForceEvaluator::memory_bytes() const { return system_->hardware().memory_bytes(); }

void accelerations(Particles& particles, const GravityOptions& options, int threads) {
  ForceEvaluator("cpu", 0, threads).evaluate(particles, options);
}

}  // namespace hornbeam
