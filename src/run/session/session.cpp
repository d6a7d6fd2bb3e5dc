// SPDX-License-Identifier: Apache-2.0
// Steps, watches and checkpoints of the one session, see session.h.
#include "run/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/particle_system.h"
#include "run/config/key_rows.h"
#include "run/records/figures.h"

namespace hornbeam::run {
namespace {

double mass_of(const Particles& particles) {
  double mass = 0;
  for (const double one : particles.mass) mass += one;
  return mass;
}

/// The particles, without what is reported of their start and not of what comes of it.
Snapshot particles_of(RunStart& start) {
  Snapshot snapshot = std::move(start.snapshot);
  snapshot.notes.clear();
  return snapshot;
}

}  // namespace

Session::Session(RunConfig config, Json asked, RunStart start, Observer& observer)
    : config_(std::move(config)),
      asked_(std::move(asked)),
      observer_(observer),
      softening_(softening_line(config_.simulation.gravity, start.snapshot.particles, start.eps_source)),
      notes_(notes_for(start.snapshot, config_.simulation)),
      units_(start.snapshot.units),
      shown_(run::shown_time(units_, config_.units_asked)),
      has_units_(start.snapshot.has_units),
      resumed_at_(start.snapshot.time),
      options_(options_for(config_.simulation, start)),
      mass_(mass_of(start.snapshot.particles)),
      start_(std::move(start)),
      simulation_(particles_of(start_), options_),
      first_step_(start_.step),
      initial_energy_(start_.initial_energy),
      largest_error_(start_.so_far.largest_error),
      watchdog_(config_.watchdog, shown_) {
  watchdog_.resume(start_.usual_speed);
  keep_accuracy();
}

/// What decides how exact forces are was chosen for the particles of the start: it is recorded, and a resumed run keeps
/// it.
void Session::keep_accuracy() {
  options_.gravity.accuracy = config_.simulation.gravity.accuracy = simulation_.options().gravity.accuracy;
  for (const Key& key : accuracy_rows()) asked_["gravity"][key.name] = key.get(config_);
}

void Session::announce_start() {
  for (const std::string& note : notes_) observer_.note(note);
}

void Session::announce_device() {
  const std::string& passed_over = simulation_.system().device_note();
  if (!passed_over.empty()) observer_.note("WARNING: " + passed_over);
}

void Session::begin() {
  if (initial_energy_) return;
  const Energies energies = simulation_.energies();
  initial_energy_ = energies.total();
  if (config_.output.checkpoints) look_at_start(simulation_.snapshot().particles);  // where there is room for a copy
  const std::string virial = steps() == 0 ? virial_note(config_, energies, units_) : "";
  if (!virial.empty()) observer_.note(virial);
}

void Session::look_at_start(const Particles& particles) {
  watchdog_.begin(particles);
  constexpr int tried = 10;  // steps of a run that tries something out
  if (steps() > 0 || config_.end - simulation_.time() < tried * options_.dt) return;
  constexpr std::size_t enough = 20000;  // for the share of those that are too fast
  constexpr double far_too_long = 3;     // sqrt(eps / |a|) itself: what is bound closely dissolves
  const std::string step =
      long_step_note(softening_times(particles, enough), particles.size(), options_, shown_, far_too_long);
  said_step_ = !step.empty();
  if (said_step_) observer_.note(step);
}

double Session::relative_error(const Energies& energies) const {
  const double change = energies.total() - *initial_energy_;
  return *initial_energy_ == 0.0 ? change : change / std::abs(*initial_energy_);
}

void Session::note_error(double error) {
  largest_error_ = std::isnan(error) ? HUGE_VAL : std::max(largest_error_, std::abs(error));
}

std::uint64_t Session::run(double until, std::uint64_t most) {
  const std::uint64_t before = simulation_.steps();
  const auto stops = [&] { return observer_.asks_to_stop() != nullptr; };
  const auto goes_on = [&](const Simulation& s) {
    watch_losses();
    const bool more = s.steps() - before < most && s.halted().empty() && s.size() > 0;
    observer_.between_steps(more && s.time() < until);
    return more && !stops();
  };
  const bool any = most > 0 && simulation_.time() < until && simulation_.size() > 0;
  observer_.between_steps(any);
  if (any && !stops()) simulation_.run(until, goes_on, [&](double) { return !stops(); });
  return simulation_.steps() - before;
}

void Session::watch_energy(double error, const std::function<void()>& make_room) {
  note_error(error);
  if (!config_.conserves_energy() || !alarm_.passes(error)) return;
  if (make_room) make_room();
  const std::string remedy = likely_remedy(simulation_.snapshot().particles, config_.simulation, shown_);
  observer_.remark(EnergyAlarm::words(error, shown_.text(simulation_.time()), remedy));
}

void Session::watch_step(double length) {
  if (remarked_step_) return;
  const std::string words = short_step_note(simulation_.time(), length, config_.end - start_.time, shown_);
  if (!words.empty()) observer_.remark(words);
  remarked_step_ = !words.empty();
}

void Session::watch_gas() {
  if (remarked_gas_ || !options_.gas.flows()) return;
  const std::string words =
      bound_note(simulation_.gas(), options_.gas.max_smoothing_length, simulation_.time(), shown_);
  if (!words.empty()) observer_.remark(words);
  remarked_gas_ = !words.empty();
}

bool Session::watch_halt() {
  const std::vector<IdPair>& pairs = simulation_.halted();
  constexpr std::size_t most = 20;
  for (std::size_t k = 0; k < std::min(most, pairs.size()); ++k) {
    observer_.remark(
        fmt::format("bodies {} and {} (ids) have collided at t = {}, where the run ends: collisions.law = halt",
                    pairs[k][0], pairs[k][1], shown_.text(simulation_.time())));
  }
  if (pairs.size() > most) observer_.remark(fmt::format("and {} more pairs", pairs.size() - most));
  return !pairs.empty();
}

bool Session::watch_losses() {
  constexpr double most = 0.5;
  const std::vector<Event>& events = simulation_.events();
  for (const Event& event : events) {
    if (keeps_events_) events_.push_back({simulation_.time(), steps(), event});
    if (event.kind != EventKind::left) continue;
    if (event.mass[0] > most * mass_ && simulation_.size() > 0) {
      observer_.remark(
          fmt::format("WARNING: particle {} (id) has left the box at t = {} with {:.3g} % of the mass; "
                      "the others move on without its gravity (take a larger boundary.size, or start with "
                      "the centre of mass at rest)",
                      event.ids[0], shown_.text(simulation_.time()), 100 * event.mass[0] / mass_));
    }
    mass_ -= event.mass[0];
  }
  const bool had_any = !events.empty() || is_resumed();  // a run that begins without particles goes on
  if (simulation_.size() > 0 || !had_any) return false;
  observer_.remark(fmt::format("no particle is left at t = {}: the run ends", shown_.text(simulation_.time())));
  return true;
}

bool Session::has_events() const {
  const Boundary& box = options_.boundary;
  return options_.collisions.records() || (box.kind == BoundaryKind::open && box.size != Vec3{});
}

void Session::keep_events() {
  keeps_events_ = true;
  events_ = start_.so_far.events;
}

Checkpoint Session::checkpoint(const SoFar& so_far) const {
  Snapshot state = simulation_.checkpoint();
  const GravityOptions& used = simulation_.system().options();
  std::vector<std::string> forces;
  for (const auto& force : options_.forces) forces.push_back(force->name);
  const SavedRun saved{.configuration = asked_,
                       .start_time = start_.time,
                       .leaf_size = used.leaf_size,
                       .group_size = used.group_size,
                       .eps = options_.gravity.eps,
                       .costs = simulation_.costs(),
                       .usual_speed = watchdog_.usual_speed(),
                       .so_far = so_far,
                       .forces = std::move(forces)};
  return {.snapshot = std::move(state),
          .step = steps(),
          .initial_energy = *initial_energy_,
          .configuration = to_text(saved),
          .dt = config_.simulation.dt};
}

SoFar Session::so_far() const {
  SoFar s = start_.so_far;
  s.largest_error = largest_error_;
  s.outputs = s.outputs.value_or(0);
  s.outputs_until = std::max(simulation_.time(), s.outputs_until);
  s.collisions = simulation_.collisions();
  s.events = events_;
  if (!is_resumed()) s.ring_time = start_.time;
  return s;
}

void Session::replace(Snapshot snapshot, const GravityOptions& gravity, bool own_eps) {
  snapshot.units = units_;
  snapshot.has_units = has_units_;
  SimulationOptions options = options_;
  options.gravity = gravity;
  options.resumed = false;
  options.collided = simulation_.collisions();
  options.costs = simulation_.costs();
  std::string softening = own_eps ? softening_line(gravity, snapshot.particles, "the particles' own") : softening_;
  const double mass = mass_of(snapshot.particles);
  Simulation others(std::move(snapshot), options);
  first_step_ += simulation_.steps();
  simulation_ = std::move(others);
  options_ = std::move(options);
  softening_ = std::move(softening);
  if (own_eps) {  // in checkpoints and files, too
    config_.simulation.gravity.eps = -1;
    asked_["gravity"]["eps"] = nullptr;
  }
  mass_ = mass;
  initial_energy_.reset();
  alarm_ = {};
}

void Session::add_force(const OwnForce& force) {
  const std::size_t before = simulation_.options().forces.size();
  simulation_.add_force(force);
  options_.forces = simulation_.options().forces;
  config_.simulation.forces = options_.forces;
  if (options_.forces.size() > before) initial_energy_.reset();
  if (!force.potential) {
    observer_.note("energies do not include the force " + force.name + ", which was added without a potential");
  }
}

}  // namespace hornbeam::run
