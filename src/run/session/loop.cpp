// SPDX-License-Identifier: Apache-2.0
// Steps and outputs of a run, see loop.h.
#include "run/session/loop.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/particle_system.h"
#include "hornbeam/error.h"
#include "run/records/figures.h"
#include "run/records/groups_beside.h"
#include "run/records/record.h"
#include "run/records/summary.h"
#include "run/session/run_loop.h"

namespace hornbeam::run {
namespace {

/// Of two black holes that run.json tells; later ones are the wobble of a bound pair.
constexpr std::size_t most_passages = 10;

/// Whether there are files with all particles.
bool writes_particles(const OutputPlan& plan) { return plan.snapshots || plan.checkpoints; }

}  // namespace

RunLoop::RunLoop(const RunConfig& config, const Json& asked, RunStart start, RunDirectory& directory,
                 Observer& observer)
    : config_(config),
      asked_(asked),
      directory_(directory),
      observer_(observer),
      start_time_(start.time),
      resumed_at_(start.snapshot.time),
      first_step_(start.step),
      softening_(softening_line(config.simulation.gravity, start.snapshot.particles, start.eps_source)),
      notes_(notes_for(start.snapshot, config.simulation)),
      units_(start.snapshot.units),
      black_holes_(black_holes_of(start.snapshot.particles, config.output)),
      options_(options_for(config.simulation, start)),
      simulation_(std::move(start.snapshot), options_),
      initial_energy_(start.initial_energy),
      has_another_energy_(start.has_another_energy),
      same_(same_time(config.simulation, start_time_, config.end)),
      outputs_(output_times(config.output, start_time_, config.end, same_)),
      later_outputs_(std::move(start.later_outputs)),
      changed_(start.changed),
      energy_due_(config.output.energy_every, start_time_, resumed_at_, same_),
      black_holes_due_(config.output.black_holes_every, start_time_, resumed_at_, same_),
      ring_due_(config.output.ring_every, start_time_, resumed_at_, same_),
      checkpoint_due_(config.output.checkpoint_every, start_time_, resumed_at_, same_),
      watchdog_(config.watchdog),
      stopping_(directory, observer, config.output.wall_limit),
      longest_(simulation_, watchdog_, stopping_, observer, [this] { return relative_error(simulation_.energies()); }),
      before_(start.so_far),
      ring_time_(start.initial_energy ? start.so_far.ring_time : start_time_),
      at_ring_row_(start.so_far.at_ring_row),
      writer_(start.has_room_to_write_beside && writes_particles(config.output)) {
  watchdog_.resume(start.usual_speed);
  list_outputs();
  directory_.set_record(record_of(simulation_, asked_));
}

double RunLoop::wall_seconds() const {
  return wall_before_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

/// The present time as it was asked for, of which the sum of steps differs by its rounding: 0.3, not
/// 0.30000000000000004. What is written shows it; steps and checkpoints keep the sum.
double RunLoop::told_time() const {
  const double now = simulation_.time();
  if (simulation_.heeds_until()) return now;
  if (const std::optional<double> output = same_of(outputs_, now, same_)) return *output;
  for (const Interval* interval : {&energy_due_, &black_holes_due_, &ring_due_}) {
    if (const std::optional<double> asked = interval->same_as(now)) return *asked;
  }
  return now;
}

double RunLoop::relative_error(const Energies& energies) const {
  const double change = energies.total() - *initial_energy_;
  return *initial_energy_ == 0.0 ? change : change / std::abs(*initial_energy_);
}

void RunLoop::announce() const {
  for (const std::string& note : notes_) observer_.note(note);
  const std::string& passed_over = simulation_.system().device_note();
  if (!passed_over.empty()) observer_.note(passed_over);
  const std::string virial = initial_energy_ ? "" : virial_note(config_, simulation_.energies(), units_);
  if (!virial.empty()) observer_.note(virial);
  if (!directory_.lock_note().empty()) observer_.note(directory_.lock_note());
  if (writes_particles(config_.output) && !writer_.is_beside()) {
    observer_.note("steps wait for snapshots and checkpoints: there is no room to write them beside");
  }
  observer_.begins({.config = config_,
                    .simulation = simulation_,
                    .softening = softening_,
                    .units = units_,
                    .directory = directory_.path(),
                    .step = first_step_});
}

void RunLoop::note_error(double error) {
  largest_error_ = std::isnan(error) ? HUGE_VAL : std::max(largest_error_, std::abs(error));
}

/// Says loudly that the energy leaves, where it is to be conserved.
void RunLoop::watch_energy(double error) {
  if (!config_.conserves_energy() || !alarm_.passes(error)) return;
  wait_for_room();
  const std::string remedy = likely_remedy(simulation_.snapshot().particles, config_.simulation);
  observer_.remark(EnergyAlarm::words(error, simulation_.time(), remedy));
}

/// Once.
void RunLoop::say_short_step(double length) {
  if (said_short_step_) return;
  const std::string words = short_step_note(simulation_.time(), length, config_.end - start_time_);
  if (!words.empty()) observer_.remark(words);
  said_short_step_ = !words.empty();
}

/// Once.
void RunLoop::say_bounds() {
  if (said_bounds_) return;
  const std::string words =
      bound_note(simulation_.gas(), config_.simulation.gas.max_smoothing_length, simulation_.time());
  if (!words.empty()) observer_.remark(words);
  said_bounds_ = !words.empty();
}

/// One step with the outputs between its ends.
void RunLoop::step() {
  Simulation::Passing passing;
  if (simulation_.heeds_until()) passing.until = outputs_[next_output_];
  const double length = simulation_.next_step(), ends = simulation_.time() + length;
  if (simulation_.heeds_until()) say_short_step(length);
  const double until = std::min(ends, passing.until.value_or(ends)) - same_;
  passing.output = [&](Snapshot copy) {
    write_snapshot(std::move(copy));
    wait_for_room();  // for the next one, which is made without asking
  };
  passing.go_on = [&](double time) {
    writer_.look();
    return longest_.go_on(time);
  };
  for (std::size_t k = next_output_; k < outputs_.size() && outputs_[k] < until; ++k) {
    passing.times.push_back(outputs_[k]);
  }
  if (!passing.times.empty()) write_outputs(Occasion::within_step);
  const bool last = next_output_ + passing.times.size() == outputs_.size();
  const bool copies = config_.simulation.steps == Steps::block && config_.output.snapshots;
  if (!copies) {
    for (const double time : passing.times) pass_output([&] { return simulation_.snapshot_at(time); });
    if (last) return;  // nobody needs the end of this step
    passing.times.clear();
  }
  if (last) write_checkpoint();  // the end of this step lies beyond the run's
  if (!passing.times.empty()) {
    wait_for_room();
    error_of_step_ = relative_error(simulation_.energies());
  }
  longest_.begin();
  has_checkpoint_ = false;
  is_beyond_ = simulation_.step(passing) && last;
  error_of_step_.reset();
  if (last || !longest_.given_up().empty()) return;
  const double error = watchdog_.wants_energy(steps()) ? relative_error(simulation_.energies()) : 0.0;
  watchdog_.look(simulation_, steps(), error);
  note_error(error);
  watch_energy(error);
  say_bounds();
  after_step();
}

/// Returns whether the run is over, as bodies collided that were not to.
bool RunLoop::look_for_halt() {
  const std::vector<IdPair>& pairs = simulation_.halted();
  if (pairs.empty()) return false;
  constexpr std::size_t most = 20;
  for (std::size_t k = 0; k < std::min(most, pairs.size()); ++k) {
    observer_.remark(
        fmt::format("bodies {} and {} (ids) have met at t = {:.6g}, where the run ends: collisions.law = halt",
                    pairs[k][0], pairs[k][1], simulation_.time()));
  }
  if (pairs.size() > most) observer_.remark(fmt::format("and {} more pairs", pairs.size() - most));
  stopping_.ask("a collision");
  return true;
}

void RunLoop::after_step() {
  write_outputs(look_for_halt() ? Occasion::halt : Occasion::step);
  writer_.look();
  if (observer_.wants_moment()) observer_.passes(moment(simulation_.time()));
}

/// Goes on with the rows up to `last_time`, and says which are not there that should be.
void RunLoop::open_tables(double last_time) {
  const auto say_lost = [&](const std::filesystem::path& table, std::uint64_t kept, std::uint64_t written) {
    if (kept >= written) return;
    observer_.note(fmt::format("{}: {} of the {} rows up to t = {:.6g} are lost; the run goes on without them",
                               table.string(), written - kept, written, last_time));
  };
  const double until = last_time + same_;  // rows have told_time()
  const RunDirectory::KeptRows kept = directory_.open_energies(until, units_, config_.simulation.gas.flows());
  wall_before_ = wall_output_ = kept.wall_seconds;
  energy_step_ = kept.last_step;
  largest_error_ = before_.largest_error;
  note_error(kept.relative_error);
  energy_rows_ = directory_.energy_rows();
  say_lost(directory_.energies_path(), energy_rows_, before_.energy_rows);
  if (config_.output.ring_every) {
    directory_.open_ring(until, units_);
    ring_rows_ = directory_.ring_rows();
    say_lost(directory_.ring_path(), ring_rows_, before_.ring_rows);
  }
  if (!config_.output.black_holes_every) return;
  directory_.open_black_holes(until, black_holes_.places.size(), units_);
  black_hole_rows_ = directory_.black_hole_rows();
  say_lost(directory_.black_holes_path(), black_hole_rows_, before_.black_hole_rows);
}

/// Those of which all files are there. Of the first that lacks some, which a kill or a full disk cut short, it is noted
/// that it is written again.
std::size_t RunLoop::count_later_outputs() const {
  std::size_t later = 0;
  for (; later < later_outputs_.size(); ++later) {
    const std::size_t index = first_number_ + later;
    const RunDirectory::OutputFiles files = directory_.files_of_output(index, has_groups(config_.output, index));
    if (files.missing.empty()) continue;
    if (files.there.empty()) break;
    observer_.note(fmt::format("output {} was cut short: {} {} missing; it is written again", index,
                               fmt::join(files.missing, ", "), files.missing.size() == 1 ? "is" : "are"));
    break;
  }
  return later;
}

/// They are of other settings.
void RunLoop::remove_later_outputs() {
  std::size_t removed = 0;
  for (std::size_t later = 0; later < later_outputs_.size(); ++later) {
    removed += directory_.remove_output(first_number_ + later) ? 1 : 0;
  }
  if (removed == 0) return;
  observer_.note(fmt::format("{} later than the checkpoint, from before the changes, {} removed",
                             counted(removed, "snapshot"), removed == 1 ? "is" : "are"));
}

/// Snapshots are numbered on behind those that are there, of which an earlier plan may have had more or fewer. Those
/// that it wrote later than the checkpoint, killed or at an end within a step, stay: they are what this run would come
/// to.
void RunLoop::settle_numbers() {
  first_output_ = next_output_;
  first_number_ = before_.outputs.value_or(next_output_);
  kept_until_ = before_.outputs_until;
  if (changed_) {
    remove_later_outputs();
  } else if (const std::size_t later = count_later_outputs(); later > 0) {
    first_number_ += later;
    kept_until_ = later_outputs_[later - 1];
  }
  if (!config_.output.snapshots) {  // they are there for a later part of the run, which numbers on behind them
    before_.outputs = first_number_;
    first_number_ = next_output_;
    return;
  }
  std::size_t left_out = 0;
  for (; first_output_ < outputs_.size() && outputs_[first_output_] <= kept_until_ + same_; ++first_output_) {
    const double time = outputs_[first_output_];
    left_out += time > resumed_at_ + same_ && !same_of(later_outputs_, time, same_) ? 1 : 0;
  }
  if (left_out > 0) {
    observer_.note(
        fmt::format("{} up to t = {:.6g} {} left out: snapshots of the plan before are there (docs/dynamics.md)",
                    counted(left_out, "output"), kept_until_, left_out == 1 ? "is" : "are"));
  }
}

void RunLoop::say_that_nothing_is_left() const {
  observer_.note(
      fmt::format("nothing is left to do: the checkpoint is of t = {:.6g}, and time.end = {:.6g}; a later "
                  "time.end goes on",
                  told_time(), config_.end));
}

void RunLoop::begin() {
  directory_.clear();
  const bool resumed = initial_energy_.has_value();
  if (!resumed) {
    initial_energy_ = simulation_.energies().total();
    if (config_.output.checkpoints) watchdog_.begin(simulation_.snapshot());  // looks at what is kept alone
  } else if (has_another_energy_) {
    initial_energy_ = simulation_.energies().total();
    observer_.note("with these changes the particles have another energy: its error counts from here");
  }
  open_tables(resumed ? resumed_at_ : -HUGE_VAL);
  while (resumed && next_output_ < outputs_.size() && outputs_[next_output_] <= resumed_at_ + same_) {
    ++next_output_;
  }
  settle_numbers();
  if (resumed && next_output_ == outputs_.size()) say_that_nothing_is_left();
  write_outputs(resumed ? Occasion::step : Occasion::start);
  watchdog_.look_at_rungs(simulation_, simulation_.time(), simulation_.block_report().beyond);
  say_bounds();
}

void RunLoop::go() {
  announce();
  try {
    begin();
    while (next_output_ < outputs_.size() && !stopping_.asked()) step();
    if (!is_beyond_) write_checkpoint();
  } catch (...) {
    writer_.finish();  // what could not be written went wrong first
    throw;
  }
  finish_files();
  const bool finished = next_output_ == outputs_.size();
  const RunTotals all = totals(finished);
  Json summary = summary_json(simulation_, asked_, all);
  summary["units"] = units_json(units_);
  if (black_holes_.places.size() == 2) {
    summary["black_holes"] = {{"passages", passages_json(read_track(directory_.black_holes_path()), most_passages)}};
  }
  directory_.write_summary(summary);
  const BlockReport blocks = simulation_.block_report();
  if (!blocks.rungs.empty()) directory_.write_rungs(blocks);
  say_how_it_ended(all);
}

RunTotals RunLoop::totals(bool finished) const {
  RunTotals t;
  t.finished = finished;
  t.time = told_time();
  t.steps = steps();
  t.wall_seconds = wall_seconds();
  t.wall_seconds_here = t.wall_seconds - wall_before_;
  t.output_seconds = output_seconds_;
  t.writing_seconds = writer_.seconds();
  t.initial_energy = *initial_energy_;
  t.relative_error = relative_error(simulation_.energies());
  t.largest_error = std::max(largest_error_, std::abs(t.relative_error));
  t.softening = softening_;
  t.collisions = simulation_.collisions().number;
  return t;
}

void RunLoop::say_how_it_ended(const RunTotals& all) {
  const std::size_t snapshots = number_of(outputs_.size());
  const bool needs_line = all.finished && config_.output.snapshots && snapshots > 0;
  observer_.ends({.config = config_,
                  .simulation = simulation_,
                  .totals = all,
                  .alarm = !config_.conserves_energy() ? "" : EnergyAlarm::at_the_end(all.largest_error),
                  .directory = directory_.path(),
                  .outputs = snapshots,
                  .yt_line = needs_line ? directory_.yt_line(snapshots - 1, units_) : "",
                  .pynbody_line = needs_line ? directory_.pynbody_line(snapshots - 1, units_) : "",
                  .by = all.finished ? nullptr : stopping_.by(),
                  .is_by_clock = stopping_.is_by_clock(),
                  .given_up = longest_.given_up()});
}

void run_to_the_end(ReadyRun run, Observer& observer) {
  RunDirectory& directory = *run.directory;
  RunLoop loop(run.config, run.asked, std::move(run.start), directory, observer);
  try {
    loop.go();
  } catch (const NotFinite& e) {
    if (!directory.has_checkpoint()) throw;
    throw NotFinite(e.subject, e.problem,
                    e.remedy + "; the last good state is in " + (directory.path() / "checkpoint.hdf5").string());
  }
}

}  // namespace hornbeam::run
