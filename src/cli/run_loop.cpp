// SPDX-License-Identifier: Apache-2.0
// Steps and outputs of a run, see run.h.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <utility>

#include "backend/backend.h"
#include "cli/common.h"
#include "cli/progress.h"
#include "cli/run.h"
#include "cli/schedule.h"
#include "hornbeam/simulation.h"
#include "hornbeam/version.h"

namespace hornbeam::cli {
namespace {

volatile std::sig_atomic_t stop_requested = 0;

void request_stop(int) { stop_requested = 1; }

/// The first signal asks the run to stop after its step; a second one has its usual effect.
void catch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = request_stop;
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

SimulationOptions options_for(SimulationOptions options, const RunStart& start) {
  options.gravity.G = start.snapshot.units.G;
  options.resumed = start.initial_energy.has_value();
  return options;
}

class RunLoop {
 public:
  RunLoop(const RunConfig& config, const Json& asked, RunStart start, RunDirectory& directory);
  void go();

 private:
  void announce() const;
  void step();
  void after_step();
  void write_due_outputs(double until);
  void append_energy();
  void write_checkpoint() const;
  void write_summary(bool finished) const;
  void say_how_it_ended(bool finished);

  [[nodiscard]] double tolerance() const { return same_time_in_steps * config_.simulation.dt; }
  [[nodiscard]] std::uint64_t steps() const { return first_step_ + simulation_.steps(); }
  [[nodiscard]] double relative_error(const Energies& energies) const;
  [[nodiscard]] double wall_seconds() const;

  const RunConfig& config_;
  const Json& asked_;
  RunDirectory& directory_;
  double start_time_, resumed_at_;
  std::uint64_t first_step_;
  std::string softening_;
  std::vector<std::string> notes_;
  bool physical_;
  SimulationOptions options_;
  Simulation simulation_;
  std::optional<double> initial_energy_;
  std::vector<double> outputs_;
  std::size_t next_output_ = 0;
  Interval energy_due_, checkpoint_due_;
  Progress progress_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  double wall_before_ = 0.0;
  std::optional<std::uint64_t> energy_step_;  ///< of the last row of energy.csv
  double largest_error_ = 0.0;
};

RunLoop::RunLoop(const RunConfig& config, const Json& asked, RunStart start, RunDirectory& directory)
    : config_(config),
      asked_(asked),
      directory_(directory),
      start_time_(start.time),
      resumed_at_(start.snapshot.time),
      first_step_(start.step),
      softening_(softening_line(config.simulation.gravity, start.snapshot.particles)),
      notes_(start.snapshot.notes),
      physical_(start.snapshot.units.physical),
      options_(options_for(config.simulation, start)),
      simulation_(std::move(start.snapshot), options_),
      initial_energy_(start.initial_energy),
      outputs_(output_times(config.output, start_time_, config.end, config.simulation.dt)),
      energy_due_(config.output.energy_every, start_time_, resumed_at_, config.simulation.dt),
      checkpoint_due_(config.output.checkpoint_every, start_time_, resumed_at_, config.simulation.dt),
      progress_(resumed_at_, config.end, config.simulation.dt) {}

double RunLoop::wall_seconds() const {
  return wall_before_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

double RunLoop::relative_error(const Energies& energies) const {
  const double change = energies.total() - *initial_energy_;
  return *initial_energy_ == 0.0 ? change : change / std::abs(*initial_energy_);
}

void RunLoop::announce() const {
  const Backend& backend = simulation_.backend();
  print_notes(notes_);
  fmt::print("hornbeam {} ({}): {} particles on {} ({}), {} threads\n", version, commit, simulation_.size(),
             backend.name(), backend.device(), backend.threads());
  fmt::print("{}, G {}, theta {}, dt {}, t = {} to {} into {}\n", softening_, backend.options().G,
             backend.options().theta, config_.simulation.dt, simulation_.time(), config_.end,
             directory_.path().string());
}

void RunLoop::append_energy() {
  if (energy_step_ == steps()) return;
  const Energies energies = simulation_.energies();
  const double error = relative_error(energies);
  largest_error_ = std::max(largest_error_, std::abs(error));
  directory_.append({simulation_.time(), steps(), energies, error, wall_seconds()});
  energy_step_ = steps();
}

void RunLoop::write_checkpoint() const {
  const GravityOptions& used = simulation_.backend().options();
  const Json configuration = {{"configuration", asked_},
                              {"start_time", start_time_},
                              {"sizes", {{"leaf_size", used.leaf_size}, {"group_size", used.group_size}}}};
  directory_.write_checkpoint({.snapshot = simulation_.snapshot(),
                               .step = steps(),
                               .initial_energy = *initial_energy_,
                               .configuration = configuration.dump(),
                               .dt = config_.simulation.dt});
}

/// Writes the snapshots due before the next full step, which lies at `until`.
void RunLoop::write_due_outputs(double until) {
  bool written = false;
  for (; next_output_ < outputs_.size() && outputs_[next_output_] < until - tolerance(); ++next_output_) {
    const double time = outputs_[next_output_];
    const bool between_steps = time - simulation_.time() > tolerance();
    const auto losses =
        directory_.write_snapshot(next_output_, between_steps ? simulation_.snapshot_at(time) : simulation_.snapshot());
    if (next_output_ == 0) print_notes(losses);
    progress_.output(fmt::format("snapshot {}", next_output_), time, steps(), relative_error(simulation_.energies()));
    written = true;
  }
  if (!written) return;
  append_energy();
  if (!config_.output.checkpoint_every) write_checkpoint();
}

void RunLoop::after_step() {
  if (energy_due_.due(simulation_.time())) append_energy();
  if (checkpoint_due_.due(simulation_.time())) write_checkpoint();
  if (progress_.wants_update()) {
    progress_.update(simulation_.time(), steps(), relative_error(simulation_.energies()));
  }
}

void RunLoop::go() {
  announce();
  const bool resumed = initial_energy_.has_value();
  if (!resumed) initial_energy_ = simulation_.energies().total();
  wall_before_ = directory_.open_energies(resumed ? resumed_at_ : -HUGE_VAL);
  while (resumed && next_output_ < outputs_.size() && outputs_[next_output_] <= resumed_at_ + tolerance()) {
    ++next_output_;
  }
  const double dt = config_.simulation.dt;
  write_due_outputs(simulation_.time() + dt);
  while (next_output_ < outputs_.size() && stop_requested == 0) {
    simulation_.step();
    after_step();
    write_due_outputs(simulation_.time() + dt);
  }
  progress_.finish();
  const bool finished = next_output_ == outputs_.size();
  write_checkpoint();
  write_summary(finished);
  say_how_it_ended(finished);
}

void RunLoop::write_summary(bool finished) const {
  const Backend& backend = simulation_.backend();
  const Energies energies = simulation_.energies();
  const StageSeconds& seconds = backend.seconds();
  const double wall = wall_seconds();
  Json by_stage = to_json(seconds);
  by_stage.update({{"kick_drift", seconds.kick_drift}, {"energy", seconds.energy}, {"transfer", seconds.transfer}});
  directory_.write_summary(
      {{"version", version},
       {"commit", commit},
       {"configuration", asked_},
       {"device", {{"backend", backend.name()}, {"device", backend.device()}, {"threads", backend.threads()}}},
       {"softening", softening_},
       {"totals",
        {{"finished", finished},
         {"particles", simulation_.size()},
         {"time", simulation_.time()},
         {"steps", steps()},
         {"wall_seconds", wall},
         {"initial_energy", *initial_energy_},
         {"final_energy", energies.total()},
         {"relative_error", relative_error(energies)},
         {"steps_per_second", static_cast<double>(simulation_.steps()) / (wall - wall_before_)},
         {"interactions_per_particle", to_json(backend.interactions(), simulation_.size())}}},
       {"seconds", by_stage}});
}

void RunLoop::say_how_it_ended(bool finished) {
  const Energies energies = simulation_.energies();
  fmt::print("{} at t = {:.6g} after {} steps in {}: energy {:.8g}, relative error {:.2e}, largest {:.2e}\n",
             finished ? "finished" : "stopped", simulation_.time(), steps(), duration(wall_seconds()), energies.total(),
             relative_error(energies), largest_error_);
  const std::string folder = directory_.path().string();
  if (finished) {
    fmt::print("{} snapshots, energy.csv and run.json are in {}\n", outputs_.size(), folder);
    const std::string yt_line = physical_ ? "" : directory_.yt_line(outputs_.size() - 1);
    if (!yt_line.empty()) fmt::print("to open one in yt: {}\n", yt_line);
  } else {
    fmt::print("the checkpoint is in {}: the same command with --resume continues to the same bits\n", folder);
  }
}

}  // namespace

void run_to_the_end(const RunConfig& config, const Json& asked, RunStart start, RunDirectory& directory) {
  catch_stop_signals();
  RunLoop(config, asked, std::move(start), directory).go();
}

}  // namespace hornbeam::cli
