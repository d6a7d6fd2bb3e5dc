// SPDX-License-Identifier: Apache-2.0
// The time loop: reads straight down the particle's path, one kick-drift-kick step after the other.
// Before it: the backend that holds the particles; after it: outputs, which take snapshots from here.
#include "hornbeam/simulation.h"

#include <cmath>
#include <string>
#include <utility>

#include "backend/backend.h"
#include "hornbeam/error.h"

namespace hornbeam {

struct Simulation::State {
  std::unique_ptr<Backend> backend;
  Snapshot snapshot;  ///< what the device does not hold: identities, families, units; its positions are the first ones
  double time = 0.0;  ///< summed step by step, so that a resumed run carries the same bits
  double dt = 0.0;
  std::uint64_t steps = 0;
};

namespace {

void validate(const Snapshot& start, const SimulationOptions& options) {
  if (!(std::isfinite(options.dt) && options.dt > 0.0)) {
    throw UsageError("dt", "is " + std::to_string(options.dt) + ", must be finite and above 0");
  }
  options.gravity.validate();
  start.particles.validate("simulation");
  const std::size_t n = start.particles.size();
  if (options.resumed && (start.particles.acceleration.size() != n || start.particles.potential.size() != n)) {
    throw UsageError("resumed", "the start holds no accelerations and potentials", "take it from snapshot()");
  }
}

}  // namespace

Simulation::Simulation(Snapshot start, const SimulationOptions& options) : state_(std::make_unique<State>()) {
  validate(start, options);
  State& state = *state_;
  state.snapshot = std::move(start);
  state.snapshot.units.G = options.gravity.G;
  if (options.gravity.eps >= 0.0) {  // what later reads the snapshots must soften as this run does
    state.snapshot.particles.eps.assign(state.snapshot.particles.size(), options.gravity.eps);
  }
  state.time = state.snapshot.time;
  state.dt = options.dt;
  state.backend = open_backend(options.backend, options.device, options.threads);
  state.backend->load(state.snapshot.particles, options.gravity);
  state.backend->build_tree();
  // The relative criterion opens cells by the accelerations before these; a walk here would not know them.
  if (options.resumed && options.gravity.mac == Mac::relative) {
    state.backend->restore(state.snapshot.particles);
  } else {
    state.backend->walk();
  }
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

void Simulation::step() {
  Backend& device = *state_->backend;
  const double dt = state_->dt;
  device.kick(0.5 * dt);
  device.drift(dt);
  device.build_tree();
  device.walk();
  device.kick(0.5 * dt);
  state_->time += dt;
  ++state_->steps;
}

void Simulation::run(double end, const std::function<bool(const Simulation&)>& keep_going) {
  // The summed time may miss the end by rounding; a thousandth of a step tells that from a step that is due.
  while (time() < end - 1e-3 * state_->dt) {
    step();
    if (keep_going && !keep_going(*this)) return;
  }
}

double Simulation::time() const { return state_->time; }
std::uint64_t Simulation::steps() const { return state_->steps; }
std::size_t Simulation::size() const { return state_->snapshot.particles.size(); }
Energies Simulation::energies() const { return state_->backend->energies(); }
const Backend& Simulation::backend() const { return *state_->backend; }

Snapshot Simulation::snapshot() const {
  Snapshot now = state_->snapshot;
  state_->backend->store(now.particles);
  now.time = time();
  return now;
}

Snapshot Simulation::snapshot_at(double time) const {
  Snapshot copy = snapshot();
  Particles& p = copy.particles;
  const double dt = time - copy.time;
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double change = p.acceleration[i][k] * dt;
      p.position[i][k] += (p.velocity[i][k] + 0.5 * change) * dt;
      p.velocity[i][k] += change;
    }
  }
  p.acceleration.clear();
  p.potential.clear();
  copy.time = time;
  return copy;
}

}  // namespace hornbeam
