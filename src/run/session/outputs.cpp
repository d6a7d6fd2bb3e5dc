// SPDX-License-Identifier: Apache-2.0
// When a run writes and in which order, see outputs.h; tables.cpp has its tables.
#include "run/session/outputs.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "device/timed.h"
#include "run/records/groups_beside.h"

namespace hornbeam::run {
namespace {

/// Whether there are files with all particles.
bool writes_particles(const OutputPlan& plan) { return plan.snapshots || plan.checkpoints; }

}  // namespace

Outputs::Outputs(Session& session, RunDirectory& directory)
    : session_(session),
      directory_(directory),
      same_(same_time(session.config().simulation, session.start().time, session.config().end)),
      plan_(session, same_),
      checkpoint_due_(interval(session.config().output.checkpoint_every)),
      records_(directory.path(), session.shown_time(), session.start().so_far.rows),
      ring_time_(session.so_far().ring_time),
      at_ring_row_(session.start().so_far.at_ring_row),
      writer_(session.start().has_room_to_write_beside && writes_particles(session.config().output)) {
  add_energy();
  if (session_.config().output.black_holes_every) add_black_holes();
  if (session_.config().output.ring_every) add_ring();
  if (session_.has_events()) add_events();
  directory_.set_record(session_.record());
}

void Outputs::announce() {
  if (!directory_.lock_note().empty()) session_.observer().note(directory_.lock_note());
  if (writes_particles(session_.config().output) && !writer_.is_beside()) {
    session_.observer().note(
        "steps wait while snapshots and checkpoints are written: there is too little memory to write them during "
        "steps");
  }
}

void Outputs::begin() {
  const bool resumed = session_.is_resumed();
  const double last_time = resumed ? session_.resumed_at() : -HUGE_VAL;
  for (const std::string& lost : records_.open(last_time + same_, last_time)) {  // rows have told_time()
    session_.observer().note(lost);
  }
  plan_.settle(directory_, session_);
}

/// The checkpoint is the last: it states that all other files and rows of its time are there, so that a resumed run
/// does not write them again.
void Outputs::write(Occasion occasion) {
  const OutputPlan& plan = session_.config().output;
  const double now = session_.simulation().time();
  const bool by_clock =
      occasion == Occasion::step && plan.wall_every && wall_seconds() - wall_output_ >= *plan.wall_every;
  const bool starts = occasion == Occasion::start;
  const bool has_snapshots = write_due_snapshots() || occasion == Occasion::within_step;
  const Records::At at{now, [this] { return told_time(); }, session_.steps(), starts, has_snapshots};
  if (records_.append(at, writer_)) has_checkpoint_ = false;
  if (plan.snapshots && (by_clock || occasion == Occasion::halt)) write_latest();
  const bool checkpoint = checkpoint_due_.due(now) || starts || by_clock || (!plan.checkpoint_every && has_snapshots);
  if (checkpoint) write_checkpoint();
  if (by_clock) wall_output_ = wall_seconds();
}

/// The snapshots up to the present time, at which all particles are synchronised. Returns whether there were any.
bool Outputs::write_due_snapshots() {
  const Simulation& simulation = session_.simulation();
  const double now = simulation.time();
  bool any = false;
  for (; !plan_.is_done() && plan_.next() <= now + same_; any = true) {
    const double time = plan_.next();
    const bool missed = time < now - same_;  // a symmetrised step was longer than it promised
    pass_snapshot([&] {
      Snapshot copy = missed ? simulation.snapshot_at(time) : simulation.snapshot();
      copy.time = time;
      return copy;
    });
  }
  return any;
}

void Outputs::pass_snapshot(const std::function<Snapshot()>& make) {
  if (session_.config().output.snapshots) {
    wait_for_room();
    return write_snapshot(make());
  }
  const auto tell = [this, output = next_output(plan_.next())] { session_.observer().output(output); };
  writer_.give([] {}, tell, false);
  plan_.pass();
}

void Outputs::write_snapshot(Snapshot snapshot) {
  if (!plan_.writes()) return plan_.pass();
  const Timed timed(output_seconds_);
  const Output output = next_output(snapshot.time);
  const auto losses = std::make_shared<std::vector<std::string>>();
  const auto copy = std::make_shared<const Snapshot>(std::move(snapshot));
  const auto tell = [this, output, losses] {
    if (output.index == 0) {
      for (const std::string& loss : *losses) session_.observer().note(loss);
    }
    session_.observer().output(output);
  };
  const auto write = [this, output, losses, copy] {
    const OutputPlan& plan = session_.config().output;
    *losses = directory_.write_snapshot(output.index, *copy);
    if (!has_groups(plan, output.index)) return;
    write_groups_of(directory_.groups_path(output.index), *copy, plan, session_.options());
  };
  writer_.give(write, tell, true);
  plan_.pass();
}

void Outputs::write_latest() {
  const Timed timed(output_seconds_);
  writer_.make_room();
  const auto copy = std::make_shared<const Snapshot>(session_.simulation().snapshot());
  writer_.give([this, copy] { directory_.write_latest(*copy); }, {}, true);
}

void Outputs::write_checkpoint() {
  if (!session_.config().output.checkpoints || has_checkpoint_) return;
  has_checkpoint_ = true;
  const Timed timed(output_seconds_);
  writer_.make_room();
  const auto copy = std::make_shared<const Checkpoint>(session_.checkpoint(so_far()));
  session_.watchdog().look(copy->snapshot, session_.simulation().options());
  writer_.give([this, copy] { directory_.write_checkpoint(*copy); }, {}, true);
}

SoFar Outputs::so_far() const {
  SoFar s = session_.so_far();
  s.rows = records_.counts();
  s.outputs = plan_.count_until(session_.simulation().time());
  s.outputs_until = std::max(session_.simulation().time(), plan_.kept_until());
  s.ring_time = ring_time_;
  s.at_ring_row = at_ring_row_;
  return s;
}

Output Outputs::next_output(double time) const {
  return {.index = plan_.number(), .is_snapshot = session_.config().output.snapshots, .at = moment(time)};
}

Moment Outputs::moment(double time) const {
  const double error = error_of_step_ ? *error_of_step_ : session_.relative_error();
  return {.time = time, .step = session_.steps(), .relative_error = error};
}

double Outputs::told_time() const {
  const double now = session_.simulation().time();
  if (session_.simulation().heeds_until()) return now;
  if (const std::optional<double> output = plan_.same_as(now)) return *output;
  return records_.same_as(now).value_or(now);
}

void Outputs::wait_for_room() {
  const Timed timed(output_seconds_);
  writer_.make_room();
}

void Outputs::step_begins(bool passes_outputs) {
  if (passes_outputs) {
    wait_for_room();
    error_of_step_ = session_.relative_error();
  }
  has_checkpoint_ = false;
}

void Outputs::finish() {
  const Timed timed(output_seconds_);
  writer_.finish();
}

double Outputs::wall_seconds() const {
  return wall_before_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

RunTotals Outputs::totals() const {
  RunTotals t;
  t.finished = plan_.is_done();
  t.time = told_time();
  t.steps = session_.steps();
  t.wall_seconds = wall_seconds();
  t.wall_seconds_here = t.wall_seconds - wall_before_;
  t.output_seconds = output_seconds_;
  t.writing_seconds = writer_.seconds();
  t.initial_energy = session_.initial_energy();
  t.keeps_energy = session_.config().conserves_energy();
  t.relative_error = session_.relative_error();
  t.largest_error = std::max(session_.largest_error(), std::abs(t.relative_error));
  t.softening = session_.softening();
  t.collisions = session_.simulation().collisions().number;
  return t;
}

}  // namespace hornbeam::run
