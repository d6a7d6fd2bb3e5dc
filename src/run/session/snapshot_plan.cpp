// SPDX-License-Identifier: Apache-2.0
// Which snapshots are there and which are to come, see snapshot_plan.h.
#include "run/session/snapshot_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "run/records/figures.h"
#include "run/records/groups_beside.h"
#include "run/session/schedule.h"

namespace hornbeam::run {

SnapshotPlan::SnapshotPlan(const Session& session, double same)
    : same_(same),
      times_(output_times(session.config().output, session.start().time, session.config().end, same,
                          session.shown_time())),
      writes_(session.config().output.snapshots) {}

std::vector<double> SnapshotPlan::before(double until) const {
  std::vector<double> times;
  for (std::size_t k = next_; k < times_.size() && times_[k] < until - same_; ++k) times.push_back(times_[k]);
  return times;
}

std::optional<double> SnapshotPlan::same_as(double time) const { return same_of(times_, time, same_); }

/// Those of which all files are there. Of the first that lacks some, which a kill or a full disk cut short, it is noted
/// that it is written again.
std::size_t SnapshotPlan::count_later(const RunDirectory& directory, Session& session) const {
  const std::vector<double>& later_times = session.start().later_outputs;
  std::size_t later = 0;
  for (; later < later_times.size(); ++later) {
    const std::size_t index = first_number_ + later;
    const RunDirectory::OutputFiles files =
        directory.files_of_output(index, has_groups(session.config().output, index));
    if (files.missing.empty()) continue;
    if (files.there.empty()) break;
    session.observer().note(fmt::format("output {} is incomplete: {} {} missing; it is written again", index,
                                        fmt::join(files.missing, ", "), files.missing.size() == 1 ? "is" : "are"));
    break;
  }
  return later;
}

/// They are of other settings.
void SnapshotPlan::remove_later(const RunDirectory& directory, Session& session) const {
  std::size_t removed = 0;
  for (std::size_t later = 0; later < session.start().later_outputs.size(); ++later) {
    removed += directory.remove_output(first_number_ + later) ? 1 : 0;
  }
  if (removed == 0) return;
  session.observer().note(fmt::format("{} later than the checkpoint, from before the changes, {} removed",
                                      counted(removed, "snapshot"), removed == 1 ? "is" : "are"));
}

/// What the plan before has up to kept_until_ is not written again, nor is what lies between it.
void SnapshotPlan::leave_out(Session& session) {
  std::size_t left_out = 0;
  for (; first_ < times_.size() && times_[first_] <= kept_until_ + same_; ++first_) {
    const double time = times_[first_];
    const bool is_there = same_of(session.start().later_outputs, time, same_).has_value();
    left_out += time > session.resumed_at() + same_ && !is_there ? 1 : 0;
  }
  if (left_out == 0) return;
  session.observer().note(
      fmt::format("{} up to t = {} {} left out, as snapshots of the earlier plan exist (docs/dynamics.md)",
                  counted(left_out, "output"), session.shown_time().text(kept_until_), left_out == 1 ? "is" : "are"));
}

void SnapshotPlan::settle(const RunDirectory& directory, Session& session) {
  const SoFar& before = session.start().so_far;
  while (session.is_resumed() && !is_done() && next() <= session.resumed_at() + same_) pass();
  first_ = next_;
  first_number_ = before.outputs.value_or(next_);
  kept_until_ = before.outputs_until;
  if (session.start().changed) {
    remove_later(directory, session);
  } else if (const std::size_t later = count_later(directory, session); later > 0) {
    first_number_ += later;
    kept_until_ = session.start().later_outputs[later - 1];
  }
  if (writes_) return leave_out(session);
  earlier_ = first_number_;  // they are there for a later part of the run, which numbers on behind them
  first_number_ = next_;
}

std::size_t SnapshotPlan::count_until(double time) const {
  if (!writes_) return earlier_;
  const auto later = std::upper_bound(times_.begin(), times_.end(), time + same_);
  // of snapshots that are there from before, those of earlier outputs count, too
  return number_of(std::max(static_cast<std::size_t>(later - times_.begin()), first_));
}

}  // namespace hornbeam::run
