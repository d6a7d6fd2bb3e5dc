// SPDX-License-Identifier: Apache-2.0
// The one session behind the command, Python, AMUSE's worker and the live view, which are its observers: a simulation
// with its configuration, what there is to say about it, and what its checkpoints keep. Before it: start.cpp; what is
// written into a folder is outputs.h's.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hornbeam/simulation.h"
#include "hornbeam/units.h"
#include "run/config/config.h"
#include "run/folder/saved_run.h"
#include "run/records/record.h"
#include "run/session/alarms.h"
#include "run/session/observer.h"
#include "run/session/start.h"
#include "run/session/watchdog.h"

namespace hornbeam::run {

class Session {
 public:
  /// observer: receives notes and remarks and is asked between steps; must outlive this.
  Session(RunConfig config, Json asked, RunStart start, Observer& observer);

  [[nodiscard]] const RunConfig& config() const { return config_; }
  /// The configuration as understood.
  [[nodiscard]] const Json& asked() const { return asked_; }
  /// Without its particles.
  [[nodiscard]] const RunStart& start() const { return start_; }
  [[nodiscard]] bool is_resumed() const { return start_.initial_energy.has_value(); }
  [[nodiscard]] double resumed_at() const { return resumed_at_; }
  [[nodiscard]] const SimulationOptions& options() const { return options_; }
  [[nodiscard]] const Units& units() const { return units_; }
  /// The unit in which tables and lines of the run have times.
  [[nodiscard]] const ShownTime& shown_time() const { return shown_; }
  [[nodiscard]] const std::string& softening() const { return softening_; }
  [[nodiscard]] Simulation& simulation() { return simulation_; }
  [[nodiscard]] const Simulation& simulation() const { return simulation_; }
  [[nodiscard]] Watchdog& watchdog() { return watchdog_; }
  [[nodiscard]] Observer& observer() { return observer_; }
  /// With those of earlier parts of the run.
  [[nodiscard]] std::uint64_t steps() const { return first_step_ + simulation_.steps(); }
  /// What snapshots keep of what made them.
  [[nodiscard]] std::string record() const { return record_of(simulation_, asked_); }

  /// Notes what there is to say of the start, and which device was passed over.
  void announce_start();
  void announce_device();
  /// Called before the first step. Stores the energy from which errors count and the usual speeds, unless it continues
  /// from a checkpoint or has done so. Notes a start far from equilibrium and a dt that is far too long.
  void begin();
  /// Whether begin() has noted that dt is far too long.
  [[nodiscard]] bool said_step() const { return said_step_; }
  /// Counts errors from the present energy.
  void count_errors_from_here() { initial_energy_ = simulation_.energies().total(); }
  [[nodiscard]] double initial_energy() const { return *initial_energy_; }
  [[nodiscard]] double relative_error(const Energies& energies) const;
  [[nodiscard]] double relative_error() const { return relative_error(simulation_.energies()); }
  /// The largest |relative_error| that was noted, in all parts of the run.
  [[nodiscard]] double largest_error() const { return largest_error_; }
  void note_error(double error);

  /// Makes at most that many steps until that time, until the observer stops it, or until a collision halts it. The
  /// observer is called before the first one and after each. Returns the number of steps made.
  std::uint64_t run(double until, std::uint64_t most);

  /// Notes the error of the energy, with a remark where the energy leaves and is to be conserved. make_room: called
  /// before the particles are copied for that.
  void watch_energy(double error, const std::function<void()>& make_room = {});
  /// Remarks once where gas asks for steps too short, or cannot have the smoothing lengths that are wanted.
  void watch_step(double length);
  void watch_gas();
  /// Returns whether bodies collided that were not to, and remarks which.
  bool watch_halt();
  /// Remarks that the body with most of the mass has left. Returns whether no particle is left, and remarks that, too.
  bool watch_losses();
  /// Whether steps can have events.
  [[nodiscard]] bool has_events() const;
  /// Keeps the events of all steps from now on, besides those that the checkpoint had kept: for sessions without
  /// tables.
  void keep_events();
  [[nodiscard]] const std::vector<RecordedEvent>& kept_events() const { return events_; }

  /// The state in which all goes on with the same bits, and what is known of what was written so far.
  [[nodiscard]] Checkpoint checkpoint(const SoFar& so_far) const;
  /// The same without tables and snapshots beyond those that the checkpoint knew from which this one goes on.
  [[nodiscard]] SoFar so_far() const;

  /// Continues with other particles, or its own after writing to them, in its units and without forces and rungs. Steps
  /// count on; errors count from the new energy. own_eps: each has its own softening from now on.
  void replace(Snapshot snapshot, const GravityOptions& gravity, bool own_eps);
  /// As Simulation::add_force(). Errors count from the energy with a new force; one without a potential is noted.
  void add_force(const OwnForce& force);

 private:
  void keep_accuracy();
  /// Stores the usual speeds, and notes a dt that is far too long. particles: with accelerations and potentials.
  void look_at_start(const Particles& particles);

  RunConfig config_;
  Json asked_;
  Observer& observer_;
  std::string softening_;
  std::vector<std::string> notes_;
  Units units_;
  ShownTime shown_;  ///< how times are written
  bool has_units_;
  double resumed_at_;
  SimulationOptions options_;
  double mass_;  ///< of all particles that have not left
  RunStart start_;
  Simulation simulation_;
  std::uint64_t first_step_;
  std::optional<double> initial_energy_;
  double largest_error_;
  Watchdog watchdog_;
  EnergyAlarm alarm_;
  bool said_step_ = false, remarked_step_ = false, remarked_gas_ = false;
  bool keeps_events_ = false;
  std::vector<RecordedEvent> events_;
};

}  // namespace hornbeam::run
