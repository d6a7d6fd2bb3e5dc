// SPDX-License-Identifier: Apache-2.0
// The particle's path on the CPU, from load to store. Compiled once a precision (HB_PRECISION).
// Longer than most files: each stage in order, in the one class that holds the arrays.
#include "backend/cpu/pipeline.h"
#include "device/host/threads.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "backend/evaluation.h"
#include "device/host/kernels.h"
#include "device/timed.h"
#include "dynamics/energies.h"
#include "dynamics/host_dynamics.h"
#include "hornbeam/error.h"
#include "interactions/gravity/host/active.h"
#include "physics/expansion.h"
#include "stages/units.h"
#include "tree/host_need.h"
#include "tree/host_tree.h"

HB_OPEN
namespace {

/// Larger where cells hold the moments of a high order, so that memory stays below 200 bytes a particle; as fast.
int default_leaf_size(int expansion) { return expansion < 5 ? 16 : expansion == 5 ? 24 : 32; }

class Pipeline final : public Backend {
 public:
  Pipeline(InstructionSet isa, int threads, std::string device)
      : kernels_(kernels_of(isa)), threads_(threads), device_(std::move(device)) {}

  [[nodiscard]] std::string name() const override { return "cpu"; }
  [[nodiscard]] std::string device() const override { return device_; }
  [[nodiscard]] int threads() const override { return threads_; }
  [[nodiscard]] const GravityOptions& options() const override { return options_; }
  [[nodiscard]] const StageSeconds& seconds() const override { return seconds_; }
  [[nodiscard]] Interactions interactions() const override { return interactions_; }
  [[nodiscard]] Bytes bytes() const override;

  void admit(u64 n, const GravityOptions& options, const Holding& holding) override;
  [[nodiscard]] memory::Need host_need(const GravityOptions& options, const Holding& holding) const override;
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
  std::vector<Motion> motions(const std::vector<std::size_t>& which) override { return motions_of(p_, which); }
  ForceSample sample(const std::vector<std::size_t>& which) override;
  RungCensus choose_rungs(const StepRule& rule, int least) override;
  void kick_rungs(const StepRule& rule, int least) override;
  void refit() override;
  void walk_rungs(int least) override;
  double largest_pull_over_eps() override;
  void remember() override;
  void go_back() override {
    p_ = *remembered_;
    unit_ = remembered_unit_;
  }
  void set_external(const std::vector<ExternalPotential>& fields, double time) override;

 private:
  void bound();
  void key();
  void reorder();
  void moments(Mac mac, bool refitted);
  void walk_once(const u32* order, i32 targets);
  void add_fields(const u32* order, i32 targets);
  [[nodiscard]] std::vector<ExternalField> internal_fields() const;
  void write(Particles& particles, double a_unit, double p_unit);
  void remember_accelerations();
  const u32* input_order();
  template <class T>
  void reorder_array(Array<T>& values, Array<T>& scratch);
  [[nodiscard]] WalkOptions walk_options(Mac mac) const;
  /// User's acceleration and potential per internal one.
  [[nodiscard]] RungRule rung_rule(const StepRule& rule) const {
    return internal_rule(rule, acceleration_unit(), unit_);
  }
  [[nodiscard]] double acceleration_unit() const { return options_.G * unit_ * unit_ / mass_unit_; }
  [[nodiscard]] double potential_unit() const { return options_.G * unit_ / mass_unit_; }
  /// The same for G = 1: powers of two, which change no digits.
  [[nodiscard]] double exact_acceleration_unit() const { return unit_ * unit_ / mass_unit_; }
  [[nodiscard]] double exact_potential_unit() const { return unit_ / mass_unit_; }

  const Kernels& kernels_;
  int threads_;
  std::string device_;
  GravityOptions options_;
  StageSeconds seconds_;
  Interactions interactions_;

  CpuParticles p_;
  std::optional<CpuParticles> remembered_;
  PresentFields fields_;
  ActiveTargets active_;
  Array<u32> order_;  ///< see input_order()
  double eps_for_all_ = 0, least_eps_ = 0;

  KeyCube cube_{};
  double unit_ = 1, mass_unit_ = 1, remembered_unit_ = 1;
  Array<SortEntry> entries_, sort_scratch_;
  Array<pos_t> pos_scratch_;  ///< kept from step to step
  Array<u64> keys_;
  Tree tree_;
  bool refitted_ = false;  ///< whether particles have moved since the tree was built
};

GravityOptions with_sizes(GravityOptions options) {
  if (options.leaf_size == 0) options.leaf_size = default_leaf_size(options.expansion);
  if (options.group_size == 0) options.group_size = 128;
  return options;
}

memory::Need Pipeline::host_need(const GravityOptions& options, const Holding& holding) const {
  const WalkOptions w = evaluation_options(options, options.mac, holding.own_eps, 1);
  return evaluation_need(with_sizes(options), w, holding, threads_);
}

void Pipeline::admit(u64 n, const GravityOptions& options, const Holding& holding) {
  options.validate();
  if (n > (u64{1} << 30)) {
    throw Error("particles", std::to_string(n) + " are more than one CPU run holds, 2^30", "use fewer");
  }
  const Bytes held = bytes();
  memory::demand(n, host_need(options, holding), static_cast<double>(held.particles + held.tree + held.scratch));
}

void Pipeline::load(const Particles& particles, const GravityOptions& options, const Holding& steps) {
  const Threads scope(threads_);
  options.validate();
  if (options.walk == Walk::vote) {
    throw UsageError("walk = vote", "is for GPUs and not built for the CPU", "use group, stackless or direct");
  }
  Holding holding = steps;
  holding.velocities = !particles.velocity.empty();
  holding.own_eps = options.eps < 0 && !particles.eps.empty();
  admit(particles.size(), options, holding);
  seconds_ = {}, interactions_ = {};
  Timed timed(seconds_.transfer);
  options_ = with_sizes(options);
  const std::size_t count = particles.size();
  const std::size_t room = count + read_ahead;  // the same for all arrays, which change places when reordered
  try {
    // what walks and steps leave comes later
    for_each_array_of([&](const StoreRow& row, auto& array) { array.resize(is_loaded(row.held, holding) ? room : 0); },
                      p_);
    p_.input.resize(count);
    for (auto& a : p_.acc) std::fill(a.begin(), a.end(), 0);
  } catch (const std::bad_alloc&) {
    throw Error("memory", std::to_string(count) + " particles do not fit", "use fewer particles or a larger machine");
  }
  mass_unit_ = mass_unit_for(particles, fields_, options.G);
  eps_for_all_ = std::max(options.eps, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) p_.x[k][i] = static_cast<pos_t>(particles.position[i][k]);
    p_.mass[i] = static_cast<real>(particles.mass[i] * mass_unit_);
    p_.input[i] = static_cast<u32>(i);
  }
  for (std::size_t i = 0; i < particles.velocity.size(); ++i) {
    for (int k = 0; k < 3; ++k) p_.v[k][i] = static_cast<pos_t>(particles.velocity[i][k]);
  }
  for (std::size_t i = 0; i < count && !p_.eps.empty(); ++i) p_.eps[i] = static_cast<real>(particles.eps[i]);
  least_eps_ = least_eps_of(particles, options);
  remembered_.reset();
}

void Pipeline::remember() {
  try {
    remembered_ = p_;
    remembered_unit_ = unit_;
  } catch (const std::bad_alloc&) {
    remembered_.reset();
    throw Error("memory", "a copy of the particles does not fit", "use fewer particles or a larger machine");
  }
}

void Pipeline::build_tree() {
  const Threads scope(threads_);
  bound();
  key();
  {
    Timed timed(seconds_.sort);
    sort_entries(entries_, sort_scratch_);
  }
  reorder();
  {
    Timed timed(seconds_.build);
    tree_.build(keys_, options_.leaf_size, walk_options(options_.mac).moment_stride);
    if (options_.walk == Walk::group) tree_.make_groups(options_.group_size, p_.view());
    if (options_.walk == Walk::direct) tree_.make_groups(direct_group_size, p_.view());
  }
  if (options_.walk == Walk::direct) return;
  moments(present_mac(options_, !p_.last.empty()), false);
}

void Pipeline::refit() {
  const Threads scope(threads_);
  if (options_.walk != Walk::direct) moments(present_mac(options_, !p_.last.empty()), true);
}

void Pipeline::bound() {
  Timed timed(seconds_.bound);
  if (p_.n() == 0) return;
  const pos_t* const position[3] = {p_.x[0].data(), p_.x[1].data(), p_.x[2].data()};
  cube_ = key_cube(position, p_.n());
  const double unit = frame_unit(cube_, least_eps_, fields_);
  if (unit != unit_) change_unit(p_, static_cast<real>(unit_ / unit));
  unit_ = unit;
}

void Pipeline::key() {
  Timed timed(seconds_.key);
  entries_.resize(p_.input.size());
  const i32 curve = options_.curve == Curve::hilbert ? HB_CURVE_HILBERT : HB_CURVE_MORTON;
  kernels_.keys(p_.x[0].data(), p_.x[1].data(), p_.x[2].data(), p_.input.data(), p_.n(), cube_, curve, entries_.data());
}

template <class T>
void Pipeline::reorder_array(Array<T>& values, Array<T>& scratch) {
  if (values.empty()) return;
  scratch.resize(values.size());
#pragma omp parallel for schedule(static)
  for (i32 i = 0; i < p_.n(); ++i) scratch[i] = values[entries_[i].place];
  values.swap(scratch);
}

void Pipeline::reorder() {
  Timed timed(seconds_.reorder);
  keys_.resize(p_.input.size());
  const bool in_blocks = !p_.rung.empty();
  Array<real> own_scratch;
  Array<real>& scratch = in_blocks ? own_scratch : p_.acc[0];  // which holds nothing any more where all walk
  const auto reorder_row = [&](const StoreRow& row, auto& array) {
    if (!follows(row.carried, in_blocks)) return;
    using Values = std::decay_t<decltype(array)>;
    if constexpr (std::is_same_v<Values, Array<pos_t>>) {
      reorder_array(array, pos_scratch_);
    } else if constexpr (std::is_same_v<Values, Array<real>>) {
      reorder_array(array, scratch);
    } else {
      reorder_array(array, order_);
    }
  };
  for_each_array_of(reorder_row, p_);
#pragma omp parallel for schedule(static)
  for (i32 i = 0; i < p_.n(); ++i) {
    keys_[i] = entries_[i].key;
    p_.input[i] = entries_[i].input;
    p_.soft2[i] = soft2_of_particle(i, p_.eps.empty() ? nullptr : p_.eps.data(), static_cast<pos_t>(eps_for_all_),
                                    static_cast<pos_t>(unit_));
  }
}

WalkOptions Pipeline::walk_options(Mac mac) const {
  WalkOptions w = evaluation_options(options_, mac, !p_.eps.empty(), 1);
  w.unit = static_cast<pos_t>(unit_);
  w.cells = tree_.size();
  w.particles = p_.n();
  return w;
}

void Pipeline::moments(Mac mac, bool refitted) {
  Timed timed(seconds_.moments);
  WalkOptions options = walk_options(mac);
  options.refitted = refitted ? 1 : 0;
  refitted_ = refitted;
  tree_.compute_moments(kernels_, p_.view(), cube_, options);
}

void Pipeline::walk() {
  const Threads scope(threads_);
  active_.groups = tree_.groups();
  active_.block_begin = tree_.block_begin();
  const u32* const order = options_.curve == Curve::none ? input_order() : nullptr;
  if (needs_first_pass(options_, !p_.last.empty()) && p_.n() > 0) {
    walk_once(order, p_.n());  // its moments are those of `offset`
    const bool refitted = refitted_;
    moments(Mac::relative, false);               // cells of the last build
    if (refitted) moments(Mac::relative, true);  // and the boxes that have outgrown them
  }
  walk_once(order, p_.n());
}

void Pipeline::walk_rungs(int least) {
  const Threads scope(threads_);
  {
    Timed timed(seconds_.walk);
    active_.find(p_, tree_.groups(), tree_.block_begin(), least);
  }
  walk_once(active_.particles.data(), static_cast<i32>(active_.particles.size()));
}

/// order, targets: of the stackless walk; the others take the active groups.
void Pipeline::walk_once(const u32* order, i32 targets) {
  Timed timed(seconds_.walk);
  const WalkOptions options = walk_options(present_mac(options_, !p_.last.empty()));
  const auto groups = static_cast<i32>(active_.groups.size());
  const WalkArrays arrays{
      p_.view(), tree_.view(), p_.last.empty() ? nullptr : p_.last.data(),
      order,     targets,      {p_.acc[0].data(), p_.acc[1].data(), p_.acc[2].data(), p_.acc[3].data()}};
  switch (options_.walk) {
    case Walk::direct:
      kernels_.sum_direct(arrays, p_.view(), nullptr, active_.groups.data(), groups, options);
      interactions_ = {};
      for (const GroupRange& g : active_.groups) interactions_.particle += static_cast<u64>(g.count);
      interactions_.particle *= static_cast<u64>(std::max(p_.n() - 1, 0));
      break;
    case Walk::stackless:
      interactions_ = kernels_.walk_stackless(arrays, options);
      break;
    default:
      interactions_ = kernels_.walk_groups(arrays, active_.groups.data(), active_.block_begin.data(),
                                           static_cast<i32>(active_.block_begin.size()) - 1, options);
  }
  add_fields(order, targets);
  if (options_.mac == Mac::relative) remember_accelerations();
}

/// The external fields' part of the accelerations just found.
void Pipeline::add_fields(const u32* order, i32 targets) {
  if (fields_.potentials.empty()) return;
  std::vector<GroupRange> ranges = active_.groups;
  if (options_.walk == Walk::stackless) {
    for (i32 t = 0; t < targets; ++t) ranges.push_back({order ? static_cast<i32>(order[t]) : t, 1});
  }
  add_external(p_, internal_fields(), ranges);
}

std::vector<ExternalField> Pipeline::internal_fields() const {
  return fields_in_units(fields_, options_.G, unit_, mass_unit_);
}

/// Places along the curve in the order of the input: what walking unsorted particles means (Nakasato 2012, Table 2).
const u32* Pipeline::input_order() {
  order_.resize(p_.input.size());
  for (std::size_t i = 0; i < p_.input.size(); ++i) order_[p_.input[i]] = static_cast<u32>(i);
  return order_.data();
}

void Pipeline::remember_accelerations() {
  p_.last.resize(p_.input.size() + read_ahead);
#pragma omp parallel for schedule(static)
  for (i32 i = 0; i < p_.n(); ++i) {
    p_.last[i] = std::sqrt(p_.acc[0][i] * p_.acc[0][i] + p_.acc[1][i] * p_.acc[1][i] + p_.acc[2][i] * p_.acc[2][i]);
  }
}

void Pipeline::kick(double dt) {
  Timed timed(seconds_.kick_drift);
  const Threads scope(threads_);
  kick_particles(p_, static_cast<pos_t>(dt * acceleration_unit()));
}

void Pipeline::drift(double dt) {
  Timed timed(seconds_.kick_drift);
  const Threads scope(threads_);
  drift_particles(p_, static_cast<pos_t>(dt));
}

RungCensus Pipeline::choose_rungs(const StepRule& rule, int least) {
  Timed timed(seconds_.kick_drift);
  const Threads scope(threads_);
  return choose_particle_rungs(p_, rung_rule(rule), least);
}

void Pipeline::kick_rungs(const StepRule& rule, int least) {
  Timed timed(seconds_.kick_drift);
  const Threads scope(threads_);
  kick_particles_on_rungs(p_, rung_rule(rule), least);
}

double Pipeline::largest_pull_over_eps() {
  Timed timed(seconds_.kick_drift);
  const Threads scope(threads_);
  return static_cast<double>(largest_particle_pull(p_)) * acceleration_unit() * unit_;
}

void Pipeline::set_external(const std::vector<ExternalPotential>& fields, double time) { fields_ = {fields, time}; }

Energies Pipeline::energies() {
  Timed timed(seconds_.energy);
  const Threads scope(threads_);
  return sum_energies(p_, internal_fields(), potential_unit(), mass_unit_);
}

u64 Pipeline::not_finite() {
  Timed timed(seconds_.energy);
  const Threads scope(threads_);
  return count_not_finite(
      p_, finite_limits(acceleration_unit(), exact_acceleration_unit(), potential_unit(), exact_potential_unit()));
}

void Pipeline::store(Particles& particles) { write(particles, acceleration_unit(), potential_unit()); }

void Pipeline::save(Particles& particles) {
  write(particles, exact_acceleration_unit(), exact_potential_unit());
  const std::size_t count = p_.rung.size();
  particles.rung.resize(count);
  particles.rung_before.resize(count);
  particles.acceleration_before.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const u32 to = p_.input[i];
    particles.rung[to] = static_cast<std::uint8_t>(rung_of(p_.rung[i]));
    particles.rung_before[to] = static_cast<std::uint8_t>(rung_before(p_.rung[i]));
    for (int k = 0; k < 3; ++k) {
      particles.acceleration_before[to][k] = static_cast<double>(p_.earlier[k][i]) * exact_acceleration_unit();
    }
  }
}

void Pipeline::write(Particles& particles, double a_unit, double p_unit) {
  Timed timed(seconds_.transfer);
  const std::size_t count = p_.input.size();
  particles.acceleration.resize(count);
  particles.potential.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const u32 to = p_.input[i];
    for (int k = 0; k < 3; ++k) {
      particles.position[to][k] = static_cast<double>(p_.x[k][i]);
      particles.acceleration[to][k] = static_cast<double>(p_.acc[k][i]) * a_unit;
      if (!p_.v[0].empty()) particles.velocity[to][k] = static_cast<double>(p_.v[k][i]);
    }
    particles.potential[to] = static_cast<double>(p_.acc[3][i]) * p_unit;
  }
}

void Pipeline::restore(const Particles& particles) {
  Timed timed(seconds_.transfer);
  const bool in_blocks = !particles.rung.empty();
  const double a_unit = exact_acceleration_unit();
  p_.rung.resize(particles.rung.size());
  for (int k = 0; k < 3; ++k) {
    p_.before[k].resize(p_.rung.size());
    p_.earlier[k].resize(p_.rung.size());
  }
  for (std::size_t i = 0; i < p_.input.size(); ++i) {
    const u32 from = p_.input[i];
    for (int k = 0; k < 3; ++k) {
      p_.acc[k][i] = static_cast<real>(particles.acceleration[from][k] / a_unit);
      if (!in_blocks) continue;
      p_.before[k][i] = p_.acc[k][i];  // synchronised: every step begins here
      p_.earlier[k][i] = static_cast<real>(particles.acceleration_before[from][k] / a_unit);
    }
    p_.acc[3][i] = static_cast<real>(particles.potential[from] / exact_potential_unit());
    if (in_blocks) p_.rung[i] = held_rungs(particles.rung[from], particles.rung_before[from]);
  }
  if (options_.mac == Mac::relative) {
    const bool made_for_first_pass = needs_first_pass(options_, !p_.last.empty());
    remember_accelerations();
    if (made_for_first_pass) moments(Mac::relative, false);
  }
}

ForceSample Pipeline::sample(const std::vector<std::size_t>& which) {
  ForceSample s;
  s.walked.resize(which.size());
  const double units[4] = {acceleration_unit(), acceleration_unit(), acceleration_unit(), potential_unit()};
  PullSums sum{};
  for (std::size_t i = 0; i < p_.input.size(); ++i) {
    add_pull<double>(p_.mass[i], p_.acc[0][i], p_.acc[1][i], p_.acc[2][i], sum.data());
    const auto found = std::lower_bound(which.begin(), which.end(), p_.input[i]);
    if (found == which.end() || *found != p_.input[i]) continue;
    auto& to = s.walked[static_cast<std::size_t>(found - which.begin())];
    for (int k = 0; k < 4; ++k) to[k] = static_cast<double>(p_.acc[k][i]) * units[k];
  }
  s.momentum = momentum_error_of(sum);
  return s;
}

Bytes Pipeline::bytes() const {
  Bytes b;
  b.particles = p_.bytes() + (remembered_ ? remembered_->bytes() : 0);
  b.tree = tree_.bytes() + bytes_of(keys_);
  b.scratch =
      bytes_of(entries_) + bytes_of(sort_scratch_) + bytes_of(order_) + bytes_of(pos_scratch_) + active_.bytes();
  return b;
}

}  // namespace

std::unique_ptr<Backend> make_pipeline(InstructionSet isa, int threads, const std::string& device) {
  return std::make_unique<Pipeline>(isa, threads, device);
}

HB_CLOSE
