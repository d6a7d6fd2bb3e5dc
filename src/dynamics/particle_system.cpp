// SPDX-License-Identifier: Apache-2.0
// How a domain, its modules and its leapfrog are put together, see particle_system.h.
#include "dynamics/particle_system.h"

#include <utility>

#include "dynamics/boundary.h"

namespace hornbeam {
bool ParticleSystem::take_next_device(const DeviceFull& full) {
  std::unique_ptr<Device> next = open_next_device(*device_, full.what());
  if (next == nullptr) return false;
  close();
  device_ = std::move(next);
  return true;
}

/// Calls plan(), which throws DeviceFull if the device has too little memory: then again on the next one.
template <class Plan>
void ParticleSystem::plan_on_any(const Plan& plan) {
  for (;;) {
    try {
      return plan();
    } catch (const DeviceFull& full) {
      if (!take_next_device(full)) throw;
    }
  }
}

void ParticleSystem::admit(std::uint64_t n, const GravityOptions& options, const Holding& holding) {
  plan_on_any([&] {
    use(options.precision);
    const Bytes held = bytes();
    static_cast<void>(plan_gravity(*device_, n, options, holding, held.particles + held.tree + held.scratch));
  });
}

memory::Need ParticleSystem::host_need(const GravityOptions& options, const Holding& holding) const {
  return gravity_host_need(
      *device_, options, holding,
      gas_host_need(options.precision, holding) + collisions_host_need(options.precision, holding));
}

/// Lets go of all that lies on the device.
void ParticleSystem::close() {
  leapfrog_.reset();
  modules_.clear();
  gas_.reset();
  collisions_.reset();
  external_.reset();
  gravity_.reset();
  domain_.reset();
}

/// Kept as long as the precision stays: memory already given is faster than new.
void ParticleSystem::use(Precision precision) {
  if (domain_ != nullptr && domain_->precision() == precision) return;
  close();
  domain_ = make_domain(*device_, precision);
  gravity_ = make_gravity(*domain_);
  external_ = make_external(*domain_);
  leapfrog_ = make_leapfrog(*domain_, *external_);
  modules_ = {gravity_.get(), external_.get()};
  domain_->set_users({modules_.begin(), modules_.end()});
  external_->set(potentials_, potentials_time_);
  domain_->set_images(images_of(boundary_, boundary_time_));
}

void ParticleSystem::load(const Particles& particles, const GravityOptions& options, const Holding& steps) {
  Holding holding = steps;
  holding.velocities = !particles.velocity.empty();
  holding.own_eps = options.eps < 0 && !particles.eps.empty();
  plan_on_any([&] {
    use(options.precision);
    holding.images = domain_->images().size() > 1;
    use_collisions(particles);
    use_gas(particles, holding.rungs);
    holding.bodies = collisions_ != nullptr;
    holding.spins = !particles.spin.empty();
    holding.leaving = takes_out(boundary_, collision_options_);
    holding.gas = gas_ != nullptr;
    holding.softened = gas_ != nullptr && gas_options_.adapts();
    holding.strained = gas_ != nullptr && gas_options_.reconstructs();
    holding.materials = gas_ != nullptr && materials_.all().size() > 1;
    gravity_->set_options(planned(particles.size(), options, holding));
  });
  domain_->load(particles, domain_options(gravity_->options()), holding);
  for (Module* module : modules_) module->load(particles);
}

void ParticleSystem::load(const LentParticles& particles, const GravityOptions& options) {
  Holding holding;
  holding.own_eps = particles.own_eps;
  use(options.precision);
  holding.images = domain_->images().size() > 1;
  collisions_.reset();
  leave_gas();
  gravity_->set_options(planned(particles.size(), options, holding));
  domain_->load_lent(particles, domain_options(gravity_->options()), holding);
  for (Module* module : modules_) module->load_lent(particles);
}

GravityOptions ParticleSystem::planned(std::size_t n, const GravityOptions& options, const Holding& holding) {
  const Bytes held = bytes();
  GravityOptions wanted = options;
  const bool gathers_alone = gas_options_.flows() && !self_gravity_;
  if (gathers_alone && wanted.leaf_size == 0) wanted.leaf_size = domain_->gathering_leaf_size();
  return plan_gravity(*device_, n, wanted, holding, held.particles + held.tree + held.scratch);
}

void ParticleSystem::set_external(const std::vector<ExternalPotential>& potentials, double time) {
  potentials_ = potentials;
  potentials_time_ = time;
  if (external_ != nullptr) external_->set(potentials, time);
}

void ParticleSystem::set_boundary(const Boundary& boundary, double time) {
  boundary_ = boundary;
  boundary_time_ = time;
  if (domain_ != nullptr) domain_->set_images(images_of(boundary, time));
}

void ParticleSystem::use_collisions(const Particles& particles) {
  if (collision_options_.law == CollisionLaw::none) return collisions_.reset();
  check_bodies(particles, boundary_);
  collisions_ = make_collisions(*domain_, collision_options_, collided_);
}

bool ParticleSystem::collide(double dt) {
  if (collisions_ == nullptr) return false;
  const std::uint64_t before = collisions_->totals().number;
  const bool shears = boundary_.kind == BoundaryKind::shear, is_open = boundary_.kind == BoundaryKind::open;
  collisions_->resolve({.images = neighbouring_images(boundary_, boundary_time_),
                        .length = dt,
                        .omega = shears ? boundary_.omega : 0,
                        .periods = is_open ? Vec3{} : boundary_.size});
  const bool moves = collision_options_.detection == Detection::swept || collision_options_.law == CollisionLaw::merge;
  if (moves && !is_open && domain_->size() > 0) leapfrog_->wrap(boundary_, boundary_time_);
  return moves && is_pulled() && collision_options_.law != CollisionLaw::halt && collisions_->totals().number != before;
}

bool ParticleSystem::take_out() {
  if (!takes_out(boundary_, collision_options_) || !met().empty()) return false;  // indices of pairs stay
  if (boundary_.kind == BoundaryKind::open && domain_->size() > 0) leapfrog_->mark_outside(boundary_.size);
  return domain_->take_out() > 0;
}

void ParticleSystem::set_gas(const GasOptions& options, bool self_gravity, const Units& units) {
  gas_options_ = options;
  self_gravity_ = self_gravity;
  materials_ = options.flows() ? open_materials(options, units) : Materials({});
}

void ParticleSystem::leave_gas() {
  gas_.reset();
  modules_ = {gravity_.get(), external_.get()};
  domain_->set_users({modules_.begin(), modules_.end()});
}

void ParticleSystem::use_gas(const Particles& particles, bool blocks) {
  leave_gas();
  if (!gas_options_.flows()) return;
  check_gas(particles, boundary_, gas_options_, materials_);
  gas_ = make_gas(*domain_, gas_options_, materials_);
  GasSpace space;
  space.blocks = blocks;
  space.pulls = is_pulled();
  if (boundary_.kind != BoundaryKind::open) {
    space.box = boundary_.size;
    space.images = [box = boundary_](double reach) { return images_within(box, 0, reach); };
  }
  gas_->set_space(std::move(space));
  modules_.push_back(gas_.get());
  domain_->set_users({modules_.begin(), modules_.end()});
}

void ParticleSystem::build_tree() {
  if (boundary_.kind != BoundaryKind::open && domain_->size() > 0) leapfrog_->wrap(boundary_, boundary_time_);
  domain_->build();
  has_moved_ = false;
  for (Module* module : modules_) module->prepare();
}

void ParticleSystem::refit() {
  has_moved_ = true;
  for (Module* module : modules_) module->refit();
  if (gas_ != nullptr) gravity_->refit_now();  // neighbours are searched in boxes, whatever gravity needs
}

void ParticleSystem::move(const std::vector<Vec3>& position) {
  domain_->move(position);
  have_moved();
}

void ParticleSystem::move(const ArrayOnDevice& position) {
  domain_->move(position);
  have_moved();
}

void ParticleSystem::have_moved() {
  if (boundary_.kind != BoundaryKind::open && domain_->size() > 0) leapfrog_->wrap(boundary_, boundary_time_);
  refit();
}

void ParticleSystem::set_accuracy(const GravityOptions& options) {
  GravityOptions present = gravity_->options();
  present.theta = options.theta;
  present.theta_c = options.theta_c;
  present.mac = options.mac;
  present.softening = options.softening;
  present.conserve = options.conserve;
  gravity_->set_options(present);
  gravity_->forget_accelerations();
  gravity_->prepare();
  if (has_moved_) refit();
}

void ParticleSystem::evaluate() {
  domain_->take_all();
  evaluate_targets();
}

void ParticleSystem::evaluate_due(int least) {
  domain_->take_due(least);
  evaluate_targets();
}

void ParticleSystem::evaluate_targets() {
  for (bool again = true; again;) {
    again = false;
    if (!self_gravity_) leapfrog_->forget_forces();
    for (Module* module : modules_) {
      if (module != gravity_.get() || self_gravity_) module->evaluate();
    }
    for (Module* module : modules_) {
      if (module != gravity_.get() || self_gravity_) again |= module->finish();
    }
  }
}

void ParticleSystem::restore(const Particles& particles) {
  domain_->restore(particles);
  for (Module* module : modules_) module->restore();
}

Bytes ParticleSystem::bytes() const {
  if (domain_ == nullptr) return {};
  Bytes sum = domain_->bytes();
  for (const Module* module : modules_) {
    const Bytes more = module->bytes();
    sum.particles += more.particles;
    sum.tree += more.tree;
    sum.scratch += more.scratch;
  }
  return sum;
}

ParticleSystem open_system(const std::string& backend, int device, int threads) {
  return ParticleSystem(open_device(backend, device, threads));
}

}  // namespace hornbeam
