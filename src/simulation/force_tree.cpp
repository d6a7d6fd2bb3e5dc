// SPDX-License-Identifier: Apache-2.0
// A tree that stays, see hornbeam/force_tree.h: a domain that is built once, walked by its own particles or by guests,
// and refitted.
#define HB_PRECISION HB_DOUBLE  // places are wrapped in fp64
#include "hornbeam/force_tree.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/particle_system.h"
#include "hornbeam/error.h"
#include "simulation/finite.h"
#include "simulation/kept_tree.h"
#include "stages/wrap.h"

namespace hornbeam {
namespace {

/// The farthest that one is from the first.
double reach(const std::vector<Vec3>& position, const Vec3& first) {
  double most = 0;
  for (const Vec3& x : position) {
    for (std::size_t k = 0; k < 3; ++k) most = std::max(most, std::abs(x[k] - first[k]));
  }
  return most;
}

}  // namespace

ForceTree::ForceTree(Particles particles, const Boundary& boundary, const std::string& backend, int device, int threads)
    : particles_(std::move(particles)),
      boundary_(boundary),
      system_(std::make_unique<ParticleSystem>(open_device(backend, device, threads))) {
  particles_.velocity.clear();
  boundary_.validate();
  Particles checked = particles_;
  checked.velocity.resize(particles_.size());
  checked.validate("particles");
  position_ = particles_.position;
}
ForceTree::~ForceTree() = default;
ForceTree::ForceTree(ForceTree&&) noexcept = default;
ForceTree& ForceTree::operator=(ForceTree&&) noexcept = default;

void ForceTree::prepare(const GravityOptions& asked) {
  asked.validate();
  const GravityOptions options = with_common_eps(asked, particles_);
  if (built_ && share_a_tree(options_, options)) {
    // what `relative` remembers would make the second answer another one than the first
    if (!same_accuracy(options_, options) || options.mac == Mac::relative) system_->set_accuracy(options);
    options_ = options;
    return;
  }
  built_ = false;
  particles_.position = position_;
  system_->set_boundary(boundary_, 0);
  system_->load(particles_, options);
  system_->build_tree();
  options_ = options;
  if (!position_.empty()) built_first_ = position_.front();
  built_reach_ = reach(position_, built_first_);
  built_ = true;
}

ForceField ForceTree::evaluate(const GravityOptions& options) {
  prepare(options);
  if (particles_.size() == 0) return {};
  system_->evaluate();
  demand_finite(*system_, {"particles", particles_});
  system_->domain().store(particles_);
  return {std::move(particles_.acceleration), std::move(particles_.potential)};
}

ForceField ForceTree::evaluate_at(const std::vector<Vec3>& places, const std::vector<double>& eps,
                                  const GravityOptions& options) {
  demand_targets(options, places.size(), eps.empty() ? std::nullopt : std::optional(eps.size()));
  prepare(options);
  demand_target_eps(!eps.empty(), options_.eps < 0 && !particles_.eps.empty(), options_.eps >= 0);
  std::vector<Vec3> wrapped = places;
  const bool wraps = boundary_.kind != BoundaryKind::open;
  for (std::size_t i = 0; i < wrapped.size(); ++i) {
    demand_place(wrapped[i], i);
    for (std::size_t k = 0; k < 3 && wraps; ++k) wrapped[i][k] = fp64::wrapped(wrapped[i][k], boundary_.size[k]);
  }
  ForceField field;
  system_->gravity().pull_at(wrapped, eps, field.acceleration, field.potential);
  demand_finite_at(places, field);
  return field;
}

void ForceTree::refit(const std::vector<Vec3>& position) {
  if (position.size() != particles_.size()) {
    throw UsageError("positions",
                     std::to_string(position.size()) + " for a tree of " + std::to_string(particles_.size()),
                     "give those of the same particles");
  }
  Particles moved;
  moved.resize(position.size());
  moved.position = position;
  moved.validate("particles");
  position_ = position;
  // as large as it was built for, and where that was
  built_ = built_ && !position_.empty() && are_alike(reach(position_, position_.front()), built_reach_) &&
           are_alike(reach(position_, built_first_), built_reach_);
  if (built_ && !position.empty()) system_->move(position_);
}

std::string ForceTree::backend() const { return system_->name(); }
StageSeconds ForceTree::seconds() const { return system_->seconds(); }

}  // namespace hornbeam
