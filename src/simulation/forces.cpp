// SPDX-License-Identifier: Apache-2.0
// Evaluations of forces, one after the other on one device.
#include "hornbeam/forces.h"

#include <algorithm>
#include <vector>

#include "dynamics/particle_system.h"
#include "simulation/finite.h"
#include "simulation/target_points.h"

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

}  // namespace

ForceEvaluator::ForceEvaluator(const std::string& backend, int device, int threads)
    : system_(std::make_unique<ParticleSystem>(open_device(backend, device, threads))) {}
ForceEvaluator::~ForceEvaluator() = default;
ForceEvaluator::ForceEvaluator(ForceEvaluator&&) noexcept = default;
ForceEvaluator& ForceEvaluator::operator=(ForceEvaluator&&) noexcept = default;

void ForceEvaluator::load(const Particles& particles, const GravityOptions& options, const Boundary& boundary) {
  system_->set_boundary(boundary, 0);
  system_->load(particles, options);
  system_->build_tree();
}

void ForceEvaluator::evaluate(Particles& particles, const GravityOptions& options, const Boundary& boundary) {
  particles.validate("particles");
  boundary.validate();
  options.validate();
  const Kept kept(particles);
  load(particles, with_common_eps(options, particles), boundary);
  system_->evaluate();
  demand_finite(*system_, {"particles", particles});
  system_->domain().store(particles);
}

ForceField ForceEvaluator::evaluate_at(const Particles& particles, const std::vector<Vec3>& points,
                                       const std::vector<double>& eps, const GravityOptions& options,
                                       const Boundary& boundary) {
  demand_targets(options, points.size(), eps.empty() ? std::nullopt : std::optional(eps.size()));
  Particles sources;
  sources.resize(particles.size());
  sources.position = particles.position;
  sources.mass = particles.mass;
  sources.id = particles.id;
  sources.eps = particles.eps;
  sources.validate("particles");
  const TreeLengths lengths = tree_lengths(options, own_lengths(sources.eps), range_of(eps));
  if (lengths.of_all >= 0) sources.eps.assign(sources.size(), lengths.of_all);
  sources.velocity.clear();
  boundary.validate();
  options.validate();
  load(sources, lengths.options, boundary);
  return forces_at(*system_, boundary, points, lengths.of_points ? eps : std::vector<double>());
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
