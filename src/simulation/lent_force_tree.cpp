// SPDX-License-Identifier: Apache-2.0
// A tree of columns that stays, see lent_force_tree.h. Compiled with HB_PRECISION = HB_DOUBLE.
#include "simulation/lent_force_tree.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "device/devices.h"
#include "device/driver_failure.h"
#include "dynamics/particle_system.h"
#include "hornbeam/error.h"
#include "simulation/columns.h"
#include "simulation/finite.h"
#include "simulation/lent_check.h"
#include "simulation/target_points.h"
#include "tree/adopted.h"
#include "tree/lent_numbers.h"

namespace hornbeam {

using namespace fp64;

namespace {

/// Whether the tree of one serves the other.
bool share_a_tree(const GravityOptions& a, const GravityOptions& b) {
  if ((a.effective_theta_c() > 0) != (b.effective_theta_c() > 0)) return false;
  return a.eps == b.eps && a.order == b.order && a.expansion == b.expansion && a.walk == b.walk && a.curve == b.curve &&
         a.precision == b.precision && a.leaf_size == b.leaf_size && a.accuracy == b.accuracy &&
         a.group_size == b.group_size && a.G == b.G;
}

/// Whether what it was asked last answers the other, too.
bool same_accuracy(const GravityOptions& a, const GravityOptions& b) {
  return a.theta == b.theta && a.theta_c == b.theta_c && a.mac == b.mac && a.softening == b.softening &&
         a.conserve == b.conserve;
}

/// Whether numbers in single precision, in units chosen for one size, serve another one.
bool are_alike(double size, double other) {
  constexpr double far = 1 << 20;  // its cube, too, is far from what single precision has
  return size <= far * other && other <= far * size;
}

}  // namespace

LentForceTree::LentForceTree(const std::string& backend, const Devices& devices, int threads)
    : system_(std::make_unique<ParticleSystem>(open_device(backend, devices, threads))),
      position_(system_->hardware()),
      mass_(system_->hardware()),
      eps_(system_->hardware()) {}
LentForceTree::~LentForceTree() = default;

Device& LentForceTree::device() { return system_->hardware(); }
std::string LentForceTree::backend() const { return system_->name(); }
StageSeconds LentForceTree::seconds() const { return system_->seconds(); }

void LentForceTree::copy(const ArrayOnDevice& from, i64 axes, Copy& to) {
  const std::size_t values = from.rows * static_cast<std::size_t>(axes);
  if (from.on_host && device().lending() == nullptr) {
    const auto* const first = static_cast<const double*>(from.data);
    to.host.assign(first, first + values);
    to.column = {.data = to.host.data(), .on_host = true, .rows = from.rows, .row_stride = axes};
    return;
  }
  to.memory.reserve(std::max<std::size_t>(1, values) * sizeof(double));
  to.column = {.data = to.memory.handle(), .rows = from.rows, .row_stride = axes};
  if (from.on_host) {
    if (values > 0) device().upload(to.memory, 0, from.data, values * sizeof(double));
    return;
  }
  const auto rows = static_cast<i64>(from.rows);
  to.column.row_stride = 1;
  to.column.column_stride = rows;
  for (i64 axis = 0; axis < axes; ++axis) {
    auto* const along = static_cast<pos_t*>(to.memory.handle()) + axis * rows;
    take_places(device(), {from}, axis, nullptr, static_cast<i32>(rows), ArrayArgument<pos_t>::lent(along));
  }
}

ParticlesOnDevice LentForceTree::arrays() const {
  ParticlesOnDevice all{position_.column, mass_.column, {}, {}, {}};
  if (own_.some) all.eps = eps_.column;
  return all;
}

void LentForceTree::copy_all(const ParticlesOnDevice& particles) {
  copy(particles.position, 3, position_);
  copy(particles.mass, 1, mass_);
  if (particles.eps) copy(*particles.eps, 1, eps_);
}

/// Takes what came from the host to the next device, if there is one.
bool LentForceTree::take_next_device(const DeviceFull& full) {
  Particles host;
  const auto fetch = [&](auto& values, const Copy& from) {
    values.resize(from.column.rows);
    const std::size_t bytes = values.size() * sizeof(values[0]);
    if (from.column.on_host) {
      std::memcpy(values.data(), from.host.data(), bytes);
    } else if (bytes > 0) {
      device().download(values.data(), from.memory, 0, bytes);
    }
  };
  if (loaded_) {
    fetch(host.position, position_);
    fetch(host.mass, mass_);
    if (own_.some) fetch(host.eps, eps_);
  }
  for (Copy* copy : {&position_, &mass_, &eps_}) copy->memory.release();
  const bool found = system_->take_next_device(full);
  for (Copy* copy : {&position_, &mass_, &eps_}) copy->memory = Buffer(device());
  built_ = false;
  if (loaded_) copy_all(columns_of(host));
  return found;
}

template <class Act>
void LentForceTree::on_any(const Act& act) {
  for (;;) {
    try {
      return act();
    } catch (const DeviceFull& full) {
      if (!from_host_ || !take_next_device(full)) throw;
    }
  }
}

void LentForceTree::load(const ParticlesOnDevice& particles, const Boundary& boundary) {
  boundary.validate();
  boundary_ = boundary;
  system_->set_boundary(boundary, 0);
  GravityOptions eps_alike;
  eps_alike.eps = -1;
  from_host_ = particles.position.on_host;
  loaded_ = false;
  own_ = {.some = particles.eps.has_value(), .common = std::nullopt};
  on_any([&] { copy_all(particles); });
  loaded_ = true;
  looked_ = looked_at(device(), arrays(), eps_alike);
  if (particles.eps && !looked_.own_eps && size() > 0) own_.common = eps_alike.eps;
  built_ = false;
  finish();
}

void LentForceTree::finish() {
  if (Lending* const lending = device().lending()) lending->finish();
}

Vec3 LentForceTree::first_place() {
  Vec3 first{};
  for (std::size_t k = 0; k < 3 && size() > 0; ++k) {
    const std::size_t at = k * static_cast<std::size_t>(position_.column.column_stride);
    if (position_.column.on_host) {
      first[k] = position_.host[at];
    } else {
      device().download(&first[k], position_.memory, at * sizeof(pos_t), sizeof(pos_t));
    }
  }
  return first;
}

/// The farthest that one is from where the first one was when the tree was built.
double LentForceTree::reach() {
  double most = 0;
  for (std::size_t k = 0; k < 3 && size() > 0; ++k) {
    const Survey along = survey_axis(device(), position_.column, static_cast<i64>(k));
    most = std::max({most, std::abs(along.least - built_first_[k]), std::abs(along.largest - built_first_[k])});
  }
  return most;
}

double LentForceTree::extent() {
  double longest = 0;
  for (std::size_t k = 0; k < 3 && size() > 0; ++k) {
    const Survey along = survey_axis(device(), position_.column, static_cast<i64>(k));
    longest = std::max(longest, along.largest - along.least);
  }
  return longest;
}

void LentForceTree::prepare(const TreeLengths& lengths, bool tides) {
  LentParticles particles = looked_;
  particles.arrays = arrays();
  take_lengths(lengths, particles);
  const GravityOptions options = system_->resolved(lengths.options, size(), particles.own_eps, tides);
  if (built_ && share_a_tree(options_, options) && lengths.of_all == eps_of_all_) {
    // what `relative` and an accuracy remember would make the second answer another one than the first
    const bool remembers = options.mac == Mac::relative || options.accuracy > 0;
    if (!same_accuracy(options_, options) || remembers) system_->set_accuracy(options);
    options_ = options;
    return;
  }
  built_ = false;
  particles.extent = survey(device(), 3, particles.arrays.position).extent();
  system_->load(particles, tides ? options : lengths.options);  // a default accuracy may not fit the memory
  system_->build_tree();
  options_ = options;
  eps_of_all_ = lengths.of_all;
  built_first_ = first_place();
  built_reach_ = reach();
  built_ = true;
  moved_ = false;
}

void LentForceTree::evaluate(const GravityOptions& options, const ForcesOnDevice& forces) {
  options.validate();
  on_any([&] {
    Adopted adopted(device());
    const ForcesOnDevice found = adopted.written(forces, size());
    prepare(tree_lengths(options, own_), forces.tide != nullptr);
    if (size() == 0) return;
    system_->evaluate();
    if (system_->leapfrog().not_finite() > 0) {
      const Particles host = fetched_particles(device(), arrays());
      demand_finite(*system_, {"particles", host});
    }
    system_->domain().give(found);
    system_->gravity().give_tides(found);
    demand_finite_tides(device(), size(), found);
    adopted.finish();
    finish();
  });
}

void LentForceTree::evaluate_at(const ArrayOnDevice& places, const std::optional<ArrayOnDevice>& eps,
                                const GravityOptions& options, const ForcesOnDevice& forces) {
  demand_targets(options, places.rows, eps ? std::optional(eps->rows) : std::nullopt);
  options.validate();
  on_any([&] {
    Adopted adopted(device());
    const ForcesOnDevice found = adopted.written(forces, places.rows);
    const ArrayOnDevice points = adopted.read(places, 3);
    const std::optional<ArrayOnDevice> of_points = adopted.read(eps, 1);
    const TreeLengths lengths = tree_lengths(options, own_, range_of(device(), of_points));
    prepare(lengths, forces.tide != nullptr);
    forces_at(*system_, boundary_, size(), points, lengths.of_points ? of_points : std::nullopt, found);
    adopted.finish();
    finish();
  });
}

/// ask(gravity) of the tree of the present positions; nothing of no particles.
template <class Ask>
auto LentForceTree::of_tree(const GravityOptions& options, const Ask& ask) {
  options.validate();
  if (options.walk == Walk::direct) throw UsageError("walk = direct", "has no tree", "use group or stackless");
  decltype(ask(system_->gravity())) found;
  on_any([&] {
    built_ = built_ && !moved_;
    prepare(tree_lengths(options, own_));
    if (size() > 0) found = ask(system_->gravity());
    finish();
  });
  return found;
}

TreeNodes LentForceTree::nodes(const GravityOptions& options) {
  if (options.order < 2) throw UsageError("order = 0", "cells have no second moments", "use 2");
  return of_tree(options, [](Gravity& gravity) { return gravity.nodes(); });
}

std::vector<std::uint64_t> LentForceTree::keys(const GravityOptions& options) {
  if (options.curve == Curve::none) throw UsageError("curve = none", "has no keys", "use hilbert or morton");
  return of_tree(options, [](Gravity& gravity) { return gravity.keys(); });
}

void LentForceTree::refit(const ArrayOnDevice& position) {
  if (position.rows != size()) {
    throw UsageError("positions", std::to_string(position.rows) + " for a tree of " + std::to_string(size()),
                     "give the positions of the same particles");
  }
  Adopted adopted(device());
  GravityOptions none;
  static_cast<void>(looked_at(device(), {adopted.read(position, 3), mass_.column, {}, {}, {}}, none));
  copy(position, 3, position_);
  built_ = built_ && are_alike(extent(), built_reach_) && are_alike(reach(), built_reach_);
  moved_ = true;
  if (built_ && size() > 0) system_->move(position_.column);
  finish();
}

}  // namespace hornbeam
