// SPDX-License-Identifier: Apache-2.0
// What a run writes and when, see run_loop.h. Files are written by another thread beside the next steps (writer.h).
#include <algorithm>
#include <memory>
#include <numbers>
#include <utility>

#include "dynamics/particle_system.h"
#include "run/records/groups_beside.h"
#include "run/session/run_loop.h"

namespace hornbeam::run {

void RunLoop::append_energy() {
  if (energy_step_ == steps()) return;
  const Energies energies = simulation_.energies();
  const double error = relative_error(energies);
  note_error(error);
  watch_energy(error);
  const EnergyRow row{told_time(), steps(), energies, error, wall_seconds()};
  writer_.give([this, row] { directory_.append(row); }, {}, false);
  ++energy_rows_;
  has_checkpoint_ = false;
  energy_step_ = steps();
}

void RunLoop::append_black_holes() {
  std::vector<Motion> motions = simulation_.motions(black_holes_.places);
  black_hole_rows_ += motions.size();
  has_checkpoint_ = false;
  const auto write = [this, time = told_time(), step = steps(), motions = std::move(motions)] {
    for (std::size_t i = 0; i < motions.size(); ++i) {
      directory_.append_black_hole(time, step, black_holes_.ids[i], motions[i]);
    }
  };
  writer_.give(write, {}, false);
}

/// Rates are those since the row before.
void RunLoop::append_ring() {
  const SimulationOptions& o = options_;
  RingRow row;
  row.time = told_time();
  row.step = steps();
  row.collisions = simulation_.collisions();
  wait_for_room();
  const Particles particles = simulation_.snapshot().particles;
  row.state = measure_ring(particles, o.boundary, o.gravity.G);
  if (o.self_gravity) {
    row.gravitational_viscosity = gravitational_viscosity(particles, o.boundary, o.gravity.G, simulation_.time());
  }
  const double seconds = simulation_.time() - ring_time_, orbits = seconds * o.boundary.omega / (2 * std::numbers::pi);
  if (seconds > 0 && row.state.mass > 0) {
    const auto number = static_cast<double>(row.collisions.number - at_ring_row_.number);
    row.collisions_per_orbit = 2 * number / static_cast<double>(row.state.bodies) / orbits;
    row.collisional_viscosity = 2.0 / 3.0 * (row.collisions.momentum_flux - at_ring_row_.momentum_flux) /
                                (o.boundary.omega * row.state.mass * seconds);
  }
  ring_time_ = simulation_.time();
  at_ring_row_ = row.collisions;
  writer_.give([this, row] { directory_.append(row); }, {}, false);
  ++ring_rows_;
  has_checkpoint_ = false;
}

SoFar RunLoop::so_far() const {
  const auto later = std::upper_bound(outputs_.begin(), outputs_.end(), simulation_.time() + same_);
  // of snapshots that are there from before, those of earlier outputs count, too
  const auto up_to = std::max(static_cast<std::size_t>(later - outputs_.begin()), first_output_);
  const std::uint64_t rows = config_.output.black_holes_every ? black_hole_rows_ : before_.black_hole_rows;
  return {.largest_error = largest_error_,
          .energy_rows = energy_rows_,
          .black_hole_rows = rows,
          .ring_rows = config_.output.ring_every ? ring_rows_ : before_.ring_rows,
          .outputs = config_.output.snapshots ? number_of(up_to) : before_.outputs.value_or(0),
          .outputs_until = std::max(simulation_.time(), kept_until_),
          .collisions = simulation_.collisions(),
          .ring_time = ring_time_,
          .at_ring_row = at_ring_row_};
}

void RunLoop::write_checkpoint() {
  if (!config_.output.checkpoints || has_checkpoint_) return;
  has_checkpoint_ = true;
  const Timed timed(output_seconds_);
  writer_.make_room();
  Snapshot state = simulation_.checkpoint();
  watchdog_.look(state, simulation_.options());
  const GravityOptions& used = simulation_.system().options();
  const SavedRun saved{.configuration = asked_,
                       .start_time = start_time_,
                       .leaf_size = used.leaf_size,
                       .group_size = used.group_size,
                       .costs = simulation_.costs(),
                       .usual_speed = watchdog_.usual_speed(),
                       .so_far = so_far()};
  const auto copy = std::make_shared<const Checkpoint>(Checkpoint{.snapshot = std::move(state),
                                                                  .step = steps(),
                                                                  .initial_energy = *initial_energy_,
                                                                  .configuration = to_text(saved),
                                                                  .dt = config_.simulation.dt});
  writer_.give([this, copy] { directory_.write_checkpoint(*copy); }, {}, true);
}

/// Writes the output that is next, and says so when it is there.
void RunLoop::write_snapshot(Snapshot snapshot) {
  if (next_output_ < first_output_) {
    ++next_output_;
    return;
  }
  const Timed timed(output_seconds_);
  const Output output = next_output(snapshot.time);
  const auto losses = std::make_shared<std::vector<std::string>>();
  const auto copy = std::make_shared<const Snapshot>(std::move(snapshot));
  const auto tell = [this, output, losses] {
    if (output.index == 0) {
      for (const std::string& loss : *losses) observer_.note(loss);
    }
    observer_.output(output);
  };
  const auto write = [this, output, losses, copy] {
    *losses = directory_.write_snapshot(output.index, *copy);
    if (!has_groups(config_.output, output.index)) return;
    write_groups_of(directory_.groups_path(output.index), *copy, config_.output, options_);
  };
  writer_.give(write, tell, true);
  ++next_output_;
}

void RunLoop::write_latest() {
  const Timed timed(output_seconds_);
  writer_.make_room();
  const auto copy = std::make_shared<const Snapshot>(simulation_.snapshot());
  writer_.give([this, copy] { directory_.write_latest(*copy); }, {}, true);
}

Output RunLoop::next_output(double time) const {
  return {.index = number_of(next_output_), .is_snapshot = config_.output.snapshots, .at = moment(time)};
}

void RunLoop::wait_for_room() {
  const Timed timed(output_seconds_);
  writer_.make_room();
}

void RunLoop::finish_files() {
  const Timed timed(output_seconds_);
  writer_.finish();
}

Moment RunLoop::moment(double time) const {
  const double error = error_of_step_ ? *error_of_step_ : relative_error(simulation_.energies());
  return {.time = time, .step = steps(), .relative_error = error};
}

/// The output that is next, of which no copy is made where none is to be written.
void RunLoop::pass_output(const std::function<Snapshot()>& make) {
  if (config_.output.snapshots) {
    wait_for_room();
    return write_snapshot(make());
  }
  writer_.give([] {}, [this, output = next_output(outputs_[next_output_])] { observer_.output(output); }, false);
  ++next_output_;
}

/// The snapshots up to the present time, at which all particles are synchronised.
void RunLoop::write_due_snapshots() {
  const double now = simulation_.time();
  for (; next_output_ < outputs_.size() && outputs_[next_output_] <= now + same_; wrote_snapshot_ = true) {
    const double time = outputs_[next_output_];
    const bool missed = time < now - same_;  // a symmetrised step was longer than it promised
    pass_output([&] {
      Snapshot copy = missed ? simulation_.snapshot_at(time) : simulation_.snapshot();
      copy.time = time;
      return copy;
    });
  }
}

/// All that is written at times at which the particles are synchronised.
void RunLoop::list_outputs() {
  const OutputPlan& plan = config_.output;
  const auto starts = [this] { return occasion_ == Occasion::start; };
  const auto goes_with_snapshots = [this] { return wrote_snapshot_ || occasion_ == Occasion::within_step; };
  output_list_.add({[](double) { return true; }, [this] { write_due_snapshots(); }});
  output_list_.add({[=, this](double now) { return energy_due_.due(now) || starts() || goes_with_snapshots(); },
                    [this] { append_energy(); }});
  if (plan.black_holes_every) {
    output_list_.add(
        {[=, this](double now) { return black_holes_due_.due(now) || starts(); }, [this] { append_black_holes(); }});
  }
  if (plan.ring_every) {
    output_list_.add({[=, this](double now) { return ring_due_.due(now) || starts(); }, [this] { append_ring(); }});
  }
  if (plan.snapshots) {
    output_list_.add({[this](double) { return by_clock_ || occasion_ == Occasion::halt; }, [this] { write_latest(); }});
  }
  output_list_.end_with_checkpoint({[=, this](double now) {
                                      return checkpoint_due_.due(now) || starts() || by_clock_ ||
                                             (!config_.output.checkpoint_every && goes_with_snapshots());
                                    },
                                    [this] { write_checkpoint(); }});
}

/// Writes what is due at the present time, at which all particles are synchronised.
void RunLoop::write_outputs(Occasion occasion) {
  const std::optional<double>& seconds = config_.output.wall_every;
  by_clock_ = occasion == Occasion::step && seconds && wall_seconds() - wall_output_ >= *seconds;
  occasion_ = occasion;
  wrote_snapshot_ = false;
  output_list_.write_due(simulation_.time());
  if (by_clock_) wall_output_ = wall_seconds();
}

}  // namespace hornbeam::run
