// SPDX-License-Identifier: Apache-2.0
// Particles between the host and a device, array by array: what is loaded, stored, kept by checkpoints and taken up
// again. Compiled once a precision (HB_PRECISION).
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "device/transfer.h"
#include "stages/rungs.h"
#include "stages/wrap.h"
#include "tree/particle_domain.h"
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

template <class T, class Value>
void ParticleDomain::upload(const Buffer& to, Value value) {
  upload_values<T>(device_, to, size(), value);
}

template <class T, class Take>
void ParticleDomain::download(const Buffer& from, Take take) {
  download_values<T>(device_, from, size(), take);
}

void ParticleDomain::load(const Particles& particles, const DomainOptions& options, const Holding& holding) {
  timer_.clear();
  const StageTimer::Scope timed(timer_, &StageSeconds::transfer);
  begin_load(particles.size(), options, holding);
  if (p_.n == 0) return;
  choose_scales(total_of(particles.mass), extent_of(particles.position));
  for (int k = 0; k < 3; ++k) {
    upload<pos_t>(p_.x[k], [&](std::size_t i) { return particles.position[i][k]; });
    if (holding.velocities) upload<pos_t>(p_.v[k], [&](std::size_t i) { return particles.velocity[i][k]; });
  }
  upload<real>(p_.mass, [&](std::size_t i) { return particles.mass[i] * frame_.mass; });
  if (p_.mass_rest.bytes() > 0) {
    upload<real>(p_.mass_rest, [&](std::size_t i) {
      const double mass = particles.mass[i] * frame_.mass;
      return mass - static_cast<double>(static_cast<real>(mass));
    });
  }
  if (holding.own_eps) upload<real>(p_.eps, [&](std::size_t i) { return particles.eps[i] / p_.eps_unit; });
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

void ParticleDomain::move(const std::vector<Vec3>& position) {
  const StageTimer::Scope timed(timer_, &StageSeconds::transfer);
  const std::vector<u32> from = input_indices();
  for (int k = 0; k < 3; ++k) upload<pos_t>(p_.x[k], [&](std::size_t i) { return position[from[i]][k]; });
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

/// Those marked as beyond the walls, in the order of the input.
std::vector<Departure> ParticleDomain::departures() {
  const std::vector<u32> to = input_indices();
  std::vector<u32> gone(size());
  device_.download(gone.data(), p_.gone, 0, gone.size() * sizeof(u32));
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < gone.size(); ++i) {
    if (gone[i] == HB_GONE_OUTSIDE) which.push_back(to[i]);
  }
  if (which.empty()) return {};
  std::sort(which.begin(), which.end());
  Sample sample(device_, p_, which);
  const std::vector<Motion> motions = sample.motions();
  const std::vector<double> masses = sample.body_masses();
  std::vector<Departure> found(which.size());
  for (std::size_t k = 0; k < which.size(); ++k) {
    found[k] = {which[k], motions[k], masses.empty() ? std::nullopt : std::optional(masses[k])};
  }
  return found;
}

std::vector<std::size_t> ParticleDomain::take_origins() {
  std::vector<std::size_t> origins(size());
  if (origins.empty() || p_.origin.bytes() == 0) return origins;
  const std::vector<u32> to = input_indices();
  download<u32>(p_.origin, [&](std::size_t i, u32 origin) { origins[to[i]] = origin; });
  upload<u32>(p_.origin, [&](std::size_t i) { return to[i]; });
  return origins;
}

HB_CLOSE
