// SPDX-License-Identifier: Apache-2.0
// Looks inside of a longest step, see longest_step.h.
#include "run/session/longest_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "run/records/figures.h"

namespace hornbeam::run {
namespace {

/// Steps 2^3 times shorter than before are worth a line.
constexpr int many_rungs = 3;
/// Sums over all particles at every sub-step would cost as much as these.
constexpr auto between_energies = std::chrono::seconds(10);

/// The deepest rung that holds particles.
int deepest_of(const BlockReport& report) {
  auto rung = static_cast<int>(report.rungs.size()) - 1;
  while (rung > 0 && report.rungs[static_cast<std::size_t>(rung)].particles == 0) --rung;
  return std::max(rung, 0);
}

}  // namespace

LongestStep::LongestStep(Session& session, Stopping& stopping)
    : session_(session),
      simulation_(session.simulation()),
      stopping_(stopping),
      deepest_(deepest_of(simulation_.block_report())) {}

void LongestStep::begin() { began_ = looked_at_ = Clock::now(); }

bool LongestStep::go_on(double time) {
  look_at_rungs(time);
  look_at_energy(time);
  if (!stopping_.asked()) return true;
  const double length = simulation_.next_step(), from = simulation_.time();
  const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
  if (!stopping_.gives_up((time - from) / length, seconds)) return true;
  if (simulation_.can_give_up()) {
    const ShownTime shown = session_.shown_time();
    given_up_ = fmt::format("the step from t = {} to {} was stopped at t = {} after {}: --resume starts it again",
                            shown.text(from), shown.text(from + length), shown.text(time), duration(seconds));
    return false;
  }
  if (!said_no_room_) {
    session_.observer().remark(
        fmt::format("received {}: the run stops at the end of this longest step, as the device has no memory for a "
                    "copy of its start",
                    stopping_.by()));
  }
  said_no_room_ = true;
  return true;
}

void LongestStep::look_at_rungs(double time) {
  const BlockReport report = simulation_.block_report();
  session_.watchdog().look_at_rungs(simulation_, time, report.beyond);
  const int deepest = deepest_of(report);
  if (deepest < deepest_ + many_rungs) return;
  session_.observer().remark(
      fmt::format("t = {}: steps are {} times shorter than before, {} particles are on rung {}: a longest "
                  "step takes up to {} sub-steps now",
                  session_.shown_time().text(time), std::uint64_t{1} << (deepest - deepest_),
                  report.rungs[static_cast<std::size_t>(deepest)].particles, deepest, std::uint64_t{1} << deepest));
  deepest_ = deepest;
}

void LongestStep::look_at_energy(double time) {
  if (Clock::now() - looked_at_ < between_energies) return;
  session_.watchdog().look_inside(simulation_, time, session_.relative_error());
  looked_at_ = Clock::now();
}

}  // namespace hornbeam::run
