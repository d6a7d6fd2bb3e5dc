// SPDX-License-Identifier: Apache-2.0
// The times at which a run writes snapshots, which of them is next, and the numbers that their files have. Before it:
// schedule.h; outputs.cpp writes them.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "run/folder/run_directory.h"
#include "run/session/session.h"

namespace hornbeam::run {

class SnapshotPlan {
 public:
  /// same: difference below which two times coincide (same_time()).
  SnapshotPlan(const Session& session, double same);

  [[nodiscard]] bool is_done() const { return next_ == times_.size(); }
  /// The next time at which something is due.
  [[nodiscard]] double next() const { return times_[next_]; }
  void pass() { ++next_; }
  /// Those from the next one on that lie before `until`.
  [[nodiscard]] std::vector<double> before(double until) const;
  /// Whether none is left after so many.
  [[nodiscard]] bool ends_after(std::size_t count) const { return next_ + count == times_.size(); }
  /// Whether the next one is to be written: its snapshot is not there yet.
  [[nodiscard]] bool writes() const { return next_ >= first_; }
  /// Of the next one's snapshot.
  [[nodiscard]] std::size_t number() const { return number_of(next_); }
  /// The planned time that coincides with this time, if any.
  [[nodiscard]] std::optional<double> same_as(double time) const;

  /// Before the first step: of a resumed run passes over what is done, and numbers snapshots on behind those that are
  /// there, of which an earlier plan may have had more or fewer. Those later than the checkpoint, by a kill or an end
  /// within a step, stay, unless the settings were changed: they are what this run would come to.
  void settle(const RunDirectory& directory, Session& session);
  /// Snapshots of the whole run.
  [[nodiscard]] std::size_t count() const { return number_of(times_.size()); }
  /// For the checkpoint of that time: the number of snapshots, and up to which time none is to be written again.
  [[nodiscard]] std::size_t count_until(double time) const;
  [[nodiscard]] double kept_until() const { return kept_until_; }

 private:
  [[nodiscard]] std::size_t number_of(std::size_t output) const { return first_number_ + output - first_; }
  [[nodiscard]] std::size_t count_later(const RunDirectory& directory, Session& session) const;
  void remove_later(const RunDirectory& directory, Session& session) const;
  void leave_out(Session& session);

  double same_;
  std::vector<double> times_;
  std::size_t next_ = 0;
  std::size_t first_ = 0;          ///< the first of which there is no snapshot yet
  std::size_t first_number_ = 0;   ///< of its snapshot
  bool writes_;                    ///< output.snapshots
  std::size_t earlier_ = 0;        ///< without snapshots: those of earlier parts of the run
  double kept_until_ = -HUGE_VAL;  ///< time of the last of an earlier part of the run
};

}  // namespace hornbeam::run
