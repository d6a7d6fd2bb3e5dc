// SPDX-License-Identifier: Apache-2.0
// The time loop: reads straight down the particle's path, one kick-drift-kick step after the other.
// Before it: the system that holds the particles and its stepper; after it: outputs, which take snapshots from here.
#include "hornbeam/simulation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "core/fields.h"
#include "dynamics/advance.h"
#include "dynamics/block_steps.h"
#include "dynamics/boundary.h"
#include "dynamics/gas_prediction.h"
#include "dynamics/particle_system.h"
#include "hornbeam/error.h"
#include "simulation/finite.h"
#include "simulation/gas_state.h"

namespace hornbeam {
namespace {

constexpr std::array<std::string_view, 3> step_names = {"shared", "block", "symmetrised"};  // as the enumerators
constexpr int deepest_rung = 30;  ///< HB_DEEPEST_RUNG of stages/rungs.h
/// Steps between looks for numbers that are not finite, beside those at whatever leaves the simulation: what is lost
/// stays lost, and a device that is asked after every step would wait.
constexpr std::uint64_t steps_between_looks = 64;
/// In particle-particle interactions: see docs/dynamics.md.
constexpr TreeCosts cpu_costs = {.cell = 2.5, .expansion = 40, .build = 330, .least_due = 0};
constexpr TreeCosts device_costs = {.cell = 2.5, .expansion = 40, .build = 800, .least_due = 131072};

}  // namespace

struct Simulation::State {
  SimulationOptions options;
  TreeCosts costs;
  std::unique_ptr<ParticleSystem> system;
  /// What the device does not hold: identities, families, units; its positions are the first ones. Of the particles
  /// that were there when somebody last looked: see particles_left().
  mutable Snapshot snapshot;
  double time = 0.0;  ///< summed step by step, so that a resumed run carries the same bits
  std::uint64_t steps = 0;
  std::unique_ptr<Stepper> stepper;

  /// Moves external potentials to where they are at `t`.
  void place(double t) const {
    if (!options.potentials.empty()) system->set_external(options.potentials, t);
    if (options.boundary.kind == BoundaryKind::shear) system->set_boundary(options.boundary, t);
  }
  /// Without those that have been taken out.
  const Snapshot& particles_left() const {
    if (system->domain().size() != snapshot.particles.size()) {
      snapshot.particles = selected(snapshot.particles, system->domain().take_origins());
    }
    return snapshot;
  }
  /// What an error about results says of them.
  [[nodiscard]] Evaluated evaluated() const {
    std::ostringstream subject;
    subject << "t = " << time;
    return {subject.str(), particles_left().particles, options.potentials, time};
  }
  void add_gas_state(Particles& particles) const {
    if (options.gas.flows()) hornbeam::add_gas_state(particles, system->materials(), snapshot.units);
  }
  void demand_finite() const { hornbeam::demand_finite(*system, evaluated()); }
  /// Does what may fail for numbers that are not finite, which are the error then.
  template <class Action>
  auto finitely(const Action& act) const {
    try {
      return act();
    } catch (const Error&) {
      demand_finite();
      throw;
    }
  }
};

namespace {

void demand(bool holds, const char* option, double value, const char* allowed) {
  if (!holds) throw UsageError(option, "is " + std::to_string(value) + ", " + allowed);
}

void validate_steps(const Particles& particles, const SimulationOptions& options) {
  if (options.steps == Steps::shared) return;
  demand(std::isfinite(options.eta) && options.eta > 0, "eta", options.eta, "must be finite and above 0");
  demand(std::isfinite(options.eta_change) && options.eta_change >= 0, "eta_change", options.eta_change,
         "must be finite and 0 or above");
  demand(options.max_rung >= 0 && options.max_rung <= deepest_rung, "max_rung", options.max_rung,
         "must be from 0 to 30");
  const auto is_soft = [](double eps) { return eps > 0; };
  const bool soft = options.gravity.eps < 0 ? std::any_of(particles.eps.begin(), particles.eps.end(), is_soft)
                                            : options.gravity.eps > 0;
  const bool by_change = options.steps == Steps::block && options.eta_change > 0;
  const auto is_gas = [](Family family) { return family == Family::gas; };
  const bool flows = options.gas.flows() &&
                     (!options.self_gravity || std::all_of(particles.family.begin(), particles.family.end(), is_gas));
  if (!soft && !by_change && !flows && particles.size() > 0) {
    throw UsageError("steps = " + std::string(name(options.steps)),
                     "needs softened particles: steps are eta sqrt(eps / |a|)",
                     "give gravity.eps, or with block steps eta_change");
  }
}

/// Gas that is softened by its H takes the place of a softening that ends, too, and by which no pair is lost in
/// rounding.
void validate_softening(const Particles& particles, const SimulationOptions& options) {
  if (!options.gas.adapts()) return;
  const char* const subject = "gas.softening = adaptive";
  if (!options.self_gravity) {
    throw UsageError(subject, "is of gravity, which self_gravity = false leaves out", "leave out one of the two");
  }
  if (options.gravity.softening != Softening::spline) {
    throw UsageError(subject, "needs a fixed softening that ends at a radius, for the least there is",
                     "give gravity.softening = \"spline\"");
  }
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const double own = particles.eps.empty() ? 0 : particles.eps[i];
    if (particles.family[i] != Family::gas || (options.gravity.eps < 0 ? own : options.gravity.eps) > 0) continue;
    throw UsageError(subject, "needs a fixed softening, for the least there is, and gas has none",
                     "give gravity.eps, a small part of the smallest H that is to come");
  }
}

/// Net force and torque are nothing where all pull one another at one time, and torque where nothing pulls from beyond.
void validate_conservation(const SimulationOptions& options) {
  if (!options.gravity.conserve) return;
  const char* const subject = "gravity.conserve";
  if (options.steps == Steps::block) {
    throw UsageError(subject, "takes pulls of all particles at one time, which block steps do not have",
                     "use shared steps, or leave it out");
  }
  if (options.boundary.kind != BoundaryKind::open) {
    throw UsageError(subject, "does not go with a box whose images pull", "leave one of the two out");
  }
}

/// What does not go together with gas.
void validate_gas(const SimulationOptions& options) {
  if (options.steps == Steps::symmetrised) {
    throw UsageError("steps = symmetrised", "does not go with gas", "use shared or block steps");
  }
  if (options.collisions.law != CollisionLaw::none) {
    throw UsageError("[collisions]", "do not go with gas", "leave one of them out");
  }
  if (takes_out(options.boundary, options.collisions)) {
    throw UsageError("boundary.size", "of an open box does not go with gas yet",
                     "leave it out, or take a periodic box");
  }
  if (options.gravity.walk == Walk::direct) {
    throw UsageError("walk = direct", "makes no tree to find neighbours with", "use walk group");
  }
}

/// What does not go together with a shearing sheet and with collisions.
void validate_rings(const SimulationOptions& options) {
  const bool sheet = options.boundary.kind == BoundaryKind::shear,
             collide = options.collisions.law != CollisionLaw::none;
  if ((sheet || collide) && options.steps != Steps::shared) {
    throw UsageError("steps = " + std::string(name(options.steps)),
                     std::string("does not go with ") + (sheet ? "a shearing sheet" : "collisions"),
                     "use shared steps");
  }
  if ((sheet || collide) && options.gravity.precision == Precision::single) {
    throw UsageError("precision = single", "does not hold the overlap of bodies in a box", "use mixed or double");
  }
  if (collide && options.gravity.walk == Walk::direct) {
    throw UsageError("walk = direct", "makes no tree to find collisions with", "use walk group");
  }
  if (options.gas.flows()) return validate_gas(options);
  if (!options.self_gravity && !options.potentials.empty()) {
    throw UsageError("self_gravity = false", "leaves out all kicks, those of external potentials too",
                     "give masses of 0 instead, or leave the potentials out");
  }
  if (sheet && options.gravity.mac == Mac::relative) {
    throw UsageError("mac = relative", "needs the accelerations of the step before, which a sheet does not keep",
                     "use offset");
  }
  const double fastest = std::max(options.boundary.omega, options.boundary.omega_z);
  if (sheet && !(options.dt * fastest < 1)) {
    throw UsageError("time.dt",
                     "is " + std::to_string(options.dt) + ", longer than a radian of the sheet's oscillations",
                     "take a hundredth of an orbit or less");
  }
  if (takes_out(options.boundary, options.collisions) && options.steps != Steps::shared) {
    throw UsageError("steps = " + std::string(name(options.steps)), "does not go with a box that particles may leave",
                     "use shared steps, or leave out boundary.size");
  }
  constexpr double longest_sweep = 0.25;
  if (sheet && collide && options.collisions.detection == Detection::swept &&
      !(options.dt * options.boundary.omega <= longest_sweep)) {
    throw UsageError("time.dt", "is so long that ways in a sheet are not straight within it",
                     "take a thousandth of an orbit, or detection overlap");
  }
  if (!sheet && !options.self_gravity) {
    throw UsageError("self_gravity = false", "is for shearing sheets and gas", "leave it out, or give masses of 0");
  }
}

void validate(const Snapshot& start, const SimulationOptions& options) {
  demand(std::isfinite(options.dt) && options.dt > 0.0, "dt", options.dt, "must be finite and above 0");
  options.gravity.validate();
  start.particles.validate("simulation");
  demand_advance(start.time, least_step * options.dt);
  validate_steps(start.particles, options);
  for (const ExternalPotential& potential : options.potentials) potential.validate("potential");
  options.boundary.validate();
  options.collisions.validate();
  options.gas.validate();
  validate_rings(options);
  validate_softening(start.particles, options);
  validate_conservation(options);
  const Particles& p = start.particles;
  const bool has_rungs =
      options.steps != Steps::block ||
      (has_all(p, Life::run, Owner::block_steps) && (!options.gas.flows() || has_all(p, Life::run, Owner::gas_steps)));
  const bool has_gas = (!options.gas.flows() || has_all(p, Life::run, Owner::gas)) &&
                       (!options.gas.adapts() || has_all(p, Life::run, Owner::softened_gas)) &&
                       (!options.gas.reconstructs() || has_all(p, Life::run, Owner::reconstructed_gas));
  if (options.resumed && !(has_all(p, Life::moment, Owner::gravity) && has_rungs && has_gas)) {
    throw UsageError("resumed", "the start holds no accelerations, potentials, rungs or gas",
                     "take it from checkpoint()");
  }
  if (!options.resumed || options.steps != Steps::block) return;
  demand(!first_rung_beyond(p, options.max_rung), "max_rung", options.max_rung,
         "less than the rungs of the checkpoint");
}

/// What gas takes from step to step stays.
void forget_rungs(Particles& particles) {
  for_each_array(particles, [](auto& array, const FieldRow& row) {
    if (row.owner == Owner::block_steps || row.owner == Owner::gas_steps) array.clear();
  });
}

/// What was asked for, else what was measured (docs/dynamics.md).
TreeCosts costs_for(const TreeCosts& asked, const std::string& backend) {
  if (asked.cell > 0 || asked.expansion > 0 || asked.build > 0) return asked;
  return backend == "cpu" ? cpu_costs : device_costs;
}

}  // namespace

std::string_view name(Steps steps) { return step_names[static_cast<std::size_t>(steps)]; }

template <>
Steps parse<Steps>(std::string_view subject, std::string_view text) {
  const auto found = std::find(step_names.begin(), step_names.end(), text);
  if (found != step_names.end()) return static_cast<Steps>(found - step_names.begin());
  throw UsageError(std::string(subject), "received " + std::string(text), "there are shared, block and symmetrised");
}

Simulation::Simulation(Snapshot start, const SimulationOptions& options) : state_(std::make_unique<State>()) {
  validate(start, options);
  State& state = *state_;
  state.options = options;
  state.snapshot = std::move(start);
  state.snapshot.units.G = options.gravity.G;
  const bool elsewhere = options.boundary.kind != BoundaryKind::open || state.snapshot.boundary != Boundary{};
  if (elsewhere) state.snapshot.set_boundary(options.boundary);  // else the BoxSize of another code passes through
  if (options.gas.flows()) state.snapshot.gas = parameters_of(options.gas);
  Particles& particles = state.snapshot.particles;
  if (options.gravity.eps >= 0.0) {  // what later reads the snapshots must soften as this run does
    particles.eps.assign(particles.size(), options.gravity.eps);
  }
  const bool some_may_go =
      takes_out(options.boundary, options.collisions);  // those of one eps may be left, in the middle
  state.options.gravity = some_may_go ? options.gravity : with_common_eps(options.gravity, particles);
  if (options.collisions.change_spins() && particles.spin.empty()) particles.spin.resize(particles.size());
  if (options.steps != Steps::block) forget_rungs(particles);
  state.time = state.snapshot.time;
  state.system = std::make_unique<ParticleSystem>(open_device(options.backend, options.device, options.threads));
  state.costs = costs_for(options.costs, state.system->name());
  state.stepper = make_stepper(options, state.costs, particles.size());
  ParticleSystem& system = *state.system;
  system.set_boundary(options.boundary, state.time);
  system.set_collisions(options.collisions, options.collided);
  system.set_gas(options.gas, options.self_gravity || options.boundary.kind == BoundaryKind::shear,
                 state.snapshot.units);
  state.place(state.time);  // first: the internal units depend on them
  system.load(particles, state.options.gravity, state.stepper->holding());
  system.build_tree();
  if (options.resumed) {
    system.restore(particles);
    state.stepper->resume(particles.rung);
  } else if (options.self_gravity || options.gas.flows()) {
    system.evaluate();
  }
  state.demand_finite();
  if (!options.resumed) state.stepper->begin(system);
  particles.forget_steps();
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

namespace {

/// `time`, or `until` where only the rounding of their sum is between them.
double reached(double time, double until) {
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  return std::isfinite(until) && std::abs(time - until) <= rounding * std::abs(until) ? until : time;
}

}  // namespace

bool Simulation::step(const Passing& passing) {
  State& state = *state_;
  demand_advance(state.time, least_step * state.options.dt);
  const double until = passing.until.value_or(std::numeric_limits<double>::infinity());
  std::size_t next = 0;
  const auto pass = [&](double, double to, std::uint32_t tick) {
    const bool last = to >= state.time + state.options.dt;
    for (; next < passing.times.size() && (last || passing.times[next] < to); ++next) {
      passing.output(snapshot_within(passing.times[next], tick));
    }
  };
  const StepContext context = {.time = state.time,
                               .until = until,
                               .place = [&](double time) { state.place(time); },
                               .pass = pass,
                               .go_on = passing.go_on,
                               .report_not_finite = [&] { report_not_finite(*state.system, state.evaluated()); }};
  const std::optional<double> made = state.finitely([&] { return state.stepper->step(*state.system, context); });
  if (!made) return false;
  state.time = reached(state.time + *made, until);
  if (++state.steps % steps_between_looks == 0) state.demand_finite();
  return true;
}

Snapshot Simulation::snapshot_within(double time, std::uint32_t tick) const {
  const State& state = *state_;
  const SimulationOptions& o = state.options;
  if (o.steps != Steps::block) return snapshot_at(time);
  Snapshot copy = checkpoint();
  predict(copy, {o.dt, o.eta, o.eta_change, o.max_rung, o.self_gravity}, state.time, tick, time, o.gravity.G);
  wrap(copy.particles.position, copy.particles.velocity, o.boundary, time);
  state.add_gas_state(copy.particles);
  demand_finite(o.gravity, {state.evaluated().subject, copy.particles});
  return copy;
}

double Simulation::next_step() const {
  return state_->finitely([&] { return state_->stepper->next_step(*state_->system); });
}

void Simulation::run(double end, const std::function<bool(const Simulation&)>& keep_going,
                     const std::function<bool(double)>& go_on) {
  // The summed time may miss the end by rounding; that is to be told from a step that is due.
  const double rounding = heeds_until() ? 0 : least_step * state_->options.dt;
  Passing passing;
  // Others make the same steps whatever they are asked for: their time is the sum of steps, of which rounding is a
  // part.
  if (heeds_until()) passing.until = end;
  passing.go_on = go_on;
  while (time() < end - rounding) {
    if (!step(passing)) return;
    if (keep_going && !keep_going(*this)) return;
  }
}

double Simulation::time() const { return state_->time; }
std::uint64_t Simulation::steps() const { return state_->steps; }
bool Simulation::heeds_until() const { return state_->stepper->heeds_until(); }
bool Simulation::can_give_up() const { return state_->stepper->can_give_up(); }
std::size_t Simulation::size() const { return state_->system->domain().size(); }
Energies Simulation::energies() const { return finite_energies(*state_->system, state_->evaluated()); }
std::vector<Motion> Simulation::motions(const std::vector<std::size_t>& which) const {
  state_->demand_finite();
  return state_->system->domain().motions(which);
}
const ParticleSystem& Simulation::system() const { return *state_->system; }

Snapshot Simulation::snapshot() const {
  state_->demand_finite();
  Snapshot now = state_->particles_left();
  state_->system->domain().store(now.particles);
  state_->add_gas_state(now.particles);
  if (state_->options.boundary.kind == BoundaryKind::shear) now.particles.forget_forces();  // those of half a step ago
  now.time = time();
  return now;
}

Snapshot Simulation::checkpoint() const {
  state_->demand_finite();
  Snapshot now = state_->particles_left();
  state_->system->domain().save(now.particles);
  now.time = time();
  return now;
}

GasReport Simulation::gas() const {
  Gas* const gas = state_->system->gas();
  return gas != nullptr ? gas->report() : GasReport{};
}
CollisionTotals Simulation::collisions() const { return state_->system->collisions(); }
std::optional<std::array<std::uint64_t, 2>> Simulation::halted() const {
  const auto pair = state_->system->halted();
  if (!pair) return {};
  const std::vector<std::uint64_t>& ids = state_->particles_left().particles.id;
  return {{ids[(*pair)[0]], ids[(*pair)[1]]}};
}
BlockReport Simulation::block_report() const {
  BlockReport report = state_->stepper->report();
  report.woken = gas().woken;
  return report;
}
TreeCosts Simulation::costs() const { return state_->costs; }
const SimulationOptions& Simulation::options() const { return state_->options; }

namespace {

/// To second order, by the accelerations that they have.
void drift(Particles& p, double dt) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double change = p.acceleration[i][k] * dt;
      p.position[i][k] += (p.velocity[i][k] + 0.5 * change) * dt;
      p.velocity[i][k] += change;
    }
  }
}

}  // namespace

Snapshot Simulation::snapshot_at(double time) const {
  Snapshot copy = snapshot();
  Particles& p = copy.particles;
  const double dt = time - copy.time;
  const Boundary& boundary = state_->options.boundary;
  if (boundary.kind == BoundaryKind::shear) {
    drift_epicycles(p, boundary, dt);
  } else {
    drift(p, dt);
  }
  if (state_->system->gas() != nullptr) {
    const Particles rates = checkpoint().particles;
    p.internal_energy_rate = rates.internal_energy_rate;
    p.velocity_divergence = rates.velocity_divergence;
    for (std::size_t i = 0; i < p.size(); ++i) predict_gas(p, i, dt, dt);
    p.forget_steps();
  }
  wrap(p.position, p.velocity, boundary, time);
  p.forget_forces();
  state_->add_gas_state(p);
  copy.time = time;
  demand_finite(state_->options.gravity, {state_->evaluated().subject, p});
  return copy;
}

}  // namespace hornbeam
