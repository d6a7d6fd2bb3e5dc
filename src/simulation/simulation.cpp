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
#include "dynamics/particle_system.h"
#include "hornbeam/error.h"
#include "interactions/events.h"
#include "interactions/modules.h"
#include "simulation/finite.h"
#include "simulation/validate.h"
#include "tree/boundary.h"

namespace hornbeam {
namespace {

constexpr std::array<std::string_view, 3> step_names = {"shared", "block", "symmetrised"};  // as the enumerators
/// Steps between looks for numbers that are non-finite, besides those at whatever leaves the simulation: what is lost
/// stays lost, and a device that is asked after every step would wait.
constexpr std::uint64_t steps_between_looks = 64;
/// In particle-particle interactions: see docs/dynamics.md.
constexpr TreeCosts cpu_costs = {.cell = 2.5, .expansion = 40, .build = 330, .least_due = 0};
constexpr TreeCosts device_costs = {.cell = 2.5, .expansion = 40, .build = 800, .least_due = 131072};

/// Does what may fail in a module; what the caller gets is the cause.
template <class Action>
auto caused(const Action& act) {
  try {
    return act();
  } catch (const StepFailure& failure) {
    std::rethrow_exception(failure.cause);
  }
}

}  // namespace

struct Simulation::State {
  SimulationOptions options;
  TreeCosts costs;
  std::unique_ptr<ParticleSystem> system;
  /// What the device does not hold: identities, families, units; its positions are the first ones. Some of the
  /// particles may have been taken out since: see particles_left().
  mutable Snapshot snapshot;
  mutable std::optional<std::vector<std::size_t>> rows_left;  ///< of the snapshot; none: all
  double time = 0.0;  ///< summed step by step, so that a resumed run carries the same bits
  std::uint64_t steps = 0;
  std::unique_ptr<Stepper> stepper;
  std::vector<Event> events;   ///< of the last step
  std::vector<IdPair> halted;  ///< of these, the pairs that halt the run

  /// Looks which particles are left, at the cost of their indices.
  void count_left() const {
    if (system->domain().size() == (rows_left ? rows_left->size() : snapshot.particles.size())) return;
    std::vector<std::size_t> rows = system->domain().take_origins();
    if (rows_left) {
      for (std::size_t& row : rows) row = (*rows_left)[row];
    }
    rows_left = std::move(rows);
  }
  /// The row of the snapshot of the particle of an index on input.
  [[nodiscard]] std::size_t row_of(std::size_t index) const {
    count_left();
    return rows_left ? (*rows_left)[index] : index;
  }
  /// Without those that have been taken out.
  const Snapshot& particles_left() const {
    count_left();
    if (rows_left) snapshot.particles = selected(snapshot.particles, *rows_left);
    rows_left.reset();
    return snapshot;
  }
  void note_departures(const std::vector<Departure>& departures);
  /// After a step: those of modules come before those that left.
  void sort_out_events() {
    const std::vector<Event> met = system->events();
    events.insert(events.begin(), met.begin(), met.end());
    for (const Event& event : events) {
      if (event.kind == EventKind::halted) halted.push_back(event.ids);
    }
  }
  /// What an error about results says of them.
  [[nodiscard]] Evaluated evaluated() const {
    std::ostringstream subject;
    subject << "t = " << time;
    return {subject.str(), particles_left().particles, options.potentials, time};
  }
  [[nodiscard]] Reports reports() const {
    Reports found{.collisions = options.collided, .gas = {}};
    system->report(found);
    return found;
  }
  void demand_finite() const { hornbeam::demand_finite(*system, evaluated()); }
  /// Does what may fail for numbers that are non-finite, which are the error then.
  template <class Action>
  auto finitely(const Action& act) const {
    return caused([&] {
      try {
        return act();
      } catch (const Error&) {
        demand_finite();
        throw;
      }
    });
  }
};

void Simulation::State::note_departures(const std::vector<Departure>& departures) {
  for (const Departure& gone : departures) {
    const std::size_t row = row_of(gone.index);
    const Particles& p = snapshot.particles;
    const Vec3 &x = gone.motion.position, &v = gone.motion.velocity;
    events.push_back(event_of(EventKind::left, {.time = system->time(),
                                                .ids = {p.id[row], p.id[row]},
                                                .mass = {gone.mass.value_or(p.mass[row]), 0},
                                                .displacement = x,
                                                .velocity = {-v[0], -v[1], -v[2]}}));
  }
}

namespace {

bool is_missing(const std::shared_ptr<OwnForce>& force) { return !force->acceleration; }

/// Forces of a resumed run have been brought back.
void demand_forces(const std::vector<std::shared_ptr<OwnForce>>& forces) {
  std::string names;
  for (const auto& force : forces) names += is_missing(force) ? (names.empty() ? "" : ", ") + force->name : "";
  if (names.empty()) return;
  throw UsageError("add_force", "the checkpoint was written with forces that have not been added again: " + names,
                   "add them in this order before the next step");
}

/// What modules take from step to step stays.
void forget_rungs(Particles& particles) {
  for_each_array(particles, [](auto& array, const FieldRow& row) {
    if (is_of_blocks(row.owner)) array.clear();
  });
}

/// What was requested, else what was measured (docs/dynamics.md).
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
  throw UsageError(std::string(subject), "received " + std::string(text), "must be shared, block or symmetrised");
}

Simulation::Simulation(Snapshot start, const SimulationOptions& options) : state_(std::make_unique<State>()) {
  validate(start, options);
  State& state = *state_;
  state.options = options;
  state.snapshot = std::move(start);
  state.snapshot.units.G = options.gravity.G;
  const bool elsewhere = options.boundary.kind != BoundaryKind::open || state.snapshot.boundary != Boundary{};
  if (elsewhere) state.snapshot.set_boundary(options.boundary);  // otherwise the BoxSize of another code passes through
  const ModuleMakers makers = makers_of(options);
  const ModuleTraits traits = traits_of(makers);
  for (const auto& maker : makers) maker->complete(state.snapshot);
  Particles& particles = state.snapshot.particles;
  if (options.gravity.eps >= 0.0) {  // what later reads the snapshots must soften as this run does
    particles.eps.assign(particles.size(), options.gravity.eps);
  }
  const bool some_may_go = takes_out(options.boundary, makers);  // those of one eps may be left, in the middle
  state.options.gravity = some_may_go ? options.gravity : with_common_eps(options.gravity, particles);
  if (options.steps != Steps::block) forget_rungs(particles);
  state.time = state.snapshot.time;
  state.system = std::make_unique<ParticleSystem>(open_device(options.backend, options.device, options.threads));
  state.costs = costs_for(options.costs, state.system->name());
  state.stepper = make_stepper(options, traits, state.costs, particles.size());
  ParticleSystem& system = *state.system;
  system.set_boundary(options.boundary, state.time);
  system.set_id([&state](std::size_t index) { return state.snapshot.particles.id[state.row_of(index)]; });
  system.set_departing([&state](const auto& departures) { state.note_departures(departures); });
  system.set_modules(makers, options.self_gravity, state.snapshot.units);  // first: the internal units depend on them
  const std::string first_backend = system.name();
  system.load(particles, state.options.gravity, state.stepper->holding());
  state.options.gravity.accuracy = system.options().accuracy;
  if (system.name() != first_backend) {  // it was full
    state.costs = costs_for(options.costs, system.name());
    state.stepper = make_stepper(options, traits, state.costs, particles.size());
  }
  system.build_tree();
  if (options.resumed) {
    system.restore(particles);
    state.stepper->resume(particles.rung);
  } else {
    caused([&] { system.evaluate(); });
  }
  state.demand_finite();
  if (!options.resumed) caused([&] { state.stepper->begin(system); });
  particles.forget_steps();
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

namespace {

/// `time`, or `until` where only the rounding of their sum is between them.
double reached(double time, double until) {
  return std::isfinite(until) && std::abs(time - until) <= rounding_between(time, until) ? until : time;
}

}  // namespace

bool Simulation::step(const Passing& passing) {
  State& state = *state_;
  demand_forces(state.options.forces);
  demand_advance(state.time, least_step * state.options.dt);
  const double until = passing.until.value_or(std::numeric_limits<double>::infinity());
  std::size_t next = 0;
  state.events.clear();
  state.halted.clear();
  const auto pass = [&](double, double to, std::uint32_t tick) {
    const bool last = to >= state.time + state.options.dt;
    for (; next < passing.times.size() && (last || passing.times[next] < to); ++next) {
      passing.output(snapshot_within(passing.times[next], tick));
    }
  };
  const StepContext context = {
      .time = state.time, .until = until, .pass = pass, .go_on = passing.go_on, .report_not_finite = [&] {
        report_not_finite(*state.system, state.evaluated());
      }};
  const std::optional<double> made = state.finitely([&] { return state.stepper->step(*state.system, context); });
  if (!made) return false;
  state.time = reached(state.time + *made, until);
  state.sort_out_events();
  if (++state.steps % steps_between_looks == 0) state.demand_finite();
  return true;
}

Snapshot Simulation::snapshot_within(double time, std::uint32_t tick) const {
  const State& state = *state_;
  const SimulationOptions& o = state.options;
  if (o.steps != Steps::block) return snapshot_at(time);
  Snapshot copy = checkpoint();
  std::vector<double> lengths = o.time_steps ? lengths_of(copy.particles.rung, o.dt) : std::vector<double>();
  predict(copy, {o.dt, o.eta, o.eta_change, o.max_rung, o.self_gravity}, state.time, tick, time, o.gravity.G,
          *state.system);
  copy.particles.time_step = std::move(lengths);
  wrap(copy.particles.position, copy.particles.velocity, o.boundary, time);
  state.system->describe(copy.particles);
  demand_finite(o.gravity, {state.evaluated().subject, copy.particles});
  return copy;
}

double Simulation::next_step() const {
  return state_->finitely([&] { return state_->stepper->next_step(*state_->system); });
}

void Simulation::run(double end, const std::function<bool(const Simulation&)>& keep_going,
                     const std::function<bool(double)>& go_on) {
  // The summed time may miss the end by rounding; that is to be told from a step that is due.
  const double dt = state_->options.dt,
               chosen = std::max(same_time_of_chosen_steps * dt, rounding_between(time(), end));
  const double rounding = !std::isfinite(end) ? 0 : heeds_until() ? chosen : least_step * dt;
  Passing passing;
  // Others make the same steps whatever they are asked for: their time is the sum of steps, of which rounding is a
  // part.
  if (heeds_until()) passing.until = end;
  passing.go_on = go_on;
  while (time() < end - rounding && size() > 0) {
    if (!step(passing) || !halted().empty()) return;
    if (keep_going && !keep_going(*this)) return;
  }
}

double Simulation::time() const { return state_->time; }
std::uint64_t Simulation::steps() const { return state_->steps; }
bool Simulation::heeds_until() const { return state_->stepper->heeds_until(); }
bool Simulation::can_give_up() const { return state_->stepper->can_give_up(); }
std::size_t Simulation::size() const { return state_->system->domain().size(); }
Energies Simulation::energies() const {
  demand_forces(state_->options.forces);
  return caused([&] { return finite_energies(*state_->system, state_->evaluated()); });
}
void Simulation::add_force(const OwnForce& force) {
  auto& forces = state_->options.forces;
  if (const auto missing = std::find_if(forces.begin(), forces.end(), is_missing); missing != forces.end()) {
    **missing = force;
    return;
  }
  SimulationOptions options = state_->options;
  options.forces.push_back(std::make_shared<OwnForce>(force));
  options.resumed = false;
  options.collided = collisions();
  options.costs = costs();
  Snapshot now = snapshot();
  now.particles.viscosity = checkpoint().particles.viscosity;
  now.particles.forget_forces();
  const std::uint64_t made = steps();
  *this = Simulation(std::move(now), options);
  state_->steps = made;
}
std::vector<Motion> Simulation::motions(const std::vector<std::size_t>& which) const {
  state_->demand_finite();
  return state_->system->domain().motions(which);
}
const ParticleSystem& Simulation::system() const { return *state_->system; }

Snapshot Simulation::snapshot() const {
  state_->demand_finite();
  Snapshot now = state_->particles_left();
  state_->system->domain().store(now.particles);
  state_->system->describe(now.particles);
  if (state_->options.boundary.kind == BoundaryKind::shear) now.particles.forget_forces();  // those of half a step ago
  now.particles.time_step = state_->options.time_steps ? particle_steps() : std::vector<double>();
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

std::vector<double> Simulation::particle_steps() const {
  const SimulationOptions& o = state_->options;
  if (o.steps == Steps::block) return lengths_of(checkpoint().particles.rung, o.dt);
  return std::vector<double>(size(), next_step());
}

GasReport Simulation::gas() const { return state_->reports().gas; }
CollisionTotals Simulation::collisions() const { return state_->reports().collisions; }
const std::vector<IdPair>& Simulation::halted() const { return state_->halted; }
const std::vector<Event>& Simulation::events() const { return state_->events; }
BlockReport Simulation::block_report() const {
  BlockReport report = state_->stepper->report();
  report.woken = state_->reports().gas.woken;
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
  if (state_->system->predicts()) {
    state_->system->predict(p, checkpoint().particles, std::vector<double>(p.size(), dt), dt);
    p.forget_steps();
  }
  wrap(p.position, p.velocity, boundary, time);
  std::vector<double> lengths = std::move(p.time_step);
  p.forget_forces();
  p.time_step = std::move(lengths);
  state_->system->describe(p);
  copy.time = time;
  demand_finite(state_->options.gravity, {state_->evaluated().subject, p});
  return copy;
}

}  // namespace hornbeam
