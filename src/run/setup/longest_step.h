// SPDX-License-Identifier: Apache-2.0
// What a run looks at inside of one longest block step, which may take hours: who asks it to stop, rungs, energy.
// loop.cpp hands it to Simulation::step().
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "hornbeam/simulation.h"
#include "run/session/observer.h"
#include "run/session/stopping.h"
#include "run/session/watchdog.h"

namespace hornbeam::run {

class LongestStep {
 public:
  /// relative_error: of the energy, as the simulation stands. All must outlive this.
  LongestStep(const Simulation& simulation, const Watchdog& watchdog, Stopping& stopping, Observer& observer,
              std::function<double()> relative_error);

  /// A step begins now.
  void begin();
  /// Rungs have been chosen at `time`. Returns whether the step shall go on; says so where steps have become much
  /// shorter. Throws RunGoneWrong.
  bool go_on(double time);
  /// "the step from t = 0 to 1 was given up at t = 0.2 after 12 s": where that was so, else empty.
  [[nodiscard]] const std::string& given_up() const { return given_up_; }

 private:
  using Clock = std::chrono::steady_clock;
  void look_at_rungs(double time);
  void look_at_energy(double time);

  const Simulation& simulation_;
  const Watchdog& watchdog_;
  Stopping& stopping_;
  Observer& observer_;
  std::function<double()> relative_error_;
  int deepest_ = 0;  ///< rung that has been said
  Clock::time_point began_ = Clock::now(), looked_at_ = began_;
  bool said_no_room_ = false;
  std::string given_up_;
};

}  // namespace hornbeam::run
