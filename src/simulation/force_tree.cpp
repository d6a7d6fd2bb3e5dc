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
#include "stages/wrap.h"

namespace hornbeam {
namespace {

/// Whether the tree of one serves the other.
bool share_a_tree(const GravityOptions& a, const GravityOptions& b) {
  if ((a.effective_theta_c() > 0) != (b.effective_theta_c() > 0)) return false;
  return a.eps == b.eps && a.order == b.order && a.expansion == b.expansion && a.walk == b.walk && a.curve == b.curve &&
         a.precision == b.precision && a.leaf_size == b.leaf_size && a.group_size == b.group_size && a.G == b.G;
}

bool same_accuracy(const GravityOptions& a, const GravityOptions& b) {
  return a.theta == b.theta && a.theta_c == b.theta_c && a.mac == b.mac && a.softening == b.softening &&
         a.conserve == b.conserve;
}

/// The farthest that one is from the first.
double reach(const std::vector<Vec3>& position, const Vec3& first) {
  double most = 0;
  for (const Vec3& x : position) {
    for (std::size_t k = 0; k < 3; ++k) most = std::max(most, std::abs(x[k] - first[k]));
  }
  return most;
}

/// Whether numbers in single precision, in units chosen for one size, serve another one.
bool are_alike(double size, double other) {
  constexpr double far = 1 << 20;  // its cube, too, is far from what single precision has
  return size <= far * other && other <= far * size;
}

void demand_place(const Vec3& place, std::size_t i) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::isfinite(place[k])) continue;
    throw Error("target " + std::to_string(i), std::string("position ") + "xyz"[k] + " = " + std::to_string(place[k]),
                "must be finite");
  }
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
  const bool one_by_one = options.walk == Walk::stackless || options.walk == Walk::vote;
  if (options.mac == Mac::relative && one_by_one) {
    throw UsageError("mac = relative", "at other places it needs walk group or direct", "use another mac or walk");
  }
  if (!eps.empty() && eps.size() != places.size()) {
    throw UsageError("target_eps", std::to_string(eps.size()) + " for " + std::to_string(places.size()) + " targets",
                     "give one each");
  }
  prepare(options);
  if (!eps.empty() && options_.eps >= 0) {
    throw UsageError("target_eps", "the particles have one length for all", "give the tree lengths of their own");
  }
  if (eps.empty() && options_.eps < 0 && !particles_.eps.empty()) {
    throw UsageError("target_eps", "is missing, and the particles have lengths of their own", "give one each");
  }
  std::vector<Vec3> wrapped = places;
  const bool wraps = boundary_.kind != BoundaryKind::open;
  for (std::size_t i = 0; i < wrapped.size(); ++i) {
    demand_place(wrapped[i], i);
    for (std::size_t k = 0; k < 3 && wraps; ++k) wrapped[i][k] = fp64::wrapped(wrapped[i][k], boundary_.size[k]);
  }
  ForceField field;
  system_->gravity().pull_at(wrapped, eps, field.acceleration, field.potential);
  return checked(std::move(field), places);
}

/// What targets are pulled with by the tree is no particle's, so that nobody else has looked at it.
ForceField ForceTree::checked(ForceField field, const std::vector<Vec3>& places) const {
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Vec3& a = field.acceleration[i];
    if (std::isfinite(a[0] + a[1] + a[2]) && std::isfinite(field.potential[i])) continue;
    throw NotFinite("targets",
                    "what pulls target " + std::to_string(i) + " at (" + std::to_string(places[i][0]) + ", " +
                        std::to_string(places[i][1]) + ", " + std::to_string(places[i][2]) + ") is not finite",
                    "give a softening eps, take precision double, or look for targets very far from all particles");
  }
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
  built_ = built_ && are_alike(reach(position_, built_first_), built_reach_);
  if (built_ && !position.empty()) system_->move(position_);
}

std::string ForceTree::backend() const { return system_->name(); }
StageSeconds ForceTree::seconds() const { return system_->seconds(); }

}  // namespace hornbeam
