// SPDX-License-Identifier: Apache-2.0
// The particles' path from load to cells, and back to the host. Compiled once a precision (HB_PRECISION).
#include "tree/particle_domain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "device/transfer.h"
#include "hornbeam/error.h"
#include "stages/rungs.h"
#include "tree/frame.h"
#include "tree/sample.h"

HB_OPEN
namespace {

double total_of(const std::vector<double>& masses) {
  double total = 0;
  for (const double m : masses) total += m;
  return total;
}

/// The largest coordinate.
double extent_of(const std::vector<Vec3>& positions) {
  double extent = 0;
#pragma omp parallel for schedule(static) reduction(max : extent)
  for (const Vec3& x : positions) {
    for (const double coordinate : x) extent = std::max(extent, std::abs(coordinate));
  }
  return extent;
}

}  // namespace

ParticleDomain::ParticleDomain(Device& device)
    : device_(device),
      timer_(device),
      p_(device),
      remembered_(device),
      tree_(make_tree(device)),
      targets_(make_target_set(device)) {}

template <class T, class Value>
void ParticleDomain::upload(const Buffer& to, Value value) {
  upload_values<T>(device_, to, size(), value);
}

template <class T, class Take>
void ParticleDomain::download(const Buffer& from, Take take) {
  download_values<T>(device_, from, size(), take);
}

/// Room for what is loaded; what evaluations and steps leave comes later.
void ParticleDomain::reserve(const Holding& holding) {
  const auto reserve_row = [&](const StoreRow& row, Buffer& array) {
    if (is_loaded(row.held, holding)) {
      array.reserve(size() * row.bytes);
    } else {
      array.release();
    }
  };
  for_each_array_of(reserve_row, p_);
}

/// What every load begins with: room for n particles, which are numbered and have no accelerations yet.
void ParticleDomain::begin_load(std::size_t n, const DomainOptions& options, const Holding& holding) {
  options_ = options;
  remembered_ = DeviceParticles(device_);
  const bool keeps_soft2 = n == size() && !holding.own_eps && p_.eps.bytes() == 0;
  if (!keeps_soft2) p_.soft2_unit = 0;
  p_.n = static_cast<i32>(n);
  frame_.G = options.G;
  reserve(holding);
  if (p_.n == 0) return;
  for (const Buffer& b : p_.acc) device_.clear(b, size() * sizeof(real));
  device_.launch(kernels::number_items{.n = p_.n, .numbers = p_.input}, plain_variant, p_.n);
}

void ParticleDomain::load(const Particles& particles, const DomainOptions& options, const Holding& holding) {
  timer_.clear();
  const StageTimer::Scope timed(timer_, &StageSeconds::transfer);
  begin_load(particles.size(), options, holding);
  if (p_.n == 0) return;
  choose_mass(total_of(particles.mass), extent_of(particles.position));
  for (int k = 0; k < 3; ++k) {
    upload<pos_t>(p_.x[k], [&](std::size_t i) { return particles.position[i][k]; });
    if (holding.velocities) upload<pos_t>(p_.v[k], [&](std::size_t i) { return particles.velocity[i][k]; });
  }
  upload<real>(p_.mass, [&](std::size_t i) { return particles.mass[i] * frame_.mass; });
  if (holding.own_eps) upload<real>(p_.eps, [&](std::size_t i) { return particles.eps[i]; });
  load_bodies(particles, holding);
  if (holding.gas) load_gas(particles);
}

void ParticleDomain::load_bodies(const Particles& particles, const Holding& holding) {
  if (holding.bodies) {
    upload<pos_t>(p_.radius, [&](std::size_t i) { return particles.radius[i]; });
    upload<pos_t>(p_.body_mass, [&](std::size_t i) { return particles.mass[i]; });
  }
  for (int k = 0; k < 3 && holding.spins; ++k) {
    upload<pos_t>(p_.spin[k], [&](std::size_t i) { return particles.spin[i][k]; });
  }
  if (!holding.leaving) return;
  device_.clear(p_.gone, size() * sizeof(u32));
  upload<u32>(p_.origin, [](std::size_t i) { return i; });
}

/// Of a new start: H is 1 where it is to be found, and nothing is known of motions. What is no gas has H 0.
void ParticleDomain::load_gas(const Particles& particles) {
  const auto is_gas = [&](std::size_t i) { return particles.family[i] == Family::gas; };
  upload<pos_t>(p_.smooth, [&](std::size_t i) { return is_gas(i) ? 1.0 : 0.0; });
  const std::vector<double>& u = particles.internal_energy;
  upload<pos_t>(p_.u, [&](std::size_t i) { return is_gas(i) && !u.empty() ? u[i] : 0.0; });
  for (const DeviceArray<pos_t>* none : {&p_.alpha, &p_.density, &p_.u_rate, &p_.divergence, &p_.signal, &p_.omega,
                                         &p_.pull[0], &p_.pull[1], &p_.pull[2]}) {
    device_.clear(*none, size() * sizeof(pos_t));
  }
  device_.clear(p_.begun, size() * sizeof(u32));
  for (int k = 0; k < 3 && p_.span.bytes() > 0; ++k) device_.clear(p_.fall[k], size() * sizeof(real));
  if (p_.span.bytes() > 0) device_.clear(p_.span, size() * sizeof(pos_t));
  if (p_.zeta.bytes() > 0) device_.clear(p_.zeta, size() * sizeof(pos_t));
  for_each_gas_vector([&](const DeviceArray<pos_t>& none, auto, int) { device_.clear(none, size() * sizeof(pos_t)); });
}

/// The fields of gas and where they are held.
template <class Act>
void ParticleDomain::for_each_gas_field(const Act& act) {
  act(p_.smooth, &Particles::smoothing_length);
  act(p_.density, &Particles::density);
  act(p_.u, &Particles::internal_energy);
  act(p_.u_rate, &Particles::internal_energy_rate);
  act(p_.alpha, &Particles::viscosity);
  act(p_.divergence, &Particles::velocity_divergence);
  act(p_.signal, &Particles::signal_speed);
  act(p_.omega, &Particles::grad_h);
  if (p_.zeta.bytes() > 0) act(p_.zeta, &Particles::softening_zeta);
  if (p_.span.bytes() > 0) act(p_.span, &Particles::step_before);
}

/// The same of vectors, component by component.
template <class Act>
void ParticleDomain::for_each_gas_vector(const Act& act) {
  for (int k = 0; k < 3 && p_.stretch[k].bytes() > 0; ++k) {
    act(p_.stretch[k], &Particles::velocity_stretch, k);
    act(p_.shear[k], &Particles::velocity_shear, k);
  }
}

/// The particles' total is about 1, unless what pulls them is far above it, as it is for tracers.
void ParticleDomain::choose_mass(double total, double extent) {
  largest_ = extent;
  constexpr double far_above = 0x1p40;
  double strongest = 0;
  for (const FrameUser* user : users_) strongest = std::max(strongest, user->frame_mass(extent));
  frame_.mass = power_of_two_over(std::max(total, strongest / far_above), 0);
}

/// Accelerations and potentials go with the unit, by powers of two, which change no digits: by factor after factor, as
/// their product may be out of the range that the values are in.
/// Unless they are softened by more; devices may take the least numbers for 0.
void ParticleDomain::refuse_lost_lengths() const {
  const bool small = frame_.cube.extent > 0 && frame_.cube.extent < least_extent;
  const bool lost = p_.n > 1 && largest_ > 0 && largest_ < std::numeric_limits<pos_t>::min();
  if (!small && !lost) return;
  const auto softens = [](const FrameUser* user) { return user->frame_length({{}, least_extent}) > 0; };
  if (std::any_of(users_.begin(), users_.end(), softens)) return;
  throw Error("positions", "span less than precision " + std::string(name(this_precision)) + " tells apart",
              "give lengths in smaller units, or a softening");
}

void ParticleDomain::choose_length() {
  const KeyBox box = {
      {static_cast<double>(frame_.cube.x), static_cast<double>(frame_.cube.y), static_cast<double>(frame_.cube.z)},
      static_cast<double>(frame_.cube.edge)};
  double demanded = box.edge;
  for (const FrameUser* user : users_) demanded = std::max(demanded, user->frame_length(box));
  const double length = frame_unit(frame_.cube, demanded);
  const double before = std::exchange(frame_.length, length);
  if (length == before) return;
  const auto scale = [&](const DeviceArray<real>& values, i32 times) {
    if (values.bytes() == 0) return;
    device_.launch(
        kernels::scale_reals{.values = values, .factor = static_cast<real>(before / length), .times = times, .n = p_.n},
        plain_variant, p_.n);
  };
  for (int k = 0; k < 3; ++k) {
    for (const DeviceArray<real>* values : {&p_.acc[k], &p_.before[k], &p_.earlier[k], &p_.fall[k]}) scale(*values, 2);
  }
  scale(p_.acc[3], 1);
  scale(p_.last, 2);
}

void ParticleDomain::build() {
  timer_.trim();
  if (p_.n == 0) return;
  const i32 curve = options_.curve == Curve::hilbert ? HB_CURVE_HILBERT : HB_CURVE_MORTON;
  const auto timed = [&](StageTimer::Stage stage, const auto& act) {
    const StageTimer::Scope scope(timer_, stage);
    act();
  };
  timed(&StageSeconds::bound, [&] {
    frame_.cube = tree_->bound(p_);
    refuse_lost_lengths();
    choose_length();
  });
  timed(&StageSeconds::key, [&] {
    if (!tree_->has_room(p_.n)) {
      tree_->release_cells();
      targets_->release();
      for (FrameUser* user : users_) user->make_room();
    }
    tree_->make_keys(p_, frame_.cube, curve);
  });
  timed(&StageSeconds::sort, [&] { tree_->sort(p_.n); });
  timed(&StageSeconds::reorder, [&] { tree_->reorder(p_); });
  timed(&StageSeconds::build, [&] {
    const TreePlan plan{options_.leaf_size, options_.moment_stride, {.size = options_.group_size}, options_.direct};
    tree_->build(p_, frame_.cube, curve, plan);
  });
  timed(&StageSeconds::reorder, [&] { tree_->reorder_rest(p_); });
}

void ParticleDomain::move(const std::vector<Vec3>& position) {
  const StageTimer::Scope timed(timer_, &StageSeconds::transfer);
  const std::vector<u32> from = input_indices();
  for (int k = 0; k < 3; ++k) upload<pos_t>(p_.x[k], [&](std::size_t i) { return position[from[i]][k]; });
}

void ParticleDomain::take_all() { targets_->take_all(p_, *tree_); }

void ParticleDomain::take_due(int least) {
  const StageTimer::Scope timed(timer_, &StageSeconds::walk);
  if (p_.n > 0) targets_->take_due(p_, *tree_, least);
}

std::vector<u32> ParticleDomain::input_indices() {
  std::vector<u32> input(size());
  if (!input.empty()) device_.download(input.data(), p_.input, 0, input.size() * sizeof(u32));
  return input;
}

void ParticleDomain::store(Particles& particles) { write(particles, frame_.acceleration(), frame_.potential()); }

void ParticleDomain::save(Particles& particles) {
  const double a_unit = frame_.exact_acceleration();
  write(particles, a_unit, frame_.exact_potential());
  write_gas(particles, Life::run);
  const std::size_t count = p_.rung.bytes() > 0 ? size() : 0;
  particles.step_begun.resize(p_.begun.bytes() > 0 ? count : 0);
  particles.rung.resize(count);
  particles.rung_before.resize(count);
  particles.acceleration_before.resize(count);
  if (count == 0) return;
  const std::vector<u32> to = input_indices();
  download<u32>(p_.rung, [&](std::size_t i, u32 held) {
    particles.rung[to[i]] = static_cast<std::uint8_t>(rung_of(held));
    particles.rung_before[to[i]] = static_cast<std::uint8_t>(rung_before(held));
  });
  if (p_.begun.bytes() > 0) {
    download<u32>(p_.begun, [&](std::size_t i, u32 tick) { particles.step_begun[to[i]] = tick; });
  }
  for (int k = 0; k < 3; ++k) {
    download<real>(p_.earlier[k], [&](std::size_t i, real v) {
      particles.acceleration_before[to[i]][k] = static_cast<double>(v) * a_unit;
    });
  }
  if (p_.span.bytes() == 0) return;
  particles.pull_begun.resize(count);
  for (int k = 0; k < 3; ++k) {
    download<real>(p_.before[k],
                   [&](std::size_t i, real v) { particles.pull_begun[to[i]][k] = static_cast<double>(v) * a_unit; });
  }
}

void ParticleDomain::write(Particles& particles, double a_unit, double p_unit) {
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
  write_bodies(particles, to);
  write_gas(particles, Life::lasting);
}

/// Masses and radii change where bodies may be taken out alone.
void ParticleDomain::write_bodies(Particles& particles, const std::vector<u32>& to) {
  for (int k = 0; k < 3 && p_.spin[k].bytes() > 0; ++k) {
    download<pos_t>(p_.spin[k], [&](std::size_t i, pos_t v) { particles.spin[to[i]][k] = static_cast<double>(v); });
  }
  if (p_.gone.bytes() == 0 || p_.radius.bytes() == 0) return;
  download<pos_t>(p_.radius, [&](std::size_t i, pos_t v) { particles.radius[to[i]] = static_cast<double>(v); });
  download<pos_t>(p_.body_mass, [&](std::size_t i, pos_t v) { particles.mass[to[i]] = static_cast<double>(v); });
}

/// The fields of gas of that life.
void ParticleDomain::write_gas(Particles& particles, Life life) {
  if (p_.smooth.bytes() == 0) return;
  const std::vector<u32> to = input_indices();
  for_each_gas_field([&](const DeviceArray<pos_t>& from, auto field) {
    if (row_of(field).life != life) return;
    (particles.*field).resize(particles.size());
    download<pos_t>(from, [&](std::size_t i, pos_t v) { (particles.*field)[to[i]] = static_cast<double>(v); });
  });
  for_each_gas_vector([&](const DeviceArray<pos_t>& from, auto field, int k) {
    if (row_of(field).life != life) return;
    (particles.*field).resize(particles.size());
    download<pos_t>(from, [&](std::size_t i, pos_t v) { (particles.*field)[to[i]][k] = static_cast<double>(v); });
  });
}

void ParticleDomain::restore(const Particles& particles) {
  if (p_.n == 0) return;
  const StageTimer::Scope timed(timer_, &StageSeconds::transfer);
  const std::vector<u32> from = input_indices();
  const double a_unit = frame_.exact_acceleration(), p_unit = frame_.exact_potential();
  for (int k = 0; k < 3; ++k) {
    upload<real>(p_.acc[k], [&](std::size_t i) { return particles.acceleration[from[i]][k] / a_unit; });
  }
  upload<real>(p_.acc[3], [&](std::size_t i) { return particles.potential[from[i]] / p_unit; });
  if (p_.smooth.bytes() > 0) {
    for_each_gas_field([&](const DeviceArray<pos_t>& to, auto field) {
      upload<pos_t>(to, [&](std::size_t i) { return (particles.*field)[from[i]]; });
    });
    for_each_gas_vector([&](const DeviceArray<pos_t>& to, auto field, int k) {
      upload<pos_t>(to, [&](std::size_t i) { return (particles.*field)[from[i]][k]; });
    });
  }
  if (!particles.rung.empty()) restore_rungs(particles, from);
}

void ParticleDomain::restore_rungs(const Particles& particles, const std::vector<u32>& from) {
  const double a_unit = frame_.exact_acceleration();
  for (int k = 0; k < 3; ++k) {
    p_.before[k].reserve(size() * sizeof(real));
    p_.earlier[k].reserve(size() * sizeof(real));
    device_.copy(p_.before[k], p_.acc[k], size() * sizeof(real));  // synchronised: every step begins here
    upload<real>(p_.earlier[k], [&](std::size_t i) { return particles.acceleration_before[from[i]][k] / a_unit; });
  }
  for (int k = 0; k < 3 && p_.span.bytes() > 0; ++k) {
    upload<real>(p_.before[k], [&](std::size_t i) { return particles.pull_begun[from[i]][k] / a_unit; });
  }
  p_.rung.reserve(size() * sizeof(u32));
  upload<u32>(p_.rung,
              [&](std::size_t i) { return held_rungs(particles.rung[from[i]], particles.rung_before[from[i]]); });
}

/// values becomes values[from[0 .. count)].
template <class Launch, class T>
void ParticleDomain::keep(DeviceArray<T>& values, const DeviceArray<u32>& from, i32 count) {
  DeviceArray<T> left(device_);
  left.reserve(static_cast<std::size_t>(count) * sizeof(T));
  device_.launch(Launch{.from = values, .place = from, .n = count, .to = left}, plain_variant, count);
  values.swap(left);
}

std::size_t ParticleDomain::take_out() {
  if (p_.n == 0 || p_.gone.bytes() == 0) return 0;
  DeviceArray<u32> kept(device_), kept_on_input(device_), from(device_);
  for (DeviceArray<u32>* marks : {&kept, &kept_on_input}) marks->reserve((size() + 1) * sizeof(u32));
  device_.launch(
      kernels::mark_kept{.input = p_.input, .n = p_.n, .gone = p_.gone, .kept = kept, .kept_on_input = kept_on_input},
      plain_variant, p_.n + 1);
  device_.exclusive_scan(kept, p_.n + 1);
  u32 left = 0;
  device_.download(&left, kept, size() * sizeof left, sizeof left);
  const std::size_t gone = size() - left;
  if (gone == 0) return 0;
  from.reserve(std::max<std::size_t>(left, 1) * sizeof(u32));
  device_.launch(kernels::list_marks{.sums = kept, .count = p_.n, .list = from.as<i32>()}, plain_variant, p_.n);
  const auto count = static_cast<i32>(left);
  const auto keep_row = [&](const StoreRow& row, auto& array) {
    if (array.bytes() == 0 || left == 0 || row.held == Held::leaving) return;
    using Values = std::decay_t<decltype(array)>;
    if constexpr (std::is_same_v<Values, DeviceArray<pos_t>>) {
      keep<kernels::gather_positions>(array, from, count);
    } else if constexpr (std::is_same_v<Values, DeviceArray<real>>) {
      keep<kernels::gather_reals>(array, from, count);
    } else {
      keep<kernels::gather_words>(array, from, count);
    }
  };
  for_each_array_of(keep_row, p_);
  if (left > 0) {
    keep<kernels::gather_words>(p_.origin, from, count);
    device_.exclusive_scan(kept_on_input, p_.n + 1);
    device_.launch(kernels::gather_words{.from = kept_on_input, .place = p_.input, .n = count, .to = from},
                   plain_variant, count);
    p_.input.swap(from);
  }
  p_.n = count;
  return gone;
}

std::vector<std::size_t> ParticleDomain::take_origins() {
  std::vector<std::size_t> origins(size());
  if (origins.empty() || p_.origin.bytes() == 0) return origins;
  const std::vector<u32> to = input_indices();
  download<u32>(p_.origin, [&](std::size_t i, u32 origin) { origins[to[i]] = origin; });
  upload<u32>(p_.origin, [&](std::size_t i) { return to[i]; });
  return origins;
}

std::vector<Motion> ParticleDomain::motions(const std::vector<std::size_t>& which) {
  if (p_.n == 0 || which.empty()) return {};
  const StageTimer::Scope timed(timer_, &StageSeconds::transfer);
  return Sample(device_, p_, which).motions();
}

void ParticleDomain::remember() {
  const u64 needed = p_.bytes() + p_.bytes() / 4;  // lists of walks still grow
  if (remembered_.bytes() == 0 && device_.free_bytes() < needed) {
    throw Error("memory",
                "a second copy of the particles needs " + std::to_string(needed) + " bytes, and " +
                    device_.description() + " has " + std::to_string(device_.free_bytes()) + " left",
                "use fewer particles or shared steps");
  }
  remembered_.copy(p_, device_);
  remembered_length_ = frame_.length;
}

void ParticleDomain::go_back() {
  p_.copy(remembered_, device_);
  frame_.length = remembered_length_;
}

Bytes ParticleDomain::bytes() const {
  return {p_.bytes() + remembered_.bytes(), tree_->tree_bytes(), tree_->scratch_bytes() + targets_->bytes()};
}

std::unique_ptr<Domain> make_particle_domain(Device& device) { return std::make_unique<ParticleDomain>(device); }

HB_CLOSE
