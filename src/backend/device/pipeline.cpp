// SPDX-License-Identifier: Apache-2.0
// The particle's path on a device, from load to store. Compiled once a precision (HB_PRECISION).
// Longer than most files: each stage in order, in the one class that holds the arrays.
#include "backend/device/pipeline.h"

#include <algorithm>
#include <string>
#include <utility>

#include "backend/evaluation.h"
#include "device/kernels/sizes.h"
#include "device/stage_timer.h"
#include "device/transfer.h"
#include "dynamics/device_dynamics.h"
#include "hornbeam/error.h"
#include "interactions/gravity/device_check.h"
#include "interactions/gravity/device_walk.h"
#include "memory/room.h"
#include "stages/units.h"
#include "tree/device_tree.h"
#include "tree/memory_plan.h"

HB_OPEN
namespace {

#if HB_PRECISION == HB_DOUBLE
constexpr Precision this_precision = Precision::fp64;
#elif HB_PRECISION == HB_SINGLE
constexpr Precision this_precision = Precision::single;
#else
constexpr Precision this_precision = Precision::mixed;
#endif

constexpr int default_group_size = 64;
/// Quadrupoles are always made.
constexpr i32 least_moment_order = 2;

class DevicePipeline final : public Backend {
 public:
  explicit DevicePipeline(Device& device)
      : device_(device),
        timer_(device),
        p_(device),
        remembered_(device),
        tree_(device, this_precision),
        walk_(device, this_precision) {}

  [[nodiscard]] std::string name() const override { return device_.backend(); }
  [[nodiscard]] std::string device() const override { return device_.description(); }
  [[nodiscard]] int threads() const override { return 1; }
  [[nodiscard]] const GravityOptions& options() const override { return options_; }
  [[nodiscard]] const StageSeconds& seconds() const override { return timer_.seconds(); }
  [[nodiscard]] Interactions interactions() const override { return walk_.interactions(); }
  [[nodiscard]] Bytes bytes() const override {
    return {p_.bytes() + remembered_.bytes(), tree_.tree_bytes(),
            tree_.scratch_bytes() + walk_.bytes() + order_.bytes()};
  }

  void admit(u64 n, const GravityOptions& options, const Holding& holding) override {
    static_cast<void>(plan(n, options, holding));
  }
  [[nodiscard]] memory::Need host_need(const GravityOptions& /*options*/, const Holding& /*holding*/) const override {
    return {{"chunks on the way to the device", 0, 2.0 * sizeof(double) * transfer_chunk}};
  }
  using Backend::load;
  void load(const Particles& particles, const GravityOptions& options, const Holding& steps) override;
  void build_tree() override;
  void walk() override;
  void kick(double dt) override;
  void drift(double dt) override;
  Energies energies() override;
  u64 not_finite() override;
  void store(Particles& particles) override;
  void save(Particles& particles) override;
  void restore(const Particles& particles) override;
  std::vector<Motion> motions(const std::vector<std::size_t>& which) override;
  ForceSample sample(const std::vector<std::size_t>& which) override;
  RungCensus choose_rungs(const StepRule& rule, int least) override;
  void kick_rungs(const StepRule& rule, int least) override;
  void refit() override;
  void walk_rungs(int least) override;
  double largest_pull_over_eps() override;
  void remember() override;
  void go_back() override {
    p_.copy(remembered_, device_);
    unit_ = remembered_unit_;
  }
  void set_external(const std::vector<ExternalPotential>& fields, double time) override;

 private:
  /// Checks options and memory; the leaf size to use.
  [[nodiscard]] int plan(u64 n, const GravityOptions& options, const Holding& holding) const;
  void reserve(const Holding& holding);
  void build_cells(i32 curve);
  void reorder_rest();
  void change_unit(double unit);
  const ExternalFields& present_fields();
  void moments(Mac mac, bool refitted);
  void refit_moments();
  void walk_once(bool some);
  void write(Particles& particles, double a_unit, double p_unit);
  void remember_accelerations();
  [[nodiscard]] WalkOptions walk_options(Mac mac) const;
  [[nodiscard]] real uniform_soft2() const;
  [[nodiscard]] bool pulls_uniformly() const;
  [[nodiscard]] i32 most_near() const;
  template <class T, class Value>
  void upload(const Buffer& to, Value value);
  template <class T, class Take>
  void download(const Buffer& from, Take take);
  [[nodiscard]] std::vector<u32> input_indices();
  /// User's acceleration and potential per internal one.
  [[nodiscard]] RungRule rung_rule(const StepRule& rule) const {
    return internal_rule(rule, acceleration_unit(), unit_);
  }
  [[nodiscard]] double acceleration_unit() const { return options_.G * unit_ * unit_ / mass_unit_; }
  [[nodiscard]] double potential_unit() const { return options_.G * unit_ / mass_unit_; }
  /// The same for G = 1: powers of two, which change no digits.
  [[nodiscard]] double exact_acceleration_unit() const { return unit_ * unit_ / mass_unit_; }
  [[nodiscard]] double exact_potential_unit() const { return unit_ / mass_unit_; }

  Device& device_;
  mutable StageTimer timer_;
  GravityOptions options_;
  DeviceParticles p_, remembered_;
  DeviceTree tree_;
  DeviceWalk walk_;
  PresentFields fields_;
  ExternalFields device_fields_{device_};
  double field_unit_ = 0;            ///< internal length per length in which device_fields_ are; 0: they are not there
  DeviceArray<u32> order_{device_};  ///< places in the order of the input, for walks along it
  bool moved_ = false;               ///< whether particles have moved since the moments were made
  bool refitted_ = false;            ///< whether these are of particles that had moved since the tree was built
  bool remembers_ = false;           ///< whether p_.last holds |a| of an evaluation before
  double eps_for_all_ = 0, least_eps_ = 0;
  KeyCube cube_{};
  double unit_ = 1, mass_unit_ = 1, remembered_unit_ = 1;
};

template <class T, class Value>
void DevicePipeline::upload(const Buffer& to, Value value) {
  upload_values<T>(device_, to, static_cast<std::size_t>(p_.n), value);
}

template <class T, class Take>
void DevicePipeline::download(const Buffer& from, Take take) {
  download_values<T>(device_, from, static_cast<std::size_t>(p_.n), take);
}

/// Room for what is loaded; what walks and steps leave comes later.
void DevicePipeline::reserve(const Holding& holding) {
  const auto n = static_cast<std::size_t>(p_.n);
  const auto reserve_row = [&](const StoreRow& row, Buffer& array) {
    if (is_loaded(row.held, holding)) {
      array.reserve(n * row.bytes);
    } else {
      array.release();
    }
  };
  for_each_array_of(reserve_row, p_);
}

int DevicePipeline::plan(u64 n, const GravityOptions& options, const Holding& holding) const {
  options.validate();
  if (options.group_size > HB_MAX_GROUP) {
    throw UsageError("group_size = " + std::to_string(options.group_size),
                     "is more than the " + std::to_string(HB_MAX_GROUP) + " particles a warp takes", "use at most 64");
  }
  if (n > (u64{1} << 30)) {
    throw Error("particles", std::to_string(n) + " are more than one device run holds, 2^30", "use fewer");
  }
  const Bytes held = bytes();
  const WalkOptions w = evaluation_options(options, options.mac, holding.own_eps, least_moment_order);
  auto free = static_cast<double>(device_.free_bytes());
  if (device_.shares_host_memory()) free = std::min(free, memory::room().bytes);
  return fitting_leaf_size(n, options, w, holding, static_cast<u64>(free) + held.particles + held.tree + held.scratch,
                           device_.description());
}

void DevicePipeline::load(const Particles& particles, const GravityOptions& options, const Holding& steps) {
  Holding holding = steps;
  holding.velocities = !particles.velocity.empty();
  holding.own_eps = options.eps < 0 && !particles.eps.empty();
  const int leaf_size = plan(particles.size(), options, holding);
  timer_.clear();
  const StageTimer::Scope timed(timer_, &StageSeconds::transfer);
  options_ = options;
  options_.leaf_size = leaf_size;
  if (options_.group_size == 0) options_.group_size = default_group_size;
  const bool keeps_soft2 = p_.n == static_cast<i32>(particles.size()) && p_.eps.bytes() == 0 &&
                           options.eps == eps_for_all_ && p_.soft2.bytes() >= particles.size() * sizeof(real);
  if (!keeps_soft2) p_.soft2_unit = 0;
  p_.n = static_cast<i32>(particles.size());
  remembers_ = false;
  reserve(holding);
  if (p_.n == 0) return;
  for (const Buffer& b : p_.acc) device_.clear(b, particles.size() * sizeof(real));  // none before the first walk
  mass_unit_ = mass_unit_for(particles, fields_, options.G);
  field_unit_ = 0;
  eps_for_all_ = std::max(options.eps, 0.0);
  least_eps_ = least_eps_of(particles, options);
  for (int k = 0; k < 3; ++k) {
    upload<pos_t>(p_.x[k], [&](std::size_t i) { return particles.position[i][k]; });
    if (!particles.velocity.empty()) upload<pos_t>(p_.v[k], [&](std::size_t i) { return particles.velocity[i][k]; });
  }
  upload<real>(p_.mass, [&](std::size_t i) { return particles.mass[i] * mass_unit_; });
  upload<u32>(p_.input, [](std::size_t i) { return i; });
  if (p_.eps.bytes() > 0) upload<real>(p_.eps, [&](std::size_t i) { return particles.eps[i]; });
}

WalkOptions DevicePipeline::walk_options(Mac mac) const {
  WalkOptions w = evaluation_options(options_, mac, p_.eps.bytes() > 0, least_moment_order);
  w.unit = static_cast<pos_t>(unit_);
  w.cells = tree_.cells();
  w.particles = p_.n;
  return w;
}

void DevicePipeline::build_tree() {
  timer_.trim();
  if (p_.n == 0) return;
  const i32 curve = options_.curve == Curve::hilbert ? HB_CURVE_HILBERT : HB_CURVE_MORTON;
  {
    const StageTimer::Scope timed(timer_, &StageSeconds::bound);
    cube_ = tree_.bound(p_);
    change_unit(frame_unit(cube_, least_eps_, fields_));
  }
  {
    const StageTimer::Scope timed(timer_, &StageSeconds::key);
    if (!tree_.has_room(p_.n)) {
      tree_.release_cells();
      walk_.release();
    }
    tree_.make_keys(p_, cube_, curve);
  }
  {
    const StageTimer::Scope timed(timer_, &StageSeconds::sort);
    tree_.sort(p_.n);
  }
  {
    const StageTimer::Scope timed(timer_, &StageSeconds::reorder);
    tree_.reorder(p_);
    if (options_.walk == Walk::direct) tree_.settle_order(p_, cube_, curve);
  }
  build_cells(curve);
  reorder_rest();
  if (options_.walk != Walk::direct) moments(present_mac(options_, remembers_), false);
}

void DevicePipeline::build_cells(i32 curve) {
  if (options_.walk == Walk::direct) return;
  const StageTimer::Scope timed(timer_, &StageSeconds::build);
  const GroupPlan groups{.size = options_.walk == Walk::group ? options_.group_size : 0};
  tree_.build(p_, cube_, curve, options_.leaf_size, walk_options(options_.mac).moment_stride, groups);
}

/// What follows the particles once their order is certain.
void DevicePipeline::reorder_rest() {
  const StageTimer::Scope timed(timer_, &StageSeconds::reorder);
  tree_.reorder_rest(p_);
  if (p_.eps.bytes() == 0 && p_.soft2_unit == unit_) return;  // the same for all, and made before
  p_.soft2_unit = unit_;
  device_.launch(kernels::make_soft2{.eps = p_.eps,
                                     .eps_for_all = static_cast<pos_t>(eps_for_all_),
                                     .unit = static_cast<pos_t>(unit_),
                                     .n = p_.n,
                                     .soft2 = p_.soft2},
                 {this_precision, 0}, p_.n);
}

void DevicePipeline::change_unit(double unit) {
  if (unit != unit_) scale_accelerations(device_, p_, static_cast<real>(unit_ / unit));
  unit_ = unit;
}

void DevicePipeline::refit() {
  timer_.trim();
  moved_ = p_.n > 0 && options_.walk != Walk::direct;
}

/// What refit() has asked for: it is left until a walk needs it.
void DevicePipeline::refit_moments() {
  if (moved_) moments(present_mac(options_, remembers_), true);
}

void DevicePipeline::moments(Mac mac, bool refitted) {
  const StageTimer::Scope timed(timer_, &StageSeconds::moments);
  WalkOptions options = walk_options(mac);
  options.refitted = refitted ? 1 : 0;
  refitted_ = refitted;
  tree_.compute_moments(p_, cube_, options);
  moved_ = false;
}

void DevicePipeline::walk() {
  if (p_.n == 0) return;
  refit_moments();
  if (needs_first_pass(options_, remembers_)) {
    walk_once(false);  // its moments are those of `offset`
    const bool refitted = refitted_;
    moments(Mac::relative, false);               // cells of the last build
    if (refitted) moments(Mac::relative, true);  // and the boxes that have outgrown them
  }
  walk_once(false);
}

void DevicePipeline::walk_rungs(int least) {
  if (p_.n == 0) return;
  bool needs_tree = false;
  {
    const StageTimer::Scope timed(timer_, &StageSeconds::walk);
    needs_tree = walk_.find_due(options_.walk, {p_.rung, least}, p_);
  }
  if (needs_tree) refit_moments();
  walk_once(true);
}

/// eps^2 / 2 of all particles where they are alike, as make_soft2 has it.
real DevicePipeline::uniform_soft2() const {
  return half_squared_eps(static_cast<pos_t>(eps_for_all_), static_cast<pos_t>(unit_));
}

bool DevicePipeline::pulls_uniformly() const {
  return options_.softening == Softening::plummer && p_.eps.bytes() == 0 && uniform_soft2() > 0;
}

/// Particles among a group's above which the group is walked in pieces: many times what groups have that lie close
/// together (on an H200, 128 groups' worth was quickest at 2^20 and more, and no slower from 2^14 on). None where theta
/// is so small that pieces would open nearly all of it, too.
i32 DevicePipeline::most_near() const {
  const double least_theta = options_.mac == Mac::relative ? 0.1 : 0.2;  // about the same errors
  const i32 most = 128 * options_.group_size + 8 * options_.leaf_size;
  return options_.theta < least_theta || p_.n <= most ? 0 : most;
}

/// some: those that walk_.find_due() has found.
void DevicePipeline::walk_once(bool some) {
  const StageTimer::Scope timed(timer_, &StageSeconds::walk);
  const WalkOptions options = walk_options(present_mac(options_, remembers_));
  GroupWalkOptions group{};
  group.soft2 = 2 * uniform_soft2();  // as pairs of particles add it up
  group.most_near = most_near();
  group.pairs = options.softening == HB_SPLINE ? HB_PAIRS_SPLINE : pulls_uniformly() ? HB_PAIRS_UNIFORM : HB_PAIRS_EACH;
  const DeviceArray<u32>* order = nullptr;
  if (options_.curve == Curve::none && !some) {
    order_.reserve(static_cast<std::size_t>(p_.n) * sizeof(u32));
    device_.launch(kernels::invert_order{.from = p_.input, .n = p_.n, .to = order_}, {this_precision, 0}, p_.n);
    order = &order_;
  }
  walk_.run(options_.walk, options, group, options_.group_size, p_, tree_, order, some);
  if (!fields_.potentials.empty()) walk_.add_external(present_fields(), p_);
  if (options_.mac == Mac::relative) remember_accelerations();
}

void DevicePipeline::remember_accelerations() {
  p_.last.reserve(static_cast<std::size_t>(p_.n) * sizeof(real));
  device_.launch(kernels::remember_accelerations{.acc = p_.acc, .picks = nullptr, .n = p_.n, .size = p_.last},
                 {this_precision, 0}, p_.n);
  remembers_ = true;
}

void DevicePipeline::remember() {
  const u64 needed = p_.bytes() + p_.bytes() / 4;  // lists of walks still grow
  if (remembered_.bytes() == 0 && device_.free_bytes() < needed) {
    throw Error("memory",
                "a second copy of the particles needs " + std::to_string(needed) + " bytes, and " +
                    device_.description() + " has " + std::to_string(device_.free_bytes()) + " left",
                "use fewer particles or shared steps");
  }
  remembered_.copy(p_, device_);
  remembered_unit_ = unit_;
}

void DevicePipeline::kick(double dt) {
  const StageTimer::Scope timed(timer_, &StageSeconds::kick_drift);
  kick_particles(device_, p_, static_cast<pos_t>(dt * acceleration_unit()));
}

void DevicePipeline::drift(double dt) {
  const StageTimer::Scope timed(timer_, &StageSeconds::kick_drift);
  drift_particles(device_, p_, static_cast<pos_t>(dt));
}

RungCensus DevicePipeline::choose_rungs(const StepRule& rule, int least) {
  const StageTimer::Scope timed(timer_, &StageSeconds::kick_drift);
  return choose_particle_rungs(device_, p_, rung_rule(rule), least, walk_);
}

void DevicePipeline::kick_rungs(const StepRule& rule, int least) {
  const StageTimer::Scope timed(timer_, &StageSeconds::kick_drift);
  kick_particles_on_rungs(device_, p_, rung_rule(rule), least);
}

double DevicePipeline::largest_pull_over_eps() {
  const StageTimer::Scope timed(timer_, &StageSeconds::kick_drift);
  return static_cast<double>(largest_particle_pull(device_, p_, walk_)) * acceleration_unit() * unit_;
}

void DevicePipeline::set_external(const std::vector<ExternalPotential>& fields, double time) {
  fields_ = {fields, time};
  field_unit_ = 0;
}

/// The fields in the units of the present tree.
const ExternalFields& DevicePipeline::present_fields() {
  if (field_unit_ == unit_) return device_fields_;
  const std::vector<ExternalField> now = fields_in_units(fields_, options_.G, unit_, mass_unit_);
  device_fields_.count = static_cast<i32>(now.size());
  field_unit_ = unit_;
  if (now.empty()) return device_fields_;
  device_fields_.fields.reserve(now.size() * sizeof(ExternalField));
  device_.upload(device_fields_.fields, 0, now.data(), now.size() * sizeof(ExternalField));
  return device_fields_;
}

Energies DevicePipeline::energies() {
  const StageTimer::Scope timed(timer_, &StageSeconds::energy);
  return sum_energies(device_, p_, present_fields(), potential_unit(), mass_unit_, walk_);
}

u64 DevicePipeline::not_finite() {
  const StageTimer::Scope timed(timer_, &StageSeconds::energy);
  return count_not_finite(
      device_, p_,
      finite_limits(acceleration_unit(), exact_acceleration_unit(), potential_unit(), exact_potential_unit()), walk_);
}

std::vector<u32> DevicePipeline::input_indices() {
  std::vector<u32> input(static_cast<std::size_t>(p_.n));
  device_.download(input.data(), p_.input, 0, input.size() * sizeof(u32));
  return input;
}

void DevicePipeline::store(Particles& particles) { write(particles, acceleration_unit(), potential_unit()); }

void DevicePipeline::save(Particles& particles) {
  write(particles, exact_acceleration_unit(), exact_potential_unit());
  const std::size_t count = p_.rung.bytes() > 0 ? particles.size() : 0;
  particles.rung.resize(count);
  particles.rung_before.resize(count);
  particles.acceleration_before.resize(count);
  if (count == 0) return;
  const std::vector<u32> to = input_indices();
  download<u32>(p_.rung, [&](std::size_t i, u32 held) {
    particles.rung[to[i]] = static_cast<std::uint8_t>(rung_of(held));
    particles.rung_before[to[i]] = static_cast<std::uint8_t>(rung_before(held));
  });
  const double a_unit = exact_acceleration_unit();
  for (int k = 0; k < 3; ++k) {
    download<real>(p_.earlier[k], [&](std::size_t i, real v) {
      particles.acceleration_before[to[i]][k] = static_cast<double>(v) * a_unit;
    });
  }
}

void DevicePipeline::write(Particles& particles, double a_unit, double p_unit) {
  particles.acceleration.resize(particles.size());
  particles.potential.resize(particles.size());
  if (p_.n == 0) return;
  const StageTimer::Scope timed(timer_, &StageSeconds::transfer);
  const std::vector<u32> to = input_indices();
  for (int k = 0; k < 3; ++k) {
    download<pos_t>(p_.x[k], [&](std::size_t i, pos_t v) { particles.position[to[i]][k] = static_cast<double>(v); });
    download<real>(p_.acc[k],
                   [&](std::size_t i, real v) { particles.acceleration[to[i]][k] = static_cast<double>(v) * a_unit; });
    if (p_.v[k].bytes() == 0) continue;
    download<pos_t>(p_.v[k], [&](std::size_t i, pos_t v) { particles.velocity[to[i]][k] = static_cast<double>(v); });
  }
  download<real>(p_.acc[3],
                 [&](std::size_t i, real v) { particles.potential[to[i]] = static_cast<double>(v) * p_unit; });
}

void DevicePipeline::restore(const Particles& particles) {
  if (p_.n == 0) return;
  const StageTimer::Scope timed(timer_, &StageSeconds::transfer);
  const std::vector<u32> from = input_indices();
  const double a_unit = exact_acceleration_unit(), p_unit = exact_potential_unit();
  const auto n = static_cast<std::size_t>(p_.n);
  for (int k = 0; k < 3; ++k) {
    upload<real>(p_.acc[k], [&](std::size_t i) { return particles.acceleration[from[i]][k] / a_unit; });
    if (particles.rung.empty()) continue;
    p_.before[k].reserve(n * sizeof(real));
    p_.earlier[k].reserve(n * sizeof(real));
    device_.copy(p_.before[k], p_.acc[k], n * sizeof(real));  // synchronised: every step begins here
    upload<real>(p_.earlier[k], [&](std::size_t i) { return particles.acceleration_before[from[i]][k] / a_unit; });
  }
  upload<real>(p_.acc[3], [&](std::size_t i) { return particles.potential[from[i]] / p_unit; });
  if (!particles.rung.empty()) {
    p_.rung.reserve(n * sizeof(u32));
    upload<u32>(p_.rung,
                [&](std::size_t i) { return held_rungs(particles.rung[from[i]], particles.rung_before[from[i]]); });
  }
  if (options_.mac == Mac::relative) {
    const bool made_for_first_pass = needs_first_pass(options_, remembers_);
    remember_accelerations();
    if (made_for_first_pass) moments(Mac::relative, false);
  }
}

std::vector<Motion> DevicePipeline::motions(const std::vector<std::size_t>& which) {
  if (p_.n == 0 || which.empty()) return {};
  const StageTimer::Scope timed(timer_, &StageSeconds::transfer);
  return DeviceCheck(device_, this_precision).motions(p_, which);
}

ForceSample DevicePipeline::sample(const std::vector<std::size_t>& which) {
  ForceSample s;
  if (p_.n == 0) return s;
  const StageTimer::Scope timed(timer_, &StageSeconds::transfer);
  s = DeviceCheck(device_, this_precision).run(p_, which, walk_options(present_mac(options_, remembers_)));
  for (auto* forces : {&s.walked, &s.direct}) {
    for (auto& force : *forces) {
      for (int k = 0; k < 4; ++k) force[k] *= k < 3 ? acceleration_unit() : potential_unit();
    }
  }
  return s;
}

}  // namespace

std::unique_ptr<Backend> make_device_pipeline(Device& device) { return std::make_unique<DevicePipeline>(device); }

HB_CLOSE
