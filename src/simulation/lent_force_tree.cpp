// SPDX-License-Identifier: Apache-2.0
// A tree of a caller's arrays that stays, see lent_force_tree.h. Compiled with HB_PRECISION = HB_DOUBLE.
#include "simulation/lent_force_tree.h"

#include <algorithm>
#include <cmath>

#include "device/devices.h"
#include "dynamics/particle_system.h"
#include "hornbeam/error.h"
#include "simulation/finite.h"
#include "simulation/kept_tree.h"
#include "simulation/lent_check.h"
#include "simulation/target_points.h"
#include "tree/lent_numbers.h"

namespace hornbeam {

using namespace fp64;

LentForceTree::LentForceTree(const std::string& backend, int device)
    : system_(std::make_unique<ParticleSystem>(open_device(backend, device))),
      position_(system_->hardware()),
      mass_(system_->hardware()),
      eps_(system_->hardware()) {
  static_cast<void>(lending_of(system_->hardware()));
}
LentForceTree::~LentForceTree() = default;

Device& LentForceTree::device() { return system_->hardware(); }
std::string LentForceTree::backend() const { return system_->name(); }

/// Of one number a particle.
ArrayOnDevice LentForceTree::column(const Buffer& of) const {
  ArrayOnDevice array;
  array.data = of.handle();
  array.rows = size_;
  array.row_stride = 1;
  array.column_stride = static_cast<std::int64_t>(size_);
  return array;
}

ParticlesOnDevice LentForceTree::arrays() const {
  ParticlesOnDevice all{column(position_), column(mass_), {}, {}, {}};
  if (eps_.bytes() > 0) all.eps = column(eps_);
  return all;
}

void LentForceTree::copy(const ArrayOnDevice& from, Buffer& to) {
  const auto n = static_cast<i32>(size_);
  to.reserve(std::max<std::size_t>(1, size_) * sizeof(pos_t));
  take_places(device(), {from}, 0, nullptr, n, to.as<pos_t>());
}

void LentForceTree::copy_places(const ArrayOnDevice& position) {
  const auto n = static_cast<i32>(size_);
  position_.reserve(std::max<std::size_t>(1, 3 * size_) * sizeof(pos_t));
  for (std::size_t k = 0; k < 3; ++k) {
    auto* const to = static_cast<pos_t*>(position_.handle()) + k * size_;
    take_places(device(), {position}, static_cast<i64>(k), nullptr, n, ArrayArgument<pos_t>::lent(to));
  }
}

void LentForceTree::load(const ParticlesOnDevice& particles, const Boundary& boundary) {
  boundary.validate();
  boundary_ = boundary;
  GravityOptions eps_alike;
  eps_alike.eps = -1;
  looked_ = looked_at(device(), particles, eps_alike);
  own_ = {.some = particles.eps.has_value(), .common = std::nullopt};
  if (particles.eps && !looked_.own_eps && particles.position.rows > 0) own_.common = eps_alike.eps;
  size_ = particles.position.rows;
  copy_places(particles.position);
  copy(particles.mass, mass_);
  eps_.release();
  if (particles.eps) copy(*particles.eps, eps_);
  built_ = false;
  lending_of(device()).finish();
}

Vec3 LentForceTree::first_place() {
  Vec3 first{};
  for (std::size_t k = 0; k < 3 && size_ > 0; ++k) {
    device().download(&first[k], position_, k * size_ * sizeof(pos_t), sizeof(pos_t));
  }
  return first;
}

/// The farthest that one is from where the first one was when the tree was built.
double LentForceTree::reach() {
  double most = 0;
  for (std::size_t k = 0; k < 3 && size_ > 0; ++k) {
    const Survey along = survey_axis(device(), column(position_), static_cast<i64>(k));
    most = std::max({most, std::abs(along.least - built_first_[k]), std::abs(along.largest - built_first_[k])});
  }
  return most;
}

double LentForceTree::extent() {
  double longest = 0;
  for (std::size_t k = 0; k < 3 && size_ > 0; ++k) {
    const Survey along = survey_axis(device(), column(position_), static_cast<i64>(k));
    longest = std::max(longest, along.largest - along.least);
  }
  return longest;
}

void LentForceTree::prepare(const TreeLengths& lengths) {
  const GravityOptions& options = lengths.options;
  if (built_ && share_a_tree(options_, options) && lengths.of_all == eps_of_all_) {
    // what `relative` remembers would make the second answer another one than the first
    if (!same_accuracy(options_, options) || options.mac == Mac::relative) system_->set_accuracy(options);
    options_ = options;
    return;
  }
  built_ = false;
  LentParticles particles = looked_;
  particles.arrays = arrays();
  take_lengths(lengths, particles);
  particles.extent = survey(device(), 3, particles.arrays.position).extent();
  system_->set_boundary(boundary_, 0);
  system_->load(particles, options);
  system_->build_tree();
  options_ = options;
  eps_of_all_ = lengths.of_all;
  built_first_ = first_place();
  built_reach_ = reach();
  built_ = true;
}

void LentForceTree::evaluate(const GravityOptions& options, const ForcesOnDevice& forces) {
  options.validate();
  prepare(tree_lengths(options, own_));
  if (size_ == 0) return;
  system_->evaluate();
  if (system_->leapfrog().not_finite() > 0) {
    const Particles host = fetched_particles(device(), arrays());
    demand_finite(*system_, {"particles", host});
  }
  system_->domain().give(forces);
  lending_of(device()).finish();
}

void LentForceTree::evaluate_at(const ArrayOnDevice& places, const std::optional<ArrayOnDevice>& eps,
                                const GravityOptions& options, const ForcesOnDevice& forces) {
  demand_targets(options, places.rows, eps ? std::optional(eps->rows) : std::nullopt);
  options.validate();
  const TreeLengths lengths = tree_lengths(options, own_, range_of(device(), eps));
  prepare(lengths);
  forces_at(*system_, boundary_, size_, places, lengths.of_points ? eps : std::nullopt, forces);
  lending_of(device()).finish();
}

void LentForceTree::refit(const ArrayOnDevice& position) {
  if (position.rows != size_) {
    throw UsageError("positions", std::to_string(position.rows) + " for a tree of " + std::to_string(size_),
                     "give those of the same particles");
  }
  GravityOptions none;
  static_cast<void>(looked_at(device(), {position, column(mass_), {}, {}, {}}, none));
  copy_places(position);
  built_ = built_ && are_alike(extent(), built_reach_) && are_alike(reach(), built_reach_);
  if (built_ && size_ > 0) system_->move(column(position_));
  lending_of(device()).finish();
}

}  // namespace hornbeam
