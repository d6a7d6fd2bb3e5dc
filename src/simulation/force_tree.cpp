// SPDX-License-Identifier: Apache-2.0
// A tree that stays, see hornbeam/force_tree.h: a domain that is built once, walked by its own particles or by guests,
// and refitted.
#include "hornbeam/force_tree.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/particle_system.h"
#include "hornbeam/error.h"
#include "simulation/finite.h"
#include "simulation/kept_tree.h"
#include "simulation/target_points.h"

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
  own_eps_ = particles_.eps;
}
ForceTree::~ForceTree() = default;
ForceTree::ForceTree(ForceTree&&) noexcept = default;
ForceTree& ForceTree::operator=(ForceTree&&) noexcept = default;

void ForceTree::prepare(const TreeLengths& lengths) {
  const GravityOptions& options = lengths.options;
  if (built_ && share_a_tree(options_, options) && lengths.of_all == eps_of_all_) {
    // what `relative` remembers would make the second answer another one than the first
    if (!same_accuracy(options_, options) || options.mac == Mac::relative) system_->set_accuracy(options);
    options_ = options;
    return;
  }
  built_ = false;
  particles_.position = position_;
  if (lengths.of_all >= 0) {
    particles_.eps.assign(particles_.size(), lengths.of_all);
  } else {
    particles_.eps = own_eps_;
  }
  system_->set_boundary(boundary_, 0);
  system_->load(particles_, options);
  system_->build_tree();
  options_ = options;
  eps_of_all_ = lengths.of_all;
  if (!position_.empty()) built_first_ = position_.front();
  built_reach_ = reach(position_, built_first_);
  built_ = true;
}

ForceField ForceTree::evaluate(const GravityOptions& options) {
  options.validate();
  prepare(tree_lengths(options, own_lengths(own_eps_)));
  if (particles_.size() == 0) return {};
  system_->evaluate();
  demand_finite(*system_, {"particles", particles_});
  system_->domain().store(particles_);
  return {std::move(particles_.acceleration), std::move(particles_.potential)};
}

ForceField ForceTree::evaluate_at(const std::vector<Vec3>& places, const std::vector<double>& eps,
                                  const GravityOptions& options) {
  demand_targets(options, places.size(), eps.empty() ? std::nullopt : std::optional(eps.size()));
  options.validate();
  const TreeLengths lengths = tree_lengths(options, own_lengths(own_eps_), range_of(eps));
  prepare(lengths);
  return forces_at(*system_, boundary_, places, lengths.of_points ? eps : std::vector<double>());
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
