// SPDX-License-Identifier: Apache-2.0
// How a domain, its modules and its leapfrog are put together, see particle_system.h.
#include "dynamics/particle_system.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "interactions/modules.h"
#include "tree/boundary.h"

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

/// Few particles take fewer of several devices.
void ParticleSystem::choose_ranks(std::uint64_t n) {
  const int enough = device_->ranks_for(n);
  if (enough == device_->ranks()) return;
  close();
  device_->keep_ranks(enough);
}

GravityOptions ParticleSystem::resolved(const GravityOptions& options, std::uint64_t n, bool own_eps,
                                        bool tides) const {
  const std::size_t images = images_of(boundary_, time_).size();
  const bool full = name() != "cpu" && n > std::uint64_t{1} << bits_beside_images(images + 1);  // 1: target points' own
  return hornbeam::resolved(options, {.attracts = self_gravity_,
                                      .own_eps = own_eps || traits_of_makers().replaces_softening,
                                      .finite_images = boundary_.is_finite_sum(),
                                      .tides = tides,
                                      .refused = full});
}

void ParticleSystem::admit(std::uint64_t n, const GravityOptions& options, const Holding& holding) {
  choose_ranks(n);
  plan_on_any([&] {
    use(options.precision);
    static_cast<void>(fitting(n, options, holding));
  });
}

memory::Need ParticleSystem::host_need(const GravityOptions& options, const Holding& holding,
                                       const ModuleMakers& makers) const {
  memory::Need modules;
  for (const auto& maker : makers) modules = modules + maker->need(options.precision, holding);
  const bool own_eps = holding.own_eps || traits_of(makers).replaces_softening;
  return gravity_host_need(*device_, resolved(options, 0, own_eps), holding, modules);
}

/// Lets go of all that lies on the device.
void ParticleSystem::close() {
  leapfrog_.reset();
  modules_.clear();
  made_.clear();
  gravity_.reset();
  domain_.reset();
}

/// Kept as long as the precision stays: memory already given is faster than new.
void ParticleSystem::use(Precision precision) {
  if (domain_ != nullptr && domain_->precision() == precision) return;
  close();
  domain_ = make_domain(*device_, precision);
  gravity_ = make_gravity(*domain_);
  leapfrog_ = make_leapfrog(*domain_);
  list_modules();
  place_images();
}

/// Where sources attract from. Without gravity no image of a lattice does.
void ParticleSystem::place_images() {
  if (domain_ == nullptr) return;
  const bool lattice = boundary_.is_lattice();
  domain_->set_images(lattice && !self_gravity_ ? one_image : images_of(boundary_, time_));
  domain_->set_lattice(lattice && self_gravity_ ? boundary_.size : Vec3{});
}

void ParticleSystem::list_modules() {
  modules_ = {gravity_.get()};
  for (const auto& module : made_) modules_.push_back(module.get());
  domain_->set_users({modules_.begin(), modules_.end()});
}

/// By the makers; holding: of the stepper and the particles, to which they add theirs.
void ParticleSystem::make_modules(const Particles& particles, Holding& holding) {
  const Surroundings around{.boundary = boundary_,
                            .time = time_,
                            .blocks = holding.rungs,
                            .attracted = self_gravity_ || traits_of_makers().attracts,
                            .units = units_,
                            .id = id_};
  holding.leaving = takes_out(boundary_, makers_);
  made_.clear();
  for (const auto& maker : makers_) {
    maker->check(particles, around);
    maker->hold(holding);
    made_.push_back(maker->make(*domain_, around));
  }
  list_modules();
}

ModuleTraits ParticleSystem::traits_of_makers() const { return traits_of(makers_); }

void ParticleSystem::load(const Particles& particles, const GravityOptions& options, const Holding& steps) {
  Holding holding;
  choose_ranks(particles.size());
  plan_on_any([&] {
    use(options.precision);
    holding = steps;
    holding.velocities = !particles.velocity.empty();
    holding.own_eps = options.eps < 0 && !particles.eps.empty();
    holding.images = domain_->images().size() > 1;
    holding.spins = !particles.spin.empty();
    make_modules(particles, holding);
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
  made_.clear();
  list_modules();
  gravity_->set_options(planned(particles.size(), options, holding));
  domain_->load_lent(particles, domain_options(gravity_->options()), holding);
  for (Module* module : modules_) module->load_lent(particles);
}

GravityOptions ParticleSystem::planned(std::size_t n, const GravityOptions& options, const Holding& holding) {
  GravityOptions wanted = options;
  const bool gathers_alone = traits_of_makers().gathers && !self_gravity_;
  if (gathers_alone && wanted.leaf_size == 0) wanted.leaf_size = domain_->gathering_leaf_size();
  return fitting(n, wanted, holding);
}

/// As plan_gravity() does. The default accuracy gives way to opening angles, which need less memory, where it does not
/// fit.
GravityOptions ParticleSystem::fitting(std::uint64_t n, const GravityOptions& options, const Holding& holding) {
  const Bytes held = bytes();
  const std::uint64_t taken = held.particles + held.tree + held.scratch;
  GravityOptions used = resolved(options, n, holding.own_eps);
  try {
    return plan_gravity(*device_, n, used, holding, taken);
  } catch (const DeviceFull&) {
    if (options.accuracy >= 0 || used.accuracy == 0) throw;
  }
  used.accuracy = 0;
  return plan_gravity(*device_, n, used, holding, taken);
}

void ParticleSystem::set_modules(ModuleMakers makers, bool self_gravity, const Units& units) {
  std::erase(makers, nullptr);
  makers_ = std::move(makers);
  self_gravity_ = self_gravity;
  units_ = units;
  place_images();
}

void ParticleSystem::set_boundary(const Boundary& boundary, double time) {
  boundary_ = boundary;
  time_ = time;
  place_images();
}

void ParticleSystem::at(double time) {
  time_ = time;
  if (boundary_.kind == BoundaryKind::shear) place_images();
  for (Module* module : modules_) module->at(time);
}

void ParticleSystem::wrap() {
  if (boundary_.kind != BoundaryKind::open && domain_->size() > 0) leapfrog_->wrap(boundary_, time_);
}

std::pair<double, const Module*> ParticleSystem::step_limit() {
  std::pair<double, const Module*> least{std::numeric_limits<double>::infinity(), nullptr};
  for (Module* module : modules_) {
    const double limit = module->step_limit();
    if (!(limit >= least.first)) least = {limit, module};
  }
  return least;
}

const Module* ParticleSystem::step_begin(const Kick& kick) {
  const Module* refused = nullptr;
  for (Module* module : modules_) {
    if (!module->step_begin(kick) && refused == nullptr) refused = module;
  }
  return refused;
}

const Module* ParticleSystem::step_end(const Kick& kick) {
  const Module* refused = nullptr;
  for (Module* module : modules_) {
    if (!module->step_end(kick) && refused == nullptr) refused = module;
  }
  return refused;
}

void ParticleSystem::ask_for_steps(const BlockMoment& block, double stricter) {
  for (Module* module : modules_) module->ask_for_steps(block, stricter);
}

void ParticleSystem::limit_rungs(const BlockMoment& block, int deeper, RungCensus& census) {
  for (Module* module : modules_) module->limit_rungs(block, deeper, census);
}

bool ParticleSystem::act_after(double length) {
  Changes all;
  for (Module* module : modules_) {
    const Changes changes = module->after_step(length);
    all.positions |= changes.positions;
    all.forces |= changes.forces;
  }
  if (all.positions) wrap();
  return all.forces;
}

bool ParticleSystem::take_out() {
  const auto keeps = [](const Module* module) { return module->keeps_all(); };
  if (!takes_out(boundary_, makers_) || std::any_of(modules_.begin(), modules_.end(), keeps)) return false;
  if (boundary_.kind == BoundaryKind::open && domain_->size() > 0) leapfrog_->mark_outside(boundary_.size);
  return domain_->take_out(departing_) > 0;
}

std::vector<Event> ParticleSystem::events() const {
  std::vector<Event> all;
  for (const Module* module : modules_) {
    const std::vector<Event> events = module->events();
    all.insert(all.end(), events.begin(), events.end());
  }
  return all;
}

Energies ParticleSystem::energies() {
  Energies all = leapfrog_->energies();
  for (Module* module : modules_) module->add_energies(all);
  return all;
}

bool ParticleSystem::predicts() const {
  return std::any_of(modules_.begin(), modules_.end(), [](const Module* module) { return module->predicts(); });
}

void ParticleSystem::predict(Particles& copy, const Particles& saved, const std::vector<double>& since,
                             double step) const {
  for (const Module* module : modules_) module->predict(copy, saved, since, step);
}

void ParticleSystem::describe(Particles& snapshot) const {
  for (const Module* module : modules_) module->describe(snapshot);
}

void ParticleSystem::report(Reports& reports) const {
  for (const Module* module : modules_) module->report(reports);
}

std::optional<Cause> ParticleSystem::cause(const Particles& particles, std::size_t i) const {
  std::optional<Cause> found;
  for (const Module* module : modules_) found = found ? found : module->cause(particles, i);
  return found;
}

void ParticleSystem::build_tree() {
  wrap();
  domain_->build();
  has_moved_ = false;
  for (Module* module : modules_) module->prepare();
}

void ParticleSystem::refit() {
  has_moved_ = true;
  bool needs_boxes = false;
  for (Module* module : modules_) {
    module->refit();
    needs_boxes |= module->needs_boxes();
  }
  if (needs_boxes) gravity_->refit_now();
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
  wrap();
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

void ParticleSystem::evaluate(const StepMoment& moment) {
  domain_->take_all();
  evaluate_targets(moment);
}

void ParticleSystem::evaluate_due(int least, const StepMoment& moment) {
  domain_->take_due(least);
  evaluate_targets(moment);
}

// A particle's force, in at most 8 calls: evaluate() -> evaluate_targets() -> DomainGravity::evaluate() ->
// DeviceWalk::run() -> run_image() -> launch_walk() -> the kernel walk_groups, with the formulas of physics/.
// On the CPU: HostWalk::run() -> walk_groups() of the instruction set -> walk_block(), which takes all images at once.
void ParticleSystem::evaluate_targets(const StepMoment& moment) {
  for (Module* module : modules_) module->set_moment(moment);
  for (bool again = true; again;) {
    again = false;
    if (!self_gravity_) leapfrog_->forget_forces();
    for (Module* module : modules_) {
      if (acts(module)) module->evaluate();
    }
    for (Module* module : modules_) {
      if (acts(module)) again |= module->finish();
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

ParticleSystem open_system(const std::string& backend, const Devices& devices, int threads) {
  return ParticleSystem(open_device(backend, devices, threads));
}

}  // namespace hornbeam
