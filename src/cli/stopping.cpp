// SPDX-License-Identifier: Apache-2.0
// Signals, the stop file and the clock, see stopping.h.
#include "cli/stopping.h"

#include <csignal>

namespace hornbeam::cli {
namespace {

/// A step that ends this soon after somebody asked is finished: nothing of it is lost then.
constexpr double patience_seconds = 5.0;
constexpr auto between_looks = std::chrono::milliseconds(100);

volatile std::sig_atomic_t stop_requested = 0;

void request_stop(int) { stop_requested = 1; }

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

void catch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = request_stop;
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

Stopping::Stopping(const RunDirectory& directory, std::optional<double> wall_limit)
    : directory_(directory), wall_limit_(wall_limit) {}

bool Stopping::asked() {
  if (by_ != nullptr) return true;
  const Clock::time_point now = Clock::now();
  const bool looks = !looked_at_ || now - *looked_at_ >= between_looks;
  if (looks) looked_at_ = now;
  if (stop_requested != 0) {
    by_ = "a signal";
  } else if (looks && directory_.take_stop_file()) {
    by_ = "the file `stop`";
  } else if (wall_limit_ && seconds_between(began_, now) >= *wall_limit_) {
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

}  // namespace hornbeam::cli
