// SPDX-License-Identifier: Apache-2.0
// Evaluations of forces, one after the other on one device.
#include "hornbeam/forces.h"

#include <vector>

#include "dynamics/particle_system.h"
#include "simulation/finite.h"

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

void ForceEvaluator::load(const Particles& particles, const GravityOptions& options, const Boundary& boundary,
                          bool some) {
  boundary.validate();
  options.validate();
  system_->set_boundary(boundary, 0);
  system_->load(particles, with_common_eps(options, particles), {.rungs = some});
  system_->build_tree();
}

void ForceEvaluator::evaluate(Particles& particles, const GravityOptions& options, const Boundary& boundary) {
  particles.validate("particles");
  const Kept kept(particles);
  load(particles, options, boundary, false);
  system_->evaluate();
  demand_finite(*system_, {"particles", particles});
  system_->domain().store(particles);
}

void ForceEvaluator::evaluate_from(std::size_t first, Particles& particles, const GravityOptions& options,
                                   const Boundary& boundary) {
  if (first == 0 || options.mac == Mac::relative) return evaluate(particles, options, boundary);
  particles.validate("particles");
  const Kept kept(particles);
  load(particles, options, boundary, true);
  system_->evaluate_from(first);
  demand_finite(*system_, {"particles", particles});
  system_->domain().store(particles);
  for (std::size_t i = 0; i < first; ++i) {  // beside a target in its group they may have been found, or not
    particles.acceleration[i] = {};
    particles.potential[i] = 0;
  }
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
