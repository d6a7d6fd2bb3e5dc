// SPDX-License-Identifier: Apache-2.0
// All that a run writes into its folder and when: tables, snapshots, checkpoints. Files are written by another thread
// next to the next steps (writer.h). loop.cpp calls it between steps and, of long steps, within them.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "run/folder/run_directory.h"
#include "run/folder/writer.h"
#include "run/records/records.h"
#include "run/records/summary.h"
#include "run/session/schedule.h"
#include "run/session/session.h"
#include "run/session/snapshot_plan.h"

namespace hornbeam::run {

/// Why outputs are written at a time, besides their own intervals.
enum class Occasion {
  step,         ///< none
  start,        ///< of a run that is not resumed: all of them
  within_step,  ///< outputs within the next step follow, before which a checkpoint is kept
  halt          ///< bodies collided that were not to: latest.hdf5
};

class Outputs {
 public:
  /// Both must outlive this.
  Outputs(Session& session, RunDirectory& directory);

  /// Notes what there is to say of the folder and of the writer.
  void announce();
  /// Begins the tables and plans the snapshots to come.
  void begin();
  /// Writes what is due at the present time, at which all particles are synchronised.
  void write(Occasion occasion);
  /// Writes the next snapshot, of a time within a step.
  void write_snapshot(Snapshot snapshot);
  /// The next snapshot, of which no copy is made where none is to be written.
  void pass_snapshot(const std::function<Snapshot()>& make);
  void write_checkpoint();
  void finish();

  [[nodiscard]] SnapshotPlan& plan() { return plan_; }
  [[nodiscard]] const SnapshotPlan& plan() const { return plan_; }
  [[nodiscard]] Writer& writer() { return writer_; }
  /// Waits until the particles may be copied.
  void wait_for_room();
  /// A step begins, which passes outputs, or not.
  void step_begins(bool passes_outputs);
  void step_ends() { error_of_step_.reset(); }
  [[nodiscard]] Moment moment(double time) const;
  [[nodiscard]] RunTotals totals() const;
  /// The present time as it was requested, from which the sum of steps differs by its rounding: 0.3, not
  /// 0.30000000000000004. What is written shows it; steps and checkpoints keep the sum.
  [[nodiscard]] double told_time() const;

 private:
  [[nodiscard]] Interval interval(std::optional<double> every) const;
  void add_energy();
  void add_black_holes();
  void add_ring();
  void add_events();
  [[nodiscard]] std::vector<std::string> energy_row();
  [[nodiscard]] std::vector<std::string> ring_row();
  bool write_due_snapshots();
  void write_latest();
  [[nodiscard]] Output next_output(double time) const;
  [[nodiscard]] SoFar so_far() const;
  [[nodiscard]] double wall_seconds() const;

  Session& session_;
  RunDirectory& directory_;
  double same_;  ///< same_time()
  SnapshotPlan plan_;
  Interval checkpoint_due_;
  Records records_;
  double ring_time_;                     ///< of the last row of ring.csv
  CollisionTotals at_ring_row_;          ///< then
  std::optional<double> error_of_step_;  ///< while a step passes outputs: of the energy at its beginning
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  double wall_before_ = 0.0, wall_output_ = 0.0;  ///< of earlier parts of the run; of the last output by the clock
  double output_seconds_ = 0.0;                   ///< that steps waited for files
  bool has_checkpoint_ = false;                   ///< of the present time, with all rows so far
  Writer writer_;                                 ///< last: it ends before what it writes from
};

}  // namespace hornbeam::run
