// SPDX-License-Identifier: Apache-2.0
// The observer, the stop file and the clock, see stopping.h.
#include "run/session/stopping.h"

namespace hornbeam::run {
namespace {

/// A step that ends this soon after someone asked is finished: nothing of it is lost then.
constexpr double patience_seconds = 5.0;
constexpr auto between_looks = std::chrono::milliseconds(100);

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

Stopping::Stopping(const RunDirectory& directory, Observer& observer, std::optional<double> wall_limit)
    : directory_(directory), observer_(observer), wall_limit_(wall_limit) {}

bool Stopping::asked() {
  if (by_ != nullptr) return true;
  const Clock::time_point now = Clock::now();
  const bool looks = !looked_at_ || now - *looked_at_ >= between_looks;
  if (looks) looked_at_ = now;
  const bool is_late = wall_limit_ && seconds_between(began_, now) >= *wall_limit_;
  by_ = observer_.asks_to_stop();
  if (by_ == nullptr && looks && directory_.take_stop_file()) by_ = "the file `stop`";
  if (by_ == nullptr && is_late) {
    by_ = "output.wall_limit";
    by_clock_ = true;
  }
  asked_at_ = now;
  return by_ != nullptr;
}

bool Stopping::gives_up(double share, double seconds) const {
  const double rest = share > 0.0 ? seconds * (1.0 - share) / share : 0.0;
  return seconds_between(asked_at_, Clock::now()) + rest > patience_seconds;
}

}  // namespace hornbeam::run
