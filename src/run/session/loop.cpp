// SPDX-License-Identifier: Apache-2.0
// The loop of one run into its folder, see loop.h.
#include "run/session/loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "hornbeam/error.h"
#include "run/records/summary.h"
#include "run/records/track.h"
#include "run/session/longest_step.h"
#include "run/session/outputs.h"
#include "run/session/session.h"
#include "run/session/stopping.h"

namespace hornbeam::run {
namespace {

/// Of two black holes that run.json shows; later ones are the wobble of a bound pair.
constexpr std::size_t most_passages = 10;

constexpr const char* no_particles = "the loss of all particles";

class RunLoop {
 public:
  RunLoop(ReadyRun run, RunDirectory& directory, Observer& observer)
      : directory_(directory),
        observer_(observer),
        session_(std::move(run.config), std::move(run.asked), std::move(run.start), observer),
        outputs_(session_, directory),
        stopping_(directory, observer, session_.config().output.wall_limit),
        longest_(session_, stopping_) {}
  void go();
  /// Whether it was stopped from outside before its end; a collision that halts it is an end that was requested,
  /// and so is the loss of all particles.
  [[nodiscard]] bool is_stopped() const {
    const Simulation& simulation = session_.simulation();
    return !outputs_.plan().is_done() && simulation.halted().empty() && simulation.size() > 0;
  }

 private:
  void announce();
  void begin();
  void step();
  bool pass_outputs(Simulation::Passing& passing);
  void watch();
  void end();

  RunDirectory& directory_;
  Observer& observer_;
  Session session_;
  Outputs outputs_;
  Stopping stopping_;
  LongestStep longest_;
  bool is_beyond_ = false;  ///< the last step ended after the run's end, where outputs were only looked at
};

void RunLoop::announce() {
  session_.announce_start();
  session_.announce_device();
  session_.begin();
  outputs_.announce();
  observer_.begins(session_, directory_.path());
}

void RunLoop::begin() {
  Simulation& simulation = session_.simulation();
  directory_.clear();
  if (session_.start().has_another_energy) {
    session_.count_errors_from_here();
    observer_.note("the new settings change the total energy; the energy error is now measured from it");
  }
  outputs_.begin();
  if (session_.is_resumed() && outputs_.plan().is_done()) {
    const ShownTime& shown = session_.shown_time();
    observer_.note(
        fmt::format("nothing is left to do: the checkpoint is of t = {}, and time.end = {}; a later "
                    "time.end continues it",
                    shown.text(outputs_.told_time()), shown.text(session_.config().end)));
  }
  outputs_.write(session_.is_resumed() ? Occasion::step : Occasion::start);
  if (session_.is_resumed() && session_.watch_losses()) stopping_.ask(no_particles);
  session_.watchdog().look_at_rungs(simulation, simulation.time(), simulation.block_report().beyond);
  session_.watch_gas();
}

/// What lies within the next step. Returns whether the run ends within it.
bool RunLoop::pass_outputs(Simulation::Passing& passing) {
  if (!passing.times.empty()) outputs_.write(Occasion::within_step);
  const bool last = outputs_.plan().ends_after(passing.times.size());
  const bool copies = session_.config().simulation.steps == Steps::block && session_.config().output.snapshots;
  if (copies) return last;
  for (const double time : passing.times) {
    outputs_.pass_snapshot([&] { return session_.simulation().snapshot_at(time); });
  }
  passing.times.clear();
  return last;
}

/// One step with the outputs between its ends.
void RunLoop::step() {
  Simulation& simulation = session_.simulation();
  Simulation::Passing passing;
  if (simulation.heeds_until()) passing.until = outputs_.plan().next();
  const double length = simulation.next_step(), ends = simulation.time() + length;
  if (simulation.heeds_until()) session_.watch_step(length);
  passing.times = outputs_.plan().before(std::min(ends, passing.until.value_or(ends)));
  const bool last = pass_outputs(passing);
  if (outputs_.plan().is_done()) return;  // none needs the end of this step
  if (last) outputs_.write_checkpoint();  // the end of this step lies beyond the run's
  passing.output = [&](Snapshot copy) {
    outputs_.write_snapshot(std::move(copy));
    outputs_.wait_for_room();  // for the next one, which is made without asking
  };
  passing.go_on = [&](double time) {
    outputs_.writer().look();
    return longest_.go_on(time);
  };
  outputs_.step_begins(!passing.times.empty());
  longest_.begin();
  is_beyond_ = simulation.step(passing) && last;
  outputs_.step_ends();
  if (last || !longest_.given_up().empty()) return;
  watch();
}

/// After a step: looks for what goes wrong, and writes what is due.
void RunLoop::watch() {
  const Simulation& simulation = session_.simulation();
  Watchdog& watchdog = session_.watchdog();
  const double error = watchdog.wants_energy(session_.steps()) ? session_.relative_error() : 0.0;
  watchdog.look(simulation, session_.steps(), error);
  session_.watch_energy(error, [this] { outputs_.wait_for_room(); });
  session_.watch_gas();
  const bool halts = session_.watch_halt();
  if (halts) stopping_.ask("a collision");
  if (session_.watch_losses()) stopping_.ask(no_particles);
  outputs_.write(halts ? Occasion::halt : Occasion::step);
  outputs_.writer().look();
  if (observer_.wants_moment()) observer_.passes(outputs_.moment(simulation.time()));
}

void RunLoop::go() {
  announce();
  try {
    begin();
    while (!outputs_.plan().is_done() && !stopping_.asked()) step();
    if (!is_beyond_) outputs_.write_checkpoint();
  } catch (...) {
    outputs_.writer().finish();  // what could not be written went wrong first
    throw;
  }
  outputs_.finish();
  end();
}

void RunLoop::end() {
  const RunTotals totals = outputs_.totals();
  const Simulation& simulation = session_.simulation();
  Json summary = summary_json(simulation, session_.asked(), totals);
  summary["units"] = units_json(session_.units());
  if (session_.start().black_holes.places.size() == 2) {
    const Track track = read_track(directory_.path() / black_holes_table.file, session_.shown_time());
    summary["black_holes"] = {{"passages", passages_json(track, most_passages)}};
  }
  directory_.write_summary(summary);
  const BlockReport blocks = simulation.block_report();
  if (!blocks.rungs.empty()) directory_.write_rungs(blocks);
  const std::size_t snapshots = outputs_.plan().count();
  const bool needs_line = totals.finished && session_.config().output.snapshots && snapshots > 0;
  observer_.ends({.session = session_,
                  .totals = totals,
                  .alarm = !session_.config().conserves_energy() ? "" : EnergyAlarm::at_the_end(totals.largest_error),
                  .directory = directory_.path(),
                  .outputs = snapshots,
                  .yt_line = needs_line ? directory_.yt_line(snapshots - 1, session_.units()) : "",
                  .pynbody_line = needs_line ? directory_.pynbody_line(snapshots - 1, session_.units()) : "",
                  .by = totals.finished ? nullptr : stopping_.by(),
                  .is_by_clock = stopping_.is_by_clock(),
                  .given_up = longest_.given_up()});
}

}  // namespace

std::string nothing_to_resume(const Ending& end) {
  if (!end.session.config().output.checkpoints) return "output.checkpoints = false: there is nothing to resume from";
  return end.session.simulation().size() == 0 ? "no particle is left, so there is nothing to resume" : "";
}

bool run_to_the_end(ReadyRun run, Observer& observer) {
  const std::unique_ptr<RunDirectory> directory = std::move(run.directory);
  RunLoop loop(std::move(run), *directory, observer);
  try {
    loop.go();
    return loop.is_stopped();
  } catch (const NotFinite& e) {
    if (!directory->has_checkpoint()) throw;
    throw NotFinite(e.subject, e.problem,
                    e.remedy + "; the last good state is in " + (directory->path() / "checkpoint.hdf5").string());
  }
}

}  // namespace hornbeam::run
