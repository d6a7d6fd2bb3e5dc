// SPDX-License-Identifier: Apache-2.0
// The loop of one run: its state, its steps (loop.cpp) and its outputs (loop_outputs.cpp).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "device/timed.h"
#include "hornbeam/simulation.h"
#include "run/config/config.h"
#include "run/folder/output_list.h"
#include "run/folder/run_directory.h"
#include "run/folder/saved_run.h"
#include "run/folder/writer.h"
#include "run/records/summary.h"
#include "run/records/track.h"
#include "run/session/alarms.h"
#include "run/session/observer.h"
#include "run/session/schedule.h"
#include "run/session/start.h"
#include "run/session/stopping.h"
#include "run/session/watchdog.h"
#include "run/setup/longest_step.h"

namespace hornbeam::run {

class RunLoop {
 public:
  RunLoop(const RunConfig& config, const Json& asked, RunStart start, RunDirectory& directory, Observer& observer);
  void go();

 private:
  void announce() const;
  void begin();
  void step();
  void after_step();
  bool look_for_halt();
  void open_tables(double last_time);
  void note_error(double error);
  void watch_energy(double error);
  void say_short_step(double length);
  void say_bounds();
  /// Why outputs are written at a time besides their own intervals.
  enum class Occasion {
    step,         ///< none
    start,        ///< of a run that is not resumed: all of them
    within_step,  ///< outputs within the next step follow, before which a checkpoint is kept
    halt          ///< bodies collided that were not to: latest.hdf5
  };
  void list_outputs();
  void write_outputs(Occasion occasion);
  void write_due_snapshots();
  void wait_for_room();
  void finish_files();
  void write_snapshot(Snapshot snapshot);
  void write_latest();
  void pass_output(const std::function<Snapshot()>& make);
  [[nodiscard]] Output next_output(double time) const;
  [[nodiscard]] Moment moment(double time) const;
  void append_energy();
  void append_black_holes();
  void append_ring();
  void write_checkpoint();
  [[nodiscard]] SoFar so_far() const;
  void settle_numbers();
  [[nodiscard]] std::size_t count_later_outputs() const;
  void remove_later_outputs();
  /// Of the snapshot of an output of this plan that is not there yet.
  [[nodiscard]] std::size_t number_of(std::size_t output) const { return first_number_ + output - first_output_; }
  [[nodiscard]] RunTotals totals(bool finished) const;
  void say_how_it_ended(const RunTotals& all);

  [[nodiscard]] double told_time() const;
  void say_that_nothing_is_left() const;
  [[nodiscard]] std::uint64_t steps() const { return first_step_ + simulation_.steps(); }
  [[nodiscard]] double relative_error(const Energies& energies) const;
  [[nodiscard]] double wall_seconds() const;

  const RunConfig& config_;
  const Json& asked_;
  RunDirectory& directory_;
  Observer& observer_;
  double start_time_, resumed_at_;
  std::uint64_t first_step_;
  std::string softening_;
  std::vector<std::string> notes_;
  Units units_;
  Followed black_holes_;
  SimulationOptions options_;
  Simulation simulation_;
  std::optional<double> initial_energy_;
  bool has_another_energy_;
  double same_;  ///< same_time()
  std::vector<double> outputs_;
  std::size_t next_output_ = 0;
  std::size_t first_output_ = 0;       ///< the first of which there is no snapshot yet
  std::size_t first_number_ = 0;       ///< of its snapshot
  double kept_until_ = -HUGE_VAL;      ///< time of the last of an earlier part of the run
  std::vector<double> later_outputs_;  ///< RunStart::later_outputs
  bool changed_ = false;               ///< RunStart::changed
  Interval energy_due_, black_holes_due_, ring_due_, checkpoint_due_;
  Watchdog watchdog_;
  Stopping stopping_;
  LongestStep longest_;
  SoFar before_;                 ///< as the checkpoint has it
  double ring_time_;             ///< of the last row of ring.csv
  CollisionTotals at_ring_row_;  ///< then
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  double wall_before_ = 0.0;
  std::optional<std::uint64_t> energy_step_;  ///< of the last row of energy.csv
  double largest_error_ = 0.0;
  std::optional<double> error_of_step_;  ///< while a step passes outputs: of the energy at its beginning
  EnergyAlarm alarm_;
  bool said_short_step_ = false;
  bool said_bounds_ = false;
  std::uint64_t energy_rows_ = 0, black_hole_rows_ = 0, ring_rows_ = 0;  ///< with those that the writer still has
  double output_seconds_ = 0.0;                                          ///< that steps waited for files
  double wall_output_ = 0.0;  ///< wall_seconds() of the last output by the clock
  OutputList output_list_;
  Occasion occasion_ = Occasion::step;  ///< of the outputs being written
  bool wrote_snapshot_ = false;         ///< at that time
  bool has_checkpoint_ = false;         ///< of the present time, with all rows so far
  bool by_clock_ = false;               ///< output.wall_every has passed at that time
  bool is_beyond_ = false;              ///< the last step ended after the run's end, where outputs were only looked at
  Writer writer_;                       ///< last: it ends before what it writes from
};

}  // namespace hornbeam::run
