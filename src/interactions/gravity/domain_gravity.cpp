// SPDX-License-Identifier: Apache-2.0
// moments and walk on a domain, see domain_gravity.h. Compiled once a precision (HB_PRECISION).
#include "interactions/gravity/domain_gravity.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "device/kernels/sizes.h"
#include "hornbeam/error.h"
#include "interactions/gravity/kernels/launches.h"
#include "interactions/gravity/net_force.h"
#include "stages/units.h"
#include "tree/images.h"
#include "tree/lent_columns.h"

HB_OPEN

namespace {

/// The walk's part of the accuracy: in a long box the errors of many cells have one direction and add up (measured,
/// docs/hierarchy.md eq. 7).
double part_of_accuracy(const Vec3& periods) {
  const double longest = *std::max_element(periods.begin(), periods.end());
  return longest > 0 ? shortest_period(periods) / longest : 1;
}

}  // namespace

DomainGravity::DomainGravity(ParticleDomain& domain)
    : domain_(domain),
      device_(domain.device()),
      p_(domain.particles()),
      walk_(make_gravity_walk(domain.device())),
      far_images_(domain.device()),
      sums_(make_particle_sums(domain.device())),
      order_(domain.device()) {}

/// 1 / eps^3 of softening so large in units of the cube's edge would vanish, and eps^2 leave the range; so would the
/// gravitational acceleration by images and at target points so far away.
double DomainGravity::frame_length(const KeyBox& cube) const {
  double longest = std::max(least_eps_, reach_);
  for (const SourceImage& image : domain_.images()) {
    for (const double shift : image.shift) longest = std::max(longest, std::abs(shift));
  }
  return longest > far_above * cube.edge ? longest : 0;
}

void DomainGravity::load(const Particles& particles) {
  const bool own = options_.eps < 0 && !particles.eps.empty();
  take_softening(own, own ? *std::min_element(particles.eps.begin(), particles.eps.end()) : 0);
}

void DomainGravity::take_softening(bool own, double least) {
  const double eps = std::max(options_.eps, 0.0);
  if (eps != eps_for_all_) p_.soft2_unit = 0;
  eps_for_all_ = eps;
  least_eps_ = own ? least : eps;
  moved_ = false;
}

WalkOptions DomainGravity::walk_options(Mac mac) const {
  WalkOptions w = evaluation_options(options_, mac, own_eps(), domain_.tree().least_moment_order());
  w.unit = static_cast<pos_t>(domain_.frame().length);
  w.cells = domain_.tree().cells().size();
  w.particles = p_.n;
  return w;
}

void DomainGravity::prepare() {
  if (p_.n == 0) return;
  make_soft2();
  if (options_.walk != Walk::direct) moments(present_mac(options_, remembers()), false);
}

void DomainGravity::make_soft2() {
  const double unit = domain_.frame().length;
  if (!own_eps() && p_.soft2_unit == unit) return;  // the same for all, and made before
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::reorder);
  p_.make_soft2(device_, eps_for_all_, unit);
}

void DomainGravity::moments(Mac mac, bool refitted) {
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::moments);
  WalkOptions options = walk_options(mac);
  options.refitted = refitted ? 1 : 0;
  refitted_ = refitted;
  domain_.tree().compute_moments(p_, domain_.frame().cube, options);
  moved_ = false;
}

/// What refit() has requested: it is left until a walk needs it.
void DomainGravity::refit_now() {
  if (moved_) moments(present_mac(options_, remembers()), true);
}

/// eps^2 / 2 of all particles where they are alike, as make_soft2 has it.
real DomainGravity::uniform_soft2() const {
  return half_squared_eps(static_cast<pos_t>(eps_for_all_), static_cast<pos_t>(domain_.frame().length));
}

/// Particles among a group's above which the group is walked in pieces: many times what groups have that lie close
/// together (on an H200, 128 groups' worth was quickest at 2^20 and more, and no slower from 2^14 on). None where theta
/// is so small that pieces would open nearly all of it, too.
i32 DomainGravity::most_near() const {
  const double least_theta = options_.mac == Mac::relative ? 0.1 : 0.2;  // about the same errors
  const i32 most = 128 * options_.group_size + 8 * options_.leaf_size;
  return options_.theta < least_theta || p_.n <= most ? 0 : most;
}

GroupWalkOptions DomainGravity::group_options(i32 softening) const {
  GroupWalkOptions group{};
  group.soft2 = 2 * uniform_soft2();  // as pairs of particles add it up
  group.most_near = most_near();
  const bool pulls_uniformly = options_.softening == Softening::plummer && !own_eps() && uniform_soft2() > 0;
  group.pairs = softening == HB_SPLINE ? HB_PAIRS_SPLINE : pulls_uniformly ? HB_PAIRS_UNIFORM : HB_PAIRS_EACH;
  return group;
}

void DomainGravity::evaluate() {
  if (p_.n == 0) return;
  TargetSet& targets = domain_.targets();
  targets.list_alone(options_.accuracy > 0);
  const std::size_t images = options_.accuracy > 0 ? domain_.images().size() : 0;
  const bool has_tree = walk_->needs_tree(options_.walk, images, targets, p_);
  if (has_tree) refit_now();
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::walk);
  first_pass_ = !targets.are_some() && needs_first_pass(options_, remembers());
  GravityRun run = run_of(present_mac(options_, remembers()));
  const auto [list, count] = targets.list();
  run.has_far_images = is_lattice() && options_.accuracy > 0 && !remembers();
  const FarImages::Task far = far_images_at(run, p_, {list, count}, has_tree);
  if (run.has_far_images) add_far_images(far);
  if (options_.curve == Curve::none && !targets.are_some()) {
    order_.reserve(domain_.size() * sizeof(u32));
    device_.launch(kernels::invert_order{.from = p_.input, .n = p_.n, .to = order_}, plain_variant, p_.n);
    run.order = &order_;
  }
  walk_->run(run, p_, domain_.tree(), targets);
  add_remaining_far_images(run, far);
  if (options_.conserve && !targets.are_some()) conserve();
}

/// In the place of what the targets have.
FarImages::Task DomainGravity::far_images_at(const GravityRun& run, const DeviceParticles& to, const Targets& targets,
                                             bool has_tree) const {
  FarImages::Task task{p_, to, targets.list, targets.count, options_.accuracy};
  task.adds = false;
  if (has_tree && options_.accuracy > 0) task.cells = &domain_.tree().cells();
  task.moment_stride = run.options.moment_stride;
  return task;
}

/// Of a lattice, what the walk leaves: images beyond the nearest.
void DomainGravity::add_far_images(const FarImages::Task& task) {
  if (is_lattice() && task.count > 0) far_images_.add(task, domain_.frame(), domain_.lattice());
}

/// After a walk, that may have kept what targets had before it.
void DomainGravity::add_remaining_far_images(const GravityRun& run, FarImages::Task task) {
  if (run.has_far_images && walk_->added_to_far_images()) return;
  task.adds = true;
  task.expanded = run.has_far_images;
  add_far_images(task);
}

/// In internal units. The scales of a lattice are made once a shape.
Surroundings DomainGravity::around() {
  if (!is_lattice()) return {static_cast<real>(domain_.images().size()), 0, 0};
  if (domain_.lattice() != periods_) {
    periods_ = domain_.lattice();
    scales_ = lattice_scales(periods_);
  }
  const double unit = domain_.frame().length;
  return {1, static_cast<real>(scales_.zero / unit), static_cast<real>(scales_.least / (unit * unit))};
}

/// Multipoles attract particles more or less than these attract back: subtracts the net force and torque of that.
void DomainGravity::conserve() {
  const KeyCube& cube = domain_.frame().cube;
  const pos_t half = cube.edge / 2;
  const RigidVector origin = {cube.x + half, cube.y + half, cube.z + half};
  const double unit = domain_.frame().length;
  device_.launch(kernels::balance_pulls{.rigid = balancing_motion(sums_->net_forces(p_, origin, unit)),
                                        .origin = origin,
                                        .unit = static_cast<pos_t>(unit),
                                        .n = p_.n,
                                        .position = p_.x,
                                        .mass = p_.mass,
                                        .acc = p_.acc},
                 plain_variant, p_.n);
}

GravityRun DomainGravity::run_of(Mac mac) {
  GravityRun run{};
  run.walk = options_.walk;
  run.options = walk_options(mac);
  run.group = group_options(run.options.softening);
  run.group_size = options_.group_size;
  run.accuracy = options_.accuracy * part_of_accuracy(domain_.lattice());
  if (run.accuracy > 0) run.around = around();
  run.images = &domain_.images();
  return run;
}

void DomainGravity::demand_no_tides(const ForcesOnDevice& forces) const {
  if (options_.accuracy > 0 && forces.tide != nullptr) {
    throw UsageError("accuracy", "is available for forces only, not for tidal tensors",
                     "give theta in place of accuracy for tidal tensors");
  }
}

void DomainGravity::pull_at(const LentTargets& places, const ForcesOnDevice& forces) {
  demand_no_tides(forces);
  if (places.position.rows == 0) return;
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::walk);
  Guests guests(device_);
  const bool direct = options_.walk == Walk::direct;
  if (!direct) refit_now();
  const i32 group_size = options_.walk == Walk::group ? options_.group_size : 0;
  const i32 leaf_size = options_.accuracy > 0 ? 4 : 16;  // no other walk goes down to their leaves
  const i32 stride = options_.accuracy > 0 ? walk_options(options_.mac).moment_stride : 0;
  guests.load(places, {group_size, leaf_size, direct, stride, domain_.frame().length, p_.eps_unit, eps_for_all_});
  const DeviceParticles& to = guests.particles();
  GravityRun run = run_of(options_.mac);
  run.has_far_images = is_lattice() && options_.accuracy > 0;
  const FarImages::Task far = far_images_at(run, to, {nullptr, to.n}, !direct);
  if (run.has_far_images) add_far_images(far);
  walk_->run_for(guests, run, p_, domain_.tree());
  add_remaining_far_images(run, far);
  give_forces(device_, to, {domain_.frame().acceleration(), domain_.frame().potential()}, forces);
  give_tides_at(to, guests.tree().groups(), forces);
}

void DomainGravity::give_tides(const ForcesOnDevice& forces) {
  demand_no_tides(forces);
  if (p_.n == 0) return;
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::walk);
  if (options_.walk != Walk::direct) refit_now();
  give_tides_at(p_, domain_.targets().groups(), forces);
}

bool DomainGravity::finish() {
  if (p_.n > 0 && options_.accuracy > 0) remember_demands();
  if (p_.n == 0 || options_.mac != Mac::relative) return false;
  {
    const StageTimer::Scope timed(domain_.timer(), &StageSeconds::walk);
    remember_accelerations();
  }
  if (!std::exchange(first_pass_, false)) return false;
  // the moments were those of another criterion
  const bool refitted = refitted_;
  moments(Mac::relative, false);               // cells of the last build
  if (refitted) moments(Mac::relative, true);  // and the boxes that have outgrown them
  return true;
}

void DomainGravity::remember_accelerations() {
  p_.last.reserve(domain_.size() * sizeof(real));
  device_.launch(kernels::remember_accelerations{.acc = p_.acc, .picks = nullptr, .n = p_.n, .size = p_.last},
                 plain_variant, p_.n);
}

void DomainGravity::remember_demands() {
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::walk);
  p_.last.reserve(domain_.size() * sizeof(real));
  device_.launch(kernels::remember_demands{.n = p_.n,
                                           .around = around(),
                                           .cell_mass = domain_.tree().cells().cell_mass,
                                           .acc = p_.acc,
                                           .demands = p_.last},
                 plain_variant, p_.n);
}

void DomainGravity::restore() {
  if (p_.n > 0 && options_.accuracy > 0) remember_demands();
  if (p_.n == 0 || options_.mac != Mac::relative) return;
  const bool made_for_first_pass = needs_first_pass(options_, remembers());
  remember_accelerations();
  if (made_for_first_pass) moments(Mac::relative, false);
}

ForceSample DomainGravity::sample(const std::vector<std::size_t>& which, bool direct) {
  ForceSample s;
  if (p_.n == 0) return s;
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::transfer);
  s.momentum = momentum_error_of(sums_->pulls(p_));
  if (which.empty()) return s;
  Sample sample(device_, p_, which);
  s.walked = sample.forces();
  if (direct) s.direct = walk_->direct_sums(p_, sample, run_of(present_mac(options_, remembers())));
  for (auto* forces : {&s.walked, &s.direct}) {
    for (auto& force : *forces) {
      for (int k = 0; k < 4; ++k) force[k] *= k < 3 ? domain_.frame().acceleration() : domain_.frame().potential();
    }
  }
  return s;
}

std::unique_ptr<Gravity> make_domain_gravity(Domain& domain) {
  return std::make_unique<DomainGravity>(static_cast<ParticleDomain&>(domain));
}

HB_CLOSE
